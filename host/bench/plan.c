// plan: the cases of all methods, and what their rows say.
#include "bench/plan.h"

#include "method/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

// ---- what methods bring

const bench_workload *bench_workload_find(const char *name)
{
    for (int k = 0; method_list[k] != NULL; k++) {
        const bench_part *part = method_list[k]->bench;
        for (uint32_t w = 0; part != NULL && w < part->workload_count; w++)
            if (strcmp(part->workloads[w].name, name) == 0)
                return &part->workloads[w];
    }
    return NULL;
}

const char *bench_stage_name(const bench_case *what)
{
    return what->workload->part->stages[what->stage];
}

bool bench_stage_find(const bench_workload *workload, const char *name, uint32_t *stage)
{
    const char *const *names = workload->part->stages;
    for (*stage = 0; names[*stage] != NULL; ++*stage)
        if (strcmp(names[*stage], name) == 0)
            return true;
    return false;
}

sheaf_status bench_choose_width(uint32_t device, const device_info *info, uint32_t *lane_width)
{
    for (int k = 0; method_list[k] != NULL; k++)
        if (method_list[k]->bench != NULL)
            return method_list[k]->bench->choose_width(device, info, lane_width);
    return base_fail(SHEAF_ERR_USAGE, "no method has anything to measure");
}

uint32_t bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case cases[BENCH_CASES_MOST])
{
    uint32_t count = 0;
    for (int k = 0; method_list[k] != NULL; k++) {
        bench_case own[BENCH_CASES_MOST];
        const bench_part *part = method_list[k]->bench;
        const uint32_t planned = part != NULL ? part->plan(set, lane_width, quick, own) : 0;
        for (uint32_t c = 0; c < planned && count < BENCH_CASES_MOST; c++)
            cases[count++] = own[c];
    }
    return count;
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

static uint32_t judge_growth(const bench_row *rows, uint32_t count, bool in_vertices, bench_verdict *verdict)
{
    if (count < 2)
        return 0;
    *verdict = (bench_verdict){.measured = bench_fit_growth(rows, count, in_vertices).exponent,
                               .bar = in_vertices ? 1.08 : 1.05};
    snprintf(verdict->what, sizeof verdict->what, "exponent of cost in %s", in_vertices ? "free vertices" : "strands");
    return 1;
}

// Rows of one method.
static uint32_t judge_own(bench_set set, const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    if (set == BENCH_SET_STRANDS || set == BENCH_SET_VERTICES)
        return judge_growth(rows, count, set == BENCH_SET_VERTICES, verdicts);
    return rows->what.workload->part->judge(set, rows, count, verdicts);
}

uint32_t bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict verdicts[BENCH_CASES_MOST])
{
    uint32_t found = 0;
    for (uint32_t first = 0, end; first < count; first = end) {
        bench_verdict own[BENCH_CASES_MOST];
        for (end = first + 1; end < count && rows[end].what.workload->part == rows[first].what.workload->part;)
            end++;
        const uint32_t judged = judge_own(set, rows + first, end - first, own);
        for (uint32_t k = 0; k < judged && found < BENCH_CASES_MOST; k++)
            verdicts[found++] = own[k];
    }
    return found;
}

bench_verdict bench_judge_limits(const bench_limits *limits)
{
    return (bench_verdict){"tridiagonal solve / copy, out of cache", limits->tridiagonal / limits->copy, 0.8, true};
}

// ---- against the limits

bench_use bench_use_of(const bench_row *row, const bench_limits *limits)
{
    const bench_count sum = row->what.workload->part->count(row);
    bench_use use = {.flops = sum.flops / row->what.vertices, .bytes = (sum.read + sum.written) / row->what.vertices};
    const double copy = row->memory <= limits->cache_size && limits->cache_copy > 0 ? limits->cache_copy : limits->copy;
    const double compute = use.flops / row->peak, memory = copy > 0 ? use.bytes / copy : 0;
    use.is_memory = memory > compute;
    use.share = fmax(compute, memory) * row->rate;
    return use;
}
