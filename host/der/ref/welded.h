// welded: a strand on bodies in an implicit step, cut into the verbs of couple/bodies.h. Four unknowns at a vertex: its
// place and the frame angle of the edge after it. Bodies need the angles in the matrix: coils of a spring carry load by
// twist, and with frames solved apart the matrix would be far too stiff.
#ifndef SHEAF_REF_WELDED_H
#define SHEAF_REF_WELDED_H

#include "couple/bodies.h"
#include "der/ref/ref.h"

typedef struct welded_strand {
    ref_rod rod;
    ref_schedule schedule;
    double time, step; // s, of the end of the step
    bool second_order;
    double inertia, slope; // 1/s^2 of the mass, 1/s of velocities, in the matrix
    uint32_t unknowns;     // 4 per vertex; the last angle is none
    uint32_t columns;      // displacements of its joints
    int32_t *role;         // [unknown] WELDED_FREE, WELDED_HELD, or the column of a joint that it is
    double *matrix;        // [unknown][band + 1] lower triangle by columns, then its factor
    double *border;        // [column][unknown] coupling of free unknowns with those of joints
    double *answer;        // [column + 1][unknown] H^-1 of the border; last: of the right side
    double *corner;        // [column][column] of joints among themselves
    double *turn;          // [edge] rad, that the last iteration turned free frames by
    double (*target)[3];   // [vertex] m, where inertia alone would take it
    double (*strains)[5];  // [vertex] at the start of the step
    double *tension;       // [edge] N, at the start of the step
    double burden;         // kg, mass of bodies that its edges are to be stiff against
    double update;         // m, the farthest that the last iteration moved a vertex
    bool is_first;         // of its iterations
} welded_strand;

enum { WELDED_FREE = -1, WELDED_HELD = -2 };

sheaf_status welded_open(sheaf_state *state, uint32_t strand, welded_strand *w);
void welded_close(welded_strand *w);

// The verbs, for one strand.
void welded_begin(welded_strand *w, double time, double step, const rigid_state *bodies);
sheaf_status welded_linearise(welded_strand *w, const rigid_state *bodies, bool is_first, couple_strand *out);
bool welded_accept(welded_strand *w, const rigid_state *bodies, const couple_strand *given); // true: it has settled
sheaf_status welded_end(welded_strand *w, const rigid_state *bodies);

// Unknowns of a joint: the first, and how many.
uint32_t welded_first(const model_joint *joint);

#endif
