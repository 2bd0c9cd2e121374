// hubs: the system of equations over bodies, 6 x 6 blocks that strands with two joints couple. Block LDL^T, sparse, in
// an order that is fixed when it is opened: the hub with the fewest neighbours first, the smaller number where two have
// as many. A tree has no fill. Same bits whatever else is in the scene, for hubs that nothing joins never meet.
#ifndef SHEAF_COUPLE_HUBS_H
#define SHEAF_COUPLE_HUBS_H

#include "base/base.h"

typedef struct hub_system {
    uint32_t count;
    uint32_t *order;          // [count] hub that is eliminated k-th
    uint32_t *place;          // [count] and when a hub is
    uint32_t *first;          // [count + 1] first block of each column
    uint32_t *row;            // [first[count]] places below the diagonal, rising
    double (*diagonal)[6][6]; // [place]
    double (*below)[6][6];    // [block] of row (place) and column
    double (*right)[6];       // [place] right sides, then the solution
    uint32_t lifted;          // pivots that the last solve had to lift off 0
} hub_system;

// `pairs`: hubs that are coupled, in any order, any number of times. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status hubs_open(uint32_t count, const uint32_t (*pairs)[2], uint32_t pair_count, hub_system *system);
void hubs_close(hub_system *system);

// Before blocks are added.
void hubs_clear(hub_system *system);

// Adds to the block of hubs a (rows) and b (columns), and to its mirror image; a == b: `block` must be symmetric.
void hubs_add(hub_system *system, uint32_t a, uint32_t b, double block[6][6]);

// Holds a hub off displacements outside a projector: its equations there become identities.
void hubs_hold(hub_system *system, uint32_t hub, double free[6][6]);

// Solves; hubs_solution is valid until the next hubs_clear.
void hubs_solve(hub_system *system);

// Another right side for the matrix that was solved: `loads` ([hub]) become what hubs answer.
void hubs_answer(const hub_system *system, double (*loads)[6]);

static inline double *hubs_right(hub_system *system, uint32_t hub)
{
    return system->right[system->place[hub]];
}

static inline const double *hubs_solution(const hub_system *system, uint32_t hub)
{
    return system->right[system->place[hub]];
}

#endif
