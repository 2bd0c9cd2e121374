// balance: natural curvature and twist by which a strand's pose is at rest under gravity, and whether it stays there.
#ifndef SHEAF_STRAND_BALANCE_H
#define SHEAF_STRAND_BALANCE_H

#include "model/model.h"
#include "strand/polyline.h"

// Reasons of strands that are balanced, but not stable, and of those that start on or in a collider: they are balanced
// as if it were not there.
#define BALANCE_WOULD_FALL "it would fall"
#define BALANCE_OVERBORNE "its weight is more than its law bears"
#define BALANCE_TOUCHES "it starts in a collider and is balanced without it"

// Why strands with these ends cannot be balanced; NULL: they can.
const char *balance_obstacle(const sheaf_strand_def *def);

// Whether a strand of the model is to be at rest as it starts, and whether any is.
bool balance_is_wanted(const sheaf_model *model, uint32_t strand);
bool balance_is_wanted_anywhere(const sheaf_model *model);

// Changes the natural curvature and twist of a strand, which must be those of its pose, so that gravity leaves it as it
// is: a clamped root bears all, the tip is free. False: its law bears no such moment somewhere.
bool balance_strand(sheaf_model *model, uint32_t index, const polyline *pose);

// What a joint and the edge behind it add to the second derivative of a balanced strand's energy, by turns of edges.
// With all stiffnesses f times as large, and balanced anew, it is f `own` + `moved` + `load`: balance makes the moments
// that a joint bears those of the weight, whatever the stiffness is, and with them all terms but the first.
typedef struct balance_block {
    double own[3][3];   // N m, sum_a k_a D_a D_a^T
    double moved[3][3]; // N m, how the derivatives D_a turn with the moment
    double load[3][3];  // N m, of gravity
    double moment[3];   // N m, that the joint bears
} balance_block;

// Whether a strand, at rest in its initial pose, comes back after a small disturbance: the second derivative of its
// energy is positive in all turns of its free edges. `blocks` is room for one block per vertex. The model must have
// arrays.
bool balance_is_stable(const sheaf_model *model, uint32_t strand, balance_block *blocks);

// Finds by how much a balanced strand must be stiffer to hold against disturbances, makes it so where its group asks
// for it, balances it again, and notes both in its record.
void balance_stiffen(sheaf_model *model, uint32_t strand, const polyline *pose, balance_block *blocks);

// Whether a strand's free vertices start on or in a collider.
bool balance_touches(const sheaf_model *model, uint32_t strand);

// How the strands of a model were made stiffer. `factors`: room for one number per strand.
typedef struct balance_summary {
    uint32_t stiffened; // strands
    uint32_t capped;    // of these would have needed more than their limit
    uint32_t touching;  // strands that start in a collider
    double median, most;
    double most_wished; // that strands which were left as they are would need
} balance_summary;
sheaf_status balance_summarise(const sheaf_model *model, balance_summary *summary);

// ---- materials with laws (balance_law.c)

// Two edges that meet, whose material has a law.
typedef struct balance_joint_law {
    const law *of;
    double place;                  // m, from the root
    double voronoi;                // m, of both edges
    double stiffness[2][3];        // N m^2, of both sides: about director 1, 2, and GJ
    const double (*derivative)[3]; // [5] of the strains by a turn of the edge behind
} balance_joint_law;

// Strains derivative_a . y with which the joint bears a moment, N m: Newton's method from the y that is given. False:
// there are none near, as when the moment is larger than any that the law has.
bool balance_by_law(const balance_joint_law *at, const double moment[3], double y[3]);

// Solves a symmetric 3 x 3 system in place; false when the matrix is not positive.
bool balance_solve(const double matrix[3][3], double x[3]);

#endif
