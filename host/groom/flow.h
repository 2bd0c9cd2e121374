// flow: strands that are made while they are written, some at a time, so that a file may hold more than memory does.
#ifndef SHEAF_GROOM_FLOW_H
#define SHEAF_GROOM_FLOW_H

#include "groom/source.h"

enum { GROOM_FLOW_BLOCK = 4096 }; // strands of a block, at most

typedef struct groom_flow {
    const groom_source *like; // frames, times, unit and axis up are its own
    uint64_t strand_count, vertex_count;
    bool has_width;
    void *user;

    // Makes a frame the one whose points are given.
    sheaf_status (*load)(void *user, uint64_t frame);

    // First vertices of strands first .. first + count - 1 from 0 on, [count + 1], and the width of each, [count], in
    // units of `like`; the same for all frames.
    void (*lay_out)(void *user, uint64_t first, uint32_t count, uint64_t *first_vertex, float *width);

    // Their points, in units of `like`.
    sheaf_status (*make)(void *user, uint64_t first, uint32_t count, const uint64_t *first_vertex, double (*points)[3]);
} groom_flow;

// One block of a flow at a time: what writers go through.
typedef struct groom_block {
    uint32_t count;
    uint64_t first_vertex[GROOM_FLOW_BLOCK + 1];
    float width[GROOM_FLOW_BLOCK];
    double (*points)[3]; // NULL where none are asked for
    uint64_t room;
} groom_block;

// Calls fn for all blocks in order, with points of the frame loaded last if `with_points`. Returns SHEAF_OK,
// SHEAF_ERR_MEMORY, or what making them or fn failed with.
typedef sheaf_status groom_block_fn(const groom_block *block, void *user);
sheaf_status groom_flow_walk(const groom_flow *flow, bool with_points, groom_block_fn *fn, void *user);

#endif
