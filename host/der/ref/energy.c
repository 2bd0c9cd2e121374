// energy: elastic, kinetic and gravitational energies of one rod.
#include "der/ref/ref.h"

#include "base/vec.h"

// sum_i 1/(2 lb_i) sum_j (w_i^j - wbar_i^j)^T B^j (w_i^j - wbar_i^j)
double ref_bending_energy(const ref_rod *rod)
{
    double energy = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t edge[2] = {rod_edge_before(rod, i), i};
        double sum = 0, by_law[2];
        if (rod->strand->law != NULL) {
            ref_law_energy(rod, i, by_law);
            energy += by_law[0];
            continue;
        }
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 2; k++) {
                const double bent = rod->w[i][side][k] - rod->natural_curvature[i][side][k];
                sum += rod_bend(rod, i, edge[side])[k] * bent * bent;
            }
        energy += sum / (2 * rod_voronoi(rod, i));
    }
    return energy;
}

// sum_i beta_i (m_i - mbar_i)^2 / lb_i
double ref_twisting_energy(const ref_rod *rod)
{
    double energy = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const double twisted = rod->m[i] - rod->natural_twist[i];
        double by_law[2];
        if (rod->strand->law != NULL) {
            ref_law_energy(rod, i, by_law);
            energy += by_law[1];
            continue;
        }
        energy += rod->twist[i] * twisted * twisted / rod_voronoi(rod, i);
    }
    return energy;
}

double ref_kinetic_energy(const ref_rod *rod)
{
    double energy = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        energy += rod->mass[i] * vec_dot(rod->v[i], rod->v[i]) / 2;
    return energy;
}

double ref_gravitational_energy(const ref_rod *rod, const double gravity[3])
{
    double energy = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        energy -= rod->mass[i] * vec_dot(gravity, rod->x[i]);
    return energy;
}
