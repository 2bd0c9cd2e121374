// crowd: small populations for tests of the engine: curled strands that are shaken, of one length or of several, with
// clamped roots or with ends of all kinds.
#ifndef SHEAF_TESTS_CROWD_H
#define SHEAF_TESTS_CROWD_H

#include "der/device/device.h"

typedef struct crowd {
    uint32_t strand_count;
    const uint32_t *members; // [strand_count] which strands of the population, in which order; NULL: the first ones
    uint32_t vertex_count;   // of the longest strand
    bool is_ragged;          // several lengths
    bool is_mixed;           // every third strand is loaded; some of these are pinned, with an inner frame that turns
    bool is_damped;          // with internal damping
    sheaf_integrator integrator;
    double step; // s
} crowd;

// Fails the test when the model cannot be made.
sheaf_model *crowd_model(const crowd *c);

#endif
