// coupled: launching the verbs of a step that is cut where strands look at each other.
#include "cl/coupled.h"

#include "cl/engine_parts.h"

#include <stdio.h>

static const char *const verb_names[ENGINE_VERB_COUNT] = {"open", "linearise", "substitute", "accept", "close"};

// Bytes of rows with so many numbers at every vertex.
static size_t rows_size(const sheaf_engine *engine, uint32_t components)
{
    return (size_t)engine->bundles.slot_count * components * engine->bundles.options.width * engine_real_size(engine);
}

static size_t vectors_size(const sheaf_engine *engine)
{
    return rows_size(engine, 3);
}

// Makes a buffer of zeros.
static sheaf_status make_zeros(sheaf_engine *engine, cl_mem_flags flags, size_t size, cl_mem *buffer)
{
    void *zeros = base_alloc(size, 1);
    sheaf_status status = zeros != NULL ? engine_make_buffer(engine, flags, size, buffer) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = engine_upload(engine, *buffer, zeros, size);
    base_free(zeros);
    return status;
}

// Bytes of rows with so many numbers for every strand.
static size_t strands_size(const sheaf_engine *engine, uint32_t components)
{
    return (size_t)engine->bundles.count * components * engine->bundles.options.width * engine_real_size(engine);
}

// How many numbers a strand is given besides, and tells; 0: there are none.
static void count_numbers(const sheaf_engine *engine, uint32_t *given, uint32_t *told)
{
    *given = *told = 0;
    if (engine->method->couple_numbers != NULL)
        engine->method->couple_numbers(engine, given, told);
}

uint64_t engine_coupled_bytes(const sheaf_engine *engine, bool largest)
{
    uint32_t given, told;
    if (!engine->options.is_coupled)
        return 0;
    count_numbers(engine, &given, &told);
    const uint64_t sizes[] = {vectors_size(engine), vectors_size(engine), rows_size(engine, ENGINE_WEIGHT_SIZE),
                              strands_size(engine, given), given > 0 ? strands_size(engine, told) : 0};
    uint64_t sum = 0, most = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        sum += sizes[k];
        most = sizes[k] > most ? sizes[k] : most;
    }
    return largest ? most : sum;
}

static sheaf_status make_numbers(sheaf_engine *engine)
{
    engine_coupled *coupled = &engine->coupled;
    count_numbers(engine, &coupled->given_count, &coupled->told_count);
    if (coupled->given_count == 0)
        return SHEAF_OK;
    SHEAF_TRY(make_zeros(engine, CL_MEM_READ_ONLY, strands_size(engine, coupled->given_count), &engine->coupled.given));
    return make_zeros(engine, CL_MEM_READ_WRITE, strands_size(engine, coupled->told_count), &engine->coupled.told);
}

sheaf_status engine_make_coupled(sheaf_engine *engine)
{
    const size_t size = vectors_size(engine), weights = rows_size(engine, ENGINE_WEIGHT_SIZE);
    SHEAF_TRY(make_zeros(engine, CL_MEM_READ_ONLY, size, &engine->coupled.push));
    SHEAF_TRY(make_zeros(engine, CL_MEM_READ_ONLY, weights, &engine->coupled.weights));
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_WRITE, size, &engine->coupled.answer));
    return make_numbers(engine);
}

sheaf_status engine_make_verbs(sheaf_engine *engine, engine_kernels *kernels)
{
    for (int verb = 0; verb < ENGINE_VERB_COUNT; verb++) {
        char name[32];
        cl_kernel *kernel = &kernels->verbs[verb];
        snprintf(name, sizeof name, "couple_%s", verb_names[verb]);
        SHEAF_TRY(engine_make_kernel(engine, kernels->program, name, kernel));
        cl_int error = engine_set_argument(engine, *kernel, ARGUMENT_PUSH, sizeof(cl_mem), &engine->coupled.push);
        error |= engine_set_argument(engine, *kernel, ARGUMENT_ANSWER, sizeof(cl_mem), &engine->coupled.answer);
        error |= engine_set_argument(engine, *kernel, ARGUMENT_WEIGHTS, sizeof(cl_mem), &engine->coupled.weights);
        if (engine->coupled.given != NULL) {
            error |= engine_set_argument(engine, *kernel, ARGUMENT_GIVEN, sizeof(cl_mem), &engine->coupled.given);
            error |= engine_set_argument(engine, *kernel, ARGUMENT_TOLD, sizeof(cl_mem), &engine->coupled.told);
        }
        SHEAF_TRY(device_check(error, "clSetKernelArg"));
    }
    return SHEAF_OK;
}

void engine_release_coupled(sheaf_engine *engine)
{
    if (engine->coupled.push != NULL)
        clReleaseMemObject(engine->coupled.push);
    if (engine->coupled.answer != NULL)
        clReleaseMemObject(engine->coupled.answer);
    if (engine->coupled.weights != NULL)
        clReleaseMemObject(engine->coupled.weights);
    if (engine->coupled.given != NULL)
        clReleaseMemObject(engine->coupled.given);
    if (engine->coupled.told != NULL)
        clReleaseMemObject(engine->coupled.told);
}

