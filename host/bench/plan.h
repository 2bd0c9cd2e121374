// plan: which cases answer which question, and what the answers should be.
#ifndef SHEAF_BENCH_PLAN_H
#define SHEAF_BENCH_PLAN_H

#include "bench/measure.h"

// Cases that are measured together.
typedef enum bench_set {
    BENCH_SET_WORKLOADS, // the three workloads
    BENCH_SET_FORMS,     // each lane width
    BENCH_SET_SCHEDULES, // fused and staged
    BENCH_SET_THREADS,   // one thread and two
    BENCH_SET_STRANDS,   // 1,000 to 64,000 strands
    BENCH_SET_VERTICES,  // 16 to 128 vertices
    BENCH_SET_COUNT
} bench_set;

enum { BENCH_CASES_MOST = 8 };

const char *bench_set_name(bench_set set);

// The cases of a set in the given lane width; `quick`: of populations small enough for a test. Threads are no part of a
// case: that set has one, to be run twice.
uint32_t bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case cases[BENCH_CASES_MOST]);

bench_effort bench_effort_of(bench_set set, bool quick);

// A figure and the bar it should keep to.
typedef struct bench_verdict {
    char what[64];
    double measured, bar;
    bool is_least; // the bar is the least, not the most
} bench_verdict;

bool bench_is_met(const bench_verdict *verdict);

// What the rows of a set say; returns the number of verdicts.
uint32_t bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict verdicts[BENCH_CASES_MOST]);

#endif
