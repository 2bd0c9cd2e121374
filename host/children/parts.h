// parts: what the files of children share.
#ifndef SHEAF_CHILDREN_PARTS_H
#define SHEAF_CHILDREN_PARTS_H

#include "children/children.h"

// Streams of random numbers, one for each thing drawn.
enum {
    CHILDREN_STREAM_CUT = 0xC41D00, // and whether it strays
    CHILDREN_STREAM_TIP,
    CHILDREN_STREAM_FRIZZ,
    CHILDREN_STREAM_PLACE,
    CHILDREN_STREAM_ORDER,
};

// Children of one group of strands. Children are in random order, so that any first part of them lies evenly.
typedef struct children_group {
    scene_children set;
    const grow_population *grown; // or NULL
    const scene_bunch *others;    // whose strands they are; NULL: they are copies of their nearest guide
    uint32_t guide_count;
    uint32_t *guides; // [guide_count] places among the strands
    uint32_t count, chosen;
    uint32_t blend;      // guides of a child
    uint32_t *nearest;   // [count][blend] places among the strands, nearest first
    float *weights;      // [count][blend] sum 1
    float (*offsets)[3]; // [count] m at rest, from the first vertex of the nearest guide; NULL: of others
    uint32_t *order;     // [count] which of the others; NULL: copies
} children_group;

// A guide: a strand that has children. Its vertices are those without any that is there for a clamp alone.
typedef struct children_guide {
    uint64_t first;      // vertex in the arrays below
    uint32_t count;      // vertices; 0: it has no children
    uint32_t skipped;    // vertices at the root that are given but left out
    uint32_t number;     // in the model
    double root[2][3];   // tangent and director 1 of its first edge at rest, of the clamp's where there is one
    uint32_t held_edges; // edges from the root on whose direction is held: not pushed
} children_guide;

typedef struct children_collider {
    const model_collider *collider;
    double center[3], axes[3][3];
    double gap; // m, that strands keep from it
} children_collider;

struct children_plan {
    const sheaf_model *model;
    bool has_directors;
    uint32_t strand_count;
    uint64_t *given;        // [strand_count + 1] first vertices of positions as they are given
    children_guide *guides; // [strand_count]
    double (*rest)[3];      // [vertex] m, guides at rest
    double (*director)[3];  // [edge] unit vectors at rest
    children_group *groups;
    uint32_t group_count;
    uint32_t longest; // vertices of a child

    // pose
    double (*turn)[4]; // [edge] quaternions, from rest to now
    double (*root)[3]; // [strand] m, first vertex now
    children_collider *colliders;
};

// ---- bind.c

// Places the children of a group and finds their guides. Returns SHEAF_OK, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status children_bind(const children_plan *c, children_group *g, const scene_group *from);

// ---- rest.c

// A child's rest shape, m; and of its nearest guide's length how much it has, by which the guides' turning is read.
typedef struct children_shape {
    uint32_t count;     // vertices
    double part;        // of the guides' lengths
    double (*point)[3]; // [count]
} children_shape;

uint32_t children_shape_size(const children_plan *c, const children_group *g, uint32_t child);
void children_shape_fill(const children_plan *c, const children_group *g, uint32_t child, children_shape *shape);

static inline const uint32_t *children_nearest(const children_group *g, uint32_t child)
{
    return g->nearest + (size_t)child * g->blend;
}

#endif
