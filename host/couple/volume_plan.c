// volume_plan: masses, rooms and drags of samples, and the numbers of the grid.
#include "couple/volume.h"

#include "base/vec.h"
#include "strand/balance.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

bool volume_is_wanted(const sheaf_model *model)
{
    return model->volume.is_on || model->volume.shields;
}

// ---- boxes

sheaf_status volume_box_make(const int64_t first[3], const int64_t last[3], double cell, volume_box *box)
{
    double nodes = 1;
    for (int c = 0; c < 3; c++) {
        const double size = (double)(last[c] - first[c]) + 2 + 2 * VOLUME_MARGIN; // a cell has two nodes
        nodes *= size;
        box->low[c] = first[c] - VOLUME_MARGIN;
        box->size[c] = size < VOLUME_NODES_MOST ? (uint32_t)size : VOLUME_NODES_MOST;
    }
    if (nodes <= VOLUME_NODES_MOST)
        return SHEAF_OK;
    return base_fail(
        SHEAF_ERR_LIMIT,
        "the strands reach over %.3g cells of %.4g mm, and a grid has at most %d: give larger cells in `touch: "
        "volume`, or look for strands that fly off",
        nodes, 1000 * cell, VOLUME_NODES_MOST);
}

void volume_wind(const sheaf_model *model, const double center[3], double time, double wind[3])
{
    vec_copy(wind, model->def.wind);
    if (vec_length(wind) < VOLUME_LEAST_WIND)
        for (uint32_t k = 0; k < model->gust_count; k++)
            vec_axpy(wind, sin(2 * pi * model_gust_phase(model, &model->gusts[k], center, time)),
                     model->gusts[k].swing);
    if (vec_length(wind) < VOLUME_LEAST_WIND)
        vec_set(wind, 0, 0, 0);
}

// ---- samples

static uint32_t edge_count(const sheaf_model *model, uint32_t strand)
{
    return model_vertex_count(model, strand) - (model->strands[strand].closed ? 0 : 1);
}

// Share of vertex i's mass that goes to the edge after it: by the lengths of the edges on both sides.
static double share_after(const sheaf_model *model, uint32_t strand, uint64_t i)
{
    const uint64_t first = model->first_vertex[strand], last = first + edge_count(model, strand);
    const bool closed = model->strands[strand].closed;
    if (!closed && i == first)
        return 1;
    if (!closed && i == last)
        return 0;
    const double before = model->rest_length[i > first ? i - 1 : last - 1], after = model->rest_length[i];
    return after / (before + after);
}

// A sample lies at the centre of the mass that its vertices give it, so that what acts on samples adds up to what acts
// on vertices.
static void fill_samples(volume_plan *plan, uint32_t strand)
{
    const sheaf_model *model = plan->model;
    const model_strand *s = &model->strands[strand];
    const uint64_t first = model->first_vertex[strand];
    for (uint64_t j = first; j < first + edge_count(model, strand); j++) {
        const uint64_t next = volume_next(model, strand, j);
        const double here = model->mass[j] * share_after(model, strand, j);
        const double there = model->mass[next] * (1 - share_after(model, strand, next));
        plan->mass[j] = here + there;
        plan->place[j] = there / plan->mass[j];
        plan->drag[j] = model->groups[s->group].stands_for * s->drag * plan->mass[j] / s->line_mass;
    }
}

static void mark_held(volume_plan *plan, uint32_t strand)
{
    const model_strand *s = &plan->model->strands[strand];
    const uint64_t first = plan->model->first_vertex[strand], last = plan->model->first_vertex[strand + 1] - 1;
    plan->held[first] |= s->root->hold_position;
    plan->held[first + 1] |= s->root->hold_position && s->root->hold_tangent;
    plan->held[last] |= s->tip->hold_position;
    plan->held[last - 1] |= s->tip->hold_position && s->tip->hold_tangent;
}

// A power of two, so that it does not hang on the order in which masses are added.
static double mean_mass(const volume_plan *plan)
{
    double sum = 0, count = 0;
    for (uint64_t j = 0; j < plan->model->vertex_count; j++) {
        sum += plan->mass[j];
        count += plan->mass[j] > 0;
    }
    return exp2(floor(log2(sum / count)));
}

// ---- density of the groom

// The cell of every sample at the start, and its place in it.
static void sample_at_start(const volume_plan *plan, uint32_t strand, uint64_t j, int64_t cell[3], double within[3])
{
    const double(*x)[3] = (const double(*)[3])plan->model->position;
    const uint64_t next = volume_next(plan->model, strand, j);
    for (int c = 0; c < 3; c++) {
        const double at = (x[j][c] + plan->place[j] * (x[next][c] - x[j][c])) / plan->cell;
        cell[c] = (int64_t)floor(at);
        within[c] = at - floor(at);
    }
}

