// external: loads that do not come from the strand's own elasticity, and its internal damping.
#include "der/ref/ref.h"

#include <lapacke.h>
#include <string.h>

#include "base/vec.h"
#include "world/world.h"

// Force per velocity of the part of the strand that vertex i stands for, half an edge on either side, whose length is
// its mass over the mass per length.
double ref_drag(const ref_rod *rod, uint32_t i)
{
    return rod->strand->drag * rod->mass[i] / rod->strand->line_mass;
}

static void courses_at(const sheaf_course course[3], double time, double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = scene_course(&course[c], time);
}

// A couple M does the work M . (t x dt) + (M . t) dtheta on an edge that turns by dt while its frame turns by dtheta
// about it. The first part is that of a pair of forces +-(M x t) / |e| on the edge's vertices.
static void add_end_load(ref_rod *rod, const sheaf_end_def *end, uint32_t vertex, uint32_t j, double time)
{
    double force[3], couple[3], pair[3];
    courses_at(end->force, time, force);
    courses_at(end->couple, time, couple);
    vec_add(rod->force[vertex], rod->force[vertex], force);
    vec_cross(pair, couple, rod->tangent[j]);
    vec_axpy(rod->force[j], -1 / rod->length[j], pair);
    vec_axpy(rod->force[j + 1], 1 / rod->length[j], pair);
}

void ref_axial_couples(ref_rod *rod, double time)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        rod->axial_couple[j] = 0;
    if (rod->closed)
        return;
    const uint32_t last = rod->edge_count - 1;
    double couple[3];
    courses_at(rod->strand->root->couple, time, couple);
    rod->axial_couple[0] += vec_dot(couple, rod->tangent[0]);
    courses_at(rod->strand->tip->couple, time, couple);
    rod->axial_couple[last] += vec_dot(couple, rod->tangent[last]);
}

void ref_body_forces(ref_rod *rod)
{
    const sheaf_scene_def *scene = &rod->model->def;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double wind[3], tensor[3][3];
        vec_sub(wind, rod->air[i], rod->v[i]);
        ref_drag_tensor(rod, i, tensor);
        vec_axpy(rod->force[i], rod->mass[i], scene->gravity);
        if (rod->push != NULL)
            vec_add(rod->force[i], rod->force[i], rod->push[i]);
        for (int c = 0; c < 3; c++)
            rod->force[i][c] += vec_dot(tensor[c], wind);
    }
}

void ref_external_forces(ref_rod *rod, double time)
{
    ref_body_forces(rod);
    ref_axial_couples(rod, time);
    if (rod->closed)
        return;
    add_end_load(rod, rod->strand->root, 0, 0, time);
    add_end_load(rod, rod->strand->tip, rod->vertex_count - 1, rod->edge_count - 1, time);
}

// ---- internal damping
//
// A strain s_a changes at the rate p_a . v + q_a . turn, turn^j the rate at which the frame of edge j turns against the
// frame carried by parallel transport in time. Frames have no inertia, so free ones turn as dissipates least. Without
// that a curved strand that spins as a rigid body would be braked.

// q_a: derivatives of the strains at vertex i by the angles of the edges before and after, in the order of
// ref_elastic_rows.
static void frame_rows(const ref_rod *rod, uint32_t i, double row[5][2])
{
    const double before[2] = {rod->w[i][0][0], rod->w[i][0][1]}, after[2] = {rod->w[i][1][0], rod->w[i][1][1]};
    const double rows[5][2] = {{before[1], 0}, {-before[0], 0}, {0, after[1]}, {0, -after[0]}, {-1, 1}};
    memcpy(row, rows, sizeof rows);
}

typedef struct strains {
    uint32_t vertex[3], edge[2];
    double row[5][3][3], frame_row[5][2];
    double stiffness[5], rate[5];
} strains;

static strains strains_at(const ref_rod *rod, uint32_t i, const double *turn)
{
    strains s = {.vertex = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)},
                 .edge = {rod_edge_before(rod, i), i}};
    double residual[5];
    ref_elastic_rows(rod, i, s.row, s.stiffness, residual);
    frame_rows(rod, i, s.frame_row);
    for (int a = 0; a < 5; a++) {
        s.rate[a] = 0;
        for (int k = 0; k < 3; k++)
            s.rate[a] += vec_dot(s.row[a][k], rod->v[s.vertex[k]]);
        for (int k = 0; k < 2; k++)
            s.rate[a] += s.frame_row[a][k] * turn[s.edge[k]];
    }
    return s;
}

enum { BAND = 2, COLUMN = BAND + 1 }; // of the symmetric band matrix for the frames, folded when closed

// Adds sum_a k_a q_a q_a^T and the right side -sum_a k_a q_a rate_a of one vertex, free frames only.
static void add_frame_equations(const ref_rod *rod, const strains *s, double *matrix, double *right_side)
{
    for (int k = 0; k < 2; k++) {
        const uint32_t row = rod_band_place(rod, s->edge[k]);
        if (rod->angle_is_held[s->edge[k]])
            continue;
        for (int a = 0; a < 5; a++)
            right_side[row] -= s->stiffness[a] * s->frame_row[a][k] * s->rate[a];
        for (int c = 0; c < 2; c++) {
            const uint32_t column = rod_band_place(rod, s->edge[c]);
            if (rod->angle_is_held[s->edge[c]] || column > row)
                continue;
            for (int a = 0; a < 5; a++)
                matrix[COLUMN * column + row - column] += s->stiffness[a] * s->frame_row[a][k] * s->frame_row[a][c];
        }
    }
}

// Rates at which frames turn, rad/s: held ones as prescribed, free ones where sum_a k_a rate_a^2 is least. A common
// turn that nothing resists stays 0.
static void find_frame_rates(const ref_rod *rod, double time, double *turn)
{
    const uint32_t n = rod->edge_count;
    double *matrix = rod->work + n, *right_side = matrix + COLUMN * n, largest = 0;
    memset(matrix, 0, (COLUMN + 1) * n * sizeof *matrix);
    for (uint32_t j = 0; j < n; j++)
        turn[j] = rod->angle_is_held[j] ? ref_held_rate(rod, j, time) : 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const strains s = strains_at(rod, i, turn);
        add_frame_equations(rod, &s, matrix, right_side);
    }
    for (uint32_t j = 0; j < n; j++)
        largest = fmax(largest, matrix[COLUMN * j]);
    for (uint32_t j = 0; j < n; j++)
        matrix[COLUMN * rod_band_place(rod, j)] += rod->angle_is_held[j] ? 1 : 1e-14 * largest;
    if (LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', (int)n, BAND, 1, matrix, COLUMN, right_side, (int)n) != 0)
        return;
    for (uint32_t j = 0; j < n; j++)
        if (!rod->angle_is_held[j])
            turn[j] = right_side[rod_band_place(rod, j)];
}

void ref_internal_damping(ref_rod *rod, double time)
{
    if (rod->strand->damping == 0)
        return;
    double *turn = rod->work;
    find_frame_rates(rod, time, turn);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const strains s = strains_at(rod, i, turn);
        for (int a = 0; a < 5; a++)
            for (int k = 0; k < 3; k++)
                vec_axpy(rod->force[s.vertex[k]], -rod->strand->damping * s.stiffness[a] * s.rate[a], s.row[a][k]);
    }
}
