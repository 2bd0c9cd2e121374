// near: the nearest of many points, by a tree that halves them along their longest side.
#ifndef SHEAF_CHILDREN_NEAR_H
#define SHEAF_CHILDREN_NEAR_H

#include "base/base.h"

enum { NEAR_MOST = 16 }; // that are asked for at once

typedef struct near_tree {
    const double (*points)[3]; // stay the caller's
    uint32_t *order;           // [count] a half is its middle element and, before and after it, its own halves
    uint8_t *axes;             // [count] along which the half with this middle is split
    uint32_t count;
} near_tree;

// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status near_open(const double (*points)[3], uint32_t count, near_tree *tree);
void near_close(near_tree *tree);

// The `wanted` (at most NEAR_MOST) points nearest to a place, nearest first, of two at the same distance the one with
// the lower number; and their squared distances. Returns how many there are.
uint32_t near_find(const near_tree *tree, const double place[3], uint32_t wanted, uint32_t *found, double *squares);

#endif
