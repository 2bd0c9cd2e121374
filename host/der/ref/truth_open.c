// truth_open: what of a step truth solves for: which unknowns there are, where the ends go, and what the time formula
// takes from the steps before.
#include <string.h>

#include "base/vec.h"
#include "der/ref/truth_system.h"

// ---- memory

static sheaf_status allocate(truth_system *t)
{
    const size_t n = t->rod->vertex_count, most = 6 * n;
    double *numbers = t->memory[0] = base_alloc(n, (7 * 3 + 5 + 3) * sizeof(double));
    uint32_t *indices = t->memory[1] = base_alloc(n, (5 + 3) * sizeof(uint32_t));
    t->freedoms = t->memory[2] = base_alloc(3 * n, sizeof *t->freedoms);
    double *system = t->memory[3] =
        base_alloc(most, (TRUTH_COLUMN + 3) * sizeof(double) + sizeof(int32_t) + sizeof(bool));
    t->edges = base_alloc(n, sizeof *t->edges);
    if (!numbers || !indices || !t->freedoms || !system || !t->edges)
        return SHEAF_ERR_MEMORY;
    double(*vectors)[3] = (double(*)[3])numbers;
    t->end = vectors, t->target = vectors + n, t->tangent = vectors + 2 * n, t->director = vectors + 3 * n;
    t->x = vectors + 4 * n; // two more serve place_ends
    t->strain = (double(*)[5])(numbers + 21 * n);
    t->held_turn = numbers + 26 * n, t->twist = numbers + 27 * n, t->last_twist = numbers + 28 * n;
    t->first = indices, t->after = indices + n, t->of_turn = indices + 2 * n, t->of_tension = indices + 3 * n;
    t->of_press = indices + 4 * n, t->of_freedom = indices + 5 * n;
    t->matrix = system, t->residual = system + most * TRUTH_COLUMN, t->unit = t->residual + most;
    t->unknown = t->unit + most;
    t->pivot = (int32_t *)(t->unknown + most);
    t->is_motion = (bool *)(t->pivot + most);
    return SHEAF_OK;
}

void truth_close(truth_system *t)
{
    for (int k = 0; k < 4; k++)
        base_free(t->memory[k]);
    base_free(t->edges);
}

// ---- the time formula

// BDF2's, where there is history, or Euler's.
static void choose_formula(truth_system *t)
{
    const ref_rod *rod = t->rod;
    const double h = t->step;
    const bool second = t->options->bdf2 && rod->record->has_history;
    t->inertia = (second ? 9.0 / 4 : 1) / (h * h);
    t->slope = (second ? 3.0 / 2 : 1) / h;
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (int c = 0; c < 3; c++) {
            const double now = rod->v[i][c], before = rod->last_velocity[i][c];
            t->target[i][c] =
                rod->x[i][c] + (second ? rod->displacement[i][c] / 3 + 2 * h / 9 * (4 * now - before) : h * now);
        }
}

// Strains that would not change by the formula.
static void keep_strains(truth_system *t)
{
    const bool second = t->options->bdf2 && t->rod->record->has_history;
    for (uint32_t i = 1; i + 1 < t->rod->vertex_count; i++) {
        truth_jet strains[5];
        truth_strains(&t->edges[i - 1], &t->edges[i], t->twist[i], strains);
        for (int a = 0; a < 5; a++)
            t->strain[i][a] = second ? (4 * strains[a].value - t->rod->last_strain[i][a]) / 3 : strains[a].value;
    }
}

// ---- ends

// Where the ends have a strand at the end of the step that is otherwise at rest, and their directors. The rod lends
// its arrays and gets them back as they were.
static void place_ends(truth_system *t, double (*directors)[3], double *imposed)
{
    ref_rod *rod = t->rod;
    const size_t n = rod->vertex_count, bytes = n * sizeof *rod->x;
    double(*x)[3] = t->x, (*v)[3] = t->x + n; // not in use yet
    memcpy(x, rod->x, bytes);
    memcpy(v, rod->v, bytes);
    memcpy(directors, rod->held, rod->edge_count * sizeof *directors);
    memcpy(imposed, rod->imposed, rod->edge_count * sizeof *imposed);
    ref_ends(rod, t->time + t->step);
    memcpy(t->end, rod->x, bytes);
    memcpy(rod->x, x, bytes);
    memcpy(rod->v, v, bytes);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double held[3];
        vec_copy(held, rod->held[j]);
        vec_copy(rod->held[j], directors[j]);
        vec_copy(directors[j], held);
        const double now = rod->imposed[j];
        rod->imposed[j] = imposed[j];
        imposed[j] = now;
    }
}

// By how much a held frame turns against its edge: by its course, or to the director that a held edge has.
static double held_turn(const truth_system *t, uint32_t j, const double director[3], double imposed)
{
    const ref_rod *rod = t->rod;
    double edge[3], tangent[3], carried[3], wanted[3];
    if (!rod->tangent_is_held[j])
        return imposed - (rod->theta[j] - rod->held_angle[j]);
    vec_sub(edge, t->end[j + 1], t->end[j]);
    vec_unit(tangent, edge);
    vec_copy(wanted, director);
    vec_axpy(wanted, -vec_dot(wanted, tangent), tangent);
    vec_unit(wanted, wanted);
    vec_transport(carried, t->director[j], t->tangent[j], tangent);
    const double before = rod->theta[j] - rod->held_angle[j], whole = 2 * 3.14159265358979323846;
    const double angle = vec_angle(carried, wanted, tangent) + imposed;
    return angle - whole * round((angle - (imposed - before)) / whole);
}

