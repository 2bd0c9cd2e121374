// bounds: rows whose multipliers have limits, on the matrix of everything else condensed onto them:
//
//   G nu + C u0 - target >= 0 at a lower limit, <= 0 at an upper one, = 0 between,    G = C M~^-1 C^T + give,
//
// u0 the velocities without them and M~^-1 = M^-1 - M^-1 J^T S^-1 J M^-1 what bodies answer with all joints in place.
#include "cable/ref/ref.h"

#include "base/vec.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum { SWEEPS = 200 };
// Surfaces give way a little: otherwise several points of a stiff rope share its weight in any way at all.
static const double softness = 0.01;  // of what a point answers with
static const double tolerance = 1e-8; // of the largest impulse: what sweeps go on to
static const double enough = 1e-4;    // of the sum of impulses: what a step may be left with

// ---- rows of lines and brakes

// Where a point of a line is, and the lever to it.
static void place_point(const cable_group *group, const cable_line *line, uint32_t k, double place[3], double lever[3])
{
    vec_set(lever, 0, 0, 0);
    vec_copy(place, line->arm[k]);
    if (line->body[k] < 0)
        return;
    const cable_body *body = &group->bodies[line->body[k]];
    cable_turn(body->pose, line->arm[k], lever);
    vec_add(place, body->place, lever);
}

double cable_ref_line(const cable_group *group, const cable_line *line, cable_bound *bound)
{
    double places[CABLE_LINE_POINTS][3], levers[CABLE_LINE_POINTS][3], sum = 0;
    *bound = (cable_bound){.count = line->count};
    for (uint32_t k = 0; k < line->count; k++) {
        place_point(group, line, k, places[k], levers[k]);
        bound->body[k] = line->body[k];
    }
    for (uint32_t k = 0; k + 1 < line->count; k++) {
        double span[3];
        vec_sub(span, places[k + 1], places[k]);
        const double length = vec_length(span);
        sum += length;
        if (length < 1e-6 * line->length)
            continue; // it has no direction
        vec_axpy(bound->row[k], 1 / length, span);
        vec_axpy(bound->row[k + 1], -1 / length, span);
    }
    for (uint32_t k = 0; k < line->count; k++)
        vec_cross(bound->row[k] + 3, levers[k], bound->row[k]);
    return sum;
}

static void bind_line(const cable_group *group, const cable_line *line, cable_bound *bound)
{
    const cable_settings *s = &group->settings;
    const double path = cable_ref_line(group, line, bound), over = path - line->before;
    bound->target = over / (over > 0 ? s->step + s->damping : s->step) - (line->length - line->before) / s->step;
    bound->give = line->compliance / (s->step * (s->step + s->damping));
    bound->high = INFINITY;
    bound->impulse = line->load * s->step;
}

static void bind_brake(const cable_group *group, uint32_t body, cable_bound *bound)
{
    const cable_axle *axle = &group->bodies[body].axle;
    *bound = (cable_bound){.count = 1,
                           .body = {(int32_t)body},
                           .low = -axle->brake * group->settings.step,
                           .high = axle->brake * group->settings.step};
    vec_copy(bound->row[0] + 3, axle->axis);
}

static bool has_brake(const cable_body *body)
{
    return body->axle.is_there && !body->axle.is_driven && body->axle.brake > 0;
}

void cable_ref_bind(cable_group *group)
{
    group->bound_count = 0;
    for (uint32_t k = 0; k < group->line_count; k++)
        bind_line(group, &group->lines[k], &group->bounds[group->bound_count++]);
    for (uint32_t b = 0; b < group->body_count; b++)
        if (has_brake(&group->bodies[b]))
            bind_brake(group, b, &group->bounds[group->bound_count++]);
}

sheaf_status cable_ref_make_room(cable_group *group, uint32_t others)
{
    uint32_t count = group->line_count + others;
    for (uint32_t b = 0; b < group->body_count; b++)
        count += has_brake(&group->bodies[b]);
    if (count <= group->bound_room)
        return SHEAF_OK;
    cable_bound *bounds = base_realloc(group->bounds, count, sizeof *bounds);
    if (bounds == NULL)
        return SHEAF_ERR_MEMORY;
    group->bounds = bounds;
    base_free(group->answers);
    base_free(group->loads);
    base_free(group->condensed);
    group->bound_room = 0;
    group->answers = base_alloc((size_t)count * group->body_count, sizeof *group->answers);
    group->loads = base_alloc((size_t)count * (group->joint_room * CABLE_ROWS + 1), sizeof *group->loads);
    group->condensed = base_alloc(2 * (size_t)count * count + 4 * (size_t)count, sizeof *group->condensed);
    if (group->answers == NULL || group->loads == NULL || group->condensed == NULL)
        return SHEAF_ERR_MEMORY;
    group->bound_room = count;
    return SHEAF_OK;
}

// ---- the condensed problem

typedef struct problem {
    cable_bound *bounds;
    uint32_t count;
    const double *matrix; // [column][row]
    double *right;        // C u0 - target
    double *work;         // [count][count]
    double *list;         // [2 count]
} problem;

