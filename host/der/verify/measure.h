// measure: what single stages did to one strand, against the reference.
#ifndef SHEAF_DER_VERIFY_MEASURE_H
#define SHEAF_DER_VERIFY_MEASURE_H

#include "der/verify/mirror.h"

enum { MEASURE_MOST = 5 }; // quantities of one stage

// A stage that has run: the scratch before and after it, and the step it belongs to.
typedef struct stage_view {
    const void *before, *after;
    double time, step; // s, start and length of the step
    bool is_explicit;
    int32_t iteration;       // of the stage that has run
    uint32_t projections;    // how many have run since `before`
    const mirror *committed; // after the last stage: the state it wrote
    double *vertex_errors;   // [vertex of the model], for stages that have errors of single vertices; -1: none
} stage_view;

// Errors of one strand, each relative to the strand's own largest value or to its length; negative: does not apply.
typedef sheaf_status measure_fn(mirror *it, uint32_t strand, ref_rod *rod, const stage_view *view,
                                double errors[MEASURE_MOST]);

// Elastic forces -dE/dx at every vertex: of the reference, into rod->force, and of a device's scratch after bend_twist.
void measure_elastic_forces(ref_rod *rod);
void measure_device_forces(const sheaf_engine *engine, const void *scratch, uint32_t strand, uint32_t vertex_count,
                           double (*out)[3]);

// Whether a strand may have no twist at all.
bool measure_all_frames_are_held(const ref_rod *rod);

measure_fn measure_guess;      // displacement
measure_fn measure_external;   // displacement by gravity and air alone
measure_fn measure_ends;       // held places, held edges, held directors
measure_fn measure_frames;     // tangents, directors
measure_fn measure_curvature;  // curvature, twist, bending energy, twisting energy
measure_fn measure_twist;      // turns, residual, curvature, twist
measure_fn measure_bend_twist; // forces, torque identity; at vertices: forces
measure_fn measure_assemble;   // blocks of single edges, mixed blocks, gradients across edges, strains
measure_fn measure_wind;       // velocity of the air
measure_fn measure_contact;    // distance, normal
measure_fn measure_collide;    // displacement, force of the push
measure_fn measure_solve;      // displacement, tension
measure_fn measure_integrate;  // displacement
measure_fn measure_project;    // displacement, edges, pull of the edges
measure_fn measure_finish;     // velocity, displacement, last velocity, twist, tension

#endif
