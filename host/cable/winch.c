// winch: cables that are wound on drums.
#include "cable/winch.h"

#include "base/vec.h"
#include "cable/pair.h"

#include <math.h>
#include <string.h>

static const double two_pi = 2 * 3.14159265358979323846;

// ---- where the rope leaves the drum

static cable_body *segment(const cable_winch *w, const cable_group *group, uint32_t j)
{
    return &group->bodies[w->segment + j];
}

static double head_length(const cable_winch *w)
{
    return (w->head + 1) * w->length - w->wound;
}

static void head_axis(const cable_winch *w, const cable_group *group, double axis[3])
{
    static const double x[3] = {1, 0, 0};
    cable_turn(segment(w, group, w->head)->pose, x, axis);
}

// The arm from the middle of the drum, in the rope's plane, to where rope of a direction leaves it: turning forwards,
// a x arm = -direction, winds up.
static void find_arm(const cable_winch *w, const cable_group *group, const double direction[3], double arm[3])
{
    const double *a = group->bodies[w->drum].axle.axis;
    double across[3];
    vec_copy(across, direction);
    vec_axpy(across, -vec_dot(across, a), a);
    vec_unit(across, across);
    vec_cross(arm, a, across);
    vec_scale(arm, arm, w->radius);
}

static void find_contact(const cable_winch *w, const cable_group *group, double place[3])
{
    const cable_body *drum = &group->bodies[w->drum];
    double axis[3], arm[3];
    head_axis(w, group, axis);
    find_arm(w, group, axis, arm);
    vec_add(place, drum->place, arm);
    vec_axpy(place, w->side, drum->axle.axis);
}

// Angle of a direction about the axle, nearest to what it was.
static double find_heading(const cable_winch *w, const cable_group *group, const double direction[3])
{
    const double *a = group->bodies[w->drum].axle.axis;
    double side[3];
    vec_cross(side, a, w->start);
    const double angle = atan2(vec_dot(side, direction), vec_dot(w->start, direction));
    return angle + two_pi * rint((w->heading - angle) / two_pi);
}

// ---- bodies and joints

// The joint before segment j, which is not the head.
static void fit_joint(const cable_winch *w, cable_group *group, uint32_t j, double before)
{
    cable_joint *joint = &group->joints[w->joint + j];
    const double distance = (before + w->length) / 2;
    joint->a = (int32_t)(w->segment + j - 1);
    joint->b = (int32_t)(w->segment + j);
    vec_set(joint->arm_a, before / 2, 0, 0);
    vec_set(joint->arm_b, -w->length / 2, 0, 0);
    for (int r = 0; r < CABLE_ROWS; r++)
        joint->compliance[r] = distance * w->compliance[r < 3 ? 0 : r == 3 ? 2 : 1];
}

static void fit_contact(const cable_winch *w, cable_group *group)
{
    const cable_body *drum = &group->bodies[w->drum];
    cable_joint *joint = &group->joints[w->joint + w->head];
    double place[3], arm[3];
    find_contact(w, group, place);
    vec_sub(arm, place, drum->place);
    joint->a = (int32_t)w->drum;
    joint->b = (int32_t)(w->segment + w->head);
    cable_turn_back(drum->pose, arm, joint->arm_a);
    vec_set(joint->arm_b, -head_length(w) / 2, 0, 0);
    for (int r = 0; r < CABLE_ROWS; r++)
        joint->compliance[r] = r < 3 ? w->compliance[0] * head_length(w) / 2 : INFINITY;
    joint->turn = 0;
}

void cable_winch_fit(const cable_winch *w, cable_group *group)
{
    cable_body *drum = &group->bodies[w->drum];
    for (uint32_t j = 0; j < w->head; j++)
        cable_park(group, w->segment + j, w->joint + j, drum->place);
    cable_fit_segment(segment(w, group, w->head), w->line_mass, head_length(w), w->thick);
    fit_contact(w, group);
    for (uint32_t j = w->head + 1; j < w->count; j++) {
        cable_fit_segment(segment(w, group, j), w->line_mass, w->length, w->thick);
        fit_joint(w, group, j, j == w->head + 1 ? head_length(w) : w->length);
    }
    drum->mass = w->mass + w->line_mass * w->wound;
    drum->axle.wound = w->line_mass * w->wound * w->radius * w->radius;
}

