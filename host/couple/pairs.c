// pairs: edges that may meet in a step: by cells, then by their distance.
#include "couple/contact_parts.h"

#include "base/vec.h"
#include "couple/segments.h"
#include "strand/strand.h"
#include "strand/unroll.h"

#include <math.h>
#include <string.h>

enum { PAIRS_MOST = 10000000 };

uint32_t contact_edges(const sheaf_model *model, uint32_t strand)
{
    const model_strand *it = &model->strands[strand];
    const uint32_t count = model_vertex_count(model, strand);
    return it->is_loop ? count - UNROLL_EXTRA : count - !it->closed; // the copy of a loop's first edge is no other edge
}

static contact_side make_side(const contact_set *set, uint32_t owner)
{
    const sheaf_model *model = set->model;
    const uint32_t strand = set->strand_of[owner];
    const uint64_t first = model->first_vertex[strand];
    contact_side side = {.strand = strand, .edge = (uint32_t)(owner - first), .vertex = {owner, owner + 1}};
    if (side.vertex[1] == model->first_vertex[strand + 1])
        side.vertex[1] = first;
    side.radius = model_touch_radius(model, strand, owner);
    side.moves = !set->frozen[strand] && !(set->held[side.vertex[0]] && set->held[side.vertex[1]]);
    return side;
}

static bool is_ring(const sheaf_model *model, uint32_t strand)
{
    return model->strands[strand].closed || model->strands[strand].is_loop;
}

// Length along a strand between two of its edges, i < j, the shorter way round.
static double arc_between(const contact_set *set, uint32_t strand, uint32_t i, uint32_t j)
{
    const uint64_t first = set->model->first_vertex[strand], last = first + contact_edges(set->model, strand) - 1;
    const double *before = set->before, *length = set->model->rest_length;
    const double between = before[first + j] - before[first + i] - length[first + i];
    const double around = before[first + i] + before[last] + length[last] - before[first + j] - length[first + j];
    return is_ring(set->model, strand) ? fmin(between, around) : between;
}

// A tube cannot touch itself nearer than half a turn of it is long.
static bool is_too_near_along(const contact_set *set, const contact_side *a, const contact_side *b)
{
    const sheaf_model *model = set->model;
    if (a->strand != b->strand)
        return false;
    const uint32_t apart = b->edge - a->edge, count = contact_edges(model, a->strand);
    const bool closed = is_ring(model, a->strand);
    const double length = model->rest_length[a->vertex[0]], radius = fmax(a->radius, b->radius);
    return apart < 3 || (closed && count - apart < 3) ||
           arc_between(set, a->strand, a->edge, b->edge) < 3.14159265358979 * radius + length;
}

static bool is_wanted(uint32_t first, uint32_t second, const void *user)
{
    const contact_set *set = user;
    const contact_side a = make_side(set, first), b = make_side(set, second);
    return (a.moves || b.moves) && model_touch_friction(set->model, a.strand, b.strand) >= 0 &&
           !is_too_near_along(set, &a, &b);
}

// ---- boxes

static sheaf_status add_box(contact_set *set, const double from[3], const double to[3], double margin, uint32_t owner)
{
    if (set->box_count == set->box_room) {
        const uint32_t room = set->box_room == 0 ? 1024 : 2 * set->box_room;
        cells_box *grown = base_realloc(set->boxes, room, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        set->boxes = grown;
        set->box_room = room;
    }
    cells_box *box = &set->boxes[set->box_count++];
    for (int c = 0; c < 3; c++) {
        box->least[c] = fmin(from[c], to[c]) - margin;
        box->most[c] = fmax(from[c], to[c]) + margin;
    }
    box->owner = owner;
    return SHEAF_OK;
}

// Edges are cut into pieces no longer than this: boxes of long ones would be mostly empty.
static double piece_length(const contact_set *set)
{
    double sum = 0, margin = 0;
    uint64_t count = 0;
    for (uint32_t s = 0; s < set->model->strand_count; s++)
        for (uint32_t j = 0; j < contact_edges(set->model, s); j++, count++) {
            const uint64_t edge = set->model->first_vertex[s] + j;
            sum += set->model->rest_length[edge];
            margin = fmax(margin, set->reach[edge] + model_touch_radius(set->model, s, edge));
        }
    return fmax(2 * margin, sum / (double)(count > 0 ? count : 1));
}

static sheaf_status add_edge(contact_set *set, uint32_t owner, double piece)
{
    const contact_side side = make_side(set, owner);
    const double *from = set->start[side.vertex[0]], *to = set->start[side.vertex[1]];
    const uint32_t pieces = (uint32_t)fmin(ceil(set->model->rest_length[owner] / piece), 1000);
    for (uint32_t k = 0; k < pieces; k++) {
        double a[3], b[3];
        for (int c = 0; c < 3; c++) {
            a[c] = from[c] + (to[c] - from[c]) * (double)k / pieces;
            b[c] = from[c] + (to[c] - from[c]) * (double)(k + 1) / pieces;
        }
        SHEAF_TRY(add_box(set, a, b, side.radius + set->reach[owner], owner));
    }
    return SHEAF_OK;
}

// ---- pairs

void contact_measure(const double (*where)[3], const contact_pair *pair, double *gap, double normal[3], double place[2])
{
    const contact_side *a = &pair->side[0], *b = &pair->side[1];
    const segments_near near =
        segments_find(where[a->vertex[0]], where[a->vertex[1]], where[b->vertex[0]], where[b->vertex[1]]);
    *gap = near.distance - (a->radius + b->radius);
    vec_copy(normal, near.normal);
    place[0] = near.s;
    place[1] = near.t;
}

static sheaf_status add_pair(contact_set *set, uint32_t first, uint32_t second)
{
    contact_pair pair = {.side = {make_side(set, first), make_side(set, second)}};
    contact_measure((const double(*)[3])set->start, &pair, &pair.start_gap, pair.start_normal, pair.start_place);
    if (!(pair.start_gap <= set->reach[first] + set->reach[second]))
        return SHEAF_OK; // boxes are wider than what lies in them
    pair.friction = model_touch_friction(set->model, pair.side[0].strand, pair.side[1].strand);
    contact_remember(set, &pair);
    if (set->pair_count == set->pair_room) {
        const uint32_t room = set->pair_room == 0 ? 256 : 2 * set->pair_room;
        contact_pair *grown = base_realloc(set->pairs, room, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        set->pairs = grown;
        set->pair_room = room;
    }
    set->pairs[set->pair_count++] = pair;
    return SHEAF_OK;
}

// Owners of boxes are edges by their first vertex, so that pairs come sorted by strand and edge.
sheaf_status contact_find_pairs(contact_set *set)
{
    const sheaf_model *model = set->model;
    const double piece = piece_length(set);
    set->box_count = set->pair_count = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint32_t j = 0; j < contact_edges(model, s); j++)
            SHEAF_TRY(add_edge(set, (uint32_t)(model->first_vertex[s] + j), piece));
    const sheaf_status status = cells_find(set->boxes, set->box_count, is_wanted, set, PAIRS_MOST, &set->near);
    if (status == SHEAF_ERR_LIMIT)
        return base_fail(
            SHEAF_ERR_LIMIT,
            "more than %d pairs of edges are near each other: take a smaller `touch_radius` or time step, or "
            "fewer strands",
            PAIRS_MOST);
    SHEAF_TRY(status);
    for (uint64_t k = 0; k < set->near.count; k++)
        SHEAF_TRY(add_pair(set, set->near.pair[k].first, set->near.pair[k].second));
    return SHEAF_OK;
}
