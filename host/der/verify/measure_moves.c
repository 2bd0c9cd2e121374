// measure_moves: what single stages of the engine did, against the reference: guess, wind, contact, solve, ends,
// integrate, project, collide, finish.
#include "der/verify/measure.h"

#include "der/verify/population.h"
#include "verify/compare.h"

#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum { MOST = POPULATION_VERTEX_MOST };

// ---- displacements

// Displacement of every vertex by the device. Clamped builds leave out the root's, which the reference then gives.
static void device_moves(const mirror *it, const void *scratch, uint32_t strand, const double root[3],
                         uint32_t vertex_count, double (*moves)[3])
{
    for (uint32_t i = 0; i < vertex_count; i++) {
        mirror_vector(it, scratch, strand, i, Z_MOVE, moves[i]);
        if (der_is_clamped(&it->model, strand))
            vec_add(moves[i], moves[i], root);
    }
}

static comparison compare_moves(const mirror *it, const void *scratch, uint32_t strand, const ref_rod *rod,
                                const double (*expected)[3])
{
    double moves[MOST][3] = {{0}};
    comparison c = {0};
    device_moves(it, scratch, strand, expected[0], rod->vertex_count, moves);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        compare_vector(&c, moves[i], expected[i]);
    return c;
}

// An implicit step of the reference cut short: `newton` iterations with one twist iteration each, no projection.
static sheaf_status step_without_projection(ref_rod *rod, const stage_view *view, uint32_t newton)
{
    ref_schedule schedule = ref_schedule_default(rod, view->step);
    schedule.newton = newton;
    schedule.newton_least = schedule.newton_most = 0;
    schedule.twist = (ref_twist_options){.method = REF_TWIST_NEWTON, .iterations = 1};
    schedule.twist_at_end = false;
    schedule.project.iterations = schedule.project.least = 0;
    return ref_implicit_step(rod, view->time, view->step, &schedule);
}

sheaf_status measure_guess(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                           double errors[MEASURE_MOST])
{
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(step_without_projection(rod, view, 0));
    const comparison c = compare_moves(it, view->after, strand, rod, (const double(*)[3])rod->displacement);
    errors[0] = c.error / mirror_length(rod);
    return SHEAF_OK;
}

// By how much gravity and wind move what is at rest: c M u / h^2 + d u / h' = M g + d w, where c and h' are the
// integrator's.
static void add_push(ref_rod *rod, const stage_view *view)
{
    const double inertia = 2.25 / (view->step * view->step), slope = 1.5 / view->step;
    memset(rod->v, 0, rod->vertex_count * sizeof *rod->v);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_body_forces(rod);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_axpy(rod->displacement[i], 1 / (inertia * rod->mass[i] + slope * ref_drag(rod, i)), rod->force[i]);
}

static sheaf_status push_explicitly(ref_rod *rod, const stage_view *view)
{
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_body_forces(rod);
    SHEAF_TRY(ref_integrate(rod, view->time, view->step));
    for (uint32_t i = 0; i < rod->vertex_count; i++) // differences of positions would have fewer digits
        vec_scale(rod->displacement[i], rod->v[i], view->step);
    ref_ends(rod, view->time + view->step);
    vec_sub(rod->displacement[0], rod->x[0], rod->start[0]);
    return SHEAF_OK;
}

