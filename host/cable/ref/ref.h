// ref: cables on the fp64 reference, as bodies and joints of any arrangement: chains, branches, rings, loads on several
// cables. Positions are the state, the rows of every joint are written out, the matrix of all multipliers is assembled
// and factored as a band. It is there to be plain; the device condenses the same step in another form.
//
//   M' (u - u*) = J^T mu        free velocities u*, multipliers mu = h lambda
//   J u + eps / (h (h + b)) mu = -phi / (h + b)
//
// M' has drag and the inertia that tension lends (docs/cables.md). phi are the six rows of a joint: three of the gap,
// m, one of twist and two of bending, rad; eps their compliance; b the damping time.
#ifndef SHEAF_CABLE_REF_REF_H
#define SHEAF_CABLE_REF_REF_H

#include "base/base.h"

enum { CABLE_ROWS = 6, CABLE_NO_BODY = -1 };

// How bending is measured, as a function g of the angle t between two segments (docs/cables.md).
typedef enum cable_bend { CABLE_BEND_ARC, CABLE_BEND_ANGLE, CABLE_BEND_TANGENT } cable_bend;

// What is done about tension, which acts at the pose of the start of a step.
typedef enum cable_tension {
    CABLE_TENSION_INERTIA,  // segments under tension turn as if they were heavier by h^2 K
    CABLE_TENSION_IMPLICIT, // the same without what they had before: damps
    CABLE_TENSION_NONE,     // nothing
} cable_tension;

// A rigid body. Orientations are unit quaternions (w, x, y, z) that turn body axes into those of the world.
typedef struct cable_body {
    double mass;       // kg; 0: it goes where `goal_*` say
    double inertia[3]; // kg m^2, about its own axes
    double place[3];   // m, centre of mass
    double pose[4];
    double velocity[3], spin[3];        // m/s, rad/s
    double force[3], torque[3];         // N, N m: from outside, gravity not included
    double drag;                        // 1/s
    double air[3];                      // m/s
    double before;                      // N m, K of the step before (see cable_joint.pull)
    double goal_place[3], goal_pose[4]; // of a body without mass: at the end of the step
} cable_body;

typedef struct cable_joint {
    int32_t a, b;                  // bodies
    double arm_a[3], arm_b[3];     // m, in body axes, from the centres to the joint
    double rest_a[4], rest_b[4];   // turn body axes into those that are alike in a joint without twist and bend
    double compliance[CABLE_ROWS]; // m/N, rad/(N m); INFINITY: there is no such row
    double turn;                   // rad, twist with all its turns
    double load[CABLE_ROWS];       // N, N m: multipliers of the last step
    double pull[2];                // N m, lever times force of the last step on a and b where that is positive
} cable_joint;

typedef struct cable_settings {
    double step;       // s
    double gravity[3]; // m/s^2
    double damping;    // s, b
    double stiffening; // a
    cable_bend bend;
    cable_tension tension;
} cable_settings;

// The rows of a joint at a pose: what they measure, and how they change with velocity and spin of a and b.
typedef struct cable_rows {
    double value[CABLE_ROWS];
    double jacobian[2][CABLE_ROWS][6];
    double angle; // rad, between the segments
} cable_rows;

typedef struct cable_group {
    cable_settings settings;
    cable_body *bodies; // [body_count]
    cable_joint *joints;
    uint32_t body_count, joint_count;

    // scratch
    cable_rows *rows;              // [joint]
    double (*inverse)[2][3][3];    // [body] inverse of mass and of the inertia of the step, in world axes
    double (*free)[6];             // [body] free velocity and spin
    double *band, *right;          // of the matrix, and the right side
    uint32_t band_width;           // below the diagonal
    uint32_t *first_of, *joint_of; // joints of body k: joint_of[first_of[k]] .. joint_of[first_of[k + 1] - 1]
} cable_group;

// What stopped a step.
typedef enum cable_fault {
    CABLE_SOUND,
    CABLE_FAULT_SPEED,
    CABLE_FAULT_BEND,
    CABLE_FAULT_TWIST,
    CABLE_FAULT_PIVOT
} cable_fault;

typedef struct cable_finding {
    cable_fault fault;
    uint32_t joint; // or body, of a speed
    double value;   // m/s, rad, or the number of the row
} cable_finding;

// Memory for a group whose counts are set; joints must be known before cable_ref_prepare.
sheaf_status cable_ref_open(uint32_t body_count, uint32_t joint_count, cable_group *group);
sheaf_status cable_ref_prepare(cable_group *group);
void cable_ref_close(cable_group *group);

// Rows of a joint; the twist is the one nearest to joint->turn.
void cable_ref_rows(const cable_body *a, const cable_body *b, const cable_joint *joint, cable_bend bend,
                    cable_rows *rows);

// One step. A step that is not sound leaves everything as it was.
cable_finding cable_ref_step(cable_group *group);

// Twist of all joints from their pose, nearest to what they have; for the start.
void cable_ref_wind(cable_group *group);

typedef struct cable_energy {
    double kinetic, gravity, stretch, bend, twist; // J
} cable_energy;

cable_energy cable_ref_energy(const cable_group *group);

// ---- rotations

void cable_turn(const double q[4], const double a[3], double out[3]);      // body axes to world
void cable_turn_back(const double q[4], const double a[3], double out[3]); // and back
void cable_quaternion_product(const double p[4], const double q[4], double out[4]);
void cable_rotate_by(double q[4], const double by[3]);                            // exp(by) q
void cable_turn_from_to(const double from[4], const double to[4], double out[3]); // log(to conj(from))

#endif
