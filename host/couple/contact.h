// contact: strands that touch each other and themselves, with Coulomb friction, within a step of whatever moves them.
// Every edge is a capsule of its touch radius. What steps the strands tells where they are and solves its own matrices;
// here pairs are found, and forces between them by sweeps (ADMM: the two points of a contact are copies of one).
//
//   contact_begin                   pairs that may meet in this step
//   for k = 0, 1, ...               iterations of the step
//     contact_look                  geometry at the iterate, which pairs are live, which strands hang together
//     contact_prepare               forces to start from, weights rho J^T J for the matrix of each strand
//     contact_sweep, until it says that all have settled: displacements in, pushes out
//   contact_mark_fresh              strands whose history ends here
//   contact_end                     forces are kept for the next step; figures
//
// All sums are in the order of pairs, which are sorted by strand and edge: nothing depends on the search or on threads.
#ifndef SHEAF_COUPLE_CONTACT_H
#define SHEAF_COUPLE_CONTACT_H

#include "method/method.h"
#include "model/model.h"

typedef struct contact_set contact_set;

// What it adds to the matrix of the strands, N/m, alike in all directions.
typedef struct contact_weight {
    double own;  // at the vertex
    double next; // between the vertex and the next one
} contact_weight;

enum { CONTACT_ALONE = UINT32_MAX }; // the group of a strand that nothing touches

typedef struct contact_figures {
    uint32_t contacts, sweeps; // that press; sweeps of the last step, of the group with the most
    uint64_t pass_through;     // since the start
    double worst_overlap, mean_overlap;
    double force; // N, the largest
} contact_figures;

// For strands of a model with arrays, in steps of `step` s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status contact_open(const sheaf_model *model, double step, contact_set **out);
void contact_close(contact_set *set);

// Vertices at the start of the step, m, how far the guess of it takes them, m, and which strands do not move any more.
// Returns SHEAF_OK, SHEAF_ERR_LIMIT (too many pairs), SHEAF_ERR_MEMORY.
sheaf_status contact_begin(contact_set *set, const double (*start)[3], const double (*moved)[3], const bool *frozen);

// How far vertices went in the step so far, m. Returns how many pairs are live.
uint32_t contact_look(contact_set *set, const double (*moved)[3]);

// The group of a strand, named by its first strand; CONTACT_ALONE.
uint32_t contact_group(const contact_set *set, uint32_t strand);

// Weights of all vertices.
void contact_prepare(contact_set *set, contact_weight *weights);

// A sweep: by how much vertices go on in this iteration under the last push, m (NULL: before the first), then the next
// push, N. False: all groups have settled or came to the end of their sweeps, and the last answer is the solution.
bool contact_sweep(contact_set *set, const double (*answer)[3], double (*push)[3]);

// Finds strands of which a contact begins or ends in this step, after the last sweep; whether a strand is one.
sheaf_status contact_mark_fresh(contact_set *set);
bool contact_is_fresh(const contact_set *set, uint32_t strand);

// Vertices at the end of the step, m.
void contact_end(contact_set *set, const double (*finish)[3]);

contact_figures contact_report(const contact_set *set);

// These as figures of a method. Returns how many.
uint32_t contact_name_figures(const contact_set *set, method_figure *figures);

// ---- state: what is kept from step to step, as rows of CONTACT_ROW numbers; the first is a head

enum { CONTACT_ROW = 10 };

uint64_t contact_rows(const contact_set *set);
void contact_read_rows(const contact_set *set, double (*rows)[CONTACT_ROW]);

// Returns SHEAF_OK, SHEAF_ERR_INPUT (rows that no step leaves), SHEAF_ERR_MEMORY.
sheaf_status contact_write_rows(contact_set *set, uint64_t count, const double (*rows)[CONTACT_ROW]);

// ---- at the start of a scene

typedef struct contact_overlap {
    uint32_t count;      // pairs of edges that overlap
    uint32_t strands[2]; // the deepest of them
    uint32_t edges[2];
    double share; // of the distance at which they would touch, by which they overlap
} contact_overlap;

// Overlap of the initial pose.
sheaf_status contact_check(const sheaf_model *model, contact_overlap *overlap);

#endif
