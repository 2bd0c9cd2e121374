// start: the frames that strands start with, the same for both backends.
#ifndef SHEAF_DER_START_H
#define SHEAF_DER_START_H

#include "model/model.h"

// Frames of some strands at the start of time, in equilibrium with the pose: where those that the scene gives are not,
// they go downhill from there.
typedef struct der_start {
    double (*director)[3]; // [vertex] director 1 of the edge after it
    double *twist;         // [vertex] rad, total twist
} der_start;

// Frames of all strands of a model with arrays; a strand whose frames are in equilibrium as they are given keeps every
// bit of them. NULL where that holds for all. One allocation, freed by base_free.
sheaf_status der_find_start(const sheaf_model *model, der_start **start);

// Total twist at an inner vertex between the frames that the scene gives, nearest to the natural one.
double der_given_twist(const sheaf_model *model, uint64_t vertex);

#endif
