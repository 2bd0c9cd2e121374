// jump: strands that go along with jumps of their motions, between two launches: what their state knows of directions
// is turned in fp64 on the host, and steps see motions and colliders that never left.
#include "der/device/device_parts.h"

#include "kernels/der/slots.clh"
#include "world/world.h"

static double step_time(const sheaf_engine *engine, uint64_t step)
{
    return (double)step * engine->options.step;
}

// Whether any motion jumps in the step after `step` others, and whether it turns then.
static bool step_jumps(const sheaf_engine *engine, uint64_t step, bool *turns)
{
    bool jumps = false;
    *turns = false;
    for (uint32_t k = 0; k < engine->model->motion_count; k++) {
        model_jump jump;
        if (model_motion_jump(&engine->model->motions[k], step_time(engine, step), step_time(engine, step + 1),
                              &jump)) {
            jumps = true;
            *turns = *turns || jump.turns;
        }
    }
    return jumps;
}

uint32_t der_steps_to_jump(const sheaf_engine *engine, uint32_t most)
{
    uint32_t steps = 1;
    bool turns;
    if (!der_own(engine)->has_jumps)
        return most;
    while (steps < most && !step_jumps(engine, engine->step + steps, &turns))
        steps++;
    return steps;
}

// Rows of an array for a chunk of bundles, and where the three numbers of a vector begin in a row.
typedef struct jump_rows {
    const sheaf_engine *engine;
    der_field array;
    uint32_t first, end; // bundles
    uint32_t component;
    void *rows;
} jump_rows;

static void turn_vector(const jump_rows *it, const model_jump *jump, uint64_t place, uint32_t vertex)
{
    const bundle_set *set = &it->engine->bundles;
    double vector[3];
    for (uint32_t c = 0; c < 3; c++)
        vector[c] = bundles_row_value(set, it->array, it->rows, it->first, place, vertex, it->component + c);
    model_jump_vector(jump, vector, vector);
    for (uint32_t c = 0; c < 3; c++)
        bundles_put(set, it->rows, bundles_row_index(set, it->array, it->first, place, vertex, it->component + c),
                    vector[c]);
}

static void turn_strands(const jump_rows *it)
{
    const sheaf_engine *engine = it->engine;
    const bundle_set *set = &engine->bundles;
    const double t0 = step_time(engine, engine->step), t1 = step_time(engine, engine->step + 1);
    for (uint64_t place = (uint64_t)it->first * set->options.width; place < (uint64_t)it->end * set->options.width;
         place++) {
        const uint32_t strand = bundles_strand_at(set, place);
        const bool is_per_strand = set->rules->fields[it->array].rows == FIELD_ROWS_BUNDLE;
        const uint32_t rows = is_per_strand ? 1 : model_vertex_count(engine->model, strand);
        model_jump jump;
        if (!model_strand_jump(engine->model, strand, t0, t1, &jump) || !jump.turns)
            continue;
        for (uint32_t i = 0; i < rows; i++)
            turn_vector(it, &jump, place, i);
    }
}

// Changes an array of the whole model, chunk by chunk.
static sheaf_status change_rows(sheaf_engine *engine, der_field array, uint32_t component,
                                void (*change)(const jump_rows *it))
{
    jump_rows it = {.engine = engine, .array = array, .component = component};
    for (; it.first < engine->bundles.count; it.first = it.end) {
        it.end = engine_chunk_end(engine, it.first);
        it.rows = base_alloc(engine_rows_size(engine, array, it.first, it.end), 1);
        sheaf_status status = it.rows ? engine_read_rows(engine, array, it.first, it.end, it.rows) : SHEAF_ERR_MEMORY;
        if (status == SHEAF_OK) {
            change(&it);
            status = engine_write_rows(engine, array, it.first, it.end, it.rows);
        }
        base_free(it.rows);
        SHEAF_TRY(status);
    }
    return SHEAF_OK;
}

// Arms of general strands, which are seen from the scene's origin, go where jumps have taken them when the next step
// ends.
static void place_arms(const jump_rows *it)
{
    const sheaf_engine *engine = it->engine;
    const bundle_set *set = &engine->bundles;
    const uint32_t general = set->kind_first[DER_GENERAL], first = it->first > general ? it->first : general;
    for (uint64_t place = (uint64_t)first * set->options.width; place < (uint64_t)it->end * set->options.width;
         place++) {
        double arm[3];
        der_origin(engine->model, bundles_strand_at(set, place), step_time(engine, engine->step + 1), arm);
        for (uint32_t c = 0; c < 3; c++)
            bundles_put(set, it->rows, bundles_row_index(set, it->array, it->first, place, 0, it->component + c),
                        arm[c]);
    }
}

// Every vector of the state, and both parts of every place.
static sheaf_status turn_state(sheaf_engine *engine)
{
    for (uint32_t field = 0; field < DER_FIELD_COUNT; field++) {
        const method_field *it = &der_device.bundles.fields[field];
        if (it->geometry == FIELD_GEOMETRY_SCALAR)
            continue;
        SHEAF_TRY(change_rows(engine, field, 0, turn_strands));
        if (it->geometry == FIELD_GEOMETRY_PLACE)
            SHEAF_TRY(change_rows(engine, field, PLACE_LOW, turn_strands));
    }
    return SHEAF_OK;
}

sheaf_status der_jump(sheaf_engine *engine)
{
    bool turns;
    if (!der_own(engine)->has_jumps)
        return SHEAF_OK;
    const bool jumps = step_jumps(engine, engine->step, &turns);
    if (turns)
        SHEAF_TRY(turn_state(engine));
    if ((jumps || engine->is_restored) && engine->bundles.kind_first[DER_GENERAL] < engine->bundles.count)
        SHEAF_TRY(change_rows(engine, DER_clamp, CLAMP_ARM, place_arms));
    engine->is_restored = false;
    return SHEAF_OK;
}
