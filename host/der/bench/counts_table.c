// counts_table: what the kernels do per strand and stage: flops, bytes read, bytes written, each {fixed, per
// vertex}. Written by tests/kernels/test_bench_counts.c.
#include "der/bench/counts.h"

// clang-format off
const bench_table bench_tables[BENCH_FORM_COUNT] = {
    [BENCH_FORM_BDF2] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-72, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {40, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-32, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {8, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-158, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-166, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-278, 142}, {-340, 124}},
            [STAGE_project] = {{-80, 59}, {-16, 34}, {-56, 36}},
            [STAGE_finish] = {{-800, 468}, {-92, 156}, {-120, 132}},
        },
            .step = {{0, 0}, {-76, 124}, {36, 68}},
    },
    [BENCH_FORM_BLOWN] = {
        .stages = {
            [STAGE_guess] = {{52, 37}, {-68, 68}, {-56, 60}},
            [STAGE_wind] = {{3128, 7.5}, {28, 12}, {0, 12}},
            [STAGE_newton] = {{51, 0}, {44, 0}, {8, 0}},
            [STAGE_frames] = {{-62, 56}, {-28, 36}, {-56, 28}},
            [STAGE_curvature] = {{-149, 104}, {12, 28}, {-48, 24}},
            [STAGE_twist] = {{-1018.875, 205.886719}, {-154, 88}, {-100, 44}},
            [STAGE_contact] = {{60, 11}, {32, 14}, {2, 0}},
            [STAGE_assemble] = {{-1140, 489}, {-162, 116}, {-180, 72}},
            [STAGE_solve] = {{-992, 383}, {-298, 154}, {-340, 124}},
            [STAGE_collide] = {{470, 22}, {364, 24}, {4, 0}},
            [STAGE_project] = {{-77, 59}, {-12, 34}, {-56, 36}},
            [STAGE_finish] = {{-873, 502}, {-112, 168}, {-120, 132}},
        },
            .step = {{0, 0}, {-72, 128}, {36, 68}},
    },
    [BENCH_FORM_EXPLICIT] = {
        .stages = {
            [STAGE_curvature] = {{-39, 41}, {16, 24}, {-40, 20}},
            [STAGE_twist] = {{-255, 124}, {-160, 88}, {-100, 44}},
            [STAGE_project] = {{-115, 67}, {-24, 44}, {-50, 32}},
            [STAGE_start] = {{24, 10}, {8, 28}, {-56, 56}},
            [STAGE_bend_twist] = {{-309, 176}, {-120, 92}, {-12, 12}},
            [STAGE_integrate] = {{60, 25}, {-20, 40}, {16, 24}},
            [STAGE_finish] = {{-217, 140}, {32, 52}, {-72, 72}},
        },
            .step = {{0, 0}, {-48, 92}, {12, 40}},
    },
    [BENCH_FORM_JACOBI] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-72, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {40, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-32, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {8, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-158, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-166, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-278, 142}, {-340, 124}},
            [STAGE_project] = {{-51, 48}, {-16, 34}, {-56, 36}},
            [STAGE_finish] = {{-800, 468}, {-92, 156}, {-120, 132}},
        },
            .step = {{0, 0}, {-76, 124}, {36, 68}},
    },
    [BENCH_FORM_CHEBYSHEV] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-72, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {40, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-32, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {8, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-158, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-166, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-278, 142}, {-340, 124}},
            [STAGE_project] = {{-48.5, 59}, {-28, 40}, {-64, 48}},
            [STAGE_finish] = {{-800, 468}, {-92, 156}, {-120, 132}},
        },
            .step = {{0, 0}, {-76, 124}, {40, 68}},
    },
    [BENCH_FORM_RED_BLACK] = {
        .stages = {
            [STAGE_guess] = {{49, 37}, {-72, 68}, {-56, 60}},
            [STAGE_newton] = {{48, 0}, {40, 0}, {8, 0}},
            [STAGE_frames] = {{-65, 56}, {-32, 36}, {-56, 28}},
            [STAGE_curvature] = {{-152, 104}, {8, 28}, {-48, 24}},
            [STAGE_twist] = {{-242, 124}, {-158, 88}, {-100, 44}},
            [STAGE_assemble] = {{-1143, 489}, {-166, 116}, {-180, 72}},
            [STAGE_solve] = {{-983, 377}, {-278, 142}, {-340, 124}},
            [STAGE_project] = {{-123, 95}, {-16, 34}, {-56, 36}},
            [STAGE_finish] = {{-800, 468}, {-92, 156}, {-120, 132}},
        },
            .step = {{0, 0}, {-76, 124}, {36, 68}},
    },
};
// clang-format on
