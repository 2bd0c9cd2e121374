// engine: opening and closing the fast backend: device, buffers, kernels.
#include "cl/engine_parts.h"

#include "base/vec.h"
#include "cl/kernels.h"
#include "cl/program.h"

#include <math.h>
#include <string.h>

#include "kernels/slots.clh"

enum {
    TWIST_ITERATIONS = 2,
    STEPS_PER_LAUNCH = 8,         // more than this saves little; memory traffic is shared between them
    STAGED_SCRATCH_MOST = 1 << 28 // bytes; larger populations are staged in pieces
};

const bundle_set *engine_bundles(const sheaf_engine *engine)
{
    return &engine->bundles;
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
    device_info devices[DEVICE_MOST];
    uint32_t count;
    SHEAF_TRY(device_list(devices, &count));
    if (engine->options.device >= count)
        return base_fail(SHEAF_ERR_DEVICE, "there is no OpenCL device %u (%u found): see `sheaf devices`",
                         engine->options.device, count);
    engine->device = devices[engine->options.device];
    if (engine->options.is_double && !engine->device.has_fp64)
        return base_fail(SHEAF_ERR_DEVICE, "%s has no double precision: use `precision: single`", engine->device.name);
    return SHEAF_OK;
}

static sheaf_status open_queue(sheaf_engine *engine)
{
    cl_int error;
    engine->context = clCreateContext(NULL, 1, &engine->device.id, NULL, NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateContext"));
    engine->queue = clCreateCommandQueue(engine->context, engine->device.id, 0, &error);
    return device_check(error, "clCreateCommandQueue");
}

static sheaf_status make_buffer(sheaf_engine *engine, cl_mem_flags flags, size_t size, void *memory, cl_mem *buffer)
{
    cl_int error;
    if (size > engine->device.largest_buffer)
        return base_fail(SHEAF_ERR_DEVICE, "a buffer of %zu bytes is more than %s can hold (%llu)", size,
                         engine->device.name, (unsigned long long)engine->device.largest_buffer);
    *buffer = clCreateBuffer(engine->context, flags | (memory ? CL_MEM_COPY_HOST_PTR : 0), size, memory, &error);
    return device_check(error, "clCreateBuffer");
}

static sheaf_status upload_array(sheaf_engine *engine, bundle_array array)
{
    const size_t size = bundles_bytes(&engine->bundles, array);
    void *memory = base_alloc(size, 1);
    if (memory == NULL)
        return SHEAF_ERR_MEMORY;
    bundles_pack(&engine->bundles, array, memory);
    const sheaf_status status = make_buffer(engine, CL_MEM_READ_WRITE, size, memory, &engine->arrays[array]);
    base_free(memory);
    return status;
}

static size_t real_size(const sheaf_engine *engine)
{
    return engine->options.is_double ? sizeof(double) : sizeof(float);
}

static sheaf_status upload_settings(sheaf_engine *engine)
{
    const sheaf_scene_def *def = &engine->model->def;
    double values[SETTING_SIZE] = {0};
    values[SETTING_STEP] = engine->options.step;
    vec_copy(values + SETTING_GRAVITY, def->gravity);
    vec_copy(values + SETTING_WIND, def->wind);
    values[SETTING_NEWTON_LEAST] = engine->options.newton_least;
    values[SETTING_NEWTON_MOST] = engine->options.newton_most;
    values[SETTING_NEWTON_TOLERANCE] = 0.02;
    values[SETTING_TWIST_ITERATIONS] = engine->options.twist_iterations;
    values[SETTING_PROJECT_LEAST] = 2;
    values[SETTING_PROJECT_MOST] = def->projection_iterations;
    values[SETTING_PROJECT_TOLERANCE] = fmax(def->projection_tolerance, engine->options.is_double ? 1e-14 : 1e-6);
    values[SETTING_RELAXATION] = def->relaxation;
    float singles[SETTING_SIZE];
    for (int k = 0; k < SETTING_SIZE; k++)
        singles[k] = (float)values[k];
    return make_buffer(engine, CL_MEM_READ_ONLY, SETTING_SIZE * real_size(engine),
                       engine->options.is_double ? (void *)values : (void *)singles, &engine->settings);
}

static size_t scratch_size(const sheaf_engine *engine)
{
    return (size_t)engine->bundles.most_vertices * Z_SIZE * engine->bundles.options.width * real_size(engine);
}

// The fused schedule needs scratch for every work-item, the staged one for every bundle of a launch.
static uint32_t count_scratch_owners(const sheaf_engine *engine)
{
    if (!engine->options.is_staged)
        return engine->options.work_items;
    const size_t most = STAGED_SCRATCH_MOST / scratch_size(engine);
    return most < 1 ? 1 : most < engine->bundles.count ? (uint32_t)most : engine->bundles.count;
}

static sheaf_status make_work_buffers(sheaf_engine *engine)
{
    const bundle_set *set = &engine->bundles;
    const size_t motion = bundles_motion_bytes(set) * engine->options.steps_per_launch;
    const size_t goal = bundles_goal_bytes(set) * engine->options.steps_per_launch;
    engine->scratch_owners = count_scratch_owners(engine);
    SHEAF_TRY(make_buffer(engine, CL_MEM_READ_ONLY, set->count * sizeof(bundle_entry), set->entries, &engine->entries));
    SHEAF_TRY(make_buffer(engine, CL_MEM_READ_ONLY, motion, NULL, &engine->motions));
    SHEAF_TRY(make_buffer(engine, CL_MEM_READ_ONLY, goal > 0 ? goal : 1, NULL, &engine->goals));
    SHEAF_TRY(
        make_buffer(engine, CL_MEM_READ_WRITE, engine->scratch_owners * scratch_size(engine), NULL, &engine->scratch));
    engine->motion_memory = base_alloc(motion, 1);
    engine->goal_memory = base_alloc(goal, 1);
    return engine->motion_memory && engine->goal_memory ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status set_fixed_arguments(sheaf_engine *engine, cl_kernel kernel)
{
    const cl_uint groups = engine->model->motion_count + 1, slots = engine->bundles.most_vertices;
    const cl_uint general = engine->bundles.kind_first[BUNDLE_GENERAL], generals = engine->bundles.count - general;
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < BUNDLE_ARRAY_COUNT; k++)
        error |= clSetKernelArg(kernel, k, sizeof(cl_mem), &engine->arrays[k]);
    error |= clSetKernelArg(kernel, ARGUMENT_ENTRIES, sizeof(cl_mem), &engine->entries);
    error |= clSetKernelArg(kernel, ARGUMENT_MOTIONS, sizeof(cl_mem), &engine->motions);
    error |= clSetKernelArg(kernel, ARGUMENT_GOALS, sizeof(cl_mem), &engine->goals);
    error |= clSetKernelArg(kernel, ARGUMENT_GENERAL_FIRST, sizeof general, &general);
    error |= clSetKernelArg(kernel, ARGUMENT_GENERAL_COUNT, sizeof generals, &generals);
    error |= clSetKernelArg(kernel, ARGUMENT_SETTINGS, sizeof(cl_mem), &engine->settings);
    error |= clSetKernelArg(kernel, ARGUMENT_SCRATCH, sizeof(cl_mem), &engine->scratch);
    error |= clSetKernelArg(kernel, ARGUMENT_GROUP_COUNT, sizeof groups, &groups);
    error |= clSetKernelArg(kernel, ARGUMENT_SCRATCH_SLOTS, sizeof slots, &slots);
    return device_check(error, "clSetKernelArg");
}

static sheaf_status make_kernel(sheaf_engine *engine, cl_program program, const char *name, cl_kernel *kernel)
{
    cl_int error;
    *kernel = clCreateKernel(program, name, &error);
    if (error != CL_SUCCESS)
        return base_fail(SHEAF_ERR_DEVICE, "clCreateKernel %s failed: %s (%d)", name, device_error_name(error), error);
    return set_fixed_arguments(engine, *kernel);
}

static sheaf_status make_stage_kernels(sheaf_engine *engine, engine_kernels *kernels)
{
    static const char *const names[STAGE_COUNT] = {
#define STAGE_KERNEL_NAME(name) "stage_" #name,
        ENGINE_STAGES(STAGE_KERNEL_NAME)
#undef STAGE_KERNEL_NAME
    };
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        SHEAF_TRY(make_kernel(engine, kernels->program, names[stage], &kernels->stages[stage]));
    return SHEAF_OK;
}

static sheaf_status build_kernels(sheaf_engine *engine, bundle_kind kind)
{
    const sheaf_scene_def *def = &engine->model->def;
    const program_form form = {
        .lane_width = engine->options.lane_width,
        .bundle_width = engine->bundles.options.width,
        .is_double = engine->options.is_double,
        .is_general = kind == BUNDLE_GENERAL || kind == BUNDLE_GENERAL_DAMPED,
        .is_damped = kind == BUNDLE_EVEN_DAMPED || kind == BUNDLE_PADDED_DAMPED || kind == BUNDLE_GENERAL_DAMPED,
        .is_padded = kind == BUNDLE_PADDED || kind == BUNDLE_PADDED_DAMPED,
        .integrator = def->integrator,
        .projector = def->projector,
        .start_gradients = def->integrator == SHEAF_INTEGRATOR_EXPLICIT && def->gradients != SHEAF_GRADIENTS_ITERATE,
    };
    const char *embedded = engine->options.is_staged ? kernels_staged : kernels_fused;
    const char *text = engine->options.text ? engine->options.text : embedded;
    engine_kernels *kernels = &engine->kernels[kind];
    SHEAF_TRY(program_build(engine->context, engine->device.id, text, &form, &kernels->program));
    return engine->options.is_staged ? make_stage_kernels(engine, kernels)
                                     : make_kernel(engine, kernels->program, "step_fused", &kernels->fused);
}

static sheaf_status open_parts(sheaf_engine *engine)
{
    SHEAF_TRY(find_device(engine));
    SHEAF_TRY(open_queue(engine));
    if (engine->options.work_items == 0)
        engine->options.work_items = engine->device.compute_units * (engine->options.lane_width == 1 ? 64 : 4);
    const bundle_options packing = {
        .width = engine->options.lane_width == 1 ? 8 : engine->options.lane_width,
        .is_double = engine->options.is_double,
        .step = engine->options.step,
        .is_bdf2 = engine->model->def.integrator == SHEAF_INTEGRATOR_BDF2,
    };
    SHEAF_TRY(bundles_sort(engine->model, &packing, &engine->bundles));
    for (bundle_array array = 0; array < BUNDLE_ARRAY_COUNT; array++)
        SHEAF_TRY(upload_array(engine, array));
    SHEAF_TRY(upload_settings(engine));
    SHEAF_TRY(make_work_buffers(engine));
    for (bundle_kind kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
        if (engine->bundles.kind_first[kind] < engine->bundles.kind_first[kind + 1])
            SHEAF_TRY(build_kernels(engine, kind));
    return SHEAF_OK;
}

sheaf_status engine_open(const sheaf_model *model, const engine_options *options, sheaf_engine **out)
{
    *out = NULL;
    sheaf_engine *engine = base_alloc(1, sizeof *engine);
    if (engine == NULL)
        return SHEAF_ERR_MEMORY;
    engine->model = model;
    engine->options = *options;
    if (engine->options.steps_per_launch == 0)
        engine->options.steps_per_launch = STEPS_PER_LAUNCH;
    if (engine->options.twist_iterations == 0)
        engine->options.twist_iterations = TWIST_ITERATIONS;
    if (engine->options.newton_most == 0) {
        engine->options.newton_least = model->def.newton ? model->def.newton : 1;
        engine->options.newton_most = model->def.newton ? model->def.newton : 4;
    }
    const sheaf_status status = open_parts(engine);
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
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        if (kernels->stages[stage] != NULL)
            clReleaseKernel(kernels->stages[stage]);
    if (kernels->program != NULL)
        clReleaseProgram(kernels->program);
}

void engine_close(sheaf_engine *engine)
{
    if (engine == NULL)
        return;
    if (engine->queue != NULL)
        clFinish(engine->queue);
    for (int k = 0; k < BUNDLE_ARRAY_COUNT; k++)
        release(engine->arrays[k]);
    release(engine->entries);
    release(engine->motions);
    release(engine->goals);
    release(engine->scratch);
    release(engine->settings);
    for (int kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
        release_kernels(&engine->kernels[kind]);
    if (engine->queue != NULL)
        clReleaseCommandQueue(engine->queue);
    if (engine->context != NULL)
        clReleaseContext(engine->context);
    bundles_free(&engine->bundles);
    base_free(engine->motion_memory);
    base_free(engine->goal_memory);
    base_free(engine);
}
