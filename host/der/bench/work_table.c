// work_table: what a GPU does per vertex-step. Written by tests/gpu/test_gpu_counts.c.
#include "der/bench/counts.h"

// clang-format off
const bench_work bench_work_table[BENCH_EXPLICIT + 1] = {
    [BENCH_BDF2] = {1010.75, 104.84375, 14.1875, 2.84375, 417.96875,
        {1546, 1534, 1499, 1416.125, 1117.375, 670, 179.625, 0}},
    [BENCH_BDF2_2NEWTON] = {1724.40625, 161.03125, 21.34375, 3.78125, 643.71875,
        {2389.25, 2374.375, 2322.875, 2215.375, 1812.75, 1168.875, 264.875, 0}},
    [BENCH_EXPLICIT] = {443.03125, 61.25, 7.875, 1.9375, 244.46875,
        {847.125, 834.875, 808.75, 735, 508.875, 251.125, 0, 0}},
};
// clang-format on
