// flow: strands that are made while they are written.
#include "groom/flow.h"

static sheaf_status fill_points(const groom_flow *flow, uint64_t first, groom_block *block)
{
    const uint64_t vertices = block->first_vertex[block->count];
    if (vertices > block->room || block->points == NULL) {
        base_free(block->points);
        block->points = base_alloc(vertices, sizeof *block->points);
        block->room = vertices;
        if (block->points == NULL)
            return SHEAF_ERR_MEMORY;
    }
    return flow->make(flow->user, first, block->count, block->first_vertex, block->points);
}

static sheaf_status walk(const groom_flow *flow, bool with_points, groom_block *block, groom_block_fn *fn, void *user)
{
    for (uint64_t first = 0; first < flow->strand_count; first += block->count) {
        const uint64_t left = flow->strand_count - first;
        block->count = (uint32_t)(left < GROOM_FLOW_BLOCK ? left : GROOM_FLOW_BLOCK);
        flow->lay_out(flow->user, first, block->count, block->first_vertex, block->width);
        if (with_points)
            SHEAF_TRY(fill_points(flow, first, block));
        SHEAF_TRY(fn(block, user));
    }
    return SHEAF_OK;
}

sheaf_status groom_flow_walk(const groom_flow *flow, bool with_points, groom_block_fn *fn, void *user)
{
    groom_block *block = base_alloc(1, sizeof *block);
    if (block == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = walk(flow, with_points, block, fn, user);
    base_free(block->points);
    base_free(block);
    return status;
}
