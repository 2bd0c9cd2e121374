// compare: whether a measurement differs from an earlier one by more than noise.
#ifndef SHEAF_BENCH_COMPARE_H
#define SHEAF_BENCH_COMPARE_H

#include "bench/measure.h"

typedef enum bench_change { BENCH_SAME, BENCH_FASTER, BENCH_SLOWER } bench_change;

typedef struct bench_comparison {
    double before, after; // peak flops per vertex-step, of the best rounds
    double noise;         // relative change that means nothing
    bench_change change;
} bench_comparison;

const char *bench_change_name(bench_change change);

// Costs are compared, not times: the machine may have another clock today. A change counts when the best rounds differ
// by more than the noise (half of what the spreads of both give together, at least 3 %, and 40 % where there are fewer
// than five rounds), and the quartiles of all rounds do not overlap.
bench_comparison bench_compare(const bench_row *before, const bench_row *after);

// Whether both are of the same case with as many threads.
bool bench_same_case(const bench_row *a, const bench_row *b);

#endif
