// implicit: one step of BDF2 or implicit Euler: inertial guess, Gauss-Newton iterations on an assembled matrix, then
// projection.
//
// BDF2 with displacements u = x - x_n: v = (3 u - u_n) / (2 h), a = (3 v - 4 v_n + v_{n-1}) / (2 h), so that
//     (9/4) M/h^2 (x_hat - x) + f(x, v) = 0,   x_hat = x_n + u_n/3 + (2 h/9)(4 v_n - v_{n-1}).
// Euler, also where BDF2 has no history yet: M/h^2 (x_hat - x) + f(x, v) = 0, x_hat = x_n + h v_n, v = u / h.
#include "der/ref/ref.h"

#include <lapacke.h>
#include <string.h>

#include "base/vec.h"
#include "der/schedule.h"

// ---- the time formula

typedef struct formula {
    bool second_order;
    double step;
    double inertia; // 1/s^2, of M in the matrix
    double slope;   // 1/s, dv/dx
} formula;

static formula choose_formula(const ref_rod *rod, double step, bool bdf2)
{
    const bool second_order = bdf2 && rod->record->has_history;
    return (formula){.second_order = second_order,
                     .step = step,
                     .inertia = (second_order ? 2.25 : 1) / (step * step),
                     .slope = (second_order ? 1.5 : 1) / step};
}

// Where vertex i would go without any force.
static void inertial_target(const ref_rod *rod, const formula *f, uint32_t i, double target[3])
{
    vec_copy(target, rod->start[i]);
    if (!f->second_order) {
        vec_axpy(target, f->step, rod->v[i]);
        return;
    }
    vec_axpy(target, 1.0 / 3, rod->displacement[i]);
    vec_axpy(target, 8 * f->step / 9, rod->v[i]);
    vec_axpy(target, -2 * f->step / 9, rod->last_velocity[i]);
}

// Velocities that belong to the positions x.
static void velocities_of_pose(ref_rod *rod, const formula *f)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_sub(rod->v[i], rod->x[i], rod->start[i]);
        vec_scale(rod->v[i], rod->v[i], f->slope);
        if (f->second_order)
            vec_axpy(rod->v[i], -0.5 / f->step, rod->displacement[i]);
    }
}

// ---- the linear system in the rod's freedoms

enum {
    BAND_OPEN = 8,    // three neighbouring vertices with three freedoms each
    BAND_CLOSED = 14, // the same in a folded ring
};

typedef struct newton {
    ref_rod *rod;
    const ref_schedule *schedule;
    formula formula;
    double time;          // s, of the end of the step
    double (*target)[3];  // [vertex] m, x_hat
    double (*strains)[5]; // [vertex] strains that would not change by the formula, in the order of ref_elastic_rows
    double *tension;      // [edge] N, at the start of the step
    ref_freedom *freedoms;
    uint32_t count;  // freedoms
    uint32_t *first; // [vertex] first freedom that moves the vertex
    uint32_t *ends;  // [vertex] one past the last
    uint32_t band;   // subdiagonals
    double *matrix;  // [freedom][band + 1] lower triangle by columns, as LAPACK's band storage has it
    double *unknown; // [freedom] right side, then the step
    double update;   // m, the farthest that the last iteration moved a vertex
} newton;

static void close_newton(newton *n)
{
    base_free(n->target);
    base_free(n->strains);
    base_free(n->tension);
    base_free(n->freedoms);
    base_free(n->first);
    base_free(n->matrix);
}

static void index_freedoms(newton *n)
{
    for (uint32_t k = n->count; k-- > 0;)
        for (uint32_t i = n->freedoms[k].first; i <= n->freedoms[k].second; i++) {
            n->first[i] = k;
            if (n->ends[i] == 0)
                n->ends[i] = k + 1;
        }
}

// A strain changes at the rate slope (s - s_0): s_0 = s_n by Euler's formula, (4 s_n - s_{n-1}) / 3 by BDF2's.
static void keep_strains(newton *n)
{
    ref_rod *rod = n->rod;
    ref_curvature(rod);
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++)
        for (int a = 0; a < 5; a++) {
            const double now = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i];
            n->strains[i][a] = n->formula.second_order ? (4 * now - rod->last_strain[i][a]) / 3 : now;
            rod->last_strain[i][a] = now;
        }
    ref_law_begin(rod);
}

