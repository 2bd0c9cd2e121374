// contact: solid things in a strand's way (line 9 of Algorithm 1). In the solve of an implicit step a vertex that
// touches is held by a stiff spring along the normal and by friction across it; after that vertices are pushed out and
// lengths restored along the surface, in turns, until both are right. Where that does not come to an end, edges turn
// one after the other, from root to tip, until they are out.
#include "der/ref/ref.h"

#include <string.h>

#include "base/vec.h"
#include "world/world.h"

// ---- what is nearest to the vertices

typedef struct collider_pose {
    double center[3], axes[3][3];
} collider_pose;

static void to_own_axes(const collider_pose *pose, const double place[3], double out[3])
{
    double arm[3];
    vec_sub(arm, place, pose->center);
    for (int c = 0; c < 3; c++)
        out[c] = vec_dot(pose->axes[c], arm);
}

static void to_scene(const collider_pose *pose, const double own[3], double out[3])
{
    vec_set(out, 0, 0, 0);
    for (int c = 0; c < 3; c++)
        vec_axpy(out, own[c], pose->axes[c]);
}

// The edge before a vertex stands for it.
static double edge_length(const ref_rod *rod, uint32_t i)
{
    return rod->rest_length[i > 0 ? i - 1 : 0];
}

// How far off a vertex may be, m, and still be held where it was pressed: in a large step it slides so far that a
// curved surface falls away under it.
static double reach_of(const ref_rod *rod, uint32_t i)
{
    return 0.25 * edge_length(rod, i);
}

// Out of reach only the distance counts.
static void look_at(const ref_rod *rod, const model_collider *collider, double time, double step, uint32_t i)
{
    ref_contact *contact = &rod->contacts[i];
    collider_pose now, before;
    double place[3], own[3], normal[3], was[3];
    vec_add(place, rod->origin, rod->x[i]);
    model_collider_pose(rod->model, collider, time, now.center, now.axes);
    to_own_axes(&now, place, own);
    const double gap = model_collider_gap(collider, own, normal);
    if (!(gap < contact->gap))
        return;
    contact->gap = gap;
    if (!(gap < reach_of(rod, i)))
        return;
    model_collider_before(rod->model, collider, time - step, time, before.center, before.axes);
    to_scene(&before, own, was);
    vec_add(was, was, before.center);
    vec_sub(contact->drift, place, was);
    to_scene(&now, normal, contact->normal);
    contact->friction = collider->friction;
}

void ref_contact_find(ref_rod *rod, double time, double step)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        rod->contacts[i].gap = INFINITY;
        for (uint32_t k = 0; k < rod->model->collider_count; k++)
            look_at(rod, &rod->model->colliders[k], time, step, i);
    }
}

// Vertices that are held, or belong to an edge whose direction is, pass through.
bool ref_contact_is_free(const ref_rod *rod, uint32_t i)
{
    const sheaf_end_def *root = rod->strand->root, *tip = rod->strand->tip;
    const uint32_t last = rod->vertex_count - 1;
    if (rod->closed)
        return true;
    const bool by_root = (i == 0 && root->hold_position) || (i <= 1 && root->hold_tangent);
    const bool by_tip = (i == last && tip->hold_position) || (i + 1 >= last && tip->hold_tangent);
    for (uint32_t k = 0; k < rod->joint_count; k++)
        if (i >= rod->joints[k].vertex && i < rod->joints[k].vertex + rod->joints[k].vertex_count)
            return false;
    return !by_root && !by_tip;
}

// How far the vertex went in this step along the surface, as seen from it; returns its length.
static double slide_of(const ref_rod *rod, uint32_t i, double slide[3])
{
    const ref_contact *contact = &rod->contacts[i];
    vec_sub(slide, rod->x[i], rod->start[i]);
    vec_sub(slide, slide, contact->drift);
    vec_axpy(slide, -vec_dot(slide, contact->normal), contact->normal);
    return vec_length(slide);
}

// ---- in the solve

// Slower sliding than this is resisted in proportion, m/s.
static const double creep = 1e-4;

// Friction where a vertex is pressed: Coulomb's limit against its slide, and in proportion to it where that is slower
// than a creep. It acts as a damper that would have just this force at the slide of the iteration before: a force of
// fixed size and direction, answering what pressed before, makes a strand that hits a surface swing from one iteration
// to the next. Where the damper of the iteration before (`grip`) was stronger than the limit, the vertex will slide
// farther than it did then, about by what is too much over its inertia, a hundredth of the spring's stiffness: else
// what begins to slide would be held back, step by step.
static void rub(ref_rod *rod, uint32_t i, double step, double grip)
{
    ref_contact *contact = &rod->contacts[i];
    double slide[3];
    const double length = slide_of(rod, i, slide), limit = contact->friction * contact->press;
    const double farther = length + fmax(grip * length - limit, 0) * 100 / contact->stiffness;
    contact->grip = limit / fmax(farther, creep * step);
    vec_axpy(rod->force[i], -contact->grip, slide);
    vec_scale(contact->slide, slide, length > creep * step ? 1 / length : 0);
}

