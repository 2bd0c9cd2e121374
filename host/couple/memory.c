// memory: what contact keeps from step to step, where contacts begin and end, and what is told of them.
#include "couple/contact_parts.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

static contact_memory key_of(const contact_pair *pair)
{
    return (contact_memory){
        .a = pair->side[0].strand, .i = pair->side[0].edge, .b = pair->side[1].strand, .j = pair->side[1].edge};
}

static int compare_keys(const contact_memory *first, const contact_memory *second)
{
    const uint32_t one[4] = {first->a, first->i, first->b, first->j};
    const uint32_t two[4] = {second->a, second->i, second->b, second->j};
    for (int k = 0; k < 4; k++)
        if (one[k] != two[k])
            return one[k] < two[k] ? -1 : 1;
    return 0;
}

static const contact_memory *find_key(const contact_memory *memory, uint32_t count, const contact_memory *key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare_keys(&memory[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare_keys(&memory[low], key) == 0 ? &memory[low] : NULL;
}

// The edge `by` on from another; of a closed strand the first comes after the last. Before the first edge of an open
// one: a number that no edge has.
static uint32_t next_edge(const contact_set *set, uint32_t strand, uint32_t edge, int by)
{
    const sheaf_model *model = set->model;
    const uint32_t count = contact_edges(model, strand);
    const bool is_ring = model->strands[strand].closed || model->strands[strand].is_loop;
    return is_ring ? (edge + count + (uint32_t)by) % count : edge + (uint32_t)by;
}

// Itself, or one of the eight around it: a contact that slides goes on to the next edge. Over the seam of a closed
// strand the edges of one strand change places, and with them the sides of the force.
static bool find_near(const contact_set *set, const contact_memory *memory, uint32_t count, const contact_memory *key,
                      contact_memory *out)
{
    const contact_memory *found = find_key(memory, count, key);
    bool swaps = false;
    for (int n = 0; n < 9 && found == NULL; n++) {
        const uint32_t i = next_edge(set, key->a, key->i, n / 3 - 1), j = next_edge(set, key->b, key->j, n % 3 - 1);
        swaps = key->a == key->b && i > j;
        const contact_memory other = {.a = key->a, .i = swaps ? j : i, .b = key->b, .j = swaps ? i : j};
        found = find_key(memory, count, &other);
    }
    if (found == NULL)
        return false;
    *out = *found;
    vec_scale(out->force, found->force, swaps ? -1 : 1);
    vec_scale(out->normal, found->normal, swaps ? -1 : 1);
    return true;
}

void contact_remember(const contact_set *set, contact_pair *pair)
{
    const contact_memory key = key_of(pair);
    contact_memory found;
    pair->pressed = find_key(set->memory, set->memory_count, &key) != NULL;
    if (!find_near(set, set->memory, set->memory_count, &key, &found))
        return;
    vec_scale(pair->force, found.force, pair->pressed ? 1 : 0.5);
    vec_copy(pair->force_normal, found.normal);
}

// ---- the end of a step

// Forces of pairs that were not solved for in this step are those of the step before.
static bool is_kept(const contact_set *set, const contact_pair *pair)
{
    const double reach = pair->side[0].radius + pair->side[1].radius;
    return set->is_solved && vec_dot(pair->force, pair->force_normal) > 1e-8 * pair->rho * reach;
}

static sheaf_status keep_pair(contact_set *set, const contact_pair *pair)
{
    if (set->next_count == set->next_room) {
        const uint32_t room = set->next_room == 0 ? 64 : 2 * set->next_room;
        contact_memory *grown = base_realloc(set->next, room, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        set->next = grown;
        set->next_room = room;
    }
    contact_memory *kept = &set->next[set->next_count++];
    *kept = key_of(pair);
    vec_copy(kept->force, pair->force);
    vec_copy(kept->normal, pair->force_normal);
    return SHEAF_OK;
}

// Strands of contacts that are in one list and not, nor near one, in the other.
static void mark_unknown(contact_set *set, const contact_memory *list, uint32_t count, const contact_memory *other,
                         uint32_t other_count)
{
    contact_memory near;
    for (uint32_t k = 0; k < count; k++)
        if (!find_near(set, other, other_count, &list[k], &near))
            set->is_fresh[list[k].a] = set->is_fresh[list[k].b] = true;
}

sheaf_status contact_mark_fresh(contact_set *set)
{
    set->next_count = 0;
    for (uint32_t k = 0; k < set->pair_count; k++)
        if (is_kept(set, &set->pairs[k]))
            SHEAF_TRY(keep_pair(set, &set->pairs[k]));
    mark_unknown(set, set->next, set->next_count, set->memory, set->memory_count);
    mark_unknown(set, set->memory, set->memory_count, set->next, set->next_count);
    return SHEAF_OK;
}

bool contact_is_fresh(const contact_set *set, uint32_t strand)
{
    return set->is_fresh[strand];
}

// Overlap that is left, and pairs that lie the other way round than at the start, between their ends.
static void measure_end(contact_set *set, const double (*finish)[3])
{
    contact_figures *figures = &set->figures;
    *figures = (contact_figures){.sweeps = set->step_sweeps};
    for (uint32_t k = 0; k < set->pair_count; k++) {
        const contact_pair *pair = &set->pairs[k];
        double gap, normal[3], place[2];
        contact_measure(finish, pair, &gap, normal, place);
        const double overlap = fmax(-gap, 0) / (pair->side[0].radius + pair->side[1].radius);
        const bool is_inside = place[0] > 0 && place[0] < 1 && place[1] > 0 && place[1] < 1 &&
                               pair->start_place[0] > 0 && pair->start_place[0] < 1 && pair->start_place[1] > 0 &&
                               pair->start_place[1] < 1;
        figures->worst_overlap = fmax(figures->worst_overlap, overlap);
        set->pass_through += is_inside && vec_dot(normal, pair->start_normal) < 0;
        if (!is_kept(set, pair))
            continue;
        figures->contacts++;
        figures->mean_overlap += overlap;
        figures->force = fmax(figures->force, vec_length(pair->force));
    }
    if (figures->contacts > 0)
        figures->mean_overlap /= figures->contacts;
    figures->pass_through = set->pass_through;
}

void contact_end(contact_set *set, const double (*finish)[3])
{
    contact_memory *const before = set->memory;
    const uint32_t room = set->memory_room;
    measure_end(set, finish);
    set->memory = set->next;
    set->memory_count = set->next_count;
    set->memory_room = set->next_room;
    set->next = before;
    set->next_count = 0;
    set->next_room = room;
}

contact_figures contact_report(const contact_set *set)
{
    return set->figures;
}

// Strands of one part touch each other, so that a mean is not joined with another.
uint32_t contact_name_figures(const contact_set *set, method_figure *figures)
{
    const contact_figures *its = &set->figures;
    uint32_t count = 0;
    figures[count++] = (method_figure){"contacts", METHOD_JOIN_SUM, false, its->contacts};
    figures[count++] = (method_figure){"sweeps", METHOD_JOIN_MAX, false, its->sweeps};
    figures[count++] = (method_figure){"worst_overlap", METHOD_JOIN_MAX, false, its->worst_overlap};
    figures[count++] = (method_figure){"mean_overlap", METHOD_JOIN_MAX, false, its->mean_overlap};
    figures[count++] = (method_figure){"pass_through", METHOD_JOIN_SUM, false, (double)its->pass_through};
    figures[count++] = (method_figure){"touch_force_N", METHOD_JOIN_MAX, false, its->force};
    return count;
}

// ---- rows

enum { HEAD_PASS_THROUGH, HEAD_CONTACTS, HEAD_SWEEPS, HEAD_WORST, HEAD_MEAN, HEAD_FORCE };

uint64_t contact_rows(const contact_set *set)
{
    return 1 + (uint64_t)set->memory_count;
}

void contact_read_rows(const contact_set *set, double (*rows)[CONTACT_ROW])
{
    memset(rows[0], 0, sizeof rows[0]);
    rows[0][HEAD_PASS_THROUGH] = (double)set->pass_through;
    rows[0][HEAD_CONTACTS] = set->figures.contacts;
    rows[0][HEAD_SWEEPS] = set->figures.sweeps;
    rows[0][HEAD_WORST] = set->figures.worst_overlap;
    rows[0][HEAD_MEAN] = set->figures.mean_overlap;
    rows[0][HEAD_FORCE] = set->figures.force;
    for (uint32_t k = 0; k < set->memory_count; k++) {
        const contact_memory *kept = &set->memory[k];
        const double key[4] = {kept->a, kept->i, kept->b, kept->j};
        memcpy(rows[k + 1], key, sizeof key);
        vec_copy(rows[k + 1] + 4, kept->force);
        vec_copy(rows[k + 1] + 7, kept->normal);
    }
}

static bool row_is_sound(const contact_set *set, const double *row)
{
    const sheaf_model *model = set->model;
    for (int k = 0; k < 4; k++) {
        const double most = k % 2 == 0 ? model->strand_count : SCENE_MAX_VERTICES;
        if (!(row[k] >= 0 && row[k] < most && row[k] == floor(row[k])))
            return false;
    }
    for (int k = 4; k < CONTACT_ROW; k++)
        if (!isfinite(row[k]))
            return false;
    return true;
}

static bool head_is_sound(const double *head)
{
    for (int k = 0; k < CONTACT_ROW; k++)
        if (!(head[k] >= 0 && head[k] < 1e15))
            return false;
    return head[HEAD_CONTACTS] <= UINT32_MAX && head[HEAD_SWEEPS] <= UINT32_MAX;
}

sheaf_status contact_write_rows(contact_set *set, uint64_t count, const double (*rows)[CONTACT_ROW])
{
    bool sound = count >= 1 && count - 1 <= UINT32_MAX && head_is_sound(rows[0]);
    for (uint64_t k = 1; sound && k < count; k++)
        sound = row_is_sound(set, rows[k]);
    if (!sound)
        return base_fail(SHEAF_ERR_INPUT, "the contacts hold numbers that no step leaves");
    contact_memory *memory = base_alloc(count, sizeof *memory);
    if (memory == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint64_t k = 1; k < count; k++) {
        const double *row = rows[k];
        memory[k - 1] = (contact_memory){(uint32_t)row[0], (uint32_t)row[1],         (uint32_t)row[2],
                                         (uint32_t)row[3], {row[4], row[5], row[6]}, {row[7], row[8], row[9]}};
    }
    base_free(set->memory);
    set->memory = memory;
    set->memory_count = (uint32_t)(count - 1);
    set->memory_room = (uint32_t)count;
    set->pass_through = (uint64_t)rows[0][HEAD_PASS_THROUGH];
    set->figures = (contact_figures){.contacts = (uint32_t)rows[0][HEAD_CONTACTS],
                                     .sweeps = (uint32_t)rows[0][HEAD_SWEEPS],
                                     .pass_through = set->pass_through,
                                     .worst_overlap = rows[0][HEAD_WORST],
                                     .mean_overlap = rows[0][HEAD_MEAN],
                                     .force = rows[0][HEAD_FORCE]};
    return SHEAF_OK;
}

// ---- the start of a scene

sheaf_status contact_check(const sheaf_model *model, contact_overlap *overlap)
{
    contact_set *set;
    *overlap = (contact_overlap){0};
    SHEAF_TRY(contact_open(model, model->def.step, &set));
    memcpy(set->start, model->position, (size_t)model->vertex_count * sizeof *set->start);
    const sheaf_status status = contact_find_pairs(set); // nothing reaches farther than it is
    for (uint32_t k = 0; status == SHEAF_OK && k < set->pair_count; k++) {
        const contact_pair *pair = &set->pairs[k];
        const double share = -pair->start_gap / (pair->side[0].radius + pair->side[1].radius);
        if (share <= 1e-6)
            continue;
        overlap->count++;
        if (share <= overlap->share)
            continue;
        overlap->share = share;
        for (int side = 0; side < 2; side++) {
            overlap->strands[side] = model->strands[pair->side[side].strand].number;
            overlap->edges[side] = pair->side[side].edge;
        }
    }
    contact_close(set);
    return status;
}
