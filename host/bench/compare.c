// compare: whether a measurement differs from an earlier one by more than noise.
#include "bench/compare.h"

#include <math.h>

enum { FEW_ROUNDS = 5 }; // their quartiles say nothing of the noise

static const double least_noise = 0.03; // best rounds repeat to 1 or 2 % on a quiet machine
static const double busy_noise = 0.4;   // what a busy neighbour does

const char *bench_change_name(bench_change change)
{
    static const char *const names[] = {"same within noise", "faster", "slower"};
    return names[change];
}

// Cost of a quartile of the rounds; the slowest quarter of them is the dearest.
static double quartile_cost(const bench_row *row, int quartile)
{
    return row->peak / row->quartiles[quartile];
}

bench_comparison bench_compare(const bench_row *before, const bench_row *after)
{
    bench_comparison found = {.before = bench_cost(before), .after = bench_cost(after)};
    const double ratio = found.after / found.before;
    found.noise = fmax(least_noise, 0.5 * hypot(bench_spread(before), bench_spread(after)));
    if (before->rounds < FEW_ROUNDS || after->rounds < FEW_ROUNDS)
        found.noise = fmax(found.noise, busy_noise);
    if (ratio > 1 + found.noise && quartile_cost(after, 2) > quartile_cost(before, 0))
        found.change = BENCH_SLOWER;
    if (ratio < 1 / (1 + found.noise) && quartile_cost(after, 0) < quartile_cost(before, 2))
        found.change = BENCH_FASTER;
    return found;
}

bool bench_same_case(const bench_row *a, const bench_row *b)
{
    const bench_case *p = &a->what, *q = &b->what;
    return p->workload == q->workload && p->strands == q->strands && p->vertices == q->vertices &&
           p->lane_width == q->lane_width && p->is_staged == q->is_staged && p->is_stage == q->is_stage &&
           (!p->is_stage || p->stage == q->stage) && a->threads == b->threads;
}
