// motion: where rigid motions take points and directions.
#include "world/world.h"

#include "base/vec.h"

// ---- poses

// Between two poses: the one before, how the next one is turned against it, and the share of the way to it.
typedef struct passage {
    const double *before, *after; // the same beyond the first and last pose
    double axis[3], angle;        // rad
    double share;
} passage;

// Quaternions are w, x, y, z.
static void multiply(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

// Axis (unit) and angle, at most pi, of the rotation that a quaternion of any length but 0 stands for.
static double axis_angle(const double q[4], double axis[3])
{
    const double sine = vec_length(q + 1), sign = q[0] < 0 ? -1 : 1;
    vec_set(axis, 0, 0, 1);
    if (sine > 0)
        vec_scale(axis, q + 1, sign / sine);
    return 2 * atan2(sine, fabs(q[0]));
}

static bool jumps_to(const sheaf_motion_def *motion, uint32_t pose)
{
    return motion->jumps != NULL && motion->jumps[pose];
}

// Jumps come this much earlier, s: rounding must not decide to which of two steps one belongs that lies between them.
static const double early = 1e-9;

// The last pose whose time has come; the first one before that.
static uint32_t find_pose(const sheaf_motion_def *motion, double t)
{
    const double latest = motion->jumps != NULL ? t + early : t;
    uint32_t low = 0, high = motion->pose_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (motion->poses[SCENE_POSE_SIZE * (size_t)middle] <= latest)
            low = middle;
        else
            high = middle;
    }
    while (low > 0 && !jumps_to(motion, low) && motion->poses[SCENE_POSE_SIZE * (size_t)low] > t)
        low--;
    return low;
}

// Axis and angle of the turn from one pose to another.
static double turn_between(const double *before, const double *after, double axis[3])
{
    const double back[4] = {before[4], -before[5], -before[6], -before[7]};
    double turn[4];
    multiply(after + 4, back, turn);
    return axis_angle(turn, axis);
}

static passage find_passage(const sheaf_motion_def *motion, double t)
{
    const uint32_t k = find_pose(motion, t);
    const double *before = motion->poses + SCENE_POSE_SIZE * (size_t)k;
    passage p = {.before = before, .after = before, .axis = {0, 0, 1}};
    if ((k == 0 && t < before[0]) || k + 1 == motion->pose_count || jumps_to(motion, k + 1))
        return p;
    p.after = before + SCENE_POSE_SIZE;
    p.share = fmax((t - before[0]) / (p.after[0] - before[0]), 0);
    p.angle = turn_between(before, p.after, p.axis);
    return p;
}

static double passage_time(const passage *p)
{
    return p->after[0] - p->before[0];
}

// ---- motions

void model_motion_turn(const sheaf_motion_def *motion, double t, const double vector[3], double out[3])
{
    double axis[3];
    if (motion->pose_count == 0) {
        vec_unit(axis, motion->axis);
        vec_rotate(out, vector, axis, scene_course(&motion->turn, t));
        return;
    }
    const passage p = find_passage(motion, t);
    double turned[3];
    const double angle = axis_angle(p.before + 4, axis);
    vec_rotate(turned, vector, axis, angle);
    vec_rotate(out, turned, p.axis, p.share * p.angle);
}

void model_motion_spin(const sheaf_motion_def *motion, double t, double out[3])
{
    if (motion->pose_count == 0) {
        vec_unit(out, motion->axis);
        vec_scale(out, out, scene_course_rate(&motion->turn, t));
        return;
    }
    const passage p = find_passage(motion, t);
    vec_scale(out, p.axis, passage_time(&p) > 0 ? p.angle / passage_time(&p) : 0);
}

void model_motion_shift(const sheaf_motion_def *motion, double t, double out[3])
{
    if (motion->pose_count == 0) {
        for (int c = 0; c < 3; c++)
            out[c] = scene_course(&motion->move[c], t);
        return;
    }
    const passage p = find_passage(motion, t);
    for (int c = 0; c < 3; c++)
        out[c] = p.before[1 + c] + p.share * (p.after[1 + c] - p.before[1 + c]);
}