static sheaf_status open_newton(ref_rod *rod, double time, const ref_schedule *schedule, formula f, newton *n)
{
    const size_t vertices = rod->vertex_count;
    *n = (newton){.rod = rod,
                  .schedule = schedule,
                  .formula = f,
                  .time = time,
                  .band = rod->closed ? BAND_CLOSED : BAND_OPEN,
                  .target = base_alloc(vertices, sizeof *n->target),
                  .strains = base_alloc(vertices, sizeof *n->strains),
                  .tension = base_alloc(vertices, sizeof *n->tension),
                  .freedoms = base_alloc(3 * vertices, sizeof *n->freedoms),
                  .first = base_alloc(2 * vertices, sizeof *n->first)};
    n->matrix = base_alloc(3 * vertices * (n->band + 2), sizeof *n->matrix);
    if (!n->target || !n->strains || !n->tension || !n->freedoms || !n->first || !n->matrix)
        return SHEAF_ERR_MEMORY;
    n->ends = n->first + vertices;
    n->unknown = n->matrix + 3 * vertices * (n->band + 1);
    n->count = ref_freedoms(rod, time, n->freedoms);
    index_freedoms(n);
    keep_strains(n);
    memcpy(n->tension, rod->tension, rod->edge_count * sizeof *n->tension);
    return SHEAF_OK;
}

// Row and column of a freedom. All vertices of a ring have three.
static uint32_t place_of(const newton *n, uint32_t freedom)
{
    return n->rod->closed ? 3 * rod_band_place(n->rod, freedom / 3) + freedom % 3 : freedom;
}

static void add_entry(newton *n, uint32_t row, uint32_t column, double value)
{
    if (row >= column)
        n->matrix[(size_t)column * (n->band + 1) + row - column] += value;
}

enum { ROW_MOST = 9 };

// A gradient over a few vertices, in the freedoms that move them.
typedef struct sparse_row {
    uint32_t count;
    uint32_t place[ROW_MOST];
    double value[ROW_MOST];
} sparse_row;

static void add_to_row(sparse_row *row, uint32_t place, double value)
{
    uint32_t k = 0;
    while (k < row->count && row->place[k] != place)
        k++;
    if (k == row->count)
        row->place[row->count++] = place, row->value[k] = 0;
    row->value[k] += value;
}

static sparse_row reduce(const newton *n, uint32_t vertices, const uint32_t *vertex, const double (*gradient)[3])
{
    sparse_row row = {.count = 0};
    for (uint32_t v = 0; v < vertices; v++)
        for (uint32_t k = n->first[vertex[v]]; k < n->ends[vertex[v]]; k++)
            add_to_row(&row, place_of(n, k), vec_dot(n->freedoms[k].direction, gradient[v]));
    return row;
}

// Adds weight row row^T.
static void add_square(newton *n, const sparse_row *row, double weight)
{
    for (uint32_t a = 0; a < row->count; a++)
        for (uint32_t b = 0; b < row->count; b++)
            add_entry(n, row->place[a], row->place[b], weight * row->value[a] * row->value[b]);
}

// ---- assembly

// Resistance of vertex i against being moved.
static void add_tensor(newton *n, uint32_t i, double tensor[3][3], double weight)
{
    for (uint32_t a = n->first[i]; a < n->ends[i]; a++)
        for (uint32_t b = n->first[i]; b < n->ends[i]; b++) {
            const double *to = n->freedoms[a].direction, *from = n->freedoms[b].direction;
            const double felt[3] = {vec_dot(tensor[0], from), vec_dot(tensor[1], from), vec_dot(tensor[2], from)};
            add_entry(n, place_of(n, a), place_of(n, b), weight * vec_dot(to, felt));
        }
}

// Drag grows with velocity, which grows with displacement by the formula's slope.
static void add_drag(newton *n, uint32_t i)
{
    double tensor[3][3];
    ref_drag_tensor(n->rod, i, tensor);
    add_tensor(n, i, tensor, n->formula.slope);
}

static void add_inertia(newton *n)
{
    ref_rod *rod = n->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double weight = n->formula.inertia * rod->mass[i];
        double behind[3];
        vec_sub(behind, n->target[i], rod->x[i]);
        vec_axpy(rod->force[i], weight, behind);
        for (uint32_t k = n->first[i]; k < n->ends[i]; k++)
            add_entry(n, place_of(n, k), place_of(n, k), weight);
        add_drag(n, i);
    }
}

