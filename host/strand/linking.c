// linking: twist and writhe of a strand.
#include "strand/linking.h"

#include "base/vec.h"

static const double pi = 3.14159265358979323846;

// How far an extended polyline goes on beyond its ends, in units of its own length; what lies farther out adds the
// inverse square of this.
static const double extension = 1e4;

// Signed area of the triangle on the unit sphere with these corners.
static double spherical_area(const double a[3], const double b[3], const double c[3])
{
    double across[3];
    vec_cross(across, b, c);
    return 2 * atan2(vec_dot(a, across), 1 + vec_dot(a, b) + vec_dot(b, c) + vec_dot(c, a));
}

// Solid angle of the directions from which two edges are seen to cross, signed: from any point of one to any point of
// the other one looks into a quadrilateral of directions. Edges in one plane give 0 without cancellation.
static double crossing_angle(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double *const from[4] = {a, a, b, b}, *const to[4] = {c, d, d, c};
    double corner[4][3];
    for (int k = 0; k < 4; k++) {
        vec_sub(corner[k], to[k], from[k]);
        const double length = vec_length(corner[k]);
        if (!(length > 0))
            return 0;
        vec_scale(corner[k], corner[k], 1 / length);
    }
    return spherical_area(corner[0], corner[2], corner[1]) + spherical_area(corner[0], corner[3], corner[2]);
}

double model_writhe(const double (*points)[3], uint32_t count, bool closed)
{
    const uint32_t edges = count - !closed;
    double sum = 0;
    for (uint32_t i = 0; i < edges; i++)
        for (uint32_t j = i + 2; j < edges; j++)
            if (!(closed && i == 0 && j == edges - 1))
                sum += crossing_angle(points[i], points[i + 1], points[j], points[j + 1 < count ? j + 1 : 0]);
    return sum / (2 * pi);
}

// The point far beyond an end: `end` itself, away from the point before it.
static void go_on(double far[3], const double before[3], const double end[3], double length)
{
    double edge[3];
    vec_sub(edge, end, before);
    vec_unit(edge, edge);
    vec_copy(far, end);
    vec_axpy(far, length, edge);
}

double model_writhe_extended(const double (*points)[3], uint32_t count)
{
    double before[3], after[3], edge[3], length = 0, sum = 0;
    for (uint32_t i = 0; i + 1 < count; i++) {
        vec_sub(edge, points[i + 1], points[i]);
        length += vec_length(edge);
    }
    go_on(before, points[1], points[0], extension * length);
    go_on(after, points[count - 2], points[count - 1], extension * length);
    for (uint32_t i = 0; i + 1 < count; i++)
        sum += crossing_angle(before, points[0], points[i], points[i + 1]) +
               crossing_angle(points[i], points[i + 1], points[count - 1], after);
    sum += crossing_angle(before, points[0], points[count - 1], after);
    return model_writhe(points, count, false) + sum / (2 * pi);
}

double model_twist_at(const double (*points)[3], const double (*directors)[3], uint32_t vertex)
{
    double before[3], after[3], carried[3];
    vec_sub(before, points[vertex], points[vertex - 1]);
    vec_sub(after, points[vertex + 1], points[vertex]);
    vec_unit(before, before);
    vec_unit(after, after);
    vec_transport(carried, directors[vertex - 1], before, after);
    return vec_angle(carried, directors[vertex], after);
}

double model_twist(const double (*points)[3], const double (*directors)[3], uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 1; i + 1 < count; i++)
        sum += model_twist_at(points, directors, i);
    return sum / (2 * pi);
}
