// sort: which strands of Discrete Elastic Rods share a bundle, and what kind of bundle it is.
#include "der/device/device.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "der/schedule.h"
#include "kernels/der/slots.clh"
#include "world/world.h"

// ---- which strands fit the clamped-root kernels

static bool course_is_zero(const sheaf_course *course)
{
    return course->kind != SHEAF_COURSE_KEYS && course->value == 0;
}

static bool courses_are_zero(const sheaf_course courses[3])
{
    return course_is_zero(&courses[0]) && course_is_zero(&courses[1]) && course_is_zero(&courses[2]);
}

static bool end_is_loaded(const sheaf_end_def *end)
{
    return !courses_are_zero(end->force) || !courses_are_zero(end->couple);
}

bool der_is_clamped(const sheaf_model *model, uint32_t strand)
{
    const sheaf_end_def *root = model->strands[strand].root, *tip = model->strands[strand].tip;
    const bool clamped = root->hold_position && root->hold_tangent && root->hold_angle && !root->slide;
    const bool steady = courses_are_zero(root->move) && course_is_zero(&root->turn) && course_is_zero(&root->twist);
    const bool free = !tip->hold_position && !tip->hold_tangent && !tip->hold_angle;
    return clamped && steady && free && !model_strand_is_joined(model, strand) && model->strands[strand].skin == NULL &&
           !end_is_loaded(root) && !end_is_loaded(tip) && model->strands[strand].hold_count == 0 &&
           model_vertex_count(model, strand) >= 5;
}

void der_origin(const sheaf_model *model, uint32_t strand, double time, double out[3])
{
    model_jump jump;
    vec_copy(out, model->strands[strand].origin);
    if (!der_is_clamped(model, strand) && model_strand_jump(model, strand, 0, time, &jump))
        model_jump_point(&jump, out, out);
}

// Held, but not at a place of its own.
static bool end_glides(const sheaf_end_def *end)
{
    return (end->hold_position && end->slide) || (end->hold_tangent && !end->hold_position);
}

static const char *why_strand_does_not_fit(const sheaf_model *model, uint32_t s)
{
    const model_strand *strand = &model->strands[s];
    if (strand->closed) // not laid out as a loop
        return "it is closed";
    if (strand->is_loop && (!strand->isotropic_straight || strand->hold_count > 0))
        return "it is closed, and not isotropic and naturally straight with free frames";
    if (model_strand_is_joined(model, s) && (end_glides(strand->root) || end_glides(strand->tip)))
        return "it is fixed to a body, and an end of it slides or is held by its direction alone";
    uint32_t courses = 0;
    for (uint32_t k = 0; k < strand->hold_count; k++) {
        courses += !course_is_zero(&strand->holds[k].twist);
        if (scene_course(&strand->holds[k].twist, 0) != 0)
            return "the twist course of an inner frame does not start from 0";
    }
    return courses > GOAL_INNER_MOST ? "more than four of its inner frames follow twist courses" : NULL;
}

uint32_t der_inner_course(const model_strand *strand, uint32_t edge)
{
    uint32_t course = 0;
    for (uint32_t k = 0; k < strand->hold_count; k++) {
        const bool follows = !course_is_zero(&strand->holds[k].twist);
        course += follows;
        if (strand->holds[k].edge == edge)
            return follows ? course : 0;
    }
    return 0;
}

bool der_fits_device(const sheaf_model *model, char *reason, size_t size)
{
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const char *why = why_strand_does_not_fit(model, s);
        if (why != NULL) {
            snprintf(reason, size, "strand %u: %s", model->strands[s].number, why);
            return false;
        }
    }
    return true;
}

// ---- sorting

typedef struct strand_key {
    uint32_t strand, is_general, is_damped, group, law, newton_least, vertex_count, place;
} strand_key;

// Where the strands begin.
typedef struct root_box {
    double low[3], size; // m; size 0: places do not matter
} root_box;

static root_box find_roots(const sheaf_model *model)
{
    root_box box = {.low = {INFINITY, INFINITY, INFINITY}};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t s = 0; s < model->strand_count && model->collider_count > 0; s++)
        for (int c = 0; c < 3; c++) {
            box.low[c] = fmin(box.low[c], model->strands[s].origin[c]);
            high[c] = fmax(high[c], model->strands[s].origin[c]);
        }
    for (int c = 0; c < 3 && model->collider_count > 0; c++)
        box.size = fmax(box.size, high[c] - box.low[c]);
    return box;
}

// A number that is near for places that are near: the bits of three whole numbers in turns (Morton's order). Strands
// that touch something together share a bundle, so that fewer bundles do the work of contact.
static uint32_t place_key(const root_box *box, const double origin[3])
{
    enum { BITS = 10 };
    uint32_t key = 0;
    for (int c = 0; c < 3 && box->size > 0; c++) {
        const uint32_t cell = (uint32_t)((origin[c] - box->low[c]) / box->size * ((1 << BITS) - 1));
        for (uint32_t bit = 0; bit < BITS; bit++)
            key |= (cell >> bit & 1) << (3 * bit + (uint32_t)c);
    }
    return key;
}

