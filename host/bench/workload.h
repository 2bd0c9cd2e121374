// workload: what benchmarks run: populations of hair under one integrator each, of any size.
#ifndef SHEAF_BENCH_WORKLOAD_H
#define SHEAF_BENCH_WORKLOAD_H

#include "model/model.h"

typedef enum bench_workload {
    BENCH_BDF2,         // naturally straight hair, iterations as needed
    BENCH_BDF2_2NEWTON, // curled hair, always two Newton iterations
    BENCH_EXPLICIT,     // curled hair
    BENCH_WORKLOAD_COUNT
} bench_workload;

// One thing to be measured.
typedef struct bench_case {
    bench_workload workload;
    uint32_t strands, vertices; // vertices of each strand
    uint32_t lane_width;        // 1, 4, 8, 16
    bool is_staged;             // one kernel per stage instead of whole steps in one
} bench_case;

const char *bench_workload_name(bench_workload workload);

// Peak flops per vertex-step that a step should cost at most.
double bench_workload_bar(bench_workload workload);

// The population of a case: elliptic hair 20 cm long, clamped to a head that nods slightly.
sheaf_status bench_make_model(const bench_case *what, sheaf_model **model);

#endif
