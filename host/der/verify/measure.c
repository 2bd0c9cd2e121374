// measure: what single stages of the engine did, against the reference: frames, curvature, twist, forces, assembly.
#include "der/verify/measure.h"

#include "der/verify/population.h"
#include "verify/compare.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "world/world.h"

enum { MOST = POPULATION_VERTEX_MOST };

static double relative_error(double measured, double expected)
{
    return fabs(measured - expected) / fabs(expected);
}

// ---- frames and curvature

sheaf_status measure_frames(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                            double errors[MEASURE_MOST])
{
    comparison tangents = {0}, directors = {0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time + view->step, rod);
    mirror_place(it, view->before, strand, rod);
    ref_frames(rod);
    if (!view->is_explicit)
        ref_shorten_frames(rod);
    ref_curvature(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double tangent[3], director[3];
        mirror_vector(it, view->after, strand, j, Z_TANGENT, tangent);
        mirror_vector(it, view->after, strand, j, Z_DIRECTOR, director);
        compare_vector(&tangents, tangent, rod->tangent[j]);
        compare_vector(&directors, director, rod->m1[j]);
    }
    errors[0] = tangents.error;
    errors[1] = directors.error;
    return SHEAF_OK;
}

static void compare_curvatures(const mirror *it, const void *scratch, uint32_t strand, const ref_rod *rod,
                               comparison *curvature, comparison *twist)
{
    for (uint32_t i = 1; i < rod->edge_count; i++) {
        for (uint32_t k = 0; k < 4; k++)
            compare_number(curvature, mirror_scratch(it, scratch, strand, i, Z_CURVATURE + k), rod->w[i][k / 2][k % 2]);
        compare_number(twist, mirror_scratch(it, scratch, strand, i, Z_TWIST), rod->m[i]);
    }
}

// Energies of the device's curvatures and twists: half the sum of squared residuals.
static void device_energies(const mirror *it, const void *scratch, uint32_t strand, uint32_t vertex_count,
                            double *bending, double *twisting)
{
    *bending = *twisting = 0;
    for (uint32_t i = 1; i + 1 < vertex_count; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            const double residual = mirror_number(it, DER_bend, strand, i, BEND_STIFFNESS + k) *
                                        mirror_scratch(it, scratch, strand, i, Z_CURVATURE + k) -
                                    mirror_number(it, DER_bend, strand, i, BEND_NATURAL + k);
            *bending += residual * residual / 2;
        }
        const double twist = mirror_scratch(it, scratch, strand, i, Z_TWIST) -
                             mirror_number(it, DER_torsion, strand, i, TORSION_NATURAL);
        const double residual = mirror_number(it, DER_torsion, strand, i, TORSION_STIFFNESS) * twist;
        *twisting += residual * residual / 2;
    }
}

bool measure_all_frames_are_held(const ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            return false;
    return true;
}

sheaf_status measure_curvature(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                               double errors[MEASURE_MOST])
{
    comparison curvature = {0}, twist = {0};
    double bending, twisting;
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time, rod);
    ref_frames(rod); // twists of the directors as they stand
    ref_curvature(rod);
    compare_curvatures(it, view->after, strand, rod, &curvature, &twist);
    device_energies(it, view->after, strand, rod->vertex_count, &bending, &twisting);
    errors[0] = compare_relative(&curvature);
    errors[2] = relative_error(bending, ref_bending_energy(rod));
    if (measure_all_frames_are_held(rod)) // there may be no twist at all
        return SHEAF_OK;
    errors[1] = compare_relative(&twist);
    errors[3] = relative_error(twisting, ref_twisting_energy(rod));
    return SHEAF_OK;
}

// ---- twist

// The loads of an explicit step are those at its start, of an implicit one those at its end.
static double load_time(const stage_view *view)
{
    return view->is_explicit ? view->time : view->time + view->step;
}

// By how much the device turned each frame.
static void device_turns(const mirror *it, const stage_view *view, uint32_t strand, const ref_rod *rod, double *turns)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double before[3], after[3];
        mirror_vector(it, view->before, strand, j, Z_DIRECTOR, before);
        mirror_vector(it, view->after, strand, j, Z_DIRECTOR, after);
        turns[j] = vec_angle(before, after, rod->tangent[j]);
    }
}

