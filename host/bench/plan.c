// plan: cases and bars of benchmarks.
#include "bench/plan.h"

#include "der/device/width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STRANDS = 20000, VERTICES = 32, QUICK_SHARE = 20, SHAKEN_SHARE = 5 };

static const uint32_t strand_counts[] = {64, 256, 1024, 4096, 16384, 65536, 262144, 1048576};
static const uint32_t vertex_counts[] = {8, 16, 32, 64, 128, 256, 512};
enum { STRAND_COUNTS = 8, VERTEX_COUNTS = 7, QUICK_STRAND_COUNTS = 4, QUICK_VERTEX_COUNTS = 5 };

// Stages of a step in their order.
static const engine_stage implicit_stages[] = {
    STAGE_guess,    STAGE_newton, STAGE_frames,  STAGE_curvature, STAGE_twist,
    STAGE_assemble, STAGE_solve,  STAGE_project, STAGE_finish,
};
static const engine_stage explicit_stages[] = {
    STAGE_start, STAGE_curvature, STAGE_twist, STAGE_bend_twist, STAGE_integrate, STAGE_project, STAGE_finish,
};
static const engine_stage blown_stages[] = {STAGE_wind, STAGE_contact, STAGE_collide};
enum { IMPLICIT_STAGES = 9, EXPLICIT_STAGES = 7, BLOWN_STAGES = 3 };

static const char *const set_names[BENCH_SET_COUNT] = {"workloads",   "forms",   "schedules",  "threads",
                                                       "stages",      "twist",   "projectors", "laws",
                                                       "populations", "strands", "vertices"};

const char *bench_set_name(bench_set set)
{
    return set_names[set];
}

bench_set bench_set_find(const char *name)
{
    bench_set set = 0;
    while (set < BENCH_SET_COUNT && strcmp(set_names[set], name) != 0)
        set++;
    return set;
}

// ---- cases

// Cases being collected.
typedef struct plan {
    bench_case usual;
    bool quick;
    bench_case *cases;
    uint32_t count;
} plan;

static bench_case *add(plan *it, bench_workload workload)
{
    bench_case *what = &it->cases[it->count++];
    *what = it->usual;
    what->workload = workload;
    return what;
}

static void plan_range(plan *it, bench_workload first, bench_workload last)
{
    for (bench_workload workload = first; workload <= last; workload++)
        add(it, workload);
}

static void plan_forms(plan *it)
{
    for (uint32_t k = 0; k < WIDTH_COUNT; k++)
        add(it, BENCH_BDF2_2NEWTON)->lane_width = width_values[k];
}

static void plan_schedules(plan *it)
{
    add(it, BENCH_BDF2_2NEWTON);
    add(it, BENCH_BDF2_2NEWTON)->is_staged = true;
    add(it, BENCH_EXPLICIT);
    add(it, BENCH_EXPLICIT)->is_staged = true;
}

static void plan_stages(plan *it, bench_workload workload, const engine_stage *stages, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        bench_case *what = add(it, workload);
        what->is_staged = what->is_stage = true;
        what->stage = stages[k];
    }
}

static void plan_twist(plan *it)
{
    const engine_stage twist = STAGE_twist;
    plan_stages(it, BENCH_TWIST_CLOSED, &twist, 1);
    plan_stages(it, BENCH_TWIST_NEWTON, &twist, 1);
}

// Relaxations take hundreds of iterations: fewer strands will do.
static void plan_projectors(plan *it)
{
    it->usual.strands /= SHAKEN_SHARE;
    plan_range(it, BENCH_TRIDIAGONAL, BENCH_RED_BLACK);
}

// Bytes that a population takes on host and device together, at the most.
static double memory_of(const bench_case *what)
{
    return 220.0 * what->strands * what->vertices;
}

// At most half of the machine's memory: what the system keeps of files it gives back.
static bool fits(const bench_case *what)
{
    const double whole = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return memory_of(what) < 0.5 * whole || what->strands <= STRANDS;
}

static void plan_strands(plan *it)
{
    for (uint32_t k = 0; k < (it->quick ? QUICK_STRAND_COUNTS : STRAND_COUNTS); k++) {
        bench_case *what = add(it, BENCH_BDF2_2NEWTON);
        what->strands = strand_counts[k];
        if (!fits(what))
            it->count--;
    }
}

