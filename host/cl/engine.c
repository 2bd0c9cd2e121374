// engine: opening and closing the fast backend: device, buffers, kernels.
#include "cl/engine_parts.h"

#include "base/vec.h"
#include "cl/form.h"
#include "cl/program.h"

#include <math.h>
#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum {
    TWIST_ITERATIONS = 2,
    NEWTON_MOST = 40,     // of a strand that settles at no earlier iteration
    STEPS_LEAST = 16,     // in a launch; more than this saves little memory traffic, which they share,
    STEPS_MOST = 128,     // but a few strands are stepped sooner than a launch begins,
    LAUNCH_WORK = 16384,  // so that so many vertex-steps make one;
    STEPS_OF_GOALS = 8,   // and fewer steps where goals of general ends
    GOALS_MOST = 1 << 26, // would take more bytes than this
    GROUP_OF_SCALARS = 8  // work-items that own a bundle together, one strand each
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

_Static_assert(SETTING_WORLD_SIZE == SETTING_GUST + MODEL_GUSTS * GUST_SIZE && GUST_MOST == (int)MODEL_GUSTS,
               "kernels have room for all waves");

static bool is_bdf2(const sheaf_engine *engine)
{
    return engine->model->def.integrator == SHEAF_INTEGRATOR_BDF2;
}

void engine_settings(const sheaf_engine *engine, double *values)
{
    const sheaf_scene_def *def = &engine->model->def;
    memset(values, 0, SETTING_SIZE * sizeof *values);
    values[SETTING_STEP] = engine->options.step;
    vec_copy(values + SETTING_GRAVITY, def->gravity);
    vec_copy(values + SETTING_WIND, def->wind);
    values[SETTING_NEWTON_LEAST] = engine->options.newton_least;
    values[SETTING_NEWTON_MOST] = engine->options.newton_most;
    values[SETTING_NEWTON_TOLERANCE] = 0.02;
    values[SETTING_NEWTON_UPDATE] = 0.01;
    values[SETTING_TWIST_ITERATIONS] = engine->options.twist_iterations;
    values[SETTING_PROJECT_LEAST] = 2;
    values[SETTING_PROJECT_MOST] = def->projection_iterations;
    values[SETTING_PROJECT_TOLERANCE] = fmax(def->projection_tolerance, engine->options.is_double ? 1e-14 : 1e-6);
    values[SETTING_RELAXATION] = def->relaxation;
    values[SETTING_GUST_COUNT] = engine->model->gust_count;
    values[SETTING_MASS_SCALE] = engine->options.step * engine->options.step / (is_bdf2(engine) ? 2.25 : 1);
    for (uint32_t k = 0; k < engine->model->gust_count; k++) {
        double *gust = values + SETTING_GUST + k * GUST_SIZE;
        vec_copy(gust + GUST_WAVE, engine->model->gusts[k].wave);
        vec_copy(gust + GUST_SWING, engine->model->gusts[k].swing);
    }
}

static sheaf_status upload_settings(sheaf_engine *engine)
{
    double values[SETTING_SIZE];
    float singles[SETTING_SIZE];
    engine_settings(engine, values);
    for (int k = 0; k < SETTING_SIZE; k++)
        singles[k] = (float)values[k];
    const size_t size = SETTING_SIZE * engine_real_size(engine);
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, size, &engine->settings));
    return engine_upload(engine, engine->settings, engine->options.is_double ? (void *)values : (void *)singles, size);
}

// Distances of all meshes, one after the other.
static sheaf_status upload_grids(sheaf_engine *engine)
{
    const sheaf_model *model = engine->model;
    size_t offset = 0;
    SHEAF_TRY(engine_make_buffer(engine, CL_MEM_READ_ONLY, bundles_grid_bytes(model), &engine->grids));
    for (uint32_t k = 0; k < model->collider_count; k++) {
        const mesh_grid *grid = model->colliders[k].grid;
        const size_t size = grid != NULL ? mesh_grid_size(grid) * sizeof *grid->distance : 0;
        if (size > 0)
            SHEAF_TRY(engine_upload_at(engine, engine->grids, offset, grid->distance, size));
        offset += size;
    }
    return SHEAF_OK;
}

