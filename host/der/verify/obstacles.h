// obstacles: solid things among random strands, and places along them for strands to lie.
#ifndef SHEAF_DER_VERIFY_OBSTACLES_H
#define SHEAF_DER_VERIFY_OBSTACLES_H

#include "der/verify/random.h"
#include "model/model.h"

// Adds one collider of every kind, a baked body among them, about each of some points on the first axis, m. All are at
// rest.
sheaf_status obstacles_add(sheaf_scene *scene, uint64_t seed, const double *offsets, uint32_t offset_count);

// The colliders of a scene alone, as a model has them; model_free_colliders ends it.
sheaf_status obstacles_open(const sheaf_scene *scene, sheaf_model *obstacles);

// How far strands may reach into colliders at the start, m.
#define OBSTACLES_DEPTH 1e-4

// A place on the upper side of one of the colliders about a point, half the depth above or below its surface at most,
// and a direction along the surface, or a little away from it.
void obstacles_choose_place(const sheaf_model *obstacles, verify_random *random, uint32_t offset, uint32_t offset_count,
                            double place[3], double direction[3]);

// Whether no point is deeper than that in any collider.
bool obstacles_are_clear(const sheaf_model *obstacles, const double (*points)[3], uint32_t count);

#endif
