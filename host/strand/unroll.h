// unroll: a model whose closed strands are laid out as open ones that go on over their first edge once more.
#ifndef SHEAF_MODEL_UNROLL_H
#define SHEAF_MODEL_UNROLL_H

#include "model/model.h"

enum { UNROLL_EXTRA = 2 }; // vertices at the tip that stand for the first ones again

// Whether any strand is closed.
bool model_has_loops(const sheaf_model *model);

// Lays out a model with arrays: strand s has the vertices it had, and where it was closed two more, which are copies of
// its first two. Its last edge then is its first one again, every vertex where it bends is between two edges, and the
// copies share the masses. model_strand.is_loop says so. Nothing here keeps copies and first vertices together: who
// moves the strand does. Ends are free to move, and the frames of both copies of the edge are held, one turned against
// the other by the closing twist, which the strand so keeps; right for strands that are isotropic and naturally
// straight, which do not see how a frame turns. Freed by sheaf_model_free before the model. Returns SHEAF_OK,
// SHEAF_ERR_MEMORY.
sheaf_status model_unroll(const sheaf_model *model, sheaf_model **unrolled);

// Moment, N m, with which a loop's twist is in equilibrium at the start, and the twist at an inner vertex under it,
// rad.
double model_loop_moment(const sheaf_model *unrolled, uint32_t strand);
double model_loop_twist(const sheaf_model *unrolled, uint64_t vertex, double moment);

#endif
