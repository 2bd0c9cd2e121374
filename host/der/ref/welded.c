// welded: strands on bodies, condensed onto their joints.
//
// Rows of the matrix are those of implicit.c, with derivatives by the frame angles. With w = (w0, w1) the curvature on
// an edge, r = w - natural and stiffnesses k, the bending energy E has the exact mixed derivative
//     d2E/dx dtheta = dw0/dx (k0 w1 - k1 r1) + dw1/dx (k0 r0 - k1 w0),
// which a row with ds0/dtheta = w1 - (k1/k0) r1, ds1/dtheta = (k0/k1) r0 - w0 has, too; the diagonal that such rows
// give is raised to the exact second derivative where that is larger. So the matrix is positive, and exact but for the
// curvature of the strains in x. Of an isotropic strand what is left is its natural curvature: bending alone does not
// turn its frames.
#include "der/ref/welded.h"

#include "base/vec.h"

#include <lapacke.h>
#include <string.h>

enum { BAND = 11, STENCIL = 11 }; // unknowns from x_{i-1} to x_{i+1} with both angles between

uint32_t welded_first(const model_joint *joint)
{
    return 4 * joint->vertex;
}

// ---- opening

static void set_roles(welded_strand *w)
{
    const ref_rod *rod = &w->rod;
    for (uint32_t k = 0; k < w->unknowns; k++)
        w->role[k] = k % 4 == 3 && (k / 4 >= rod->edge_count || rod->angle_is_held[k / 4]) ? WELDED_HELD : WELDED_FREE;
    const sheaf_end_def *ends[2] = {rod->strand->root, rod->strand->tip};
    for (int tip = 0; tip < 2; tip++) {
        const uint32_t vertices = ends[tip]->hold_position ? 1 + ends[tip]->hold_tangent : 0;
        const uint32_t first = tip ? rod->vertex_count - vertices : 0;
        for (uint32_t i = first; i < first + vertices; i++)
            for (int c = 0; c < 3; c++)
                w->role[4 * i + (uint32_t)c] = WELDED_HELD;
    }
    w->burden = 0;
    for (uint32_t k = 0; k < rod->joint_count; k++) {
        const model_body *body = &rod->model->bodies[rod->joints[k].body];
        w->burden = fmax(w->burden, body->is_free ? body->mass * rod->edge_count / 100 : 0);
    }
    w->columns = 0;
    for (uint32_t k = 0; k < rod->joint_count; k++)
        for (uint32_t c = 0; c < couple_size(&rod->joints[k]); c++)
            w->role[welded_first(&rod->joints[k]) + c] = (int32_t)w->columns++;
}

sheaf_status welded_open(sheaf_state *state, uint32_t strand, welded_strand *w)
{
    *w = (welded_strand){0};
    SHEAF_TRY(rod_open(state, strand, &w->rod));
    const size_t n = w->rod.vertex_count, joints = w->rod.joint_count;
    w->unknowns = 4 * w->rod.vertex_count;
    const size_t most = joints * COUPLE_WELD;
    w->role = base_alloc(w->unknowns, sizeof *w->role);
    w->matrix = base_alloc((size_t)w->unknowns * (BAND + 1), sizeof *w->matrix);
    w->border = base_alloc(most * w->unknowns, sizeof *w->border);
    w->answer = base_alloc((most + 1) * w->unknowns, sizeof *w->answer);
    w->corner = base_alloc(most * most, sizeof *w->corner);
    w->turn = base_alloc(n, sizeof *w->turn);
    w->target = base_alloc(n, sizeof *w->target);
    w->strains = base_alloc(n, sizeof *w->strains);
    w->tension = base_alloc(n, sizeof *w->tension);
    if (!w->role || !w->matrix || !w->border || !w->answer || !w->corner || !w->turn || !w->target || !w->strains ||
        !w->tension)
        return SHEAF_ERR_MEMORY;
    set_roles(w);
    return SHEAF_OK;
}

void welded_close(welded_strand *w)
{
    rod_close(&w->rod);
    base_free(w->role);
    base_free(w->matrix);
    base_free(w->border);
    base_free(w->answer);
    base_free(w->corner);
    base_free(w->turn);
    base_free(w->target);
    base_free(w->strains);
    base_free(w->tension);
    *w = (welded_strand){0};
}

