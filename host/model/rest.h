// rest: one strand's entries of the model's arrays.
#ifndef SHEAF_MODEL_REST_H
#define SHEAF_MODEL_REST_H

#include "model/model.h"

// Memory for the shapes of one strand at a time, as long as the longest strand.
typedef struct rest_scratch {
    double (*tangent)[3];          // [edge]
    double *natural_length;        // [edge]
    double (*natural_tangent)[3];  // [edge]
    double (*natural_director)[3]; // [edge]
} rest_scratch;

sheaf_status rest_scratch_create(uint32_t vertex_count, rest_scratch *scratch);
void rest_scratch_free(rest_scratch *scratch);

// Fills everything of strand `index` but its ends: pose, lengths, masses, stiffnesses, natural curvature and twist,
// from its vertices (already in model->position) and the wish for its first director (0: none).
sheaf_status rest_compile(sheaf_model *model, uint32_t index, const sheaf_strand_def *def, const double normal[3],
                          const sheaf_material_def *material, rest_scratch *scratch);

#endif
