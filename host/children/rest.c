// rest: the shape that a child has while its guides are at rest: that of a strand that is not simulated, or a copy of
// its nearest guide. A mean of several guides would have none of their curls.
#include "children/parts.h"

#include "base/vec.h"
#include "children/spline.h"

enum { WAVES = 4 };

static const double stray_keeps = 0.85; // of its distance, at least
static const double scatter_power = 1.5;

// What is drawn at random of a copy.
typedef struct traits {
    double part;     // of its guide's length
    double strength; // share of the distance that is lost at the tip
    double tip[3];   // m
    double waves[WAVES][3], phases[WAVES];
} traits;

static traits draw_traits(const scene_children *set, uint32_t child)
{
    traits t;
    double uniform[4], normal[2];
    base_uniform4(set->seed, CHILDREN_STREAM_CUT, child, uniform);
    t.part = 1 - set->cut * uniform[0] * uniform[0];
    t.strength = uniform[1] < set->stray ? fmin(set->strength, 1 - stray_keeps) : set->strength;
    base_normal2(set->seed, CHILDREN_STREAM_TIP, 2ull * child, normal);
    vec_set(t.tip, normal[0], normal[1], 0);
    base_normal2(set->seed, CHILDREN_STREAM_TIP, 2ull * child + 1, normal);
    t.tip[2] = normal[0];
    vec_scale(t.tip, t.tip, set->scatter);
    for (uint32_t a = 0; a < WAVES; a++) {
        const uint64_t index = 2 * ((uint64_t)WAVES * child + a);
        base_normal2(set->seed, CHILDREN_STREAM_FRIZZ, index, normal);
        vec_set(t.waves[a], normal[0], normal[1], 0);
        base_normal2(set->seed, CHILDREN_STREAM_FRIZZ, index + 1, normal);
        t.waves[a][2] = normal[0];
        vec_scale(t.waves[a], t.waves[a], set->frizz);
        base_uniform4(set->seed, CHILDREN_STREAM_FRIZZ + 0x100, index, uniform);
        t.phases[a] = 2 * 3.14159265358979323846 * uniform[0];
    }
    return t;
}

// Where a copy would be at a share s of its length, were its edges free to be of any length:
//   x(s) = guide(part s) + offset (1 - strength s^profile) + tip s^1.5 + s sum_a waves_a sin((4 + 5 a) s + phase_a)
static void add_traits(const scene_children *set, const traits *t, const float offset[3], double s, double point[3])
{
    const double away = 1 - t->strength * (set->profile == 1 ? s : pow(s, set->profile));
    const double first[3] = {(double)offset[0], (double)offset[1], (double)offset[2]};
    vec_axpy(point, away, first);
    vec_axpy(point, s > 0 ? pow(s, scatter_power) : 0, t->tip);
    for (int a = 0; a < WAVES && set->frizz > 0; a++)
        vec_axpy(point, s * sin((4 + 5 * a) * s + t->phases[a]), t->waves[a]);
}

// A point of a guide's curve at a share of its edges.
static void guide_point(const double (*rest)[3], uint32_t count, double share, double out[3])
{
    const double place = share * (count - 1);
    const uint32_t edge = place < count - 2 ? (uint32_t)place : count - 2;
    if (share == 1) {
        vec_copy(out, rest[count - 1]);
        return;
    }
    const children_spline spline = children_spline_over(rest, count, false, edge);
    children_spline_at(&spline, place - edge, out, NULL);
}

// Points in turn, each at its distance from the one before in the direction of the free curve.
static void copy_guide(const children_plan *c, const children_group *g, uint32_t child, children_shape *shape)
{
    const children_guide *guide = &c->guides[children_nearest(g, child)[0]];
    const double(*rest)[3] = (const double(*)[3])c->rest + guide->first;
    const traits t = draw_traits(&g->set, child);
    const uint32_t count = guide->count;
    double last[3], now[3], way[3], edge[3];
    shape->part = t.part;
    vec_copy(last, rest[0]);
    add_traits(&g->set, &t, g->offsets[child], 0, last);
    vec_copy(shape->point[0], last);
    for (uint32_t i = 1; i < count; i++) {
        const double s = (double)i / (count - 1);
        if (t.part == 1)
            vec_copy(now, rest[i]);
        else
            guide_point(rest, count, t.part * s, now);
        add_traits(&g->set, &t, g->offsets[child], s, now);
        vec_sub(edge, rest[i], rest[i - 1]);
        vec_sub(way, now, last);
        const double length = vec_length(way);
        vec_copy(shape->point[i], shape->point[i - 1]);
        if (length > 0)
            vec_axpy(shape->point[i], t.part * vec_length(edge) / length, way);
        else
            vec_axpy(shape->point[i], t.part, edge);
        vec_copy(last, now);
    }
}

static uint32_t ghosts(const children_group *g)
{
    return g->others->has_ghosts ? 1 : 0;
}

uint32_t children_shape_size(const children_plan *c, const children_group *g, uint32_t child)
{
    if (g->others == NULL)
        return c->guides[children_nearest(g, child)[0]].count;
    const uint32_t k = g->order[child];
    return (uint32_t)(g->others->first[k + 1] - g->others->first[k]) - ghosts(g);
}

void children_shape_fill(const children_plan *c, const children_group *g, uint32_t child, children_shape *shape)
{
    shape->count = children_shape_size(c, g, child);
    if (g->others == NULL) {
        copy_guide(c, g, child, shape);
        return;
    }
    const uint64_t first = g->others->first[g->order[child]] + ghosts(g);
    shape->part = 1;
    for (uint32_t i = 0; i < shape->count; i++)
        vec_copy(shape->point[i], g->others->points[first + i]);
}
