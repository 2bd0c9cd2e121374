// cells: sorting boxes into a grid, and holding neighbours against each other.
#include "couple/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_BITS = 21 }; // of a cell's number along one axis

typedef struct cell_entry {
    uint64_t cell;
    uint32_t owner, box;
} cell_entry;

typedef struct grid {
    double least[3], size; // m
    uint64_t most;         // largest number along an axis
} grid;

static int compare_entries(const void *a, const void *b)
{
    const cell_entry *first = a, *second = b;
    if (first->cell != second->cell)
        return first->cell < second->cell ? -1 : 1;
    if (first->owner != second->owner)
        return first->owner < second->owner ? -1 : 1;
    return first->box < second->box ? -1 : first->box > second->box;
}

static int compare_pairs(const void *a, const void *b)
{
    const cells_pair *first = a, *second = b;
    if (first->first != second->first)
        return first->first < second->first ? -1 : 1;
    return first->second < second->second ? -1 : first->second > second->second;
}

// Cells as large as the largest box, so that those that overlap lie in neighbouring cells; larger ones where boxes lie
// farther apart than an axis has numbers.
static grid make_grid(const cells_box *boxes, uint32_t count)
{
    grid g = {.least = {INFINITY, INFINITY, INFINITY}, .most = (1u << AXIS_BITS) - 2};
    double most = -INFINITY;
    for (uint32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            g.least[c] = fmin(g.least[c], boxes[k].least[c]);
            g.size = fmax(g.size, boxes[k].most[c] - boxes[k].least[c]);
        }
    for (uint32_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            most = fmax(most, boxes[k].most[c] - g.least[c]);
    g.size = fmax(g.size * 1.000001, most / (double)(g.most - 1));
    return g;
}

// Numbers begin at 1, so that every cell has neighbours.
static uint64_t axis_number(const grid *g, const cells_box *box, int c)
{
    const double middle = (box->least[c] + box->most[c]) / 2 - g->least[c];
    const double number = g->size > 0 ? floor(middle / g->size) : 0;
    return 1 + (uint64_t)fmin(fmax(number, 0), (double)(g->most - 1));
}

static uint64_t cell_of(const grid *g, const cells_box *box)
{
    return axis_number(g, box, 0) << (2 * AXIS_BITS) | axis_number(g, box, 1) << AXIS_BITS | axis_number(g, box, 2);
}

static bool overlap(const cells_box *a, const cells_box *b)
{
    for (int c = 0; c < 3; c++)
        if (a->least[c] > b->most[c] || b->least[c] > a->most[c])
            return false;
    return true;
}

// The first entry whose cell is not before this one.
static uint32_t find_cell(const cell_entry *entries, uint32_t count, uint64_t cell)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (entries[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct cell_search {
    const cells_box *boxes;
    const cell_entry *entries;
    uint32_t count;
    cells_wanted *wanted;
    const void *user;
    uint64_t most;
    cells_pairs *pairs;
} cell_search;

static void drop_repeats(cells_pairs *pairs)
{
    uint64_t kept = 0;
    if (pairs->count > 1)
        qsort(pairs->pair, pairs->count, sizeof *pairs->pair, compare_pairs);
    for (uint64_t k = 0; k < pairs->count; k++)
        if (kept == 0 || compare_pairs(&pairs->pair[kept - 1], &pairs->pair[k]) != 0)
            pairs->pair[kept++] = pairs->pair[k];
    pairs->count = kept;
}

static sheaf_status add_pair(cell_search *s, uint32_t a, uint32_t b)
{
    cells_pairs *pairs = s->pairs;
    if (pairs->count == pairs->room) {
        drop_repeats(pairs); // pieces of two edges meet more than once
        if (pairs->count > s->most)
            return base_fail(SHEAF_ERR_LIMIT, "more than %llu pairs are near each other", (unsigned long long)s->most);
        const uint64_t room = pairs->count < 512 ? 1024 : 2 * pairs->count;
        cells_pair *grown = base_realloc(pairs->pair, room, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        pairs->pair = grown;
        pairs->room = room;
    }
    pairs->pair[pairs->count++] = (cells_pair){a < b ? a : b, a < b ? b : a};
    return SHEAF_OK;
}

// Holds entry k against the entries from .. of one cell.
static sheaf_status meet_cell(cell_search *s, uint32_t k, uint32_t from, uint64_t cell)
{
    const cell_entry *mine = &s->entries[k];
    for (uint32_t other = from; other < s->count && s->entries[other].cell == cell; other++) {
        const uint32_t a = mine->owner, b = s->entries[other].owner;
        if (a == b || !overlap(&s->boxes[mine->box], &s->boxes[s->entries[other].box]))
            continue;
        if (s->wanted(a < b ? a : b, a < b ? b : a, s->user))
            SHEAF_TRY(add_pair(s, a, b));
    }
    return SHEAF_OK;
}

// The rest of its own cell, and 13 of the 26 around it: those that come after it.
static sheaf_status meet_neighbours(cell_search *s, uint32_t k)
{
    const uint64_t cell = s->entries[k].cell;
    SHEAF_TRY(meet_cell(s, k, k + 1, cell));
    for (int n = 14; n < 27; n++) {
        const int64_t step =
            ((int64_t)(n / 9 - 1) << (2 * AXIS_BITS)) + ((int64_t)(n / 3 % 3 - 1) * (1 << AXIS_BITS)) + (n % 3 - 1);
        const uint64_t other = cell + (uint64_t)step;
        SHEAF_TRY(meet_cell(s, k, find_cell(s->entries, s->count, other), other));
    }
    return SHEAF_OK;
}

sheaf_status cells_find(const cells_box *boxes, uint32_t count, cells_wanted *wanted, const void *user, uint64_t most,
                        cells_pairs *pairs)
{
    pairs->count = 0;
    cell_entry *entries = base_alloc(count, sizeof *entries);
    if (entries == NULL)
        return SHEAF_ERR_MEMORY;
    const grid g = make_grid(boxes, count);
    for (uint32_t k = 0; k < count; k++)
        entries[k] = (cell_entry){cell_of(&g, &boxes[k]), boxes[k].owner, k};
    if (count > 1)
        qsort(entries, count, sizeof *entries, compare_entries);
    cell_search search = {boxes, entries, count, wanted, user, most, pairs};
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        status = meet_neighbours(&search, k);
    drop_repeats(pairs);
    base_free(entries);
    return status;
}

void cells_free(cells_pairs *pairs)
{
    base_free(pairs->pair);
    *pairs = (cells_pairs){0};
}
