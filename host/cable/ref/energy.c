// energy: what a group has in motion, height and deformation, and what its bodies bear.
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

static void add_row(const double row[6], double load, double force[3], double torque[3])
{
    vec_axpy(force, load, row);
    vec_axpy(torque, load, row + 3);
}

void cable_ref_load(const cable_group *group, uint32_t body, double force[3], double torque[3])
{
    vec_set(force, 0, 0, 0);
    vec_set(torque, 0, 0, 0);
    for (uint32_t at = group->first_of[body]; at < group->first_of[body + 1]; at++) {
        const cable_joint *joint = &group->joints[group->joint_of[at]];
        const int side = joint->a == (int32_t)body ? 0 : 1;
        cable_rows rows;
        cable_ref_rows(&group->bodies[joint->a], &group->bodies[joint->b], joint, group->settings.bend, &rows);
        for (int r = 0; r < CABLE_ROWS; r++)
            add_row(rows.jacobian[side][r], joint->load[r], force, torque);
    }
    for (uint32_t k = 0; k < group->line_count; k++) {
        cable_bound bound;
        (void)cable_ref_line(group, &group->lines[k], &bound);
        for (uint32_t p = 0; p < bound.count; p++)
            if (bound.body[p] == (int32_t)body)
                add_row(bound.row[p], group->lines[k].load, force, torque);
    }
}
