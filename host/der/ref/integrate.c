// integrate: symplectic Euler (7.2) along the directions in which the strand may move.
#include "base/vec.h"
#include "der/ref/ref.h"

// Pushes what a freedom moves by the force on it, then lets it run with its velocity: v += h f / m, x += h v.
static void advance(ref_rod *rod, const ref_freedom *freedom, double step)
{
    double mass = 0, force = 0, momentum = 0;
    for (uint32_t i = freedom->first; i <= freedom->second; i++) {
        mass += rod->mass[i];
        force += vec_dot(freedom->direction, rod->force[i]);
        momentum += rod->mass[i] * vec_dot(freedom->direction, rod->v[i]);
    }
    const double gain = step * force / mass, speed = momentum / mass + gain;
    for (uint32_t i = freedom->first; i <= freedom->second; i++) {
        vec_axpy(rod->v[i], gain, freedom->direction);
        vec_axpy(rod->x[i], step * speed, freedom->direction);
    }
}

sheaf_status ref_integrate(ref_rod *rod, double time, double step)
{
    ref_freedom *freedoms = base_alloc(3 * (size_t)rod->vertex_count, sizeof *freedoms);
    if (!freedoms)
        return SHEAF_ERR_MEMORY;
    const uint32_t count = ref_freedoms(rod, time, freedoms);
    for (uint32_t k = 0; k < count; k++)
        advance(rod, &freedoms[k], step);
    base_free(freedoms);
    return SHEAF_OK;
}