// Nothing moved before: what moves now is moved by gravity and air, or along with the root, from which the device
// measures displacements. Below 1e-4 of the length the rounding of the reference's positions would show.
sheaf_status measure_external(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                              double errors[MEASURE_MOST])
{
    double moves[MOST][3] = {{0}};
    comparison c = {0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(view->is_explicit ? push_explicitly(rod, view) : step_without_projection(rod, view, 0));
    device_moves(it, view->after, strand, rod->displacement[0], rod->vertex_count, moves);
    const double least = fmax(vec_length(rod->displacement[0]), 1e-4 * mirror_length(rod));
    if (!view->is_explicit)
        add_push(rod, view);
    for (uint32_t i = 2; i + 2 < rod->vertex_count; i++) // no end touches these
        compare_vector(&c, moves[i], rod->displacement[i]);
    errors[0] = c.scale > 0 ? c.error / fmax(c.scale, least) : -1;
    return SHEAF_OK;
}

// ---- wind

sheaf_status measure_wind(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                          double errors[MEASURE_MOST])
{
    comparison c = {0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(step_without_projection(rod, view, 0));
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double air[3];
        mirror_vector(it, view->after, strand, i, Z_AIR, air);
        compare_vector(&c, air, rod->air[i]);
    }
    errors[0] = compare_relative(&c);
    return SHEAF_OK;
}

// ---- contact

// Nearest surfaces of vertices inside colliders. Where two are as near, either may be taken.
sheaf_status measure_contact(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                             double errors[MEASURE_MOST])
{
    double worst[2] = {0, 0};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(step_without_projection(rod, view, 0));
    ref_contact_find(rod, view->time + view->step, view->step);
    for (uint32_t i = 2; i < rod->vertex_count; i++) {
        double normal[3], apart[3];
        const double gap = mirror_scratch(it, view->after, strand, i, Z_GAP);
        if (rod->contacts[i].gap >= 0) // the device looks at colliders within a strand's reach only
            continue;
        mirror_vector(it, view->after, strand, i, Z_NORMAL, normal);
        vec_sub(apart, normal, rod->contacts[i].normal);
        worst[0] = compare_larger(worst[0], fabs(gap - rod->contacts[i].gap));
        worst[1] = compare_larger(worst[1], vec_length(apart));
    }
    errors[0] = worst[0] / mirror_length(rod);
    errors[1] = worst[1];
    return SHEAF_OK;
}

// ---- solve

// Force that stretches edge j by its own length: what tensions are measured by.
static double stretch_unit(const mirror *it, uint32_t strand, uint32_t j)
{
    return mirror_number(it, DER_span, strand, j, SPAN_STRETCH) * mirror_number(it, DER_span, strand, j, SPAN_LENGTH);
}

// The reference keeps the tensions of a step only when it leaves edges near their length.
static bool lengths_are_near(const ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[j + 1], rod->x[j]);
        if (!(fabs(vec_dot(edge, edge) / (rod->rest_length[j] * rod->rest_length[j]) - 1) <= 0.009))
            return false;
    }
    return true;
}

sheaf_status measure_solve(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                           double errors[MEASURE_MOST])
{
    const double newton = mirror_number(view->committed, DER_record, strand, 0, RECORD_NEWTON);
    const uint32_t first = der_is_clamped(&it->model, strand) ? 1 : 0; // nothing pulls on a clamped edge
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(step_without_projection(rod, view, (uint32_t)newton));
    const comparison c = compare_moves(it, view->after, strand, rod, (const double(*)[3])rod->displacement);
    errors[0] = c.error / mirror_length(rod);
    for (uint32_t j = first; j < rod->edge_count && lengths_are_near(rod); j++) {
        const double error = fabs(mirror_scratch(it, view->after, strand, j, Z_TENSION) - rod->tension[j]);
        errors[1] = compare_larger(errors[1], error / stretch_unit(it, strand, j));
    }
    return SHEAF_OK;
}

// ---- ends

static void compare_edge(const mirror *it, const void *scratch, uint32_t strand, const ref_rod *rod, uint32_t j,
                         comparison *c)
{
    double edge[3], expected[3];
    mirror_vector(it, scratch, strand, j, Z_EDGE, edge);
    vec_sub(expected, rod->x[j + 1], rod->x[j]);
    compare_vector(c, edge, expected);
}

