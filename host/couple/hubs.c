// hubs: block LDL^T over bodies.
#include "couple/hubs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- order and pattern

// Neighbours of a hub in the graph that is left, rising.
typedef struct neighbours {
    uint32_t *hub;
    uint32_t count, room;
    bool is_gone;
} neighbours;

static sheaf_status add_neighbour(neighbours *n, uint32_t hub)
{
    uint32_t k = 0;
    while (k < n->count && n->hub[k] < hub)
        k++;
    if (k < n->count && n->hub[k] == hub)
        return SHEAF_OK;
    if (n->count == n->room) {
        uint32_t *more = base_realloc(n->hub, 2 * (size_t)n->room + 4, sizeof *more);
        if (more == NULL)
            return SHEAF_ERR_MEMORY;
        n->hub = more;
        n->room = 2 * n->room + 4;
    }
    memmove(n->hub + k + 1, n->hub + k, (n->count - k) * sizeof *n->hub);
    n->hub[k] = hub;
    n->count++;
    return SHEAF_OK;
}

static void drop_neighbour(neighbours *n, uint32_t hub)
{
    uint32_t k = 0;
    while (k < n->count && n->hub[k] != hub)
        k++;
    if (k == n->count)
        return;
    memmove(n->hub + k, n->hub + k + 1, (n->count - k - 1) * sizeof *n->hub);
    n->count--;
}

static uint32_t fewest(const neighbours *graph, uint32_t count)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < count; k++)
        if (!graph[k].is_gone && (best == UINT32_MAX || graph[k].count < graph[best].count))
            best = k;
    return best;
}

// Takes a hub out: its neighbours become each other's. Its own list stays, as the pattern of its column.
static sheaf_status take_out(neighbours *graph, uint32_t hub)
{
    const neighbours *own = &graph[hub];
    graph[hub].is_gone = true;
    for (uint32_t a = 0; a < own->count; a++) {
        drop_neighbour(&graph[own->hub[a]], hub);
        for (uint32_t b = 0; b < own->count; b++)
            if (a != b)
                SHEAF_TRY(add_neighbour(&graph[own->hub[a]], own->hub[b]));
    }
    return SHEAF_OK;
}

static int compare_places(const void *a, const void *b)
{
    const uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return first < second ? -1 : first > second;
}

static sheaf_status store_pattern(hub_system *s, const neighbours *graph)
{
    for (uint32_t k = 0; k < s->count; k++)
        s->first[k + 1] = s->first[k] + graph[s->order[k]].count;
    const uint32_t blocks = s->first[s->count];
    s->row = base_alloc(blocks, sizeof *s->row);
    s->below = base_alloc(blocks, sizeof *s->below);
    if (s->row == NULL || s->below == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < s->count; k++) {
        const neighbours *own = &graph[s->order[k]];
        for (uint32_t a = 0; a < own->count; a++)
            s->row[s->first[k] + a] = s->place[own->hub[a]];
        qsort(s->row + s->first[k], own->count, sizeof *s->row, compare_places);
    }
    return SHEAF_OK;
}

static sheaf_status find_order(hub_system *s, const uint32_t (*pairs)[2], uint32_t pair_count, neighbours *graph)
{
    for (uint32_t k = 0; k < pair_count; k++)
        if (pairs[k][0] != pairs[k][1]) {
            SHEAF_TRY(add_neighbour(&graph[pairs[k][0]], pairs[k][1]));
            SHEAF_TRY(add_neighbour(&graph[pairs[k][1]], pairs[k][0]));
        }
    for (uint32_t k = 0; k < s->count; k++) {
        s->order[k] = fewest(graph, s->count);
        s->place[s->order[k]] = k;
        SHEAF_TRY(take_out(graph, s->order[k]));
    }
    return store_pattern(s, graph);
}

sheaf_status hubs_open(uint32_t count, const uint32_t (*pairs)[2], uint32_t pair_count, hub_system *s)
{
    *s = (hub_system){.count = count,
                      .order = base_alloc(count, sizeof *s->order),
                      .place = base_alloc(count, sizeof *s->place),
                      .first = base_alloc((size_t)count + 1, sizeof *s->first),
                      .diagonal = base_alloc(count, sizeof *s->diagonal),
                      .right = base_alloc(count, sizeof *s->right)};
    neighbours *graph = base_alloc(count, sizeof *graph);
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (s->order != NULL && s->place != NULL && s->first != NULL && s->diagonal != NULL && s->right != NULL &&
        graph != NULL)
        status = find_order(s, pairs, pair_count, graph);
    for (uint32_t k = 0; graph != NULL && k < count; k++)
        base_free(graph[k].hub);
    base_free(graph);
    if (status != SHEAF_OK)
        hubs_close(s);
    return status;
}

void hubs_close(hub_system *s)
{
    base_free(s->order);
    base_free(s->place);
    base_free(s->first);
    base_free(s->row);
    base_free(s->diagonal);
    base_free(s->below);
    base_free(s->right);
    *s = (hub_system){0};
}

// ---- blocks

void hubs_clear(hub_system *s)
{
    memset(s->diagonal, 0, s->count * sizeof *s->diagonal);
    memset(s->right, 0, s->count * sizeof *s->right);
    if (s->first[s->count] > 0)
        memset(s->below, 0, s->first[s->count] * sizeof *s->below);
    s->lifted = 0;
}

// The block of two places, row > column; it is in the pattern.
static double (*block_at(hub_system *s, uint32_t row, uint32_t column))[6]
{
    uint32_t k = s->first[column];
    while (s->row[k] != row)
        k++;
    return s->below[k];
}

