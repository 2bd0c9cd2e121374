// groom: hair grown on the cap of a sphere. Every strand is a function of the groom and its own index, so that a groom
// may be grown in any order, or in part.
#include "scene/shape.h"

#include "base/vec.h"

static const double two_pi = 2 * 3.14159265358979323846;
static const double golden_ratio = 1.6180339887498948482;
static const double length_clip = 2.5;  // standard deviations
static const double jitter_share = 0.5; // of a root's own cell; keeps roots apart and the lattice out of sight

// Streams of random numbers, one for each thing drawn.
enum { STREAM_ROOT = 1, STREAM_LENGTH = 2 };

// A curl as a curve over the height z along its axis: a helix whose radius grows from 0 over the first turn, so that
// it leaves the root along the axis.
typedef struct curl {
    double axis[3], across[3], side[3]; // right-handed unit vectors
    double radius;                      // m, reached after one turn; 0: a straight strand
    double pitch;                       // m per turn, > 0
    double sense;                       // +1 right-handed, -1 left-handed
    double phase;                       // rad
} curl;

static double curl_radius(const curl *c, double z)
{
    const double s = fmin(z / c->pitch, 1);
    return c->radius * s * s * (3 - 2 * s);
}

// Arc length per height, |dx/dz|.
static double curl_stretch(const curl *c, double z)
{
    const double s = fmin(z / c->pitch, 1);
    const double growth = c->radius / c->pitch * 6 * s * (1 - s), around = curl_radius(c, z) * two_pi / c->pitch;
    return sqrt(1 + growth * growth + around * around);
}

// Height after another `step` of arc length from height z, by classical Runge-Kutta on dz/ds = 1 / |dx/dz|, which no
// longer changes after the first turn.
static double curl_climb(const curl *c, double z, double step)
{
    enum { SUBSTEPS = 4 };
    if (z >= c->pitch || c->radius == 0)
        return z + step / curl_stretch(c, z);
    const double h = step / SUBSTEPS;
    for (int k = 0; k < SUBSTEPS; k++) {
        const double k1 = 1 / curl_stretch(c, z), k2 = 1 / curl_stretch(c, z + h / 2 * k1);
        const double k3 = 1 / curl_stretch(c, z + h / 2 * k2), k4 = 1 / curl_stretch(c, z + h * k3);
        z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return z;
}

// Adds the curve's point at height z to `point`.
static void curl_add_point(const curl *c, double z, double point[3])
{
    const double turn = c->phase + c->sense * two_pi * z / c->pitch, radius = curl_radius(c, z);
    vec_axpy(point, z, c->axis);
    vec_axpy(point, radius * cos(turn), c->across);
    vec_axpy(point, radius * sin(turn), c->side);
}

// A unit vector of the cap: the k-th point of a Fibonacci lattice of equal areas, moved at random inside its cell.
// Also returns a uniform angle for the strand's own phase.
static double root_direction(const scene_groom *groom, uint32_t k, double direction[3])
{
    double uniform[4], up[3], east[3], north[3];
    base_uniform4(groom->seed, STREAM_ROOT, k, uniform);
    const double height = (k + 0.5 + jitter_share * (uniform[0] - 0.5)) / groom->count;
    const double depth = (1 - cos(groom->cap)) * height; // 1 - cos(polar angle)
    // a cell of the lattice is about as wide as it is high; in azimuth that is this share of a turn at its latitude
    const double across = sqrt(depth * (2 - depth));
    const double cell = sqrt(two_pi * (1 - cos(groom->cap)) / groom->count);
    const double jitter = cell / fmax(across, cell) * jitter_share * (uniform[1] - 0.5);
    const double azimuth = two_pi * fmod(k / golden_ratio, 1) + jitter;
    vec_unit(up, groom->up);
    vec_normal(east, up);
    vec_cross(north, up, east);
    vec_scale(direction, up, 1 - depth);
    vec_axpy(direction, across * cos(azimuth), east);
    vec_axpy(direction, across * sin(azimuth), north);
    return two_pi * uniform[2];
}

static double strand_length(const scene_groom *groom, uint32_t k)
{
    double normal[2];
    base_normal2(groom->seed, STREAM_LENGTH, k, normal);
    return groom->length * (1 + groom->spread * fmin(fmax(normal[0], -length_clip), length_clip));
}

static curl make_curl(const scene_groom *groom, const double axis[3], double phase)
{
    curl c = {.radius = groom->curl_radius, .pitch = 1, .sense = copysign(1, groom->curl_pitch), .phase = phase};
    if (c.radius > 0)
        c.pitch = fabs(groom->curl_pitch);
    vec_copy(c.axis, axis);
    vec_normal(c.across, axis);
    vec_cross(c.side, axis, c.across);
    return c;
}

void scene_groom_points(const scene_groom *groom, uint32_t k, double (*points)[3], double normal[3])
{
    double axis[3], start[3];
    const double phase = root_direction(groom, k, axis);
    const double edge = strand_length(groom, k) / (groom->vertices - 1.5); // n edges span n - 1/2 of the length
    const curl c = make_curl(groom, axis, phase);
    vec_copy(start, groom->center);
    vec_axpy(start, groom->radius + edge / 2, axis); // vertex 1, where the curl begins
    vec_copy(points[0], start);
    vec_axpy(points[0], -edge, axis);
    double z = 0;
    for (uint32_t i = 1; i < groom->vertices; i++) {
        vec_copy(points[i], start);
        curl_add_point(&c, z, points[i]);
        z = curl_climb(&c, z, edge);
    }
    vec_rotate(normal, c.across, axis, phase);
}
