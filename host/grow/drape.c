// drape: combing, smoothing, and keeping hair off the body.
#include "grow/drape.h"

#include "base/vec.h"
#include "grow/body.h"
#include "grow/comb.h"

#include <string.h>

// Lengths in shares of the lift, which on a head is about 2 cm.
static const double skin_gap = 0.1;    // that the lowest hair keeps off the skin
static const double turn_length = 1.5; // over which the comb turns a strand
static const double near_reach = 1.75; // from the body, within which the comb has a say
static const double rise_length = 3.0; // over which a strand rises to its layer
static const double lowest_layer = 0.35;
static const double root_rise = 0.45; // of the normal beside the comb, at the root

enum { SMOOTHINGS = 12, MEANS = 3, NEIGHBOURS = 7 };

// ---- one axis

static double draw_layer(const grow_population *g, uint32_t k)
{
    double uniform[4];
    base_uniform4(g->def.seed, GROW_STREAM_LAYER, k, uniform);
    return lowest_layer + (1 - lowest_layer) * uniform[0];
}

static void start_way(const drape *d, uint32_t k, double out[3])
{
    vec_scale(out, d->spots[k].normal, root_rise);
    vec_add(out, out, d->ways[k]);
    vec_unit(out, out);
}

// Turns a direction: near the body along the comb, elsewhere down.
static void turn_way(const drape *d, const grow_body *body, uint32_t k, double lowest, const double point[3],
                     double step, double way[3], uint32_t *last)
{
    const grow_def *def = &d->g->def;
    const double lift = def->drape.lift, *up = def->surface.up;
    const grow_touch touch = body_touch(body, point, last);
    const double above = fmin(fmax((vec_dot(point, up) - lowest) / lift, 0), 1);
    const double near = above * fmin(fmax(1 - touch.distance / (near_reach * lift), 0), 1);
    double comb[3] = {0, 0, 0};
    if (near > 0) {
        if (def->comb.kind == GROW_COMB_MESH)
            vec_copy(comb, touch.comb);
        else
            comb_way(def, &d->g->roots[k], point, comb);
        if (!comb_take_across(comb, touch.normal))
            vec_set(comb, 0, 0, 0);
    }
    const double share = step / (turn_length * lift);
    vec_axpy(way, share * near, comb);
    vec_axpy(way, -share * (1 - 0.6 * near), up);
    if (vec_length(way) > 1e-9)
        vec_unit(way, way);
}

// The point a step away, at least `gap` off the body.
static void step_off(const grow_body *body, const double from[3], double step, double gap, double way[3], double out[3],
                     uint32_t *last)
{
    for (int pass = 0; pass < 3; pass++) {
        vec_copy(out, from);
        vec_axpy(out, step, way);
        const grow_touch touch = body_touch(body, out, last);
        if (touch.distance >= gap)
            return;
        vec_axpy(out, gap - touch.distance, touch.normal);
        vec_sub(way, out, from);
        vec_unit(way, way);
    }
    vec_copy(out, from);
    vec_axpy(out, step, way);
}

static void put(float to[3], const double point[3], const double root[3])
{
    for (int c = 0; c < 3; c++)
        to[c] = (float)(point[c] - root[c]);
}

static void lay_axis(const drape *d, const grow_body *body, double lowest, uint32_t k)
{
    const uint32_t count = d->g->def.vertices;
    const double lift = d->g->def.drape.lift, layer = draw_layer(d->g, k), step = d->edges[k];
    float(*points)[3] = d->points + (size_t)k * count;
    uint32_t last = d->g->roots[k].face;
    double point[3], way[3], next[3];
    start_way(d, k, way);
    vec_copy(point, d->spots[k].point);
    put(points[0], point, point);
    for (uint32_t i = 1; i < count; i++) {
        const double rise = fmin(i * step / (rise_length * lift), 1);
        if (i > 1)
            turn_way(d, body, k, lowest, point, step, way, &last);
        step_off(body, point, step, lift * fmin(skin_gap + layer * rise, 0.5 * i * step / lift), way, next, &last);
        put(points[i], next, d->spots[k].point);
        vec_copy(point, next);
    }
}

// ---- smoothing