static sheaf_status set_fixed_arguments(sheaf_engine *engine, cl_kernel kernel)
{
    const cl_uint groups = engine->model->motion_count + 1, colliders = engine->model->collider_count;
    const cl_uint stride = (cl_uint)(engine_scratch_size(engine) / engine_lane_size(engine));
    cl_int error = CL_SUCCESS;
    for (cl_uint k = 0; k < DER_FIELD_COUNT; k++)
        error |= clSetKernelArg(kernel, k, sizeof(cl_mem), &engine->arrays[k]);
    error |= clSetKernelArg(kernel, ARGUMENT_ENTRIES, sizeof(cl_mem), &engine->entries);
    error |= clSetKernelArg(kernel, ARGUMENT_MOTIONS, sizeof(cl_mem), &engine->motions);
    error |= clSetKernelArg(kernel, ARGUMENT_GOALS, sizeof(cl_mem), &engine->goals);
    error |= clSetKernelArg(kernel, ARGUMENT_COLLIDERS, sizeof(cl_mem), &engine->colliders);
    error |= clSetKernelArg(kernel, ARGUMENT_GRIDS, sizeof(cl_mem), &engine->grids);
    error |= clSetKernelArg(kernel, ARGUMENT_COLLIDER_COUNT, sizeof colliders, &colliders);
    error |= clSetKernelArg(kernel, ARGUMENT_SETTINGS, sizeof(cl_mem), &engine->settings);
    error |= clSetKernelArg(kernel, ARGUMENT_SCRATCH, sizeof(cl_mem), &engine->scratch);
    error |= clSetKernelArg(kernel, ARGUMENT_GROUP_COUNT, sizeof groups, &groups);
    error |= clSetKernelArg(kernel, ARGUMENT_SCRATCH_STRIDE, sizeof stride, &stride);
    return device_check(error, "clSetKernelArg");
}

sheaf_status engine_make_kernel(sheaf_engine *engine, cl_program program, const char *name, cl_kernel *kernel)
{
    SHEAF_TRY(program_kernel(program, name, kernel));
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
        SHEAF_TRY(engine_make_kernel(engine, kernels->program, names[stage], &kernels->stages[stage]));
    return SHEAF_OK;
}

static sheaf_status build_kernels(sheaf_engine *engine, bundle_kind kind)
{
    const sheaf_scene_def *def = &engine->model->def;
    const kernel_form form = {
        .is_general = kind == BUNDLE_GENERAL || kind == BUNDLE_GENERAL_DAMPED,
        .is_damped = kind == BUNDLE_EVEN_DAMPED || kind == BUNDLE_PADDED_DAMPED || kind == BUNDLE_GENERAL_DAMPED,
        .is_padded = kind == BUNDLE_PADDED || kind == BUNDLE_PADDED_DAMPED,
        .has_air = engine->has_air,
        .has_colliders = engine->has_colliders,
        .integrator = def->integrator,
        .projector = def->projector,
        .start_gradients = def->integrator == SHEAF_INTEGRATOR_EXPLICIT && def->gradients != SHEAF_GRADIENTS_ITERATE,
    };
    program_source source = {
        .entry = engine->options.is_staged ? "kernels/der/staged.cl" : "kernels/der/fused.cl",
        .text = engine->options.text,
        .lane_width = engine->options.lane_width,
        .bundle_width = engine->bundles.options.width,
        .is_double = engine->options.is_double,
    };
    form_write(&form, source.defines);
    engine_kernels *kernels = &engine->kernels[kind];
    cl_program known = engine->options.kin ? engine->options.kin->kernels[kind].program : NULL;
    if (known == NULL)
        SHEAF_TRY(program_build(engine->context, &engine->device, &source, &kernels->program));
    else
        SHEAF_TRY(device_check(clRetainProgram(kernels->program = known), "clRetainProgram"));
    return engine->options.is_staged ? make_stage_kernels(engine, kernels)
                                     : engine_make_kernel(engine, kernels->program, "step_fused", &kernels->fused);
}

