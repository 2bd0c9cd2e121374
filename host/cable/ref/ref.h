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

enum { CABLE_ROWS = 6, CABLE_NO_BODY = -1, CABLE_LINE_POINTS = 16 };

// How bending is measured, as a function g of the angle t between two segments (docs/cables.md).
typedef enum cable_bend { CABLE_BEND_ARC, CABLE_BEND_ANGLE, CABLE_BEND_TANGENT } cable_bend;

// What is done about tension, which acts at the pose of the start of a step.
typedef enum cable_tension {
    CABLE_TENSION_INERTIA,  // segments under tension turn as if they were heavier by h^2 K
    CABLE_TENSION_IMPLICIT, // the same without what they had before: damps
    CABLE_TENSION_NONE,     // nothing
} cable_tension;

// What a body turns on: its centre stays, and it turns about one axis.
typedef struct cable_axle {
    bool is_there;
    bool is_driven;  // turns by `turn` in the step, whatever it takes
    double axis[3];  // unit vector, in space
    double friction; // N m s
    double brake;    // N m, dry friction
    double turn;     // rad
    double wound;    // kg m^2, what rope on it adds about the axis
} cable_axle;

// A rigid body. Orientations are unit quaternions (w, x, y, z) that turn body axes into those of the world.
typedef struct cable_body {
    double mass;       // kg; 0: it goes where `goal_*` say
    double inertia[3]; // kg m^2, about its own axes
    double place[3];   // m, centre of mass
    double pose[4];
    double velocity[3], spin[3]; // m/s, rad/s
    double force[3], torque[3];  // N, N m: from outside, gravity not included
    double drag;                 // 1/s
    double air[3];               // m/s
    double before;               // N m, K of the step before (see cable_joint.pull)
    cable_axle axle;
    double goal_place[3], goal_pose[4]; // of a body without mass: at the end of the step
} cable_body;

typedef struct cable_joint {
    int32_t a, b;                  // bodies
    double arm_a[3], arm_b[3];     // m, in body axes, from the centres to the joint
    double rest_a[4], rest_b[4];   // turn body axes into those that are alike in a joint without twist and bend
    double compliance[CABLE_ROWS]; // m/N, rad/(N m); INFINITY: there is no such row
    uint32_t block;                // of Gauss-Seidel
    double turn;                   // rad, twist with all its turns
    double load[CABLE_ROWS];       // N, N m: multipliers of the last step
    double pull[2];                // N m, lever times force of the last step on a and b where that is positive
} cable_joint;

// A cable without mass over points on bodies, along which it slides freely: it pulls when it is shorter than its path.
typedef struct cable_line {
    uint32_t count;
    int32_t body[CABLE_LINE_POINTS];  // CABLE_NO_BODY: the point is in space
    double arm[CABLE_LINE_POINTS][3]; // m, in body axes; or where it is
    double compliance;                // m/N
    double start;                     // m, its path's length at the start
    double before, length;            // m, without load, at the beginning and the end of the step
    double load;                      // N, of the last step
    double pull[CABLE_LINE_POINTS];   // N m, as cable_joint.pull
} cable_line;

// A row whose multiplier has limits: C u + give nu >= target where it is at its lower one, <= at the upper one, and =
// between. Friction comes as two rows after the one of its normal force, with the length of both limited.
typedef struct cable_bound {
    uint32_t count; // of bodies; a body may be there twice
    int32_t body[CABLE_LINE_POINTS];
    double row[CABLE_LINE_POINTS][6];
    double target;     // m/s, rad/s
    double give;       // 1/kg, 1/(kg m^2)
    double low, high;  // N s, N m s
    bool touches;      // a surface, or friction on it
    bool has_friction; // the next two rows are its friction
    double friction;
    double impulse; // nu: taken as the first guess
} cable_bound;

typedef struct cable_settings {
    double step;       // s
    double gravity[3]; // m/s^2
    double damping;    // s, b
    double stiffening; // a
    cable_bend bend;
    cable_tension tension;
    uint32_t sweeps; // of Gauss-Seidel over blocks of joints, as the paper has it; 0: all at once. Without bounds
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
    uint32_t joint_room; // that there is memory for; those beyond joint_count are not there now
    cable_line *lines;
    uint32_t line_count;
    double work;   // J, that drives and outer forces have done: held ends, driven axles, changes of lines' length
    bool is_unmet; // the last step's bounds are not within their tolerance
    double unmet;  // how many steps' bounds did not come to their tolerance

    // scratch
    cable_rows *rows;           // [joint]
    double (*inverse)[2][3][3]; // [body] inverse of mass and of the inertia of the step, in world axes
    double (*free)[6];          // [body] free velocity and spin
    double *band, *right;       // of the matrix, and the right side
    double *whole;              // with sweeps: the matrix that they go over, of which `band` has the blocks; and room
    uint32_t band_width;        // below the diagonal
    uint32_t *first_of, *joint_of; // joints of body k: joint_of[first_of[k]] .. joint_of[first_of[k + 1] - 1]
    cable_bound *bounds;           // [bound_room] of the step: lines, brakes, then what the caller has added
    uint32_t bound_count, bound_room;
    double (*answers)[6]; // [bound][body] change of velocity by a unit of the bound's impulse
    double *loads;        // [bound][row] and of the multipliers
    double *condensed;    // [bound][bound] C M~^-1 C^T, with the joints; and room to solve with it
} cable_group;

// What stopped a step.
typedef enum cable_fault {
    CABLE_SOUND,
    CABLE_FAULT_SPEED,
    CABLE_FAULT_BEND,
    CABLE_FAULT_TWIST,
    CABLE_FAULT_PIVOT,
    CABLE_FAULT_STORE // a winch has nothing more to pay out, or nothing more to wind up
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

// Room for bounds: those of lines and brakes, and so many others. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_ref_make_room(cable_group *group, uint32_t others);

// Rows of a joint; the twist is the one nearest to joint->turn.
void cable_ref_rows(const cable_body *a, const cable_body *b, const cable_joint *joint, cable_bend bend,
                    cable_rows *rows);

// One step. A step that is not sound leaves everything as it was.
cable_finding cable_ref_step(cable_group *group);

// Twist of all joints from their pose, nearest to what they have; for the start.
void cable_ref_wind(cable_group *group);

// ---- bounds

// What a line measures, m; and its row, which tension pulls along.
double cable_ref_line(const cable_group *group, const cable_line *line, cable_bound *bound);

// Adds the rows of lines and brakes to the bounds of the step.
void cable_ref_bind(cable_group *group);

// Impulses of all bounds, by the condensed matrix and the velocities that are reached without them: sweeps of
// Gauss-Seidel, and the exact answer for the rows between their limits as soon as these are known. False: the last of
// 200 sweeps changed one by more than 1e-4 of their sum.
bool cable_ref_solve_bounds(cable_group *group);

// Force and torque about its centre that joints and lines had on a body in the last step, at the pose of now.
void cable_ref_load(const cable_group *group, uint32_t body, double force[3], double torque[3]);

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