// Gives edges their length back; the first one keeps its direction.
static void restore_edges(const drape *d, uint32_t k, float (*points)[3])
{
    const uint32_t count = d->g->def.vertices;
    double last[3] = {0, 0, 0}, place[3] = {0, 0, 0};
    for (uint32_t i = 1; i < count; i++) {
        double now[3], way[3];
        for (int c = 0; c < 3; c++)
            now[c] = (double)points[i][c];
        vec_sub(way, now, last);
        vec_copy(last, now);
        if (vec_length(way) > 0)
            vec_unit(way, way);
        vec_axpy(place, d->edges[k], way);
        for (int c = 0; c < 3; c++)
            points[i][c] = (float)place[c];
    }
}

// Means of each vertex with its neighbours along the strand; root and first edge stay.
static void smooth_along(const drape *d, uint32_t k)
{
    const uint32_t count = d->g->def.vertices;
    float(*points)[3] = d->points + (size_t)k * count;
    for (int pass = 0; pass < SMOOTHINGS; pass++) {
        float before[3];
        memcpy(before, points[1], sizeof before);
        for (uint32_t i = 2; i + 1 < count; i++)
            for (int c = 0; c < 3; c++) {
                const float mean = 0.25f * before[c] + 0.5f * points[i][c] + 0.25f * points[i + 1][c];
                before[c] = points[i][c];
                points[i][c] = mean;
            }
    }
    restore_edges(d, k, points);
}

typedef struct neighbours {
    uint32_t count, strands[NEIGHBOURS];
    double weights[NEIGHBOURS];
} neighbours;

// The nearest roots with their weights, the strand itself among them; not across a parting, where combs part.
static void find_neighbours(const drape *d, const roots_near *near, uint32_t k, neighbours *out)
{
    const double smooth = d->g->def.drape.smooth;
    double squares[NEIGHBOURS];
    uint32_t found[ROOTS_MOST_NEAR];
    const uint32_t count = roots_near_find(near, d->spots[k].point, 2.5 * smooth, found);
    out->count = 1;
    out->strands[0] = k;
    squares[0] = 0;
    for (uint32_t n = 0; n < count; n++) {
        double gap[3];
        vec_sub(gap, d->spots[found[n]].point, d->spots[k].point);
        const double square = vec_dot(gap, gap);
        if (found[n] == k || vec_dot(d->ways[found[n]], d->ways[k]) < DRAPE_ALIKE)
            continue;
        uint32_t at = out->count < NEIGHBOURS ? out->count++ : NEIGHBOURS;
        for (; at > 0 && (squares[at - 1] > square || (squares[at - 1] == square && out->strands[at - 1] > found[n]));
             at--)
            if (at < NEIGHBOURS) {
                squares[at] = squares[at - 1];
                out->strands[at] = out->strands[at - 1];
            }
        if (at < NEIGHBOURS) {
            squares[at] = square;
            out->strands[at] = found[n];
        }
    }
    for (uint32_t n = 0; n < out->count; n++)
        out->weights[n] = exp(-squares[n] / (smooth * smooth));
}

// Mean shape, from the root, of a strand and its neighbours.
static void mean_shape(const drape *d, const neighbours *near, uint32_t k, float (*out)[3])
{
    const uint32_t count = d->g->def.vertices;
    double sum = 0;
    memset(out, 0, count * sizeof *out);
    for (uint32_t n = 0; n < near->count; n++)
        sum += near->weights[n];
    for (uint32_t n = 0; n < near->count; n++) {
        const float(*from)[3] = (const float(*)[3])d->points + (size_t)near->strands[n] * count;
        const float share = (float)(near->weights[n] / sum);
        for (uint32_t i = 0; i < count; i++)
            for (int c = 0; c < 3; c++)
                out[i][c] += share * from[i][c];
    }
    restore_edges(d, k, out);
}

// ---- all strands

typedef struct draping {
    drape *d;
    grow_body body;
    roots_near near;
    double lowest;        // m along up, of the roots: below the comb has no say
    float (*next)[3];     // [strand][vertices]
    double (*scratch)[3]; // [worker][vertices]
} draping;

static sheaf_status lay_axes(size_t first, size_t end, uint32_t worker, void *user)
{
    const draping *w = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        lay_axis(w->d, &w->body, w->lowest, (uint32_t)k);
        smooth_along(w->d, (uint32_t)k);
    }
    return SHEAF_OK;
}

