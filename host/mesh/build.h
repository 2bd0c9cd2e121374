// build: meshes as they are read, while their sizes are not known.
#ifndef SHEAF_MESH_BUILD_H
#define SHEAF_MESH_BUILD_H

#include "groom/input.h"
#include "mesh/mesh.h"

#define MESH_NO_UV UINT32_MAX

// One corner of a face: its vertex, and its place in `uvs` or MESH_NO_UV.
typedef struct mesh_corner {
    uint32_t vertex, uv;
} mesh_corner;

typedef struct mesh_builder {
    groom_input *input;
    mesh *m;
    uint64_t point_capacity, triangle_capacity, uv_capacity, uv_count;
    double (*uvs)[2];
    uint32_t (*uv_corners)[3]; // [triangle]
    uint64_t uv_triangles;     // whose corners all have one
    uint32_t largest_uv;       // of those that faces name
    uint32_t largest_vertex;   // likewise
} mesh_builder;

// Adds a vertex, a place in a picture, or the next corner of the face that `polygon` gathers: from the third on each
// makes a triangle with the first and the one before.
sheaf_status mesh_add_point(mesh_builder *b, const double point[3]);
sheaf_status mesh_add_uv(mesh_builder *b, const double uv[2]);

typedef struct mesh_polygon {
    mesh_corner first, last;
    uint64_t count;
} mesh_polygon;

sheaf_status mesh_add_corner(mesh_builder *b, mesh_polygon *polygon, mesh_corner corner);

// The two kinds of files.
sheaf_status mesh_read_obj(mesh_builder *b);
sheaf_status mesh_read_ply(mesh_builder *b);

#endif
