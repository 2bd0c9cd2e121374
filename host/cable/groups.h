// groups: the cables of a model as groups of bodies and joints for the reference: cables that hang together by free
// bodies are one group.
#ifndef SHEAF_CABLE_GROUPS_H
#define SHEAF_CABLE_GROUPS_H

#include "cable/chain.h"
#include "cable/ref/ref.h"

// Where a cable is in its group.
typedef struct cable_spot {
    uint32_t group;
    uint32_t segment;  // body of its first segment; the others follow
    uint32_t joint;    // its first joint
    int32_t anchor[2]; // bodies that hold root and tip, or -1
} cable_spot;

typedef struct cable_groups {
    const sheaf_model *model;
    cable_group *groups; // [count]
    uint32_t count;
    uint32_t *first, *strands; // strands of group k: strands[first[k]] .. strands[first[k + 1] - 1]
    cable_spot *spots;         // [strand]
    uint32_t *body_group;      // [model body] or UINT32_MAX
    uint32_t *body_place;      // [model body] in its group
} cable_groups;

sheaf_status cable_groups_open(const sheaf_model *model, double step, cable_groups *g);
void cable_groups_close(cable_groups *g);

// Goals of held ends and loads of group k for the step that ends at `time`.
void cable_groups_drive(cable_groups *g, uint32_t k, double time);

#endif
