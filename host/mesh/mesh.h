// mesh: surfaces of triangles, as .obj and .ply files hold them: what strands grow on and bounce off.
#ifndef SHEAF_MESH_MESH_H
#define SHEAF_MESH_MESH_H

#include "groom/groom.h"

// Never changes once read and placed, except for points that a caller moves before mesh_measure. All zero is an empty
// mesh.
typedef struct mesh {
    uint32_t vertex_count;
    uint32_t triangle_count;
    double (*points)[3];      // [vertex], in the file's unit until mesh_place
    uint32_t (*triangles)[3]; // [triangle] vertices, counter-clockwise seen from outside
    double (*normals)[3];     // [vertex] unit, the mean of its triangles by their areas; z where they have none
    float (*uv)[3][2];        // [triangle][corner] place in a picture, 0 to 1 and beyond; NULL: not said
    float *density;           // [vertex] from 0; NULL: not said
    float (*comb)[3];         // [vertex] way that hair is combed, of any length; NULL: not said
    double area;              // of all triangles
    double volume;            // enclosed; negative when triangles face inwards; of open meshes without meaning
    double low[3], high[3];   // bounds of the points
    bool is_closed;           // every edge belongs to two triangles, which run along it in opposite directions
    uint64_t open_edges;      // of triangles, without such a partner
    uint64_t flat_triangles;  // without area
    double metres_per_unit;   // as the file says; 0: not said
    groom_up up;              // likewise
} mesh;

enum { MESH_MOST_TRIANGLES = 1 << 30 };

// Reads the triangles of a file: .ply by its first bytes, anything else as .obj. Polygons are cut into fans. Vertices
// at the same place count as one for normals and closedness. Refuses coordinates that are not finite or beyond
// GROOM_FARTHEST, faces of vertices that are not there, and files without faces. `m` is empty on failure. Returns
// SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status mesh_open(const char *path, mesh *m);

// The same from bytes that stay the caller's; `name` is for messages.
sheaf_status mesh_open_memory(const void *bytes, size_t size, const char *name, mesh *m);
void mesh_free(mesh *m);

// Turns the mesh so that its axis `from` is up along `to`, scales it and then moves it by `offset`.
void mesh_place(mesh *m, groom_up from, groom_up to, double scale, const double offset[3]);

// Works out normals, area, volume and bounds again, once points have moved. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status mesh_measure(mesh *m);

// Twice a triangle's area times its normal.
void mesh_cross(const mesh *m, uint32_t triangle, double out[3]);

// Point of a triangle, and the direction between its vertices' normals (unit), by barycentric weights.
void mesh_point(const mesh *m, uint32_t triangle, const double weights[3], double out[3]);
void mesh_normal(const mesh *m, uint32_t triangle, const double weights[3], double out[3]);

#endif
