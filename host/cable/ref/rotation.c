// rotation: unit quaternions (w, x, y, z) of the reference of cables.
#include "cable/ref/ref.h"

#include "base/vec.h"

void cable_quaternion_product(const double p[4], const double q[4], double out[4])
{
    const double w = p[0] * q[0] - vec_dot(p + 1, q + 1);
    double v[3];
    vec_cross(v, p + 1, q + 1);
    vec_axpy(v, p[0], q + 1);
    vec_axpy(v, q[0], p + 1);
    out[0] = w;
    vec_copy(out + 1, v);
}

// a + 2 w (v x a) + 2 v x (v x a)
static void turn(double w, const double v[3], const double a[3], double out[3])
{
    double once[3], twice[3];
    vec_cross(once, v, a);
    vec_cross(twice, v, once);
    double sum[3];
    vec_copy(sum, a);
    vec_axpy(sum, 2 * w, once);
    vec_axpy(sum, 2, twice);
    vec_copy(out, sum);
}

void cable_turn(const double q[4], const double a[3], double out[3])
{
    turn(q[0], q + 1, a, out);
}

void cable_turn_back(const double q[4], const double a[3], double out[3])
{
    turn(-q[0], q + 1, a, out);
}

void cable_rotate_by(double q[4], const double by[3])
{
    const double angle = vec_length(by), half = angle / 2;
    const double scale = angle > 1e-8 ? sin(half) / angle : 0.5;
    double p[4] = {cos(half), scale * by[0], scale * by[1], scale * by[2]}, product[4];
    cable_quaternion_product(p, q, product);
    const double length = sqrt(product[0] * product[0] + vec_dot(product + 1, product + 1));
    for (int c = 0; c < 4; c++)
        q[c] = product[c] / length;
}

void cable_turn_from_to(const double from[4], const double to[4], double out[3])
{
    const double back[4] = {from[0], -from[1], -from[2], -from[3]};
    double r[4];
    cable_quaternion_product(to, back, r);
    const double sign = r[0] < 0 ? -1 : 1, sine = vec_length(r + 1), half = atan2(sine, sign * r[0]);
    vec_scale(out, r + 1, sign * (sine > 1e-12 ? 2 * half / sine : 2));
}
