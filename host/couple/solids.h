// solids: bodies that stay out of colliders, with Coulomb's friction and without bouncing. What a step of bodies
// solves,
//
//   K dq = r + J^T l,    0 <= l_n, gap + J_n dq >= 0, one of them 0,    |l_t| <= mu l_n, against the slip,
//
// is condensed onto the points of contact by G = J K^-1 J^T, strands on the bodies included, and solved by sweeps over
// these points. Forces start from nothing in each step: nothing has to be kept for a restart.
#ifndef SHEAF_COUPLE_SOLIDS_H
#define SHEAF_COUPLE_SOLIDS_H

#include "couple/hubs.h"
#include "couple/rigid.h"

// How a place of a body is found that may touch a collider.
typedef enum solid_kind {
    SOLID_POINT,   // of the body, with a ball about it
    SOLID_AXIS,    // the point of a capsule's axis that is deepest
    SOLID_RIM,     // of a cylinder: the lowest point of a rim, or one a quarter or more round from it
    SOLID_SUPPORT, // the lowest point of an ellipsoid
    SOLID_OTHER,   // a point of the collider, with a ball about it, against the shape of the body
    SOLID_OTHER_AXIS,
} solid_kind;

typedef struct solid_feature {
    solid_kind kind;
    double at[3];  // m, from the middle of the shape that it belongs to, along that shape's axes
    double radius; // m
    int quarter;   // of a rim
} solid_feature;

// Where a feature is, and what it is away from.
typedef struct solid_spot {
    double gap;       // m
    double normal[3]; // out of the collider
    double place[3];  // m, on the body's surface
} solid_spot;

// A collider at both ends of a step.
typedef struct solid_obstacle {
    const model_collider *shape;
    double center[2][3], axes[2][3][3]; // m
} solid_obstacle;

typedef struct solid_contact {
    uint32_t body, group;
    solid_obstacle obstacle;
    solid_feature feature;
    double floor;      // m, that the gap is to have at the end of the step: 0, or less where they overlap at its start
    double friction;   // coefficient
    double rows[3][6]; // of the normal and two directions across it; columns translation, rotation of the body
    double right[3];   // m: gap above the floor, slip
    double force[3];   // N
} solid_contact;

typedef struct solid_contacts {
    const sheaf_model *model;
    solid_contact *list; // [count] by group
    uint32_t count, room;
    bool *touches;   // [body] the group of this number has contacts in this step
    double *numbers; // of the group that is solved
    size_t number_room;
    double (*loads)[6]; // [body] a load and what all bodies answer
    bool has_told;
} solid_contacts;

// For bodies of a model; list stays empty where none collides. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status solids_open(const sheaf_model *model, solid_contacts *contacts);
void solids_close(solid_contacts *contacts);

// Lists what may touch in the step that ends at `time`. Bodies near a collider take this step by Euler's method: a
// landing has no history. `group` is [body]. Before bodies are moved. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status solids_list(solid_contacts *contacts, const uint32_t *group, double time, double step,
                         rigid_state *states);

// Adds to the solution of the hubs what contact does to it, in groups that go on ([body]). `iteration` from 0.
// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status solids_solve(solid_contacts *contacts, const rigid_step *moving, const uint32_t *group,
                          const bool *goes_on, uint32_t iteration, hub_system *hubs);

// ---- places (solids_find.c)

enum { SOLID_FEATURES = 24 }; // most of a body and a collider

// Features of a body against a collider; returns how many.
uint32_t solids_features(const model_body *body, const model_collider *collider, solid_feature *features);

// Where a feature of a body in a pose is against a collider at the start (0) or end (1) of the step.
solid_spot solids_spot(const model_body *body, const rigid_state *pose, const solid_obstacle *obstacle, int end,
                       const solid_feature *feature);

#endif