// The spring presses with what it pressed with before, and with what its stiffness makes of the gap: so the gap closes
// while the press goes on, as tensions go on while lengths close, and friction feels all of it.
// What was pressed is held while it is within reach, so that the spring pulls it back to the surface it slid off; only
// a spring that is found to pull lets go. If distance alone decided, a vertex that the spring has just brought out
// would be let go, fall in, be brought out again, and so on.
void ref_contact_hold(ref_rod *rod, uint32_t i, double stiffness, double step, bool is_first)
{
    ref_contact *contact = &rod->contacts[i];
    if (is_first)
        contact->press = rod->touch[i];
    const bool touches = contact->gap < 0 || (contact->press > 0 && contact->gap < reach_of(rod, i));
    const double grip = is_first ? 0 : contact->grip;
    contact->stiffness = touches && ref_contact_is_free(rod, i) ? stiffness : 0;
    contact->grip = 0;
    if (contact->stiffness == 0) {
        vec_set(contact->slide, 0, 0, 0);
        return;
    }
    contact->level = vec_dot(contact->normal, rod->x[i]) - contact->gap + contact->press / contact->stiffness;
    vec_axpy(rod->force[i], contact->press - contact->stiffness * contact->gap, contact->normal);
    rub(rod, i, step, grip);
}

// After a step of Newton's method: what the spring, linear in the step, presses with.
void ref_contact_press(ref_rod *rod, uint32_t i)
{
    ref_contact *contact = &rod->contacts[i];
    contact->press = contact->stiffness * fmax(contact->level - vec_dot(contact->normal, rod->x[i]), 0);
}

// ---- afterwards

// Brings vertex i back to the surface. Where the solve did not know of the touch, friction acts here: it takes back as
// much of the slide as the push times its coefficient.
static void push_out(ref_rod *rod, uint32_t i, double inertia, bool is_first)
{
    ref_contact *contact = &rod->contacts[i];
    const double push = -contact->gap;
    double slide[3];
    vec_axpy(rod->x[i], push, contact->normal);
    if (contact->stiffness == 0) {
        const double length = slide_of(rod, i, slide);
        if (length > 0)
            vec_axpy(rod->x[i], -fmin(1, contact->friction * push / length), slide);
    }
    if (!is_first || contact->stiffness == 0)
        rod->touch[i] += push * inertia;
    contact->is_marked = true;
}

bool ref_contact_push(ref_rod *rod, double time, double step, const double *inertia, bool is_first)
{
    bool goes_on = false;
    ref_contact_find(rod, time, step);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double length = edge_length(rod, i);
        if (is_first) {
            rod->touch[i] = rod->contacts[i].press;
            rod->contacts[i].is_marked =
                rod->contacts[i].stiffness > 0 && rod->contacts[i].press > 0 && rod->contacts[i].gap < reach_of(rod, i);
        }
        if (!(rod->contacts[i].gap < 0) || !ref_contact_is_free(rod, i))
            continue;
        goes_on = goes_on || rod->contacts[i].gap < -1e-4 * length;
        push_out(rod, i, inertia[i], is_first);
    }
    return goes_on;
}

// ---- where pushing and restoring lengths in turns does not come to an end

// Whether an edge is off its length by more than pushing may leave.
static bool is_stretched(const ref_rod *rod)
{
    static const double tolerance = 1e-3; // of squared lengths
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3];
        vec_sub(edge, rod->x[rod_next_vertex(rod, j)], rod->x[j]);
        if (fabs(vec_dot(edge, edge) / (rod->rest_length[j] * rod->rest_length[j]) - 1) > tolerance)
            return true;
    }
    return false;
}

static bool was_pushed(const ref_rod *rod)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (rod->contacts[i].is_marked)
            return true;
    return false;
}

