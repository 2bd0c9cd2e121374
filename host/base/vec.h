// vec: vectors of three doubles, for host code in fp64. Plain arrays, so that [vertex][3] arrays need no conversion.
#ifndef SHEAF_BASE_VEC_H
#define SHEAF_BASE_VEC_H

#include <math.h>
#include <stdbool.h>

static inline void vec_set(double out[3], double x, double y, double z)
{
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline void vec_copy(double out[3], const double a[3])
{
    vec_set(out, a[0], a[1], a[2]);
}

static inline void vec_add(double out[3], const double a[3], const double b[3])
{
    vec_set(out, a[0] + b[0], a[1] + b[1], a[2] + b[2]);
}

static inline void vec_sub(double out[3], const double a[3], const double b[3])
{
    vec_set(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void vec_scale(double out[3], const double a[3], double s)
{
    vec_set(out, s * a[0], s * a[1], s * a[2]);
}

// out += s a
static inline void vec_axpy(double out[3], double s, const double a[3])
{
    vec_set(out, out[0] + s * a[0], out[1] + s * a[1], out[2] + s * a[2]);
}

static inline double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline bool vec_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static inline double vec_length(const double a[3])
{
    return sqrt(vec_dot(a, a));
}

static inline void vec_cross(double out[3], const double a[3], const double b[3])
{
    vec_set(out, a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
}

// Unit vector along a; a must not be 0.
static inline void vec_unit(double out[3], const double a[3])
{
    vec_scale(out, a, 1 / vec_length(a));
}

// Rotates `a` about the unit vector `axis` by `angle` (Rodrigues).
static inline void vec_rotate(double out[3], const double a[3], const double axis[3], double angle)
{
    double side[3];
    vec_cross(side, axis, a);
    const double c = cos(angle), s = sin(angle), along = vec_dot(axis, a) * (1 - c);
    vec_set(out, c * a[0] + s * side[0] + along * axis[0], c * a[1] + s * side[1] + along * axis[1],
            c * a[2] + s * side[2] + along * axis[2]);
}

// Parallel transport: turns `a` by the smallest rotation that takes the unit vector `from` to the unit vector `to`.
// Not defined for opposite vectors; there the result is finite but arbitrary.
static inline void vec_transport(double out[3], const double a[3], const double from[3], const double to[3])
{
    double b[3], turned[3];
    vec_cross(b, from, to);
    vec_cross(turned, b, a);
    const double c = vec_dot(from, to), along = vec_dot(b, a) / fmax(1 + c, 1e-300);
    vec_set(out, c * a[0] + turned[0] + along * b[0], c * a[1] + turned[1] + along * b[1],
            c * a[2] + turned[2] + along * b[2]);
}

// Signed angle in (-pi, pi] that turns unit vector `a` into unit vector `b`, both normal to the unit vector `axis`.
static inline double vec_angle(const double a[3], const double b[3], const double axis[3])
{
    double side[3];
    vec_cross(side, axis, a);
    return atan2(vec_dot(side, b), vec_dot(a, b));
}

// Some unit vector normal to the unit vector t.
static inline void vec_normal(double out[3], const double t[3])
{
    double axis[3] = {0, 0, 0}, side[3];
    const double x = fabs(t[0]), y = fabs(t[1]), z = fabs(t[2]);
    axis[x <= y && x <= z ? 0 : (y <= z ? 1 : 2)] = 1;
    vec_cross(side, t, axis);
    vec_unit(out, side);
}

#endif
