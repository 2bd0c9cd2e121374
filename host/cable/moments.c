// moments: what joints of cables bear, from where vertices are and how segments are turned.
#include "cable/cable.h"

#include "base/vec.h"
#include "cable/chain.h"
#include "world/world.h"

#include <math.h>

// Moment over joint stiffness by the sine of half the angle between segments: g g', g the measure of bending.
static double bend_response(sheaf_cable_bend bend, double sine)
{
    const double s = fmin(sine, 1 - 1e-12), cosine = sqrt(1 - s * s);
    switch (bend) {
    case SHEAF_CABLE_BEND_ANGLE:
        return 2 * asin(s);
    case SHEAF_CABLE_BEND_TANGENT:
        return 2 * s / (cosine * cosine * cosine);
    default:
        return 2 * s / cosine;
    }
}

void cable_moments(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                   const double (*directors)[3], double bend[2], double *twist)
{
    double poses[2][4], along[3], compliance[3];
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t j = vertex - 1 + side;
        vec_sub(along, positions[j + 1], positions[j]);
        vec_unit(along, along);
        cable_pose_of(along, directors[j], poses[side]);
    }
    const double *p = poses[0], *q = poses[1];
    double r[4] = {p[0] * q[0] + vec_dot(p + 1, q + 1)}, cross[3];
    vec_cross(cross, p + 1, q + 1);
    for (int c = 0; c < 3; c++)
        r[1 + c] = (p[0] * q[1 + c] - q[0] * p[1 + c] - cross[c]) * (r[0] < 0 ? -1 : 1);
    const double sine = hypot(r[2], r[3]), moment = bend_response(model->cable_step.bend, sine);
    cable_compliance(model, strand, vertex, compliance);
    // about directors 2 and 1: bending towards 1, and 2
    bend[0] = sine > 0 ? moment * r[3] / sine / compliance[1] : 0;
    bend[1] = sine > 0 ? -moment * r[2] / sine / compliance[1] : 0;
    *twist = 2 * atan2(r[1], fabs(r[0])) / compliance[2];
}
