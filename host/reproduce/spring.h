// spring: the coiled spring of "Computational rod model with user-defined nonlinear constitutive laws" (2018), section
// 4: its laws, how it is pulled, and what careful computations say of it. Shared by the experiment and the tests.
#ifndef SHEAF_REPRODUCE_SPRING_H
#define SHEAF_REPRODUCE_SPRING_H

#include <string.h>

#include "base/vec.h"
#include "kirchhoff/kirchhoff.h"

typedef enum spring_law { SPRING_EXACT, SPRING_FITTED, SPRING_LINEAR, SPRING_LAWS } spring_law;

static const char *const spring_law_names[SPRING_LAWS] = {"exact law", "degree-5 fit", "linear law"};

static const double spring_fit_range = 6.664326; // 1/m, 0.6 of the natural curvature

// Moment per stiffness at strain x, 1/m, and its slope: 4 atan(x / 4), its polynomial of degree 5 by least squares over
// the range, which goes on straight outside, and x.
static inline double spring_psi(spring_law which, double x, double *slope)
{
    static const double p[3] = {0.972446, -0.0134296, 1.26222e-4};
    const double range = spring_fit_range, inside = fmin(fmax(x, -range), range);
    const double square = which == SPRING_FITTED ? inside * inside : x * x;
    switch (which) {
    case SPRING_EXACT:
        *slope = 1 / (1 + square / 16);
        return 4 * atan(x / 4);
    case SPRING_FITTED:
        *slope = p[0] + square * (3 * p[1] + square * 5 * p[2]);
        return inside * (p[0] + square * (p[1] + square * p[2])) + *slope * (x - inside);
    default:
        *slope = 1;
        return x;
    }
}

static inline void spring_moment(const double x[3], double s, double q[3], double stiffness[3][3], const void *user)
{
    static const double rigidity[3] = {541.532, 541.532, 433.226}; // N m^2, EI, EI, GJ
    (void)s;
    memset(stiffness, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        double slope;
        q[k] = rigidity[k] * spring_psi(*(const spring_law *)user, x[k], &slope);
        stiffness[k][k] = rigidity[k] * slope;
    }
}

static const double spring_rest = 0.57735026918962576; // m, from end to end: 1 / sqrt(3)

// The spring clamped at its root, its axis along z; `which` must live as long as the rod.
static inline kirchhoff_def spring_def(const spring_law *which, uint32_t cells)
{
    static const double frame[3][3] = {{0.81649658092772603, 0, 0.57735026918962576},
                                       {-0.40824829046386302, 0.70710678118654752, 0.57735026918962576},
                                       {-0.40824829046386302, -0.70710678118654752, 0.57735026918962576}};
    kirchhoff_def def = kirchhoff_default();
    def.cells = cells;
    def.line_mass = 0.869175;
    vec_set(def.inertia, 2.173e-5, 2.173e-5, 4.346e-5);
    vec_set(def.curvature, 11.10721, 11.10721, 11.10721);
    def.law = spring_moment;
    def.law_user = which;
    memcpy(def.frame, frame, sizeof frame);
    return def;
}

static inline kirchhoff_def spring_def_in_water(const spring_law *which, uint32_t cells)
{
    kirchhoff_def def = spring_def(which, cells);
    def.fluid_density = 1000;
    def.diameter = 0.02;
    def.drag_normal = 0.1;
    def.drag_tangential = 0.01;
    return def;
}

// Force along the axis at both ends, mean of the two, N.
static inline double spring_force(const kirchhoff_rod *rod, uint32_t cells)
{
    const double *root = kirchhoff_node(rod, 0) + 9, *tip = kirchhoff_node(rod, cells) + 9;
    return (root[0] + root[1] + root[2] + tip[0] + tip[1] + tip[2]) / (2 * sqrt(3));
}

// ---- pulled or pressed slowly: each axis of the tip's section moves at h(t) = 5 t m/s until 0.1 s, then 0.5 m/s

static inline void spring_pull(double time, double velocity[3], double turning[3], const void *user)
{
    const double speed = *(const double *)user * (time < 0.1 ? 5 * time : 0.5);
    vec_set(velocity, speed, speed, speed);
    vec_set(turning, 0, 0, 0);
}

// When the ends are `distance` apart.
static inline double spring_pull_time(double distance)
{
    const double way = fabs(distance - spring_rest) / sqrt(3);
    return way < 0.025 ? sqrt(way / 2.5) : 0.1 + (way - 0.025) / 0.5;
}

// ---- pulled fast in water, and let go at 15 ms

static const double spring_release = 0.015; // s

static inline void spring_jerk(double time, double velocity[3], double turning[3], const void *user)
{
    const double speed = time < 0.005 ? 1000 * time : 5;
    (void)user;
    vec_set(velocity, speed, speed, speed);
    vec_set(turning, 0, 0, 0);
}

// ---- what is known

enum { SPRING_PLACES = 12, SPRING_TIMES = 9 };

// End-to-end distance, m, and the force along the axis, N, by collocation and by shooting in equilibrium, which agree
// to 1e-8; at 0.80 and 0.85 m extrapolated over cells, +-5 N.
static const double spring_distances[SPRING_PLACES] = {0.30, 0.35, 0.40, 0.45, 0.50, 0.55,
                                                       0.60, 0.65, 0.70, 0.75, 0.80, 0.85};
static const double spring_forces[SPRING_LAWS][SPRING_PLACES] = {
    {-29179.3, -28847.8, -28039.8, -25273.8, -17708.9, -6991.7, 6328.7, 21818.6, 39329.1, 59344.4, 83165, 113746},
    {-30523.5, -29166.4, -28044.5, -25218.5, -17409.1, -6809.4, 6160.6, 21409.0, 39017.1, 59362.9, 83600, 115080},
    {-46100.1, -41811.4, -36257.1, -28128.5, -18360.0, -7023.6, 6347.9, 22465.7, 42453.9, 68233.3, 103440, 155960}};

// Distance along the axis after the release, m: exact law 800 cells and 10 us, the others 400 cells and 20 us.
static const double spring_times[SPRING_TIMES] = {0.015, 0.0175, 0.02, 0.025, 0.03, 0.035, 0.04, 0.05, 0.06}; // s
static const double spring_release_known[SPRING_LAWS][SPRING_TIMES] = {
    {0.68560, 0.53460, 0.50867, 0.56714, 0.58775, 0.55815, 0.61494, 0.59179, 0.54285},
    {0.68560, 0.53574, 0.50740, 0.57037, 0.58537, 0.55285, 0.61329, 0.59193, 0.54769},
    {0.68560, 0.53044, 0.51676, 0.53904, 0.60709, 0.53786, 0.58947, 0.53991, 0.54206}};

#endif