static sheaf_status mean_axes(size_t first, size_t end, uint32_t worker, void *user)
{
    const draping *w = user;
    (void)worker;
    for (size_t k = first; k < end; k++) {
        neighbours near;
        find_neighbours(w->d, &w->near, (uint32_t)k, &near);
        mean_shape(w->d, &near, (uint32_t)k, w->next + k * w->d->g->def.vertices);
    }
    return SHEAF_OK;
}

// Curls, gathers, and keeps the vertices off the skin as they come, so that edges keep their lengths.
static void finish_strand(const draping *w, uint32_t k, double (*points)[3])
{
    const grow_population *g = w->d->g;
    const uint32_t count = g->def.vertices;
    const double *root = w->d->spots[k].point, gap = skin_gap * g->def.drape.lift;
    float(*out)[3] = g->draped + (size_t)k * (count + 1);
    uint32_t face = g->roots[k].face;
    double normal[3], last[3], way[3], next[3];
    strand_drape(g, w->d, k, points, normal);
    vec_copy(last, points[1]);
    for (uint32_t i = 2; i < count; i++) {
        vec_sub(way, points[i], last);
        const double edge = g->def.curl_radius > 0 ? vec_length(way) : w->d->edges[k];
        vec_copy(last, points[i]);
        vec_unit(way, way);
        step_off(&w->body, points[i - 1], edge, fmin(gap, 0.3 * (i - 1) * edge), way, next, &face);
        vec_copy(points[i], next);
    }
    for (uint32_t i = 0; i < count; i++)
        put(out[i], points[i], root);
    for (int c = 0; c < 3; c++)
        out[count][c] = (float)normal[c];
}

static sheaf_status finish_strands(size_t first, size_t end, uint32_t worker, void *user)
{
    const draping *w = user;
    for (size_t k = first; k < end; k++)
        finish_strand(w, (uint32_t)k, w->scratch + (size_t)worker * w->d->g->def.vertices);
    return SHEAF_OK;
}

// For every group the strand nearest to its middle.
static sheaf_status find_leaders(drape *d)
{
    const grow_population *g = d->g;
    for (int level = 0; level < GROW_LEVELS; level++) {
        if (g->middles[level] == NULL)
            continue;
        double *least = base_alloc(g->middle_count[level], sizeof *least);
        d->leaders[level] = base_alloc(g->middle_count[level], sizeof *d->leaders[level]);
        const bool ok = least != NULL && d->leaders[level] != NULL;
        for (uint32_t k = 0; ok && k < g->middle_count[level]; k++)
            least[k] = INFINITY;
        for (uint32_t k = 0; ok && k < g->def.count; k++) {
            const uint32_t group = g->roots[k].group[level];
            const grow_spot middle = surface_spot(&g->def.surface, &g->middles[level][group]);
            double gap[3];
            vec_sub(gap, d->spots[k].point, middle.point);
            if (vec_dot(gap, gap) < least[group]) {
                least[group] = vec_dot(gap, gap);
                d->leaders[level][group] = k;
            }
        }
        base_free(least);
        if (!ok)
            return SHEAF_ERR_MEMORY;
    }
    return SHEAF_OK;
}

// Roots, combs and lengths.
static void prepare(draping *w)
{
    drape *d = w->d;
    const grow_def *def = &d->g->def;
    w->lowest = INFINITY;
    for (uint32_t k = 0; k < def->count; k++) {
        d->spots[k] = surface_spot(&def->surface, &d->g->roots[k]);
        d->edges[k] = strand_length(d->g, k) / (def->vertices - 1.5);
        comb_way(def, &d->g->roots[k], d->spots[k].point, d->ways[k]);
        if (!comb_take_across(d->ways[k], d->spots[k].normal))
            vec_normal(d->ways[k], d->spots[k].normal);
        w->lowest = fmin(w->lowest, vec_dot(d->spots[k].point, def->surface.up));
    }
}

