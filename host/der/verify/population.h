// population: models of random strands to compare backends on: straight and curled, isotropic and anisotropic, evenly
// and unevenly spaced, twisted by nature, still and carried along, near the origin and far from it, with ends of all
// kinds, with and without internal damping, alike side by side and not.
#ifndef SHEAF_DER_VERIFY_POPULATION_H
#define SHEAF_DER_VERIFY_POPULATION_H

#include "model/model.h"
#include "verify/verify.h"

enum { POPULATION_VERTEX_MOST = VERIFY_VERTEX_MAX }; // of any strand

typedef struct population_options {
    sheaf_integrator integrator;
    sheaf_projector projector;
    bool is_calm;       // gently bent, fit for whole steps; else bent at random at every vertex, so that no term of any
                        // equation is small
    bool is_plain;      // clamped roots, free tips, no internal damping, any numbers of vertices side by side; else all
                        // kinds of strands that have kernels of their own
    bool is_gusty;      // in gusts, and with less drag along a strand than across it
    bool has_colliders; // of every kind, at rest, where strands are; calm strands lie along them, others across them
    uint32_t first;     // strands come in classes of 16, of each kind in turn; so many are left out at the start
    uint32_t strand_count;
    uint32_t vertex_most; // of a strand, 5 to POPULATION_VERTEX_MOST
    uint32_t projections; // most of them in a step
    uint64_t seed;
} population_options;

// Time steps, s: powers of two, which single precision holds exactly. So it does gravity and wind.
#define POPULATION_STEP_IMPLICIT (1.0 / 256)
#define POPULATION_STEP_EXPLICIT (1.0 / 8192)

// Explicit steps take no internal damping, so their strands have none.
sheaf_status population_create(const population_options *options, sheaf_model **model);

// Smoothly bent strands 20 cm long of one vertex count, all at the same distance from the origin, m.
sheaf_status population_create_smooth(uint32_t vertex_count, double offset, uint32_t strand_count, uint64_t seed,
                                      sheaf_model **model);

#endif
