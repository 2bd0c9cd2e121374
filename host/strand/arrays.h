// arrays: a model's arrays over vertices and edges: room for them, and filling them from what strands are made from.
#ifndef SHEAF_STRAND_ARRAYS_H
#define SHEAF_STRAND_ARRAYS_H

#include "model/model.h"

sheaf_status arrays_allocate(sheaf_model *model);
void arrays_free(sheaf_model *model);

// Bytes of the arrays; 0 where the model keeps none.
uint64_t arrays_bytes(const sheaf_model *model);

// Compiles strands of `source` into the arrays and records of `target`, which may be the same: strand k of the target
// is strand numbers[k] (NULL: k) of the source.
sheaf_status arrays_compile(const sheaf_model *source, const uint32_t *numbers, sheaf_model *target);

#endif
