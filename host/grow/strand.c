// strand: the curve of one strand of a population: an arc from its root, wound into a curl, gathered with others.
#include "grow/comb.h"
#include "grow/drape.h"
#include "grow/roots.h"

#include "base/vec.h"

static const double two_pi = 2 * 3.14159265358979323846;
static const double clip = 2.5;           // standard deviations
static const double phase_jitter = 0.15;  // turns, between curls of a clump
static const double sharpest_turn = -0.2; // cosine, between edges of a gathered strand
static const double least_part = 0.2;     // of any mean, that a strand has at least

// A number of mean 0 and deviation 1, clipped. The sum of twelve uniform numbers is normal enough, and exact.
static double draw_normal(const grow_population *g, uint32_t stream, uint64_t index)
{
    double sum = -6;
    for (uint64_t part = 0; part < 3; part++) {
        double uniform[4];
        base_uniform4(g->def.seed, stream, 3 * index + part, uniform);
        sum += uniform[0] + uniform[1] + uniform[2] + uniform[3];
    }
    return fmin(fmax(sum, -clip), clip);
}

static double draw_share(const grow_population *g, uint32_t stream, uint64_t index, double spread)
{
    return spread > 0 ? fmax(1 + spread * draw_normal(g, stream, index), least_part) : 1;
}

grow_variety grow_vary(const grow_population *g, uint32_t k)
{
    return (grow_variety){draw_share(g, GROW_STREAM_RADIUS, k, g->def.radius_spread),
                          draw_share(g, GROW_STREAM_STIFFNESS, k, g->def.stiffness_spread)};
}

double strand_length(const grow_population *g, uint32_t k)
{
    return g->def.length * draw_share(g, GROW_STREAM_LENGTH, k, g->def.length_spread);
}

// ---- curves

// A curve over the way z along its axis: the axis is an arc from `start`, along `along` at first and bending towards
// `lean`; about it winds a helix whose radius grows from 0 over the first turn, so that it leaves the root along the
// axis.
typedef struct curve {
    double start[3];                   // m
    double along[3], lean[3], side[3]; // right-handed unit vectors
    double bend;                       // 1/m, curvature of the axis
    double radius;                     // m, of the helix, reached after one turn; 0: none
    double pitch;                      // m per turn, > 0
    double sense;                      // +1 right-handed, -1 left-handed
    double phase;                      // rad, from `lean`
    drape_axis axis;                   // instead of the arc, where strands are draped
} curve;

static double curve_radius(const curve *c, double z)
{
    const double s = z < c->pitch ? z / c->pitch : 1;
    return c->radius * s * s * (3 - 2 * s);
}

static double curve_turn(const curve *c, double z)
{
    return c->phase + c->sense * two_pi * z / c->pitch;
}

// Arc length per way, |dx/dz|, as if the axis were straight: where it bends, edges on its outer side come out a little
// longer than those on its inner side, and all together as long as they should.
static double curve_stretch(const curve *c, double z)
{
    const double s = z < c->pitch ? z / c->pitch : 1;
    const double growth = c->radius / c->pitch * 6 * s * (1 - s), around = curve_radius(c, z) * two_pi / c->pitch;
    return sqrt(1 + growth * growth + around * around);
}

