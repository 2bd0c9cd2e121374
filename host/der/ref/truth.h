// truth: one implicit step of one strand, converged by itself: what the equations of theory.md say, not what an engine
// makes of them in a few iterations. Positions, frame angles, tensions and pressures are unknowns of one system, which
// Newton's method solves with the exact matrix (truth_strain.h); contact is by complementarity. Slow, and no part of
// any run: verification and tests measure engine and stepping reference against it.
//
// Where a step has several solutions, meant is the one that the start of the step leads to: (c/h^2) M (xh - x) + f = 0
// with xh = x_n + s (xh_1 - x_n), forces s^2 f, and what is held on s of its way, has at s = 0 the pose at the start of
// the step and at s = 1 the solution of the step; s goes from 0 to 1 in pieces within which no edge and no frame turns
// far. Held frames go with their edges by one least turn from the start of the step to its end.
#ifndef SHEAF_REF_TRUTH_H
#define SHEAF_REF_TRUTH_H

#include "der/ref/ref.h"

// A pose at the end of a step, with its forces.
typedef struct truth_guess {
    const double (*x)[3];        // [vertex] m
    const double (*director)[3]; // [edge] director 1
    const double *twist;         // [interior vertex] rad
    const double *tension;       // [edge] N
    const double *press;         // [vertex] N
} truth_guess;

typedef struct truth_options {
    bool bdf2;                // else implicit Euler; without history (rod->record->has_history) it is that, too
    double creep;             // m/s, slower sliding than this is resisted in proportion (theory.md, section 8)
    const truth_guess *guess; // NULL: the path from the start of the step; else the solution that is next to this
} truth_options;

// What was found. Arrays are the caller's, room for every vertex; `x` alone may not be NULL.
typedef struct truth_result {
    double (*x)[3];        // [vertex] m
    double (*director)[3]; // [edge] director 1
    double *twist;         // [interior vertex] rad
    double *tension;       // [edge] N
    double *press;         // [vertex] N, of the collider that is nearest
    bool converged;        // all equations hold within 1e-10 of their units
    double residual;       // largest share of what is out of balance, in units of force, couple and length
    double began;          // that of the guess, where there was one
    double reached;        // s that was arrived at, 1 where it converged
    uint32_t pieces, iterations;
    uint32_t jumps; // so often the path came to an end, and the strand went downhill to where it goes on
} truth_result;

// Solves for the step from `time` on. `rod` is where the step starts: positions, velocities, history, frames up to
// date (ref_frames), ends where `time` has them; it stays as it is. Open strands of a linear material without joints
// only; gusts count as wind: else SHEAF_ERR_USAGE. SHEAF_OK also where it did not converge.
sheaf_status truth_step(ref_rod *rod, double time, double step, const truth_options *options, truth_result *result);

#endif
