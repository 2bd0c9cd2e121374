// rigid: rigid bodies in time.
#include "couple/rigid.h"

#include "base/vec.h"
#include "world/world.h"

#include <string.h>

// ---- rotations

void rigid_turn_axes(const double axes[3][3], const double vector[3], double out[3][3])
{
    const double angle = vec_length(vector);
    double unit[3] = {0, 0, 1};
    if (angle > 0)
        vec_scale(unit, vector, 1 / angle);
    for (int k = 0; k < 3; k++) {
        const double from[3] = {axes[k][0], axes[k][1], axes[k][2]};
        vec_rotate(out[k], from, unit, angle);
    }
    // rounding makes axes drift apart over many steps
    vec_unit(out[0], out[0]);
    vec_axpy(out[1], -vec_dot(out[0], out[1]), out[0]);
    vec_unit(out[1], out[1]);
    vec_cross(out[2], out[0], out[1]);
}

// R = to from^T has trace 1 + 2 cos a, and its antisymmetric part is sin a times the axis. Steps of more than 2 rad are
// refused by the guard, so that a turn near pi need not be told from one the other way round.
void rigid_turn_between(const double from[3][3], const double to[3][3], double vector[3])
{
    double r[3][3] = {{0}}, axis[3];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                r[i][j] += to[k][i] * from[k][j];
    vec_set(axis, (r[2][1] - r[1][2]) / 2, (r[0][2] - r[2][0]) / 2, (r[1][0] - r[0][1]) / 2);
    const double sine = vec_length(axis), cosine = (r[0][0] + r[1][1] + r[2][2] - 1) / 2;
    const double angle = atan2(sine, cosine);
    vec_scale(vector, axis, sine > 1e-12 ? angle / sine : 1);
}

// ---- inertia

// R I R^T v
static void apply_inertia(const model_body *body, const double axes[3][3], const double v[3], double out[3])
{
    double own[3];
    model_body_to_own(axes, v, own);
    for (int c = 0; c < 3; c++)
        own[c] *= body->inertia[c];
    model_body_to_space(axes, own, out);
}

void rigid_start(const model_body *body, rigid_state *state)
{
    *state = (rigid_state){0};
    vec_copy(state->center, body->center);
    memcpy(state->axes, body->axes, sizeof state->axes);
    if (!body->is_free)
        return;
    // the definition's velocity is that of the user's origin
    double arm[3], turning[3];
    vec_copy(state->spin, body->def.spin);
    if (body->def.axle.is_there) {
        double axis[3];
        vec_unit(axis, body->def.axle.axis);
        vec_scale(state->spin, axis, vec_dot(axis, body->def.spin));
    } else {
        vec_sub(arm, body->center, body->start);
        vec_cross(turning, state->spin, arm);
        vec_add(state->velocity, body->def.velocity, turning);
    }
    apply_inertia(body, state->axes, state->spin, state->momentum);
}

// ---- what it is free to do

static void set_freedom(rigid_step *s)
{
    const sheaf_axle_def *axle = &s->body->def.axle;
    memset(s->free, 0, sizeof s->free);
    s->is_free = s->body->is_free && s->now->frozen_step == 0 && !(axle->is_there && axle->has_speed);
    if (!s->is_free)
        return;
    double axis[3];
    vec_unit(axis, axle->axis);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            s->free[r][c] = !axle->is_there ? r == c : r >= 3 && c >= 3 ? axis[r - 3] * axis[c - 3] : 0;
}

// ---- the guess

// w that belongs to a rotation vector u of this step.
static void spin_of_turn(const rigid_step *s, const double u[3], double w[3])
{
    vec_scale(w, u, s->slope);
    if (s->second_order)
        vec_axpy(w, -0.5 / s->step, s->start.turn);
}

static void velocity_of_place(const rigid_step *s, const double place[3], double velocity[3])
{
    vec_sub(velocity, place, s->start.center);
    vec_scale(velocity, velocity, s->slope);
    if (s->second_order)
        vec_axpy(velocity, -0.5 / s->step, s->start.move);
}

