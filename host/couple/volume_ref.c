// volume_ref: the grid in fp64, written from the equations: sums, blur, pressure, push, rubbing, wind.
#include "couple/volume.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// What a node knows.
typedef struct node {
    double room, mass;        // m^3, kg
    double momentum[3];       // kg m/s
    double expected[3];       // kg m/s, by velocities expected at the end of the step
    double carried;           // kg m^2/s^2, pressure over density times mass
    double drag;              // N s/m
    double filled;            // blurred share
    double pressure, pressed; // m^2/s^2, solved; blurred
    double right;             // m^2/s^2, right side of the solve
    double share;             // of the wind
    double depth;             // of hair that the wind has passed before the node's layer and in it, in units of L
} node;

struct volume_ref {
    const volume_plan *plan;
    volume_box box;
    node *nodes; // [capacity]
    double *next;
    volume_pair *pairs;
    uint64_t capacity;
    double (*push)[3];  // [vertex] N
    double (*boost)[3]; // [vertex] m/s, by rubbing
    double *share;      // [vertex]
    double *pressure;   // [vertex] of samples
};

// Where a sample is, and the nodes around it.
typedef struct sample {
    uint64_t first, second; // vertices
    double place;           // share of the second
    uint64_t node[8];
    double weight[8];
    double slope[8][3]; // 1/m, gradients of the weights
} sample;

// ---- memory

sheaf_status volume_ref_open(const volume_plan *plan, volume_ref **made)
{
    const uint64_t count = plan->model->vertex_count;
    volume_ref *it = base_alloc(1, sizeof *it);
    *made = it;
    if (it == NULL)
        return SHEAF_ERR_MEMORY;
    it->plan = plan;
    it->push = base_alloc(count, sizeof *it->push);
    it->boost = base_alloc(count, sizeof *it->boost);
    it->share = base_alloc(count, sizeof *it->share);
    it->pressure = base_alloc(count, sizeof *it->pressure);
    if (it->push == NULL || it->boost == NULL || it->share == NULL || it->pressure == NULL) {
        volume_ref_close(it);
        *made = NULL;
        return SHEAF_ERR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++)
        it->share[i] = 1;
    return SHEAF_OK;
}

static void free_nodes(volume_ref *it)
{
    base_free(it->nodes);
    base_free(it->next);
    base_free(it->pairs);
    it->nodes = NULL;
    it->next = NULL;
    it->pairs = NULL;
    it->capacity = 0;
}

void volume_ref_close(volume_ref *it)
{
    if (it == NULL)
        return;
    free_nodes(it);
    base_free(it->push);
    base_free(it->boost);
    base_free(it->share);
    base_free(it->pressure);
    base_free(it);
}

const double (*volume_ref_push(const volume_ref *it))[3]
{
    return (const double(*)[3])it->push;
}

const double *volume_ref_share(const volume_ref *it)
{
    return it->share;
}

double *volume_ref_pressure(volume_ref *it)
{
    return it->pressure;
}

static sheaf_status make_room(volume_ref *it)
{
    const uint64_t count = volume_box_nodes(&it->box);
    if (count > it->capacity) {
        free_nodes(it);
        it->nodes = base_alloc(count, sizeof *it->nodes);
        it->next = base_alloc(count, sizeof *it->next);
        it->pairs = base_alloc(count, sizeof *it->pairs);
        if (it->nodes == NULL || it->next == NULL || it->pairs == NULL)
            return SHEAF_ERR_MEMORY;
        it->capacity = count;
    }
    memset(it->nodes, 0, count * sizeof *it->nodes);
    return SHEAF_OK;
}

// ---- samples

static void sample_point(const volume_ref *it, const double (*x)[3], uint64_t first, uint64_t second, double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = x[first][c] + it->plan->place[first] * (x[second][c] - x[first][c]);
}

