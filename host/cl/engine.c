// engine: opening and closing the fast backend: device, buffers, kernels.
#include "cl/engine_parts.h"

#include "cl/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STEPS_LEAST = 16,     // in a launch; more than this saves little memory traffic, which they share,
    STEPS_MOST = 128,     // but a few strands are stepped sooner than a launch begins,
    LAUNCH_WORK = 16384,  // so that so many vertex-steps make one;
    STEPS_OF_INPUT = 8,   // and fewer steps where what they are given
    INPUT_MOST = 1 << 26, // would take more bytes than this
    GROUP_OF_SCALARS = 8, // work-items that own a bundle together, one strand each;
    GROUP_ON_GPU = 64     // there as many as the widest of them issue at once
};

const bundle_set *engine_bundles(const sheaf_engine *engine)
{
    return &engine->bundles;
}

const sheaf_model *engine_model(const sheaf_engine *engine)
{
    return engine->model;
}

const engine_options *engine_options_of(const sheaf_engine *engine)
{
    return &engine->options;
}

double engine_time(const sheaf_engine *engine)
{
    return (double)engine->step * engine->options.step;
}

uint64_t engine_steps(const sheaf_engine *engine)
{
    return engine->step;
}

const device_info *engine_device(const sheaf_engine *engine)
{
    return &engine->device;
}

// ---- opening

static sheaf_status find_device(sheaf_engine *engine)
{
    if (engine->options.kin != NULL)
        engine->device = engine->options.kin->device;
    else
        SHEAF_TRY(device_find(engine->options.device, &engine->device));
    if (engine->options.is_double && !engine->device.has_fp64)
        return base_fail(SHEAF_ERR_DEVICE, "%s has no double precision: use `precision: single`", engine->device.name);
    return SHEAF_OK;
}

static sheaf_status open_queue(sheaf_engine *engine)
{
    if (engine->options.kin != NULL) {
        SHEAF_TRY(device_check(clRetainContext(engine->options.kin->context), "clRetainContext"));
        engine->context = engine->options.kin->context;
    }
    return device_open_queue(&engine->device, CL_QUEUE_PROFILING_ENABLE, &engine->context, &engine->queue);
}

static sheaf_status upload_settings(sheaf_engine *engine)
{
    const uint32_t count = engine->method->setting_count;
    double *values = base_alloc(count, sizeof *values);
    void *rounded = base_alloc(count, engine_real_size(engine));
    const size_t size = count * engine_real_size(engine);
    sheaf_status status = values && rounded ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = engine_make_buffer(engine, CL_MEM_READ_ONLY, size, &engine->settings);
    if (status == SHEAF_OK) {
        engine->method->settings(engine, values);
        for (uint32_t k = 0; k < count; k++)
            bundles_put(&engine->bundles, rounded, k, values[k]);
        status = engine_upload(engine, engine->settings, rounded, size);
    }
    base_free(values);
    base_free(rounded);
    return status;
}

// ---- kernels

cl_uint engine_argument_place(const sheaf_engine *engine, engine_argument argument)
{
    const engine_method *method = engine->method;
    const cl_uint first = method->bundles.field_count + 1 + method->input_count;
    return first + argument + (argument > ARGUMENT_NUMBERS ? method->number_count - 1 : 0);
}

cl_int engine_set_argument(const sheaf_engine *engine, cl_kernel kernel, engine_argument argument, size_t size,
                           const void *value)
{
    return clSetKernelArg(kernel, engine_argument_place(engine, argument), size, value);
}

static sheaf_status set_fixed_arguments(sheaf_engine *engine, cl_kernel kernel)
{
    const cl_uint stride = (cl_uint)(engine_scratch_size(engine) / engine_lane_size(engine));
    cl_uint place = 0;
    cl_int error = CL_SUCCESS;
    for (uint32_t k = 0; k < engine->method->bundles.field_count; k++)
        error |= clSetKernelArg(kernel, place++, sizeof(cl_mem), &engine->arrays[k]);
    error |= clSetKernelArg(kernel, place++, sizeof(cl_mem), &engine->entries);
    for (uint32_t k = 0; k < engine->method->input_count; k++)
        error |= clSetKernelArg(kernel, place++, sizeof(cl_mem), &engine->inputs[k]);
    error |= engine_set_argument(engine, kernel, ARGUMENT_SETTINGS, sizeof(cl_mem), &engine->settings);
    error |= engine_set_argument(engine, kernel, ARGUMENT_SCRATCH, sizeof(cl_mem), &engine->scratch);
    error |= engine_set_argument(engine, kernel, ARGUMENT_SCRATCH_STRIDE, sizeof stride, &stride);
    return device_check(error, "clSetKernelArg");
}

sheaf_status engine_make_kernel(sheaf_engine *engine, cl_program program, const char *name, cl_kernel *kernel)
{
    SHEAF_TRY(program_kernel(program, name, kernel));
    return set_fixed_arguments(engine, *kernel);
}

