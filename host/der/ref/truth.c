// truth: Newton's method on the equations of a step, along the path that leads from its start to its end.
#include "der/ref/truth.h"

#include <lapacke.h>
#include <string.h>

#include "base/vec.h"
#include "der/ref/truth_system.h"

// Of residuals in their units: what counts as solved, at the end and on the way there.
static const double goal = 1e-10, goal_on_the_way = 1e-7;

// How far an edge, and its frame against it, may turn within a piece, rad.
static const double turn_most = 0.5;

// The shortest piece, and that as a share of the way so far.
static const double shortest_piece = 1e-5, shortest_share = 1.0 / 512;

// A step of Newton's method longer than this, in units, leads nowhere.
static const double farthest = 1e6;

enum { ITERATIONS = 16, PIECES = 400, FLOWS = 500, JUMPS = 12 };

// Where a piece began, to go back to.
typedef struct milestone {
    double share, *unknown, (*tangent)[3], *turn;
    double before, *old; // the milestone before it: s, unknowns
    double *scratch;     // [unknown]
    void *memory;
} milestone;

// ---- Newton's method

static double largest(const truth_system *t)
{
    double most = 0;
    for (uint32_t k = 0; k < t->count; k++)
        if (!(fabs(t->residual[k]) <= most))
            most = isnan(t->residual[k]) ? INFINITY : fabs(t->residual[k]);
    return most;
}

static void evaluate(truth_system *t, double share)
{
    truth_pose(t, share);
    truth_assemble(t);
}

// The step of Newton's method, in units, in place of the residual. False: there is none.
static bool solve(truth_system *t)
{
    const lapack_int n = (lapack_int)t->count;
    for (uint32_t k = 0; k < t->count; k++)
        t->residual[k] = -t->residual[k];
    return LAPACKE_dgbsv(LAPACK_COL_MAJOR, n, TRUTH_BAND, TRUTH_BAND, 1, t->matrix, TRUTH_COLUMN, t->pivot, t->residual,
                         n) == 0;
}

// One full step of Newton's method; returns its length in units.
static double newton_step(truth_system *t)
{
    double longest = 0;
    if (!solve(t))
        return INFINITY;
    for (uint32_t k = 0; k < t->count; k++) {
        longest = isnan(t->residual[k]) ? INFINITY : fmax(longest, fabs(t->residual[k]));
        t->unknown[k] += t->residual[k] * t->unit[k];
    }
    return longest;
}

// Solves at s = share, from the unknowns as they are. At the end of the step it goes on until rounding is all that is
// left.
static bool converge(truth_system *t, double share, truth_result *result)
{
    double step = INFINITY, least = INFINITY;
    result->residual = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        evaluate(t, share);
        const double left = largest(t);
        result->residual = fmin(result->residual, left);
        least = fmin(least, left);
        if (!isfinite(left) || (k > 4 && left > 100 * least))
            return false;
        if ((share < 1 && left <= goal_on_the_way && step < 1e-3) || (left <= goal && step <= goal)) {
            result->residual = left;
            return true;
        }
        step = newton_step(t);
        result->iterations++;
        if (!(step < farthest))
            return false;
    }
    return false;
}

// ---- the way

static sheaf_status open_milestone(const truth_system *t, milestone *m)
{
    const size_t n = t->rod->vertex_count, most = 6 * n;
    double *memory = base_alloc(3 * most + 4 * n, sizeof *memory);
    *m = (milestone){.memory = memory};
    if (memory == NULL)
        return SHEAF_ERR_MEMORY;
    m->unknown = memory;
    m->old = memory + most;
    m->scratch = memory + 2 * most;
    m->tangent = (double(*)[3])(memory + 3 * most);
    m->turn = memory + 3 * most + 3 * n;
    return SHEAF_OK;
}

static double turn_of(const truth_system *t, uint32_t j)
{
    return t->of_turn[j] == TRUTH_NONE ? t->share * t->held_turn[j] : t->unknown[t->of_turn[j]];
}

static void set_milestone(truth_system *t, milestone *m)
{
    m->before = m->share;
    memcpy(m->old, m->unknown, t->count * sizeof *m->unknown);
    m->share = t->share;
    memcpy(m->unknown, t->unknown, t->count * sizeof *m->unknown);
    memcpy(t->last_twist, t->twist, t->rod->vertex_count * sizeof *t->twist);
    for (uint32_t j = 0; j < t->rod->edge_count; j++) {
        vec_unit(m->tangent[j], t->edges[j].vector);
        m->turn[j] = turn_of(t, j);
    }
}

static void go_back(truth_system *t, const milestone *m)
{
    memcpy(t->unknown, m->unknown, t->count * sizeof *m->unknown);
    truth_pose(t, m->share);
}

// As far beyond the milestone as its unknowns have gone since the one before.
static void go_ahead(truth_system *t, const milestone *m, double share)
{
    const double ahead = m->share > m->before ? (share - m->share) / (m->share - m->before) : 0;
    for (uint32_t k = 0; k < t->count; k++)
        t->unknown[k] = m->unknown[k] + ahead * (m->unknown[k] - m->old[k]);
}

// Whether no edge and no frame has turned far since the milestone.
static bool is_near(const truth_system *t, const milestone *m)
{
    for (uint32_t j = 0; j < t->rod->edge_count; j++) {
        double tangent[3];
        vec_unit(tangent, t->edges[j].vector);
        if (!(vec_dot(tangent, m->tangent[j]) >= cos(turn_most)) || !(fabs(turn_of(t, j) - m->turn[j]) <= turn_most))
            return false;
    }
    return true;
}

// ---- where no path leads on