// Stiffness of a law: sum over both sides of p_r K_rc p_c^T, with rows p of two curvatures and the twist.
static void add_law(newton *n, uint32_t i, const uint32_t vertex[3], const double gradient[5][3][3])
{
    const ref_answer answer = ref_law_answer(n->rod, i, true);
    sparse_row rows[5];
    for (int a = 0; a < 5; a++)
        rows[a] = reduce(n, 3, vertex, gradient[a]);
    for (int side = 0; side < 2; side++) {
        const sparse_row *of[3] = {&rows[2 * side], &rows[2 * side + 1], &rows[4]};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                for (uint32_t a = 0; a < of[r]->count; a++)
                    for (uint32_t b = 0; b < of[c]->count; b++)
                        add_entry(n, of[r]->place[a], of[c]->place[b],
                                  answer.stiffness[side][r][c] * of[r]->value[a] * of[c]->value[b]);
    }
}

// Elastic stiffness, and internal damping: a strain that changes at the rate ds/dt, by the formula, is opposed by g k
// ds/dt. Strains do not change when the strand moves as a rigid body, so such motion is not braked.
static void add_elasticity(newton *n)
{
    ref_rod *rod = n->rod;
    const double damping = rod->strand->damping * n->formula.slope;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t vertex[3] = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)};
        double gradient[5][3][3], stiffness[5], residual[5];
        ref_elastic_rows(rod, i, gradient, stiffness, residual);
        for (int a = 0; a < 5; a++) {
            const double strain = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i];
            for (int k = 0; k < 3; k++)
                vec_axpy(rod->force[vertex[k]], -damping * stiffness[a] * (strain - n->strains[i][a]), gradient[a][k]);
            const sparse_row row = reduce(n, 3, vertex, (const double(*)[3])gradient[a]);
            add_square(n, &row, stiffness[a] * ((rod->strand->law == NULL ? 1 : 0) + damping));
        }
        if (rod->strand->law != NULL)
            add_law(n, i, vertex, (const double(*)[3][3])gradient);
    }
}

// Strong enough that the solve leaves little for projection, weak enough for the matrix to stay well conditioned.
// The weight does not change where BDF2 starts with an Euler step.
static double stretch_weight(const newton *n, uint32_t j)
{
    const ref_rod *rod = n->rod;
    const double l = rod->rest_length[j], mass = (rod->mass[j] + rod->mass[rod_next_vertex(rod, j)]) / 2;
    return n->schedule->stretch_factor *
           (n->schedule->stretch_rate * mass + fmax(rod->bend[j][0], rod->bend[j][1]) / (l * l * l));
}

// Resistance of edge j against a change of its vector along a unit vector.
static void add_edge_stiffness(newton *n, uint32_t j, const double direction[3], double weight)
{
    const uint32_t vertex[2] = {j, rod_next_vertex(n->rod, j)};
    double gradient[2][3];
    vec_scale(gradient[0], direction, -1);
    vec_copy(gradient[1], direction);
    const sparse_row row = reduce(n, 2, vertex, (const double(*)[3])gradient);
    add_square(n, &row, weight);
}

// Edges pull with the tension T that the last step ended with, and stretch softly about it:
// T (|e| - l) + w (|e| - l)^2 / 2. Tension also resists being turned, by T / |e| across the edge; pressure would take
// that away, and is left out there to keep the matrix definite.
static void add_stretch(newton *n)
{
    ref_rod *rod = n->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double weight = stretch_weight(n, j), *t = rod->tangent[j];
        const double pull = rod->tension[j] + weight * (rod->length[j] - rod->rest_length[j]);
        const double across = fmax(rod->tension[j], 0) / rod->length[j];
        double normal[3], side[3];
        vec_axpy(rod->force[j], pull, t);
        vec_axpy(rod->force[rod_next_vertex(rod, j)], -pull, t);
        add_edge_stiffness(n, j, t, weight);
        vec_normal(normal, t);
        vec_cross(side, t, normal);
        add_edge_stiffness(n, j, normal, across);
        add_edge_stiffness(n, j, side, across);
    }
}

// After a step of Newton's method: the pull of the stretch, linear in the step, becomes part of the tension.
static void update_tensions(newton *n)
{
    ref_rod *rod = n->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        rod->tension[j] += stretch_weight(n, j) * (vec_dot(edge, rod->tangent[j]) - rod->rest_length[j]);
    }
}

// What projection pulled is part of the tension, too. Where it did not come near the lengths, what the step found is
// worth nothing, and what it began with perhaps little.
static void commit_tensions(newton *n, double violation)
{
    ref_rod *rod = n->rod;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const uint32_t i = rod_next_vertex(rod, j);
        const double inertia = n->formula.inertia + n->formula.slope * ref_drag(rod, i) / rod->mass[i];
        rod->tension[j] += inertia * 2 * rod->multiplier[j] * rod->rest_length[j];
        if (!(violation <= 0.01))
            rod->tension[j] = n->tension[j] / 2;
    }
}

