// count: flops and bytes of every stage of a step, counted by running the text of the kernels with a lane type that
// counts. No device takes part.
#ifndef SHEAF_TESTS_COUNT_H
#define SHEAF_TESTS_COUNT_H

#include "der/bench/counts.h"

// What one strand of the benchmark's population does in a step of `vertices` vertices: of stages inside a Newton
// iteration or a projection, the mean of two; of frames, what they need. Fails the test where memory is short.
bench_sheet count_sheet(bench_form form, uint32_t vertices);

// What a GPU, one strand per work-item, does in a step of the fused kernel with so many Newton iterations; 0: explicit.
bench_work count_work(der_workload workload, uint32_t vertices, uint32_t newton);

#endif
