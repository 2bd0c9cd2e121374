// adaptive: cables whose segments are merged and split.
#include "cable/adaptive.h"

#include "base/vec.h"
#include "cable/pair.h"

#include <math.h>
#include <string.h>

static const double uneven_most = 0.01; // rad: bending that changes less along two segments lets them merge
static const double bend_most = 0.2;    // rad at a joint, above which it is split
static const double hysteresis = 2;     // between merging and splitting
static const double wait_steps = 10;
static const double settle_steps = 100; // in which arms come to the ends of segments

bool cable_is_adaptive(const sheaf_model *model, uint32_t strand)
{
    return model->groups[model->strands[strand].group].cable.segments_min > 0;
}

// ---- parts

static cable_body *segment(const cable_adaptive *c, const cable_group *group, uint32_t k)
{
    return &group->bodies[c->segment + k];
}

// The joint before segment k; after the last for k = count.
static cable_joint *joint_before(const cable_adaptive *c, const cable_group *group, uint32_t k)
{
    return &group->joints[c->joint + k - !c->holds[0]];
}

uint32_t cable_adaptive_first(const cable_adaptive *c, uint32_t k)
{
    double first = 0;
    for (uint32_t j = 0; j < k; j++)
        first += c->runs[j].pieces;
    return (uint32_t)first;
}

static double length_of(const cable_adaptive *c, uint32_t k)
{
    const uint32_t first = cable_adaptive_first(c, k);
    return c->at[first + (uint32_t)c->runs[k].pieces] - c->at[first];
}

uint32_t cable_adaptive_find(const cable_adaptive *c, uint32_t piece, double *along)
{
    uint32_t k = 0, first = 0;
    while (k + 1 < c->count && first + (uint32_t)c->runs[k].pieces <= piece)
        first += (uint32_t)c->runs[k++].pieces;
    *along = c->at[piece] - (c->at[first] + c->at[first + (uint32_t)c->runs[k].pieces]) / 2;
    return k;
}

// ---- opening and fitting

sheaf_status cable_adaptive_open(const sheaf_model *model, uint32_t strand, const cable_group *group, cable_adaptive *c)
{
    const double radius = model->radius[model->first_vertex[strand]];
    c->pieces = c->count = cable_segment_count(model, strand);
    c->least = model->groups[model->strands[strand].group].cable.segments_min;
    c->holds[0] = cable_find_end(model, strand, false).holds_point;
    c->holds[1] = cable_find_end(model, strand, true).holds_point;
    c->ends_group = c->joint + c->pieces - 1 + c->holds[0] + c->holds[1] == group->joint_room;
    c->line_mass = model->strands[strand].line_mass;
    c->thick = radius > 0 ? radius : cable_segment_length(model, strand, 0) / 20;
    c->at = base_alloc((size_t)c->pieces + 1, sizeof *c->at);
    c->runs = base_alloc(c->pieces, sizeof *c->runs);
    if (c->at == NULL || c->runs == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t j = 0; j < c->pieces; j++) {
        c->at[j + 1] = c->at[j] + cable_segment_length(model, strand, j);
        c->runs[j].pieces = 1;
    }
    if (c->holds[1])
        c->tip = *joint_before(c, group, c->pieces);
    cable_compliance(model, strand, 1, c->compliance);
    for (int r = 0; r < 3; r++)
        c->compliance[r] /= c->at[2] / 2;
    return SHEAF_OK;
}

void cable_adaptive_close(cable_adaptive *c)
{
    base_free(c->at);
    base_free(c->runs);
}

static void put_arm(const cable_adaptive *c, uint32_t k, int side, double arm[3])
{
    vec_set(arm, (side == 0 ? -0.5 : 0.5) * length_of(c, k), 0, 0);
    vec_add(arm, arm, c->runs[k].shift[side]);
}