// One step of the flow dy/dtau = what is out of balance, by implicit Euler. False: it leads uphill, past a saddle, or
// turns something far, and is to be taken back.
static bool flow_once(truth_system *t, double pace, const milestone *m)
{
    const double now = t->share;
    double work = 0;
    for (uint32_t k = 0; k < t->count; k++)
        if (t->is_motion[k])
            truth_add_entry(t, k, k, -1 / (pace * t->unit[k]));
    memcpy(m->scratch, t->residual, t->count * sizeof *m->scratch);
    if (!solve(t))
        return false;
    for (uint32_t k = 0; k < t->count; k++) {
        t->unknown[k] += t->residual[k] * t->unit[k];
        work += t->is_motion[k] ? m->scratch[k] * t->residual[k] : 0;
    }
    truth_pose(t, now);
    return work > 0 && is_near(t, m);
}

// Follows the forces downhill, however far that is, to where they balance: where an equilibrium has ceased to be one,
// as when frames snap, this leads to the next.
static bool flow(truth_system *t, double share, milestone *m, truth_result *result)
{
    double pace = 1e-2;
    evaluate(t, share);
    for (int k = 0; k < FLOWS; k++) {
        const double left = largest(t);
        if (!isfinite(left))
            return false;
        if (left <= goal)
            return true;
        set_milestone(t, m);
        result->iterations++;
        if (flow_once(t, pace, m)) {
            pace *= 2;
        } else {
            go_back(t, m);
            pace /= 8;
        }
        evaluate(t, share);
    }
    return false;
}

// ---- the path

// From piece to piece; one that leads too far is halved, the next one tries twice as much. Where the shortest leads
// nowhere the path has come to an end; the strand then goes downhill to where it goes on.
static void follow(truth_system *t, milestone *m, truth_result *result)
{
    double piece = 1;
    set_milestone(t, m);
    while (m->share < 1 && result->jumps < JUMPS && result->pieces < PIECES) {
        const double share = m->share + piece < 1 - 1e-9 ? m->share + piece : 1;
        const double shortest = fmax(m->share * shortest_share, shortest_piece);
        result->pieces++;
        go_ahead(t, m, share);
        if (converge(t, share, result) && is_near(t, m)) {
            set_milestone(t, m);
            piece *= 2;
            continue;
        }
        go_back(t, m);
        piece /= 2;
        if (piece >= shortest)
            continue;
        result->jumps++;
        piece = 2 * shortest;
        if (!flow(t, fmin(m->share + piece, 1), m, result) || !converge(t, t->share, result))
            break;
        set_milestone(t, m);
        m->before = m->share; // what led here leads no farther
    }
    result->reached = m->share;
    result->converged = m->share >= 1;
}

// ---- from a pose at the end of the step

static void take_guess(truth_system *t, const truth_guess *guess)
{
    const ref_rod *rod = t->rod;
    for (uint32_t k = 0; k < t->freedom_count; k++) {
        double offset[3];
        vec_sub(offset, guess->x[t->freedoms[k].first], t->end[t->freedoms[k].first]);
        t->unknown[t->of_freedom[k]] = vec_dot(t->freedoms[k].direction, offset);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        double edge[3], tangent[3], carried[3];
        vec_sub(edge, guess->x[j + 1], guess->x[j]);
        vec_unit(tangent, edge);
        vec_transport(carried, t->director[j], t->tangent[j], tangent);
        t->last_twist[j] = j > 0 ? guess->twist[j] : 0;
        if (t->of_turn[j] != TRUTH_NONE)
            t->unknown[t->of_turn[j]] = vec_angle(carried, guess->director[j], tangent);
        if (t->of_tension[j] != TRUTH_NONE)
            t->unknown[t->of_tension[j]] = guess->tension[j];
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        if (t->of_press[i] != TRUTH_NONE)
            t->unknown[t->of_press[i]] = guess->press[i];
}

static void start_from_guess(truth_system *t, milestone *m, truth_result *result)
{
    take_guess(t, t->options->guess);
    evaluate(t, 1);
    result->began = largest(t);
    result->pieces = 1;
    set_milestone(t, m);
    result->converged = converge(t, 1, result) && is_near(t, m);
    if (!result->converged) {
        go_back(t, m);
        result->jumps = 1;
        result->converged = flow(t, 1, m, result) && converge(t, 1, result);
    }
    result->reached = 1;
}

// ---- results

static void hand_out(const truth_system *t, truth_result *result)
{
    for (uint32_t i = 0; i < t->rod->vertex_count; i++) {
        vec_copy(result->x[i], t->x[i]);
        if (result->twist != NULL)
            result->twist[i] = t->twist[i];
        if (result->press != NULL)
            result->press[i] = t->of_press[i] == TRUTH_NONE ? 0 : t->unknown[t->of_press[i]];
        if (result->tension != NULL)
            result->tension[i] = t->of_tension[i] == TRUTH_NONE ? 0 : t->unknown[t->of_tension[i]];
        if (result->director != NULL && i < t->rod->edge_count)
            vec_copy(result->director[i], t->edges[i].director);
    }
}

sheaf_status truth_step(ref_rod *rod, double time, double step, const truth_options *options, truth_result *result)
{
    truth_system t;
    milestone m = {.memory = NULL};
    result->converged = false;
    result->pieces = result->iterations = result->jumps = 0;
    sheaf_status status = truth_open(rod, time, step, options, &t);
    if (status == SHEAF_OK)
        status = open_milestone(&t, &m);
    if (status == SHEAF_OK) {
        if (options->guess != NULL)
            start_from_guess(&t, &m, result);
        else
            follow(&t, &m, result);
        hand_out(&t, result);
    }
    base_free(m.memory);
    truth_close(&t);
    return status;
}
