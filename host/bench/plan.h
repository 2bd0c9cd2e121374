// plan: which cases answer which question, and what the answers should be.
#ifndef SHEAF_BENCH_PLAN_H
#define SHEAF_BENCH_PLAN_H

#include "bench/limits.h"
#include "bench/measure.h"

// Cases that are measured together.
typedef enum bench_set {
    BENCH_SET_WORKLOADS,   // the three workloads that have bars
    BENCH_SET_FORMS,       // each lane width
    BENCH_SET_SCHEDULES,   // fused and staged, implicit and explicit
    BENCH_SET_THREADS,     // one thread and two
    BENCH_SET_STAGES,      // every stage of a step
    BENCH_SET_TWIST,       // frames by the closed form and by Newton iterations
    BENCH_SET_PROJECTORS,  // every projector, at equal strain
    BENCH_SET_LAWS,        // material laws, and the linear one
    BENCH_SET_POPULATIONS, // heads of hair and lawns, bare, and with gusts and colliders
    BENCH_SET_STRANDS,     // 64 to 1,048,576 strands
    BENCH_SET_VERTICES,    // 8 to 512 vertices
    BENCH_SET_COUNT
} bench_set;

enum { BENCH_CASES_MOST = 24 };

const char *bench_set_name(bench_set set);

// The set of this name; BENCH_SET_COUNT: none.
bench_set bench_set_find(const char *name);

// The cases of a set in the given lane width; `quick`: of populations small enough for a test. Those that this machine
// has no memory for are left out. Threads are no part of a case: that set has one, to be run twice.
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

#endif