typedef struct start_grid {
    const volume_plan *plan;
    volume_box box;
    int64_t *mass;      // [node] in units of plan->mean_mass / 2^30: sums do not hang on the order of strands
    double *density;    // [node] kg/m^3, blurred
    volume_pair *pairs; // [node]
} start_grid;

static sheaf_status frame_groom(start_grid *it)
{
    const sheaf_model *model = it->plan->model;
    int64_t first[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, last[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++) {
            int64_t cell[3];
            double within[3];
            sample_at_start(it->plan, s, j, cell, within);
            for (int c = 0; c < 3; c++) {
                first[c] = cell[c] < first[c] ? cell[c] : first[c];
                last[c] = cell[c] > last[c] ? cell[c] : last[c];
            }
        }
    return volume_box_make(first, last, it->plan->cell, &it->box);
}

static uint64_t node_at(const volume_box *box, const int64_t node[3])
{
    uint64_t index = 0;
    for (int c = 2; c >= 0; c--)
        index = index * box->size[c] + (uint64_t)(node[c] - box->low[c]);
    return index;
}

static void lay_sample(start_grid *it, uint32_t s, uint64_t j)
{
    int64_t cell[3];
    double within[3];
    sample_at_start(it->plan, s, j, cell, within);
    for (int corner = 0; corner < 8; corner++) {
        double weight = it->plan->mass[j] / it->plan->mean_mass * 1073741824.0;
        int64_t node[3];
        for (int c = 0; c < 3; c++) {
            const int far = corner >> c & 1;
            node[c] = cell[c] + far;
            weight *= far ? within[c] : 1 - within[c];
        }
        it->mass[node_at(&it->box, node)] += (int64_t)llrint(weight);
    }
}

// Blurred by [1/4 1/2 1/4] along every axis: whole numbers until the end.
static void blur_groom(start_grid *it)
{
    const uint32_t *size = it->box.size;
    const double unit = it->plan->mean_mass / 1073741824.0, volume = pow(it->plan->cell, 3);
    for (uint32_t z = 1; z + 1 < size[2]; z++)
        for (uint32_t y = 1; y + 1 < size[1]; y++)
            for (uint32_t x = 1; x + 1 < size[0]; x++) {
                int64_t sum = 0;
                for (uint32_t k = 0; k < 27; k++) {
                    const uint32_t dx = k % 3, dy = k / 3 % 3, dz = k / 9;
                    const uint64_t g = ((uint64_t)(z + dz - 1) * size[1] + (y + dy - 1)) * size[0] + (x + dx - 1);
                    sum += it->mass[g] << ((dx == 1) + (dy == 1) + (dz == 1));
                }
                it->density[((uint64_t)z * size[1] + y) * size[0] + x] = (double)sum / 64 * unit / volume;
            }
}

// The largest density of all nodes that a sample reaches, also by the blur: then no node is overfull at first.
static double density_around(const start_grid *it, uint32_t s, uint64_t j)
{
    int64_t cell[3];
    double within[3], most = 0;
    sample_at_start(it->plan, s, j, cell, within);
    for (int k = 0; k < 64; k++) {
        const int64_t node[3] = {cell[0] + k % 4 - 1, cell[1] + k / 4 % 4 - 1, cell[2] + k / 16 - 1};
        most = fmax(most, it->density[node_at(&it->box, node)]);
    }
    return most;
}

// Rooms by the groom's own density; thin places count as half as dense as the groom. A little less than that, so that
// rounding on a device leaves no node overfull.
static void rooms_of_groom(volume_plan *plan, const start_grid *it)
{
    const sheaf_model *model = plan->model;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++)
            plan->room[j] = plan->mass[j] / fmax(density_around(it, s, j), plan->reference / 2) * (1 - 4e-6);
}

// Volume of the hairs that a kilogram of a strand stands for, m^3/kg; 0: its radius is not known.
static double hair_volume(const sheaf_model *model, uint32_t strand)
{
    const model_strand *s = &model->strands[strand];
    const double radius = model->radius[model->first_vertex[strand]];
    return model->groups[s->group].stands_for * pi * radius * radius / s->line_mass;
}

