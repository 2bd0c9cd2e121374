// shapes: solid things as triangles around their own centre, whatever they are made from.
#ifndef SHEAF_VIEW_SHAPES_H
#define SHEAF_VIEW_SHAPES_H

#include "grow/grow.h"
#include "mesh/grid.h"
#include "view/subject.h"

// Each fills an empty shape. Returns SHEAF_OK, SHEAF_ERR_MEMORY; the shape is empty then.

// All points within `radius` of a line of length 2 `half` along axis 2, stretched by `stretch`: balls, rods with round
// ends, ellipsoids.
sheaf_status view_shape_capsule(view_shape *shape, double radius, double half, const double stretch[3]);
sheaf_status view_shape_cylinder(view_shape *shape, double radius, double half);
sheaf_status view_shape_box(view_shape *shape, const double half[3]);

// A square across axis 2.
sheaf_status view_shape_square(view_shape *shape, double half);

// Hills, and a mesh, both where they are.
sheaf_status view_shape_heights(view_shape *shape, const grow_surface *surface);
sheaf_status view_shape_mesh(view_shape *shape, const mesh *m);

// Takes the places and normals of the mesh that the shape was made from, once they have moved.
void view_shape_follow(view_shape *shape, const mesh *m);

// Where a grid's distances are 0, which is what strands meet, around the grid's middle.
sheaf_status view_shape_grid(view_shape *shape, const mesh_grid *grid);

void view_shape_free(view_shape *shape);

#endif
