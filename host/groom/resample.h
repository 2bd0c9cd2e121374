// resample: strands with another number of vertices, evenly spaced along a smooth curve through the old ones.
#ifndef SHEAF_GROOM_RESAMPLE_H
#define SHEAF_GROOM_RESAMPLE_H

#include "groom/groom.h"

// What resampling lost, over all strands and frames so far.
typedef struct groom_loss {
    uint64_t strands;
    double worst_length, sum_length;   // share of a strand's length, |new / old - 1|
    double worst_turning, sum_turning; // rad, |new - old| of the sum of angles between neighbouring edges
} groom_loss;

// Fills positions of `out`, whose strands have at least two vertices each, from the strands `chosen` of `g` (NULL: all,
// in order). `scratch` holds 4 numbers for each vertex of the longest strand of `g`.
void groom_resample(const groom *g, const uint64_t *chosen, groom *out, double *scratch, groom_loss *loss);

// The same for arrays besides positions.
void groom_resample_arrays(const groom *g, const uint64_t *chosen, groom *out, double *scratch);

#endif
