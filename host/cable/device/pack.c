// pack: sorts cables into bundles and fills their fields from the model, for one time step and precision.
#include "cable/device/device.h"

#include "base/vec.h"
#include "cable/chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cable/slots.clh"

enum { COMPONENTS_MOST = BODY_SIZE };
_Static_assert(COMPONENTS_MOST >= HOLD_SIZE && COMPONENTS_MOST >= PLACE_SIZE, "values of one row need room");

// ---- which cables fit

static uint32_t joints_of_body(const sheaf_model *model, uint32_t body)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < model->joint_count; k++)
        count += model->joints[k].body == body;
    return count;
}

static bool body_is_driven(const model_body *body)
{
    for (int c = 0; c < 3; c++)
        for (int kind = 0; kind < 2; kind++) {
            const sheaf_course *course = kind == 0 ? &body->def.force[c] : &body->def.torque[c];
            if (course->kind == SHEAF_COURSE_KEYS || course->value != 0)
                return true;
        }
    return false;
}

static const char *why_cable_does_not_fit(const sheaf_model *model, uint32_t strand)
{
    const cable_end root = cable_find_end(model, strand, false), tip = cable_find_end(model, strand, true);
    if (cable_winch_of(model, strand) != NULL)
        return "it is on a winch, which runs on the reference only";
    if (model->groups[model->strands[strand].group].cable.segments_min > 0)
        return "it is adaptive, which runs on the reference only";
    if (tip.body >= 0 && model->bodies[tip.body].def.axle.is_there)
        return "its tip is on a body with an axle";
    for (int is_tip = 0; is_tip < 2; is_tip++) {
        const int32_t motion = cable_end_motion(model, strand, is_tip);
        if (motion >= 0 && model->motions[motion].jumps != NULL)
            return "it follows a motion that jumps, which runs on the reference only";
    }
    if (root.body >= 0)
        return "it begins on a body that moves freely; let it end there, or share the body on the reference";
    if (tip.body >= 0 && joints_of_body(model, (uint32_t)tip.body) > 1)
        return "its load hangs on more than one cable";
    if (tip.body >= 0 && body_is_driven(&model->bodies[tip.body]))
        return "a force or torque acts on its load";
    return NULL;
}

bool cable_fits_device(const sheaf_model *model, char *reason, size_t size)
{
    if (model->cable_step.bend != SHEAF_CABLE_BEND_ARC) {
        snprintf(reason, size, "cables bend by `arc` only there");
        return false;
    }
    if (model->collider_count > 0) {
        snprintf(reason, size, "contact of cables with colliders runs on the reference only");
        return false;
    }
    if (model->reeving_count > 0) {
        snprintf(reason, size, "massless cables run on the reference only");
        return false;
    }
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const char *why = why_cable_does_not_fit(model, s);
        if (why != NULL) {
            snprintf(reason, size, "cable %u: %s", model->strands[s].number, why);
            return false;
        }
    }
    return true;
}

// ---- sorting

typedef struct cable_key {
    uint32_t strand, count;
} cable_key;

static int compare_keys(const void *left, const void *right)
{
    const cable_key *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return a->strand < b->strand ? -1 : a->strand > b->strand;
}

static uint32_t lanes_from(const cable_key *keys, uint32_t from, uint32_t count, uint32_t width)
{
    uint32_t lanes = 1;
    while (lanes < width && from + lanes < count && keys[from].count == keys[from + lanes].count)
        lanes++;
    return lanes;
}

static sheaf_status make_bundles(bundle_set *set, const cable_key *keys)
{
    const uint32_t cables = set->model->strand_count, width = set->options.width;
    uint32_t count = 0;
    for (uint32_t from = 0; from < cables; from += lanes_from(keys, from, cables, width))
        count++;
    SHEAF_TRY(bundles_allocate(set, count));
    set->kind_first[0] = 0;
    for (uint32_t from = 0, lanes; from < cables; from += lanes) {
        lanes = lanes_from(keys, from, cables, width);
        bundles_place(set, (bundle_entry){.vertex_count = keys[from].count}, &keys[from].strand, sizeof *keys, lanes);
    }
    bundles_finish(set);
    return SHEAF_OK;
}