// Springs and friction where vertices touch. They are as stiff as the edge's own soft stretch: what is left is pushed
// out afterwards, and presses without friction; with a tenth of that, a sixth of the pressure of a taut strand would.
static void add_contacts(newton *n, bool is_first)
{
    ref_rod *rod = n->rod;
    if (rod->model->collider_count == 0)
        return;
    ref_contact_find(rod, n->time, n->formula.step);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const ref_contact *contact = &rod->contacts[i];
        double tensor[3][3];
        ref_contact_hold(rod, i, stretch_weight(n, i > 0 ? i - 1 : 0), n->formula.step, is_first);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                tensor[r][c] = (r == c) * contact->grip +
                               (contact->stiffness - contact->grip) * contact->normal[r] * contact->normal[c];
        if (contact->stiffness > 0)
            add_tensor(n, i, tensor, 1);
    }
}

static void assemble(newton *n, bool is_first)
{
    ref_rod *rod = n->rod;
    memset(n->matrix, 0, (size_t)n->count * (n->band + 1) * sizeof *n->matrix);
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
    ref_external_forces(rod, n->time);
    ref_bend_twist_forces(rod);
    add_inertia(n);
    add_elasticity(n);
    add_stretch(n);
    add_contacts(n, is_first);
}

// Solves for the step and takes it. What has no solution becomes NaN, for the guard to find.
static void solve(newton *n)
{
    ref_rod *rod = n->rod;
    memset(n->unknown, 0, n->count * sizeof *n->unknown);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (uint32_t k = n->first[i]; k < n->ends[i]; k++)
            n->unknown[place_of(n, k)] += vec_dot(n->freedoms[k].direction, rod->force[i]);
    const int rows = (int)n->count, band = (int)n->band;
    const bool solved =
        LAPACKE_dpbsv(LAPACK_COL_MAJOR, 'L', rows, band, 1, n->matrix, band + 1, n->unknown, rows > 0 ? rows : 1) == 0;
    n->update = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double change[3] = {0};
        for (uint32_t k = n->first[i]; k < n->ends[i]; k++)
            vec_axpy(change, solved ? n->unknown[place_of(n, k)] : NAN, n->freedoms[k].direction);
        vec_add(rod->x[i], rod->x[i], change);
        n->update = fmax(n->update, vec_length(change));
    }
    update_tensions(n);
    for (uint32_t i = 0; i < rod->vertex_count && rod->model->collider_count > 0; i++)
        ref_contact_press(rod, i);
    velocities_of_pose(rod, &n->formula);
}

// ---- the step

// Every vertex goes where inertia and still air alone would take it, what is held to its place. Weight and wind stay
// out, so that a strand at rest in both is guessed to stay, and its pose does not depend on how far Newton's method
// goes. Loads on the ends stay out, too: they meet single light vertices, which without the strand's resistance would
// fly off.
static void guess(newton *n)
{
    ref_rod *rod = n->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        inertial_target(rod, &n->formula, i, n->target[i]);
        vec_copy(rod->x[i], n->target[i]);
        vec_copy(rod->last_velocity[i], rod->v[i]);
    }
    velocities_of_pose(rod, &n->formula);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double drag = ref_drag(rod, i);
        vec_axpy(rod->x[i], -drag / (n->formula.inertia * rod->mass[i] + n->formula.slope * drag), rod->v[i]);
    }
    velocities_of_pose(rod, &n->formula);
    ref_ends(rod, n->time);
    ref_wind(rod, n->time);
}

static double worst_stretch(const ref_rod *rod)
{
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        worst = fmax(worst, fabs(vec_dot(edge, edge) / (rod->rest_length[j] * rod->rest_length[j]) - 1));
    }
    return worst;
}

// Frames of the present pose, in equilibrium with it.
static sheaf_status follow_with_frames(newton *n)
{
    ref_frames(n->rod);
    ref_shorten_frames(n->rod);
    ref_axial_couples(n->rod, n->time);
    return ref_twist(n->rod, &n->schedule->twist);
}

// Whether contact would act otherwise in one more iteration: a spring that was found to pull lets go, and how strong
// friction is takes a first iteration to tell.
static bool contacts_change(const ref_rod *rod, bool is_first)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (rod->contacts[i].stiffness > 0 && (is_first || rod->contacts[i].press == 0))
            return true;
    return false;
}

static double shortest_edge(const ref_rod *rod)
{
    double shortest = INFINITY;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        shortest = fmin(shortest, rod->rest_length[j]);
    return shortest;
}