// Rooms by a share of space.
static sheaf_status rooms_by_fraction(volume_plan *plan, double fraction)
{
    const sheaf_model *model = plan->model;
    double mass = 0, room = 0;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const double each = hair_volume(model, s) / fraction;
        if (!(each > 0))
            return base_fail(
                SHEAF_ERR_INPUT,
                "touch: volume: the radius of strand %u is not known, so that no share of space can be said: "
                "give its material a radius and a density, or use `fraction: groom`",
                model->strands[s].number);
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++) {
            plan->room[j] = plan->mass[j] * each;
            mass += plan->mass[j];
            room += plan->room[j];
        }
    }
    plan->reference = (double)(float)(mass / room); // rounded: it must not hang on the order of strands
    return SHEAF_OK;
}

static double largest_density(const start_grid *it)
{
    double most = 0;
    for (uint64_t g = 0; g < volume_box_nodes(&it->box); g++)
        most = fmax(most, it->density[g]);
    return most;
}

// Numbers for people: how densely the groom fills space, and how soon it stops the wind.
static void describe(volume_plan *plan, const start_grid *it)
{
    const sheaf_model *model = plan->model;
    double mass = 0, drag = 0, hair = 0, weighted = 0, all = 0;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++) {
            mass += plan->mass[j];
            drag += plan->drag[j];
            hair += plan->mass[j] * hair_volume(model, s);
        }
    for (uint64_t g = 0; g < volume_box_nodes(&it->box); g++) {
        weighted += (double)it->mass[g] * it->density[g];
        all += (double)it->mass[g];
    }
    const double mean = weighted / all, speed = vec_length(model->def.wind);
    plan->fill = mean * hair / mass;
    plan->depth = drag > 0 && plan->shields ? VOLUME_AIR_DENSITY * speed / (2 * mean * drag / mass) : INFINITY;
}

static sheaf_status look_at_groom(volume_plan *plan, start_grid *it)
{
    const sheaf_model *model = plan->model;
    SHEAF_TRY(frame_groom(it));
    const uint64_t nodes = volume_box_nodes(&it->box);
    it->mass = base_alloc(nodes, sizeof *it->mass);
    it->density = base_alloc(nodes, sizeof *it->density);
    it->pairs = base_alloc(nodes, sizeof *it->pairs);
    if (it->mass == NULL || it->density == NULL || it->pairs == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++)
            lay_sample(it, s, j);
    blur_groom(it);
    for (uint64_t g = 0; g < nodes; g++)
        it->pairs[g] = (volume_pair){it->density[g], (double)it->mass[g]};
    plan->reference = volume_quantile(it->pairs, nodes, 0.9);
    describe(plan, it);
    if (!(model->volume.fraction > 0)) {
        rooms_of_groom(plan, it);
        return SHEAF_OK;
    }
    SHEAF_TRY(rooms_by_fraction(plan, model->volume.fraction));
    plan->crowding = largest_density(it) / plan->reference;
    return SHEAF_OK;
}

// ---- sums