static void fit_joint(const cable_adaptive *c, cable_group *group, uint32_t k)
{
    cable_joint *joint = joint_before(c, group, k);
    const double distance = (length_of(c, k - 1) + length_of(c, k)) / 2;
    static const double unit[4] = {1, 0, 0, 0};
    memcpy(joint->rest_a, unit, sizeof unit);
    memcpy(joint->rest_b, unit, sizeof unit);
    joint->a = (int32_t)(c->segment + k - 1);
    joint->b = (int32_t)(c->segment + k);
    put_arm(c, k - 1, 1, joint->arm_a);
    put_arm(c, k, 0, joint->arm_b);
    for (int r = 0; r < CABLE_ROWS; r++)
        joint->compliance[r] = distance * c->compliance[r < 3 ? 0 : r == 3 ? 2 : 1];
}

// The joint at the tip, behind the last segment wherever that is.
static void fit_tip(const cable_adaptive *c, cable_group *group)
{
    cable_joint *joint = joint_before(c, group, c->count), tip = c->tip;
    tip.a = (int32_t)(c->segment + c->count - 1);
    tip.turn = joint->turn;
    memcpy(tip.load, joint->load, sizeof tip.load);
    memcpy(tip.pull, joint->pull, sizeof tip.pull);
    *joint = tip;
}

void cable_adaptive_fit(cable_adaptive *c, cable_group *group)
{
    const uint32_t joints = c->pieces - 1 + c->holds[0] + c->holds[1];
    for (c->count = 0; c->count < c->pieces && c->runs[c->count].pieces > 0;)
        c->count++;
    for (uint32_t k = 0; k < c->count; k++)
        cable_fit_segment(segment(c, group, k), c->line_mass, length_of(c, k), c->thick);
    for (uint32_t k = 1; k < c->count; k++)
        fit_joint(c, group, k);
    if (c->holds[1])
        fit_tip(c, group);
    const uint32_t live = c->count - 1 + c->holds[0] + c->holds[1];
    for (uint32_t k = 0; k < c->pieces - c->count; k++)
        cable_park(group, c->segment + c->count + k, c->joint + live + k, segment(c, group, 0)->place);
    if (c->ends_group)
        group->joint_count = group->joint_room - (joints - live);
}

// ---- one as two, two as one

// Rotation over a joint, rad, and its gap, m.
static void measure(const cable_group *group, const cable_joint *joint, double turn[3], double gap[3])
{
    const cable_body *a = &group->bodies[joint->a], *b = &group->bodies[joint->b];
    double arms[2][3];
    cable_turn_from_to(a->pose, b->pose, turn);
    cable_turn(a->pose, joint->arm_a, arms[0]);
    cable_turn(b->pose, joint->arm_b, arms[1]);
    for (int k = 0; k < 3; k++)
        gap[k] = a->place[k] + arms[0][k] - b->place[k] - arms[1][k];
}

// Lets the arm of segment k end so that the gap of the joint at its beginning (side 0) or end is `gap`.
static void set_arm(cable_adaptive *c, cable_group *group, cable_joint *joint, uint32_t k, int side,
                    const double gap[3])
{
    const cable_body *own = segment(c, group, k);
    const cable_body *other = &group->bodies[side == 0 ? joint->a : joint->b];
    double lever[3], arm[3], straight[3];
    cable_turn(other->pose, side == 0 ? joint->arm_a : joint->arm_b, lever);
    vec_add(lever, lever, other->place);
    vec_sub(lever, lever, own->place);
    vec_axpy(lever, side == 0 ? -1 : 1, gap);
    cable_turn_back(own->pose, lever, arm);
    vec_copy(side == 0 ? joint->arm_b : joint->arm_a, arm);
    vec_set(straight, (side == 0 ? -0.5 : 0.5) * length_of(c, k), 0, 0);
    vec_sub(c->runs[k].shift[side], arm, straight);
}

// Moves what is behind segment k of the cable by one place: 1 makes room after it, -1 takes the next one out.
static void shift_rest(cable_adaptive *c, cable_group *group, uint32_t k, int by)
{
    const uint32_t from = k + (by > 0 ? 1 : 2), to = from + (uint32_t)by, rest = c->count - from;
    const uint32_t joints = rest + c->holds[1];
    memmove(segment(c, group, to), segment(c, group, from), rest * sizeof *group->bodies);
    memmove(&c->runs[to], &c->runs[from], rest * sizeof *c->runs);
    memmove(joint_before(c, group, to), joint_before(c, group, from), joints * sizeof *group->joints);
    c->count += (uint32_t)by;
    if (c->count < c->pieces)
        c->runs[c->count].pieces = 0;
    for (uint32_t i = from < to ? from : to; i <= c->count; i++) {
        if (i == c->count && !c->holds[1])
            break;
        joint_before(c, group, i)->a = (int32_t)(c->segment + i - 1);
        if (i < c->count)
            joint_before(c, group, i)->b = (int32_t)(c->segment + i);
    }
}

