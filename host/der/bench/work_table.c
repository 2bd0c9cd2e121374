// work_table: what a GPU does per vertex-step. Written by tests/gpu/test_gpu_counts.c.
#include "der/bench/counts.h"

// clang-format off
const bench_work bench_work_table[BENCH_EXPLICIT + 1] = {
    [BENCH_BDF2] = {1112.34375, 106.5, 14.15625, 2.875, 448.09375,
        {1653.875, 1639.875, 1609.375, 1531.75, 1240.625, 792.125, 194.375, 0}},
    [BENCH_BDF2_2NEWTON] = {1824.15625, 162.8125, 21.28125, 3.8125, 672.21875,
        {2490, 2472.25, 2427.375, 2328.25, 1937.5, 1291.375, 279.75, 0}},
    [BENCH_EXPLICIT] = {441.1875, 61.5, 7.84375, 1.9375, 243,
        {841.25, 827.875, 803.875, 733.375, 512.125, 251.5, 0, 0}},
};
// clang-format on
