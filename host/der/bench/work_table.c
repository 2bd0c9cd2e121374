// work_table: what a GPU does per vertex-step. Written by tests/gpu/test_gpu_counts.c.
#include "der/bench/counts.h"

// clang-format off
const bench_work bench_work_table[BENCH_EXPLICIT + 1] = {
    [BENCH_BDF2] = {1007.0625, 104.71875, 14.125, 2.84375, 414.34375,
        {1530.75, 1517, 1486.25, 1409.625, 1119.875, 670, 179.625, 0}},
    [BENCH_BDF2_2NEWTON] = {1718.875, 160.84375, 21.25, 3.78125, 638.28125,
        {2366.375, 2348.875, 2303.75, 2205.625, 1816.5, 1168.875, 264.875, 0}},
    [BENCH_EXPLICIT] = {441.1875, 61.1875, 7.84375, 1.9375, 242.65625,
        {839.5, 826.375, 802.375, 731.75, 510.25, 251.125, 0, 0}},
};
// clang-format on
