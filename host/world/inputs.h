// inputs: what the world gives a step, as kernels read it (kernels/world/slots.clh). Any method's device half uses
// them.
#ifndef SHEAF_WORLD_INPUTS_H
#define SHEAF_WORLD_INPUTS_H

#include "model/model.h"

#include "kernels/world/slots.clh"

// A step, or a part of one. Whatever jumps in a step is seen in all of it as if it had been there before.
typedef struct model_span {
    double start, end; // s
    double step_end;   // s, end of the whole step
} model_span;

// Motion of group `group` (0: at rest; k + 1: motion k) in that time, with the gusts at `load_time`. `out` is all 0
// before.
void model_motion_input(const sheaf_model *model, uint32_t group, model_span span, double load_time,
                        double out[MOTION_SIZE]);

// A collider in that time, seen from the anchor of a group. `out` is all 0 before.
void model_collider_input(const sheaf_model *model, uint32_t collider, uint32_t group, model_span span,
                          double out[COLLIDER_SIZE]);

// Samples of the distances of all meshes, one mesh after the other.
size_t model_grid_count(const sheaf_model *model);

#endif
