// laws: laws of materials over the lengths of strands.
#ifndef SHEAF_STRAND_LAWS_H
#define SHEAF_STRAND_LAWS_H

#include "model/model.h"

// Checks laws that change along strands over the longest strand of their material, and puts what is known of them then
// in the model, whose strands are laid out. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status laws_check_along(sheaf_model *model, const sheaf_scene *scene);

#endif
