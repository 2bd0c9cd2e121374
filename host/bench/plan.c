// plan: cases and bars of benchmarks.
#include "bench/plan.h"

#include "cl/width.h"

#include <math.h>
#include <stdio.h>

enum { STRANDS = 20000, VERTICES = 32, SIZES = 4, QUICK_SHARE = 20 };

static const uint32_t strand_counts[SIZES] = {1000, 4000, 16000, 64000};
static const uint32_t vertex_counts[SIZES] = {16, 32, 64, 128};

const char *bench_set_name(bench_set set)
{
    static const char *const names[BENCH_SET_COUNT] = {"workloads", "forms",   "schedules",
                                                       "threads",   "strands", "vertices"};
    return names[set];
}

// ---- cases

static uint32_t scaled(uint32_t strands, bool quick)
{
    return quick ? strands / QUICK_SHARE : strands;
}

static uint32_t plan_workloads(bench_case usual, bench_case *cases)
{
    for (uint32_t k = 0; k < BENCH_WORKLOAD_COUNT; k++) {
        cases[k] = usual;
        cases[k].workload = k;
    }
    return BENCH_WORKLOAD_COUNT;
}

static uint32_t plan_forms(bench_case usual, bench_case *cases)
{
    for (uint32_t k = 0; k < WIDTH_COUNT; k++) {
        cases[k] = usual;
        cases[k].lane_width = width_values[k];
    }
    return WIDTH_COUNT;
}

static uint32_t plan_schedules(bench_case usual, bench_case *cases)
{
    cases[0] = cases[1] = usual;
    cases[1].is_staged = true;
    return 2;
}

static uint32_t plan_strands(bench_case usual, bool quick, bench_case *cases)
{
    for (uint32_t k = 0; k < SIZES; k++) {
        cases[k] = usual;
        cases[k].strands = scaled(strand_counts[k], quick);
    }
    return SIZES;
}

// As many vertices in all, so that only the length of the strands differs.
static uint32_t plan_vertices(bench_case usual, bench_case *cases)
{
    for (uint32_t k = 0; k < SIZES; k++) {
        cases[k] = usual;
        cases[k].vertices = vertex_counts[k];
        cases[k].strands = usual.strands * usual.vertices / vertex_counts[k];
    }
    return SIZES;
}

uint32_t bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case cases[BENCH_CASES_MOST])
{
    const bench_case usual = {
        .workload = BENCH_BDF2_2NEWTON, // the number of iterations is fixed
        .strands = scaled(STRANDS, quick),
        .vertices = VERTICES,
        .lane_width = lane_width,
    };
    switch (set) {
    case BENCH_SET_WORKLOADS:
        return plan_workloads(usual, cases);
    case BENCH_SET_FORMS:
        return plan_forms(usual, cases);
    case BENCH_SET_SCHEDULES:
        return plan_schedules(usual, cases);
    case BENCH_SET_STRANDS:
        return plan_strands(usual, quick, cases);
    case BENCH_SET_VERTICES:
        return plan_vertices(usual, cases);
    default:
        cases[0] = usual;
        return 1;
    }
}

bench_effort bench_effort_of(bench_set set, bool quick)
{
    if (quick)
        return (bench_effort){.rounds = 2, .work = 1e5};
    return (bench_effort){.rounds = set == BENCH_SET_WORKLOADS ? 15 : 7, .work = 5e6};
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

// What the cost of a step grows with, fitted over the rows.
static uint32_t judge_growth(const bench_row *rows, uint32_t count, bool in_vertices, bench_verdict *verdict)
{
    double size[BENCH_CASES_MOST], time[BENCH_CASES_MOST];
    for (uint32_t k = 0; k < count; k++) {
        const bench_case *what = &rows[k].what;
        const double whole = (double)what->strands * what->vertices / rows[k].rate; // s per step
        size[k] = in_vertices ? what->vertices - 2 : what->strands; // two vertices of a clamped strand are held
        time[k] = in_vertices ? whole / what->strands : whole;
    }
    *verdict = (bench_verdict){.measured = bench_exponent(size, time, count), .bar = in_vertices ? 1.08 : 1.05};
    snprintf(verdict->what, sizeof verdict->what, "exponent of cost in %s", in_vertices ? "free vertices" : "strands");
    return 1;
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
    default:
        return judge_growth(rows, count, set == BENCH_SET_VERTICES, verdicts);
    }
}
