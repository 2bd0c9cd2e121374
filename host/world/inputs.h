// inputs: what the world gives a step, as kernels read it (kernels/world/slots.clh). Any method's device half uses
// them.
#ifndef SHEAF_WORLD_INPUTS_H
#define SHEAF_WORLD_INPUTS_H

#include "model/model.h"

#include "kernels/world/slots.clh"

// Motion of group `group` (0: at rest; k + 1: motion k) in the step from t0 to t1, with the gusts at `load_time`. `out`
// is all 0 before.
void model_motion_input(const sheaf_model *model, uint32_t group, double t0, double t1, double load_time,
                        double out[MOTION_SIZE]);

// A collider in that step, seen from the anchor of a group. `out` is all 0 before.
void model_collider_input(const sheaf_model *model, uint32_t collider, uint32_t group, double t0, double t1,
                          double out[COLLIDER_SIZE]);

// Samples of the distances of all meshes, one mesh after the other.
size_t model_grid_count(const sheaf_model *model);

#endif
