// motion: where rigid motions take points and directions.
#include "model/model.h"

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

// The last pose whose time has come; the first one before that.
static uint32_t find_pose(const sheaf_motion_def *motion, double t)
{
    uint32_t low = 0, high = motion->pose_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (motion->poses[SCENE_POSE_SIZE * (size_t)middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static passage find_passage(const sheaf_motion_def *motion, double t)
{
    const uint32_t k = find_pose(motion, t);
    const double *before = motion->poses + SCENE_POSE_SIZE * (size_t)k;
    passage p = {.before = before, .after = before, .axis = {0, 0, 1}};
    if (t < before[0] || k + 1 == motion->pose_count)
        return p;
    p.after = before + SCENE_POSE_SIZE;
    p.share = (t - before[0]) / (p.after[0] - before[0]);
    const double back[4] = {before[4], -before[5], -before[6], -before[7]};
    double turn[4];
    multiply(p.after + 4, back, turn);
    p.angle = axis_angle(turn, p.axis);
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
