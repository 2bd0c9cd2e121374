// children: strands that are drawn between simulated ones, their guides. A child keeps its own rest edges; each is
// turned as the edges of its guides have turned since rest, laid from the root, and kept out of colliders while it is
// laid. So its length is exact, its curl is kept, and no seam shows where one guide's children end.
//
// Children are made in blocks, whenever they are needed, and never all at once; what is kept of each are its guides and
// its place. The same guides give the same children, to the last bit, on any number of threads.
#ifndef SHEAF_CHILDREN_CHILDREN_H
#define SHEAF_CHILDREN_CHILDREN_H

#include "model/model.h"

typedef struct children_plan children_plan;

#define CHILDREN_AS_SCENE UINT32_MAX

// Which guides there are. Positions that are given later are in this order.
typedef struct children_def {
    const sheaf_model *model;
    uint32_t strand_count;
    const uint32_t *ids;          // [strand_count] numbers in the model; NULL: by their place
    const uint64_t *first_vertex; // [strand_count + 1]; vertices that are there for clamps alone may be left out
    uint32_t count;               // for each guide, of every groom and file; CHILDREN_AS_SCENE: as each says
    bool has_directors;           // they come with the guides' positions
} children_def;

// Guides at a time.
typedef struct children_guides {
    const double (*positions)[3]; // m
    const double (*directors)[3]; // [edge] unit vectors, director 1; NULL unless the definition has them: guides are
                                  // then taken to turn without twist from their roots on
    double time;                  // s, of the motions that roots and colliders follow
} children_guides;

// Binds children to their guides; the model and what the definition points to must outlive them, but for first_vertex
// and ids. `*made` is NULL where there are no children. Returns SHEAF_OK, SHEAF_ERR_INPUT (guides that are not the
// model's), SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status children_open(const children_def *def, children_plan **made);
void children_close(children_plan *c);

// How many there are, with how many vertices in all; 0 of NULL.
uint64_t children_count(const children_plan *c);
uint64_t children_vertices(const children_plan *c);

// For how many strands a guide stands, itself among them, on average over its group.
double children_stand_for(const children_plan *c, uint32_t strand);

// Chooses so many of the children, as a share of them all, spread evenly over all groups; all are when it was never
// called. Returns how many are chosen; the calls below number these.
uint64_t children_choose(children_plan *c, double share);

// Takes over where the guides are. Returns SHEAF_OK, SHEAF_ERR_MEMORY (no thread).
sheaf_status children_pose(children_plan *c, const children_guides *guides);

// Vertices of children first .. first + count - 1: first_vertex, [count + 1], from 0 on; and for each the strand that
// is its nearest guide, `guides` [count] (may be NULL).
void children_layout(const children_plan *c, uint64_t first, uint32_t count, uint64_t *first_vertex, uint32_t *guides);

// Lays them at the guides' last pose, positions [first_vertex[count]] in m, on so many threads (0: one per core).
sheaf_status children_lay(const children_plan *c, uint64_t first, uint32_t count, const uint64_t *first_vertex,
                          double (*positions)[3], uint32_t threads);

#endif