static void aim(rigid_step *s)
{
    const rigid_state *start = &s->start;
    vec_copy(s->target, start->center);
    if (!s->second_order) {
        vec_axpy(s->target, s->step, start->velocity);
        return;
    }
    vec_axpy(s->target, 1.0 / 3, start->move);
    vec_axpy(s->target, 8 * s->step / 9, start->velocity);
    vec_axpy(s->target, -2 * s->step / 9, start->last_velocity);
}

// The rotation vector with which the body has the spin w at the end of the step.
static void turn_of_spin(const rigid_step *s, const double w[3], double u[3])
{
    vec_scale(u, w, 1 / s->slope);
    if (s->second_order)
        vec_axpy(u, 1.0 / 3, s->start.turn);
}

// A motion moves what the scene holds; the centre and the axes of the start go along.
static void follow_motion(rigid_step *s)
{
    const sheaf_motion_def *motion = &s->model->motions[s->body->def.motion];
    model_motion_point(motion, s->time, s->body->center, s->now->center);
    for (int k = 0; k < 3; k++)
        model_motion_turn(motion, s->time, s->body->axes[k], s->now->axes[k]);
    rigid_turn_between(s->start.axes, s->now->axes, s->turn);
}

static void guess(rigid_step *s)
{
    const sheaf_axle_def *axle = &s->body->def.axle;
    double w[3], axis[3];
    if (s->now->frozen_step > 0 || s->body->def.is_fixed)
        return;
    if (s->body->def.motion >= 0) {
        follow_motion(s);
        return;
    }
    vec_copy(w, s->start.spin);
    vec_unit(axis, axle->axis);
    if (axle->is_there && axle->has_speed)
        vec_scale(w, axis, scene_course(&axle->speed, s->time));
    if (!axle->is_there)
        vec_copy(s->now->center, s->target);
    turn_of_spin(s, w, s->turn);
    rigid_turn_axes(s->start.axes, s->turn, s->now->axes);
}

void rigid_open(const sheaf_model *model, uint32_t body, double time, double step, rigid_state *state, rigid_step *s)
{
    const bool second_order = model->def.integrator == SHEAF_INTEGRATOR_BDF2 && state->has_history > 0;
    *s = (rigid_step){.model = model,
                      .body = &model->bodies[body],
                      .start = *state,
                      .now = state,
                      .time = time,
                      .step = step,
                      .second_order = second_order,
                      .inertia = (second_order ? 2.25 : 1) / (step * step),
                      .slope = (second_order ? 1.5 : 1) / step};
    set_freedom(s);
    aim(s);
    guess(s);
}

// ---- the residual

// Angular momentum at the iterate, and its rate by the formula.
static void momentum_rate(const rigid_step *s, double rate[3])
{
    double w[3], momentum[3];
    spin_of_turn(s, s->turn, w);
    apply_inertia(s->body, s->now->axes, w, momentum);
    for (int c = 0; c < 3; c++)
        rate[c] = s->second_order
                      ? (3 * momentum[c] - 4 * s->start.momentum[c] + s->start.last_momentum[c]) / (2 * s->step)
                      : (momentum[c] - s->start.momentum[c]) / s->step;
}

static void add_translation(const rigid_step *s, double right[6], double matrix[6][6])
{
    const model_body *body = s->body;
    const sheaf_scene_def *def = &s->model->def;
    double velocity[3], air[3];
    velocity_of_place(s, s->now->center, velocity);
    model_air(s->model, s->now->center, s->time, air);
    for (int c = 0; c < 3; c++) {
        right[c] = s->inertia * body->mass * (s->target[c] - s->now->center[c]) + body->mass * def->gravity[c] +
                   scene_course(&body->def.force[c], s->time) + body->def.drag * (air[c] - velocity[c]);
        matrix[c][c] = s->inertia * body->mass + body->def.drag * s->slope;
    }
}