static sheaf_status make_stage_kernels(sheaf_engine *engine, engine_kernels *kernels)
{
    for (uint32_t stage = 0; stage < engine->method->stage_count; stage++) {
        char name[64];
        snprintf(name, sizeof name, "stage_%s", engine->method->stages[stage]);
        SHEAF_TRY(engine_make_kernel(engine, kernels->program, name, &kernels->stages[stage]));
    }
    return SHEAF_OK;
}

void engine_make_source(const sheaf_engine *engine, uint32_t kind, engine_program what, program_source *source)
{
    *source = (program_source){.lane_width = engine->options.lane_width,
                               .bundle_width = engine->bundles.options.width,
                               .is_double = engine->options.is_double};
    engine->method->program(engine, kind, what, source);
}

static engine_program program_of(const engine_options *options)
{
    return options->is_coupled  ? ENGINE_PROGRAM_COUPLED
           : options->is_pushed ? ENGINE_PROGRAM_PUSHED
           : options->is_staged ? ENGINE_PROGRAM_STAGED
                                : ENGINE_PROGRAM_FUSED;
}

// ---- pushes

cl_mem engine_pushes(const sheaf_engine *engine)
{
    return engine->pushes;
}

uint64_t engine_pushed_bytes(const sheaf_engine *engine)
{
    const bundle_set *set = &engine->bundles;
    if (!engine->options.is_pushed)
        return 0;
    return (uint64_t)set->slot_count * set->options.width * engine->method->push_count * engine_real_size(engine);
}

