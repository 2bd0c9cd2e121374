// rigid: rigid bodies in time: free, fixed, driven by a motion, or on an axle. Implicit steps of second order (BDF2) or
// first (Euler), in fp64 and in space axes.
//
// With u = log(R R_n^T), the rotation vector of this step, w = (3 u - u_n) / (2 h) and L = R I R^T w:
//     residual  tau - (3 L - 4 L_n + L_{n-1}) / (2 h),   matrix (9 / 4 h^2) R I R^T;
// the centre moves as any vertex does: (9/4) M/h^2 (r_hat - r) + M g + F. Euler, also where there is no history:
// w = u / h, tau - (L - L_n) / h. Rotation vectors of successive steps may be added: their commutator is of order h^3.
#ifndef SHEAF_COUPLE_RIGID_H
#define SHEAF_COUPLE_RIGID_H

#include "model/model.h"

// State of a body; doubles alone, so that it is an array of RIGID_NUMBERS in checkpoints.
typedef struct rigid_state {
    double center[3];        // m
    double axes[3][3];       // principal axes, rows of unit vectors in space
    double velocity[3];      // m/s
    double last_velocity[3]; // m/s, one step before
    double move[3];          // m, of the last step
    double momentum[3];      // kg m^2/s, angular, about the centre
    double last_momentum[3]; // one step before
    double turn[3];          // rad, rotation vector of the last step
    double spin[3];          // rad/s
    double wound[3];         // rad, rotation vectors of all steps together: turns are counted, not angles
    double has_history;      // 1: BDF2 may use the step before
    double frozen_step;      // 0, or 1 + the step in which it was found to run away: it stays where it was
} rigid_state;

enum { RIGID_NUMBERS = sizeof(rigid_state) / sizeof(double) };

// One step of one body.
typedef struct rigid_step {
    const sheaf_model *model;
    const model_body *body;
    rigid_state start, *now;
    double time, step; // s, of the end of the step
    bool second_order;
    double inertia;    // 1/s^2, of the mass in the matrix
    double slope;      // 1/s, dv/dr
    double target[3];  // m, where its centre would go without forces
    double turn[3];    // rad, of this step so far
    double load[6];    // N, N m: what strands did to it at the last linearisation
    double free[6][6]; // projector onto the displacements (translation, rotation) that it is free to make
    bool is_free;      // any of them
} rigid_step;

// exp and log of rotations: axes (rows) turned by a rotation vector; the vector that takes `from` to `to`.
void rigid_turn_axes(const double axes[3][3], const double vector[3], double out[3][3]);
void rigid_turn_between(const double from[3][3], const double to[3][3], double vector[3]);

// A body at time 0.
void rigid_start(const model_body *body, rigid_state *state);

// Begins a step that ends at `time`, and puts the body where inertia, or what drives it, takes it.
void rigid_open(const sheaf_model *model, uint32_t body, double time, double step, rigid_state *state, rigid_step *s);

// What is out of balance at the iterate, N and N m, and the matrix; strands come on top.
void rigid_residual(const rigid_step *s, double right[6], double matrix[6][6]);

// Moves the body by a displacement and a rotation vector; only what it is free to do happens.
void rigid_move(rigid_step *s, const double change[6]);

// Ends the step: velocities, momenta, history. False: it ran away, and is back where the step began, for good.
bool rigid_close(rigid_step *s, uint64_t step_number);

// Where a point with an arm in principal axes is, m, and how fast, m/s (may be NULL).
void rigid_point(const rigid_state *state, const double arm[3], double place[3], double velocity[3]);

// Kinetic energy, J.
double rigid_kinetic(const model_body *body, const rigid_state *state);

#endif
