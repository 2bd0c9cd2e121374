// ledger: what a strand gains in a step beyond what is done to it: its energy afterwards, less its energy before and
// the work of all that acts on it. Forces are those at the end of the step, times the displacements of the step:
// implicit Euler then gains nothing where the energy is convex. What the formulas of time lose by themselves is a
// negative gain.
#include "der/ref/ref.h"

#include "base/vec.h"
#include "der/ledger.h"

// Work of what acts on the strand, with its sign, and the sum of its parts by size.
typedef struct work {
    double sum, size; // J
} work;

static void add_work(work *w, double part)
{
    w->sum += part;
    w->size += fabs(part);
}

// The first vertex that no motion carries. What a clamp moves as it likes is no concern of the strand's.
static uint32_t first_own(const ref_rod *rod)
{
    return der_is_carried(rod->model, (uint32_t)(rod->strand - rod->model->strands)) ? 2 : 0;
}

ref_energies ref_ledger_energies(const ref_rod *rod)
{
    ref_energies sum = {.elastic = ref_bending_energy(rod) + ref_twisting_energy(rod)};
    for (uint32_t i = first_own(rod); i < rod->vertex_count; i++) {
        sum.kinetic += 0.5 * rod->mass[i] * vec_dot(rod->v[i], rod->v[i]);
        sum.gravitational -= rod->mass[i] * vec_dot(rod->model->def.gravity, rod->x[i]);
    }
    return sum;
}

// The air, and what pushes at every vertex. Weight is part of the energy; its work counts by size alone. Drag lets
// velocities settle as exp(-drag t): of its mean in a step, 1/2 / (1 + drag h / 4) is near the weight of the start.
static void add_loads(const ref_rod *rod, const ref_before *before, double time, double step, work *w)
{
    const sheaf_end_def *ends[2] = {rod->strand->root, rod->strand->tip};
    double air = 0, push = 0, weight = 0;
    for (uint32_t i = first_own(rod); i < rod->vertex_count; i++) {
        const double settles = 0.5 / (1 + 0.25 * step * ref_drag(rod, i) / rod->mass[i]);
        double move[3], wind[3], slowing[3], tensor[3][3];
        vec_sub(move, rod->x[i], rod->start[i]);
        vec_sub(slowing, before->velocity[i], rod->v[i]);
        vec_sub(wind, rod->air[i], rod->v[i]);
        vec_axpy(wind, -settles, slowing);
        ref_drag_tensor(rod, i, tensor);
        for (int c = 0; c < 3; c++)
            air += vec_dot(tensor[c], wind) * move[c];
        if (rod->push != NULL)
            push += vec_dot(rod->push[i], move);
        weight += rod->mass[i] * vec_dot(rod->model->def.gravity, move);
    }
    add_work(w, air);
    add_work(w, push);
    w->size += fabs(weight);
    for (int e = 0; e < 2 && !rod->closed; e++) {
        const uint32_t i = e == 0 ? 0 : rod->vertex_count - 1;
        double move[3], force[3];
        vec_sub(move, rod->x[i], rod->start[i]);
        for (int c = 0; c < 3; c++)
            force[c] = scene_course(&ends[e]->force[c], time);
        add_work(w, vec_dot(force, move));
    }
}

// Force of the collider at vertex i: pressure, and friction of the damper that the solve has put there.
static void contact_force(const ref_rod *rod, uint32_t i, double force[3])
{
    const ref_contact *contact = &rod->contacts[i];
    double slide[3];
    vec_scale(force, contact->normal, rod->touch[i]);
    if (contact->stiffness == 0)
        return;
    vec_sub(slide, rod->x[i], rod->start[i]);
    vec_sub(slide, slide, contact->drift);
    vec_axpy(slide, -vec_dot(slide, contact->normal), contact->normal);
    vec_axpy(force, -contact->grip, slide);
}

static bool touches(const ref_rod *rod, uint32_t i)
{
    return rod->model->collider_count > 0 && rod->touch[i] > 0 && isfinite(rod->contacts[i].gap);
}

