// spline: a smooth curve through the vertices of a strand.
#include "children/spline.h"

#include "base/vec.h"

// Unit vector from one vertex to another; false: they coincide.
static bool find_direction(const double from[3], const double to[3], double out[3])
{
    vec_sub(out, to, from);
    const double length = vec_length(out);
    if (!(length > 0))
        return false;
    vec_scale(out, out, 1 / length);
    return true;
}

// The slope at a vertex between two edges of unit vectors a and b, for the edge of this length. On a circle that turns
// by an angle t per edge it is |e| / cos^2(t/4) = 4 r tan(t/4), by which a cubic follows the arc best; and as |a + b| =
// 2 cos(t/2), cos^2(t/4) = (1 + |a + b| / 2) / 2.
static void set_slope(const double a[3], const double b[3], const double own[3], double length, double out[3])
{
    double sum[3];
    vec_add(sum, a, b);
    const double size = vec_length(sum), stretch = 2 / (1 + size / 2);
    if (size > 1e-9)
        vec_scale(out, sum, length * stretch / size);
    else
        vec_scale(out, own, length); // it folds back on itself
}

// The slope at an open end: that at the other end of the edge, mirrored, as on a circle.
static void mirror_slope(const double slope[3], const double own[3], double out[3])
{
    vec_scale(out, own, 2 * vec_dot(slope, own));
    vec_axpy(out, -1, slope);
}

children_spline children_spline_over(const double (*points)[3], uint32_t count, bool closed, uint32_t edge)
{
    const uint32_t next = edge + 1 < count ? edge + 1 : 0;
    const uint32_t before = edge > 0 ? edge - 1 : count - 1, after = next + 1 < count ? next + 1 : 0;
    children_spline s;
    double own[3], way[3], beside[2][3] = {{0}};
    vec_copy(s.ends[0], points[edge]);
    vec_copy(s.ends[1], points[next]);
    vec_sub(way, points[next], points[edge]);
    vec_copy(s.slopes[0], way);
    vec_copy(s.slopes[1], way);
    if (!find_direction(points[edge], points[next], own))
        return s;
    const double length = vec_length(way);
    const bool has_before = (closed || edge > 0) && find_direction(points[before], points[edge], beside[0]);
    const bool has_after = (closed || next + 1 < count) && find_direction(points[next], points[after], beside[1]);
    if (has_before)
        set_slope(beside[0], own, own, length, s.slopes[0]);
    if (has_after)
        set_slope(own, beside[1], own, length, s.slopes[1]);
    if (has_before && !has_after)
        mirror_slope(s.slopes[0], own, s.slopes[1]);
    if (has_after && !has_before)
        mirror_slope(s.slopes[1], own, s.slopes[0]);
    return s;
}

void children_spline_at(const children_spline *spline, double share, double point[3], double slope[3])
{
    const double u = share, v = 1 - u, uu = u * u;
    const double weights[4] = {v * v * (1 + 2 * u), u * v * v, uu * (3 - 2 * u), -uu * v};
    const double rates[4] = {-6 * u * v, v * (1 - 3 * u), 6 * u * v, u * (3 * u - 2)};
    for (int c = 0; c < 3; c++) {
        const double a = spline->ends[0][c], b = spline->ends[1][c];
        const double da = spline->slopes[0][c], db = spline->slopes[1][c];
        point[c] = weights[0] * a + weights[1] * da + weights[2] * b + weights[3] * db;
        if (slope != NULL)
            slope[c] = rates[0] * a + rates[1] * da + rates[2] * b + rates[3] * db;
    }
}
