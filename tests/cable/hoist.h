// hoist: a cable of the reference that hangs from a moving anchor, with or without a load; shared by tests.
#ifndef SHEAF_TESTS_CABLE_HOIST_H
#define SHEAF_TESTS_CABLE_HOIST_H

#include "base/vec.h"
#include "cable/ref/ref.h"

#include <math.h>

// Body 0 is the anchor, bodies 1 .. segments are segments from it along -z, the last one a load if there is any. Joint
// k is before body k + 1.
typedef struct hoist {
    uint32_t segments;
    double length;                // m
    double line_mass, ea, ei, gj; // kg/m, N, N m^2
    double radius;                // m
    double load;                  // kg; 0: none
    bool clamped;                 // at the anchor
    double direction[3];          // that it hangs along
} hoist;

static inline void hoist_segment(const hoist *h, uint32_t k, const double pose[4], cable_body *body)
{
    const double l = h->length / h->segments, m = h->line_mass * l, r2 = h->radius * h->radius;
    body->mass = m;
    body->inertia[0] = m * r2 / 2;
    body->inertia[1] = body->inertia[2] = m * (l * l / 12 + r2 / 4);
    for (int c = 0; c < 4; c++)
        body->pose[c] = pose[c];
    vec_scale(body->place, h->direction, (k + 0.5) * l);
}

static inline void hoist_joint(const hoist *h, uint32_t k, cable_joint *joint)
{
    const double l = h->length / h->segments;
    const bool ends = k == 0 || k == h->segments;
    const double d = ends ? l / 2 : l;
    joint->a = (int32_t)k;
    joint->b = (int32_t)k + 1;
    joint->arm_a[0] = k == 0 ? 0 : l / 2;
    joint->arm_b[0] = -l / 2;
    joint->rest_a[0] = joint->rest_b[0] = 1;
    for (int r = 0; r < 6; r++)
        joint->compliance[r] = r < 3 ? d / h->ea : r == 3 ? d / h->gj : d / h->ei;
    for (int r = 3; r < 6 && (k == h->segments || (k == 0 && !h->clamped)); r++)
        joint->compliance[r] = INFINITY;
}

static inline void hoist_open(const hoist *h, cable_group *group)
{
    const uint32_t bodies = h->segments + 1 + (h->load > 0), joints = h->segments + (h->load > 0);
    static const double x[3] = {1, 0, 0};
    double axis[3], pose[4];
    if (cable_ref_open(bodies, joints, group) != SHEAF_OK)
        return;
    vec_cross(axis, x, h->direction);
    pose[0] = sqrt((1 + h->direction[0]) / 2);
    vec_scale(pose + 1, axis, 1 / (2 * pose[0]));
    for (int c = 0; c < 4; c++)
        group->bodies[0].pose[c] = group->bodies[0].goal_pose[c] = pose[c];
    for (uint32_t k = 0; k < h->segments; k++)
        hoist_segment(h, k, pose, &group->bodies[k + 1]);
    for (uint32_t k = 0; k < joints; k++)
        hoist_joint(h, k, &group->joints[k]);
    if (h->load > 0) {
        cable_body *load = &group->bodies[bodies - 1];
        const double edge = cbrt(h->load / 7850);
        load->mass = h->load;
        for (int c = 0; c < 3; c++)
            load->inertia[c] = h->load * edge * edge / 6;
        load->pose[0] = pose[0];
        vec_copy(load->pose + 1, pose + 1);
        vec_scale(load->place, h->direction, h->length + edge / 2);
        group->joints[joints - 1].arm_b[0] = -edge / 2;
    }
    group->settings = (cable_settings){.step = 1.0 / 60, .damping = 1.0 / 60, .stiffening = 1};
    (void)cable_ref_prepare(group);
}

#endif