// A held frame follows a held edge; any other edge it is carried along with from the start of the step, and how that
// edge lies is not the frame's error.
static void compare_held_frame(const mirror *it, const void *scratch, uint32_t strand, const ref_rod *rod,
                               const sheaf_end_def *end, uint32_t j, comparison *c)
{
    double tangent[3], director[3], expected[3];
    mirror_vector(it, scratch, strand, j, Z_TANGENT, tangent);
    mirror_vector(it, scratch, strand, j, Z_DIRECTOR, director);
    vec_unit(tangent, tangent);
    vec_copy(expected, rod->m1[j]);
    if (!end->hold_tangent) {
        vec_transport(expected, expected, rod->tangent[j], rod->start_tangent[j]);
        vec_transport(expected, expected, rod->start_tangent[j], tangent);
    }
    compare_vector(c, director, expected);
}

static void compare_end(const mirror *it, const void *scratch, uint32_t strand, const ref_rod *rod, bool is_tip,
                        comparison c[3])
{
    const sheaf_end_def *end = is_tip ? rod->strand->tip : rod->strand->root;
    const uint32_t vertex = is_tip ? rod->vertex_count - 1 : 0, j = is_tip ? vertex - 1 : 0;
    double moves[MOST][3] = {{0}};
    device_moves(it, scratch, strand, rod->displacement[0], rod->vertex_count, moves);
    if (end->hold_position)
        compare_vector(&c[0], moves[vertex], rod->displacement[vertex]);
    if (end->hold_tangent)
        compare_edge(it, scratch, strand, rod, j, &c[1]);
    if (end->hold_angle)
        compare_held_frame(it, scratch, strand, rod, end, j, &c[2]);
}

sheaf_status measure_ends(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                          double errors[MEASURE_MOST])
{
    comparison c[3];
    memset(c, 0, sizeof c);
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    SHEAF_TRY(step_without_projection(rod, view, 0));
    ref_curvature(rod);
    compare_end(it, view->after, strand, rod, false, c);
    compare_end(it, view->after, strand, rod, true, c);
    errors[0] = c[0].scale > 0 ? c[0].error / mirror_length(rod) : -1;
    errors[1] = c[1].scale > 0 ? compare_relative(&c[1]) : -1;
    errors[2] = c[2].scale > 0 ? c[2].error : -1;
    return SHEAF_OK;
}

// ---- explicit step

// Forces of the pose the device had, then the step from the start of the state.
sheaf_status measure_integrate(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                               double errors[MEASURE_MOST])
{
    double expected[MOST][3] = {{0}};
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_pose(it, view->before, strand, view->time, rod);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
    ref_wind(rod, view->time);
    ref_external_forces(rod, view->time);
    ref_internal_damping(rod, view->time);
    memcpy(rod->x, rod->start, rod->vertex_count * sizeof *rod->x);
    SHEAF_TRY(ref_integrate(rod, view->time, view->step));
    ref_ends(rod, view->time + view->step);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_sub(expected[i], rod->x[i], rod->start[i]);
    const comparison c = compare_moves(it, view->after, strand, rod, (const double(*)[3])expected);
    errors[0] = c.error / mirror_length(rod);
    return SHEAF_OK;
}

// ---- projection

static ref_project_options project_options(const ref_rod *rod, const stage_view *view, const double *compliance)
{
    return (ref_project_options){.projector = rod->model->def.projector,
                                 .start_gradients = view->is_explicit,
                                 .iterations = view->projections,
                                 .least = view->projections,
                                 .rate = 1,
                                 .compliance = compliance,
                                 .full_steps = true};
}

// How far a stage moved vertex i, against the way of the reference's from `start`.
static void compare_move(const mirror *it, uint32_t strand, const ref_rod *rod, const stage_view *view, uint32_t i,
                         const double start[3], comparison *moves)
{
    double before[3], after[3], expected[3];
    mirror_vector(it, view->before, strand, i, Z_MOVE, before);
    mirror_vector(it, view->after, strand, i, Z_MOVE, after);
    vec_sub(after, after, before);
    vec_sub(expected, rod->x[i], start);
    compare_vector(moves, after, expected);
}

