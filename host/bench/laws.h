// laws: what one evaluation of a material law costs, as kernels have it and as a tree.
#ifndef SHEAF_BENCH_LAWS_H
#define SHEAF_BENCH_LAWS_H

#include "bench/plan.h"

// The law that is measured, on bending and twist.
#define BENCH_LAW_TEXT "c*atan(x/c)"
#define BENCH_LAW_C 50.0      // 1/m
#define BENCH_LAW_RANGE 200.0 // 1/m

// Value and slope of c atan(x / c): the text that was emitted for the device, on as many lanes and threads as the probe
// has, against a tree that one core differentiates and walks at every call, as interpreters of laws do. Both in this
// one run; the verdict is how many times as fast the first is for each core of the device.
sheaf_status bench_judge_evaluation(peak_probe *probe, bench_verdict *verdict);

#endif