void cable_adaptive_merge(cable_adaptive *c, cable_group *group, uint32_t k)
{
    const cable_body a = *segment(c, group, k), b = *segment(c, group, k + 1);
    const double first = length_of(c, k), second = length_of(c, k + 1), whole = first + second;
    cable_joint *before = joint_before(c, group, k), *middle = joint_before(c, group, k + 1);
    const cable_joint inner = *middle;
    double turn[3], gaps[3][3], velocity[3], momentum[3];
    measure(group, before, turn, gaps[0]);
    measure(group, middle, turn, gaps[1]);
    measure(group, joint_before(c, group, k + 2), turn, gaps[2]);
    const double pull_before = before->pull[1] * whole / first;
    const double pull_after = joint_before(c, group, k + 2)->pull[0] * whole / second;
    c->runs[k].pieces += c->runs[k + 1].pieces;
    shift_rest(c, group, k, -1);
    cable_body *one = segment(c, group, k);
    cable_pair_motion(&a, &b, one->place, velocity, momentum);
    cable_pose_between(a.pose, b.pose, second / whole, one->pose);
    cable_fit_segment(one, c->line_mass, whole, c->thick);
    vec_copy(one->velocity, velocity);
    cable_spin_of(one, momentum, one->spin);
    one->before = (a.before * whole / first + b.before * whole / second) / 2;
    cable_joint *after = joint_before(c, group, k + 1);
    vec_axpy(gaps[0], second / whole, gaps[1]);
    vec_axpy(gaps[2], first / whole, gaps[1]);
    set_arm(c, group, before, k, 0, gaps[0]);
    set_arm(c, group, after, k, 1, gaps[2]);
    before->pull[1] = pull_before;
    after->pull[0] = pull_after;
    before->turn += inner.turn * second / whole;
    after->turn += inner.turn * first / whole;
    c->runs[k].wait = wait_steps;
}

// Inverse inertia of two bodies about a point times an angular momentum.
static void spin_of_pair(const cable_body *a, const cable_body *b, const double center[3], const double momentum[3],
                         double spin[3])
{
    const cable_body *bodies[2] = {a, b};
    double inertia[3][3], cofactors[3][3];
    for (int c = 0; c < 3; c++) { // column by column: the momentum of a unit of spin
        double unit[3] = {c == 0, c == 1, c == 2};
        vec_set(inertia[c], 0, 0, 0);
        for (int k = 0; k < 2; k++) {
            double own[3], arm[3], moving[3], cross[3];
            cable_turn_back(bodies[k]->pose, unit, own);
            for (int i = 0; i < 3; i++)
                own[i] *= bodies[k]->inertia[i];
            cable_turn(bodies[k]->pose, own, own);
            vec_sub(arm, bodies[k]->place, center);
            vec_cross(moving, unit, arm);
            vec_cross(cross, arm, moving);
            vec_add(inertia[c], inertia[c], own);
            vec_axpy(inertia[c], bodies[k]->mass, cross);
        }
    }
    vec_cross(cofactors[0], inertia[1], inertia[2]);
    vec_cross(cofactors[1], inertia[2], inertia[0]);
    vec_cross(cofactors[2], inertia[0], inertia[1]);
    const double determinant = vec_dot(inertia[0], cofactors[0]);
    for (int r = 0; r < 3; r++)
        spin[r] = vec_dot(cofactors[r], momentum) / determinant;
}

