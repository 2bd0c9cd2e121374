// roots: blue noise by throwing darts: a candidate is kept if no root kept before is nearer than a distance, which
// shrinks from round to round until there are enough. Distances go with the density wanted; roots on opposite sides of
// something thin do not mind each other.
#include "grow/roots.h"

#include "base/vec.h"

#include <string.h>

static const double first_distance = 0.8; // of the distance in the densest packing that the number allows
static const double shrinking = 0.97;     // of the distance, per round
static const double widest_reach = 4;     // times the distance at full density
static const double least_share = 1e-3;   // of a surface; to find less by candidates would take too long

#define NO_ROOT UINT32_MAX

typedef roots_near grid;

static void grid_free(grid *g)
{
    base_free(g->heads);
    base_free(g->next);
    base_free(g->spots);
    *g = (grid){0};
}

static sheaf_status grid_create(grid *g, double cell, uint32_t count)
{
    *g = (grid){.cell = cell, .mask = 63};
    while (g->mask < 2 * (uint64_t)count && g->mask < UINT32_MAX / 4)
        g->mask = 2 * g->mask + 1;
    g->heads = base_alloc((size_t)g->mask + 1, sizeof *g->heads);
    g->next = base_alloc(count, sizeof *g->next);
    g->spots = base_alloc(count, sizeof *g->spots);
    if (g->heads == NULL || g->next == NULL || g->spots == NULL) {
        grid_free(g);
        return SHEAF_ERR_MEMORY;
    }
    memset(g->heads, 0xff, ((size_t)g->mask + 1) * sizeof *g->heads);
    return SHEAF_OK;
}

// Cells beside each other along x are beside each other in memory.
static uint32_t grid_slot(const grid *g, const int64_t cell[3])
{
    uint64_t mixed = (uint64_t)cell[1] * 0x9e3779b97f4a7c15u ^ (uint64_t)cell[2] * 0xc2b2ae3d27d4eb4fu;
    mixed ^= mixed >> 29;
    return (uint32_t)(mixed + (uint64_t)cell[0]) & g->mask;
}

static void grid_add(grid *g, uint32_t root, const grow_spot *spot)
{
    int64_t cell[3];
    for (int c = 0; c < 3; c++)
        cell[c] = (int64_t)floor(spot->point[c] / g->cell);
    const uint32_t slot = grid_slot(g, cell);
    g->spots[root] = *spot;
    g->next[root] = g->heads[slot];
    g->heads[slot] = root;
}