sheaf_status measure_project(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                             double errors[MEASURE_MOST])
{
    comparison moves = {0}, edges = {0};
    const bool has_pull = !view->is_explicit || !der_is_clamped(&it->model, strand);
    const double mean_mass = mirror_mean_mass(it, strand);
    double start[MOST][3] = {{0}}, compliance[MOST] = {0}, pull_error = 0;
    ref_project_result result;
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    mirror_compliance(it, strand, rod, compliance);
    mirror_place(it, view->before, strand, rod);
    memcpy(start, rod->x, rod->vertex_count * sizeof *start);
    const ref_project_options options = project_options(rod, view, compliance);
    SHEAF_TRY(ref_project(rod, view->time + view->step, &options, &result));
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        compare_move(it, strand, rod, view, i, start[i], &moves);
        if (i == rod->edge_count)
            continue;
        compare_edge(it, view->after, strand, rod, i, &edges);
        const double multiplier = mirror_scratch(it, view->after, strand, i, Z_TOTAL) * mean_mass / 4;
        const double pulled = 2 * fabs(multiplier - rod->multiplier[i]) * rod->rest_length[i] / rod->mass[i + 1];
        pull_error = compare_larger(pull_error, pulled);
    }
    errors[0] = moves.error / mirror_length(rod);
    errors[1] = edges.error / mirror_length(rod);
    errors[2] = has_pull ? pull_error / mirror_length(rod) : -1;
    return SHEAF_OK;
}

// ---- collide

// The rod as a pass of pushing finds it: directors, places, what the solve held and what was pushed before.
static sheaf_status start_pass(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view)
{
    const double end = view->time + view->step;
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    ref_ends(rod, end);
    mirror_pose(it, view->before, strand, end, rod);
    ref_curvature(rod);
    mirror_place(it, view->before, strand, rod);
    const uint32_t first = der_is_clamped(&it->model, strand) ? 2 : 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        rod->contacts[i] = (ref_contact){.stiffness = mirror_scratch(it, view->before, strand, i, Z_STIFFNESS),
                                         .is_marked = mirror_scratch(it, view->before, strand, i, Z_MARK) > 0};
        mirror_vector(it, view->before, strand, i, Z_NORMAL, rod->contacts[i].normal);
        rod->touch[i] = mirror_scratch(it, view->before, strand, i, Z_PRESS);
        if (i >= first && !view->is_explicit)
            rod->contacts[i].press = rod->touch[i];
    }
    return SHEAF_OK;
}

// The first pass is a push alone.
static sheaf_status take_pass(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view, const double *inertia)
{
    const double end = view->time + view->step;
    double compliance[MOST] = {0};
    ref_project_result result = {0};
    bool goes_on;
    if (view->iteration == 0) {
        ref_contact_push(rod, end, view->step, inertia, true);
        return SHEAF_OK;
    }
    mirror_compliance(it, strand, rod, compliance);
    const ref_project_options options = project_options(rod, view, compliance);
    return ref_contact_pass(rod, end, view->step, inertia, view->iteration, &options, &result, &goes_on);
}

// Forces of pushes are measured by what pushing a vertex as far as the strand is long would take. Strands that neither
// side moves do not count.
sheaf_status measure_collide(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                             double errors[MEASURE_MOST])
{
    comparison moves = {0};
    double start[MOST][3] = {{0}}, inertia[MOST] = {0}, press_error = 0;
    SHEAF_TRY(start_pass(it, strand, rod, view));
    memcpy(start, rod->x, rod->vertex_count * sizeof *start);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        inertia[i] = (2.25 * rod->mass[i] / view->step + 1.5 * ref_drag(rod, i)) / view->step;
    SHEAF_TRY(take_pass(it, strand, rod, view, inertia));
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        compare_move(it, strand, rod, view, i, start[i], &moves);
        const double press = mirror_scratch(it, view->after, strand, i, Z_PRESS) - rod->touch[i];
        press_error = compare_larger(press_error, fabs(press) / fmax(rod->contacts[i].stiffness, inertia[i]));
    }
    if (moves.error == 0 && moves.scale == 0)
        return SHEAF_OK;
    errors[0] = moves.error / mirror_length(rod);
    errors[1] = press_error / mirror_length(rod);
    return SHEAF_OK;
}

// ---- the state at the end of the step