// Where both halves of a segment are and how they are turned: the rotation and the gap of a joint between them are
// `turn` and `gap`.
static void place_halves(const cable_body *whole, double first, double second, const double turn[3],
                         const double gap[3], cable_body *a, cable_body *b)
{
    const double share = second / (first + second);
    double by[3], way[3], arm[3];
    vec_scale(by, turn, -share);
    cable_rotate_by(a->pose, by);
    vec_scale(by, turn, 1 - share);
    cable_rotate_by(b->pose, by);
    vec_set(arm, first / 2, 0, 0);
    cable_turn(a->pose, arm, way);
    vec_set(arm, second / 2, 0, 0);
    cable_turn(b->pose, arm, arm);
    vec_add(way, way, arm);
    vec_sub(way, way, gap);
    vec_copy(a->place, whole->place);
    vec_axpy(a->place, -share, way);
    vec_copy(b->place, whole->place);
    vec_axpy(b->place, 1 - share, way);
}

static void move_halves(const cable_body *whole, cable_body *a, cable_body *b)
{
    double momentum[3], spin[3], arm[3];
    cable_turn_back(whole->pose, whole->spin, momentum);
    for (int c = 0; c < 3; c++)
        momentum[c] *= whole->inertia[c];
    cable_turn(whole->pose, momentum, momentum);
    spin_of_pair(a, b, whole->place, momentum, spin);
    cable_body *const halves[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        vec_copy(halves[k]->velocity, whole->velocity);
        vec_copy(halves[k]->spin, spin);
        vec_sub(arm, halves[k]->place, whole->place);
        cable_carry(halves[k], arm, halves[k]->velocity);
    }
}

// The joint between halves: what both neighbours bear.
static void fill_middle(const cable_joint *before, const cable_joint *after, double first, double second,
                        cable_joint *middle)
{
    *middle = *before;
    for (int r = 0; r < CABLE_ROWS; r++)
        middle->load[r] = (before->load[r] + after->load[r]) / 2;
    vec_set(middle->arm_a, first / 2, 0, 0);
    vec_set(middle->arm_b, -second / 2, 0, 0);
}

void cable_adaptive_split(cable_adaptive *c, cable_group *group, uint32_t k)
{
    const cable_body old = *segment(c, group, k);
    const double whole = length_of(c, k), pieces = c->runs[k].pieces;
    const double outer[2] = {length_of(c, k - 1), length_of(c, k + 1)};
    double turns[2][3], gaps[2][3], turn[3], gap[3];
    measure(group, joint_before(c, group, k), turns[0], gaps[0]);
    measure(group, joint_before(c, group, k + 1), turns[1], gaps[1]);
    shift_rest(c, group, k, 1);
    c->runs[k + 1] = (cable_run){.pieces = pieces - floor(pieces / 2)};
    c->runs[k].pieces = floor(pieces / 2);
    c->runs[k].wait = c->runs[k + 1].wait = wait_steps;
    const double first = length_of(c, k), second = length_of(c, k + 1);
    cable_joint *before = joint_before(c, group, k), *middle = before + 1, *after = before + 2;
    cable_body *a = segment(c, group, k), *b = a + 1;
    *b = old;
    fill_middle(before, after, first, second, middle);
    middle->a = (int32_t)(c->segment + k);
    middle->b = (int32_t)(c->segment + k + 1);
    after->a = middle->b;
    const double full[2] = {(outer[0] + whole) / 2, (outer[1] + whole) / 2};
    for (int r = 0; r < 3; r++) { // of a metre, times the length that the new joint stands for
        turn[r] = (turns[0][r] / full[0] + turns[1][r] / full[1]) / 2 * whole / 2;
        gap[r] = (gaps[0][r] / full[0] + gaps[1][r] / full[1]) / 2 * whole / 2;
    }
    const double twist = (before->turn / full[0] + after->turn / full[1]) / 2 * whole / 2;
    cable_fit_segment(a, c->line_mass, first, c->thick);
    cable_fit_segment(b, c->line_mass, second, c->thick);
    place_halves(&old, first, second, turn, gap, a, b);
    move_halves(&old, a, b);
    vec_set(c->runs[k].shift[1], 0, 0, 0);
    vec_scale(gaps[0], gaps[0], 1 - second / 2 / full[0]);
    vec_scale(gaps[1], gaps[1], 1 - first / 2 / full[1]);
    set_arm(c, group, before, k, 0, gaps[0]);
    set_arm(c, group, after, k + 1, 1, gaps[1]);
    middle->turn = twist;
    before->turn -= twist * second / whole;
    after->turn -= twist * first / whole;
    before->pull[1] *= first / whole;
    middle->pull[0] = before->pull[1];
    after->pull[0] *= second / whole;
    middle->pull[1] = after->pull[0];
    a->before = old.before * first / whole;
    b->before = old.before * second / whole;
}