// What is left of row i: C u - target.
static double rest_of(const problem *p, uint32_t i)
{
    double sum = p->right[i] + p->bounds[i].give * p->bounds[i].impulse;
    for (uint32_t j = 0; j < p->count; j++)
        sum += p->matrix[(size_t)j * p->count + i] * p->bounds[j].impulse;
    return sum;
}

static double diagonal(const problem *p, uint32_t i)
{
    return p->matrix[(size_t)i * p->count + i] + p->bounds[i].give;
}

// One row to where it wants to be; returns how far it went.
static double relax_row(const problem *p, uint32_t i)
{
    cable_bound *bound = &p->bounds[i];
    const double was = bound->impulse, d = diagonal(p, i);
    if (!(d > 0))
        return 0;
    bound->impulse = fmin(fmax(was - rest_of(p, i) / d, bound->low), bound->high);
    return fabs(bound->impulse - was);
}

// Friction of the normal row before: both components together, no longer than the limit.
static double relax_friction(const problem *p, uint32_t i)
{
    cable_bound *a = &p->bounds[i + 1], *b = &p->bounds[i + 2];
    const double most = p->bounds[i].friction * fmax(p->bounds[i].impulse, 0);
    const double d = fmax(diagonal(p, i + 1), diagonal(p, i + 2));
    double x = a->impulse - rest_of(p, i + 1) / d, y = b->impulse - rest_of(p, i + 2) / d;
    const double length = hypot(x, y), share = length > most ? most / length : 1;
    const double change = hypot(x * share - a->impulse, y * share - b->impulse);
    a->impulse = x * share;
    b->impulse = y * share;
    return change;
}

// All rows once; returns the largest change.
static double sweep(const problem *p)
{
    double most = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        most = fmax(most, relax_row(p, i));
        if (p->bounds[i].has_friction) {
            most = fmax(most, relax_friction(p, i));
            i += 2;
        }
    }
    return most;
}

// ---- the exact answer of lines and brakes between their limits, whatever touches

static bool is_between(const cable_bound *bound)
{
    return !bound->touches && bound->impulse > bound->low && bound->impulse < bound->high;
}

// What is to be added to them; returns how many there are, 0: none, or it is not known.
static lapack_int solve_free(const problem *p, uint32_t *rows, double *x)
{
    lapack_int *pivots = (lapack_int *)p->list, n = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (is_between(&p->bounds[i]))
            rows[n++] = i;
    for (lapack_int c = 0; c < n; c++) {
        x[c] = -rest_of(p, rows[c]);
        for (lapack_int r = 0; r < n; r++)
            p->work[(size_t)c * (size_t)n + (size_t)r] =
                p->matrix[(size_t)rows[c] * p->count + rows[r]] + (c == r ? p->bounds[rows[c]].give : 0);
    }
    return n > 0 && LAPACKE_dgesv(LAPACK_COL_MAJOR, n, 1, p->work, n, pivots, x, n) == 0 ? n : 0;
}

// How much of a change a row may take before it is at a limit.
static double room_for(const cable_bound *bound, double change)
{
    const double limit = change < 0 ? bound->low : bound->high;
    return change == 0 ? 1 : fmin(1, (limit - bound->impulse) / change);
}

// Goes to that answer, or towards it to the first limit, from where that row is held; until no limit is met. False:
// nothing was to be done.
static bool go_to_answer(const problem *p)
{
    uint32_t *rows = (uint32_t *)(p->list + p->count);
    double *x = p->list + 2 * (size_t)p->count;
    for (uint32_t tries = 0; tries <= p->count; tries++) {
        const lapack_int n = solve_free(p, rows, x);
        double share = 1;
        lapack_int first = -1;
        for (lapack_int c = 0; c < n; c++) {
            const double room = room_for(&p->bounds[rows[c]], x[c]);
            first = room < share ? c : first;
            share = fmin(share, room);
        }
        if (n == 0 || !isfinite(share))
            return tries > 0;
        for (lapack_int c = 0; c < n; c++) {
            cable_bound *bound = &p->bounds[rows[c]];
            const double limit = x[c] < 0 ? bound->low : bound->high;
            bound->impulse = c == first ? limit : bound->impulse + share * x[c];
        }
        if (first < 0)
            return true;
    }
    return true;
}

static double largest(const problem *p)
{
    double most = 0;
    for (uint32_t i = 0; i < p->count; i++)
        most = fmax(most, fabs(p->bounds[i].impulse));
    return most;
}

static double sum_of(const problem *p)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->count; i++)
        sum += fabs(p->bounds[i].impulse);
    return sum;
}

bool cable_ref_solve_bounds(cable_group *group)
{
    const size_t n = group->bound_count;
    problem p = {.bounds = group->bounds,
                 .count = group->bound_count,
                 .matrix = group->condensed,
                 .right = group->condensed + 2 * n * n,
                 .work = group->condensed + n * n,
                 .list = group->condensed + 2 * n * n + n};
    for (size_t i = 0; i < n; i++)
        if (p.bounds[i].has_friction || (p.bounds[i].touches && p.bounds[i].high > 0))
            p.bounds[i].give = softness * diagonal(&p, (uint32_t)i);
    double change = INFINITY;
    for (int k = 1; k <= SWEEPS; k++) {
        change = sweep(&p);
        if (change <= tolerance * largest(&p))
            return true;
        (void)go_to_answer(&p);
    }
    return change <= enough * sum_of(&p);
}