// Whether an iteration has left nothing to do for another one: it hardly moved anything, which bounds what is out of
// balance, edges are near their lengths, and contacts stay as they are.
static bool has_settled(const newton *n, bool is_first)
{
    const ref_schedule *schedule = n->schedule;
    return n->update <= schedule->newton_update * shortest_edge(n->rod) &&
           worst_stretch(n->rod) <= schedule->newton_tolerance && !contacts_change(n->rod, is_first);
}

static sheaf_status iterate(newton *n)
{
    const ref_schedule *schedule = n->schedule;
    const uint32_t least = schedule->newton > 0 ? schedule->newton : schedule->newton_least;
    const uint32_t most = schedule->newton > 0 ? schedule->newton : schedule->newton_most;
    uint32_t *done = &n->rod->record->newton;
    bool settled = false;
    for (*done = 0; *done < most && !settled;) {
        SHEAF_TRY(follow_with_frames(n));
        assemble(n, *done == 0);
        solve(n);
        ++*done;
        settled = *done >= least && has_settled(n, *done == 1);
    }
    n->rod->record->is_open = schedule->newton == 0 && !settled;
    return SHEAF_OK;
}

static void commit(newton *n)
{
    ref_rod *rod = n->rod;
    velocities_of_pose(rod, &n->formula);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        ref_contact_velocity(rod, i, n->formula.step);
    ref_ends(rod, n->time);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_sub(rod->displacement[i], rod->x[i], rod->start[i]);
    rod->record->has_history = true;
}

// Lengths, and vertices out of colliders.
static sheaf_status project_and_collide(newton *n, ref_project_result *projected)
{
    ref_rod *rod = n->rod;
    double *inertia = n->unknown; // free after the solve, and larger
    if (n->schedule->project.iterations == 0)
        return ref_project(rod, n->time, &n->schedule->project, projected);
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        inertia[i] = n->formula.inertia * rod->mass[i] + n->formula.slope * ref_drag(rod, i);
    return ref_constrain(rod, n->time, n->formula.step, inertia, &n->schedule->project, projected);
}

static sheaf_status take_step(newton *n)
{
    ref_project_result projected;
    guess(n);
    SHEAF_TRY(iterate(n));
    SHEAF_TRY(project_and_collide(n, &projected));
    n->rod->record->projections = projected.iterations;
    commit_tensions(n, projected.violation);
    commit(n);
    ref_frames(n->rod);
    ref_shorten_frames(n->rod);
    SHEAF_TRY(n->schedule->twist_at_end ? follow_with_frames(n) : SHEAF_OK);
    ref_law_end(n->rod);
    return SHEAF_OK;
}

sheaf_status ref_implicit_step(ref_rod *rod, double time, double step, const ref_schedule *schedule)
{
    newton n;
    ref_keep_start(rod);
    const formula f = choose_formula(rod, step, schedule->bdf2);
    sheaf_status status = open_newton(rod, time + step, schedule, f, &n);
    if (status == SHEAF_OK)
        status = take_step(&n);
    close_newton(&n);
    return status;
}

// Of a strand that settles at no earlier one.
static const uint32_t most_iterations = 40;

bool ref_took_all_iterations(const ref_rod *rod)
{
    return rod->record->is_open || rod->record->twist_iterations >= ref_twist_following().iterations;
}

ref_schedule ref_schedule_default(const ref_rod *rod, double step)
{
    const sheaf_scene_def *scene = &rod->model->def;
    const bool bdf2 = scene->integrator == SHEAF_INTEGRATOR_BDF2;
    const uint32_t strand = (uint32_t)(rod->strand - rod->model->strands);
    return (ref_schedule){.bdf2 = bdf2,
                          .newton = scene->newton,
                          .newton_least = model_newton_least(rod->model, strand),
                          .newton_most = most_iterations,
                          .newton_update = 0.01,
                          .newton_tolerance = 0.02,
                          .twist = ref_twist_following(),
                          .twist_at_end = true,
                          .stretch_factor = 100,
                          .stretch_rate = (bdf2 ? 2.25 : 1) / (step * step),
                          .project = {.projector = scene->projector,
                                      .relaxation = scene->relaxation,
                                      .start_gradients = scene->gradients == SHEAF_GRADIENTS_START,
                                      .iterations = scene->projection_iterations,
                                      .least = 2,
                                      .tolerance = scene->projection_tolerance,
                                      .rate = (bdf2 ? 2.25 : 1) / (step * step)}};
}
