// counts_table: what the kernels do per strand and stage: flops, bytes read, bytes written, each {fixed, per
// vertex}. Written by tests/test_bench_counts.c.
#include "bench/counts.h"

// clang-format off
const bench_table bench_tables[BENCH_FORM_COUNT] = {
    [BENCH_FORM_BDF2] = {
        .stages = {
            [STAGE_guess] = {{48, 37}, {-84, 68}, {-56, 60}},
            [STAGE_newton] = {{47, 0}, {32, 0}, {8, 0}},
            [STAGE_frames] = {{-66, 56}, {-40, 36}, {-56, 28}},
            [STAGE_curvature] = {{-135, 95}, {0, 28}, {-48, 24}},
            [STAGE_twist] = {{-235, 110}, {-160, 84}, {-96, 40}},
            [STAGE_assemble] = {{-1144, 489}, {-174, 116}, {-180, 72}},
            [STAGE_solve] = {{-968, 369}, {-286, 142}, {-340, 124}},
            [STAGE_project] = {{-81, 59}, {-28, 34}, {-58, 36}},
            [STAGE_finish] = {{-215, 151}, {-28, 100}, {-72, 96}},
        },
            .step = {{0, 0}, {-116, 124}, {0, 68}},
    },
    [BENCH_FORM_BLOWN] = {
        .stages = {
            [STAGE_guess] = {{48, 37}, {-80, 68}, {-56, 60}},
            [STAGE_wind] = {{58, 219}, {20, 12}, {0, 12}},
            [STAGE_newton] = {{47, 0}, {36, 0}, {8, 0}},
            [STAGE_frames] = {{-66, 56}, {-36, 36}, {-56, 28}},
            [STAGE_curvature] = {{-135, 95}, {4, 28}, {-48, 24}},
            [STAGE_twist] = {{-235, 110}, {-156, 84}, {-96, 40}},
            [STAGE_contact] = {{13, 32}, {-20, 34}, {-32, 20}},
            [STAGE_assemble] = {{-1144, 489}, {-170, 116}, {-180, 72}},
            [STAGE_solve] = {{-1088, 427}, {-346, 172}, {-340, 124}},
            [STAGE_collide] = {{334, 71}, {236, 52}, {4, 16}},
            [STAGE_project] = {{-81, 59}, {-28, 38}, {-58, 36}},
            [STAGE_finish] = {{-215, 151}, {-24, 112}, {-72, 100}},
        },
            .step = {{0, 0}, {-112, 128}, {0, 72}},
    },
    [BENCH_FORM_EXPLICIT] = {
        .stages = {
            [STAGE_curvature] = {{-39, 41}, {8, 24}, {-40, 20}},
            [STAGE_twist] = {{-241, 110}, {-160, 84}, {-96, 40}},
            [STAGE_project] = {{-115, 67}, {-36, 44}, {-52, 32}},
            [STAGE_start] = {{24, 10}, {0, 28}, {-56, 56}},
            [STAGE_bend_twist] = {{-309, 176}, {-128, 92}, {-12, 12}},
            [STAGE_integrate] = {{60, 25}, {-28, 40}, {16, 24}},
            [STAGE_finish] = {{-213, 138}, {24, 52}, {-64, 68}},
        },
            .step = {{0, 0}, {-64, 92}, {4, 40}},
    },
    [BENCH_FORM_JACOBI] = {
        .stages = {
            [STAGE_guess] = {{48, 37}, {-84, 68}, {-56, 60}},
            [STAGE_newton] = {{47, 0}, {32, 0}, {8, 0}},
            [STAGE_frames] = {{-66, 56}, {-40, 36}, {-56, 28}},
            [STAGE_curvature] = {{-135, 95}, {0, 28}, {-48, 24}},
            [STAGE_twist] = {{-235, 110}, {-160, 84}, {-96, 40}},
            [STAGE_assemble] = {{-1144, 489}, {-174, 116}, {-180, 72}},
            [STAGE_solve] = {{-968, 369}, {-286, 142}, {-340, 124}},
            [STAGE_project] = {{-52, 48}, {-28, 34}, {-58, 36}},
            [STAGE_finish] = {{-215, 151}, {-28, 100}, {-72, 96}},
        },
            .step = {{0, 0}, {-116, 124}, {0, 68}},
    },
    [BENCH_FORM_CHEBYSHEV] = {
        .stages = {
            [STAGE_guess] = {{48, 37}, {-84, 68}, {-56, 60}},
            [STAGE_newton] = {{47, 0}, {32, 0}, {8, 0}},
            [STAGE_frames] = {{-66, 56}, {-40, 36}, {-56, 28}},
            [STAGE_curvature] = {{-135, 95}, {0, 28}, {-48, 24}},
            [STAGE_twist] = {{-235, 110}, {-160, 84}, {-96, 40}},
            [STAGE_assemble] = {{-1144, 489}, {-174, 116}, {-180, 72}},
            [STAGE_solve] = {{-968, 369}, {-286, 142}, {-340, 124}},
            [STAGE_project] = {{-49.5, 59}, {-40, 40}, {-66, 48}},
            [STAGE_finish] = {{-215, 151}, {-28, 100}, {-72, 96}},
        },
            .step = {{0, 0}, {-116, 124}, {4, 68}},
    },
    [BENCH_FORM_RED_BLACK] = {
        .stages = {
            [STAGE_guess] = {{48, 37}, {-84, 68}, {-56, 60}},
            [STAGE_newton] = {{47, 0}, {32, 0}, {8, 0}},
            [STAGE_frames] = {{-66, 56}, {-40, 36}, {-56, 28}},
            [STAGE_curvature] = {{-135, 95}, {0, 28}, {-48, 24}},
            [STAGE_twist] = {{-235, 110}, {-160, 84}, {-96, 40}},
            [STAGE_assemble] = {{-1144, 489}, {-174, 116}, {-180, 72}},
            [STAGE_solve] = {{-968, 369}, {-286, 142}, {-340, 124}},
            [STAGE_project] = {{-124, 95}, {-28, 34}, {-58, 36}},
            [STAGE_finish] = {{-215, 151}, {-28, 100}, {-72, 96}},
        },
            .step = {{0, 0}, {-116, 124}, {0, 68}},
    },
};
// clang-format on