// How well the device's turns solve the linear system of one Newton iteration: its largest residual over free frames,
// as a share of the largest right side. The matrix is that of the reference, safeguard included: its diagonal follows
// from the reference's own turns. Does not apply where a turn was cut to 1.
static double turn_residual(const ref_rod *rod, const double *right, const double *above, const double *expected,
                            const double *device)
{
    double worst = 0, scale = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const bool has_before = j > 0, has_after = j + 1 < rod->edge_count;
        if (fabs(expected[j]) >= 1)
            return -1;
        if (rod->angle_is_held[j] || expected[j] == 0)
            continue;
        const double couplings =
            (has_before ? above[j - 1] * expected[j - 1] : 0) + (has_after ? above[j] * expected[j + 1] : 0);
        const double diagonal = (right[j] - couplings) / expected[j];
        double residual = right[j] - diagonal * device[j];
        residual -= has_before ? above[j - 1] * device[j - 1] : 0;
        residual -= has_after ? above[j] * device[j + 1] : 0;
        worst = compare_larger(worst, fabs(residual));
        scale = fmax(scale, fabs(right[j]));
    }
    return scale > 0 ? worst / scale : -1;
}

// Turns and twists are measured by the largest angle there is, before or in the turn: near equilibrium they may all but
// vanish.
sheaf_status measure_twist(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                           double errors[MEASURE_MOST])
{
    const ref_twist_options one = {.method = REF_TWIST_NEWTON, .iterations = 1};
    comparison turns = {0}, curvature = {0}, twist = {0};
    double start[MOST] = {0}, right[MOST] = {0}, diagonal[MOST], above[MOST], device[MOST] = {0}, expected[MOST] = {0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time, rod);
    ref_axial_couples(rod, load_time(view));
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_twist_hessian(rod, diagonal, above);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        right[j] = rod->axial_couple[j] - rod->angle_gradient[j];
        start[j] = rod->theta[j];
    }
    SHEAF_TRY(ref_twist(rod, &one));
    device_turns(it, view, strand, rod, device);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        expected[j] = rod->theta[j] - start[j];
        compare_number(&turns, device[j], expected[j]);
        turns.scale = fmax(turns.scale, j > 0 ? fabs(mirror_scratch(it, view->before, strand, j, Z_TWIST)) : 0);
    }
    compare_curvatures(it, view->after, strand, rod, &curvature, &twist);
    errors[2] = compare_relative(&curvature);
    if (measure_all_frames_are_held(rod))
        return SHEAF_OK;
    errors[0] = compare_relative(&turns);
    errors[1] = turn_residual(rod, right, above, expected, device);
    errors[3] = twist.error / turns.scale;
    return SHEAF_OK;
}

// ---- forces

// Pairs of forces by which couples at the ends act, alone.
static void couple_forces(ref_rod *rod, double time, double (*out)[3])
{
    const sheaf_end_def *root = rod->strand->root, *tip = rod->strand->tip;
    const uint32_t last = rod->vertex_count - 1;
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_body_forces(rod);
    memcpy(out, rod->force, rod->vertex_count * sizeof *rod->force);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_external_forces(rod, time);
    for (uint32_t i = 0; i <= last; i++)
        vec_sub(out[i], rod->force[i], out[i]);
    for (int c = 0; c < 3; c++) {
        out[0][c] -= scene_course(&root->force[c], time);
        out[last][c] -= scene_course(&tip->force[c], time);
    }
}

void measure_elastic_forces(ref_rod *rod)
{
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
}

// Vertices of an end edge of held direction feel forces only as one: the inner one gets both.
static void join_ends(const ref_rod *rod, double (*force)[3])
{
    const uint32_t last = rod->vertex_count - 1;
    if (rod->strand->root->hold_tangent) {
        vec_add(force[1], force[1], force[0]);
        vec_set(force[0], 0, 0, 0);
    }
    if (rod->strand->tip->hold_tangent) {
        vec_add(force[last - 1], force[last - 1], force[last]);
        vec_set(force[last], 0, 0, 0);
    }
}

// dE/de of the device are at the slot after their edge.
void measure_device_forces(const sheaf_engine *engine, const void *scratch, uint32_t strand, uint32_t vertex_count,
                           double (*out)[3])
{
    double before[3] = {0, 0, 0};
    for (uint32_t i = 0; i < vertex_count; i++) {
        double gradient[3] = {0, 0, 0};
        for (uint32_t c = 0; c < 3 && i + 1 < vertex_count; c++)
            gradient[c] = der_scratch_get(engine, scratch, strand, i + 1, Z_BLOCK_G + c);
        vec_sub(out[i], gradient, before);
        vec_copy(before, gradient);
    }
}

