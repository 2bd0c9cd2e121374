// rest: one strand's entries of the model's arrays.
#ifndef SHEAF_STRAND_REST_H
#define SHEAF_STRAND_REST_H

#include "strand/balance.h"

// Memory for the shapes of one strand at a time, as long as the longest strand.
typedef struct rest_scratch {
    double (*tangent)[3];          // [edge]
    double *natural_length;        // [edge]
    double (*natural_tangent)[3];  // [edge]
    double (*natural_director)[3]; // [edge]
    balance_block *blocks;         // [vertex]
} rest_scratch;

sheaf_status rest_scratch_create(uint32_t vertex_count, rest_scratch *scratch);
void rest_scratch_free(rest_scratch *scratch);

// What a strand's entries are made from, besides its vertices.
typedef struct rest_source {
    const sheaf_strand_def *def;
    const scene_group *group;
    const sheaf_material_def *materials; // the scene's
    grow_variety variety;                // factors on the material's
    double overhangs[2];                 // shares of the first and last edge beyond root and tip
    double normal[3];                    // wish for the first director; 0: none
    uint32_t number;                     // of the strand, in messages
} rest_source;

// Fills the entries of strand `index` (pose, lengths, masses, stiffnesses, natural curvature and twist) from its
// vertices, already in model->position, and what its record says of them.
sheaf_status rest_compile(sheaf_model *model, uint32_t index, const rest_source *source, rest_scratch *scratch);

#endif
