// contact: what of the strands is known once, the geometry of an iterate, and groups of strands that touch.
#include "couple/contact_parts.h"

#include "base/vec.h"
#include "strand/strand.h"

#include <math.h>
#include <string.h>

// ---- opening

static void hold_end(contact_set *set, const sheaf_end_def *end, uint64_t outer, uint64_t inner)
{
    if (end->hold_tangent)
        set->moves_as[outer] = inner;
    if (!end->hold_position || end->slide)
        return;
    set->held[outer] = true;
    if (end->hold_tangent)
        set->held[inner] = true;
}

static void note_ends(contact_set *set)
{
    const sheaf_model *model = set->model;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const model_strand *strand = &model->strands[s];
        const uint64_t first = model->first_vertex[s], end = model->first_vertex[s + 1];
        for (uint64_t k = first; k < end; k++) {
            set->strand_of[k] = s;
            set->moves_as[k] = k;
            set->before[k] = k > first ? set->before[k - 1] + model->rest_length[k - 1] : 0;
        }
        if (strand->closed)
            continue;
        hold_end(set, strand->root, first, first + 1);
        hold_end(set, strand->tip, end - 1, end - 2);
    }
}

// Stiffness that a push at one place of an endless bar on its own inertia meets, 2 sqrt(2) B^(1/4) k^(3/4) with k the
// inertia per length; at least that of a vertex, at most that of the strand.
static void note_stiffness(contact_set *set)
{
    const sheaf_model *model = set->model;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        double length = 0, mass = 0, bend = 0, most = 0;
        const uint64_t first = model->first_vertex[s], end = model->first_vertex[s + 1];
        for (uint64_t k = first; k < end; k++) {
            length += model->rest_length[k];
            mass += model->mass[k];
            most = fmax(most, model->mass[k]);
            bend = fmax(bend, sqrt(model->bend[k][0] * model->bend[k][1]));
        }
        const double foundation = set->inertia * mass / length;
        const double bar = 2.83 * pow(bend, 0.25) * pow(foundation, 0.75);
        set->stiffness[s] = fmin(fmax(bar, set->inertia * most), set->inertia * mass);
    }
}

static sheaf_status allocate(contact_set *set)
{
    const size_t vertices = (size_t)set->model->vertex_count, strands = set->model->strand_count;
    set->strand_of = base_alloc(vertices, sizeof *set->strand_of);
    set->held = base_alloc(vertices, sizeof *set->held);
    set->moves_as = base_alloc(vertices, sizeof *set->moves_as);
    set->before = base_alloc(vertices, sizeof *set->before);
    set->start = base_alloc(vertices, sizeof *set->start);
    set->now = base_alloc(vertices, sizeof *set->now);
    set->reach = base_alloc(vertices, sizeof *set->reach);
    set->stiffness = base_alloc(strands, sizeof *set->stiffness);
    set->frozen = base_alloc(strands, sizeof *set->frozen);
    set->group = base_alloc(strands, sizeof *set->group);
    set->live_count = base_alloc(strands, sizeof *set->live_count);
    set->change = base_alloc(strands, sizeof *set->change);
    set->settled = base_alloc(strands, sizeof *set->settled);
    set->is_wild = base_alloc(strands, sizeof *set->is_wild);
    set->is_fresh = base_alloc(strands, sizeof *set->is_fresh);
    return set->strand_of && set->held && set->moves_as && set->before && set->start && set->now && set->reach &&
                   set->stiffness && set->frozen && set->group && set->live_count && set->change && set->settled &&
                   set->is_wild && set->is_fresh
               ? SHEAF_OK
               : SHEAF_ERR_MEMORY;
}

sheaf_status contact_open(const sheaf_model *model, double step, contact_set **out)
{
    *out = NULL;
    contact_set *set = base_alloc(1, sizeof *set);
    if (set == NULL)
        return SHEAF_ERR_MEMORY;
    set->model = model;
    set->step = step;
    set->inertia = (model->def.integrator == SHEAF_INTEGRATOR_BDF2 ? 2.25 : 1) / (step * step);
    const sheaf_status status = allocate(set);
    if (status != SHEAF_OK) {
        contact_close(set);
        return status;
    }
    note_ends(set);
    note_stiffness(set);
    *out = set;
    return SHEAF_OK;
}

void contact_close(contact_set *set)
{
    if (set == NULL)
        return;
    void *const all[] = {set->strand_of, set->held,      set->moves_as, set->start,    set->now,
                         set->reach,     set->stiffness, set->frozen,   set->group,    set->live_count,
                         set->change,    set->settled,   set->before,   set->is_fresh, set->boxes,
                         set->pairs,     set->memory,    set->next,     set->is_wild};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        base_free(all[k]);
    cells_free(&set->near);
    base_free(set);
}

// ---- the start of a step