static sheaf_status smooth_all(draping *w)
{
    const grow_def *def = &w->d->g->def;
    if (!(def->drape.smooth > 0))
        return SHEAF_OK;
    // roots come in an order in which the first ones are spread out already: enough of them stand for all
    const double wanted = w->d->g->area / (0.25 * def->drape.smooth * def->drape.smooth);
    const uint32_t count = wanted < def->count ? (uint32_t)fmax(wanted, 1) : def->count;
    SHEAF_TRY(roots_near_open(w->d->spots, count, def->drape.smooth, &w->near));
    for (int pass = 0; pass < MEANS; pass++) {
        SHEAF_TRY(base_parallel_for(def->count, 0, mean_axes, w));
        memcpy(w->d->points, w->next, (size_t)def->count * def->vertices * sizeof *w->next);
    }
    return SHEAF_OK;
}

static sheaf_status run(draping *w, grow_population *g)
{
    drape *d = w->d;
    const size_t count = g->def.count, vertices = count * g->def.vertices;
    d->spots = base_alloc(count, sizeof *d->spots);
    d->ways = base_alloc(count, sizeof *d->ways);
    d->edges = base_alloc(count, sizeof *d->edges);
    d->points = base_alloc(vertices, sizeof *d->points);
    w->next = base_alloc(vertices, sizeof *w->next);
    w->scratch = base_alloc((size_t)base_worker_count(0) * g->def.vertices, sizeof *w->scratch);
    g->draped = base_alloc(vertices + count, sizeof *g->draped);
    if (d->spots == NULL || d->ways == NULL || d->edges == NULL || d->points == NULL || w->next == NULL ||
        w->scratch == NULL || g->draped == NULL)
        return SHEAF_ERR_MEMORY;
    prepare(w);
    SHEAF_TRY(body_open(&g->def.surface, &w->body));
    SHEAF_TRY(base_parallel_for(count, 0, lay_axes, w));
    SHEAF_TRY(smooth_all(w));
    SHEAF_TRY(find_leaders(d));
    return base_parallel_for(count, 0, finish_strands, w);
}

sheaf_status drape_all(grow_population *g)
{
    drape d = {.g = g};
    draping w = {.d = &d};
    if (g->def.comb.kind == GROW_COMB_NONE)
        return base_fail(SHEAF_ERR_INPUT, "drape lays hair the way it is combed, and nothing says which way that is\n"
                                          "add comb: { parting: ... }, or a mesh with comb_x, comb_y, comb_z");
    const sheaf_status status = run(&w, g);
    body_close(&w.body);
    roots_near_close(&w.near);
    base_free(d.spots);
    base_free(d.ways);
    base_free(d.edges);
    base_free(d.points);
    for (int level = 0; level < GROW_LEVELS; level++)
        base_free(d.leaders[level]);
    base_free(w.next);
    base_free(w.scratch);
    return status;
}

// ---- following an axis

static void read_point(const drape_axis *axis, uint32_t i, double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = axis->root[c] + (double)axis->points[i][c];
}

// Turns the frame to the edge that the place is on now.
static void turn_to(drape_axis *axis, uint32_t edge)
{
    double from[3], to[3], way[3];
    read_point(axis, edge, from);
    read_point(axis, edge + 1, to);
    vec_sub(way, to, from);
    if (!(vec_length(way) > 0))
        return;
    vec_unit(way, way);
    vec_transport(axis->lean, axis->lean, axis->along, way);
    vec_copy(axis->along, way);
    comb_take_across(axis->lean, way);
}

drape_axis drape_axis_of(const drape *d, uint32_t strand)
{
    const uint32_t count = d->g->def.vertices;
    drape_axis axis = {
        .points = (const float(*)[3])d->points + (size_t)strand * count, .count = count, .edge = d->edges[strand]};
    vec_copy(axis.root, d->spots[strand].point);
    for (int c = 0; c < 3; c++)
        axis.along[c] = (double)axis.points[1][c];
    vec_unit(axis.along, axis.along);
    vec_copy(axis.lean, d->spots[strand].normal);
    if (!comb_take_across(axis.lean, axis.along))
        vec_normal(axis.lean, axis.along);
    return axis;
}

void drape_follow(drape_axis *axis, double z, double point[3])
{
    const double place = z / axis->edge + 0.5;
    const uint32_t last = axis->count - 2, edge = place < last ? (uint32_t)place : last;
    while (axis->at < edge)
        turn_to(axis, ++axis->at);
    read_point(axis, edge, point);
    vec_axpy(point, (place - edge) * axis->edge, axis->along);
}
