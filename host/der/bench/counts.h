// counts: flops and bytes of a step, counted in the text of the kernels (tests/support/count.h), not guessed.
#ifndef SHEAF_DER_BENCH_COUNTS_H
#define SHEAF_DER_BENCH_COUNTS_H

#include "der/bench/workload.h"

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

// A strand of some length: each stage by itself; and what a whole step reads and writes outside its scratch.
typedef struct bench_sheet {
    bench_count stages[STAGE_COUNT];
    bench_count step;
} bench_sheet;

bench_form bench_form_of(der_workload workload);

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

// What a GPU does per vertex-step of BENCH_BDF2 in one Newton iteration, of BENCH_BDF2_2NEWTON in two, and of
// BENCH_EXPLICIT, all of WORK_VERTICES vertices. Written by tests/gpu/test_gpu_counts.c, likewise.
enum { WORK_VERTICES = 32 };
extern const bench_work bench_work_table[BENCH_EXPLICIT + 1];

// As bench_part has it: for the default projector, without wind and colliders.
bool der_bench_work(const bench_row *row, bench_work *work, double *sweeps, double *scratch);

// What a step of a row's case does, or one stage of it. A launch of several steps reads and writes its arrays once.
bench_count der_bench_count(const bench_row *row);

#endif
