// energy: what a group has in motion, height and deformation.
#include "cable/ref/ref.h"

#include "base/vec.h"

static double kinetic_of(const cable_body *body)
{
    double spin[3], sum = body->mass * vec_dot(body->velocity, body->velocity);
    cable_turn_back(body->pose, body->spin, spin);
    for (int k = 0; k < 3; k++)
        sum += body->inertia[k] * spin[k] * spin[k];
    if (body->axle.is_there)
        sum += body->axle.wound * vec_dot(body->spin, body->spin);
    return body->mass > 0 || body->axle.is_there ? sum / 2 : 0;
}

// phi^2 / (2 eps); a rigid row stores nothing.
static double stored(double value, double compliance)
{
    return compliance > 0 && compliance < INFINITY ? value * value / (2 * compliance) : 0;
}

cable_energy cable_ref_energy(const cable_group *group)
{
    cable_energy sum = {0};
    for (uint32_t k = 0; k < group->body_count; k++) {
        sum.kinetic += kinetic_of(&group->bodies[k]);
        sum.gravity -= group->bodies[k].mass * vec_dot(group->settings.gravity, group->bodies[k].place);
    }
    for (uint32_t i = 0; i < group->joint_count; i++) {
        const cable_joint *joint = &group->joints[i];
        cable_rows rows;
        cable_ref_rows(&group->bodies[joint->a], &group->bodies[joint->b], joint, group->settings.bend, &rows);
        for (int r = 0; r < 3; r++)
            sum.stretch += stored(rows.value[r], joint->compliance[r]);
        sum.twist += stored(rows.value[3], joint->compliance[3]);
        sum.bend += stored(rows.value[4], joint->compliance[4]) + stored(rows.value[5], joint->compliance[5]);
    }
    for (uint32_t k = 0; k < group->line_count; k++) {
        const cable_line *line = &group->lines[k];
        cable_bound bound;
        sum.stretch += stored(fmax(0, cable_ref_line(group, line, &bound) - line->length), line->compliance);
    }
    return sum;
}
