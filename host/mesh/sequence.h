// sequence: a mesh that deforms: the places of its vertices at even times, and what is bound to its triangles.
#ifndef SHEAF_MESH_SEQUENCE_H
#define SHEAF_MESH_SEQUENCE_H

#include "mesh/mesh.h"

#include <stdatomic.h>

// Never changes once filled; shared by all that hold it.
typedef struct mesh_sequence {
    atomic_uint owners;
    double start, rate; // s, time of the first frame; frames per second
    uint32_t frame_count, vertex_count, triangle_count;
    uint32_t (*triangles)[3]; // [triangle] vertices, the same in all frames
    double (*points)[3];      // [frame][vertex] m
} mesh_sequence;

enum { MESH_SEQUENCE_MOST = 1 << 30 }; // bytes of all places

// Makes a sequence with the triangles of a mesh in metres, its frames to be set. Returns SHEAF_OK, SHEAF_ERR_LIMIT,
// SHEAF_ERR_MEMORY.
sheaf_status mesh_sequence_create(const mesh *first, uint32_t frame_count, double start, double rate,
                                  mesh_sequence **sequence);

// Sets a frame. SHEAF_ERR_INPUT where the mesh has other triangles than the first; `name` is for messages.
sheaf_status mesh_sequence_set(mesh_sequence *sequence, uint32_t frame, const mesh *m, const char *name);

// Another owner of a sequence, which may be NULL; and one owner less.
mesh_sequence *mesh_sequence_share(mesh_sequence *sequence);
void mesh_sequence_release(mesh_sequence *sequence);

// Time of a frame, s, and the last frame whose time has come; the first one before that.
double mesh_sequence_time(const mesh_sequence *sequence, uint32_t frame);
uint32_t mesh_sequence_frame(const mesh_sequence *sequence, double time);

// A mesh of its own with the sequence's triangles, and moving it to where they are at a time: along straight lines
// between frames. Return SHEAF_OK, SHEAF_ERR_MEMORY; what could not be made is empty.
sheaf_status mesh_sequence_open_mesh(const mesh_sequence *sequence, mesh *m);
sheaf_status mesh_sequence_move_mesh(const mesh_sequence *sequence, double time, mesh *m);

// A place on the mesh: barycentric weights in a triangle.
typedef struct mesh_binding {
    uint32_t triangle;
    double weights[3];
} mesh_binding;

// Binds points to the nearest places of the first frame. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status mesh_sequence_bind(const mesh_sequence *sequence, const double (*points)[3], uint32_t count,
                                mesh_binding *bindings);

// Where a bound place is in a frame, and the axes of its triangle there: two in it, turned as its corners are on the
// whole, and its normal. False: the triangle has no area then.
bool mesh_sequence_pose(const mesh_sequence *sequence, const mesh_binding *binding, uint32_t frame, double place[3],
                        double axes[3][3]);

#endif