// ---- the guess

static void velocities_of_pose(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_sub(rod->v[i], rod->x[i], rod->start[i]);
        vec_scale(rod->v[i], rod->v[i], w->slope);
        if (w->second_order)
            vec_axpy(rod->v[i], -0.5 / w->step, rod->displacement[i]);
    }
}

static void inertial_target(const welded_strand *w, uint32_t i, double target[3])
{
    const ref_rod *rod = &w->rod;
    vec_copy(target, rod->start[i]);
    if (!w->second_order) {
        vec_axpy(target, w->step, rod->v[i]);
        return;
    }
    vec_axpy(target, 1.0 / 3, rod->displacement[i]);
    vec_axpy(target, 8 * w->step / 9, rod->v[i]);
    vec_axpy(target, -2 * w->step / 9, rod->last_velocity[i]);
}

static void keep_strains(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    ref_curvature(rod);
    for (uint32_t i = 1; i < rod->vertex_count - 1; i++) {
        for (int a = 0; a < 4; a++)
            w->strains[i][a] = rod->w[i][a / 2][a % 2];
        w->strains[i][4] = rod->m[i];
    }
}

void welded_begin(welded_strand *w, double time, double step, const rigid_state *bodies)
{
    ref_rod *rod = &w->rod;
    w->schedule = ref_schedule_default(rod, step);
    w->second_order = w->schedule.bdf2 && rod->record->has_history;
    w->time = time;
    w->step = step;
    w->inertia = (w->second_order ? 2.25 : 1) / (step * step);
    w->slope = (w->second_order ? 1.5 : 1) / step;
    rod->bodies = bodies;
    rod->record->newton = 0;
    ref_keep_start(rod);
    keep_strains(w);
    memcpy(w->tension, rod->tension, rod->edge_count * sizeof *w->tension);
    memset(w->turn, 0, rod->edge_count * sizeof *w->turn);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        inertial_target(w, i, w->target[i]);
        vec_copy(rod->x[i], w->target[i]);
        vec_copy(rod->last_velocity[i], rod->v[i]);
    }
    velocities_of_pose(w);
    ref_ends(rod, time);
    ref_wind(rod, time);
}

// ---- assembly

static void add_entry(welded_strand *w, uint32_t row, uint32_t column, double value)
{
    const int32_t a = w->role[row], b = w->role[column];
    if (a == WELDED_HELD || b == WELDED_HELD)
        return;
    if (a == WELDED_FREE && b == WELDED_FREE && row >= column)
        w->matrix[(size_t)column * (BAND + 1) + row - column] += value;
    else if (a == WELDED_FREE && b >= 0)
        w->border[(size_t)b * w->unknowns + row] += value;
    else if (a >= 0 && b >= 0)
        w->corner[(size_t)a * w->columns + (size_t)b] += value;
}

// Adds weight row row^T; `count` unknowns from `first` on.
static void add_square(welded_strand *w, uint32_t first, uint32_t count, const double *row, double weight)
{
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++)
            add_entry(w, first + a, first + b, weight * row[a] * row[b]);
}

static void add_tensor(welded_strand *w, uint32_t i, double tensor[3][3], double weight)
{
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            add_entry(w, 4 * i + a, 4 * i + b, weight * tensor[a][b]);
}

static bool is_on_body(const welded_strand *w, uint32_t i)
{
    return w->role[4 * i] >= 0;
}

// Mass, weight and drag of vertices on bodies are the bodies'.
static void add_inertia(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double weight = w->inertia * rod->mass[i];
        double behind[3], drag[3][3];
        if (is_on_body(w, i)) {
            vec_set(rod->force[i], 0, 0, 0);
            continue;
        }
        vec_sub(behind, w->target[i], rod->x[i]);
        vec_axpy(rod->force[i], weight, behind);
        for (uint32_t c = 0; c < 3; c++)
            add_entry(w, 4 * i + c, 4 * i + c, weight);
        ref_drag_tensor(rod, i, drag);
        add_tensor(w, i, drag, w->slope);
    }
}