// Strands of a bundle: as many as lanes, or as work-items of a group, which some devices limit.
static uint32_t bundle_width(const sheaf_engine *engine)
{
    if (engine->options.lane_width > 1)
        return engine->options.lane_width;
    uint32_t width = engine->options.group_size ? engine->options.group_size : GROUP_OF_SCALARS;
    while (width > 1 && width > engine->device.largest_group)
        width /= 2;
    return width;
}

// Bytes of the goals of all general ends in one step.
static uint64_t goal_bytes(const bundle_set *set)
{
    return bundles_goal_bytes(set, set->count - set->kind_first[BUNDLE_GENERAL]);
}

static uint32_t choose_steps_per_launch(const sheaf_engine *engine)
{
    const double wanted = (double)LAUNCH_WORK / fmax(1, (double)engine->model->vertex_count);
    uint32_t steps = (uint32_t)fmin(fmax(wanted, STEPS_LEAST), STEPS_MOST);
    while (steps > STEPS_OF_GOALS && steps * goal_bytes(&engine->bundles) > GOALS_MOST)
        steps /= 2;
    return steps;
}

static sheaf_status open_parts(sheaf_engine *engine)
{
    SHEAF_TRY(find_device(engine));
    SHEAF_TRY(open_queue(engine));
    if (engine->options.work_items == 0)
        engine->options.work_items = engine->device.compute_units * (engine->options.lane_width == 1 ? 64 : 4);
    const bundle_options packing = {
        .width = bundle_width(engine),
        .is_double = engine->options.is_double,
        .step = engine->options.step,
        .is_bdf2 = is_bdf2(engine),
    };
    SHEAF_TRY(bundles_sort(engine->model, &packing, &engine->bundles));
    if (engine->options.steps_per_launch == 0)
        engine->options.steps_per_launch = choose_steps_per_launch(engine);
    SHEAF_TRY(engine_plan_memory(engine));
    SHEAF_TRY(engine_make_arrays(engine));
    SHEAF_TRY(upload_settings(engine));
    SHEAF_TRY(upload_grids(engine));
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
    engine->has_jumps = model_has_jumps(model);
    engine->has_air = model_has_gusts_or_slip(model) || (options->kin != NULL && options->kin->has_air);
    if (engine->options.twist_iterations == 0)
        engine->options.twist_iterations = TWIST_ITERATIONS;
    if (engine->options.newton_most == 0) {
        engine->options.newton_least = model->def.newton ? model->def.newton : 1;
        engine->options.newton_most = model->def.newton ? model->def.newton : NEWTON_MOST;
    }
    engine->has_colliders = model->collider_count > 0 || (options->kin != NULL && options->kin->has_colliders);
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

static void release_device(sheaf_engine *engine)
{
    for (int k = 0; k < DER_FIELD_COUNT; k++)
        release(engine->arrays[k]);
    release(engine->entries);
    release(engine->motions);
    release(engine->goals);
    release(engine->colliders);
    release(engine->grids);
    release(engine->scratch);
    release(engine->settings);
    engine_release_figures(engine);
    engine_release_notes(engine);
    for (int kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
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
    for (int k = 0; k < DER_FIELD_COUNT; k++)
        base_free(engine->shadows[k]);
    base_free(engine->figures.loads);
    base_free(engine->slices);
    base_free(engine->motion_memory);
    base_free(engine->goal_memory);
    base_free(engine->collider_memory);
    base_free(engine);
}