// The nearest root on the same side of the surface that is nearer than `reach`, or any such one; NO_ROOT: none.
static uint32_t grid_find(const grid *g, const grow_spot *spot, double reach, bool any)
{
    int64_t low[3], high[3], cell[3];
    uint32_t nearest = NO_ROOT;
    double least = reach * reach;
    for (int c = 0; c < 3; c++) {
        low[c] = (int64_t)floor((spot->point[c] - reach) / g->cell);
        high[c] = (int64_t)floor((spot->point[c] + reach) / g->cell);
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                for (uint32_t k = g->heads[grid_slot(g, cell)]; k != NO_ROOT; k = g->next[k]) {
                    double gap[3];
                    vec_sub(gap, g->spots[k].point, spot->point);
                    const double square = vec_dot(gap, gap);
                    if (square >= least || vec_dot(g->spots[k].normal, spot->normal) < 0)
                        continue;
                    if (any)
                        return k;
                    least = square;
                    nearest = k;
                }
    return nearest;
}

// Distance of `count` points in the densest packing of an area.
static double packed_distance(double area, uint32_t count)
{
    return sqrt(2 / sqrt(3) * area / count);
}

sheaf_status roots_measure(const grow_def *def, double *area)
{
    enum { TRIALS = 1 << 16 };
    const grow_surface *s = &def->surface;
    double sum = TRIALS;
    if (!surface_is_even(def)) {
        sum = 0;
        for (uint32_t k = 0; k < TRIALS; k++) {
            grow_root root;
            double density;
            surface_draw(s, def->seed, GROW_STREAM_AREA, k, &root);
            const grow_spot spot = surface_spot(s, &root);
            sum += surface_weight(def, &root, &spot, &density);
        }
    }
    *area = surface_measure(s) * sum / TRIALS;
    if (sum < least_share * TRIALS)
        return base_fail(SHEAF_ERR_INPUT,
                         "strands may grow on %.2g %% of the surface only\nwiden where, or the density",
                         100 * sum / TRIALS);
    return SHEAF_OK;
}

typedef struct darts {
    const grow_def *def;
    uint32_t stream;
    uint64_t thrown; // so far
    double distance; // m, at full density
    grid grid;
    uint32_t kept;
    grow_root *roots;
} darts;

// Keeps a candidate unless chance or a root near it is against it.
static void throw_dart(darts *d)
{
    const grow_def *def = d->def;
    double density;
    grow_root root;
    const double chance = surface_draw(&def->surface, def->seed, d->stream, d->thrown++, &root);
    const grow_spot spot = surface_spot(&def->surface, &root);
    if (chance >= surface_weight(def, &root, &spot, &density))
        return;
    const double reach = d->distance * fmin(1 / sqrt(density), widest_reach);
    if (reach > 0 && grid_find(&d->grid, &spot, reach, true) != NO_ROOT)
        return;
    d->roots[d->kept] = root;
    grid_add(&d->grid, d->kept++, &spot);
}

sheaf_status roots_place(const grow_def *def, double area, uint32_t stream, uint32_t count, grow_root *roots)
{
    enum { MOST_ROUNDS = 400 }; // the distance is next to nothing then
    darts d = {.def = def, .stream = stream, .roots = roots, .distance = first_distance * packed_distance(area, count)};
    const uint64_t of_round =
        1 + (uint64_t)(count * (surface_measure(&def->surface) / area)); // of which `count` are kept
    SHEAF_TRY(grid_create(&d.grid, d.distance, count));
    for (int round = 0; d.kept < count; round++) {
        for (uint64_t k = 0; k < of_round && d.kept < count; k++)
            throw_dart(&d);
        d.distance = round < MOST_ROUNDS ? shrinking * d.distance : 0;
    }
    grid_free(&d.grid);
    return SHEAF_OK;
}

// Draws a candidate by its weight; false: chance is against it.
static bool draw_more(const grow_def *def, uint64_t seed, uint64_t index, grow_spot *spot, double *density)
{
    grow_root root;
    const double chance = surface_draw(&def->surface, seed, GROW_STREAM_MORE, index, &root);
    *spot = surface_spot(&def->surface, &root);
    return chance < surface_weight(def, &root, spot, density);
}

sheaf_status roots_add(const grow_def *def, double area, const grow_root *roots, uint32_t count, uint64_t seed,
                       uint32_t more, grow_spot *spots)
{
    enum { PATIENCE = 64 };          // candidates refused in a row, before one may be nearer
    static const double apart = 0.6; // of the densest packing: a good part of all candidates fits
    grid g;
    SHEAF_TRY(grid_create(&g, packed_distance(area, count + more / 8), count + more));
    for (uint32_t k = 0; k < count; k++) {
        const grow_spot spot = surface_spot(&def->surface, &roots[k]);
        grid_add(&g, k, &spot);
    }
    double share = 1;
    uint32_t refused = 0;
    for (uint64_t thrown = 0, kept = 0; kept < more; thrown++) {
        double density;
        grow_spot spot;
        if (!draw_more(def, seed, thrown, &spot, &density))
            continue;
        const double distance = share * apart * packed_distance(area, count + (uint32_t)kept + 1);
        if (grid_find(&g, &spot, distance * fmin(1 / sqrt(density), widest_reach), true) != NO_ROOT) {
            share *= ++refused % PATIENCE == 0 ? 0.9 : 1;
            continue;
        }
        share = 1;
        refused = 0;
        grid_add(&g, count + (uint32_t)kept, &spot);
        spots[kept++] = spot;
    }
    grid_free(&g);
    return SHEAF_OK;
}

// The nearest of all, side by side or not: where the grid finds none near.
static uint32_t find_anywhere(const grid *g, uint32_t count, const grow_spot *spot)
{
    uint32_t nearest = 0;
    double least = INFINITY;
    for (uint32_t k = 0; k < count; k++) {
        double gap[3];
        vec_sub(gap, g->spots[k].point, spot->point);
        if (vec_dot(gap, gap) < least) {
            least = vec_dot(gap, gap);
            nearest = k;
        }
    }
    return nearest;
}

sheaf_status roots_group(const grow_def *def, double area, const grow_root *middles, uint32_t middle_count, int level,
                         grow_root *roots, uint32_t count)
{
    const double cell = packed_distance(area, middle_count);
    grid g;
    SHEAF_TRY(grid_create(&g, cell, middle_count));
    for (uint32_t k = 0; k < middle_count; k++) {
        const grow_spot spot = surface_spot(&def->surface, &middles[k]);
        grid_add(&g, k, &spot);
    }
    for (uint32_t k = 0; k < count; k++) {
        const grow_spot spot = surface_spot(&def->surface, &roots[k]);
        uint32_t found = grid_find(&g, &spot, cell, false);
        if (found == NO_ROOT)
            found = grid_find(&g, &spot, widest_reach * cell, false);
        roots[k].group[level] = found != NO_ROOT ? found : find_anywhere(&g, middle_count, &spot);
    }
    grid_free(&g);
    return SHEAF_OK;
}

// ---- neighbours

sheaf_status roots_near_open(const grow_spot *spots, uint32_t count, double cell, roots_near *near)
{
    SHEAF_TRY(grid_create(near, cell, count));
    for (uint32_t k = 0; k < count; k++)
        grid_add(near, k, &spots[k]);
    return SHEAF_OK;
}

void roots_near_close(roots_near *near)
{
    grid_free(near);
}

uint32_t roots_near_find(const roots_near *near, const double point[3], double reach, uint32_t found[ROOTS_MOST_NEAR])
{
    int64_t low[3], high[3], cell[3];
    uint32_t count = 0;
    for (int c = 0; c < 3; c++) {
        low[c] = (int64_t)floor((point[c] - reach) / near->cell);
        high[c] = (int64_t)floor((point[c] + reach) / near->cell);
    }
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
                for (uint32_t k = near->heads[grid_slot(near, cell)]; k != NO_ROOT; k = near->next[k]) {
                    double gap[3];
                    int64_t own[3];
                    for (int c = 0; c < 3; c++)
                        own[c] = (int64_t)floor(near->spots[k].point[c] / near->cell);
                    vec_sub(gap, near->spots[k].point, point);
                    const bool is_here = own[0] == cell[0] && own[1] == cell[1] && own[2] == cell[2];
                    if (is_here && vec_dot(gap, gap) < reach * reach && count < ROOTS_MOST_NEAR)
                        found[count++] = k;
                }
    return count;
}