// Turns an edge of the given length about its near vertex, by as little as brings its far vertex, `gap` inside, onto
// the plane normal to `normal`. Where it could turn to any side it turns to `aside`.
static void turn_out(double edge[3], double length, const double normal[3], double gap, const double aside[3])
{
    const double along = vec_dot(edge, normal), height = fmax(fmin(along - gap, length), -length);
    double across[3];
    vec_copy(across, edge);
    vec_axpy(across, -along, normal);
    if (vec_length(across) <= 1e-3 * length) {
        vec_copy(across, aside);
        vec_axpy(across, -vec_dot(aside, normal), normal);
    }
    vec_scale(edge, across, sqrt(fmax(length * length - height * height, 0)) / fmax(vec_length(across), 1e-15));
    vec_axpy(edge, height, normal);
}

// Brings edge j to its length and its far vertex out of all colliders.
static void turn_edge(const ref_rod *rod, uint32_t j, double time, double edge[3])
{
    enum { TURNS = 4 };
    const uint32_t count = rod->model->collider_count;
    vec_scale(edge, edge, rod->rest_length[j] / fmax(vec_length(edge), 1e-15));
    for (uint32_t k = 0; k < TURNS * count; k++) {
        const model_collider *collider = &rod->model->colliders[k % count];
        collider_pose pose;
        double place[3], own[3], own_normal[3], normal[3];
        vec_add(place, rod->origin, rod->x[j]);
        vec_add(place, place, edge);
        model_collider_pose(rod->model, collider, time, pose.center, pose.axes);
        to_own_axes(&pose, place, own);
        const double gap = model_collider_gap(collider, own, own_normal);
        to_scene(&pose, own_normal, normal);
        if (gap < 0)
            turn_out(edge, rod->rest_length[j], normal, gap, rod->m1[j]);
    }
}

// From root to tip; what lies beyond an edge goes along. A strand whose tip is held, or that is closed, stays as it is.
// What pressed is forgotten.
static void sweep(ref_rod *rod, double time)
{
    const uint32_t last = rod->vertex_count - 1;
    double shift[3] = {0, 0, 0};
    if (rod->closed || !ref_contact_is_free(rod, last))
        return;
    for (uint32_t j = 0; j < last; j++) {
        double old[3], edge[3], change[3];
        vec_sub(old, rod->x[j + 1], rod->x[j]);
        vec_add(old, old, shift);
        vec_copy(edge, old);
        if (!ref_contact_is_free(rod, j + 1))
            continue;
        turn_edge(rod, j, time, edge);
        vec_sub(change, edge, old);
        vec_add(shift, shift, change);
        vec_add(rod->x[j + 1], rod->x[j], edge);
        rod->contacts[j + 1].is_marked = true;
        rod->contacts[j + 1].stiffness = rod->touch[j + 1] = 0;
    }
}

sheaf_status ref_contact_pass(ref_rod *rod, double time, double step, const double *inertia, int pass,
                              const ref_project_options *projection, ref_project_result *result, bool *goes_on)
{
    ref_project_options twice = *projection;
    const uint32_t before = result->iterations;
    const bool deep = ref_contact_push(rod, time, step, inertia, false);
    const bool is_done = !deep && !(was_pushed(rod) && is_stretched(rod));
    *goes_on = !is_done && pass < REF_CONTACT_PASSES;
    if (is_done)
        return SHEAF_OK;
    if (pass == REF_CONTACT_PASSES) {
        sweep(rod, time);
        result->violation = INFINITY; // no tension is worth keeping
        return SHEAF_OK;
    }
    twice.iterations = twice.least = 2;
    twice.continues = true;
    SHEAF_TRY(ref_project(rod, time, &twice, result));
    result->iterations += before;
    return SHEAF_OK;
}

sheaf_status ref_constrain(ref_rod *rod, double time, double step, const double *inertia,
                           const ref_project_options *projection, ref_project_result *result)
{
    bool goes_on = rod->model->collider_count > 0;
    if (goes_on)
        ref_contact_push(rod, time, step, inertia, true);
    SHEAF_TRY(ref_project(rod, time, projection, result));
    for (int pass = 1; goes_on; pass++)
        SHEAF_TRY(ref_contact_pass(rod, time, step, inertia, pass, projection, result, &goes_on));
    return SHEAF_OK;
}

void ref_contact_velocity(ref_rod *rod, uint32_t i, double step)
{
    const ref_contact *contact = &rod->contacts[i];
    const bool slides = contact->stiffness > 0 && vec_length(contact->slide) > 0;
    double *const both[2] = {rod->v[i], rod->last_velocity[i]}, single[3], change[3];
    vec_sub(single, rod->x[i], rod->start[i]);
    vec_scale(single, single, 1 / step);
    for (int k = 0; k < 2 && contact->is_marked; k++) {
        vec_sub(change, single, both[k]);
        if (slides)
            vec_scale(change, contact->normal, vec_dot(change, contact->normal));
        vec_add(both[k], both[k], change);
    }
}
