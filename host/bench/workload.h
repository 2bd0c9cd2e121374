// workload: what benchmarks run: populations of strands under one integrator each, of any size.
#ifndef SHEAF_BENCH_WORKLOAD_H
#define SHEAF_BENCH_WORKLOAD_H

#include "cl/stages.h"
#include "der/device/device.h"
#include "model/model.h"

typedef enum bench_workload {
    BENCH_BDF2,         // naturally straight hair, iterations as needed
    BENCH_BDF2_2NEWTON, // curled hair, always two Newton iterations
    BENCH_EXPLICIT,     // curled hair

    BENCH_TRIDIAGONAL, // straight hair on a head that shakes, lengths kept to a strain of 1e-4 by each projector
    BENCH_JACOBI,
    BENCH_CHEBYSHEV,
    BENCH_RED_BLACK,

    BENCH_TWIST_CLOSED, // straight hair of round section, whose frames have a closed form
    BENCH_TWIST_NEWTON, // curled hair of elliptic section, two Newton iterations of the frames

    BENCH_LAW_LINEAR, // curled hair of elliptic section, always two Newton iterations: without a law, with
    BENCH_LAW_EXACT,  // c atan(x / c) on bending and twist, and with its polynomial of degree 5
    BENCH_LAW_FIT,

    BENCH_HAIR, // a head of straight hair let fall; the next one in gusts and round the head; and so on
    BENCH_HAIR_BLOWN,
    BENCH_CURLS,
    BENCH_CURLS_BLOWN,
    BENCH_GRASS,
    BENCH_GRASS_BLOWN,
    BENCH_CURLS_FILM,
    BENCH_WORKLOAD_COUNT
} bench_workload;

// One thing to be measured.
typedef struct bench_case {
    bench_workload workload;
    uint32_t strands, vertices; // vertices of each strand
    uint32_t lane_width;        // 1, 4, 8, 16
    bool is_staged;             // one kernel per stage instead of whole steps in one
    bool is_stage;              // only the time in `stage` counts; a step then makes two projections
    engine_stage stage;
} bench_case;

const char *bench_workload_name(bench_workload workload);

// The workload of this name; BENCH_WORKLOAD_COUNT: none.
bench_workload bench_workload_find(const char *name);

// Peak flops per vertex-step that a step should cost at most; 0: no bar.
double bench_workload_bar(bench_workload workload);

// Newton iterations of the frames in each iteration of a step; 0: the engine's own choice.
uint32_t bench_workload_twist_iterations(bench_workload workload);

// The text of its material's law, in which c is BENCH_LAW_C; NULL: none.
#define BENCH_LAW_C 50.0      // 1/m
#define BENCH_LAW_RANGE 200.0 // 1/m
const char *bench_workload_law(bench_workload workload);

// What a workload is under, which decides what kernels are built for it.
sheaf_integrator bench_workload_integrator(bench_workload workload);
sheaf_projector bench_workload_projector(bench_workload workload);
bool bench_workload_is_blown(bench_workload workload);  // gusts and colliders
bool bench_workload_is_filmed(bench_workload workload); // looked at after every second step

// The population of a case: elliptic hair 20 cm long, clamped to a head that nods slightly; or what its workload says.
sheaf_status bench_make_model(const bench_case *what, sheaf_model **model);

// The scene of a workload from BENCH_HAIR on.
sheaf_status bench_make_population(const bench_case *what, sheaf_scene **scene);

#endif