sheaf_status cable_sort(bundle_set *set)
{
    const sheaf_model *model = set->model;
    cable_key *keys = base_alloc(model->strand_count, sizeof *keys);
    if (keys == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++)
        keys[s] = (cable_key){s, model_vertex_count(model, s)};
    qsort(keys, model->strand_count, sizeof *keys, compare_keys);
    const sheaf_status status = make_bundles(set, keys);
    base_free(keys);
    return status;
}

// ---- one cable's values at one slot

typedef struct spot {
    const bundle_options *options;
    const sheaf_model *model;
    uint32_t strand, slot, last; // last: slot of what hangs at the tip
    cable_end tip;
} spot;

// What is at a slot: a segment, a load, or a held end without mass.
static void find_part(const spot *at, uint32_t slot, cable_part *part)
{
    if (slot < at->last) {
        cable_segment(at->model, at->strand, slot, part);
        return;
    }
    if (at->tip.body >= 0) {
        cable_free_body(at->model, (uint32_t)at->tip.body, part);
        vec_copy(part->back, at->tip.arm);
        return;
    }
    *part = (cable_part){0};
    cable_anchor(at->model, at->strand, true, 0, part->place, part->pose);
}

static void turn(const double q[4], const double a[3], double out[3])
{
    double once[3], twice[3], sum[3];
    vec_cross(once, q + 1, a);
    vec_cross(twice, q + 1, once);
    vec_copy(sum, a);
    vec_axpy(sum, 2 * q[0], once);
    vec_axpy(sum, 2, twice);
    vec_copy(out, sum);
}

static void pack_pose(const spot *at, double *out)
{
    cable_part part;
    find_part(at, at->slot, &part);
    memcpy(out, part.pose, sizeof part.pose);
}

static void pack_velocity(const spot *at, double *out)
{
    cable_part part;
    find_part(at, at->slot, &part);
    vec_copy(out, part.velocity);
}

static void pack_spin(const spot *at, double *out)
{
    cable_part part;
    find_part(at, at->slot, &part);
    vec_copy(out, part.spin);
}

// The point of the joint on the body before it.
static void point_before(const spot *at, double out[3])
{
    cable_part part;
    double lever[3], pose[4];
    if (at->slot == 0) {
        cable_anchor(at->model, at->strand, false, 0, out, pose);
        return;
    }
    find_part(at, at->slot - 1, &part);
    turn(part.pose, part.back, lever);
    vec_sub(out, part.place, lever);
}

static bool is_held(const spot *at)
{
    const cable_end root = cable_find_end(at->model, at->strand, false);
    return at->slot == 0 ? root.holds_point : at->slot < at->last || at->tip.holds_point;
}

static void pack_gap(const spot *at, double *out)
{
    cable_part part;
    double before[3], lever[3];
    if (!is_held(at))
        return;
    find_part(at, at->slot, &part);
    point_before(at, before);
    turn(part.pose, part.back, lever);
    vec_add(lever, lever, part.place);
    vec_sub(out, before, lever);
}

// Twist between two frames: twice the angle of the first axis' part of the turn between them.
static void pack_turn(const spot *at, double *out)
{
    cable_part before, after;
    if (at->slot == 0 || at->slot == at->last)
        return; // ends start without twist
    find_part(at, at->slot - 1, &before);
    find_part(at, at->slot, &after);
    const double *p = before.pose, *q = after.pose, w = p[0] * q[0] + vec_dot(p + 1, q + 1);
    const double x = p[0] * q[1] - q[0] * p[1] - (p[2] * q[3] - p[3] * q[2]);
    out[0] = 2 * atan2(w < 0 ? -x : x, fabs(w));
}

static void pack_anchor(const spot *at, double *out)
{
    double place[3];
    cable_anchor(at->model, at->strand, false, 0, place, out);
}

static void pack_body(const spot *at, double *out)
{
    cable_part part;
    find_part(at, at->slot, &part);
    out[BODY_MASS] = part.mass;
    vec_copy(out + BODY_INERTIA, part.inertia);
    vec_copy(out + BODY_BACK, part.back);
    out[BODY_DRAG] = part.drag;
}

