// joint: the six rows between two bodies, what they measure and how they change.
//
// The relative quaternion of two segments is r = conj(q_a) q_b, with the sign that makes r.w >= 0:
//   r = (cos(t/2) cos(O/2), cos(t/2) sin(O/2), sin(t/2) n2, sin(t/2) n3),
// t the angle between their axes, O the twist as parallel transport has it, and (n2, n3) the axis of bending in the
// frame midway: that of a, turned by half the twist about its axis and then by half the bend about n.
#include "cable/ref/ref.h"

#include "base/vec.h"

#include <string.h>

static const double two_pi = 2 * 3.14159265358979323846;

// The bend measure at sin^2(t/2) = s2: gq = g / (2 sin(t/2)) and gp = g'(t).
static void measure_bend(cable_bend bend, double s2, double *gq, double *gp)
{
    const double ch2 = fmax(1 - s2, 1e-12), ch = sqrt(ch2), s = sqrt(s2);
    switch (bend) {
    case CABLE_BEND_ARC:
        *gq = s2 > 1e-12 ? sqrt(-log1p(-fmin(s2, 1 - 1e-12)) / s2) : 1 + s2 / 4;
        *gp = 1 / (ch * *gq);
        break;
    case CABLE_BEND_ANGLE:
        *gq = s > 1e-6 ? asin(fmin(s, 1)) / s : 1 + s2 / 6;
        *gp = 1;
        break;
    case CABLE_BEND_TANGENT:
        *gq = 1 / ch;
        *gp = 1 / ch2;
        break;
    }
}

// Rows of the gap: x_a + r_a - x_b - r_b.
static void point_rows(const cable_body *a, const cable_body *b, const cable_joint *joint, cable_rows *rows)
{
    double arms[2][3];
    cable_turn(a->pose, joint->arm_a, arms[0]);
    cable_turn(b->pose, joint->arm_b, arms[1]);
    for (int c = 0; c < 3; c++) {
        rows->value[c] = a->place[c] + arms[0][c] - b->place[c] - arms[1][c];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1 : -1;
            double unit[3] = {0, 0, 0}, lever[3];
            unit[c] = 1;
            vec_cross(lever, arms[side], unit); // row c of -[r]x is r x e_c
            rows->jacobian[side][c][c] = sign;
            for (int k = 0; k < 3; k++)
                rows->jacobian[side][c][3 + k] = sign * lever[k];
        }
    }
}

// Both sides of a row that sees only how b spins against a.
static void put_spin_row(cable_rows *rows, int row, const double direction[3])
{
    for (int k = 0; k < 3; k++) {
        rows->jacobian[0][row][3 + k] = -direction[k];
        rows->jacobian[1][row][3 + k] = direction[k];
    }
}

static void twist_row(const double r[4], const double axis_a[3], const double axis_b[3], double last, cable_rows *rows)
{
    double mean[3];
    const double turn = 2 * atan2(r[1], r[0]);
    vec_add(mean, axis_a, axis_b);
    vec_scale(mean, mean, 1 / fmax(1 + vec_dot(axis_a, axis_b), 1e-12));
    rows->value[3] = turn + two_pi * rint((last - turn) / two_pi);
    put_spin_row(rows, 3, mean);
}

// The axes of the frame midway that bending is measured along.
static void middle_axes(const double pose_a[4], const double r[4], double s, double e[2][3])
{
    const double quarter = atan2(r[1], r[0]) / 2, half = asin(fmin(s, 1)) / 2;
    const double twist[4] = {cos(quarter), sin(quarter), 0, 0};
    const double n2 = s > 0 ? r[2] / s : 1, n3 = s > 0 ? r[3] / s : 0;
    const double bend[4] = {cos(half), 0, sin(half) * n2, sin(half) * n3};
    static const double axes[2][3] = {{0, 1, 0}, {0, 0, 1}};
    double turned[4], middle[4];
    cable_quaternion_product(pose_a, twist, turned);
    cable_quaternion_product(turned, bend, middle);
    for (int k = 0; k < 2; k++)
        cable_turn(middle, axes[k], e[k]);
}

// B_k = g n_k = 2 gq r.(2, 3); dB_k = (gq e_k + (gp - gq) n_k n) . (w_b - w_a)
static void bend_rows(const double pose_a[4], const double r[4], cable_bend bend, cable_rows *rows)
{
    const double s2 = r[2] * r[2] + r[3] * r[3], s = sqrt(s2);
    double gq = 1, gp = 1, e[2][3], n[3] = {0, 0, 0};
    measure_bend(bend, s2, &gq, &gp);
    middle_axes(pose_a, r, s, e);
    for (int k = 0; k < 2 && s > 0; k++)
        vec_axpy(n, r[2 + k] / s, e[k]);
    for (int k = 0; k < 2; k++) {
        double direction[3];
        vec_scale(direction, e[k], gq);
        vec_axpy(direction, s > 0 ? (gp - gq) * r[2 + k] / s : 0, n);
        rows->value[4 + k] = 2 * gq * r[2 + k];
        put_spin_row(rows, 4 + k, direction);
    }
    rows->angle = 2 * asin(fmin(s, 1));
}

void cable_ref_rows(const cable_body *a, const cable_body *b, const cable_joint *joint, cable_bend bend,
                    cable_rows *rows)
{
    static const double axis[3] = {1, 0, 0};
    double pose_a[4], pose_b[4], r[4], axis_a[3], axis_b[3];
    memset(rows, 0, sizeof *rows);
    point_rows(a, b, joint, rows);
    cable_quaternion_product(a->pose, joint->rest_a, pose_a);
    cable_quaternion_product(b->pose, joint->rest_b, pose_b);
    const double back[4] = {pose_a[0], -pose_a[1], -pose_a[2], -pose_a[3]};
    cable_quaternion_product(back, pose_b, r);
    const double sign = r[0] < 0 ? -1 : 1;
    for (int c = 0; c < 4; c++)
        r[c] *= sign;
    cable_turn(pose_a, axis, axis_a);
    cable_turn(pose_b, axis, axis_b);
    twist_row(r, axis_a, axis_b, joint->turn, rows);
    bend_rows(pose_a, r, bend, rows);
}