// As many vertices in all, so that only the length of the strands differs.
static void plan_vertices(plan *it)
{
    for (uint32_t k = 0; k < (it->quick ? QUICK_VERTEX_COUNTS : VERTEX_COUNTS); k++) {
        bench_case *what = add(it, BENCH_BDF2_2NEWTON);
        what->vertices = vertex_counts[k];
        what->strands = it->usual.strands * VERTICES / vertex_counts[k];
    }
}

uint32_t bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case cases[BENCH_CASES_MOST])
{
    plan it = {.quick = quick, .cases = cases};
    it.usual = (bench_case){
        .strands = quick ? STRANDS / QUICK_SHARE : STRANDS, .vertices = VERTICES, .lane_width = lane_width};
    switch (set) {
    case BENCH_SET_WORKLOADS:
        plan_range(&it, BENCH_BDF2, BENCH_EXPLICIT);
        break;
    case BENCH_SET_FORMS:
        plan_forms(&it);
        break;
    case BENCH_SET_SCHEDULES:
        plan_schedules(&it);
        break;
    case BENCH_SET_STAGES:
        plan_stages(&it, BENCH_BDF2_2NEWTON, implicit_stages, IMPLICIT_STAGES);
        plan_stages(&it, BENCH_EXPLICIT, explicit_stages, EXPLICIT_STAGES);
        plan_stages(&it, BENCH_CURLS_BLOWN, blown_stages, BLOWN_STAGES);
        break;
    case BENCH_SET_TWIST:
        plan_twist(&it);
        break;
    case BENCH_SET_PROJECTORS:
        plan_projectors(&it);
        break;
    case BENCH_SET_LAWS:
        plan_range(&it, BENCH_LAW_LINEAR, BENCH_LAW_FIT);
        break;
    case BENCH_SET_POPULATIONS:
        plan_range(&it, BENCH_HAIR, BENCH_GRASS_BLOWN);
        add(&it, BENCH_CURLS_FILM)->strands /= 2;
        break;
    case BENCH_SET_STRANDS:
        plan_strands(&it);
        break;
    case BENCH_SET_VERTICES:
        plan_vertices(&it);
        break;
    default: // the number of iterations is fixed there
        add(&it, BENCH_BDF2_2NEWTON);
    }
    return it.count;
}

bench_effort bench_effort_of(bench_set set, bool quick)
{
    if (quick)
        return (bench_effort){.rounds = 2, .work = 5e4};
    const uint32_t rounds = set == BENCH_SET_WORKLOADS ? 15 : set == BENCH_SET_STRANDS ? 5 : 7;
    return (bench_effort){.rounds = rounds, .work = 5e6};
}

// ---- growth

static bool is_in_range(double size, bool in_vertices)
{
    return in_vertices ? size >= 16 && size <= 128 : size >= 1000;
}

static void fit(bench_growth *growth)
{
    double x[BENCH_CASES_MOST] = {0}, y[BENCH_CASES_MOST] = {0}, mean = 0;
    uint32_t count = 0;
    for (uint32_t k = 0; k < growth->count; k++)
        if (growth->is_fitted[k]) {
            x[count] = growth->x[k];
            y[count++] = growth->y[k];
        }
    growth->exponent = bench_exponent(x, y, count);
    for (uint32_t k = 0; k < count; k++)
        mean += (log(y[k]) - growth->exponent * log(x[k])) / count;
    growth->factor = exp(mean);
}

bench_growth bench_fit_growth(const bench_row *rows, uint32_t count, bool in_vertices)
{
    bench_growth growth = {.count = count};
    uint32_t fitted = 0;
    for (uint32_t k = 0; k < count; k++) {
        const bench_case *what = &rows[k].what;
        const double whole = (double)what->strands * what->vertices / rows[k].rate; // s per step
        growth.x[k] = in_vertices ? what->vertices - 2 : what->strands; // two vertices of a clamped strand are held
        growth.y[k] = in_vertices ? whole / what->strands : whole;
        growth.is_fitted[k] = is_in_range(in_vertices ? what->vertices : what->strands, in_vertices);
        fitted += growth.is_fitted[k];
    }
    for (uint32_t k = 0; k < count && fitted < 2; k++)
        growth.is_fitted[k] = true;
    fit(&growth);
    return growth;
}