// Derivatives of the strains at vertex i by the angles of the edges before and after it, as the matrix takes them.
static void angle_rows(const ref_rod *rod, uint32_t i, const double stiffness[5], const double residual[5],
                       double row[5][2], double extra[2])
{
    memset(row, 0, 10 * sizeof(double));
    for (int side = 0; side < 2; side++) {
        const double *s = rod->w[i][side], *k = stiffness + 2 * side, *r = residual + 2 * side;
        const double p = s[1] - k[1] / k[0] * r[1], q = k[0] / k[1] * r[0] - s[0];
        const double exact = k[0] * s[1] * s[1] + k[1] * s[0] * s[0] - k[0] * s[0] * r[0] - k[1] * s[1] * r[1];
        row[2 * side][side] = p;
        row[2 * side + 1][side] = q;
        extra[side] = fmax(exact - (k[0] * p * p + k[1] * q * q), 0);
    }
    row[4][0] = -1;
    row[4][1] = 1;
}

// What internal damping does to a frame on a body; free frames are in equilibrium without it.
static void damp_frames(welded_strand *w, uint32_t i, int a, double push, double *angle_force)
{
    const double *s = w->rod.w[i][a < 4 ? a / 2 : 0];
    if (a == 4) {
        angle_force[i - 1] -= -push;
        angle_force[i] -= push;
    } else {
        angle_force[a < 2 ? i - 1 : i] -= push * (a % 2 == 0 ? s[1] : -s[0]);
    }
}

static void add_elasticity(welded_strand *w, double *angle_force)
{
    ref_rod *rod = &w->rod;
    const double damping = rod->strand->damping / w->step;
    for (uint32_t i = 1; i < rod->vertex_count - 1; i++) {
        double gradient[5][3][3], stiffness[5], residual[5], angle[5][2], extra[2];
        ref_elastic_rows(rod, i, gradient, stiffness, residual);
        angle_rows(rod, i, stiffness, residual, angle, extra);
        for (int a = 0; a < 5; a++) {
            const double strain = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i];
            const double push = damping * stiffness[a] * (strain - w->strains[i][a]);
            double row[STENCIL];
            for (int k = 0; k < 3; k++) {
                vec_axpy(rod->force[i - 1 + (uint32_t)k], -push, gradient[a][k]);
                vec_copy(row + (size_t)4 * (size_t)k, gradient[a][k]);
            }
            row[3] = angle[a][0];
            row[7] = angle[a][1];
            damp_frames(w, i, a, push, angle_force);
            add_square(w, 4 * (i - 1), STENCIL, row, stiffness[a] * (1 + damping));
        }
        for (uint32_t side = 0; side < 2; side++)
            add_entry(w, 4 * (i - 1 + side) + 3, 4 * (i - 1 + side) + 3, extra[side]);
    }
}

// An angle that nothing resists, as that of a straight strand on ball joints, is held by next to nothing.
static void add_floor(welded_strand *w)
{
    const ref_rod *rod = &w->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        add_entry(w, 4 * j + 3, 4 * j + 3, 1e-9 * fmax(rod->bend[j][0], rod->bend[j][1]) / rod->rest_length[j]);
}

static bool edge_is_rigid(const welded_strand *w, uint32_t j)
{
    return w->role[4 * j] != WELDED_FREE && w->role[4 * j + 4] != WELDED_FREE;
}

// As that of a strand alone, against the inertia of what hangs on it: the bodies, over all edges one after the other. A
// softer one would carry little of their weight in an iteration, and tensions would take many to be found.
static double stretch_weight(const welded_strand *w, uint32_t j)
{
    const ref_rod *rod = &w->rod;
    const double l = rod->rest_length[j], mass = (rod->mass[j] + rod->mass[j + 1]) / 2 + w->burden;
    const double inertia = (w->schedule.bdf2 ? 2.25 : 1) / (w->step * w->step);
    return w->schedule.stretch_factor * (inertia * mass + fmax(rod->bend[j][0], rod->bend[j][1]) / (l * l * l));
}

static void add_edge_stiffness(welded_strand *w, uint32_t j, const double direction[3], double weight)
{
    double row[7] = {0};
    vec_scale(row, direction, -1);
    vec_copy(row + 4, direction);
    add_square(w, 4 * j, 7, row, weight);
}

