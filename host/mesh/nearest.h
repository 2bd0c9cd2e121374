// nearest: the triangle of a mesh that is nearest to a point, by Embree.
#ifndef SHEAF_MESH_NEAREST_H
#define SHEAF_MESH_NEAREST_H

#include "mesh/mesh.h"

#include <embree3/rtcore.h>

// A mesh in Embree's hands. All zero may be closed.
typedef struct mesh_nearest {
    const mesh *m;
    RTCDevice device;
    RTCScene scene;
    float *reach; // [triangle] how far a triangle goes from its first corner
} mesh_nearest;

// The mesh must outlive it. Returns SHEAF_OK, SHEAF_ERR_MEMORY; to be closed in any case.
sheaf_status mesh_nearest_open(const mesh *m, mesh_nearest *n);
void mesh_nearest_close(mesh_nearest *n);

// A place on a mesh: barycentric weights in a triangle.
typedef struct mesh_spot {
    uint32_t triangle;
    double weights[3];
} mesh_spot;

// Distance of the mesh from a point, in single precision, and where that is (may be NULL). Any thread. It is known to
// be less than `most`, which spares the search what is farther; where it is not, that is the answer, and there is no
// spot.
float mesh_nearest_find(const mesh_nearest *n, const double point[3], float most, mesh_spot *spot);

// The same with a guess: the distance is at most that of the triangle that `spot` names, which is tight next to a point
// whose nearest triangle that was.
float mesh_nearest_from(const mesh_nearest *n, const double point[3], mesh_spot *spot);

#endif
