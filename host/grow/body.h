// body: how far points are from what strands grow on, for strands that lie on it.
#ifndef SHEAF_GROW_BODY_H
#define SHEAF_GROW_BODY_H

#include "grow/surface.h"
#include "mesh/nearest.h"

// All zero may be closed.
typedef struct grow_body {
    const grow_surface *surface;
    mesh_nearest nearest; // of a mesh
} grow_body;

// The surface must outlive it. Returns SHEAF_OK, SHEAF_ERR_MEMORY; to be closed in any case.
sheaf_status body_open(const grow_surface *surface, grow_body *body);
void body_close(grow_body *body);

typedef struct grow_touch {
    double distance;  // m, negative inside; exact on meshes, to first order on ellipsoids, along `up` on hills
    double normal[3]; // unit, the way the distance grows
    double comb[3];   // of a mesh that says so, at the nearest point; else 0
} grow_touch;

// Where a point is. `last` is the triangle of a mesh that was nearest to a point close by, at first that of the root;
// it receives the one that is now. Any thread.
grow_touch body_touch(const grow_body *body, const double point[3], uint32_t *last);

#endif