// sum_i x_i x f_i = sum_j (dE/dtheta^j) t^j, relative to the sum of |x_i| |f_i| from the root. Holds where neither
// couples nor held edges take part.
static double torque_error(const ref_rod *rod, const double (*force)[3])
{
    double left[3] = {0, 0, 0}, right[3] = {0, 0, 0}, scale = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double arm[3], torque[3];
        vec_sub(arm, rod->x[i], rod->x[0]);
        vec_cross(torque, arm, force[i]);
        vec_add(left, left, torque);
        scale += vec_length(arm) * vec_length(force[i]);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++)
        vec_axpy(right, rod->angle_gradient[j], rod->tangent[j]);
    vec_sub(left, left, right);
    return vec_length(left) / scale;
}

static bool is_loaded(const double (*couples)[3], uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (vec_length(couples[i]) > 0)
            return true;
    return false;
}

sheaf_status measure_bend_twist(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                                double errors[MEASURE_MOST])
{
    double couples[MOST][3] = {{0}}, device[MOST][3] = {{0}}, expected[MOST][3] = {{0}};
    double *at_vertex = view->vertex_errors + it->model.first_vertex[strand];
    comparison forces = {0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time, rod);
    couple_forces(rod, load_time(view), couples);
    measure_elastic_forces(rod);
    ref_internal_damping(rod, view->time);
    measure_device_forces(it->engine, view->after, strand, rod->vertex_count, device);
    const bool clamped = der_is_clamped(&it->model, strand);
    const bool held = rod->strand->root->hold_tangent || rod->strand->tip->hold_tangent;
    const bool is_plain = clamped || (!held && !is_loaded((const double(*)[3])couples, rod->vertex_count));
    errors[1] = is_plain && rod->strand->damping == 0 ? torque_error(rod, (const double(*)[3])device) : -1;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_add(expected[i], rod->force[i], couples[i]);
    join_ends(rod, device);
    join_ends(rod, expected);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        comparison here = {0};
        compare_vector(&forces, device[i], expected[i]);
        compare_vector(&here, device[i], expected[i]);
        at_vertex[i] = here.scale > 0 ? compare_relative(&here) : -1;
    }
    errors[0] = compare_relative(&forces);
    return SHEAF_OK;
}

// ---- assembly

// Second derivatives and gradients by edges.
typedef struct edge_blocks {
    double single[MOST][3][3]; // by edge j
    double mixed[MOST][3][3];  // rows edge i, columns edge i - 1
    double gradient[MOST][3];
} edge_blocks;

static void add_outer(double block[3][3], double weight, const double row[3], const double column[3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[r][c] += weight * row[r] * column[c];
}

// Rows by vertices become rows by edges: d/de^{i-1} = -d/dx_{i-1}, d/de^i = d/dx_{i+1}. Damping d, times the slope of
// the time formula, adds d times the stiffness, and d times the stress of the strain less that which would not change.
static void add_elasticity(const mirror *it, const stage_view *view, uint32_t strand, const ref_rod *rod,
                           edge_blocks *blocks)
{
    const bool is_second = rod->model->def.integrator == SHEAF_INTEGRATOR_BDF2 && view->time > 0;
    const double damping = rod->strand->damping * (is_second ? 1.5 : 1) / view->step;
    for (uint32_t i = 1; i < rod->edge_count; i++) {
        double row[5][3][3], stiffness[5], residual[5];
        ref_elastic_rows(rod, i, row, stiffness, residual);
        for (uint32_t a = 0; a < 5; a++) {
            const double strain = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i], stiffer = (1 + damping) * stiffness[a];
            const double change = damping > 0 ? strain - mirror_scratch(it, view->before, strand, i, Z_STRAIN + a) : 0;
            const double stress = stiffness[a] * (residual[a] + damping * change);
            double before[3];
            const double *after = row[a][2];
            vec_scale(before, row[a][0], -1);
            add_outer(blocks->single[i - 1], stiffer, before, before);
            add_outer(blocks->single[i], stiffer, after, after);
            add_outer(blocks->mixed[i], stiffer, after, before);
            vec_axpy(blocks->gradient[i - 1], stress, before);
            vec_axpy(blocks->gradient[i], stress, after);
        }
    }
}

