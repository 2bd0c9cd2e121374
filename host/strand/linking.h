// linking: twist and writhe of a strand. Their sum, the linking number, changes only when an end turns or the strand
// passes through itself.
#ifndef SHEAF_STRAND_LINKING_H
#define SHEAF_STRAND_LINKING_H

#include "base/base.h"

// Writhe of a polyline, turns: the sum over pairs of edges of the solid angle from which they are seen to cross.
double model_writhe(const double (*points)[3], uint32_t count, bool closed);

// The same of an open polyline that goes on straight, far beyond both its ends: with the twist this makes a sum that is
// kept where end edges lie on one line and do not turn.
double model_writhe_extended(const double (*points)[3], uint32_t count);

// Angle by which director 1 turns at an inner vertex, from the edge before to the edge after, against parallel
// transport, rad, between -pi and pi. `directors`: [edge] unit vectors.
double model_twist_at(const double (*points)[3], const double (*directors)[3], uint32_t vertex);

// Sum of these along an open polyline, turns.
double model_twist(const double (*points)[3], const double (*directors)[3], uint32_t count);

#endif
