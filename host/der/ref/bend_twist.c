// bend_twist: elastic forces on the centreline, and the rows of their Gauss-Newton matrix.
//
// The energy depends on x through kb_i and through the frames. With Bishop frames and theta held, the frame of edge j
// turns by Psi^j (10); with material frames carried by parallel transport in time theta^j also loses Psi^j:
//     f = -dE/dx|theta + sum_j (dE/dtheta^j) grad Psi^j.
// Both frame terms are sums over j of grad Psi^j = sum_{k <= j} grad psi_k, so one running sum from the tip gathers
// them.
#include "der/ref/ref.h"

#include "base/vec.h"

// Adds -G_i^T q, q = 1/lb_i sum_j N^jT B^j (w_i^j - wbar_i^j), to the three vertices around i.
static void add_bending(ref_rod *rod, uint32_t i, const uint32_t vertex[3])
{
    const uint32_t edge[2] = {rod_edge_before(rod, i), i};
    double q[3] = {0, 0, 0}, gradient[3][3][3];
    ref_answer answer = {.torque = 0};
    if (rod->strand->law != NULL)
        answer = ref_law_answer(rod, i, false);
    for (int side = 0; side < 2; side++) {
        const uint32_t j = edge[side];
        if (rod->strand->law != NULL) {
            vec_axpy(q, answer.force[side][0], rod->m2[j]);
            vec_axpy(q, -answer.force[side][1], rod->m1[j]);
            continue;
        }
        const double *w = rod->w[i][side], *natural = rod->natural_curvature[i][side], *bend = rod_bend(rod, i, j);
        vec_axpy(q, bend[0] * (w[0] - natural[0]) / rod_voronoi(rod, i), rod->m2[j]);
        vec_axpy(q, -bend[1] * (w[1] - natural[1]) / rod_voronoi(rod, i), rod->m1[j]);
    }
    ref_curvature_gradient(rod, i, false, gradient);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++)
                rod->force[vertex[k]][c] -= gradient[k][r][c] * q[r];
}

static void add_holonomy(ref_rod *rod, uint32_t i, const uint32_t vertex[3], double moment)
{
    double gradient[3][3];
    ref_holonomy_gradient(rod, i, gradient);
    for (int k = 0; k < 3; k++)
        vec_axpy(rod->force[vertex[k]], moment, gradient[k]);
}

void ref_bend_twist_forces(ref_rod *rod)
{
    // Turning all frames of a closed rod by Psi^j opens the joint by the whole holonomy, against the twist there.
    double moment = rod->closed ? ref_twist_moment(rod, 0) : 0;
    for (uint32_t i = rod_interior_end(rod); i-- > rod_interior_first(rod);) {
        const uint32_t vertex[3] = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)};
        if (i > 0)
            moment += rod->angle_gradient[i] - ref_bending_angle_gradient(rod, i);
        add_bending(rod, i, vertex);
        add_holonomy(rod, i, vertex, i > 0 ? moment : ref_twist_moment(rod, 0));
    }
}

void ref_elastic_rows(const ref_rod *rod, uint32_t i, double row[5][3][3], double stiffness[5], double residual[5])
{
    const uint32_t edge[2] = {rod_edge_before(rod, i), i};
    double binormal[3][3][3], holonomy[3][3];
    ref_curvature_gradient(rod, i, false, binormal);
    ref_holonomy_gradient(rod, i, holonomy);
    for (int a = 0; a < 4; a++) {
        const int side = a / 2, axis = a % 2;
        const uint32_t j = edge[side];
        const double *normal = axis == 0 ? rod->m2[j] : rod->m1[j], sign = axis == 0 ? 1 : -1;
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                row[a][k][c] = sign * (normal[0] * binormal[k][0][c] + normal[1] * binormal[k][1][c] +
                                       normal[2] * binormal[k][2][c]);
        stiffness[a] = rod_bend(rod, i, j)[axis] / rod_voronoi(rod, i);
        residual[a] = rod->w[i][side][axis] - rod->natural_curvature[i][side][axis];
    }
    for (int k = 0; k < 3; k++)
        vec_scale(row[4][k], holonomy[k], -1);
    stiffness[4] = 2 * rod->twist[i] / rod_voronoi(rod, i);
    residual[4] = rod->m[i] - rod->natural_twist[i];
}