// ---- where

// Curvature at the joint before segment k, 1/m, as a vector in space; and its angle.
static double curvature_before(const cable_adaptive *c, const cable_group *group, uint32_t k, double out[3])
{
    double gap[3];
    measure(group, joint_before(c, group, k), out, gap);
    const double angle = vec_length(out);
    vec_scale(out, out, 2 / (length_of(c, k - 1) + length_of(c, k)));
    return angle;
}

static bool touches(const cable_adaptive *c, const cable_group *group, uint32_t k)
{
    for (uint32_t i = 0; i < group->bound_count; i++)
        if (group->bounds[i].touches && group->bounds[i].body[0] == (int32_t)(c->segment + k))
            return true;
    return false;
}

static double distance_of(const double a[3], const double b[3])
{
    double way[3];
    vec_sub(way, a, b);
    return vec_length(way);
}

static bool may_merge(const cable_adaptive *c, const cable_group *group, uint32_t k)
{
    const cable_run *a = &c->runs[k], *b = a + 1;
    double curvature[3][3];
    if (k == 0 || k + 2 >= c->count || c->count <= c->least || a->wait > 0 || b->wait > 0 ||
        a->pieces > 2 * b->pieces || b->pieces > 2 * a->pieces || touches(c, group, k) || touches(c, group, k + 1))
        return false;
    const double whole = length_of(c, k) + length_of(c, k + 1);
    for (uint32_t i = 0; i < 3; i++)
        curvature_before(c, group, k + i, curvature[i]);
    const double most = fmax(vec_length(curvature[0]), fmax(vec_length(curvature[1]), vec_length(curvature[2])));
    const double uneven = fmax(distance_of(curvature[0], curvature[1]),
                               fmax(distance_of(curvature[1], curvature[2]), distance_of(curvature[0], curvature[2])));
    const double outer = fmax(length_of(c, k - 1), length_of(c, k + 2));
    return uneven * whole < uneven_most && most * (whole + outer) / 2 < bend_most / hysteresis;
}

static bool must_split(const cable_adaptive *c, const cable_group *group, uint32_t k)
{
    double curvature[2][3];
    if (k == 0 || k + 1 >= c->count || c->runs[k].pieces < 2 || c->runs[k].wait > 0)
        return false;
    if (touches(c, group, k))
        return true;
    const double angles[2] = {curvature_before(c, group, k, curvature[0]),
                              curvature_before(c, group, k + 1, curvature[1])};
    for (int side = 0; side < 2; side++)
        if (angles[side] > bend_most && c->runs[k].pieces >= c->runs[side == 0 ? k - 1 : k + 1].pieces)
            return true;
    return distance_of(curvature[0], curvature[1]) * length_of(c, k) > hysteresis * uneven_most;
}

static void go_on(cable_adaptive *c)
{
    for (uint32_t k = 0; k < c->count; k++) {
        c->runs[k].wait = fmax(0, c->runs[k].wait - 1);
        for (int side = 0; side < 2; side++)
            vec_scale(c->runs[k].shift[side], c->runs[k].shift[side], 1 - 1 / settle_steps);
    }
}

bool cable_adaptive_turn(cable_adaptive *c, cable_group *group)
{
    bool is_new = false;
    go_on(c);
    cable_adaptive_fit(c, group);
    for (uint32_t k = 1; k + 1 < c->count; k++) {
        if (must_split(c, group, k))
            cable_adaptive_split(c, group, k++);
        else if (may_merge(c, group, k))
            cable_adaptive_merge(c, group, k);
        else
            continue;
        is_new = true;
    }
    if (is_new)
        cable_adaptive_fit(c, group);
    return is_new;
}
