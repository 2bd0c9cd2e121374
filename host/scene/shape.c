// shape: straight strands, helices, circles and arcs as vertices.
#include "scene/shape.h"

#include "base/vec.h"

#include <string.h>

static const double two_pi = 2 * 3.14159265358979323846;

// Axes of a shape: `along` its direction, `normal` and `side` across, right-handed (side = along x normal).
typedef struct shape_axes {
    double along[3], normal[3], side[3];
} shape_axes;

static shape_axes find_axes(const sheaf_strand_def *strand)
{
    shape_axes axes;
    vec_unit(axes.along, strand->direction);
    vec_copy(axes.normal, strand->normal);
    vec_axpy(axes.normal, -vec_dot(axes.normal, axes.along), axes.along);
    if (vec_dot(strand->normal, strand->normal) > 0)
        vec_unit(axes.normal, axes.normal);
    else
        vec_normal(axes.normal, axes.along);
    vec_cross(axes.side, axes.along, axes.normal);
    return axes;
}

static bool is_clamped(const sheaf_end_def *end)
{
    return end->hold_position && end->hold_tangent;
}

// Arc length of every vertex from the origin. With mid-edge clamps the end edge of a clamped end is centred on its
// plane: the edges' sum exceeds the length by half an end edge each.
static void vertex_places(const sheaf_strand_def *strand, double length, double (*points)[3])
{
    const uint32_t edges = scene_edge_count(strand);
    const double *spacing = strand->spacing;
    const double first = spacing ? spacing[0] : 1, last = spacing ? spacing[edges - 1] : 1;
    const bool mid_edge = strand->clamp_mid_edge && !scene_is_closed(strand);
    const double before = mid_edge && is_clamped(&strand->root) ? first / 2 : 0;
    const double beyond = mid_edge && is_clamped(&strand->tip) ? last / 2 : 0;
    double sum = 0;
    for (uint32_t j = 0; j < edges; j++)
        sum += spacing ? spacing[j] : 1;
    const double scale = length / (sum - before - beyond);
    double place = -before;
    for (uint32_t i = 0; i < strand->vertex_count; i++) {
        points[i][0] = place * scale;
        place += spacing && i < edges ? spacing[i] : 1;
    }
}

static void straight_point(const sheaf_strand_def *strand, const shape_axes *axes, double s, double point[3])
{
    vec_copy(point, strand->origin);
    vec_axpy(point, s, axes->along);
}

static void arc_point(const sheaf_strand_def *strand, const shape_axes *axes, double s, double point[3])
{
    const double radius = strand->radius, half = s / radius / 2;
    vec_copy(point, strand->origin);
    vec_axpy(point, radius * sin(2 * half), axes->along);
    vec_axpy(point, 2 * radius * sin(half) * sin(half), axes->normal); // 1 - cos without cancellation
}

static void helix_point(const sheaf_strand_def *strand, const shape_axes *axes, double s, double point[3])
{
    const double radius = strand->radius, rise = fabs(strand->pitch) / two_pi; // m per radian
    const double turn = s / sqrt(radius * radius + rise * rise);
    vec_copy(point, strand->origin);
    vec_axpy(point, radius * cos(turn), axes->normal);
    vec_axpy(point, copysign(radius, strand->pitch) * sin(turn), axes->side);
    vec_axpy(point, rise * turn, axes->along);
}

static void circle_point(const sheaf_strand_def *strand, const shape_axes *axes, double s, double point[3])
{
    const double turn = s / strand->radius;
    vec_copy(point, strand->origin);
    vec_axpy(point, strand->radius * cos(turn), axes->normal);
    vec_axpy(point, strand->radius * sin(turn), axes->side);
}

typedef void curve_point(const sheaf_strand_def *strand, const shape_axes *axes, double s, double point[3]);

void scene_shape_points(const sheaf_strand_def *strand, double (*points)[3], double normal[3])
{
    static curve_point *const curves[] = {
        [SHEAF_SHAPE_STRAIGHT] = straight_point,
        [SHEAF_SHAPE_HELIX] = helix_point,
        [SHEAF_SHAPE_CIRCLE] = circle_point,
        [SHEAF_SHAPE_ARC] = arc_point,
    };
    if (strand->shape == SHEAF_SHAPE_POINTS) {
        memcpy(points, strand->points, strand->vertex_count * sizeof *points);
        vec_copy(normal, strand->normal);
        return;
    }
    const shape_axes axes = find_axes(strand);
    const bool is_circle = strand->shape == SHEAF_SHAPE_CIRCLE;
    vertex_places(strand, is_circle ? two_pi * strand->radius : strand->length, points);
    for (uint32_t i = 0; i < strand->vertex_count; i++)
        curves[strand->shape](strand, &axes, points[i][0], points[i]);
    vec_copy(normal, axes.normal);
}
