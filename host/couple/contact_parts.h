// contact_parts: the inside of a set of contacts, shared by the files that find pairs, solve and keep them.
#ifndef SHEAF_COUPLE_CONTACT_PARTS_H
#define SHEAF_COUPLE_CONTACT_PARTS_H

#include "couple/cells.h"
#include "couple/contact.h"

// A place where the points of an edge and their weights are: J of one side.
typedef struct contact_side {
    uint32_t strand, edge;
    uint64_t vertex[2]; // of the edge, among all
    double radius;      // m
    bool moves;         // one of its vertices is free
} contact_side;

// Two edges that are near each other.
typedef struct contact_pair {
    contact_side side[2];
    double friction;
    double start_gap, start_normal[3], start_place[2]; // at the start of the step
    double gap, normal[3], place[2];                   // at the iterate; s and t of the nearest points
    double slide[3];                                   // m, across the normal, since the start of the step
    double rho;                                        // N/m
    double force[3];                                   // N, on side 0
    double force_normal[3];                            // along which it was found
    double felt[2][3];  // N, what sides are given: push, and the weight's share of the displacement before
    double point[2][3]; // m, how far the points of the sides went in this iteration
    bool live, pressed; // pressed: in the step before, or in the last iteration
} contact_pair;

// What is kept of a contact from step to step.
typedef struct contact_memory {
    uint32_t a, i, b, j; // strands and edges
    double force[3], normal[3];
} contact_memory;

struct contact_set {
    const sheaf_model *model;
    double step;                   // s
    double inertia;                // 1/s^2, of masses in the matrix
    uint32_t *strand_of;           // [vertex] of which strand a vertex is
    bool *held;                    // [vertex] cannot move in an iteration
    uint64_t *moves_as;            // [vertex] the one it moves with: its own, or the inner one of a rigid end edge
    double *before;                // [edge] m, length of the strand's edges before it
    double *stiffness;             // [strand] N/m, that a push at one place meets (Winkler's endless bar)
    bool *frozen;                  // [strand]
    double (*start)[3], (*now)[3]; // [vertex] m, at the start of the step, and at the iterate
    double *reach;                 // [edge] m, how far it may go in this step
    cells_box *boxes;
    uint32_t box_count, box_room;
    cells_pairs near;
    contact_pair *pairs; // [pair_count] by rising (a, i, b, j)
    uint32_t pair_count, pair_room;
    contact_memory *memory; // [memory_count] likewise
    uint32_t memory_count, memory_room;
    contact_memory *next; // [next_count] of this step, once it is solved
    uint32_t next_count, next_room;
    bool is_solved;       // forces of this step were sought
    uint32_t *group;      // [strand] while a group is sought: towards its first strand
    uint32_t *live_count; // [strand]
    double *change; // [strand] of a group, by its first strand: largest change in the last sweep over the tolerance
    bool *settled;  // [strand] likewise
    bool *is_wild;  // [strand] likewise: out of sweeps, and far from settled
    bool *is_fresh; // [strand]
    uint32_t sweep; // in this iteration
    uint32_t step_sweeps; // of all its iterations
    uint64_t pass_through;
    contact_figures figures;
};

// Edges of a strand; the copy of a loop's first edge is no other edge.
uint32_t contact_edges(const sheaf_model *model, uint32_t strand);

// Pairs of a pose at `set->start` whose edges may be reached by `set->reach`.
sheaf_status contact_find_pairs(contact_set *set);

// Geometry of a pair at `where`.
void contact_measure(const double (*where)[3], const contact_pair *pair, double *gap, double normal[3],
                     double place[2]);

// Displacement of the point of a side at its place.
void contact_point(const contact_side *side, double place, const double (*moved)[3], double out[3]);

// The force of the step before on a pair, 0 where there was none.
void contact_remember(const contact_set *set, contact_pair *pair);

#endif
