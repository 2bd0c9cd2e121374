// launch: steps of the engine, fused (whole steps in one kernel) or staged (one kernel per stage).
#include "cl/engine_parts.h"

sheaf_status engine_enqueue(sheaf_engine *engine, cl_kernel kernel, size_t owners, engine_flight flight)
{
    const size_t group = engine->options.lane_width == 1 ? engine->bundles.options.width : 1;
    return engine_launch(engine, kernel, owners * group, group, flight);
}

// Kernels count bundles from the start of the slice.
cl_int engine_set_range(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range)
{
    const engine_slice *slice = &engine->slices[engine->resident];
    const uint32_t general = engine->bundles.kind_first[BUNDLE_GENERAL];
    const uint32_t from = general > slice->first ? general : slice->first;
    const cl_uint step = (cl_uint)range->step, first = range->first - slice->first, end = range->end - slice->first;
    const cl_uint general_first = from - slice->first, general_count = slice->end > from ? slice->end - from : 0;
    cl_int error = clSetKernelArg(kernel, ARGUMENT_GENERAL_FIRST, sizeof general_first, &general_first);
    error |= clSetKernelArg(kernel, ARGUMENT_GENERAL_COUNT, sizeof general_count, &general_count);
    error |= clSetKernelArg(kernel, ARGUMENT_BUNDLE_FIRST, sizeof first, &first);
    error |= clSetKernelArg(kernel, ARGUMENT_BUNDLE_END, sizeof end, &end);
    return error | clSetKernelArg(kernel, ARGUMENT_FIRST_STEP, sizeof step, &step);
}

// ---- fused

static sheaf_status launch_fused(sheaf_engine *engine, const bundle_range *range)
{
    cl_kernel kernel = engine->kernels[range->kind].fused;
    const uint32_t bundles = range->end - range->first, owners = engine->scratch_owners;
    cl_int error = engine_set_range(engine, kernel, range);
    error |= clSetKernelArg(kernel, ARGUMENT_STEP_COUNT, sizeof range->step_count, &range->step_count);
    error |= engine_set_notes(engine, kernel, range);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    const engine_flight flight = {.work = range->work};
    return engine_enqueue(engine, kernel, bundles < owners ? bundles : owners, flight);
}

// ---- staged

sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, engine_stage stage, cl_uint ahead,
                                 cl_int iteration)
{
    cl_kernel kernel = engine->kernels[range->kind].stages[stage];
    cl_int error = engine_set_range(engine, kernel, range);
    error |= clSetKernelArg(kernel, ARGUMENT_AHEAD, sizeof ahead, &ahead);
    error |= clSetKernelArg(kernel, ARGUMENT_ITERATION, sizeof iteration, &iteration);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    const engine_flight flight = {.work = range->work, .stage_time = &engine->pace.stage_times[stage]};
    return engine_enqueue(engine, kernel, range->end - range->first, flight);
}

static sheaf_status launch_stages(sheaf_engine *engine, const bundle_range *range, const engine_stage *stages,
                                  int count, cl_uint ahead, cl_int iteration)
{
    for (int k = 0; k < count; k++)
        SHEAF_TRY(engine_launch_stage(engine, range, stages[k], ahead, iteration));
    return SHEAF_OK;
}

enum { COLLIDE_PASSES = 8 }; // CONTACT_PASSES of the kernels

static sheaf_status launch_projections(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    const engine_stage project = STAGE_project;
    if (engine->has_colliders)
        SHEAF_TRY(engine_launch_stage(engine, range, STAGE_collide, ahead, 0));
    for (cl_int k = 0; k < (cl_int)engine->model->def.projection_iterations; k++)
        SHEAF_TRY(launch_stages(engine, range, &project, 1, ahead, k));
    for (cl_int k = 1; engine->has_colliders && k <= COLLIDE_PASSES; k++)
        SHEAF_TRY(engine_launch_stage(engine, range, STAGE_collide, ahead, k));
    return SHEAF_OK;
}

