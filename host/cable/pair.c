// pair: two segments of a cable as one, and one as two.
#include "cable/pair.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

void cable_fit_segment(cable_body *body, double line_mass, double length, double thick)
{
    const double square = thick * thick;
    body->mass = line_mass * length;
    body->inertia[0] = body->mass * square / 2;
    body->inertia[1] = body->inertia[2] = body->mass * (length * length / 12 + square / 4);
}

void cable_park(cable_group *group, uint32_t body, uint32_t joint, const double place[3])
{
    cable_body *it = &group->bodies[body];
    cable_joint *before = &group->joints[joint];
    it->mass = it->before = 0;
    vec_copy(it->place, place);
    vec_copy(it->goal_place, it->place);
    memcpy(it->goal_pose, it->pose, sizeof it->pose);
    vec_set(it->velocity, 0, 0, 0);
    vec_set(it->spin, 0, 0, 0);
    before->a = before->b = (int32_t)body;
    before->turn = before->pull[0] = before->pull[1] = 0;
    for (int r = 0; r < CABLE_ROWS; r++) {
        before->compliance[r] = INFINITY;
        before->load[r] = 0;
    }
}

void cable_carry(const cable_body *body, const double shift[3], double velocity[3])
{
    double turning[3];
    vec_cross(turning, body->spin, shift);
    vec_add(velocity, body->velocity, turning);
}

// Adds I w + m (x - center) x (v - velocity).
static void add_momentum(const cable_body *body, const double center[3], const double velocity[3], double momentum[3])
{
    double own[3], arm[3], moving[3], cross[3];
    cable_turn_back(body->pose, body->spin, own);
    for (int c = 0; c < 3; c++)
        own[c] *= body->inertia[c];
    cable_turn(body->pose, own, own);
    vec_sub(arm, body->place, center);
    vec_sub(moving, body->velocity, velocity);
    vec_cross(cross, arm, moving);
    vec_add(momentum, momentum, own);
    vec_axpy(momentum, body->mass, cross);
}

void cable_pair_motion(const cable_body *a, const cable_body *b, double center[3], double velocity[3],
                       double momentum[3])
{
    const double whole = a->mass + b->mass;
    vec_scale(center, a->place, a->mass / whole);
    vec_axpy(center, b->mass / whole, b->place);
    vec_scale(velocity, a->velocity, a->mass / whole);
    vec_axpy(velocity, b->mass / whole, b->velocity);
    vec_set(momentum, 0, 0, 0);
    add_momentum(a, center, velocity, momentum);
    add_momentum(b, center, velocity, momentum);
}

void cable_spin_of(const cable_body *body, const double momentum[3], double spin[3])
{
    double own[3];
    cable_turn_back(body->pose, momentum, own);
    for (int c = 0; c < 3; c++)
        own[c] /= body->inertia[c];
    cable_turn(body->pose, own, spin);
}

void cable_pose_between(const double p[4], const double q[4], double share, double out[4])
{
    double way[3], from[4];
    memcpy(from, p, sizeof from);
    cable_turn_from_to(from, q, way);
    vec_scale(way, way, share);
    cable_rotate_by(from, way);
    memcpy(out, from, sizeof from);
}
