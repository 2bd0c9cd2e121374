// bench: one strand built through the public interface, opened on the reference, and loaded by turning time: loads that
// grow with time make it a load factor.
#ifndef SHEAF_TESTS_BENCH_H
#define SHEAF_TESTS_BENCH_H

#include "der/ref/ref.h"

typedef struct test_bench test_bench;

struct test_bench {
    sheaf_model *model;
    sheaf_state *state;
    ref_rod rod;
    uint32_t iterations;                              // Newton steps of the last bench_settle
    double residual;                                  // N, left by it
    void (*set_load)(test_bench *bench, double load); // for loads that no course in time reaches; may be NULL
};

// A scene without gravity, a material of 1 kg/m with the given stiffnesses, and a naturally straight strand of length 1
// along x with `edges` edges, clamped at mid-edge at its root.
sheaf_scene_def bench_scene(void);
sheaf_material_def bench_material(double bend, double twist);
sheaf_strand_def bench_strand(uint32_t edges);

// A naturally straight strand of length 1 between two pins `span` apart, as a V below them; its vertices are written to
// `points`, edges + 1 of them, which must live until the strand is added.
sheaf_strand_def bench_hanging(uint32_t edges, double span, double (*points)[3]);

// Fails the test where the library does not succeed.
void bench_demand(sheaf_status status);

// `rate` times time.
sheaf_course bench_growing(double rate);

// Opens the strand; fails the test when the library refuses it.
void bench_open(test_bench *bench, const sheaf_scene_def *scene, const sheaf_material_def *material,
                const sheaf_strand_def *strand);
void bench_close(test_bench *bench);

// Equilibrium at `time`, from the pose the rod has.
void bench_settle(test_bench *bench, double time);

// Lowest omega^2 of the rod's pose at `time`; of a closed rod, the lowest but for its six rigid motions, which are
// those nearest to 0.
double bench_lowest(test_bench *bench, double time);

// The time, between low and high, at which the equilibrium reached from the rod's initial pose loses its stability:
// bench_lowest changes sign. Each pose is the start for the next.
double bench_threshold(test_bench *bench, double low, double high);

// Takes the rod to its initial pose, vertices then shifted by `amount` times a bump that vanishes with its slope at
// both ends, along `direction`.
void bench_reset(test_bench *bench, double amount, const double direction[3]);

// Largest distance of a vertex from the plane through the origin normal to `normal`.
double bench_out_of_plane(const test_bench *bench, const double normal[3]);

#endif
