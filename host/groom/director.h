// director: how a strand's section is turned, as one angle for each edge.
//
// Director 1 of edge k is cos(a_k) u_k + sin(a_k) (t_k x u_k), where t_k is the edge's direction and u_k the frame that
// is carried along the strand from its first edge by the smallest rotations (Bishop's frame). u_0 depends on the points
// alone: the unit vector along t_0 x e, e being the axis x, y or z along which t_0 is shortest, the first of equals. So
// points and angles give directors, without a scene.
#ifndef SHEAF_GROOM_DIRECTOR_H
#define SHEAF_GROOM_DIRECTOR_H

#include "base/base.h"

// Vertices of a strand in order. An edge of no length takes the direction of the one before.
typedef struct groom_line {
    const double (*points)[3];
    uint64_t count;
    bool closed; // the last edge leads back to the first vertex; else there is none, and the last entry repeats
} groom_line;

// Angles, rad, [count], from directors, unit vectors [count]. Along the strand they do not jump by turns: the first is
// in (-pi, pi], and each differs from the one before by at most pi.
void groom_director_angles(const groom_line *line, const double (*directors)[3], float *angles);

// Directors from angles.
void groom_directors(const groom_line *line, const float *angles, double (*directors)[3]);

#endif
