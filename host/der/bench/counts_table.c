// counts_table: what the kernels do per strand and stage: flops, bytes read, bytes written, each {fixed, per
// vertex}. Written by tests/kernels/test_bench_counts.c.
#include "der/bench/counts.h"

// clang-format off
const bench_table bench_tables[BENCH_FORM_COUNT] = {
    [BENCH_FORM_BDF2] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-80, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {36, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-36, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {4, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-162, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-170, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-282, 142}, {-340, 124}},
            [STAGE_project] = {{-80, 59}, {-24, 34}, {-58, 36}},
            [STAGE_finish] = {{-562, 309}, {-120, 144}, {-148, 132}},
        },
            .step = {{0, 0}, {-108, 124}, {4, 68}},
    },
    [BENCH_FORM_BLOWN] = {
        .stages = {
            [STAGE_guess] = {{52, 37}, {-76, 68}, {-56, 60}},
            [STAGE_wind] = {{3128, 7.5}, {24, 12}, {0, 12}},
            [STAGE_newton] = {{51, 0}, {40, 0}, {8, 0}},
            [STAGE_frames] = {{-62, 56}, {-32, 36}, {-56, 28}},
            [STAGE_curvature] = {{-149, 104}, {8, 28}, {-48, 24}},
            [STAGE_twist] = {{-1018.875, 205.886719}, {-158, 88}, {-100, 44}},
            [STAGE_contact] = {{60, 11}, {28, 14}, {2, 0}},
            [STAGE_assemble] = {{-1140, 489}, {-166, 116}, {-180, 72}},
            [STAGE_solve] = {{-992, 383}, {-302, 154}, {-340, 124}},
            [STAGE_collide] = {{470, 22}, {328, 24}, {4, 0}},
            [STAGE_project] = {{-77, 59}, {-20, 34}, {-58, 36}},
            [STAGE_finish] = {{-559, 309}, {-116, 144}, {-148, 132}},
        },
            .step = {{0, 0}, {-104, 128}, {4, 68}},
    },
    [BENCH_FORM_EXPLICIT] = {
        .stages = {
            [STAGE_curvature] = {{-39, 41}, {12, 24}, {-40, 20}},
            [STAGE_twist] = {{-255, 124}, {-164, 88}, {-100, 44}},
            [STAGE_project] = {{-115, 67}, {-32, 44}, {-52, 32}},
            [STAGE_start] = {{24, 10}, {4, 28}, {-56, 56}},
            [STAGE_bend_twist] = {{-309, 176}, {-124, 92}, {-12, 12}},
            [STAGE_integrate] = {{60, 25}, {-24, 40}, {16, 24}},
            [STAGE_finish] = {{-217, 140}, {28, 52}, {-72, 72}},
        },
            .step = {{0, 0}, {-56, 92}, {8, 40}},
    },
    [BENCH_FORM_JACOBI] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-80, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {36, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-36, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {4, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-162, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-170, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-282, 142}, {-340, 124}},
            [STAGE_project] = {{-51, 48}, {-24, 34}, {-58, 36}},
            [STAGE_finish] = {{-562, 309}, {-120, 144}, {-148, 132}},
        },
            .step = {{0, 0}, {-108, 124}, {4, 68}},
    },
    [BENCH_FORM_CHEBYSHEV] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-80, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {36, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-36, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {4, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-162, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-170, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-282, 142}, {-340, 124}},
            [STAGE_project] = {{-48.5, 59}, {-36, 40}, {-66, 48}},
            [STAGE_finish] = {{-562, 309}, {-120, 144}, {-148, 132}},
        },
            .step = {{0, 0}, {-108, 124}, {8, 68}},
    },
    [BENCH_FORM_RED_BLACK] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-80, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {36, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-36, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {4, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-162, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-170, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-282, 142}, {-340, 124}},
            [STAGE_project] = {{-123, 95}, {-24, 34}, {-58, 36}},
            [STAGE_finish] = {{-562, 309}, {-120, 144}, {-148, 132}},
        },
            .step = {{0, 0}, {-108, 124}, {4, 68}},
    },
};
// clang-format on
