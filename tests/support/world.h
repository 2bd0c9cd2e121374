// world: scenes as text, run on either backend, and how deep their strands are in colliders.
#ifndef SHEAF_TESTS_WORLD_H
#define SHEAF_TESTS_WORLD_H

#include "model/model.h"

// Every call fails the test when the library refuses.
sheaf_model *world_model(const char *text);
sheaf_solver *world_open(const sheaf_model *model, sheaf_backend backend, bool is_double);

// Opens a solver, takes steps, reads all positions, and closes it.
void world_run(const sheaf_model *model, sheaf_backend backend, bool is_double, uint32_t steps, double (*positions)[3]);

// Deepest vertex in a collider, m (negative: how far off the nearest is); the first two of a strand, held, pass.
double world_deepest(const sheaf_model *model, const double (*positions)[3], double time);

// Largest distance between two poses, m.
double world_apart(const sheaf_model *model, const double (*a)[3], const double (*b)[3]);

#endif