static void add_stretch(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double weight = stretch_weight(w, j), *t = rod->tangent[j];
        const double pull = rod->tension[j] + weight * (rod->length[j] - rod->rest_length[j]);
        const double across = fmax(rod->tension[j], 0) / rod->length[j];
        double normal[3], side[3];
        if (edge_is_rigid(w, j))
            continue;
        vec_axpy(rod->force[j], pull, t);
        vec_axpy(rod->force[j + 1], -pull, t);
        add_edge_stiffness(w, j, t, weight);
        vec_normal(normal, t);
        vec_cross(side, t, normal);
        add_edge_stiffness(w, j, normal, across);
        add_edge_stiffness(w, j, side, across);
    }
}

static void add_contacts(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    if (rod->model->collider_count == 0)
        return;
    ref_contact_find(rod, w->time, w->step);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const ref_contact *contact = &rod->contacts[i];
        double tensor[3][3];
        if (is_on_body(w, i))
            continue;
        ref_contact_hold(rod, i, stretch_weight(w, i > 0 ? i - 1 : 0), w->step, w->is_first);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                tensor[r][c] = (r == c) * contact->grip +
                               (contact->stiffness - contact->grip) * contact->normal[r] * contact->normal[c];
        if (contact->stiffness > 0)
            add_tensor(w, i, tensor, 1);
    }
}

// Matrix, border and corner; forces in rod->force, moments on frames in `angle_force`.
static void assemble(welded_strand *w, double *angle_force)
{
    ref_rod *rod = &w->rod;
    memset(w->matrix, 0, (size_t)w->unknowns * (BAND + 1) * sizeof *w->matrix);
    memset(w->border, 0, (size_t)w->columns * w->unknowns * sizeof *w->border);
    memset(w->corner, 0, (size_t)w->columns * w->columns * sizeof *w->corner);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    for (uint32_t k = 0; k < w->unknowns; k++)
        if (w->role[k] != WELDED_FREE)
            w->matrix[(size_t)k * (BAND + 1)] = 1;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        angle_force[j] = rod->axial_couple[j] - rod->angle_gradient[j];
    ref_external_forces(rod, w->time);
    add_inertia(w);
    ref_bend_twist_forces(rod);
    add_elasticity(w, angle_force);
    add_floor(w);
    add_stretch(w);
    add_contacts(w);
}

// ---- condensing

static void gather_right(const welded_strand *w, const double *angle_force, double *right, double *joints)
{
    for (uint32_t k = 0; k < w->unknowns; k++) {
        const bool is_angle = k % 4 == 3;
        const double value = !is_angle                   ? w->rod.force[k / 4][k % 4]
                             : k / 4 < w->rod.edge_count ? angle_force[k / 4]
                                                         : 0;
        right[k] = w->role[k] == WELDED_FREE ? value : 0;
        if (w->role[k] >= 0)
            joints[w->role[k]] = value;
    }
}

static void condense(const welded_strand *w, couple_strand *out)
{
    const uint32_t n = w->columns;
    const double *plain = w->answer + (size_t)n * w->unknowns;
    memcpy(out->matrix, w->corner, (size_t)n * n * sizeof *out->matrix);
    for (uint32_t a = 0; a < n; a++) {
        const double *border = w->border + (size_t)a * w->unknowns;
        for (uint32_t k = 0; k < w->unknowns; k++) {
            out->right[a] -= border[k] * plain[k];
            for (uint32_t b = 0; b < n && border[k] != 0; b++)
                out->matrix[(size_t)a * n + b] -= border[k] * w->answer[(size_t)b * w->unknowns + k];
        }
    }
}

static sheaf_status follow_with_frames(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    ref_frames(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (!rod->angle_is_held[j])
            rod->theta[j] += w->turn[j];
    ref_axial_couples(rod, w->time);
    return ref_twist(rod, &w->schedule.twist);
}

sheaf_status welded_linearise(welded_strand *w, const rigid_state *bodies, bool is_first, couple_strand *out)
{
    ref_rod *rod = &w->rod;
    const int rows = (int)w->unknowns, columns = (int)w->columns;
    double *right = w->answer + (size_t)w->columns * w->unknowns;
    rod->bodies = bodies;
    w->is_first = is_first;
    SHEAF_TRY(follow_with_frames(w));
    assemble(w, w->turn);
    gather_right(w, w->turn, right, out->right);
    memcpy(w->answer, w->border, (size_t)w->columns * w->unknowns * sizeof *w->answer);
    const bool solved =
        LAPACKE_dpbtrf(LAPACK_COL_MAJOR, 'L', rows, BAND, w->matrix, BAND + 1) == 0 &&
        LAPACKE_dpbtrs(LAPACK_COL_MAJOR, 'L', rows, BAND, columns + 1, w->matrix, BAND + 1, w->answer, rows) == 0;
    if (!solved) // the guard finds it at the end of the step
        for (uint32_t k = 0; k < w->unknowns; k++)
            right[k] = NAN;
    condense(w, out);
    return SHEAF_OK;
}

// ---- substituting

static void update_tensions(welded_strand *w)
{
    ref_rod *rod = &w->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        if (edge_is_rigid(w, j))
            continue;
        vec_sub(edge, rod->x[j + 1], rod->x[j]);
        rod->tension[j] += stretch_weight(w, j) * (vec_dot(edge, rod->tangent[j]) - rod->rest_length[j]);
    }
}

