// launch: steps of the engine, fused (whole steps in one kernel) or staged (one kernel per stage).
#include "cl/engine_parts.h"

enum {
    VERTEX_STEPS_PER_LAUNCH = 1 << 22 // keeps a launch well below what a watchdog allows
};

static sheaf_status enqueue(sheaf_engine *engine, cl_kernel kernel, size_t owners)
{
    const size_t group = engine->options.lane_width == 1 ? engine->bundles.options.width : 1;
    const size_t size = owners * group;
    return device_check(clEnqueueNDRangeKernel(engine->queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL),
                        "clEnqueueNDRangeKernel");
}

static cl_int set_range(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range)
{
    const cl_uint step = (cl_uint)engine->step;
    cl_int error = clSetKernelArg(kernel, ARGUMENT_BUNDLE_FIRST, sizeof range->first, &range->first);
    error |= clSetKernelArg(kernel, ARGUMENT_BUNDLE_END, sizeof range->end, &range->end);
    return error | clSetKernelArg(kernel, ARGUMENT_FIRST_STEP, sizeof step, &step);
}

// ---- fused

static sheaf_status launch_fused(sheaf_engine *engine, const bundle_range *range, uint32_t steps)
{
    cl_kernel kernel = engine->kernels[range->kind].fused;
    const uint32_t bundles = range->end - range->first;
    cl_int error = set_range(engine, kernel, range);
    error |= clSetKernelArg(kernel, ARGUMENT_STEP_COUNT, sizeof steps, &steps);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return enqueue(engine, kernel, bundles < engine->options.work_items ? bundles : engine->options.work_items);
}

// ---- staged

sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, engine_stage stage, cl_uint ahead,
                                 cl_int iteration)
{
    cl_kernel kernel = engine->kernels[range->kind].stages[stage];
    cl_int error = set_range(engine, kernel, range);
    error |= clSetKernelArg(kernel, ARGUMENT_AHEAD, sizeof ahead, &ahead);
    error |= clSetKernelArg(kernel, ARGUMENT_ITERATION, sizeof iteration, &iteration);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    return enqueue(engine, kernel, range->end - range->first);
}

static sheaf_status launch_stages(sheaf_engine *engine, const bundle_range *range, const engine_stage *stages,
                                  int count, cl_uint ahead, cl_int iteration)
{
    for (int k = 0; k < count; k++)
        SHEAF_TRY(engine_launch_stage(engine, range, stages[k], ahead, iteration));
    return SHEAF_OK;
}

static sheaf_status launch_projections(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    const engine_stage project = STAGE_project;
    for (cl_int k = 0; k < (cl_int)engine->model->def.projection_iterations; k++)
        SHEAF_TRY(launch_stages(engine, range, &project, 1, ahead, k));
    return SHEAF_OK;
}

static sheaf_status launch_implicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage iteration[] = {STAGE_newton, STAGE_frames,   STAGE_curvature,
                                             STAGE_twist,  STAGE_assemble, STAGE_solve};
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_guess, ahead, 0));
    for (cl_int k = 0; k < (cl_int)engine->options.newton_most; k++)
        SHEAF_TRY(launch_stages(engine, range, iteration, 6, ahead, k));
    SHEAF_TRY(launch_projections(engine, range, ahead));
    return engine_launch_stage(engine, range, STAGE_finish, ahead, 0);
}

static sheaf_status launch_explicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage forces[] = {STAGE_start, STAGE_curvature, STAGE_twist, STAGE_bend_twist, STAGE_integrate};
    SHEAF_TRY(launch_stages(engine, range, forces, 5, ahead, 0));
    SHEAF_TRY(launch_projections(engine, range, ahead));
    return engine_launch_stage(engine, range, STAGE_finish, ahead, 0);
}

static sheaf_status launch_staged(sheaf_engine *engine, const bundle_range *range, uint32_t steps)
{
    for (cl_uint ahead = 0; ahead < steps; ahead++)
        SHEAF_TRY(engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT ? launch_explicit(engine, range, ahead)
                                                                             : launch_implicit(engine, range, ahead));
    return SHEAF_OK;
}

// ---- ranges and steps

// Where a launch that starts at `first` must end so that it stays short and its scratch is large enough.
static uint32_t cut_range(const sheaf_engine *engine, uint32_t first, uint32_t end, uint32_t steps)
{
    const bundle_set *set = &engine->bundles;
    const uint32_t most =
        engine->options.is_staged && end - first > engine->scratch_owners ? first + engine->scratch_owners : end;
    uint32_t cut = first;
    for (uint64_t work = 0; cut < most && (cut == first || work < VERTEX_STEPS_PER_LAUNCH); cut++)
        work += (uint64_t)set->entries[cut].vertex_count * set->options.width * steps;
    return cut;
}

static sheaf_status launch_kind(sheaf_engine *engine, bundle_kind kind, uint32_t steps)
{
    uint32_t first = engine->bundles.kind_first[kind];
    const uint32_t end = engine->bundles.kind_first[kind + 1];
    while (first < end) {
        const bundle_range range = {kind, first, cut_range(engine, first, end, steps)};
        SHEAF_TRY(engine->options.is_staged ? launch_staged(engine, &range, steps)
                                            : launch_fused(engine, &range, steps));
        first = range.end;
    }
    return SHEAF_OK;
}

static sheaf_status write_buffer(sheaf_engine *engine, cl_mem buffer, const void *memory, size_t size)
{
    if (size == 0)
        return SHEAF_OK;
    return device_check(clEnqueueWriteBuffer(engine->queue, buffer, CL_TRUE, 0, size, memory, 0, NULL, NULL),
                        "clEnqueueWriteBuffer");
}

sheaf_status engine_upload_ends(sheaf_engine *engine, uint32_t steps)
{
    const bundle_set *set = &engine->bundles;
    const size_t motion = bundles_motion_bytes(set), goal = bundles_goal_bytes(set);
    const bool is_explicit = engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    for (uint32_t k = 0; k < steps; k++) {
        const double t0 = (double)(engine->step + k) * engine->options.step;
        const double t1 = (double)(engine->step + k + 1) * engine->options.step;
        bundles_motion(set, t0, t1, (char *)engine->motion_memory + k * motion);
        bundles_goals(set, t0, t1, is_explicit ? t0 : t1, (char *)engine->goal_memory + k * goal);
    }
    SHEAF_TRY(write_buffer(engine, engine->motions, engine->motion_memory, steps * motion));
    return write_buffer(engine, engine->goals, engine->goal_memory, steps * goal);
}

sheaf_status engine_step(sheaf_engine *engine, uint32_t count)
{
    while (count > 0) {
        const uint32_t steps = count < engine->options.steps_per_launch ? count : engine->options.steps_per_launch;
        SHEAF_TRY(engine_upload_ends(engine, steps));
        for (bundle_kind kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
            SHEAF_TRY(launch_kind(engine, kind, steps));
        engine->step += steps;
        count -= steps;
    }
    return device_check(clFlush(engine->queue), "clFlush");
}

sheaf_status engine_wait(sheaf_engine *engine)
{
    return device_check(clFinish(engine->queue), "clFinish");
}
