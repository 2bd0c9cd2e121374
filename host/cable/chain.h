// chain: what a cable of a model is made of, bodies and joints, for the reference and for the device alike. Segment j
// of a cable is edge j of its strand; joint i is where vertex i is, between segments i - 1 and i; joints 0 and n are at
// its ends.
#ifndef SHEAF_CABLE_CHAIN_H
#define SHEAF_CABLE_CHAIN_H

#include "model/model.h"

// Loads that outweigh a segment more often, or are that much lighter, are not resolved in single precision, which loses
// the digits of the last pivot, 6e-8 times this: such a load would stand still without a word.
enum { CABLE_SINGLE_RATIO = 30000 };

// A rigid body as it starts. Quaternions (w, x, y, z) turn its own axes into those of the world.
typedef struct cable_part {
    double mass, inertia[3]; // kg, kg m^2 about its own axes
    double place[3];         // m, centre
    double pose[4];
    double back[3];              // m, from the centre to the joint before, in its own axes
    double velocity[3], spin[3]; // m/s, rad/s
    double drag;                 // 1/s
} cable_part;

// What an end is fixed to.
typedef struct cable_end {
    bool holds_point, holds_turn;
    int32_t body;   // free body of the model, or -1: it is held, or free
    double arm[3];  // m, on that body, in its own axes
    double rest[4]; // turns its own axes into those that the joint sees as aligned with the cable at the start
} cable_end;

// What winds it up; NULL: nothing.
const sheaf_winch_def *cable_winch_of(const sheaf_model *model, uint32_t strand);

uint32_t cable_segment_count(const sheaf_model *model, uint32_t strand);

// How a segment along a unit tangent is turned whose director, or nearly, is given.
void cable_pose_of(const double tangent[3], const double director[3], double pose[4]);

// Segment j; its own first axis is along the cable, the second is the strand's director.
void cable_segment(const sheaf_model *model, uint32_t strand, uint32_t j, cable_part *part);

// Length of a segment without load, m.
double cable_segment_length(const sheaf_model *model, uint32_t strand, uint32_t j);

// Compliance of joint i in stretch, bend and twist: m/N and rad/(N m).
void cable_compliance(const sheaf_model *model, uint32_t strand, uint32_t i, double out[3]);

cable_end cable_find_end(const sheaf_model *model, uint32_t strand, bool is_tip);

// The motion that a held end follows, its own or that of the body which it is fixed to; -1: none.
int32_t cable_end_motion(const sheaf_model *model, uint32_t strand, bool is_tip);

// A free body of the model; `back` is not set.
void cable_free_body(const sheaf_model *model, uint32_t index, cable_part *part);

// What is told of a body whose centre and pose are known. Loads on it are not: they are no numbers. Bodies that are
// fixed or driven are told where they are at the time.
void cable_tell_body(const sheaf_model *model, uint32_t index, const cable_part *now, sheaf_body_pose *pose);
void cable_tell_driven(const sheaf_model *model, uint32_t index, double time, sheaf_body_pose *pose);

// Where a held end is at a time, and how it is turned.
void cable_anchor(const sheaf_model *model, uint32_t strand, bool is_tip, double time, double place[3], double pose[4]);

// Force and torque on the last segment at a time.
void cable_tip_load(const sheaf_model *model, uint32_t strand, double time, double force[3], double torque[3]);

// Says why the model's cables cannot be simulated. Returns SHEAF_OK, SHEAF_ERR_INPUT.
sheaf_status cable_check(const sheaf_model *model);

// Mass of what hangs on a cable's free body, over that of its lightest segment; 0: nothing hangs there.
double cable_mass_ratio(const sheaf_model *model, uint32_t strand);

// The same ratio or its inverse, whichever is larger.
double cable_mass_contrast(const sheaf_model *model, uint32_t strand);

// Tension above which a step without help of inertia is unstable, N (docs/cables.md).
double cable_critical_tension(const sheaf_model *model, uint32_t strand, double step);

// The largest tension of every cable at rest, N: an estimate from where things are at the start, INFINITY where the
// ends are pulled apart and nothing gives way. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_static_tensions(const sheaf_model *model, double *tensions);

#endif