void model_motion_drift(const sheaf_motion_def *motion, double t, double out[3])
{
    if (motion->pose_count == 0) {
        for (int c = 0; c < 3; c++)
            out[c] = scene_course_rate(&motion->move[c], t);
        return;
    }
    const passage p = find_passage(motion, t);
    for (int c = 0; c < 3; c++)
        out[c] = passage_time(&p) > 0 ? (p.after[1 + c] - p.before[1 + c]) / passage_time(&p) : 0;
}

void model_motion_point(const sheaf_motion_def *motion, double t, const double point[3], double out[3])
{
    double arm[3], shift[3];
    vec_sub(arm, point, motion->anchor);
    model_motion_turn(motion, t, arm, out);
    model_motion_shift(motion, t, shift);
    for (int c = 0; c < 3; c++)
        out[c] += motion->anchor[c] + shift[c];
}

// ---- jumps

void model_jump_vector(const model_jump *jump, const double vector[3], double out[3])
{
    const double v[3] = {vector[0], vector[1], vector[2]};
    for (int r = 0; r < 3; r++)
        out[r] = jump->turns ? vec_dot(jump->turn[r], v) : v[r];
}

void model_jump_point(const model_jump *jump, const double point[3], double out[3])
{
    model_jump_vector(jump, point, out);
    vec_add(out, out, jump->shift);
}

model_jump model_jump_inverse(const model_jump *jump)
{
    model_jump inverse = *jump;
    for (int r = 0; r < 3; r++)
        vec_set(inverse.turn[r], jump->turn[0][r], jump->turn[1][r], jump->turn[2][r]);
    model_jump_vector(&inverse, jump->shift, inverse.shift);
    vec_scale(inverse.shift, inverse.shift, -1);
    return inverse;
}

// From the pose before, where the motion stays until then, to this one.
static model_jump jump_to(const sheaf_motion_def *motion, uint32_t pose)
{
    const double *after = motion->poses + SCENE_POSE_SIZE * (size_t)pose, *before = after - SCENE_POSE_SIZE;
    double axis[3], center[3];
    const double angle = turn_between(before, after, axis);
    model_jump jump = {.turns = angle != 0};
    for (int c = 0; c < 3; c++) {
        const double unit[3] = {c == 0, c == 1, c == 2};
        vec_rotate(jump.turn[c], unit, axis, -angle); // rows of a matrix are what its transpose makes of the axes
    }
    vec_add(center, motion->anchor, before + 1);
    model_jump_vector(&jump, center, jump.shift);
    vec_sub(jump.shift, center, jump.shift);
    vec_add(jump.shift, jump.shift, after + 1);
    vec_sub(jump.shift, jump.shift, before + 1);
    return jump;
}

// First `first`, then `second`.
static model_jump join_jumps(const model_jump *first, const model_jump *second)
{
    model_jump both = {.turns = first->turns || second->turns};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                both.turn[r][c] += second->turn[r][k] * first->turn[k][c];
    model_jump_point(second, first->shift, both.shift);
    return both;
}

bool model_motion_jump(const sheaf_motion_def *motion, double t0, double t1, model_jump *jump)
{
    bool found = false;
    *jump = (model_jump){.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (motion->jumps == NULL)
        return false;
    const uint32_t last = find_pose(motion, t1);
    for (uint32_t pose = find_pose(motion, t0) + 1; pose <= last; pose++)
        if (motion->jumps[pose]) {
            const model_jump next = jump_to(motion, pose);
            *jump = found ? join_jumps(jump, &next) : next;
            found = true;
        }
    return found;
}

static int32_t motion_of(const sheaf_end_def *end)
{
    return end->hold_position || end->hold_tangent || end->hold_angle ? end->motion : -1;
}

int32_t model_strand_motion(const model_strand *strand)
{
    return motion_of(strand->root) >= 0 ? motion_of(strand->root) : motion_of(strand->tip);
}

bool model_strand_jump(const sheaf_model *model, uint32_t strand, double t0, double t1, model_jump *jump)
{
    const int32_t motion = model_strand_motion(&model->strands[strand]);
    return motion >= 0 && model_motion_jump(&model->motions[motion], t0, t1, jump);
}

bool model_has_jumps(const sheaf_model *model)
{
    for (uint32_t k = 0; k < model->motion_count; k++)
        if (model->motions[k].jumps != NULL)
            return true;
    return false;
}
