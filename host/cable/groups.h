// groups: the cables of a model as groups of bodies and joints for the reference: cables that hang together by free
// bodies are one group.
#ifndef SHEAF_CABLE_GROUPS_H
#define SHEAF_CABLE_GROUPS_H

#include "cable/adaptive.h"
#include "cable/chain.h"
#include "cable/ref/ref.h"
#include "cable/winch.h"

// Where a cable is in its group.
typedef struct cable_spot {
    uint32_t group;
    uint32_t segment;  // body of its first segment; the others follow
    uint32_t joint;    // its first joint
    int32_t anchor[2]; // bodies that hold root and tip, or -1
    int32_t winch;     // that winds it up, or -1
    int32_t adaptive;  // its segments are merged and split, or -1
} cable_spot;

// A point of a line on a body that is fixed or follows a motion: it is a body without mass in its group.
typedef struct cable_follower {
    uint32_t group, body;
    uint32_t model_body;
} cable_follower;

typedef struct cable_groups {
    const sheaf_model *model;
    cable_group *groups; // [count]
    uint32_t count;
    uint32_t *first, *strands; // strands of group k: strands[first[k]] .. strands[first[k + 1] - 1]
    cable_spot *spots;         // [strand]
    uint32_t *body_group;      // [model body] or UINT32_MAX
    uint32_t *body_place;      // [model body] in its group
    uint32_t *line_group;      // [reeving]
    cable_winch *winches;      // [winch_count] in the order of strands
    uint32_t winch_count;
    cable_adaptive *adaptives; // [adaptive_count] likewise
    uint32_t adaptive_count;
    cable_follower *followers; // [follower_count] by group
    uint32_t follower_count;
    double step; // s
} cable_groups;

sheaf_status cable_groups_open(const sheaf_model *model, double step, cable_groups *g);
void cable_groups_close(cable_groups *g);

// Labels what hangs together: [strand], then [body], each with the smallest number of its group; bodies on which
// nothing hangs are by themselves.
void cable_groups_label(const sheaf_model *model, uint32_t *label);

// Refuses groups of which a part jumps and the rest does not. Returns SHEAF_OK, SHEAF_ERR_INPUT.
sheaf_status cable_groups_check_jumps(const cable_groups *g);

// Takes group k along where the motion that holds it jumps in the step that ends at `time`.
void cable_groups_jump(cable_groups *g, uint32_t k, double time);

// Goals of held ends, loads and rows with limits of group k for the step that ends at `time`.
void cable_groups_drive(cable_groups *g, uint32_t k, double time);

// Winds cables of group k by what their drums have turned in the step. `finding` says where one has come to its end.
// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_groups_wind(cable_groups *g, uint32_t k, cable_finding *finding);

// Merges and splits segments of adaptive cables of group k. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_groups_adapt(cable_groups *g, uint32_t k);

// The body of a piece of a cable, which is a segment unless the cable is adaptive, and how far along the body's axis
// the piece's beginning is from its centre, m. The piece after the last stands for the end of the last.
const cable_body *cable_groups_piece(const cable_groups *g, uint32_t strand, uint32_t piece, double *along);

// Makes winches and adaptive cables what their state says.
sheaf_status cable_groups_rewind(cable_groups *g);

#endif