// Tension for the next step: with what the projections pulled, or half of what there was where they left edges far
// from their length.
static double tension_error(const mirror *it, uint32_t strand, const ref_rod *rod, const stage_view *view)
{
    const uint32_t first = der_is_clamped(&it->model, strand) ? 1 : 0;
    const double rest = mirror_number(it, DER_span, strand, first, SPAN_LENGTH);
    const bool near = mirror_number(view->committed, DER_record, strand, 0, RECORD_WORST) <= 0.01 * rest * rest;
    double worst = 0;
    for (uint32_t j = first; j < rod->edge_count; j++) {
        const double inertia = (2.25 / view->step + 1.5 * ref_drag(rod, j + 1) / rod->mass[j + 1]) / view->step;
        const double multiplier =
            mirror_scratch(it, view->after, strand, j, Z_TOTAL) * mirror_mean_mass(it, strand) / 4;
        const double found = mirror_scratch(it, view->after, strand, j, Z_TENSION);
        const double pulled = found + 2 * inertia * multiplier * rod->rest_length[j];
        const double expected = near ? pulled : mirror_number(it, DER_tension, strand, j, 0) / 2;
        const double error = fabs(mirror_number(view->committed, DER_tension, strand, j, 0) - expected);
        worst = compare_larger(worst, error / stretch_unit(it, strand, j));
    }
    return worst;
}

static void committed_vector(const stage_view *view, der_field array, uint32_t strand, uint32_t i, double out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = mirror_number(view->committed, array, strand, i, c);
}

// v = (3 u - u_n) / (2 h) or u / h; BDF2 keeps a history, the displacement and the velocity before. Explicit
// steps leave the twists of the pose, measured by the largest at either end of the step (they may all but vanish in
// it); implicit ones those that the last iteration found.
sheaf_status measure_finish(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                            double errors[MEASURE_MOST])
{
    const bool is_bdf2 = rod->model->def.integrator == SHEAF_INTEGRATOR_BDF2;
    comparison velocities = {0}, moves = {0}, before = {0}, twists = {0};
    double move[MOST][3] = {{0}}, root[3];
    SHEAF_TRY(mirror_start(it, strand, view->time, rod));
    ref_ends(rod, view->time + view->step);
    vec_sub(root, rod->x[0], rod->start[0]);
    device_moves(it, view->after, strand, root, rod->vertex_count, move);
    mirror_pose(it, view->after, strand, view->time + view->step, rod);
    ref_frames(rod);
    ref_curvature(rod);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double velocity[3], measured[3], last[3];
        committed_vector(view, DER_velocity, strand, i, measured);
        vec_scale(velocity, move[i], (is_bdf2 ? 1.5 : 1) / view->step);
        vec_axpy(velocity, is_bdf2 ? -0.5 / view->step : 0, rod->displacement[i]);
        compare_vector(&velocities, measured, velocity);
        committed_vector(view, DER_move, strand, i, measured);
        compare_vector(&moves, measured, move[i]);
        committed_vector(view, DER_last_velocity, strand, i, measured);
        for (uint32_t c = 0; c < 3; c++)
            last[c] = mirror_number(it, DER_velocity, strand, i, c);
        compare_vector(&before, measured, last);
        if (i > 0 && i < rod->edge_count) {
            const double found = mirror_scratch(it, view->after, strand, i, Z_TWIST);
            compare_number(&twists, mirror_number(view->committed, DER_twist, strand, i, 0),
                           view->is_explicit ? rod->m[i] : found);
            twists.scale = fmax(twists.scale, fabs(mirror_number(it, DER_twist, strand, i, 0)));
        }
    }
    errors[0] = compare_relative(&velocities);
    errors[1] = is_bdf2 ? compare_relative(&moves) : -1;
    errors[2] = is_bdf2 ? compare_relative(&before) : -1;
    errors[3] = measure_all_frames_are_held(rod) ? -1 : compare_relative(&twists);
    errors[4] = view->is_explicit ? -1 : tension_error(it, strand, rod, view);
    return SHEAF_OK;
}