// ---- verdicts

bool bench_is_met(const bench_verdict *verdict)
{
    return verdict->is_least ? verdict->measured >= verdict->bar : verdict->measured <= verdict->bar;
}

static uint32_t judge_costs(const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    for (uint32_t k = 0; k < count; k++) {
        const bench_workload workload = rows[k].what.workload;
        verdicts[k] = (bench_verdict){.measured = bench_cost(&rows[k]), .bar = bench_workload_bar(workload)};
        snprintf(verdicts[k].what, sizeof verdicts[k].what, "%s, peak flops per vertex-step",
                 bench_workload_name(workload));
    }
    return count;
}

// The best of the other rows against the first.
static uint32_t judge_forms(const bench_row *rows, uint32_t count, bench_verdict *verdict)
{
    double best = 0;
    for (uint32_t k = 1; k < count; k++)
        best = fmax(best, rows[k].rate);
    *verdict = (bench_verdict){"best vector form / scalar form", best / rows[0].rate, 5, true};
    return 1;
}

static uint32_t judge_growth(const bench_row *rows, uint32_t count, bool in_vertices, bench_verdict *verdict)
{
    if (count < 2)
        return 0;
    *verdict = (bench_verdict){.measured = bench_fit_growth(rows, count, in_vertices).exponent,
                               .bar = in_vertices ? 1.08 : 1.05};
    snprintf(verdict->what, sizeof verdict->what, "exponent of cost in %s", in_vertices ? "free vertices" : "strands");
    return 1;
}

static const bench_row *find_row(const bench_row *rows, uint32_t count, bench_workload workload)
{
    for (uint32_t k = 0; k < count; k++)
        if (rows[k].what.workload == workload)
            return &rows[k];
    return NULL;
}

// What air, motion, a head in the way and frames cost, against the bare step.
static uint32_t judge_film(const bench_row *rows, uint32_t count, bench_verdict *verdict)
{
    const bench_row *bare = find_row(rows, count, BENCH_CURLS), *film = find_row(rows, count, BENCH_CURLS_FILM);
    if (bare == NULL || film == NULL)
        return 0;
    *verdict = (bench_verdict){"film of blown curls, in bare steps of curls", bare->rate / film->rate, 1.3, false};
    return 1;
}

// What laws cost, against the first row, which has none.
static uint32_t judge_laws(const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    static const double bars[2] = {1.8, 1.35};
    for (uint32_t k = 1; k < count; k++) {
        verdicts[k - 1] = (bench_verdict){.measured = rows[0].rate / rows[k].rate, .bar = bars[k - 1]};
        snprintf(verdicts[k - 1].what, sizeof verdicts[k - 1].what, "step with the law %s / linear step",
                 bench_workload_name(rows[k].what.workload));
    }
    return count - 1;
}

uint32_t bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict verdicts[BENCH_CASES_MOST])
{
    if (count == 0)
        return 0;
    switch (set) {
    case BENCH_SET_WORKLOADS:
        return judge_costs(rows, count, verdicts);
    case BENCH_SET_FORMS:
        return judge_forms(rows, count, verdicts);
    case BENCH_SET_SCHEDULES:
        verdicts[0] = (bench_verdict){"fused / staged", rows[0].rate / rows[1].rate, 2, true};
        return 1;
    case BENCH_SET_THREADS:
        verdicts[0] = (bench_verdict){"two threads / one thread", rows[1].rate / rows[0].rate, 1.8, true};
        return 1;
    case BENCH_SET_LAWS:
        return judge_laws(rows, count, verdicts);
    case BENCH_SET_POPULATIONS:
        return judge_film(rows, count, verdicts);
    case BENCH_SET_STRANDS:
    case BENCH_SET_VERTICES:
        return judge_growth(rows, count, set == BENCH_SET_VERTICES, verdicts);
    default:
        return 0;
    }
}

bench_verdict bench_judge_limits(const bench_limits *limits)
{
    return (bench_verdict){"tridiagonal solve / copy, out of cache", limits->tridiagonal / limits->copy, 0.8, true};
}
