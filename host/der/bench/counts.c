// counts: flops and bytes of a step, from the tables of what the kernels do.
#include "der/bench/counts.h"

#include "kernels/der/slots.clh"

#include <math.h>

bench_form bench_form_of(der_workload workload)
{
    static const bench_form projectors[] = {BENCH_FORM_BDF2, BENCH_FORM_JACOBI, BENCH_FORM_CHEBYSHEV,
                                            BENCH_FORM_RED_BLACK};
    if (bench_workload_integrator(workload) == SHEAF_INTEGRATOR_EXPLICIT)
        return BENCH_FORM_EXPLICIT;
    return bench_workload_is_blown(workload) ? BENCH_FORM_BLOWN : projectors[bench_workload_projector(workload)];
}

static bench_count count_of(const bench_entry *it, double vertices)
{
    return (bench_count){
        .flops = it->flops.fixed + it->flops.per_vertex * vertices,
        .read = it->read.fixed + it->read.per_vertex * vertices,
        .written = it->written.fixed + it->written.per_vertex * vertices,
    };
}

bench_sheet bench_sheet_of(bench_form form, uint32_t vertices)
{
    bench_sheet sheet = {.step = count_of(&bench_tables[form].step, vertices)};
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++)
        sheet.stages[stage] = count_of(&bench_tables[form].stages[stage], vertices);
    return sheet;
}

// How often a stage runs in a step.
static double runs_of(const bench_row *row, engine_stage stage)
{
    const double newton = row->newton > 0 ? row->newton : 1; // an explicit step goes through its stages once
    switch (stage) {
    case STAGE_newton:
    case STAGE_frames:
    case STAGE_curvature:
    case STAGE_twist:
    case STAGE_contact:
    case STAGE_assemble:
    case STAGE_solve:
        return newton;
    case STAGE_project:
        return row->projections;
    default:
        return 1;
    }
}

// Iterations within one run of a stage, which find their numbers in the cache after the first. Frames that follow a
// calm motion need one.
static double iterations_of(const bench_row *row, engine_stage stage)
{
    const double twist = bench_workload_twist_iterations(row->what.workload->kind);
    return stage == STAGE_twist && twist > 0 ? twist : 1;
}

// Flops and bytes of a step of one strand, by one kernel per stage, or of one stage alone.
static bench_count count_stages(const bench_row *row, const bench_sheet *sheet)
{
    bench_count sum = {0};
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++) {
        const double runs = row->what.is_stage && row->what.stage != stage ? 0 : runs_of(row, stage);
        sum.flops += runs * iterations_of(row, stage) * sheet->stages[stage].flops;
        sum.read += runs * sheet->stages[stage].read;
        sum.written += runs * sheet->stages[stage].written;
    }
    return sum;
}

bench_count der_bench_count(const bench_row *row)
{
    const bench_sheet sheet = bench_sheet_of(bench_form_of(row->what.workload->kind), row->what.vertices);
    bench_count sum = count_stages(row, &sheet);
    if (!row->what.is_staged && row->launch > 0) {
        sum.read = sheet.step.read / row->launch;
        sum.written = sheet.step.written / row->launch;
    }
    return sum;
}

// ---- on a GPU

static double between(double a, double b, double share)
{
    return a + share * (b - a);
}

static bench_work work_between(const bench_work *a, const bench_work *b, double share)
{
    bench_work found = {.simple = between(a->simple, b->simple, share),
                        .choices = between(a->choices, b->choices, share),
                        .divisions = between(a->divisions, b->divisions, share),
                        .roots = between(a->roots, b->roots, share),
                        .accesses = between(a->accesses, b->accesses, share)};
    for (int k = 0; k < BENCH_SHARES; k++)
        found.bytes[k] = between(a->bytes[k], b->bytes[k], share);
    return found;
}

// Loops along the strand: guess; frames, curvature, twist there and back, blocks, right sides, factors, displacements
// in each iteration; there and back in each projection; frames, curvature, twist there and back, guard, commit.
// Explicit: start, curvature, twist, forces, kick, and at the end frames, twist, guard, commit.
static double sweeps_of(double newton, double projections)
{
    return newton > 0 ? 7 + 8 * newton + 2 * projections : 10 + 2 * projections;
}

bool der_bench_work(const bench_row *row, bench_work *work, double *sweeps, double *scratch)
{
    const der_workload workload = row->what.workload->kind;
    const bench_form form = bench_form_of(workload);
    if (row->what.is_staged || row->what.is_stage || (form != BENCH_FORM_BDF2 && form != BENCH_FORM_EXPLICIT) ||
        workload > BENCH_EXPLICIT)
        return false;
    const double calm = workload == BENCH_BDF2 ? 1 : 2, newton = row->newton > 0 ? row->newton : calm;
    *work = bench_work_table[BENCH_EXPLICIT];
    if (form != BENCH_FORM_EXPLICIT)
        *work = work_between(&bench_work_table[BENCH_BDF2], &bench_work_table[BENCH_BDF2_2NEWTON], newton - 1);
    *sweeps = sweeps_of(form == BENCH_FORM_EXPLICIT ? 0 : newton, row->projections);
    *scratch = (double)row->what.vertices * Z_BARE * sizeof(float);
    return true;
}