// How far an edge may go: as far as the guess takes it, and a radius more for what contact does; never farther than it
// is long, or a list of all pairs would be made where something flies off.
static void note_reach(contact_set *set, const double (*moved)[3])
{
    const sheaf_model *model = set->model;
    for (uint64_t k = 0; k < model->vertex_count; k++) {
        const uint32_t s = set->strand_of[k];
        const uint64_t next = k + 1 < model->first_vertex[s + 1] ? k + 1 : model->first_vertex[s];
        const double far = fmax(vec_length(moved[k]), vec_length(moved[next]));
        const double length = model->rest_length[k];
        set->reach[k] = (far < length ? far : length) + model_touch_radius(model, s, k);
    }
}

sheaf_status contact_begin(contact_set *set, const double (*start)[3], const double (*moved)[3], const bool *frozen)
{
    memcpy(set->start, start, (size_t)set->model->vertex_count * sizeof *start);
    memcpy(set->frozen, frozen, set->model->strand_count * sizeof *frozen);
    memset(set->is_fresh, 0, set->model->strand_count * sizeof *set->is_fresh);
    note_reach(set, moved);
    set->step_sweeps = 0;
    set->is_solved = false;
    return contact_find_pairs(set);
}

// ---- groups

static uint32_t find_group(const contact_set *set, uint32_t strand)
{
    while (set->group[strand] != strand)
        strand = set->group[strand];
    return strand;
}

// The first strand names the group.
static void join_strands(contact_set *set, uint32_t a, uint32_t b)
{
    const uint32_t first = find_group(set, a), second = find_group(set, b);
    if (first < second)
        set->group[second] = first;
    else
        set->group[first] = second;
}

static void find_groups(contact_set *set)
{
    for (uint32_t s = 0; s < set->model->strand_count; s++) {
        set->group[s] = s;
        set->live_count[s] = 0;
    }
    for (uint32_t k = 0; k < set->pair_count; k++) {
        const contact_pair *pair = &set->pairs[k];
        if (!pair->live)
            continue;
        set->live_count[pair->side[0].strand]++;
        set->live_count[pair->side[1].strand]++;
        if (pair->side[0].moves && pair->side[1].moves) // what does not move hands nothing on
            join_strands(set, pair->side[0].strand, pair->side[1].strand);
    }
    for (uint32_t s = 0; s < set->model->strand_count; s++)
        set->group[s] = find_group(set, s); // towards smaller numbers, which are done
}

uint32_t contact_group(const contact_set *set, uint32_t strand)
{
    return set->live_count[strand] > 0 && !set->frozen[strand] ? set->group[strand] : CONTACT_ALONE;
}

// ---- the geometry of an iterate

void contact_point(const contact_side *side, double place, const double (*moved)[3], double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (1 - place) * moved[side->vertex[0]][c] + place * moved[side->vertex[1]][c];
}

static void relative_move(const contact_pair *pair, const double place[2], const double (*moved)[3], double out[3])
{
    double first[3], second[3];
    contact_point(&pair->side[0], place[0], moved, first);
    contact_point(&pair->side[1], place[1], moved, second);
    vec_sub(out, first, second);
}

// A pair that may have gone through each other keeps the geometry of the start of the step, whose own pose fulfils all
// such pairs at once: neighbours then do not contradict each other.
static void look_at_pair(contact_set *set, contact_pair *pair, const double (*moved)[3])
{
    double move[3];
    contact_measure((const double(*)[3])set->now, pair, &pair->gap, pair->normal, pair->place);
    relative_move(pair, pair->place, moved, move);
    if (vec_dot(pair->normal, pair->start_normal) < 0.5 && pair->start_gap < 1.2 * vec_length(move)) {
        vec_copy(pair->normal, pair->start_normal);
        memcpy(pair->place, pair->start_place, sizeof pair->place);
        relative_move(pair, pair->place, moved, move);
        pair->gap = pair->start_gap + vec_dot(pair->normal, move);
    }
    const double reach = pair->side[0].radius + pair->side[1].radius;
    pair->live = pair->pressed || pair->gap < reach / 2;
    vec_copy(pair->slide, move);
    vec_axpy(pair->slide, -vec_dot(pair->normal, move), pair->normal);
    // what overlaps deeply parts at a speed, not at once
    pair->gap -= fmin(0, pair->start_gap + set->model->touch.separate * set->step);
}

uint32_t contact_look(contact_set *set, const double (*moved)[3])
{
    uint32_t live = 0;
    for (uint64_t k = 0; k < set->model->vertex_count; k++)
        if (set->frozen[set->strand_of[k]])
            vec_copy(set->now[k], set->start[k]);
        else
            vec_add(set->now[k], set->start[k], moved[k]);
    for (uint32_t k = 0; k < set->pair_count; k++) {
        look_at_pair(set, &set->pairs[k], moved);
        live += set->pairs[k].live;
    }
    find_groups(set);
    return live;
}