void hubs_add(hub_system *s, uint32_t a, uint32_t b, double block[6][6])
{
    const uint32_t row = s->place[a], column = s->place[b];
    double(*into)[6] = row == column  ? s->diagonal[row]
                       : row > column ? block_at(s, row, column)
                                      : block_at(s, column, row);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            into[r][c] += row >= column ? block[r][c] : block[c][r];
}

static void multiply(double a[6][6], double b[6][6], double out[6][6])
{
    double product[6][6] = {{0}};
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++)
            for (int k = 0; k < 6; k++)
                product[r][c] += a[r][k] * b[k][c];
    memcpy(out, product, sizeof product);
}

void hubs_hold(hub_system *s, uint32_t hub, double free[6][6])
{
    const uint32_t place = s->place[hub];
    double(*diagonal)[6] = s->diagonal[place], *right = s->right[place], held[6] = {0}, scale = 0;
    for (int r = 0; r < 6; r++)
        scale = fmax(scale, diagonal[r][r]);
    multiply(free, diagonal, diagonal);
    multiply(diagonal, free, diagonal);
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            diagonal[r][c] += (scale > 0 ? scale : 1) * ((r == c) - free[r][c]);
            held[r] += free[r][c] * right[c];
        }
    memcpy(right, held, sizeof held);
    for (uint32_t column = 0; column < s->count; column++)
        for (uint32_t k = s->first[column]; k < s->first[column + 1]; k++) {
            if (s->row[k] == place)
                multiply(free, s->below[k], s->below[k]);
            if (column == place)
                multiply(s->below[k], free, s->below[k]);
        }
}

// ---- the solve

// Inverse of a symmetric positive block by its Cholesky factor. A pivot that rounding or zero mass left near 0 is
// lifted to a share of the largest.
static void invert(hub_system *s, double block[6][6], double out[6][6])
{
    double l[6][6] = {{0}}, largest = 0;
    for (int k = 0; k < 6; k++)
        largest = fmax(largest, block[k][k]);
    const double least = largest > 0 ? 1e-15 * largest : 1;
    for (int c = 0; c < 6; c++)
        for (int r = c; r < 6; r++) {
            double value = block[r][c];
            for (int k = 0; k < c; k++)
                value -= l[r][k] * l[c][k];
            if (r == c && !(value > least)) {
                value = least;
                s->lifted++;
            }
            l[r][c] = r == c ? sqrt(value) : value / l[c][c];
        }
    for (int column = 0; column < 6; column++) {
        double x[6];
        for (int r = 0; r < 6; r++) {
            x[r] = r == column;
            for (int k = 0; k < r; k++)
                x[r] -= l[r][k] * x[k];
            x[r] /= l[r][r];
        }
        for (int r = 5; r >= 0; r--) {
            for (int k = r + 1; k < 6; k++)
                x[r] -= l[k][r] * x[k];
            x[r] /= l[r][r];
            out[r][column] = x[r];
        }
    }
}

// Blocks of the rows below column k lose what goes through it: H_ij -= (H_ik D^-1) H_jk^T. H_ik becomes H_ik D^-1.
static void eliminate(hub_system *s, uint32_t k)
{
    double inverse[6][6];
    invert(s, s->diagonal[k], inverse);
    memcpy(s->diagonal[k], inverse, sizeof inverse);
    for (uint32_t a = s->first[k]; a < s->first[k + 1]; a++) {
        double scaled[6][6];
        multiply(s->below[a], inverse, scaled);
        for (uint32_t b = s->first[k]; b <= a; b++) {
            double(*into)[6] = a == b ? s->diagonal[s->row[a]] : block_at(s, s->row[a], s->row[b]);
            for (int r = 0; r < 6; r++)
                for (int c = 0; c < 6; c++)
                    for (int m = 0; m < 6; m++)
                        into[r][c] -= scaled[r][m] * s->below[b][c][m];
        }
    }
    for (uint32_t a = s->first[k]; a < s->first[k + 1]; a++)
        multiply(s->below[a], inverse, s->below[a]);
}

static bool is_zero(const double x[6])
{
    return x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0 && x[4] == 0 && x[5] == 0;
}

// Right sides by hub or by place, whichever `at` says, become the solution. What nothing acts on stays 0.
static void substitute(const hub_system *s, const uint32_t *at, double (*right)[6])
{
    for (uint32_t k = 0; k < s->count; k++) {
        const double *known = right[at != NULL ? at[k] : k];
        for (uint32_t a = s->first[k]; a < s->first[k + 1] && !is_zero(known); a++)
            for (int r = 0; r < 6; r++)
                for (int m = 0; m < 6; m++)
                    right[at != NULL ? at[s->row[a]] : s->row[a]][r] -= s->below[a][r][m] * known[m];
    }
    for (uint32_t k = s->count; k-- > 0;) {
        double x[6] = {0}, *out = right[at != NULL ? at[k] : k];
        if (s->first[k] == s->first[k + 1] && is_zero(out))
            continue;
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c < 6; c++)
                x[r] += s->diagonal[k][r][c] * out[c];
            for (uint32_t a = s->first[k]; a < s->first[k + 1]; a++)
                for (int c = 0; c < 6; c++)
                    x[r] -= s->below[a][c][r] * right[at != NULL ? at[s->row[a]] : s->row[a]][c];
        }
        memcpy(out, x, sizeof x);
    }
}

void hubs_solve(hub_system *s)
{
    for (uint32_t k = 0; k < s->count; k++)
        eliminate(s, k);
    substitute(s, NULL, s->right);
}

void hubs_answer(const hub_system *s, double (*loads)[6])
{
    substitute(s, s->order, loads);
}