static bool is_finite(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

// Calls fn for every sample that has a place.
typedef void sample_fn(volume_ref *it, const sample *s, volume_motion motion);

static void aim(const volume_ref *it, const double point[3], sample *s)
{
    double near[3], cell = it->plan->cell;
    int64_t low[3];
    for (int c = 0; c < 3; c++) {
        const double at = point[c] / cell;
        low[c] = (int64_t)floor(at) - it->box.low[c];
        near[c] = at - floor(at);
    }
    for (int k = 0; k < 8; k++) {
        double w[3], d[3];
        for (int c = 0; c < 3; c++) {
            const bool far = k >> c & 1;
            w[c] = far ? near[c] : 1 - near[c];
            d[c] = (far ? 1 : -1) / cell;
        }
        s->weight[k] = w[0] * w[1] * w[2];
        vec_set(s->slope[k], d[0] * w[1] * w[2], w[0] * d[1] * w[2], w[0] * w[1] * d[2]);
        s->node[k] = ((uint64_t)(low[2] + (k >> 2 & 1)) * it->box.size[1] + (uint64_t)(low[1] + (k >> 1 & 1))) *
                         it->box.size[0] +
                     (uint64_t)(low[0] + (k & 1));
    }
}

static void for_each_sample(volume_ref *it, volume_motion motion, sample_fn *fn)
{
    const sheaf_model *model = it->plan->model;
    for (uint32_t strand = 0; strand < model->strand_count; strand++)
        for (uint64_t j = model->first_vertex[strand]; j < model->first_vertex[strand + 1]; j++) {
            double point[3];
            sample s = {.first = j, .second = volume_next(model, strand, j), .place = it->plan->place[j]};
            if (it->plan->mass[j] == 0)
                continue;
            sample_point(it, (const double(*)[3])motion.position, s.first, s.second, point);
            if (!is_finite(point))
                continue;
            aim(it, point, &s);
            fn(it, &s, motion);
        }
}

static sheaf_status frame(volume_ref *it, volume_motion motion)
{
    const sheaf_model *model = it->plan->model;
    int64_t first[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, last[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s + 1]; j++) {
            double point[3];
            if (it->plan->mass[j] == 0)
                continue;
            sample_point(it, (const double(*)[3])motion.position, j, volume_next(model, s, j), point);
            for (int c = 0; c < 3 && is_finite(point); c++) {
                const double cell = fmax(fmin(floor(point[c] / it->plan->cell), 1e15), -1e15);
                first[c] = (int64_t)cell < first[c] ? (int64_t)cell : first[c];
                last[c] = (int64_t)cell > last[c] ? (int64_t)cell : last[c];
            }
        }
    if (first[0] > last[0])
        return base_fail(SHEAF_ERR_DIVERGED, "touch: volume: no strand is where a number could say it");
    SHEAF_TRY(volume_box_make(first, last, it->plan->cell, &it->box));
    return make_room(it);
}

static double between(const sample *s, double (*v)[3], int c)
{
    return (1 - s->place) * v[s->first][c] + s->place * v[s->second][c];
}

// Sums at the nodes. The velocity expected at the end of the step is 2 v_n - v_(n-1).
static void scatter(volume_ref *it, const sample *s, volume_motion motion)
{
    const volume_plan *plan = it->plan;
    const uint64_t j = s->first;
    for (int k = 0; k < 8; k++) {
        node *n = &it->nodes[s->node[k]];
        const double mass = s->weight[k] * plan->mass[j];
        n->room += s->weight[k] * plan->room[j];
        n->mass += mass;
        n->carried += mass * it->pressure[j];
        n->drag += s->weight[k] * plan->drag[j];
        for (int c = 0; c < 3; c++) {
            const double now = between(s, motion.velocity, c);
            n->momentum[c] += mass * now;
            n->expected[c] += mass * (2 * now - between(s, motion.last_velocity, c));
        }
    }
}

// ---- nodes

typedef void node_fn(volume_ref *it, uint64_t g);

// All nodes but those of the rim, where nothing ever is.
static void for_each_node(volume_ref *it, node_fn *fn)
{
    const uint32_t *size = it->box.size;
    for (uint32_t z = 1; z + 1 < size[2]; z++)
        for (uint32_t y = 1; y + 1 < size[1]; y++)
            for (uint32_t x = 1; x + 1 < size[0]; x++)
                fn(it, ((uint64_t)z * size[1] + y) * size[0] + x);
}

static uint64_t stride_of(const volume_ref *it, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? it->box.size[0] : (uint64_t)it->box.size[0] * it->box.size[1];
}

// [1/4 1/2 1/4] along x, y and z of a number at offset `member` of the nodes.
static double blurred(const volume_ref *it, uint64_t g, size_t member)
{
    double sum = 0;
    for (int k = 0; k < 27; k++) {
        const int d[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const node *n = &it->nodes[(int64_t)g + d[0] * (int64_t)stride_of(it, 0) + d[1] * (int64_t)stride_of(it, 1) +
                                   d[2] * (int64_t)stride_of(it, 2)];
        const double weight = (d[0] ? 0.25 : 0.5) * (d[1] ? 0.25 : 0.5) * (d[2] ? 0.25 : 0.5);
        sum += weight * *(const double *)(const void *)((const char *)n + member);
    }
    return sum;
}

static void fill_node(volume_ref *it, uint64_t g)
{
    node *n = &it->nodes[g];
    n->filled = blurred(it, g, offsetof(node, room)) / pow(it->plan->cell, 3);
    n->pressure = n->mass > 0 ? n->carried / n->mass : 0;
}

static double flux(const node *n, int c)
{
    return n->mass > 0 ? n->filled * n->expected[c] / n->mass : 0;
}

// c^2 (excess - h div(a v*)) - s lap(P_n): implicit Euler of a wave; lap(P_n) is there because v* holds already what
// P_n does.
static void right_side(volume_ref *it, uint64_t g)
{
    const volume_plan *plan = it->plan;
    const double square = plan->speed * plan->speed, s = pow(plan->speed * plan->step / plan->cell, 2);
    node *n = &it->nodes[g];
    double divergence = 0, laplacian = 0;
    for (int c = 0; c < 3; c++) {
        const node *ahead = &it->nodes[g + stride_of(it, c)], *behind = &it->nodes[g - stride_of(it, c)];
        divergence += (flux(ahead, c) - flux(behind, c)) / (2 * plan->cell);
        laplacian += ahead->pressure + behind->pressure - 2 * n->pressure;
    }
    n->right = square * (n->filled - 1 - plan->step * divergence) - s * laplacian;
}

static void sweep_node(volume_ref *it, uint64_t g)
{
    const double s = pow(it->plan->speed * it->plan->step / it->plan->cell, 2);
    double around = 0;
    for (int c = 0; c < 3; c++)
        around += it->nodes[g + stride_of(it, c)].pressure + it->nodes[g - stride_of(it, c)].pressure;
    it->next[g] = it->nodes[g].mass > 0 ? fmax(0, (it->nodes[g].right + s * around) / (1 + 6 * s)) : 0;
}

static void accept_node(volume_ref *it, uint64_t g)
{
    it->nodes[g].pressure = it->next[g];
}

static void blur_pressure(volume_ref *it, uint64_t g)
{
    it->nodes[g].pressed = blurred(it, g, offsetof(node, pressure));
}

static void solve(volume_ref *it)
{
    for_each_node(it, right_side);
    for (uint32_t k = 0; k < it->plan->sweeps; k++) {
        for_each_node(it, sweep_node);
        for_each_node(it, accept_node);
    }
    for_each_node(it, blur_pressure);
}

// ---- back to the strands

// Force -rho V grad(S P), carried pressure, and the boost by which the sample comes nearer to the velocity around it.
static void gather(volume_ref *it, const sample *s, volume_motion motion)
{
    const volume_plan *plan = it->plan;
    const sheaf_model *model = plan->model;
    const uint64_t j = s->first;
    double force[3] = {0}, boost[3] = {0}, carried = 0;
    for (int k = 0; k < 8; k++) {
        const node *n = &it->nodes[s->node[k]];
        const double grip = plan->rub * s->weight[k] * fmin(1, n->filled);
        vec_axpy(force, -plan->reference * plan->room[j] * n->pressed, s->slope[k]);
        carried += s->weight[k] * n->pressure;
        for (int c = 0; c < 3 && n->mass > 0; c++) // none: of weight 0, where all samples lie on a plane of the grid
            boost[c] += grip * (n->momentum[c] / n->mass - between(s, motion.velocity, c));
    }
    it->pressure[j] = carried;
    vec_axpy(it->push[s->first], 1 - s->place, force);
    vec_axpy(it->push[s->second], s->place, force);
    vec_axpy(it->boost[s->first], plan->mass[j] * (1 - s->place) / model->mass[s->first], boost);
    vec_axpy(it->boost[s->second], plan->mass[j] * s->place / model->mass[s->second], boost);
}

// BDF2 sees a plain change of speed when all its history is boosted.
static void apply_boost(volume_ref *it, volume_motion motion)
{
    for (uint64_t i = 0; i < it->plan->model->vertex_count; i++) {
        if (it->plan->held[i])
            continue;
        vec_add(motion.velocity[i], motion.velocity[i], it->boost[i]);
        vec_add(motion.last_velocity[i], motion.last_velocity[i], it->boost[i]);
        vec_axpy(motion.move[i], it->plan->step, it->boost[i]);
    }
}

// ---- wind

// Depth of hair that the wind has passed where it comes into a node's layer: that of the layer before, where it came
// from.
static double depth_before(const volume_ref *it, const int64_t place[3], int axis, const double wind[3])
{
    const int side = wind[axis] > 0 ? -1 : 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
    const double at[2] = {(double)place[u] - wind[u] / fabs(wind[axis]), (double)place[v] - wind[v] / fabs(wind[axis])};
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        const double low[2] = {floor(at[0]), floor(at[1])};
        const int64_t a = (int64_t)low[0] + (k & 1), b = (int64_t)low[1] + (k >> 1);
        const double weight =
            ((k & 1) ? at[0] - low[0] : 1 - at[0] + low[0]) * ((k >> 1) ? at[1] - low[1] : 1 - at[1] + low[1]);
        if (a < 0 || b < 0 || a >= it->box.size[u] || b >= it->box.size[v])
            continue;
        sum += weight * it->nodes[(uint64_t)(place[axis] + side) * stride_of(it, axis) +
                                  (uint64_t)a * stride_of(it, u) + (uint64_t)b * stride_of(it, v)]
                            .depth;
    }
    return sum;
}

// One layer of nodes across the wind's main axis; t is the depth of the node's own cell.
static void shade_layer(volume_ref *it, int64_t layer, int axis, const double wind[3])
{
    const volume_plan *plan = it->plan;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    int64_t place[3];
    place[axis] = layer;
    for (place[u] = 0; place[u] < it->box.size[u]; place[u]++)
        for (place[v] = 0; place[v] < it->box.size[v]; place[v]++) {
            node *n = &it->nodes[(uint64_t)place[0] * stride_of(it, 0) + (uint64_t)place[1] * stride_of(it, 1) +
                                 (uint64_t)place[2] * stride_of(it, 2)];
            const bool is_first = layer == (wind[axis] > 0 ? 0 : it->box.size[axis] - 1);
            const double before = is_first ? 0 : depth_before(it, place, axis, wind);
            const double t = 2 * n->drag / (plan->cell * plan->cell) / (VOLUME_AIR_DENSITY * fabs(wind[axis]));
            n->share = exp(-before) * (t > 1e-6 ? -expm1(-t) / t : 1);
            n->depth = before + t;
        }
}

static void add_share(volume_ref *it, const sample *s, volume_motion motion)
{
    const sheaf_model *model = it->plan->model;
    const double mass = it->plan->mass[s->first];
    double share = 0;
    (void)motion;
    for (int k = 0; k < 8; k++)
        share += s->weight[k] * it->nodes[s->node[k]].share;
    it->share[s->first] += mass * (1 - s->place) / model->mass[s->first] * share;
    it->share[s->second] += mass * s->place / model->mass[s->second] * share;
}

static void shade(volume_ref *it, volume_motion motion, double time)
{
    double center[3], wind[3];
    for (int c = 0; c < 3; c++)
        center[c] = ((double)it->box.low[c] + (it->box.size[c] - 1) / 2.0) * it->plan->cell;
    volume_wind(it->plan->model, center, time, wind);
    const bool is_calm = vec_length(wind) == 0;
    for (uint64_t i = 0; i < it->plan->model->vertex_count; i++)
        it->share[i] = is_calm ? 1 : 0;
    if (is_calm)
        return;
    int axis = 0;
    for (int c = 1; c < 3; c++)
        axis = fabs(wind[c]) > fabs(wind[axis]) ? c : axis;
    const int64_t count = it->box.size[axis];
    for (int64_t k = 0; k < count; k++)
        shade_layer(it, wind[axis] > 0 ? k : count - 1 - k, axis, wind);
    for_each_sample(it, motion, add_share);
}

// ---- a step

sheaf_status volume_ref_act(volume_ref *it, volume_motion motion, double time)
{
    const uint64_t count = it->plan->model->vertex_count;
    SHEAF_TRY(frame(it, motion));
    for_each_sample(it, motion, scatter);
    if (it->plan->shields)
        shade(it, motion, time);
    if (!it->plan->presses)
        return SHEAF_OK;
    for_each_node(it, fill_node);
    solve(it);
    memset(it->push, 0, count * sizeof *it->push);
    memset(it->boost, 0, count * sizeof *it->boost);
    for_each_sample(it, motion, gather);
    apply_boost(it, motion);
    return SHEAF_OK;
}

static double mean_share(const volume_ref *it)
{
    const sheaf_model *model = it->plan->model;
    double mass = 0, sum = 0;
    for (uint64_t i = 0; i < model->vertex_count; i++) {
        mass += model->mass[i];
        sum += model->mass[i] * it->share[i];
    }
    return sum / mass;
}

sheaf_status volume_ref_measure(volume_ref *it, volume_motion motion, double time, volume_figures *figures)
{
    SHEAF_TRY(frame(it, motion));
    for_each_sample(it, motion, scatter);
    for_each_node(it, fill_node);
    if (it->plan->shields)
        shade(it, motion, time);
    const uint64_t nodes = volume_box_nodes(&it->box);
    for (uint64_t g = 0; g < nodes; g++)
        it->pairs[g] = (volume_pair){it->nodes[g].filled, it->nodes[g].mass};
    volume_sum_up(it->plan, it->pairs, nodes, figures);
    figures->pressure_most = 0;
    for (uint64_t j = 0; j < it->plan->model->vertex_count; j++)
        figures->pressure_most = fmax(figures->pressure_most, it->plan->reference * it->pressure[j]);
    figures->wind_share = mean_share(it);
    return SHEAF_OK;
}
