// state: what moves. One header, grouped by the stage that writes each array: it is the data-flow diagram of a step.
// Indexing as in model.h. Owned by one solver.
#ifndef SHEAF_DER_REF_STATE_H
#define SHEAF_DER_REF_STATE_H

#include "model/model.h"

typedef struct state_strand {
    bool frozen;               // guard: set once, never cleared
    uint32_t newton;           // implicit: Newton iterations of the last step
    uint32_t projections;      // project: iterations of the last step
    uint32_t twist_iterations; // twist: iterations of the last solve
    double twist_residual;     // twist: max |dE/dtheta| over free frames, J
    bool is_rubbing;           // law: within a step: strains count from those at its start
    bool has_history; // implicit: displacement and last_velocity may be used; false at the start and after jumps
    bool is_open;     // implicit: the last Newton iterations ended at their limit, with more to do
    bool is_unmet;    // catch-up: the last step was not solved within its limits, or gained energy, in small steps too
    double gain;      // ledger: J, energy gained in the last step beyond the work of all that acts; negative: lost
    double excess;    // ledger: the same as a share of what a step may gain
    double retakes;   // catch-up: steps so far that were taken again in small ones
} state_strand;

typedef struct sheaf_state {
    double time; // s
    uint64_t step;
    const sheaf_model *model;
    state_strand *strands; // [strand]

    // integrate, implicit, project, ends
    double (*position)[3];      // [vertex] m
    double (*velocity)[3];      // [vertex] m/s
    double (*displacement)[3];  // [vertex] m, of the last step; BDF2 history
    double (*last_velocity)[3]; // [vertex] m/s, velocity one step before; BDF2 history
    double (*last_strain)[5];   // [vertex] 1, strains one step before, as ref_elastic_rows has them; BDF2 history
    double (*friction)[5];      // [vertex] 1/m, z of laws with friction, in the order of strains
    double (*from)[5];          // [vertex] 1, strains at the start of a step of such strands
    double *tension;            // [edge] N, implicit: what keeps the edge from growing longer, at the last step

    // contact
    double *touch; // [vertex] N, force with which a collider pressed on the vertex in the last step

    // frames
    double (*tangent)[3];  // [edge] unit vectors at the last frame update; frames are transported from here
    double (*bishop)[3];   // [edge] u^j, Bishop frame vector
    double (*held)[3];     // [edge] held frame edges only: the direction the frame is held to before its twist course
    double *held_angle;    // [edge] held frame edges only: rad, continuous angle from u^j to `held`
    double *closing_angle; // [strand] rad, closed strands: continuous angle from the transported last frame to u^0

    // twist
    double *theta; // [edge] rad, material frame against Bishop frame
} sheaf_state;

// State at time 0: the model's initial pose at rest, frames set, twist not yet solved.
sheaf_status state_create(const sheaf_model *model, sheaf_state **state);
void state_free(sheaf_state *state);

// Bytes a solver on the reference needs for this model, besides the model itself.
uint64_t model_state_bytes(const sheaf_model *model);

#endif