static strand_key make_key(const sheaf_model *model, uint32_t strand, const root_box *box)
{
    strand_key key;
    key.strand = strand;
    key.is_general = !der_is_clamped(model, strand);
    key.is_damped = model->strands[strand].damping > 0;
    key.group = key.is_general ? 0 : (uint32_t)(model->strands[strand].root->motion + 1);
    key.newton_least = model_newton_least(model, strand);
    key.law = der_law_number(model, strand);
    if (key.law > 0) // twice the overhang is 0, 1 or 2
        key.law = key.law << 8 | (uint32_t)lrint(2 * model->strands[strand].overhang) << 16;
    key.vertex_count = model_vertex_count(model, strand);
    key.place = place_key(box, model->strands[strand].origin);
    return key;
}

static bool keys_share_a_bundle(const strand_key *a, const strand_key *b)
{
    const bool even_enough = !a->is_general || a->vertex_count == b->vertex_count;
    const bool alike = a->is_general == b->is_general && a->is_damped == b->is_damped;
    return alike && a->group == b->group && a->law == b->law && a->newton_least == b->newton_least && even_enough;
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const void *left, const void *right)
{
    const strand_key *a = left, *b = right;
    int order = compare_numbers(a->is_general, b->is_general);
    order = order ? order : compare_numbers(a->is_damped, b->is_damped);
    order = order ? order : compare_numbers(a->group, b->group);
    order = order ? order : compare_numbers(a->law, b->law);
    order = order ? order : compare_numbers(a->newton_least, b->newton_least);
    order = order ? order : compare_numbers(a->vertex_count, b->vertex_count);
    order = order ? order : compare_numbers(a->place, b->place);
    return order ? order : compare_numbers(a->strand, b->strand);
}

// Lanes a bundle that starts at keys[from] holds.
static uint32_t lanes_from(const strand_key *keys, uint32_t from, uint32_t strand_count, uint32_t width)
{
    uint32_t lanes = 1;
    while (lanes < width && from + lanes < strand_count && keys_share_a_bundle(&keys[from], &keys[from + lanes]))
        lanes++;
    return lanes;
}

static der_kind kind_of(const strand_key *keys, uint32_t lanes)
{
    if (keys[0].is_general)
        return keys[0].is_damped ? DER_GENERAL_DAMPED : DER_GENERAL;
    const bool is_even = keys[0].vertex_count == keys[lanes - 1].vertex_count;
    if (keys[0].is_damped)
        return is_even ? DER_EVEN_DAMPED : DER_PADDED_DAMPED;
    return is_even ? DER_EVEN : DER_PADDED;
}

// A bundle of the strands of `lanes` keys.
static void place_bundle(bundle_set *set, const strand_key *keys, uint32_t lanes)
{
    const bundle_entry entry = {.vertex_count = keys[lanes - 1].vertex_count, // the longest: keys are sorted by length
                                .group = keys[0].group,
                                .detail = keys[0].newton_least | keys[0].law};
    bundles_place(set, entry, &keys[0].strand, sizeof *keys, lanes);
}

// Cuts the sorted strands into bundles, one kind after the other.
static void cut_bundles(bundle_set *set, const strand_key *keys)
{
    const uint32_t strand_count = set->model->strand_count;
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++) {
        set->kind_first[kind] = set->count;
        for (uint32_t from = 0, lanes; from < strand_count; from += lanes) {
            lanes = lanes_from(keys, from, strand_count, set->options.width);
            if (kind_of(keys + from, lanes) == kind)
                place_bundle(set, keys + from, lanes);
        }
    }
    bundles_finish(set);
}

static uint32_t count_bundles(const strand_key *keys, uint32_t strand_count, uint32_t width)
{
    uint32_t count = 0;
    for (uint32_t from = 0; from < strand_count; from += lanes_from(keys, from, strand_count, width))
        count++;
    return count;
}

static sheaf_status make_bundles(bundle_set *set, const strand_key *keys)
{
    SHEAF_TRY(bundles_allocate(set, count_bundles(keys, set->model->strand_count, set->options.width)));
    cut_bundles(set, keys);
    const size_t general = (size_t)(set->count - set->kind_first[DER_GENERAL]) * set->options.width;
    set->own = base_alloc(general, sizeof(der_ends));
    return set->own != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

sheaf_status der_sort(bundle_set *set)
{
    const sheaf_model *model = set->model;
    strand_key *keys = base_alloc(model->strand_count, sizeof *keys);
    if (keys == NULL)
        return SHEAF_ERR_MEMORY;
    const root_box box = find_roots(model);
    for (uint32_t s = 0; s < model->strand_count; s++)
        keys[s] = make_key(model, s, &box);
    qsort(keys, model->strand_count, sizeof *keys, compare_keys);
    const sheaf_status status = make_bundles(set, keys);
    base_free(keys);
    return status;
}
