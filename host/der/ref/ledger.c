// ledger: what a strand gains in a step beyond what is done to it: its energy afterwards, less its energy before and
// the work of all that acts on it. Forces are those at the end of the step, times the displacements of the step:
// implicit Euler then gains nothing where the energy is convex. What the formulas of time lose by themselves is a
// negative gain.
#include "der/ref/ref.h"

#include "base/vec.h"

// Work of what acts on the strand, with its sign, and the sum of its parts by size.
typedef struct work {
    double sum, size; // J
} work;

static void add_work(work *w, double part)
{
    w->sum += part;
    w->size += fabs(part);
}

double ref_total_energy(const ref_rod *rod)
{
    return ref_kinetic_energy(rod) + ref_bending_energy(rod) + ref_twisting_energy(rod) +
           ref_gravitational_energy(rod, rod->model->def.gravity);
}

// The air, and what pushes at every vertex. Weight is part of the energy; its work counts by size alone.
static void add_loads(const ref_rod *rod, double time, work *w)
{
    const sheaf_end_def *ends[2] = {rod->strand->root, rod->strand->tip};
    double air = 0, push = 0, weight = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double move[3], wind[3], tensor[3][3];
        vec_sub(move, rod->x[i], rod->start[i]);
        vec_sub(wind, rod->air[i], rod->v[i]);
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
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
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
    if (rod->strand->root->motion < 0 || !rod->strand->root->hold_tangent)
        return;
    vec_copy(start[0], rod->start_tangent[0]);
    vec_copy(start[1], before->director);
    vec_cross(start[2], start[0], start[1]);
    vec_copy(end[0], rod->tangent[0]);
    vec_copy(end[1], rod->m1[0]);
    vec_cross(end[2], end[0], end[1]);
    vec_sub(shift, rod->x[0], rod->start[0]);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
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
    add_loads(rod, time, &w);
    add_contacts(rod, &w);
    add_damping(rod, before, step, &w);
    add_clamp(rod, before, step, &w);
    double length = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++)
        length += rod->rest_length[j];
    const double elastic = ref_bending_energy(rod) + ref_twisting_energy(rod);
    const double kinetic = fmax(before->kinetic, ref_kinetic_energy(rod));
    const double weight = rod->strand->mass * vec_length(rod->model->def.gravity) * length;
    return (ref_gain){.gain = ref_total_energy(rod) - before->energy - w.sum,
                      .bar = share * (kinetic + w.size) + floor_share * (elastic + weight)};
}
