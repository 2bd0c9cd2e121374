// bodies: one implicit step of bodies and the strands on them, all at once. Newton's method on everything; each strand
// is condensed onto its joints, which gives the solution of the assembled system without ever assembling it:
//
//   strand  H_ff dx + H_fs dq_s = b_f      =>  S = H_ss - H_sf H_ff^-1 H_fs,  s = b_s - H_sf H_ff^-1 b_f
//   bodies  (K + sum J^T S J) dq = r + sum J^T s,   dq_s = J dq
//
// with J (rows x_p, theta, x_{p+1}; columns translation, rotation) = [1, -[a]; 0, t^T; 1, -[a']]. What condenses and
// substitutes strands is behind couple_verbs: the reference or a device.
#ifndef SHEAF_COUPLE_BODIES_H
#define SHEAF_COUPLE_BODIES_H

#include "couple/hubs.h"
#include "couple/rigid.h"
#include "couple/solids.h"

enum {
    COUPLE_WELD = 7, // displacements of a weld: vertex p (3), frame angle (1), vertex p + 1 (3)
    COUPLE_BALL = 3,
};

// A strand with joints: `first_joint` .. + joint_count of the model's.
typedef struct couple_strand {
    uint32_t strand; // in the model of the part
    uint32_t first_joint, joint_count;
    uint32_t size;  // displacements of all its joints
    double *matrix; // [size][size] S, N/m and alike
    double *right;  // [size] s
    double *change; // [size] dq_s of the iteration
    uint32_t group; // bodies and strands that are solved together; a free body's number, or UINT32_MAX: by itself
    bool takes;     // takes part in this iteration
    bool settled;   // needs no other one
} couple_strand;

typedef struct couple_verbs {
    // Starts the step that ends at `time`; bodies are where inertia takes them.
    sheaf_status (*open)(void *user, double time, const rigid_state *bodies);
    // Puts joints where bodies have them, and fills matrix and right of every strand that takes part. `iteration` from
    // 0.
    sheaf_status (*linearise)(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands);
    // Substitutes `change` in these strands, and says which are settled.
    sheaf_status (*accept)(void *user, const rigid_state *bodies, uint32_t iteration, couple_strand *strands);
    // Puts joints where bodies have them, restores lengths, commits.
    sheaf_status (*close)(void *user, const rigid_state *bodies);
} couple_verbs;

typedef struct couple_bodies {
    const sheaf_model *model; // of the part
    double step;              // s
    uint64_t steps;           // taken
    rigid_state *states;      // [body]
    rigid_step *moving;       // [body] of the step under way
    double (*loads)[6];       // [joint] N, N m about the body's centre: what the strand does to it
    couple_strand *strands;   // [strand_count] with joints
    uint32_t strand_count;
    double *numbers;       // of the strands' matrices
    hub_system hubs;       // over all bodies
    solid_contacts solids; // of bodies and colliders
    uint32_t *group;       // [body] of a free body: the least number of those that strands tie it to
    bool *goes_on;         // [body] the group of this number takes part in the iteration
    bool *stays_open;      // [body] and in the next one
    double precision;      // what moves of joints are rounded to, as a share of them: what Newton's method can reach
    bool has_told;         // that directions had to be lifted off 0
    uint32_t iterations;   // of the last step, of the group that took most
} couple_bodies;

// Bodies of the model at time 0, with those strands of a part of it that have joints. Bodies that no strand ties to
// each other are groups of their own: each iterates as long as it needs, with the bits it has without the others.
// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status couple_open(const sheaf_model *model, double step, couple_bodies *bodies);
void couple_close(couple_bodies *bodies);

// One step. A body that runs away is frozen and told.
sheaf_status couple_step(couple_bodies *bodies, const couple_verbs *verbs, void *user);

// Displacements of a joint, and those of a strand before joint k of it.
uint32_t couple_size(const model_joint *joint);
uint32_t couple_offset(const couple_bodies *bodies, const couple_strand *strand, uint32_t k);

// Energies of bodies without what welded vertices have, which strands count, J.
void couple_energies(const couple_bodies *bodies, double *kinetic, double *gravitational);

// A body as its user sees it.
void couple_pose(const couple_bodies *b, uint32_t index, sheaf_body_pose *pose);

#endif
