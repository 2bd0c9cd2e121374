// linear: the equations of equilibrium of one rod in its own unknowns, and their derivative. Shared by statics.c
// (Newton) and modes.c (small vibrations).
//
// Unknowns q: the rod's position freedoms, then its free frame angles. Angles are counted from frames carried along by
// parallel transport from the base pose, because then -force and angle_gradient - axial_couple are the gradient of
// energy and loads at any angle, in equilibrium or not, and the Hessian is local.
// Lengths enter as constraints C_j = |e^j| - rest length; their multipliers are tensions.
// Scaled unknowns y = q / unit: the kinetic energy of a motion is |dy/dt|^2 / 2.
#ifndef SHEAF_REF_LINEAR_H
#define SHEAF_REF_LINEAR_H

#include "der/ref/ref.h"

typedef struct ref_linear {
    ref_rod *rod;
    double time;
    double length, mean_edge; // m, at rest

    // unknowns
    uint32_t position_count; // those that move vertices
    uint32_t unknown_count;  // with the free frame angles, which come last
    uint32_t length_count;   // edges whose length binds
    ref_freedom *freedoms;   // [position]
    uint32_t *angle_edge;    // [unknown], set from position_count on
    uint32_t *length_edge;   // [length]
    uint32_t *colour;        // [unknown]; two of one colour act on no common force
    uint32_t colour_count;
    double *unit; // [unknown] 1/sqrt(kg), rad/(sqrt(kg) m)

    // base pose
    double (*x)[3], (*tangent)[3], (*bishop)[3], (*held)[3];
    double *held_angle, *theta;
    double closing_angle;

    // at the base pose. Q is the orthogonal matrix whose first `rank` columns span the gradients of C in y.
    double *gradient; // [unknown] dPi/dq of energy and loads, N and N m
    double *reduced;  // [unknown] Q^T dPi/dy; behind the first `rank` entries, what no tension balances
    double *tension;  // [length] N
    double *normal;   // [length][position] QR factors of the gradients of C in y, by LAPACK's dgeqp3
    double *reflector;
    int32_t *pivot;
    uint32_t rank;
    double residual;  // N, largest unbalanced force; an unbalanced couple counts with one mean edge length as lever
    double noise;     // N, what rounding alone leaves of it
    double *hessian;  // [unknown][unknown] Q^T H Q, H the Hessian of the Lagrangian in y; row a: derivative along a
    double asymmetry; // of H, as a share of its largest entry

    double *step, *trial, *difference; // [unknown] scratch
    void *numbers, *indices;           // what the arrays were cut from
} ref_linear;

// Finds the unknowns of a rod whose ends are where `time` has them.
sheaf_status linear_open(ref_rod *rod, double time, ref_linear *linear);
void linear_close(ref_linear *linear);

// Makes the rod's pose the base pose, with gradient, tensions and residual there.
sheaf_status linear_base(ref_linear *linear);

// Puts the rod at the base pose moved by `step` in q (NULL: not moved), frames not yet; linear_follow then takes the
// frames along and gives dPi/dq. Between the two the caller may move vertices further.
void linear_place(ref_linear *linear, const double *step);
void linear_follow(ref_linear *linear, const double *step, double *gradient);

// Adds the pull of the tensions at the rod's present pose to a gradient.
void linear_add_tensions(const ref_linear *linear, double *gradient);

// Components along the first `rank` columns of Q that would give every edge its rest length at the rod's present pose,
// to first order and with the gradients of the base pose. Returns the worst | |e| / l - 1 | now.
double linear_correct_lengths(const ref_linear *linear, double *components);

// Fills `hessian` and `asymmetry`; leaves the rod at the base pose. Couples, and held frames on edges that are free to
// turn, have no potential: H is then not symmetric. `symmetrise` keeps its symmetric part only.
sheaf_status linear_hessian(ref_linear *linear, bool symmetrise);

// Turns components along the columns of Q, and angles, into a change of q: step = unit Q components.
sheaf_status linear_expand(const ref_linear *linear, const double *components, double *step);

#endif
