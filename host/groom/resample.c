// resample: cubic Hermite curves through a strand's vertices, by chord length, with three-point tangents.
#include "groom/resample.h"

#include "base/vec.h"

// A strand's vertices as a curve over the way along its chords.
typedef struct curve {
    const groom *g;
    uint64_t first, count;
    double *way;          // [count] of each vertex from the first
    double (*tangent)[3]; // [count] d point / d way
} curve;

static void chord(const curve *c, uint64_t i, double slope[3])
{
    double from[3], to[3];
    const double step = c->way[i + 1] - c->way[i];
    groom_point(c->g, c->first + i, from);
    groom_point(c->g, c->first + i + 1, to);
    vec_sub(slope, to, from);
    vec_scale(slope, slope, step > 0 ? 1 / step : 0);
}

// Inner tangents are those of the parabola through three vertices; at the ends the curve has no curvature.
static void find_tangents(curve *c)
{
    double before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
    for (uint64_t i = 0; i + 1 < c->count; i++) {
        chord(c, i, after);
        if (i > 0) {
            const double h = c->way[i] - c->way[i - 1], k = c->way[i + 1] - c->way[i];
            const double share = h + k > 0 ? h / (h + k) : 0.5;
            vec_scale(c->tangent[i], before, 1 - share);
            vec_axpy(c->tangent[i], share, after);
        }
        vec_copy(before, after);
    }
    if (c->count < 2)
        return;
    chord(c, 0, after);
    vec_scale(c->tangent[0], after, c->count > 2 ? 1.5 : 1);
    vec_scale(c->tangent[c->count - 1], before, c->count > 2 ? 1.5 : 1);
    if (c->count > 2) {
        vec_axpy(c->tangent[0], -0.5, c->tangent[1]);
        vec_axpy(c->tangent[c->count - 1], -0.5, c->tangent[c->count - 2]);
    }
}

static curve make_curve(const groom *g, uint64_t strand, double *scratch)
{
    curve c = {g, g->first_vertex[strand], groom_strand_vertices(g, strand), scratch, NULL};
    c.tangent = (double(*)[3])(scratch + c.count);
    double last[3] = {0, 0, 0}, point[3], edge[3];
    for (uint64_t i = 0; i < c.count; i++) {
        groom_point(g, c.first + i, point);
        vec_sub(edge, point, last);
        c.way[i] = i > 0 ? c.way[i - 1] + vec_length(edge) : 0;
        vec_copy(last, point);
    }
    return c;
}

// The segment that holds `way`, starting to look at segment i, and where in it, 0 to 1.
static uint64_t find_segment(const curve *c, double way, uint64_t i, double *t)
{
    while (i + 2 < c->count && c->way[i + 1] < way)
        i++;
    const double step = c->count > 1 ? c->way[i + 1] - c->way[i] : 0;
    *t = step > 0 ? fmin(fmax((way - c->way[i]) / step, 0), 1) : 0;
    return i;
}

static void curve_point(const curve *c, uint64_t i, double t, double point[3])
{
    double to[3];
    groom_point(c->g, c->first + i, point);
    if (t == 0)
        return;
    groom_point(c->g, c->first + i + 1, to);
    if (t == 1) {
        vec_copy(point, to);
        return;
    }
    const double step = c->way[i + 1] - c->way[i], s = 1 - t;
    vec_scale(point, point, s * s * (1 + 2 * t));
    vec_axpy(point, t * t * (3 - 2 * t), to);
    vec_axpy(point, step * t * s * s, c->tangent[i]);
    vec_axpy(point, -step * t * t * s, c->tangent[i + 1]);
}

// Length of a strand, and the sum of angles between its edges.
static void measure(const groom *g, uint64_t strand, double *length, double *turning)
{
    double last[3], point[3], edge[3], before[3] = {0, 0, 0}, cross[3];
    *length = *turning = 0;
    groom_point(g, g->first_vertex[strand], last);
    for (uint64_t k = g->first_vertex[strand] + 1; k < g->first_vertex[strand + 1]; k++) {
        groom_point(g, k, point);
        vec_sub(edge, point, last);
        vec_copy(last, point);
        if (vec_length(edge) == 0)
            continue;
        *length += vec_length(edge);
        vec_cross(cross, before, edge);
        *turning += atan2(vec_length(cross), vec_dot(before, edge)); // 0 for the first edge
        vec_copy(before, edge);
    }
}

static void add_loss(const groom *g, uint64_t strand, const groom *out, uint64_t new_strand, groom_loss *loss)
{
    double length, turning, new_length, new_turning;
    measure(g, strand, &length, &turning);
    measure(out, new_strand, &new_length, &new_turning);
    const double shorter = length > 0 ? fabs(new_length / length - 1) : 0, turned = fabs(new_turning - turning);
    loss->strands++;
    loss->worst_length = fmax(loss->worst_length, shorter);
    loss->sum_length += shorter;
    loss->worst_turning = fmax(loss->worst_turning, turned);
    loss->sum_turning += turned;
}

void groom_resample(const groom *g, const uint64_t *chosen, groom *out, double *scratch, groom_loss *loss)
{
    for (uint64_t s = 0; s < out->strand_count; s++) {
        const uint64_t strand = chosen != NULL ? chosen[s] : s, count = groom_strand_vertices(out, s);
        curve c = make_curve(g, strand, scratch);
        find_tangents(&c);
        uint64_t segment = 0;
        for (uint64_t j = 0; j < count; j++) {
            double t, point[3];
            segment = find_segment(&c, c.way[c.count - 1] * (double)j / (double)(count - 1), segment, &t);
            curve_point(&c, segment, t, point);
            groom_set_point(out, out->first_vertex[s] + j, point);
        }
        add_loss(g, strand, out, s, loss);
    }
}

static float blend(const float *values, uint64_t stride, uint64_t k, double t)
{
    return t == 0 ? values[k * stride]
                  : (float)((1 - t) * (double)values[k * stride] + t * (double)values[(k + 1) * stride]);
}

void groom_resample_arrays(const groom *g, const uint64_t *chosen, groom *out, double *scratch)
{
    for (uint64_t s = 0; s < out->strand_count; s++) {
        const uint64_t count = groom_strand_vertices(out, s);
        const curve c = make_curve(g, chosen != NULL ? chosen[s] : s, scratch);
        uint64_t segment = 0;
        for (uint64_t j = 0; j < count; j++) {
            double t;
            segment = find_segment(&c, c.way[c.count - 1] * (double)j / (double)(count - 1), segment, &t);
            const uint64_t from = c.first + segment, to = out->first_vertex[s] + j;
            if (out->width != NULL)
                out->width[to] = blend(g->width, 1, from, t);
            if (out->transparency != NULL)
                out->transparency[to] = blend(g->transparency, 1, from, t);
            for (uint64_t c3 = 0; out->colour != NULL && c3 < 3; c3++)
                out->colour[to][c3] = blend(g->colour[0] + c3, 3, from, t);
        }
    }
}
