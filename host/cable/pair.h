// pair: two segments of a cable as one, and one as two: what winches and adaptive cables do alike.
#ifndef SHEAF_CABLE_PAIR_H
#define SHEAF_CABLE_PAIR_H

#include "cable/ref/ref.h"

// Mass and inertia of a round segment: kg/m, m, and the radius for inertia, m.
void cable_fit_segment(cable_body *body, double line_mass, double length, double thick);

// A segment that is not there now, and the joint before it: nothing moves or holds them. `place`: where it waits, m.
void cable_park(cable_group *group, uint32_t body, uint32_t joint, const double place[3]);

// Velocity, m/s, of a body's material `shift`, m, from its centre.
void cable_carry(const cable_body *body, const double shift[3], double velocity[3]);

// Centre of mass of two bodies, its velocity, and their angular momentum about it: m, m/s, kg m^2/s.
void cable_pair_motion(const cable_body *a, const cable_body *b, double center[3], double velocity[3],
                       double momentum[3]);

// The spin, rad/s, that gives a body an angular momentum about its centre.
void cable_spin_of(const cable_body *body, const double momentum[3], double spin[3]);

// An orientation on the shortest way from p to q, a share of it from p.
void cable_pose_between(const double p[4], const double q[4], double share, double out[4]);

#endif
