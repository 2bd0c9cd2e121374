// strand: what a strand is, for any method: scenes compiled to models, parts of models, facts about strands.
#ifndef SHEAF_STRAND_STRAND_H
#define SHEAF_STRAND_STRAND_H

#include "model/model.h"

// As sheaf_model_create, with another limit than MODEL_ARRAYS_MOST.
sheaf_status model_compile(const sheaf_scene *scene, uint64_t arrays_most, sheaf_model **model);

// The strands with these numbers (NULL: 0 .. count - 1) as a model of their own, in this order and with all arrays.
// Groups and skins keep the numbers of the whole. Freed by sheaf_model_free before the model.
sheaf_status model_part(const sheaf_model *model, const uint32_t *strands, uint32_t count, sheaf_model **part);

// Calls fn for parts with all arrays that together are the model, in order; strand 0 of a part is strand `first`.
typedef sheaf_status model_part_fn(const sheaf_model *part, uint32_t first, void *user);
sheaf_status model_for_each_part(const sheaf_model *model, model_part_fn *fn, void *user);

// Whether strands have sections, or a stiffness of their own at every vertex.
bool model_has_sections(const sheaf_model *model);

// Binds the roots of all strands that follow a deforming mesh. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status model_bind_roots(sheaf_model *model);
bool model_has_skins(const sheaf_model *model);

// ---- touch

// How strands of a scene touch each other.
sheaf_status model_make_touch(const sheaf_scene *scene, model_touch *touch);

// Coulomb's coefficient between two strands, which may be the same one; negative: they do not touch.
double model_touch_friction(const sheaf_model *model, uint32_t a, uint32_t b);

// Radius at which an edge, by its place in the arrays over edges, touches those of other strands, m.
double model_touch_radius(const sheaf_model *model, uint32_t strand, uint64_t edge);

// ---- identity and size

// A number that tells models apart whose strands move differently: made of strands, motions and settings, but not of
// how long the simulation lasts or what is kept of it. Of a model without arrays a sample of its strands is taken.
sheaf_status model_identity(const sheaf_model *model, uint64_t *identity);

// Bytes of the model.
uint64_t model_bytes(const sheaf_model *model);

#endif
