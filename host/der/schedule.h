// schedule: how many Newton iterations a step of a strand takes at least; for both backends.
#ifndef SHEAF_DER_SCHEDULE_H
#define SHEAF_DER_SCHEDULE_H

#include "model/model.h"

// Newton iterations that an implicit step of the strand takes at least: 1 where it is naturally straight and nothing
// twists it, else 2. The matrix leaves out how twist couples bending in one direction to bending in the other, so that
// one iteration takes this coupling from the guess; a twisted strand would then shiver.
uint32_t model_newton_least(const sheaf_model *model, uint32_t strand);

#endif