// Tension T and the soft stretch about it: T / |e| across the edge, and the stretch's weight along it.
static void add_stretch(const mirror *it, uint32_t strand, const ref_rod *rod, edge_blocks *blocks)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double weight = mirror_number(it, DER_span, strand, j, SPAN_STRETCH);
        const double tension = rod->tension[j], across = fmax(tension, 0) / rod->length[j];
        add_outer(blocks->single[j], weight - across, rod->tangent[j], rod->tangent[j]);
        for (int c = 0; c < 3; c++)
            blocks->single[j][c][c] += across;
        vec_axpy(blocks->gradient[j], tension + weight * (rod->length[j] - rod->rest_length[j]), rod->tangent[j]);
    }
}

static void remove_edge(edge_blocks *blocks, uint32_t j)
{
    memset(blocks->single[j], 0, sizeof blocks->single[j]);
    memset(blocks->gradient[j], 0, sizeof blocks->gradient[j]);
    memset(blocks->mixed[j], 0, sizeof blocks->mixed[j]);
    memset(blocks->mixed[j + 1], 0, sizeof blocks->mixed[j + 1]);
}

static void make_blocks(const mirror *it, const stage_view *view, uint32_t strand, ref_rod *rod, edge_blocks *blocks)
{
    double couples[MOST][3] = {{0}};
    memset(blocks, 0, sizeof *blocks);
    ref_curvature(rod);
    add_elasticity(it, view, strand, rod, blocks);
    add_stretch(it, strand, rod, blocks);
    couple_forces(rod, load_time(view), couples);
    vec_add(blocks->gradient[0], blocks->gradient[0], couples[0]);
    vec_axpy(blocks->gradient[rod->edge_count - 1], -1, couples[rod->edge_count]);
    if (der_is_clamped(&it->model, strand))
        return;
    if (rod->strand->root->hold_tangent)
        remove_edge(blocks, 0);
    if (rod->strand->tip->hold_tangent)
        remove_edge(blocks, rod->edge_count - 1);
}

// The gradient's error across the edge is one of forces, that along it one of the strain which the soft stretch
// answers: there the length of an edge sets the digits, however small the tension is.
static void compare_gradient(const mirror *it, const stage_view *view, uint32_t strand, const ref_rod *rod, uint32_t j,
                             const double expected[3], comparison *forces, double *strain_error)
{
    const double stiffness = mirror_number(it, DER_span, strand, j, SPAN_STRETCH) * rod->rest_length[j];
    double gradient[3], error[3], across[3];
    mirror_vector(it, view->after, strand, j + 1, Z_BLOCK_G, gradient);
    vec_sub(error, gradient, expected);
    const double along = vec_dot(error, rod->tangent[j]);
    vec_copy(across, gradient);
    vec_axpy(across, -along, rod->tangent[j]);
    compare_vector(forces, across, expected);
    *strain_error = compare_larger(*strain_error, fabs(along) / stiffness);
}

sheaf_status measure_assemble(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                              double errors[MEASURE_MOST])
{
    static const uint32_t lower[6][2] = {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}};
    comparison single = {0}, mixed = {0}, forces = {0};
    double strain_error = 0;
    edge_blocks blocks;
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time + view->step, rod);
    make_blocks(it, view, strand, rod, &blocks);
    const uint32_t first = der_is_clamped(&it->model, strand) ? 1 : 0; // the clamped edge has no blocks
    for (uint32_t j = first; j < rod->edge_count; j++) {
        for (uint32_t k = 0; k < 6; k++)
            compare_number(&single, mirror_scratch(it, view->after, strand, j + 1, Z_BLOCK_K + k),
                           blocks.single[j][lower[k][0]][lower[k][1]]);
        compare_gradient(it, view, strand, rod, j, blocks.gradient[j], &forces, &strain_error);
        for (uint32_t k = 0; j > first && k < 9; k++)
            compare_number(&mixed, mirror_scratch(it, view->after, strand, j, Z_BLOCK_X + k),
                           blocks.mixed[j][k / 3][k % 3]);
    }
    errors[0] = compare_relative(&single);
    errors[1] = compare_relative(&mixed);
    errors[2] = compare_relative(&forces);
    errors[3] = strain_error;
    return SHEAF_OK;
}