// The way after another `step` of arc length, by classical Runge-Kutta on dz/ds = 1 / |dx/dz|, which no longer changes
// after the first turn.
static double curve_advance(const curve *c, double z, double step)
{
    enum { SUBSTEPS = 4 };
    if (c->radius == 0)
        return z + step;
    if (z >= c->pitch)
        return z + step / curve_stretch(c, z);
    const double h = step / SUBSTEPS;
    for (int k = 0; k < SUBSTEPS; k++) {
        const double k1 = 1 / curve_stretch(c, z), k2 = 1 / curve_stretch(c, z + h / 2 * k1);
        const double k3 = 1 / curve_stretch(c, z + h / 2 * k2), k4 = 1 / curve_stretch(c, z + h * k3);
        z += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return z;
}

// Points are asked for from the root on.
static void curve_point(curve *c, double z, double point[3])
{
    double lean[3];
    vec_copy(point, c->start);
    vec_copy(lean, c->lean);
    if (c->axis.points != NULL) {
        drape_follow(&c->axis, z, point);
        vec_copy(lean, c->axis.lean);
        vec_cross(c->side, c->axis.along, lean);
    } else if (c->bend != 0) {
        const double half = c->bend * z / 2, reach = 2 * sin(half) / c->bend; // chord of the arc
        vec_axpy(point, reach * cos(half), c->along);
        vec_axpy(point, reach * sin(half), c->lean);
        vec_scale(lean, c->lean, cos(2 * half));
        vec_axpy(lean, -sin(2 * half), c->along);
    } else {
        vec_axpy(point, z, c->along);
    }
    if (c->radius == 0)
        return;
    const double turn = curve_turn(c, z), radius = curve_radius(c, z);
    vec_axpy(point, radius * cos(turn), lean);
    vec_axpy(point, radius * sin(turn), c->side);
}

// ---- where a strand leans

// What a curve is grown from: a strand (level -1), or the middle of a group.
typedef struct seedling {
    const grow_root *root;
    int level;
    uint32_t index;
} seedling;

static uint32_t stream_of(const seedling *from, uint32_t stream)
{
    return from->level < 0 ? stream : roots_stream(from->level, stream);
}

// What is drawn about a curve's turning is that of its clump, if it belongs to one: else what gathers would cross.
static seedling find_leader(const grow_population *g, const seedling *from)
{
    if (g->middles[GROW_CLUMPS] == NULL || from->level == GROW_CLUMPS)
        return *from;
    const uint32_t group = from->root->group[GROW_CLUMPS];
    return (seedling){&g->middles[GROW_CLUMPS][group], GROW_CLUMPS, group};
}

// Uniform numbers of a curve: its phase and azimuth as shares of a turn, and two that belong to it alone.
static void draw_turns(const grow_population *g, const seedling *from, double turns[4])
{
    const seedling leader = find_leader(g, from);
    double own[4];
    base_uniform4(g->def.seed, stream_of(&leader, GROW_STREAM_TURN), leader.index, turns);
    base_uniform4(g->def.seed, stream_of(from, GROW_STREAM_TURN), from->index, own);
    if (leader.root != from->root)
        turns[0] += phase_jitter * (own[0] - 0.5);
    turns[2] = own[2];
    turns[3] = own[3];
}

// A direction across `outward` that turns with the surface, by an azimuth from some other one.
static void find_azimuth(const grow_population *g, const seedling *from, const double outward[3], double azimuth,
                         double out[3])
{
    const seedling leader = find_leader(g, from);
    double first[3];
    const grow_spot spot = surface_spot(&g->def.surface, leader.root);
    const double *leading = g->def.along_up ? g->def.surface.up : spot.normal;
    vec_normal(first, leading);
    vec_rotate(out, first, leading, azimuth);
    if (comb_take_across(out, outward))
        return;
    vec_normal(out, outward);
}

static void find_lean(const grow_population *g, const seedling *from, const grow_spot *spot, const double outward[3],
                      double azimuth, double out[3])
{
    comb_way(&g->def, from->root, spot->point, out);
    if (!comb_take_across(out, outward))
        find_azimuth(g, from, outward, azimuth, out);
}

// ---- a strand by itself

static void set_curl(const grow_population *g, const seedling *from, double turn, curve *c)
{
    const grow_def *def = &g->def;
    const double spread = def->curl_spread;
    c->pitch = 1;
    c->sense = copysign(1, def->curl_pitch);
    if (def->curl_radius == 0)
        return;
    c->radius = def->curl_radius * draw_share(g, stream_of(from, GROW_STREAM_CURL_RADIUS), from->index, spread);
    c->pitch = fabs(def->curl_pitch) * draw_share(g, stream_of(from, GROW_STREAM_CURL_PITCH), from->index, spread);
    c->phase = def->curl_in_phase ? 0 : turn;
}

// The curve of a seedling that is `length` long in edges of length `edge`.
static curve make_curve(const grow_population *g, const seedling *from, double length, double edge)
{
    const grow_def *def = &g->def;
    const grow_spot spot = surface_spot(&def->surface, from->root);
    const double *outward = def->along_up ? def->surface.up : spot.normal;
    double turns[4], tilt = def->tilt, lay = def->lay, lean[3];
    draw_turns(g, from, turns);
    if (def->tilt_spread > 0)
        tilt += def->tilt_spread * draw_normal(g, stream_of(from, GROW_STREAM_TILT), from->index);
    if (def->lay_spread > 0)
        lay += def->lay_spread * draw_normal(g, stream_of(from, GROW_STREAM_LAY), from->index);
    curve c = {.bend = lay / length};
    find_lean(g, from, &spot, outward, two_pi * turns[1], lean);
    vec_copy(c.along, outward);
    vec_copy(c.lean, lean);
    if (tilt != 0) {
        vec_scale(c.along, outward, cos(tilt));
        vec_axpy(c.along, sin(tilt), lean);
        vec_scale(c.lean, lean, cos(tilt));
        vec_axpy(c.lean, -sin(tilt), outward);
    }
    vec_cross(c.side, c.along, c.lean);
    set_curl(g, from, two_pi * turns[0], &c);
    vec_copy(c.start, spot.point);
    vec_axpy(c.start, edge / 2, c.along); // of vertex 1, where the curve begins
    return c;
}

// The same, with an axis that drape has laid. A group's middle has the axis of the strand nearest to it.
static curve make_draped_curve(const grow_population *g, const drape *d, const seedling *from, double edge)
{
    const uint32_t strand = from->level < 0 ? from->index : d->leaders[from->level][from->index];
    double turns[4];
    draw_turns(g, from, turns);
    curve c = {.axis = drape_axis_of(d, strand)};
    vec_copy(c.along, c.axis.along);
    vec_copy(c.lean, c.axis.lean);
    vec_cross(c.side, c.along, c.lean);
    set_curl(g, from, two_pi * turns[0], &c);
    vec_copy(c.start, c.axis.root);
    vec_axpy(c.start, edge / 2, c.along);
    return c;
}

// ---- gathering

static double distance(const double a[3], const double b[3])
{
    double gap[3];
    vec_sub(gap, b, a);
    return vec_length(gap);
}

// Draws a strand towards the middle of its group, more and more from root to tip, and gives its edges their lengths
// back.
static void gather(const grow_population *g, const drape *d, const grow_root *root, int level, double length,
                   double edge, double (*points)[3])
{
    const uint32_t count = g->def.vertices;
    const seedling middle = {&g->middles[level][root->group[level]], level, root->group[level]};
    curve c = d != NULL ? make_draped_curve(g, d, &middle, edge) : make_curve(g, &middle, length, edge);
    double z = 0, before[3], target[3], last_target[3], last_direction[3];
    vec_copy(last_direction, c.along);
    if (d != NULL) { // a leader may set out another way
        vec_sub(last_direction, points[1], points[0]);
        vec_unit(last_direction, last_direction);
    }
    vec_copy(before, points[1]);
    vec_copy(last_target, points[1]);
    for (uint32_t i = 2; i < count; i++) {
        const double share = g->def.gather[level].strength * (i - 1) / (count - 2), chord = distance(before, points[i]);
        double centre[3], direction[3];
        z = curve_advance(&c, z, edge);
        curve_point(&c, z, centre);
        vec_scale(target, points[i], 1 - share);
        vec_axpy(target, share, centre);
        vec_sub(direction, target, last_target);
        if (vec_length(direction) < 1e-6 * edge)
            vec_sub(direction, points[i], before);
        vec_copy(before, points[i]);
        vec_copy(last_target, target);
        vec_unit(direction, direction);
        if (vec_dot(direction, last_direction) < sharpest_turn) // strands that pass each other must not fold
            vec_copy(direction, last_direction);
        vec_copy(last_direction, direction);
        vec_copy(points[i], points[i - 1]);
        vec_axpy(points[i], chord, direction);
    }
}

// Across a parting, where neighbours are combed apart, draped strands do not gather.
static bool is_apart(const grow_population *g, const drape *d, uint32_t k, int level)
{
    return d != NULL && vec_dot(d->ways[k], d->ways[d->leaders[level][g->roots[k].group[level]]]) < DRAPE_ALIKE;
}

// What a strand is before it is draped or as it stays. `d`: its axes, or NULL.
static void grow_curve(const grow_population *g, const drape *d, uint32_t k, double (*points)[3], double normal[3])
{
    const grow_def *def = &g->def;
    const seedling own = {&g->roots[k], -1, k};
    const double length = strand_length(g, k);
    const double edge = length / (def->vertices - 1.5); // n edges span n - 1/2 of the length
    curve c = d != NULL ? make_draped_curve(g, d, &own, edge) : make_curve(g, &own, length, edge);
    double turns[4], z = 0, side[3];
    vec_copy(side, c.side);
    vec_copy(points[0], c.start);
    vec_axpy(points[0], -edge, c.along);
    for (uint32_t i = 1; i < def->vertices; i++) {
        curve_point(&c, z, points[i]);
        z = curve_advance(&c, z, edge);
    }
    draw_turns(g, &own, turns);
    for (int level = GROW_LEVELS - 1; level >= 0; level--)
        if (g->middles[level] != NULL && turns[2 + level] >= def->gather[level].stray && !is_apart(g, d, k, level))
            gather(g, d, own.root, level, length, edge, points);
    vec_rotate(normal, side, c.along, c.phase);
}

void strand_drape(const grow_population *g, const drape *d, uint32_t k, double (*points)[3], double normal[3])
{
    grow_curve(g, d, k, points, normal);
}

void grow_strand(const grow_population *g, uint32_t k, double (*points)[3], double normal[3])
{
    const uint32_t count = g->def.vertices;
    if (g->draped == NULL) {
        grow_curve(g, NULL, k, points, normal);
        return;
    }
    const grow_spot spot = surface_spot(&g->def.surface, &g->roots[k]);
    const float(*from)[3] = (const float(*)[3])g->draped + (size_t)k * (count + 1);
    for (uint32_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            points[i][c] = spot.point[c] + (double)from[i][c];
    for (int c = 0; c < 3; c++)
        normal[c] = (double)from[count][c];
}
