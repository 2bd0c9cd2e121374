// wind: air in motion, and how it takes hold of a strand.
#include "base/vec.h"
#include "der/ref/ref.h"
#include "world/world.h"

static void measure_air(const ref_rod *rod, uint32_t i, double time, double air[3])
{
    double place[3];
    vec_add(place, rod->origin, rod->x[i]);
    model_air(rod->model, place, time, air);
}

// Odd vertices take the mean of their neighbours; an odd tip goes on as from the vertices before.
void ref_wind(ref_rod *rod, double time)
{
    const bool is_sparse = model_air_is_sparse(rod->model, rod->rest_length, rod->edge_count);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (i % 2 == 0 || !is_sparse)
            measure_air(rod, i, time, rod->air[i]);
    for (uint32_t i = 1; i < rod->vertex_count && is_sparse; i += 2) {
        double change[3] = {0, 0, 0};
        if (i + 1 < rod->vertex_count)
            vec_sub(change, rod->air[i + 1], rod->air[i - 1]);
        else if (i >= 3)
            vec_sub(change, rod->air[i - 1], rod->air[i - 3]);
        vec_copy(rod->air[i], rod->air[i - 1]);
        vec_axpy(rod->air[i], 0.5, change);
    }
    for (uint32_t i = 0; i < rod->vertex_count && rod->air_share != NULL; i++)
        vec_scale(rod->air[i], rod->air[i], rod->air_share[i]);
}

// t t^T of the mean direction of two edges is (t0 + t1)(t0 + t1)^T / (2 (1 + t0.t1)); where they fold back on each
// other there is none, and the factor stays bounded.
static void mean_direction(const ref_rod *rod, uint32_t i, double sum[3], double *factor)
{
    const bool has_before = rod->closed || i > 0, has_after = rod->closed || i < rod->edge_count;
    const uint32_t before = has_before ? rod_edge_before(rod, i) : i, after = has_after ? i : before;
    const bool held_before = rod->tangent_is_held[before], held_after = rod->tangent_is_held[after];
    const double *t0 = rod->tangent[held_after ? after : before], *t1 = rod->tangent[held_before ? before : after];
    vec_add(sum, t0, t1);
    *factor = 0.5 / fmax(1 + vec_dot(t0, t1), 1e-2);
}

void ref_drag_tensor(const ref_rod *rod, uint32_t i, double out[3][3])
{
    const double drag = ref_drag(rod, i), slip = rod->strand->slip;
    double sum[3], factor;
    mean_direction(rod, i, sum, &factor);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            out[r][c] = drag * ((r == c) - slip * factor * sum[r] * sum[c]);
}
