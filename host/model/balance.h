// balance: natural curvature and twist by which a strand's pose is at rest under gravity, and whether it stays there.
#ifndef SHEAF_MODEL_BALANCE_H
#define SHEAF_MODEL_BALANCE_H

#include "model/model.h"
#include "model/polyline.h"

// Reason of strands that are balanced, but not stable.
#define BALANCE_WOULD_FALL "it would fall"

// Why strands with these ends cannot be balanced; NULL: they can.
const char *balance_obstacle(const sheaf_strand_def *def);

// Whether a strand of the model is to be at rest as it starts, and whether any is.
bool balance_is_wanted(const sheaf_model *model, uint32_t strand);
bool balance_is_wanted_anywhere(const sheaf_model *model);

// Changes the natural curvature and twist of a strand, which must be those of its pose, so that gravity leaves it as it
// is: a clamped root bears all, the tip is free. `first` is its first vertex in the model's arrays.
void balance_strand(sheaf_model *model, uint64_t first, const polyline *pose);

// Whether a strand, at rest in its initial pose, comes back after a small disturbance: the second derivative of its
// energy is positive in all turns of its free edges. `matrices` is room for one 3x3 matrix per vertex. The model must
// have arrays.
bool balance_is_stable(const sheaf_model *model, uint32_t strand, double (*matrices)[3][3]);

#endif