// All bundles of a kind in one launch: each owns the scratch of its number.
static sheaf_status launch_verb(sheaf_engine *engine, uint32_t kind, engine_verb verb, cl_int iteration)
{
    const uint32_t *first = engine->bundles.kind_first;
    const bundle_range range = {.kind = kind, .first = first[kind], .end = first[kind + 1], .step = engine->step};
    const cl_uint ahead = 0;
    if (range.first == range.end)
        return SHEAF_OK;
    cl_kernel kernel = engine->kernels[kind].verbs[verb];
    cl_int error = engine_set_range(engine, kernel, &range);
    error |= engine_set_argument(engine, kernel, ARGUMENT_AHEAD, sizeof ahead, &ahead);
    error |= engine_set_argument(engine, kernel, ARGUMENT_ITERATION, sizeof iteration, &iteration);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return engine_enqueue(engine, kernel, range.end - range.first, (engine_flight){0});
}

sheaf_status engine_couple(sheaf_engine *engine, engine_verb verb, int32_t iteration)
{
    if (!engine->options.is_coupled)
        return base_fail(SHEAF_ERR_USAGE, "this engine was not opened for strands that are coupled");
    if (verb == ENGINE_VERB_OPEN) {
        SHEAF_TRY(engine->method->jump(engine));
        SHEAF_TRY(engine_upload_inputs(engine, engine->step, 1));
    }
    for (uint32_t kind = 0; kind < engine->method->bundles.kind_count; kind++)
        SHEAF_TRY(launch_verb(engine, kind, verb, iteration));
    engine->step += verb == ENGINE_VERB_CLOSE;
    return SHEAF_OK;
}

// ---- rows in the model's order

// Where component 0 of a strand's vertex 0 is; the next component is `width` numbers on.
static size_t row_start(const sheaf_engine *engine, uint32_t strand, uint32_t components)
{
    const uint32_t width = engine->bundles.options.width;
    const uint64_t place = engine->bundles.place_of[strand];
    const uint64_t slot = engine->bundles.entries[place / width].first_slot;
    return (size_t)(slot * components * width + place % width);
}

// Copies rows of the model's order to a buffer.
static sheaf_status write_rows(sheaf_engine *engine, cl_mem buffer, const double *values, uint32_t components)
{
    const sheaf_model *model = engine->model;
    const uint32_t width = engine->bundles.options.width;
    const size_t size = rows_size(engine, components);
    void *rows = base_alloc(size, 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const size_t start = row_start(engine, s, components);
        const double *from = values + model->first_vertex[s] * components;
        for (size_t k = 0; k < (size_t)model_vertex_count(model, s) * components; k++)
            bundles_put(&engine->bundles, rows, start + k * width, from[k]);
    }
    const sheaf_status status = engine_upload(engine, buffer, rows, size);
    base_free(rows);
    return status;
}

sheaf_status engine_write_push(sheaf_engine *engine, const double (*push)[3])
{
    return write_rows(engine, engine->coupled.push, push[0], 3);
}

sheaf_status engine_write_weights(sheaf_engine *engine, const double (*weights)[ENGINE_WEIGHT_SIZE])
{
    return write_rows(engine, engine->coupled.weights, weights[0], ENGINE_WEIGHT_SIZE);
}

sheaf_status engine_read_answer(sheaf_engine *engine, double (*answer)[3])
{
    const sheaf_model *model = engine->model;
    const uint32_t width = engine->bundles.options.width;
    void *rows = base_alloc(vectors_size(engine), 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_download(engine, engine->coupled.answer, rows, vectors_size(engine));
    for (uint32_t s = 0; status == SHEAF_OK && s < model->strand_count; s++) {
        const size_t start = row_start(engine, s, 3);
        double *to = answer[model->first_vertex[s]];
        for (size_t k = 0; k < 3 * (size_t)model_vertex_count(model, s); k++) {
            const size_t index = start + k * width;
            to[k] = engine->options.is_double ? ((const double *)rows)[index] : (double)((const float *)rows)[index];
        }
    }
    base_free(rows);
    return status;
}

// ---- numbers of strands

// Every lane of a bundle gets its strand's; one that only fills it, those of the first.
sheaf_status engine_write_given(sheaf_engine *engine, const double *values)
{
    const bundle_set *set = &engine->bundles;
    const uint32_t width = set->options.width, count = engine->coupled.given_count;
    const size_t size = strands_size(engine, count);
    void *rows = base_alloc(size, 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t b = 0; b < set->count; b++)
        for (uint32_t lane = 0; lane < width; lane++) {
            const uint32_t *strands = set->strand_of + (size_t)b * width;
            const uint32_t strand = strands[lane] == BUNDLE_FILLER ? strands[0] : strands[lane];
            for (uint32_t c = 0; c < count; c++)
                bundles_put(set, rows, ((size_t)b * count + c) * width + lane, values[(size_t)strand * count + c]);
        }
    const sheaf_status status = engine_upload(engine, engine->coupled.given, rows, size);
    base_free(rows);
    return status;
}

sheaf_status engine_read_told(sheaf_engine *engine, double *values)
{
    const bundle_set *set = &engine->bundles;
    const uint32_t width = set->options.width, count = engine->coupled.told_count;
    const size_t size = strands_size(engine, count);
    void *rows = base_alloc(size, 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_download(engine, engine->coupled.told, rows, size);
    for (uint32_t s = 0; status == SHEAF_OK && s < engine->model->strand_count; s++) {
        const size_t start = (size_t)(set->place_of[s] / width) * count * width + set->place_of[s] % width;
        for (uint32_t c = 0; c < count; c++) {
            const size_t index = start + (size_t)c * width;
            values[(size_t)s * count + c] =
                engine->options.is_double ? ((const double *)rows)[index] : (double)((const float *)rows)[index];
        }
    }
    base_free(rows);
    return status;
}
