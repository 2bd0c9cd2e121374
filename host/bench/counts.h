// counts: flops and bytes of a step, counted in the text of the kernels (tests/support/count.h), not guessed.
#ifndef SHEAF_BENCH_COUNTS_H
#define SHEAF_BENCH_COUNTS_H

#include "bench/limits.h"
#include "bench/measure.h"

// Builds of the kernels that workloads use.
typedef enum bench_form {
    BENCH_FORM_BDF2,
    BENCH_FORM_BLOWN, // with gusts and colliders
    BENCH_FORM_EXPLICIT,
    BENCH_FORM_JACOBI,
    BENCH_FORM_CHEBYSHEV,
    BENCH_FORM_RED_BLACK,
    BENCH_FORM_COUNT
} bench_form;

// Of one strand. A flop is an addition, multiplication, division or square root; a multiply-add is two. Bytes are
// those of numbers that are read before they are written, and of numbers that are written, each counted once.
typedef struct bench_count {
    double flops, read, written;
} bench_count;

// A strand of some length: each stage by itself; and what a whole step reads and writes outside its scratch.
typedef struct bench_sheet {
    bench_count stages[STAGE_COUNT];
    bench_count step;
} bench_sheet;

bench_form bench_form_of(bench_workload workload);

// What a stage does in a strand of n vertices: fixed + per_vertex n.
typedef struct bench_line {
    double fixed, per_vertex;
} bench_line;

typedef struct bench_entry {
    bench_line flops, read, written;
} bench_entry;

typedef struct bench_table {
    bench_entry stages[STAGE_COUNT];
    bench_entry step;
} bench_table;

// Written by tests/kernels/test_bench_counts.c, which also keeps them in step with the kernels.
extern const bench_table bench_tables[BENCH_FORM_COUNT];

// The same for strands of so many vertices.
bench_sheet bench_sheet_of(bench_form form, uint32_t vertices);

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
