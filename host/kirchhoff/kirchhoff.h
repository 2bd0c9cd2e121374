// kirchhoff: one inextensible, unshearable rod with any law of bending and twisting, in fp64, stepped by the
// generalised alpha method in time and the box scheme along the rod. Another formulation than discrete elastic rods:
// velocities, curvatures and forces in the axes of the cross sections are the unknowns, shapes follow from them. A
// reference only: one rod, plain, no device.
//
// With r the unit vector along the third axis, and everything in the axes of the section at s:
//   dv/ds     = omega x r - kappa x v                                     an inextensible, unshearable rod
//   dkappa/dt = domega/ds + kappa x omega                                 one rotation of every section
//   I domega/dt + omega x I omega = dq/ds + kappa x q + r x f             balance of angular momentum
//   m (dv/dt + omega x v)         = df/ds + kappa x f + F                 balance of momentum
// q = law(kappa - kappa_0, s). The force f and moment q at s are those with which the part beyond s acts.
#ifndef SHEAF_KIRCHHOFF_KIRCHHOFF_H
#define SHEAF_KIRCHHOFF_KIRCHHOFF_H

#include "base/base.h"

// Moment q, N m, and its derivative K = dq/dx, N m^2, at strain x = kappa - kappa_0, 1/m, and place s, m.
typedef void kirchhoff_law(const double x[3], double s, double q[3], double stiffness[3][3], const void *user);

// What an end is told at a time, in the axes of its own section: velocity, m/s, and angular velocity, rad/s, of a held
// end; force, N, and moment, N m, on a free one.
typedef void kirchhoff_course(double time, double first[3], double second[3], const void *user);

typedef struct kirchhoff_end {
    bool is_free;
    kirchhoff_course *course; // NULL: at rest, or without load
    const void *user;
} kirchhoff_end;

typedef enum kirchhoff_solver {
    KIRCHHOFF_ASSEMBLED, // all equations at once, a band matrix with partial pivoting
    KIRCHHOFF_SHOOTING,  // from the root to the tip and back; loses digits as steps get shorter
} kirchhoff_solver;

typedef struct kirchhoff_def {
    uint32_t cells;      // at least 1
    double length;       // m
    double line_mass;    // kg/m; 0: a rod in equilibrium at any time
    double inertia[3];   // kg m, of a length of rod, about its axes
    double curvature[3]; // 1/m, kappa_0
    kirchhoff_law *law;
    const void *law_user;
    double fluid_density;    // kg/m^3, of what is around it; 0: nothing
    double diameter;         // m, that the fluid meets
    double drag_normal;      // Morison's coefficients of drag
    double drag_tangential;  //
    kirchhoff_end root, tip; // may be changed between steps: kirchhoff_set_root, kirchhoff_set_tip
    double rho;              // 0 to below 1: by how much the fastest vibrations are kept in a step
    kirchhoff_solver solver; //
    uint32_t iterations;     // at most, of Newton's method
    double tolerance;        // of the largest change in units of `scale`
    double scale[4];         // m/s, rad/s, 1/m, N: sizes that count in v, omega, kappa, f
    double frame[3][3];      // rows: the axes of the root's section at the start, in space
} kirchhoff_def;

// What a step took.
typedef struct kirchhoff_report {
    uint32_t iterations;
    double update; // of the last iteration, in units of `scale`
    double growth; // shooting: the largest factor from an unknown at the root to a value along the rod
} kirchhoff_report;

enum { KIRCHHOFF_UNKNOWNS = 12 }; // per node: v, omega, kappa, f

typedef struct kirchhoff_rod kirchhoff_rod;

// 200 cells of 1 m, both ends held, rho 1/2, assembled, tolerance 1e-8; the law, mass and inertia are the caller's.
kirchhoff_def kirchhoff_default(void);

// A rod at rest in its natural shape. SHEAF_ERR_USAGE: the definition makes no sense, the text says why.
sheaf_status kirchhoff_open(const kirchhoff_def *def, kirchhoff_rod **out);
void kirchhoff_close(kirchhoff_rod *rod);

// Another kind of end from the next step on.
void kirchhoff_set_root(kirchhoff_rod *rod, kirchhoff_end end);
void kirchhoff_set_tip(kirchhoff_rod *rod, kirchhoff_end end);

// One step of `step` seconds. SHEAF_ERR_FAILED: Newton's method found no answer, the matrix is singular, or shooting
// grew beyond 1e12; the rod is as before the step.
sheaf_status kirchhoff_step(kirchhoff_rod *rod, double step, kirchhoff_report *report);

double kirchhoff_time(const kirchhoff_rod *rod); // s

// v, omega, kappa, f at node 0 .. cells.
const double *kirchhoff_node(const kirchhoff_rod *rod, uint32_t node);

// Places of all nodes, m, into points[cells + 1][3], and the axes of the tip's section (rows), from the root's place
// and axes by the mean curvature of every cell: exact for a helix. Returns how far that leaves the tip from where its
// own velocity took it, m: an error of order cells^-2.
double kirchhoff_shape(const kirchhoff_rod *rod, double (*points)[3], double tip_frame[3][3]);

#endif