static sheaf_status make_pushes(sheaf_engine *engine)
{
    const size_t size = engine_pushed_bytes(engine);
    void *zeros = base_alloc(size, 1);
    if (zeros == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_make_buffer(engine, CL_MEM_READ_WRITE, size, &engine->pushes);
    if (status == SHEAF_OK)
        status = engine_upload(engine, engine->pushes, zeros, size);
    base_free(zeros);
    return status;
}

static sheaf_status make_pushed_kernel(sheaf_engine *engine, engine_kernels *kernels)
{
    const engine_argument place = ARGUMENT_NOTE_POSES + engine->method->pose_field_count;
    SHEAF_TRY(engine_make_kernel(engine, kernels->program, "step_pushed", &kernels->fused));
    return device_check(engine_set_argument(engine, kernels->fused, place, sizeof(cl_mem), &engine->pushes),
                        "clSetKernelArg");
}

static sheaf_status build_kernels(sheaf_engine *engine, uint32_t kind)
{
    engine_kernels *kernels = &engine->kernels[kind];
    cl_program known = engine->options.kin ? engine->options.kin->kernels[kind].program : NULL;
    program_source source;
    engine_make_source(engine, kind, program_of(&engine->options), &source);
    source.text = engine->options.text;
    if (known == NULL)
        SHEAF_TRY(program_build(engine->context, &engine->device, &source, &kernels->program));
    else
        SHEAF_TRY(device_check(clRetainProgram(kernels->program = known), "clRetainProgram"));
    if (engine->options.is_coupled)
        return engine_make_verbs(engine, kernels);
    if (engine->options.is_pushed)
        return make_pushed_kernel(engine, kernels);
    return engine->options.is_staged ? make_stage_kernels(engine, kernels)
                                     : engine_make_kernel(engine, kernels->program, "step_fused", &kernels->fused);
}

// ---- opening and closing

// Strands of a bundle: as many as lanes, or as work-items of a group, which some devices limit.
static uint32_t bundle_width(const sheaf_engine *engine)
{
    if (engine->options.lane_width > 1)
        return engine->options.lane_width;
    const bool is_gpu = (engine->device.type & CL_DEVICE_TYPE_GPU) != 0;
    uint32_t width = engine->options.group_size ? engine->options.group_size : is_gpu ? GROUP_ON_GPU : GROUP_OF_SCALARS;
    while (width > 1 && width > engine->device.largest_group)
        width /= 2;
    return width;
}

// Bytes of the largest input that differs from bundle to bundle, in one step.
static uint64_t step_bytes(const sheaf_engine *engine)
{
    uint64_t most = 0;
    for (uint32_t k = 0; k < engine->method->input_count; k++) {
        const engine_input *it = &engine->method->inputs[k];
        const uint64_t bytes = it->is_per_step ? it->bytes(engine, 0, engine->bundles.count) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

static uint32_t choose_steps_per_launch(const sheaf_engine *engine)
{
    const double wanted = (double)LAUNCH_WORK / fmax(1, (double)engine->model->vertex_count);
    uint32_t steps = (uint32_t)fmin(fmax(wanted, STEPS_LEAST), STEPS_MOST);
    while (steps > STEPS_OF_INPUT && steps * step_bytes(engine) > INPUT_MOST)
        steps /= 2;
    return steps;
}

// How many owners SHEAF_OWNERS in the environment asks for; 0: it does not.
static sheaf_status wished_owners(uint32_t *count)
{
    enum { OWNERS_MOST = 1 << 20 };
    const char *wish = getenv("SHEAF_OWNERS");
    char *end, shown[64];
    *count = 0;
    if (wish == NULL || wish[0] == 0)
        return SHEAF_OK;
    const long value = strtol(wish, &end, 10);
    if (*end != 0 || value < 1 || value > OWNERS_MOST)
        return base_fail(SHEAF_ERR_USAGE, "SHEAF_OWNERS is '%s'; it must be a number from 1 to %d",
                         base_printable(wish, shown, sizeof shown), OWNERS_MOST);
    *count = (uint32_t)value;
    return SHEAF_OK;
}

static sheaf_status open_parts(sheaf_engine *engine)
{
    uint32_t wished;
    SHEAF_TRY(wished_owners(&wished));
    if (engine->options.work_items == 0)
        engine->options.work_items = wished;
    SHEAF_TRY(find_device(engine));
    SHEAF_TRY(open_queue(engine));
    const bundle_options packing = {
        .width = bundle_width(engine),
        .is_double = engine->options.is_double,
        .step = engine->options.step,
    };
    SHEAF_TRY(bundles_sort(&engine->method->bundles, engine->model, &packing, &engine->bundles));
    if (engine->options.is_pushed)
        engine->options.steps_per_launch = 1;
    if (engine->options.steps_per_launch == 0)
        engine->options.steps_per_launch = choose_steps_per_launch(engine);
    SHEAF_TRY(engine_plan_memory(engine));
    SHEAF_TRY(engine_make_arrays(engine));
    SHEAF_TRY(upload_settings(engine));
    if (engine->options.is_coupled)
        SHEAF_TRY(engine_make_coupled(engine));
    if (engine->options.is_pushed)
        SHEAF_TRY(make_pushes(engine));
    if (engine->method->opened != NULL)
        SHEAF_TRY(engine->method->opened(engine));
    for (uint32_t kind = 0; kind < engine->method->bundles.kind_count; kind++)
        if (engine->bundles.kind_first[kind] < engine->bundles.kind_first[kind + 1])
            SHEAF_TRY(build_kernels(engine, kind));
    return SHEAF_OK;
}

sheaf_status engine_open(const engine_method *method, const sheaf_model *model, const engine_options *options,
                         sheaf_engine **out)
{
    *out = NULL;
    sheaf_engine *engine = base_alloc(1, sizeof *engine);
    if (engine == NULL)
        return SHEAF_ERR_MEMORY;
    engine->method = method;
    engine->model = model;
    engine->options = *options;
    sheaf_status status = method->open(engine);
    if (status == SHEAF_OK)
        status = open_parts(engine);
    if (status != SHEAF_OK)
        engine_close(engine);
    else
        *out = engine;
    return status;
}

static void release(cl_mem buffer)
{
    if (buffer != NULL)
        clReleaseMemObject(buffer);
}

static void release_kernels(engine_kernels *kernels)
{
    if (kernels->fused != NULL)
        clReleaseKernel(kernels->fused);
    for (int stage = 0; stage < ENGINE_STAGES_MAX; stage++)
        if (kernels->stages[stage] != NULL)
            clReleaseKernel(kernels->stages[stage]);
    for (int verb = 0; verb < ENGINE_VERB_COUNT; verb++)
        if (kernels->verbs[verb] != NULL)
            clReleaseKernel(kernels->verbs[verb]);
    if (kernels->program != NULL)
        clReleaseProgram(kernels->program);
}

static void release_device(sheaf_engine *engine)
{
    for (int k = 0; k < BUNDLE_FIELDS_MAX; k++)
        release(engine->arrays[k]);
    release(engine->entries);
    for (int k = 0; k < ENGINE_INPUTS_MAX; k++)
        release(engine->inputs[k]);
    release(engine->scratch);
    release(engine->settings);
    release(engine->pushes);
    engine_release_figures(engine);
    engine_release_notes(engine);
    engine_release_coupled(engine);
    for (int kind = 0; kind < BUNDLE_KINDS_MAX; kind++)
        release_kernels(&engine->kernels[kind]);
    if (engine->queue != NULL)
        clReleaseCommandQueue(engine->queue);
    if (engine->context != NULL)
        clReleaseContext(engine->context);
}

// A hung device keeps what it has: releasing it would wait for ever.
void engine_close(sheaf_engine *engine)
{
    if (engine == NULL)
        return;
    if (engine->queue != NULL)
        (void)engine_drain(engine);
    if (!engine->pace.hangs)
        release_device(engine);
    bundles_free(&engine->bundles);
    for (int k = 0; k < BUNDLE_FIELDS_MAX; k++)
        base_free(engine->shadows[k]);
    base_free(engine->slices);
    for (int k = 0; k < ENGINE_INPUTS_MAX; k++)
        base_free(engine->input_memory[k]);
    if (engine->method->close != NULL && engine->own != NULL)
        engine->method->close(engine);
    base_free(engine->own);
    base_free(engine);
}