static void pack_joint(const spot *at, double *out)
{
    const double h = at->options->step, b = at->model->cable_step.damping * h;
    double compliance[3];
    cable_compliance(at->model, at->strand, at->slot, compliance);
    for (int c = 0; c < 3; c++)
        out[c] = compliance[c] / (h * (h + b));
}

static void pack_hold(const spot *at, double *out)
{
    const cable_end root = cable_find_end(at->model, at->strand, false);
    out[HOLD_ROOT] = root.holds_point;
    out[HOLD_ROOT_TURN] = root.holds_turn;
    out[HOLD_TIP] = at->tip.holds_point;
    out[HOLD_TIP_TURN] = at->tip.holds_turn;
    memcpy(out + HOLD_REST, at->tip.rest, sizeof at->tip.rest);
}

// How each field is packed; NULL: it starts at 0.
typedef void pack_fn(const spot *at, double *out);
#define START_PACKED(name) pack_##name
#define START_ZERO(name) NULL
#define PACKER(name, rows, components, role, geometry, start, unit, meaning) [CABLE_##name] = START_##start(name),
static pack_fn *const packers[CABLE_FIELD_COUNT] = {CABLE_FIELDS(PACKER)};

void cable_pack(const bundle_set *set, const bundle_source *source, uint32_t field, uint64_t place, void *memory)
{
    const method_field *it = &set->rules->fields[field];
    const uint32_t strand = bundles_source_strand(set, source, place);
    const uint32_t slots = set->entries[place / set->options.width].vertex_count;
    const uint32_t rows = it->rows == FIELD_ROWS_BUNDLE ? 1 : slots;
    spot at = {.options = &set->options,
               .model = source->model,
               .strand = strand,
               .last = slots - 1,
               .tip = cable_find_end(source->model, strand, true)};
    for (at.slot = 0; at.slot < rows; at.slot++) {
        double values[COMPONENTS_MOST] = {0};
        packers[field](&at, values);
        for (uint32_t c = 0; c < it->components; c++)
            bundles_put(set, memory, bundles_row_index(set, field, source->first, place, at.slot, c), values[c]);
    }
}

// ---- goals

// log(to conj(from)): the turn from one pose to another.
static void turn_from_to(const double from[4], const double to[4], double out[3])
{
    double cross[3], v[3];
    const double w = from[0] * to[0] + vec_dot(from + 1, to + 1);
    vec_cross(cross, to + 1, from + 1);
    for (int c = 0; c < 3; c++)
        v[c] = from[0] * to[1 + c] - to[0] * from[1 + c] - cross[c];
    const double sign = w < 0 ? -1 : 1, sine = vec_length(v), half = atan2(sine, sign * w);
    vec_scale(out, v, sign * (sine > 1e-12 ? 2 * half / sine : 2));
}

static void end_goal(const sheaf_model *model, uint32_t strand, bool is_tip, double t0, double t1, double *out)
{
    double start[3], end[3], before[4], spin[3];
    cable_anchor(model, strand, is_tip, t0, start, before);
    cable_anchor(model, strand, is_tip, t1, end, out + GOAL_POSE);
    vec_sub(out + GOAL_VELOCITY, end, start);
    vec_scale(out + GOAL_VELOCITY, out + GOAL_VELOCITY, 1 / (t1 - t0));
    turn_from_to(before, out + GOAL_POSE, spin);
    vec_scale(out + GOAL_SPIN, spin, 1 / (t1 - t0));
}

void cable_goals(const bundle_set *set, uint32_t first, uint32_t end, double t0, double t1, void *memory)
{
    const uint32_t width = set->options.width;
    for (uint64_t place = (uint64_t)first * width; place < (uint64_t)end * width; place++) {
        const uint32_t strand = bundles_strand_at(set, place);
        const uint64_t b = place / width - first, lane = place % width;
        double values[GOAL_SIZE] = {0};
        end_goal(set->model, strand, false, t0, t1, values + GOAL_ROOT);
        end_goal(set->model, strand, true, t0, t1, values + GOAL_TIP);
        cable_tip_load(set->model, strand, t1, values + GOAL_FORCE, values + GOAL_TORQUE);
        for (uint32_t c = 0; c < GOAL_SIZE; c++)
            bundles_put(set, memory, (b * GOAL_SIZE + c) * width + lane, values[c]);
    }
}
