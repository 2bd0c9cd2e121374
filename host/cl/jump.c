// jump: strands that go along with jumps of their motions, between two launches: what their state knows of directions
// is turned in fp64 on the host, and steps see motions and colliders that never left.
#include "cl/engine_parts.h"

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

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

uint32_t engine_steps_to_jump(const sheaf_engine *engine, uint32_t most)
{
    uint32_t steps = 1;
    bool turns;
    if (!engine->has_jumps)
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

// The strand of a place; lanes that fill a bundle repeat its first strand.
static uint32_t strand_at(const bundle_set *set, uint64_t place)
{
    const bool is_filler = set->strand_of[place] == BUNDLE_FILLER;
    return set->strand_of[is_filler ? place - place % set->options.width : place];
}

static void turn_strands(const jump_rows *it)
{
    const sheaf_engine *engine = it->engine;
    const bundle_set *set = &engine->bundles;
    const double t0 = step_time(engine, engine->step), t1 = step_time(engine, engine->step + 1);
    for (uint64_t place = (uint64_t)it->first * set->options.width; place < (uint64_t)it->end * set->options.width;
         place++) {
        const uint32_t strand = strand_at(set, place);
        const uint32_t rows = bundles_array_is_per_strand(it->array) ? 1 : model_vertex_count(engine->model, strand);
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
    const uint32_t general = set->kind_first[BUNDLE_GENERAL], first = it->first > general ? it->first : general;
    for (uint64_t place = (uint64_t)first * set->options.width; place < (uint64_t)it->end * set->options.width;
         place++) {
        double arm[3];
        bundles_origin(engine->model, strand_at(set, place), step_time(engine, engine->step + 1), arm);
        for (uint32_t c = 0; c < 3; c++)
            bundles_put(set, it->rows, bundles_row_index(set, it->array, it->first, place, 0, it->component + c),
                        arm[c]);
    }
}

static sheaf_status turn_state(sheaf_engine *engine)
{
    static const struct {
        der_field array;
        uint32_t component;
    } vectors[] = {
        {DER_edge, 0}, {DER_director, 0},       {DER_velocity, 0},      {DER_last_velocity, 0},
        {DER_move, 0}, {DER_place, PLACE_HIGH}, {DER_place, PLACE_LOW},
    };
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
        SHEAF_TRY(change_rows(engine, vectors[k].array, vectors[k].component, turn_strands));
    return SHEAF_OK;
}

sheaf_status engine_jump(sheaf_engine *engine)
{
    bool turns;
    if (!engine->has_jumps)
        return SHEAF_OK;
    const bool jumps = step_jumps(engine, engine->step, &turns);
    if (turns)
        SHEAF_TRY(turn_state(engine));
    if ((jumps || engine->is_restored) && engine->bundles.kind_first[BUNDLE_GENERAL] < engine->bundles.count)
        SHEAF_TRY(change_rows(engine, DER_clamp, CLAMP_ARM, place_arms));
    engine->is_restored = false;
    return SHEAF_OK;
}
