// curl: even natural curvature and twist as a strand with given edges can have them.
#ifndef SHEAF_STRAND_CURL_H
#define SHEAF_STRAND_CURL_H

#include "base/base.h"

// The curve of even curvature and twist: a helix, an arc without twist, whose frame stays the same to its normal.
typedef struct curl {
    double curvature[2]; // 1/m, in the directors' basis; not both 0
    double twist;        // rad/m, the torsion of the curve
} curl;

// An edge of a polyline whose vertices lie on the curve: the angle about the axis from its middle to its end, rad, such
// that it is `length` long. An edge longer than any that fits the curve takes the angle of the sharpest one.
double curl_half_turn(const curl *it, double length);

// Material curvature (as polyline_curvature) and twist, rad, at a vertex between edges of these half turns.
void curl_at_vertex(const curl *it, const double half_turn[2], double w[2][2], double *twist);

#endif
