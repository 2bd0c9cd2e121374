// cells: which of many boxes overlap. Boxes are sorted into the cells of a grid, each by its middle; only those of
// neighbouring cells are held against each other. Nothing in what is found depends on the grid or on the order of
// boxes.
#ifndef SHEAF_COUPLE_CELLS_H
#define SHEAF_COUPLE_CELLS_H

#include "base/base.h"

// A box that belongs to something, such as a piece of an edge; several may belong to the same.
typedef struct cells_box {
    double least[3], most[3]; // m
    uint32_t owner;
} cells_box;

typedef struct cells_pair {
    uint32_t first, second; // owners, the smaller one first
} cells_pair;

typedef struct cells_pairs {
    cells_pair *pair; // [count] by rising owners, each once
    uint64_t count, room;
} cells_pairs;

// Whether two owners are of interest, the smaller one first.
typedef bool cells_wanted(uint32_t first, uint32_t second, const void *user);

// Finds all pairs of owners that have overlapping boxes. What `pairs` held before is gone; its memory goes on. Returns
// SHEAF_OK, SHEAF_ERR_LIMIT (more than `most` of them), SHEAF_ERR_MEMORY.
sheaf_status cells_find(const cells_box *boxes, uint32_t count, cells_wanted *wanted, const void *user, uint64_t most,
                        cells_pairs *pairs);
void cells_free(cells_pairs *pairs);

#endif