static void open_ends(truth_system *t, double *imposed)
{
    ref_rod *rod = t->rod;
    double(*directors)[3] = t->x + 2 * (size_t)rod->vertex_count;
    place_ends(t, directors, imposed);
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        const double c = cos(rod->theta[j]), s = sin(rod->theta[j]);
        double across[3];
        vec_copy(t->tangent[j], rod->tangent[j]);
        vec_cross(across, rod->tangent[j], rod->bishop[j]);
        vec_scale(t->director[j], rod->bishop[j], c);
        vec_axpy(t->director[j], s, across);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++)
        t->held_turn[j] = rod->angle_is_held[j] ? held_turn(t, j, directors[j], imposed[j]) : 0;
    const sheaf_end_def *ends[2] = {rod->strand->root, rod->strand->tip};
    for (int k = 0; k < 2; k++)
        for (int c = 0; c < 3; c++) {
            t->couple[k][c] = scene_course(&ends[k]->couple[c], t->time + t->step);
            t->load[k][c] = scene_course(&ends[k]->force[c], t->time + t->step);
        }
}

// ---- unknowns

static bool any_frame_is_held(const ref_rod *rod)
{
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (rod->angle_is_held[j])
            return true;
    return false;
}

// An edge whose ends move as one, or not at all, has no length to keep.
static bool length_binds(const truth_system *t, uint32_t j)
{
    if (t->first[j] == t->after[j] && t->first[j + 1] == t->after[j + 1])
        return false;
    return t->first[j] == t->after[j] || t->first[j] != t->first[j + 1];
}

static void index_freedoms(truth_system *t)
{
    for (uint32_t i = 0; i < t->rod->vertex_count; i++)
        for (uint32_t k = 0; k < t->freedom_count; k++)
            if (i >= t->freedoms[k].first && i <= t->freedoms[k].second) {
                t->first[i] = t->after[i] == 0 ? k : t->first[i];
                t->after[i] = k + 1;
            }
}

static uint32_t next_unknown(truth_system *t, bool wanted, double unit)
{
    if (!wanted)
        return TRUTH_NONE;
    t->unit[t->count] = unit;
    t->is_motion[t->count] = unit != t->force;
    return t->count++;
}

// Where bending sees no frames and none is held, all may turn as one: the first then stays.
static void number_unknowns(truth_system *t)
{
    const ref_rod *rod = t->rod;
    const bool is_loose = rod->strand->isotropic_straight && !any_frame_is_held(rod);
    t->freedom_count = ref_freedoms(rod, t->time + t->step, t->freedoms);
    index_freedoms(t);
    for (uint32_t i = 0, k = 0; i < rod->vertex_count; i++) {
        const bool has_edge = i < rod->edge_count;
        for (; k < t->freedom_count && t->freedoms[k].first == i; k++)
            t->of_freedom[k] = next_unknown(t, true, t->length);
        t->of_turn[i] = next_unknown(t, has_edge && !rod->angle_is_held[i] && !(is_loose && i == 0), 1);
        t->of_tension[i] = next_unknown(t, has_edge && length_binds(t, i), t->force);
        t->of_press[i] = next_unknown(t, rod->model->collider_count > 0 && truth_is_free(t, i), t->force);
    }
}

// The mean edge, and what bends or accelerates a vertex by that much.
static void choose_units(truth_system *t)
{
    const ref_rod *rod = t->rod;
    double length = 0, mass = 0, bend = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        length += rod->rest_length[j] / rod->edge_count;
        bend = fmax(bend, fmax(rod->bend[j][0], rod->bend[j][1]));
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        mass += rod->mass[i] / rod->vertex_count;
    t->length = length;
    t->force = t->inertia * mass * length + bend / (length * length);
}

static sheaf_status check(const ref_rod *rod)
{
    const char *why = rod->closed                  ? "is closed"
                      : rod->strand->law != NULL   ? "has a law"
                      : rod->joint_count > 0       ? "is fixed to a body"
                      : rod->model->gust_count > 0 ? "is in gusts"
                                                   : NULL;
    return why == NULL
               ? SHEAF_OK
               : base_fail(SHEAF_ERR_USAGE, "strand %u %s: truth solves for none such", rod->strand->number, why);
}

sheaf_status truth_open(ref_rod *rod, double time, double step, const truth_options *options, truth_system *t)
{
    *t = (truth_system){.rod = rod, .options = options, .time = time, .step = step};
    SHEAF_TRY(check(rod));
    SHEAF_TRY(allocate(t));
    choose_formula(t);
    choose_units(t);
    open_ends(t, t->last_twist);
    number_unknowns(t);
    for (uint32_t i = 1; i + 1 < rod->vertex_count; i++)
        t->last_twist[i] = rod->theta[i] - rod->theta[i - 1];
    for (uint32_t j = 0; j < rod->edge_count; j++)
        if (t->of_tension[j] != TRUTH_NONE)
            t->unknown[t->of_tension[j]] = 0;
    truth_pose(t, 0);
    keep_strains(t);
    return SHEAF_OK;
}
