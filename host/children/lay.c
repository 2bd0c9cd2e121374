// lay: children one edge after the other, from their roots on.
#include "children/parts.h"

#include "base/vec.h"
#include "world/world.h"

enum { PUSHES = 2, PUSHES_MOST = 8, ROUNDS = 4 };

static const double opposite = -0.95, fading = 0.3; // cosines: at 162 and 130 degrees
static const double widest_gap = 0.3;               // of an edge: small strands keep a smaller distance from colliders

// ---- turning

static double dot4(const double a[4], const double b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// How a guide has turned at a share of its edges, counted in edges: between the middles of two of them.
static void read_turn(const children_plan *c, const children_guide *guide, double place, double out[4])
{
    const double(*turn)[4] = (const double(*)[4])c->turn + guide->first;
    const uint32_t last = guide->count - 2;
    const double from = place - 0.5, inside = from < 0 ? 0 : from > last ? last : from;
    const uint32_t edge = (uint32_t)inside;
    const double part = inside - edge;
    if (part == 0 || edge == last) {
        for (int k = 0; k < 4; k++)
            out[k] = turn[edge][k];
        return;
    }
    const double sign = dot4(turn[edge], turn[edge + 1]) < 0 ? -part : part;
    for (int k = 0; k < 4; k++)
        out[k] = (1 - part) * turn[edge][k] + sign * turn[edge + 1][k];
    const double size = sqrt(dot4(out, out));
    for (int k = 0; k < 4; k++)
        out[k] /= size;
}

// v + 2 w (q x v) + 2 q x (q x v), for a unit quaternion (w, q).
static void turn_vector(const double q[4], const double v[3], double out[3])
{
    double side[3], back[3];
    vec_cross(side, q + 1, v);
    vec_scale(side, side, 2);
    vec_cross(back, q + 1, side);
    vec_set(out, v[0] + q[0] * side[0] + back[0], v[1] + q[0] * side[1] + back[1], v[2] + q[0] * side[2] + back[2]);
}

// A child's edge as a guide turns it at a share of its length.
static void turn_edge(const children_plan *c, uint32_t strand, double share, const double edge[3], double out[3])
{
    const children_guide *guide = &c->guides[strand];
    double turn[4];
    read_turn(c, guide, share * (guide->count - 1), turn);
    turn_vector(turn, edge, out);
}

// Where an edge of a child points: the mean of where its guides would turn it, D = unit(sum w g d), d = q edge. One
// that turns it almost the other way from D has no say, and less the nearer to that it is, so that nothing flips:
//   x = clamp((d . D - opposite) / fading, 0, 1),  g = x^2 (3 - 2 x)
// D starts from the nearest guide's d. After so many rounds it hardly depends on which guide that is: between the
// children of two guides no seam shows.
static void blend_turns(const children_plan *c, const children_group *g, uint32_t child, double share,
                        const double edge[3], double out[3])
{
    const uint32_t *nearest = children_nearest(g, child);
    const float *weights = g->weights + (size_t)child * g->blend;
    const double length = vec_length(edge);
    double ways[SCENE_MOST_BLEND][3], sum[3];
    turn_edge(c, nearest[0], share, edge, out);
    vec_copy(ways[0], out);
    for (uint32_t a = 1; a < g->blend; a++)
        turn_edge(c, nearest[a], share, edge, ways[a]);
    for (int round = 0; round < ROUNDS && g->blend > 1 && length > 0; round++) {
        vec_set(sum, 0, 0, 0);
        for (uint32_t a = 0; a < g->blend; a++) {
            const double cosine = vec_dot(out, ways[a]) / (length * length);
            const double x = fmin(fmax((cosine - opposite) / fading, 0), 1);
            vec_axpy(sum, (double)weights[a] * x * x * (3 - 2 * x), ways[a]);
        }
        const double size = vec_length(sum);
        if (size > 1e-6 * length)
            vec_scale(out, sum, length / size);
    }
}

// The root goes where its guides' roots take it: on a rigid body all to the same place.
static void place_root(const children_plan *c, const children_group *g, uint32_t child, const double rest[3],
                       double out[3])
{
    const uint32_t *nearest = children_nearest(g, child);
    const float *weights = g->weights + (size_t)child * g->blend;
    double sum = 0;
    vec_set(out, 0, 0, 0);
    for (uint32_t a = 0; a < g->blend; a++) {
        const children_guide *guide = &c->guides[nearest[a]];
        double arm[3];
        vec_sub(arm, rest, c->rest[guide->first]);
        turn_vector(c->turn[guide->first], arm, arm);
        vec_add(arm, arm, c->root[nearest[a]]);
        vec_axpy(out, (double)weights[a], arm);
        sum += (double)weights[a];
    }
    vec_scale(out, out, 1 / sum);
}

// ---- colliders

// Distance of a point from a collider and, where it is below the gap, the way out, else 0; infinite where the point is
// far from it.
static double find_distance(const children_collider *it, const double point[3], double gap, double out[3])
{
    double arm[3], own[3], normal[3];
    vec_set(out, 0, 0, 0);
    vec_sub(arm, point, it->center);
    const double reach = it->collider->reach + gap;
    if (vec_dot(arm, arm) > reach * reach)
        return INFINITY;
    for (int k = 0; k < 3; k++)
        own[k] = vec_dot(it->axes[k], arm);
    const double distance = model_collider_gap(it->collider, own, normal);
    if (!(distance < gap))
        return distance;
    for (int k = 0; k < 3; k++)
        vec_axpy(out, normal[k], it->axes[k]);
    return distance;
}

// One push out of every collider that `point` is nearer to than the gap, each at its distance `length` from `from`.
// False: it is near none.
static bool push_out(const children_plan *c, const double from[3], double length, double point[3])
{
    bool pushed = false;
    for (uint32_t k = 0; k < c->model->collider_count; k++) {
        const children_collider *it = &c->colliders[k];
        const double gap = fmin(it->gap, widest_gap * length);
        double out[3], edge[3];
        const double distance = find_distance(it, point, gap, out);
        if (!(distance < gap))
            continue;
        vec_axpy(point, gap - distance, out);
        vec_sub(edge, point, from);
        const double now = vec_length(edge);
        vec_copy(point, from);
        if (now > 0)
            vec_axpy(point, length / now, edge);
        else
            vec_axpy(point, length, out);
        pushed = true;
    }
    return pushed;
}

// The collider that a point is deepest in, and how deep, m; NULL: in none.
static const children_collider *find_deepest(const children_plan *c, const double point[3], double *depth)
{
    const children_collider *deepest = NULL;
    double out[3];
    *depth = 0;
    for (uint32_t k = 0; k < c->model->collider_count; k++) {
        const double distance = find_distance(&c->colliders[k], point, 0, out);
        if (-distance > *depth) {
            *depth = -distance;
            deepest = &c->colliders[k];
        }
    }
    return deepest;
}

// Lays an edge that points into a collider, and whose pushes would only lead back there, along its surface instead.
static void slide(const children_collider *it, const double from[3], double length, double point[3])
{
    double out[3], edge[3];
    if (!(find_distance(it, from, INFINITY, out) < INFINITY))
        return; // a mesh whose grid ends before
    vec_sub(edge, point, from);
    vec_axpy(edge, -vec_dot(edge, out), out);
    if (!(vec_length(edge) > 1e-3 * length))
        vec_normal(edge, out);
    vec_copy(point, from);
    vec_axpy(point, length / vec_length(edge), edge);
}

// Two pushes do for most; what is still inside then slides, and is pushed on as long as need be.
static void keep_out(const children_plan *c, const double from[3], double length, double point[3])
{
    double depth;
    for (int k = 0; k < PUSHES_MOST; k++) {
        const children_collider *inside = k >= PUSHES ? find_deepest(c, point, &depth) : NULL;
        if (k >= PUSHES && inside == NULL)
            return;
        if (k == PUSHES && depth > widest_gap * length / 4)
            slide(inside, from, length, point);
        if (!push_out(c, from, length, point))
            return;
    }
}

// ---- the whole

static void lay_child(const children_plan *c, const children_group *g, uint32_t child, children_shape *shape,
                      double (*points)[3])
{
    double edge[3], turned[3];
    children_shape_fill(c, g, child, shape);
    place_root(c, g, child, shape->point[0], points[0]);
    const uint32_t edges = shape->count - 1, held = c->guides[children_nearest(g, child)[0]].held_edges;
    for (uint32_t i = 0; i < edges; i++) {
        vec_sub(edge, shape->point[i + 1], shape->point[i]);
        blend_turns(c, g, child, shape->part * (i + 0.5) / edges, edge, turned);
        vec_add(points[i + 1], points[i], turned);
        if (i >= held)
            keep_out(c, points[i], vec_length(edge), points[i + 1]);
    }
}

// The group of a child that is numbered over all groups, and its number there.
static const children_group *find_group(const children_plan *c, uint64_t *child)
{
    uint32_t k = 0;
    for (; *child >= c->groups[k].chosen; k++)
        *child -= c->groups[k].chosen;
    return &c->groups[k];
}

void children_layout(const children_plan *c, uint64_t first, uint32_t count, uint64_t *first_vertex, uint32_t *guides)
{
    first_vertex[0] = 0;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t child = first + k;
        const children_group *g = find_group(c, &child);
        first_vertex[k + 1] = first_vertex[k] + children_shape_size(c, g, (uint32_t)child);
        if (guides != NULL)
            guides[k] = children_nearest(g, (uint32_t)child)[0];
    }
}

typedef struct laying {
    const children_plan *c;
    uint64_t first;
    const uint64_t *first_vertex;
    double (*positions)[3];
} laying;

static sheaf_status lay_range(size_t first, size_t end, uint32_t worker, void *user)
{
    const laying *l = user;
    children_shape shape = {.point = base_alloc(l->c->longest, sizeof *shape.point)};
    (void)worker;
    if (shape.point == NULL)
        return SHEAF_ERR_MEMORY;
    for (size_t k = first; k < end; k++) {
        uint64_t child = l->first + k;
        const children_group *g = find_group(l->c, &child);
        lay_child(l->c, g, (uint32_t)child, &shape, l->positions + l->first_vertex[k]);
    }
    base_free(shape.point);
    return SHEAF_OK;
}

sheaf_status children_lay(const children_plan *c, uint64_t first, uint32_t count, const uint64_t *first_vertex,
                          double (*positions)[3], uint32_t threads)
{
    laying l = {c, first, first_vertex, positions};
    return base_parallel_for(count, threads, lay_range, &l);
}
