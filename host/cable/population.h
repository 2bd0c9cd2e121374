// population: random cables, for comparisons and measurements: ropes of several lengths that hang askew from an anchor
// that moves gently, with loads, pulled, or with nothing at their tips.
#ifndef SHEAF_CABLE_POPULATION_H
#define SHEAF_CABLE_POPULATION_H

#include "model/model.h"

typedef struct cable_population {
    uint32_t count;
    uint32_t first;                         // leaves out so many
    uint32_t vertices_least, vertices_most; // of a cable
    double ratio_most;                      // of a load's mass and that of a segment
    bool is_loaded;                         // every one has a load
    uint64_t seed;
} cable_population;

// The step is 1/60 s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_population_create(const cable_population *options, sheaf_model **model);

#endif