static int compare_pairs(const void *a, const void *b)
{
    const volume_pair *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

double volume_quantile(volume_pair *pairs, uint64_t count, double share)
{
    double all = 0, sum = 0;
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (uint64_t k = 0; k < count; k++)
        all += pairs[k].weight;
    for (uint64_t k = 0; k < count; k++) {
        sum += pairs[k].weight;
        if (sum >= share * all && pairs[k].weight > 0)
            return pairs[k].value;
    }
    return 0;
}

void volume_sum_up(const volume_plan *plan, volume_pair *nodes, uint64_t count, volume_figures *figures)
{
    const double cell = pow(plan->cell, 3), stiffness = plan->reference * plan->speed * plan->speed;
    double mass = 0, filled = 0;
    figures->filled_q99 = volume_quantile(nodes, count, 0.99);
    figures->squeeze = 0;
    for (uint64_t k = 0; k < count; k++) {
        const double excess = fmax(0, nodes[k].value - 1);
        figures->squeeze += cell * stiffness * excess * excess / 2;
        mass += nodes[k].weight;
        filled += nodes[k].weight * nodes[k].value;
    }
    figures->filled_mean = mass > 0 ? filled / mass : 0;
    if (!plan->presses)
        figures->squeeze = 0;
}

// Only strands of one part have a grid, so that nothing is joined by maxima.
uint32_t volume_name_figures(const volume_plan *plan, const volume_figures *sums, method_figure *figures)
{
    uint32_t count = 0;
    if (plan->presses) {
        figures[count++] = (method_figure){"squeeze_J", METHOD_JOIN_SUM, true, sums->squeeze};
        figures[count++] = (method_figure){"filled_mean", METHOD_JOIN_MAX, false, sums->filled_mean};
        figures[count++] = (method_figure){"filled_q99", METHOD_JOIN_MAX, false, sums->filled_q99};
        figures[count++] = (method_figure){"pressure_max_Pa", METHOD_JOIN_MAX, false, sums->pressure_most};
    }
    if (plan->shields)
        figures[count++] = (method_figure){"wind_fraction", METHOD_JOIN_MAX, false, sums->wind_share};
    return count;
}

// ---- the whole

static sheaf_status check_edges(const volume_plan *plan)
{
    const sheaf_model *model = plan->model;
    for (uint32_t s = 0; s < model->strand_count; s++)
        for (uint64_t j = model->first_vertex[s]; j < model->first_vertex[s] + edge_count(model, s); j++)
            if (model->rest_length[j] > plan->cell * (1 + 1e-9))
                return base_fail(
                    SHEAF_ERR_INPUT,
                    "touch: volume: an edge of strand %u is %.4g mm long, and cells are %.4g mm: give larger "
                    "cells, or the strand more vertices",
                    model->strands[s].number, 1000 * model->rest_length[j], 1000 * plan->cell);
    return SHEAF_OK;
}

static sheaf_status allocate(volume_plan *plan)
{
    const uint64_t count = plan->model->vertex_count;
    plan->mass = base_alloc(count, sizeof *plan->mass);
    plan->place = base_alloc(count, sizeof *plan->place);
    plan->room = base_alloc(count, sizeof *plan->room);
    plan->drag = base_alloc(count, sizeof *plan->drag);
    plan->held = base_alloc(count, sizeof *plan->held);
    return plan->mass && plan->place && plan->room && plan->drag && plan->held ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status fill(volume_plan *plan)
{
    start_grid it = {.plan = plan};
    SHEAF_TRY(allocate(plan));
    SHEAF_TRY(check_edges(plan));
    for (uint32_t s = 0; s < plan->model->strand_count; s++) {
        fill_samples(plan, s);
        mark_held(plan, s);
    }
    plan->mean_mass = mean_mass(plan);
    const sheaf_status status = look_at_groom(plan, &it);
    base_free(it.mass);
    base_free(it.density);
    base_free(it.pairs);
    return status;
}

sheaf_status volume_plan_make(const sheaf_model *model, double step, volume_plan *plan)
{
    const scene_volume *wish = &model->volume;
    const double most = wish->cell / step;
    *plan = (volume_plan){.model = model,
                          .presses = wish->is_on,
                          .shields = wish->shields,
                          .cell = wish->cell,
                          .step = step,
                          .speed = fmin(wish->speed > 0 ? wish->speed : VOLUME_SPEED_MOST, most),
                          .rub = wish->is_on ? -expm1(-wish->rub * step) : 0,
                          .sweeps = wish->is_on ? wish->sweeps : 0};
    if (!model_has_arrays(model))
        return base_fail(SHEAF_ERR_INPUT,
                         "touch: volume is for at most %d vertices, and there are %llu: simulate fewer strands",
                         MODEL_ARRAYS_MOST, (unsigned long long)model->vertex_count);
    const sheaf_status status = fill(plan);
    if (status != SHEAF_OK)
        volume_plan_free(plan);
    return status;
}

void volume_plan_free(volume_plan *plan)
{
    base_free(plan->mass);
    base_free(plan->place);
    base_free(plan->room);
    base_free(plan->drag);
    base_free(plan->held);
    *plan = (volume_plan){0};
}

void volume_plan_tell(const volume_plan *plan)
{
    const scene_volume *wish = &plan->model->volume;
    if (plan->presses && wish->speed > plan->speed * (1 + 1e-9))
        base_log(SHEAF_LOG_NOTICE,
                 "touch: volume: a speed of %.3g m/s is more than a cell per step; %.3g m/s is used. Larger cells or "
                 "smaller "
                 "steps allow more",
                 wish->speed, plan->speed);
    if (plan->presses && plan->crowding > 1 && balance_is_wanted_anywhere(plan->model))
        base_log(SHEAF_LOG_WARNING,
                 "touch: volume: strands that are sag-free are balanced against gravity alone, and where hair is "
                 "densest it starts %.3g times as dense as `fraction` wants: they will be pushed off their places. "
                 "`fraction: groom` keeps them there, or a larger share",
                 plan->crowding);
    if (plan->presses && wish->rub == 0)
        base_log(SHEAF_LOG_NOTICE, "touch: volume: with `rub: 0` nothing calms hair that is shaken; 3 1/s is enough");
}
