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
    const cl_uint step = (cl_uint)range->step, first = range->first - slice->first, end = range->end - slice->first;
    const cl_uint numbers_at = engine_argument_place(engine, ARGUMENT_NUMBERS);
    uint32_t numbers[ENGINE_NUMBERS_MAX];
    cl_int error = CL_SUCCESS;
    engine->method->numbers(engine, slice->first, slice->end, numbers);
    for (uint32_t k = 0; k < engine->method->number_count; k++)
        error |= clSetKernelArg(kernel, numbers_at + k, sizeof numbers[k], &numbers[k]);
    error |= engine_set_argument(engine, kernel, ARGUMENT_BUNDLE_FIRST, sizeof first, &first);
    error |= engine_set_argument(engine, kernel, ARGUMENT_BUNDLE_END, sizeof end, &end);
    return error | engine_set_argument(engine, kernel, ARGUMENT_FIRST_STEP, sizeof step, &step);
}

// ---- fused

static sheaf_status launch_fused(sheaf_engine *engine, const bundle_range *range)
{
    cl_kernel kernel = engine->kernels[range->kind].fused;
    const uint32_t bundles = range->end - range->first, owners = engine->scratch_owners;
    cl_int error = engine_set_range(engine, kernel, range);
    error |= engine_set_argument(engine, kernel, ARGUMENT_STEP_COUNT, sizeof range->step_count, &range->step_count);
    error |= engine_set_notes(engine, kernel, range);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    const engine_flight flight = {.work = range->work};
    return engine_enqueue(engine, kernel, bundles < owners ? bundles : owners, flight);
}

// ---- staged

sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, uint32_t stage, cl_uint ahead,
                                 cl_int iteration)
{
    cl_kernel kernel = engine->kernels[range->kind].stages[stage];
    cl_int error = engine_set_range(engine, kernel, range);
    error |= engine_set_argument(engine, kernel, ARGUMENT_AHEAD, sizeof ahead, &ahead);
    error |= engine_set_argument(engine, kernel, ARGUMENT_ITERATION, sizeof iteration, &iteration);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    const engine_flight flight = {.work = range->work, .stage_time = &engine->pace.stage_times[stage]};
    return engine_enqueue(engine, kernel, range->end - range->first, flight);
}

static sheaf_status launch_staged(sheaf_engine *engine, const bundle_range *range)
{
    for (cl_uint ahead = 0; ahead < range->step_count; ahead++)
        SHEAF_TRY(engine->method->launch_stages(engine, range, ahead));
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

static sheaf_status launch_kind(sheaf_engine *engine, uint32_t kind, uint64_t step, uint32_t step_count,
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
    for (uint32_t kind = 0; kind < engine->method->bundles.kind_count; kind++)
        SHEAF_TRY(launch_kind(engine, kind, step, step_count, launch));
    return SHEAF_OK;
}

static sheaf_status upload_input(sheaf_engine *engine, uint32_t input, uint64_t step, uint32_t step_count)
{
    const engine_slice *slice = &engine->slices[engine->resident];
    const engine_input *it = &engine->method->inputs[input];
    const size_t size = it->is_per_step ? it->bytes(engine, slice->first, slice->end) : 0;
    char *memory = engine->input_memory[input];
    if (size == 0)
        return SHEAF_OK;
    for (uint32_t k = 0; k < step_count; k++)
        it->write(engine, slice->first, slice->end, step + k, memory + k * size);
    return engine_upload(engine, engine->inputs[input], memory, step_count * size);
}

sheaf_status engine_upload_inputs(sheaf_engine *engine, uint64_t step, uint32_t step_count)
{
    SHEAF_TRY(engine_drain(engine));
    for (uint32_t k = 0; k < engine->method->input_count; k++)
        SHEAF_TRY(upload_input(engine, k, step, step_count));
    return SHEAF_OK;
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
        SHEAF_TRY(engine_upload_inputs(engine, engine->step + done, steps));
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
    if (engine->options.is_coupled)
        return base_fail(SHEAF_ERR_USAGE, "an engine of coupled strands steps by its verbs");
    if (engine->failed)
        return base_fail(SHEAF_ERR_USAGE, "an earlier step of this solver failed: close it and open another");
    sheaf_status status = SHEAF_OK;
    for (uint32_t steps; count > 0 && status == SHEAF_OK; count -= steps) {
        steps = engine->method->steps_to_jump(engine, count);
        status = engine->method->jump(engine);
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