// ---- opening

void cable_winch_open(const sheaf_model *model, uint32_t strand, cable_group *group, cable_winch *w)
{
    const sheaf_winch_def *def = cable_winch_of(model, strand);
    const model_body *drum = &model->bodies[def->body];
    const uint64_t first = model->first_vertex[strand];
    const double rope = scene_material_section(&model->materials[model->strands[strand].material]).radius;
    double from[3];
    cable_compliance(model, strand, 1, w->compliance);
    w->count = cable_segment_count(model, strand);
    w->length = cable_segment_length(model, strand, 0);
    w->radius = drum->half[0] + rope;
    w->pitch = fmax(2 * rope, 0.02 * drum->half[0]);
    w->line_mass = model->strands[strand].line_mass;
    w->thick = rope > 0 ? rope : w->length / 20;
    w->mass = group->bodies[w->drum].mass;
    for (int c = 0; c < 3; c++)
        w->compliance[c] /= w->length;
    w->wound = def->store;
    w->head = (uint32_t)fmin(fmax(ceil(w->wound / w->length + 0.5) - 1, 0), w->count - 2);
    cable_body *head = segment(w, group, w->head);
    memcpy(head->pose, segment(w, group, w->head + 1)->pose, sizeof head->pose);
    head_axis(w, group, w->start);
    vec_copy(from, model->position[first + w->head + 1]);
    vec_axpy(from, -head_length(w), w->start);
    vec_copy(head->place, from);
    vec_axpy(head->place, head_length(w) / 2, w->start);
    vec_sub(from, from, group->bodies[w->drum].place);
    w->side = vec_dot(from, group->bodies[w->drum].axle.axis);
    cable_winch_fit(w, group);
}

// ---- winding

// Moves the head so that the gap of its joint is `gap`.
static void place_head(const cable_winch *w, cable_group *group, const double gap[3])
{
    cable_body *head = segment(w, group, w->head);
    double axis[3], place[3];
    head_axis(w, group, axis);
    find_contact(w, group, place);
    vec_sub(head->place, place, gap);
    vec_axpy(head->place, head_length(w) / 2, axis);
}

static void find_gap(const cable_winch *w, const cable_group *group, double gap[3])
{
    double axis[3], place[3];
    head_axis(w, group, axis);
    find_contact(w, group, place);
    vec_sub(gap, place, segment(w, group, w->head)->place);
    vec_axpy(gap, head_length(w) / 2, axis);
}

// What the head is pulled by, times lengths that have changed by these factors.
static void scale_pulls(const cable_winch *w, cable_group *group, double own)
{
    group->joints[w->joint + w->head].pull[1] *= own;
    group->joints[w->joint + w->head + 1].pull[0] *= own;
    segment(w, group, w->head)->before *= own;
}

// Takes up `turned` of the drum's rim: the head is shorter by as much of unstretched rope, and its gap in proportion.
static void take_up(cable_winch *w, cable_group *group, double turned, double strain)
{
    cable_body *head = segment(w, group, w->head);
    const double before = head_length(w), wound = turned / (1 + strain);
    double axis[3], gap[3], shift[3], velocity[3];
    head_axis(w, group, axis);
    w->wound += turned; // the point of the rope that was held, and where it would be
    vec_scale(shift, axis, wound / 2);
    cable_carry(head, shift, velocity);
    vec_axpy(head->place, turned / 2, axis);
    find_gap(w, group, gap);
    w->wound += wound - turned;
    const double share = head_length(w) / before, along = vec_dot(gap, axis);
    vec_axpy(gap, (share - 1) * along, axis);
    place_head(w, group, gap);
    vec_copy(head->velocity, velocity);
    scale_pulls(w, group, share);
}