static sheaf_status launch_wind(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    return engine->has_air ? engine_launch_stage(engine, range, STAGE_wind, ahead, 0) : SHEAF_OK;
}

static sheaf_status launch_implicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage before[] = {STAGE_newton, STAGE_frames, STAGE_curvature, STAGE_twist};
    static const engine_stage after[] = {STAGE_assemble, STAGE_solve};
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_guess, ahead, 0));
    SHEAF_TRY(launch_wind(engine, range, ahead));
    for (cl_int k = 0; k < (cl_int)engine->options.newton_most; k++) {
        SHEAF_TRY(launch_stages(engine, range, before, 4, ahead, k));
        if (engine->has_colliders)
            SHEAF_TRY(engine_launch_stage(engine, range, STAGE_contact, ahead, k));
        SHEAF_TRY(launch_stages(engine, range, after, 2, ahead, k));
    }
    SHEAF_TRY(launch_projections(engine, range, ahead));
    return engine_launch_stage(engine, range, STAGE_finish, ahead, 0);
}

static sheaf_status launch_explicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage forces[] = {STAGE_curvature, STAGE_twist, STAGE_bend_twist, STAGE_integrate};
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_start, ahead, 0));
    SHEAF_TRY(launch_wind(engine, range, ahead));
    SHEAF_TRY(launch_stages(engine, range, forces, 4, ahead, 0));
    SHEAF_TRY(launch_projections(engine, range, ahead));
    return engine_launch_stage(engine, range, STAGE_finish, ahead, 0);
}

static sheaf_status launch_staged(sheaf_engine *engine, const bundle_range *range)
{
    for (cl_uint ahead = 0; ahead < range->step_count; ahead++)
        SHEAF_TRY(engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT ? launch_explicit(engine, range, ahead)
                                                                             : launch_implicit(engine, range, ahead));
    return SHEAF_OK;
}

// ---- ranges and steps

static double bundle_work(const bundle_set *set, uint32_t bundle)
{
    return (double)set->entries[bundle].vertex_count * set->options.width;
}

// Sets where a launch must end so that it stays short and its scratch is large enough.
static void cut_range(const sheaf_engine *engine, bundle_range *range, uint32_t end)
{
    const double most = engine_launch_work(engine);
    const double steps = engine->options.is_staged ? 1 : range->step_count;
    if (engine->options.is_staged && end - range->first > engine->scratch_owners)
        end = range->first + engine->scratch_owners;
    range->work = 0;
    for (range->end = range->first; range->end < end; range->end++) {
        const double work = bundle_work(&engine->bundles, range->end) * steps;
        if (range->work > 0 && range->work + work > most)
            break;
        range->work += work;
    }
}

static sheaf_status launch_kind(sheaf_engine *engine, bundle_kind kind, uint64_t step, uint32_t step_count,
                                engine_launch_fn *launch)
{
    const engine_slice *slice = &engine->slices[engine->resident];
    const uint32_t *kind_first = engine->bundles.kind_first;
    const uint32_t end = kind_first[kind + 1] < slice->end ? kind_first[kind + 1] : slice->end;
    bundle_range range = {.kind = kind, .step = step, .step_count = step_count};
    range.first = kind_first[kind] > slice->first ? kind_first[kind] : slice->first;
    for (; range.first < end; range.first = range.end) {
        cut_range(engine, &range, end);
        SHEAF_TRY(launch(engine, &range));
    }
    return SHEAF_OK;
}

sheaf_status engine_launch_ranges(sheaf_engine *engine, uint64_t step, uint32_t step_count, engine_launch_fn *launch)
{
    for (bundle_kind kind = 0; kind < BUNDLE_KIND_COUNT; kind++)
        SHEAF_TRY(launch_kind(engine, kind, step, step_count, launch));
    return SHEAF_OK;
}

