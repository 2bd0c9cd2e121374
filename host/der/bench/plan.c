// plan: cases and bars of the benchmarks of rods.
#include "der/bench/workload.h"

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

// ---- cases

// Cases being collected.
typedef struct plan {
    bench_case usual;
    bool quick;
    bench_case *cases;
    uint32_t count;
} plan;

static bench_case *add(plan *it, der_workload workload)
{
    bench_case *what = &it->cases[it->count++];
    *what = it->usual;
    what->workload = &der_workloads[workload];
    return what;
}

static void plan_range(plan *it, der_workload first, der_workload last)
{
    for (der_workload workload = first; workload <= last; workload++)
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

static void plan_stages(plan *it, der_workload workload, const engine_stage *stages, uint32_t count)
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

uint32_t der_bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case *cases)
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
        add(&it, BENCH_CURLS_VOLUME)->strands /= 2;
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

// ---- verdicts

static uint32_t judge_costs(const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    for (uint32_t k = 0; k < count; k++) {
        const bench_workload *workload = rows[k].what.workload;
        verdicts[k] = (bench_verdict){.measured = rows[k].peak / rows[k].rate, .bar = workload->bar};
        snprintf(verdicts[k].what, sizeof verdicts[k].what, "%s, peak flops per vertex-step", workload->name);
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

static const bench_row *find_row(const bench_row *rows, uint32_t count, der_workload workload)
{
    for (uint32_t k = 0; k < count; k++)
        if (rows[k].what.workload->kind == workload)
            return &rows[k];
    return NULL;
}

// What air, motion, a head in the way and frames cost, and what keeping a volume, against the bare step.
static uint32_t judge_populations(const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    const bench_row *bare = find_row(rows, count, BENCH_CURLS), *film = find_row(rows, count, BENCH_CURLS_FILM),
                    *kept = find_row(rows, count, BENCH_CURLS_VOLUME);
    uint32_t made = 0;
    if (bare != NULL && film != NULL)
        verdicts[made++] =
            (bench_verdict){"film of blown curls, in bare steps of curls", bare->rate / film->rate, 1.3, false};
    if (bare != NULL && kept != NULL)
        verdicts[made++] =
            (bench_verdict){"curls that keep their volume, in bare steps of curls", bare->rate / kept->rate, 4, false};
    return made;
}

// What laws cost, against the first row, which has none.
static uint32_t judge_laws(const bench_row *rows, uint32_t count, bench_verdict *verdicts)
{
    static const double bars[2] = {1.8, 1.35};
    for (uint32_t k = 1; k < count; k++) {
        verdicts[k - 1] = (bench_verdict){.measured = rows[0].rate / rows[k].rate, .bar = bars[k - 1]};
        snprintf(verdicts[k - 1].what, sizeof verdicts[k - 1].what, "step with the law %s / linear step",
                 rows[k].what.workload->name);
    }
    return count - 1;
}

uint32_t der_bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict *verdicts)
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
        return judge_populations(rows, count, verdicts);
    default:
        return 0;
    }
}
