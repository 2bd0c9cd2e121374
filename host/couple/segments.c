// segments: the nearest points of two edges.
#include "couple/segments.h"

#include "base/vec.h"

#include <math.h>

static double clamp(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static double ratio(double above, double below)
{
    return below > 0 ? above / below : 0;
}

// Where two edges cross, any direction across them does, the same for the same edges.
static void cross_normal(const double a[3], const double b[3], double normal[3])
{
    double along[3];
    vec_cross(normal, a, b);
    if (vec_length(normal) > 1e-9 * vec_length(a) * vec_length(b)) {
        vec_unit(normal, normal);
        return;
    }
    vec_unit(along, a);
    vec_normal(normal, along);
}

segments_near segments_find(const double a0[3], const double a1[3], const double b0[3], const double b1[3])
{
    segments_near near;
    double a[3], b[3], apart[3], p[3], q[3];
    vec_sub(a, a1, a0);
    vec_sub(b, b1, b0);
    vec_sub(apart, a0, b0);
    const double aa = vec_dot(a, a), bb = vec_dot(b, b), ab = vec_dot(a, b);
    const double pa = vec_dot(a, apart), pb = vec_dot(b, apart), den = aa * bb - ab * ab;
    near.s = den < 1e-9 * aa * bb ? 0.5 : clamp((ab * pb - bb * pa) / den); // parallel: the middle, then the nearest
    near.t = clamp(ratio(ab * near.s + pb, bb));
    near.s = clamp(ratio(ab * near.t - pa, aa));
    near.t = clamp(ratio(ab * near.s + pb, bb));
    for (int c = 0; c < 3; c++) {
        p[c] = a0[c] + near.s * a[c];
        q[c] = b0[c] + near.t * b[c];
    }
    vec_sub(near.normal, p, q);
    near.distance = vec_length(near.normal);
    if (near.distance > 1e-12 * sqrt(aa + bb))
        vec_scale(near.normal, near.normal, 1 / near.distance);
    else
        cross_normal(a, b, near.normal);
    return near;
}
