// workload: what benchmarks run: populations of strands under one integrator each, of any size.
#ifndef SHEAF_DER_BENCH_WORKLOAD_H
#define SHEAF_DER_BENCH_WORKLOAD_H

#include "bench/bench.h"
#include "der/device/device.h"
#include "model/model.h"

typedef enum der_workload {
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
    BENCH_CURLS_VOLUME, // let fall, and keep their volume on a grid
    DER_WORKLOAD_COUNT
} der_workload;

// All of them, by kind.
extern const bench_workload der_workloads[DER_WORKLOAD_COUNT];

// Newton iterations of the frames in each iteration of a step; 0: the engine's own choice.
uint32_t bench_workload_twist_iterations(der_workload workload);

// What a workload is under, which decides what kernels are built for it.
sheaf_integrator bench_workload_integrator(der_workload workload);
sheaf_projector bench_workload_projector(der_workload workload);
bool bench_workload_is_blown(der_workload workload); // gusts and colliders

// The population of a case: elliptic hair 20 cm long, clamped to a head that nods slightly; or what its workload says.
sheaf_status der_bench_model(const bench_case *what, sheaf_model **model);

// The scene of a workload from BENCH_HAIR on.
sheaf_status bench_make_population(const bench_case *what, sheaf_scene **scene);

// Opens it on a device.
sheaf_status der_bench_open(const bench_case *what, const sheaf_model *model, uint32_t device, sheaf_engine **engine,
                            void **between);

// Its part in each set, and what the rows say; as bench_part has them.
uint32_t der_bench_plan(bench_set set, uint32_t lane_width, bool quick, bench_case *cases);
uint32_t der_bench_judge(bench_set set, const bench_row *rows, uint32_t count, bench_verdict *verdicts);

#endif
