// shape: where the vertices of generated strands lie.
#ifndef SHEAF_SCENE_SHAPE_H
#define SHEAF_SCENE_SHAPE_H

#include "scene/scene.h"

// Vertices of a strand's shape, m, [vertex_count][3], and the direction `normal` that director 1 of the first edge is
// to point to (0: no wish). The definition has passed scene_check_group.
void scene_shape_points(const sheaf_strand_def *strand, double (*points)[3], double normal[3]);

#endif