// The head and the segment after it become one: mass, momentum and angular momentum are summed; it lies between them,
// under the tension that the head was under.
static void join_head(cable_winch *w, cable_group *group)
{
    const double first = head_length(w), whole = first + w->length;
    const cable_body a = *segment(w, group, w->head);
    cable_body *b = segment(w, group, w->head + 1);
    const cable_joint held = group->joints[w->joint + w->head];
    double center[3], velocity[3], momentum[3], gap[3];
    find_gap(w, group, gap);
    cable_pair_motion(&a, b, center, velocity, momentum);
    cable_pose_between(a.pose, b->pose, w->length / whole, b->pose);
    w->head++;
    cable_fit_segment(b, w->line_mass, whole, w->thick);
    vec_copy(b->velocity, velocity);
    cable_spin_of(b, momentum, b->spin);
    vec_scale(gap, gap, whole / first);
    place_head(w, group, gap);
    memcpy(group->joints[w->joint + w->head].load, held.load, sizeof held.load);
    group->joints[w->joint + w->head].pull[1] = held.pull[1] * whole / first;
    group->joints[w->joint + w->head + 1].pull[0] *= whole / w->length;
    b->before = a.before * whole / first;
}

// The head becomes two segments with its spin, its strain between them, and the tension that it was under.
static void divide_head(cable_winch *w, cable_group *group)
{
    const double whole = head_length(w), first = whole - w->length;
    cable_body *b = segment(w, group, w->head), *a = b - 1;
    const cable_body old = *b;
    cable_joint *held = &group->joints[w->joint + w->head], *before = held - 1;
    double axis[3], gap[3], shift[3];
    find_gap(w, group, gap);
    head_axis(w, group, axis);
    memcpy(a->pose, b->pose, sizeof a->pose);
    vec_copy(a->spin, b->spin);
    w->head--;
    vec_scale(shift, gap, first / whole);
    place_head(w, group, shift);
    vec_copy(b->place, a->place);
    vec_axpy(b->place, whole / 2, axis);
    vec_sub(b->place, b->place, gap);
    vec_scale(shift, axis, -w->length / 2);
    cable_carry(&old, shift, a->velocity);
    vec_scale(shift, axis, first / 2);
    cable_carry(&old, shift, b->velocity);
    memcpy(before->load, held->load, sizeof held->load);
    before->pull[0] = held->pull[0];
    before->pull[1] = held->pull[0] = held->pull[1] * first / whole;
    held->pull[1] *= w->length / whole;
    held->turn = 0;
    held[1].pull[0] *= w->length / whole;
    a->before = old.before * first / whole;
    b->before = old.before * w->length / whole;
}

bool cable_winch_turn(cable_winch *w, cable_group *group)
{
    const cable_body *drum = &group->bodies[w->drum];
    const double *load = group->joints[w->joint + w->head].load, h = group->settings.step;
    double axis[3];
    head_axis(w, group, axis);
    const double heading = find_heading(w, group, axis);
    const double turned = w->radius * (h * vec_dot(drum->axle.axis, drum->spin) - (heading - w->heading));
    w->heading = heading;
    take_up(w, group, turned, fmax(0, w->compliance[0] * vec_dot(load, axis)));
    if (head_length(w) < w->length / 2 && w->head + 2 < w->count)
        join_head(w, group);
    else if (head_length(w) > 1.5 * w->length && w->head > 0)
        divide_head(w, group);
    cable_winch_fit(w, group);
    return w->wound >= 0 && head_length(w) > w->length / 4;
}

// ---- vertices

bool cable_winch_vertex(const cable_winch *w, const cable_group *group, uint32_t j, double place[3], double velocity[3])
{
    const cable_body *drum = &group->bodies[w->drum], *head = segment(w, group, w->head);
    double axis[3], arm[3], turning[3];
    const double over = w->wound - j * w->length;
    if (j > w->head)
        return false;
    head_axis(w, group, axis);
    find_arm(w, group, axis, arm);
    if (over <= 0) {
        vec_scale(arm, axis, -over - head_length(w) / 2);
        vec_add(place, head->place, arm);
        if (velocity != NULL)
            cable_carry(head, arm, velocity);
        return true;
    }
    vec_rotate(arm, arm, drum->axle.axis, over / w->radius);
    vec_axpy(arm, w->side + w->pitch * over / (two_pi * w->radius), drum->axle.axis);
    vec_add(place, drum->place, arm);
    if (velocity != NULL) {
        vec_cross(turning, drum->spin, arm);
        vec_copy(velocity, turning);
    }
    return true;
}