static bool has_settled(const welded_strand *w)
{
    static const double least_update = 1e-3, least_stretch = 1e-7;
    const ref_rod *rod = &w->rod;
    double shortest = INFINITY, worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double l = rod->rest_length[j];
        double edge[3];
        vec_sub(edge, rod->x[j + 1], rod->x[j]);
        shortest = fmin(shortest, l);
        if (!edge_is_rigid(w, j))
            worst = fmax(worst, fabs(vec_dot(edge, edge) / (l * l) - 1));
    }
    for (uint32_t i = 0; i < rod->vertex_count && rod->model->collider_count > 0; i++)
        if (rod->contacts[i].stiffness > 0 && (w->is_first || rod->contacts[i].press == 0))
            return false;
    return w->update <= least_update * shortest && worst <= least_stretch;
}

bool welded_accept(welded_strand *w, const rigid_state *bodies, const couple_strand *given)
{
    ref_rod *rod = &w->rod;
    double *change = w->answer + (size_t)w->columns * w->unknowns;
    for (uint32_t c = 0; c < w->columns; c++)
        for (uint32_t k = 0; k < w->unknowns; k++)
            change[k] -= given->change[c] * w->answer[(size_t)c * w->unknowns + k];
    w->update = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        if (w->role[4 * i] == WELDED_FREE) {
            vec_add(rod->x[i], rod->x[i], change + (size_t)4 * i);
            w->update = fmax(w->update, vec_length(change + (size_t)4 * i));
        }
        if (i < rod->edge_count) // at most 1 rad, as in any iteration of the twist
            w->turn[i] = fmax(fmin(change[4 * i + 3], 1), -1);
    }
    rod->bodies = bodies;
    velocities_of_pose(w);
    ref_ends(rod, w->time);
    update_tensions(w);
    for (uint32_t i = 0; i < rod->vertex_count && rod->model->collider_count > 0; i++)
        ref_contact_press(rod, i);
    rod->record->newton++;
    return has_settled(w);
}

// ---- the end of the step

static void commit_tensions(welded_strand *w, double violation)
{
    ref_rod *rod = &w->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const uint32_t i = w->role[4 * j + 4] == WELDED_FREE ? j + 1 : j;
        const double inertia = w->inertia + w->slope * ref_drag(rod, i) / rod->mass[i];
        if (edge_is_rigid(w, j))
            continue;
        rod->tension[j] += inertia * 2 * rod->multiplier[j] * rod->rest_length[j];
        if (!(violation <= 0.01))
            rod->tension[j] = w->tension[j] / 2;
    }
}

sheaf_status welded_end(welded_strand *w, const rigid_state *bodies)
{
    ref_rod *rod = &w->rod;
    ref_project_result projected;
    double *inertia = w->answer; // free now, and larger
    rod->bodies = bodies;
    ref_ends(rod, w->time);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        inertia[i] = w->inertia * rod->mass[i] + w->slope * ref_drag(rod, i);
    SHEAF_TRY(ref_constrain(rod, w->time, w->step, inertia, &w->schedule.project, &projected));
    rod->record->projections = projected.iterations;
    commit_tensions(w, projected.violation);
    velocities_of_pose(w);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        ref_contact_velocity(rod, i, w->step);
    ref_ends(rod, w->time);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_sub(rod->displacement[i], rod->x[i], rod->start[i]);
    rod->record->has_history = true;
    SHEAF_TRY(follow_with_frames(w));
    return SHEAF_OK;
}
