// turns: what a trajectory has to hold: whether directors can be seen in it, and how far strands get.
#ifndef SHEAF_RUN_TURNS_H
#define SHEAF_RUN_TURNS_H

#include "model/model.h"

// Whether a trajectory of every stride-th strand holds angles of directors: where the scene asks for them; and where
// they can be seen, on strands that are drawn as tubes or blades and have a section that is not round, or whose twist
// is imposed: by an end, an inner edge, the joint of a ring, or by a motion or body that one of two held frames
// follows. Children need none: they are nearer to what they stand for when the frames of their guides are carried along
// without twist (reproduce children), which points tell.
bool run_shows_directors(const sheaf_model *model, uint32_t stride);

// The largest coordinate, m, that the motions of a scene take its strands to, about: corners of the box around `points`
// at times of the whole simulation. 0 where nothing moves.
double run_farthest(const sheaf_model *model, const double (*points)[3], uint64_t count);

#endif
