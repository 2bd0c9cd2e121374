// plan: which cases answer which question, and what the answers should be.
#ifndef SHEAF_BENCH_PLAN_H
#define SHEAF_BENCH_PLAN_H

#include "bench/limits.h"
#include "bench/measure.h"

const char *bench_set_name(bench_set set);

// The set of this name; BENCH_SET_COUNT: none.
bench_set bench_set_find(const char *name);

// The cases of a set, of all methods, in the given lane width; `quick`: of populations small enough for a test. Those
// that this machine has no memory for are left out. Threads are no part of a case: that set has one, to be run twice.
uint32_t bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case cases[BENCH_CASES_MOST]);

bench_effort bench_effort_of(bench_set set, bool quick);

bool bench_is_met(const bench_verdict *verdict);

// What the rows of a set say; returns the number of verdicts.
uint32_t bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict verdicts[BENCH_CASES_MOST]);

// The tridiagonal solve against the copy.
bench_verdict bench_judge_limits(const bench_limits *limits);

// How cost grows with size: x is the number of strands or of free vertices, y seconds of a step, per strand in the
// second case. Rows whose size is beyond the range of the bar, 1,000 strands and more or 16 to 128 vertices, are left
// out of the fit, unless fewer than two are in it.
typedef struct bench_growth {
    double x[BENCH_CASES_MOST], y[BENCH_CASES_MOST];
    bool is_fitted[BENCH_CASES_MOST];
    uint32_t count;
    double exponent, factor; // y = factor x^exponent
} bench_growth;

bench_growth bench_fit_growth(const bench_row *rows, uint32_t count, bool in_vertices);

// A measurement beside what limits it.
typedef struct bench_use {
    double flops, bytes; // per vertex-step; bytes: through memory, or, where the population fits it, through the cache
    double share;        // of the limit that is nearest: time that it would take over the time that it took
    bool is_memory;      // that limit is a copy, not the multiply-adds
} bench_use;

// A launch of several steps reads and writes its arrays once and keeps its scratch in the cache; a stage by itself
// reads and writes all it works on.
bench_use bench_use_of(const bench_row *row, const bench_limits *limits);

#endif