// Colliders work by moving, and take by friction. A surface that stays takes what vertices run into it with, too; that
// is a loss of the step, as in any impact.
static void add_contacts(const ref_rod *rod, work *w)
{
    double driven = 0, rubbed = 0;
    for (uint32_t i = first_own(rod); i < rod->vertex_count; i++) {
        double force[3], slide[3];
        if (!touches(rod, i))
            continue;
        contact_force(rod, i, force);
        vec_sub(slide, rod->x[i], rod->start[i]);
        vec_sub(slide, slide, rod->contacts[i].drift);
        vec_axpy(slide, -vec_dot(slide, rod->contacts[i].normal), rod->contacts[i].normal);
        driven += vec_dot(force, rod->contacts[i].drift);
        rubbed += vec_dot(force, slide);
    }
    add_work(w, driven);
    add_work(w, rubbed);
}

// Internal damping: -g k (ds/dt) times what the strain changed by.
static void add_damping(const ref_rod *rod, const ref_before *before, double step, work *w)
{
    double lost = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod) && rod->strand->damping > 0; i++) {
        double gradient[5][3][3], stiffness[5], residual[5];
        ref_elastic_rows(rod, i, gradient, stiffness, residual);
        for (int a = 0; a < 5; a++) {
            const double now = a < 4 ? rod->w[i][a / 2][a % 2] : rod->m[i], was = rod->last_strain[i][a];
            const double rate =
                before->has_history ? (3 * now - 4 * was + before->last_strain[i][a]) / (2 * step) : (now - was) / step;
            lost -= rod->strand->damping * stiffness[a] * rate * (now - was);
        }
    }
    add_work(w, lost);
}

// What the motion of a clamp does to all that it carries. Internal forces do no work on a rigid displacement, so that
// of the reaction is what the rest of d'Alembert's sum does on the displacement of the clamp, continued to every
// vertex: the sum of (m a - f) . (shift + (1 - R^T) (x - x_0)).
static void add_clamp(const ref_rod *rod, const ref_before *before, double step, work *w)
{
    double start[3][3], end[3][3], sum = 0, shift[3];
    if (first_own(rod) == 0)
        return;
    vec_copy(start[0], rod->start_tangent[0]);
    vec_copy(start[1], before->director);
    vec_cross(start[2], start[0], start[1]);
    vec_copy(end[0], rod->tangent[0]);
    vec_copy(end[1], rod->m1[0]);
    vec_cross(end[2], end[0], end[1]);
    vec_sub(shift, rod->x[0], rod->start[0]);
    for (uint32_t i = first_own(rod); i < rod->vertex_count; i++) {
        double arm[3], ride[3], force[3], wind[3], tensor[3][3];
        vec_sub(arm, rod->x[i], rod->x[0]);
        vec_add(ride, shift, arm);
        for (int a = 0; a < 3; a++)
            vec_axpy(ride, -vec_dot(end[a], arm), start[a]);
        for (int c = 0; c < 3; c++) {
            const double rate =
                before->has_history
                    ? (3 * rod->v[i][c] - 4 * before->velocity[i][c] + before->last_velocity[i][c]) / (2 * step)
                    : (rod->v[i][c] - before->velocity[i][c]) / step;
            force[c] = rod->mass[i] * (rate - rod->model->def.gravity[c]);
        }
        vec_sub(wind, rod->air[i], rod->v[i]);
        ref_drag_tensor(rod, i, tensor);
        for (int c = 0; c < 3; c++)
            force[c] -= vec_dot(tensor[c], wind);
        if (rod->push != NULL)
            vec_sub(force, force, rod->push[i]);
        if (touches(rod, i)) {
            double pressed[3];
            contact_force(rod, i, pressed);
            vec_sub(force, force, pressed);
        }
        sum += vec_dot(force, ride);
    }
    add_work(w, sum);
}

// The floor is what rounding of single precision leaves of a strand's energies.
ref_gain ref_ledger(const ref_rod *rod, const ref_before *before, double time, double step)
{
    static const double share = 0.05, floor_share = 1e-6;
    work w = {0};
    add_loads(rod, before, time, step, &w);
    add_contacts(rod, &w);
    add_damping(rod, before, step, &w);
    add_clamp(rod, before, step, &w);
    double length = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        length += rod->rest_length[j];
    const ref_energies after = ref_ledger_energies(rod);
    const double kinetic = fmax(before->energies.kinetic, after.kinetic);
    const double weight = rod->strand->mass * vec_length(rod->model->def.gravity) * length;
    w.size += fabs(after.elastic - before->energies.elastic);
    const double gain = after.kinetic - before->energies.kinetic + after.elastic - before->energies.elastic +
                        after.gravitational - before->energies.gravitational - w.sum;
    return (ref_gain){.gain = gain, .bar = share * (kinetic + w.size) + floor_share * (after.elastic + weight)};
}