sheaf_status engine_upload_ends(sheaf_engine *engine, uint64_t step, uint32_t step_count)
{
    const bundle_set *set = &engine->bundles;
    const engine_slice *slice = &engine->slices[engine->resident];
    const uint32_t general = set->kind_first[BUNDLE_GENERAL], first = general > slice->first ? general : slice->first;
    const size_t motion = bundles_motion_bytes(set), collider = bundles_collider_bytes(set);
    const size_t goal = slice->end > first ? bundles_goal_bytes(set, slice->end - first) : 0;
    const bool is_explicit = engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT;
    SHEAF_TRY(engine_drain(engine));
    for (uint32_t k = 0; k < step_count; k++) {
        const double t0 = (double)(step + k) * engine->options.step, t1 = (double)(step + k + 1) * engine->options.step;
        bundles_motion(set, t0, t1, is_explicit ? t0 : t1, (char *)engine->motion_memory + k * motion);
        bundles_colliders(set, t0, t1, (char *)engine->collider_memory + k * collider);
        if (goal > 0)
            bundles_goals(set, first, slice->end, t0, t1, is_explicit ? t0 : t1,
                          (char *)engine->goal_memory + k * goal);
    }
    SHEAF_TRY(engine_upload(engine, engine->motions, engine->motion_memory, step_count * motion));
    if (collider > 0)
        SHEAF_TRY(engine_upload(engine, engine->colliders, engine->collider_memory, step_count * collider));
    return goal > 0 ? engine_upload(engine, engine->goals, engine->goal_memory, step_count * goal) : SHEAF_OK;
}

enum { NOTE_BITS = 64 };

// Steps of a launch: few where a single bundle of so many steps would already take long; notes are bits of one word.
static uint32_t steps_of_launch(const sheaf_engine *engine, uint32_t left)
{
    const bundle_set *set = &engine->bundles;
    const double most = engine_launch_work(engine) / ((double)set->most_vertices * set->options.width);
    uint32_t count = left < engine->options.steps_per_launch ? left : engine->options.steps_per_launch;
    if (engine->notes.is_open && count > NOTE_BITS)
        count = NOTE_BITS;
    while (count > 1 && count > most && !engine->options.is_staged)
        count /= 2;
    return count;
}

static sheaf_status step_slice(sheaf_engine *engine, uint32_t slice, uint32_t count)
{
    SHEAF_TRY(engine_make_resident(engine, slice));
    for (uint32_t done = 0, steps; done < count; done += steps) {
        steps = steps_of_launch(engine, count - done);
        SHEAF_TRY(engine_upload_ends(engine, engine->step + done, steps));
        SHEAF_TRY(engine_launch_ranges(engine, engine->step + done, steps,
                                       engine->options.is_staged ? launch_staged : launch_fused));
    }
    return SHEAF_OK;
}

// Starts with the slice that is on the device.
static sheaf_status step_slices(sheaf_engine *engine, uint32_t count)
{
    const uint32_t first = engine->resident;
    for (uint32_t k = 0; k < engine->slice_count; k++)
        SHEAF_TRY(step_slice(engine, (first + k) % engine->slice_count, count));
    return device_check(clFlush(engine->queue), "clFlush");
}

sheaf_status engine_step(sheaf_engine *engine, uint32_t count)
{
    if (engine->failed)
        return base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another");
    sheaf_status status = SHEAF_OK;
    for (uint32_t steps; count > 0 && status == SHEAF_OK; count -= steps) {
        steps = engine_steps_to_jump(engine, count);
        status = engine_jump(engine);
        if (status == SHEAF_OK)
            status = step_slices(engine, steps);
        if (status == SHEAF_OK)
            engine->step += steps;
    }
    engine->failed |= status != SHEAF_OK;
    return status;
}

sheaf_status engine_wait(sheaf_engine *engine)
{
    return engine_drain(engine);
}
