// spline: a smooth curve through the vertices of a strand, cubic between neighbours, that follows circles: where
// neighbouring edges are alike and turn by an angle a, it is off the circle by less than 1e-4 of its radius at a =
// 72 deg.
#ifndef SHEAF_CHILDREN_SPLINE_H
#define SHEAF_CHILDREN_SPLINE_H

#include "base/base.h"

// The curve over one edge: its ends and, for each, the derivative by the share of the edge (Hermite).
typedef struct children_spline {
    double ends[2][3], slopes[2][3];
} children_spline;

// The curve over edge `edge` of a strand of `count` vertices, at least 2; of a closed one the last edge leads to the
// first vertex. Beyond an open end the strand is taken to bend on as it does at its other side.
children_spline children_spline_over(const double (*points)[3], uint32_t count, bool closed, uint32_t edge);

// Point and derivative (may be NULL) at a share of the edge.
void children_spline_at(const children_spline *spline, double share, double point[3], double slope[3]);

#endif