// Friction and brake of the axle. Below a slow spin the brake grows with it, so that it can hold.
static void add_axle(const rigid_step *s, double right[6], double matrix[6][6])
{
    static const double slow = 1e-3; // rad/s
    const sheaf_axle_def *axle = &s->body->def.axle;
    double axis[3], w[3];
    if (!axle->is_there)
        return;
    vec_unit(axis, axle->axis);
    spin_of_turn(s, s->turn, w);
    const double spin = vec_dot(axis, w), grip = axle->friction + axle->brake / fmax(fabs(spin), slow);
    const double torque = scene_course(&axle->torque, s->time) - grip * spin;
    for (int r = 0; r < 3; r++) {
        right[3 + r] += torque * axis[r];
        for (int c = 0; c < 3; c++)
            matrix[3 + r][3 + c] += grip * s->slope * axis[r] * axis[c];
    }
}

void rigid_residual(const rigid_step *s, double right[6], double matrix[6][6])
{
    double rate[3];
    memset(matrix, 0, 36 * sizeof(double));
    add_translation(s, right, matrix);
    momentum_rate(s, rate);
    for (int r = 0; r < 3; r++) {
        right[3 + r] = scene_course(&s->body->def.torque[r], s->time) - rate[r];
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                matrix[3 + r][3 + c] += s->inertia * s->body->inertia[k] * s->now->axes[k][r] * s->now->axes[k][c];
    }
    add_axle(s, right, matrix);
}

void rigid_move(rigid_step *s, const double change[6])
{
    double free[6] = {0};
    if (!s->is_free)
        return;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            free[r] += s->free[r][c] * change[c];
    vec_add(s->now->center, s->now->center, free);
    rigid_turn_axes((const double(*)[3])s->now->axes, free + 3, s->now->axes);
    rigid_turn_between((const double(*)[3])s->start.axes, (const double(*)[3])s->now->axes, s->turn);
}

// ---- the end of a step

static bool is_sound(const rigid_step *s)
{
    static const double runaway = 1e10, fastest = 2; // m; rad in a step
    for (int c = 0; c < 3; c++)
        if (!(fabs(s->now->center[c]) <= runaway) || !isfinite(s->now->axes[c][0] + s->turn[c]))
            return false;
    return vec_length(s->turn) <= fastest;
}

static void freeze(rigid_step *s, uint64_t step_number)
{
    *s->now = s->start;
    for (int c = 0; c < 3; c++)
        s->now->velocity[c] = s->now->last_velocity[c] = s->now->move[c] = s->now->momentum[c] =
            s->now->last_momentum[c] = s->now->turn[c] = s->now->spin[c] = 0;
    s->now->has_history = 0;
    s->now->frozen_step = (double)(step_number + 1);
}

bool rigid_close(rigid_step *s, uint64_t step_number)
{
    rigid_state *now = s->now;
    if (!is_sound(s)) {
        freeze(s, step_number);
        return false;
    }
    velocity_of_place(s, now->center, now->velocity);
    spin_of_turn(s, s->turn, now->spin);
    vec_copy(now->last_velocity, s->start.velocity);
    vec_copy(now->last_momentum, s->start.momentum);
    vec_sub(now->move, now->center, s->start.center);
    vec_copy(now->turn, s->turn);
    vec_add(now->wound, now->wound, s->turn);
    apply_inertia(s->body, (const double(*)[3])now->axes, now->spin, now->momentum);
    now->has_history = 1;
    return true;
}

// ---- facts

void rigid_point(const rigid_state *state, const double arm[3], double place[3], double velocity[3])
{
    double out[3];
    model_body_to_space(state->axes, arm, out);
    if (velocity != NULL) {
        vec_cross(velocity, state->spin, out);
        vec_add(velocity, velocity, state->velocity);
    }
    vec_add(place, state->center, out);
}

double rigid_kinetic(const model_body *body, const rigid_state *state)
{
    return (body->mass * vec_dot(state->velocity, state->velocity) + vec_dot(state->spin, state->momentum)) / 2;
}
