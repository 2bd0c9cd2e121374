// stages: single stages of the staged schedule, and access to what they work on.
#include "cl/stages.h"

#include "cl/engine_parts.h"

#include <string.h>

sheaf_status engine_stage_times(sheaf_engine *engine, engine_stage_time times[ENGINE_STAGES_MAX])
{
    SHEAF_TRY(engine_drain(engine));
    memcpy(times, engine->pace.stage_times, sizeof engine->pace.stage_times);
    return SHEAF_OK;
}

sheaf_status engine_begin_step(sheaf_engine *engine, uint64_t step)
{
    engine->step = step;
    return engine_upload_inputs(engine, step, 1);
}

sheaf_status engine_run_stage(sheaf_engine *engine, uint32_t kind, uint32_t stage, int32_t iteration)
{
    const uint32_t *first = engine->bundles.kind_first;
    const bundle_range range = {
        .kind = kind, .first = first[kind], .end = first[kind + 1], .step = engine->step, .step_count = 1};
    if (range.first == range.end)
        return SHEAF_OK;
    if (!engine->options.is_staged || engine->slice_count > 1)
        return base_fail(SHEAF_ERR_USAGE, "single stages need an engine that was opened for the staged schedule, and a "
                                          "model that fits the device");
    if (range.end - range.first > engine->scratch_owners)
        return base_fail(SHEAF_ERR_LIMIT, "%u bundles are too many to run stages one by one; at most %u fit",
                         range.end - range.first, engine->scratch_owners);
    return engine_launch_stage(engine, &range, stage, 0, iteration);
}

// ---- scratch

size_t engine_scratch_bytes(const sheaf_engine *engine)
{
    return engine->scratch_owners * engine_scratch_size(engine);
}

sheaf_status engine_read_scratch(sheaf_engine *engine, void *memory)
{
    return engine_download(engine, engine->scratch, memory, engine_scratch_bytes(engine));
}

sheaf_status engine_write_scratch(sheaf_engine *engine, const void *memory)
{
    return engine_upload(engine, engine->scratch, memory, engine_scratch_bytes(engine));
}

static uint32_t kind_of_bundle(const bundle_set *set, uint64_t bundle)
{
    uint32_t kind = 0;
    while (bundle >= set->kind_first[kind + 1])
        kind++;
    return kind;
}

// Index of a number in the scratch: [owner][slot][component][lane], owners counted within the kind.
static size_t scratch_index(const sheaf_engine *engine, uint32_t strand, uint32_t vertex, uint32_t component)
{
    const bundle_set *set = &engine->bundles;
    const uint64_t bundle = set->place_of[strand] / set->options.width,
                   lane = set->place_of[strand] % set->options.width;
    const uint64_t owner = bundle - set->kind_first[kind_of_bundle(set, bundle)];
    const uint64_t slot = owner * set->most_vertices + vertex;
    return (size_t)((slot * engine->method->scratch_components(engine) + component) * set->options.width + lane);
}

double engine_scratch_get(const sheaf_engine *engine, const void *memory, uint32_t strand, uint32_t vertex,
                          uint32_t component)
{
    const size_t index = scratch_index(engine, strand, vertex, component);
    return engine->options.is_double ? ((const double *)memory)[index] : (double)((const float *)memory)[index];
}

void engine_scratch_set(const sheaf_engine *engine, void *memory, uint32_t strand, uint32_t vertex, uint32_t component,
                        double value)
{
    bundles_put(&engine->bundles, memory, scratch_index(engine, strand, vertex, component), value);
}
