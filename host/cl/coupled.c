// coupled: launching the verbs of a step that is cut where strands look at each other.
#include "cl/coupled.h"

#include "cl/engine_parts.h"

#include <stdio.h>

static const char *const verb_names[ENGINE_VERB_COUNT] = {"open", "linearise", "substitute", "accept", "close"};

// Rows of push and answer lie as those of any field with three numbers at a vertex.
static uint32_t vector_field(const sheaf_engine *engine)
{
    const bundle_rules *rules = &engine->method->bundles;
    uint32_t field = 0;
    while (rules->fields[field].rows != FIELD_ROWS_SLOT || rules->fields[field].components != 3)
        field++;
    return field;
}

static size_t vectors_size(const sheaf_engine *engine)
{
    return bundles_bytes(&engine->bundles, vector_field(engine));
}

sheaf_status engine_make_coupled(sheaf_engine *engine)
{
    const size_t size = vectors_size(engine);
    if (engine->slice_count > 1 || engine->scratch_owners < engine->bundles.count)
        return base_fail(
            SHEAF_ERR_DEVICE,
            "strands that are coupled must be on the device together: %s lends %.1f MiB, and %.1f MiB are "
            "needed; use fewer strands or another device",
            engine->device.name, (double)engine->memory.limit / (1 << 20),
            (double)(engine->memory.needed + engine->bundles.count * engine_scratch_size(engine) + 2 * size) /
                (1 << 20));
    void *zeros = base_alloc(size, 1);
    sheaf_status status = zeros != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = engine_make_buffer(engine, CL_MEM_READ_ONLY, size, &engine->coupled.push);
    if (status == SHEAF_OK)
        status = engine_make_buffer(engine, CL_MEM_READ_WRITE, size, &engine->coupled.answer);
    if (status == SHEAF_OK)
        status = engine_upload(engine, engine->coupled.push, zeros, size);
    base_free(zeros);
    return status;
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

// ---- vectors in the model's order

static size_t vector_index(const sheaf_engine *engine, uint32_t strand, uint32_t vertex, uint32_t component)
{
    return bundles_row_index(&engine->bundles, vector_field(engine), 0, engine->bundles.place_of[strand], vertex,
                             component);
}

sheaf_status engine_write_push(sheaf_engine *engine, const double (*push)[3])
{
    const sheaf_model *model = engine->model;
    void *rows = base_alloc(vectors_size(engine), 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint32_t i = 0; i < model_vertex_count(model, s); i++)
            for (uint32_t c = 0; c < 3; c++)
                bundles_put(&engine->bundles, rows, vector_index(engine, s, i, c), push[model->first_vertex[s] + i][c]);
    const sheaf_status status = engine_upload(engine, engine->coupled.push, rows, vectors_size(engine));
    base_free(rows);
    return status;
}

sheaf_status engine_read_answer(sheaf_engine *engine, double (*answer)[3])
{
    const sheaf_model *model = engine->model;
    void *rows = base_alloc(vectors_size(engine), 1);
    if (rows == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_download(engine, engine->coupled.answer, rows, vectors_size(engine));
    for (uint32_t s = 0; status == SHEAF_OK && s < model->strand_count; s++)
        for (uint32_t i = 0; i < model_vertex_count(model, s); i++)
            for (uint32_t c = 0; c < 3; c++) {
                const size_t index = vector_index(engine, s, i, c);
                answer[model->first_vertex[s] + i][c] =
                    engine->options.is_double ? ((const double *)rows)[index] : (double)((const float *)rows)[index];
            }
    base_free(rows);
    return status;
}
