// read: state of the engine back on the host, in the model's order.
#include "cl/engine_parts.h"

#include "base/vec.h"

#include "kernels/slots.clh"

// World position of a strand's root: by its course in time where it is clamped, else from the device.
void engine_root(const sheaf_engine *engine, uint32_t strand, const void *places, double out[3])
{
    const sheaf_model *model = engine->model;
    const int32_t motion = model->strands[strand].root.def.motion;
    const double *start = model->position[model->first_vertex[strand]];
    vec_copy(out, start);
    if (!bundles_is_clamped(model, strand))
        for (uint32_t c = 0; c < 3; c++)
            out[c] += bundles_get(&engine->bundles, BUNDLE_PLACE, places, strand, 0, PLACE_HIGH + c) +
                      bundles_get(&engine->bundles, BUNDLE_PLACE, places, strand, 0, PLACE_LOW + c);
    else if (motion >= 0)
        model_motion_point(&model->motions[motion], engine_time(engine), start, out);
}

static void unpack_vectors(const sheaf_engine *engine, bundle_array array, const void *memory, double (*out)[3])
{
    const sheaf_model *model = engine->model;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint32_t i = 0; i < model_vertex_count(model, s); i++)
            for (uint32_t c = 0; c < 3; c++)
                out[model->first_vertex[s] + i][c] = bundles_get(&engine->bundles, array, memory, s, i, c);
}

// Positions are sums of edges from the root, in fp64.
static void sum_edges(const sheaf_engine *engine, const void *places, double (*positions)[3])
{
    const sheaf_model *model = engine->model;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        double place[3];
        engine_root(engine, s, places, place);
        for (uint64_t i = model->first_vertex[s]; i < model->first_vertex[s + 1]; i++) {
            double edge[3];
            vec_copy(edge, positions[i]);
            vec_copy(positions[i], place);
            vec_add(place, place, edge);
        }
    }
}

static sheaf_status read_vectors(sheaf_engine *engine, bundle_array array, double (*out)[3])
{
    void *memory = base_alloc(bundles_bytes(&engine->bundles, array), 1);
    if (memory == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = engine_read_array(engine, array, memory);
    if (status == SHEAF_OK)
        unpack_vectors(engine, array, memory, out);
    base_free(memory);
    return status;
}

static sheaf_status read_positions(sheaf_engine *engine, double (*positions)[3])
{
    void *places = base_alloc(bundles_bytes(&engine->bundles, BUNDLE_PLACE), 1);
    if (places == NULL)
        return SHEAF_ERR_MEMORY;
    sheaf_status status = engine_read_array(engine, BUNDLE_PLACE, places);
    if (status == SHEAF_OK)
        status = read_vectors(engine, BUNDLE_EDGE, positions);
    if (status == SHEAF_OK)
        sum_edges(engine, places, positions);
    base_free(places);
    return status;
}

sheaf_status engine_read(sheaf_engine *engine, double (*positions)[3], double (*velocities)[3])
{
    if (positions != NULL)
        SHEAF_TRY(read_positions(engine, positions));
    return velocities ? read_vectors(engine, BUNDLE_VELOCITY, velocities) : SHEAF_OK;
}
