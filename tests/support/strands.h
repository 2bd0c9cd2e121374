// strands: one strand made through the public interface, ready to be stepped by the reference.
#ifndef SHEAF_TESTS_STRANDS_H
#define SHEAF_TESTS_STRANDS_H

#include "der/ref/ref.h"

typedef struct strand_def {
    sheaf_scene_def scene;
    sheaf_material_def material;
    sheaf_motion_def motion; // used when it has a name
    sheaf_strand_def strand;
} strand_def;

// The library's defaults, without gravity.
strand_def strand_def_default(void);

// The rod of the SWING measurement: 1 m from clamp plane to tip, 31 edges, E chosen so that w L^3 / B = 10, clamped
// horizontal along x with the clamp plane in the middle of the first edge, gravity along -z.
strand_def strand_def_swing(void);

typedef struct strand {
    sheaf_model *model;
    sheaf_state *state;
    ref_rod rod;
    double step;
    uint64_t steps; // taken
} strand;

// Opens the strand at time 0 with its frames in equilibrium. Fails the test on any error.
strand strand_open(const strand_def *def);
void strand_close(strand *it);

// Takes steps of it->step, set by the caller.
void strand_run(strand *it, uint64_t steps);

// Largest | |e| / l - 1 |; total momentum, kg m/s, and angular momentum about the origin, kg m^2/s.
double strand_strain(const strand *it);
void strand_momentum(const strand *it, double momentum[3], double angular[3]);

// Bending and twisting energy, J, of the present pose.
double strand_elastic_energy(strand *it);

#endif
