// test_engine_energy: a free, bent rod on the engine keeps its energy and momenta under explicit steps with
// start-of-step gradients. The reference's own course is followed in test_step.
// labels: slow;device
#include "base/vec.h"
#include "der/device/device.h"

#include <stdio.h>

#include "strands.h"
#include "trend.h"
#include "unit.h"

enum { STEPS = 10000, STRIDE = 10, SAMPLES = STEPS / STRIDE, VERTICES = 32 };

typedef struct follower {
    strand rod; // for its model
    sheaf_engine *engine;
    double x[VERTICES][3], v[VERTICES][3];
} follower;

static double stable_step(const strand_def *def)
{
    double limit;
    strand straight = strand_open(def);
    assert_int_equal(ref_explicit_limit(&straight.rod, &limit), SHEAF_OK);
    strand_close(&straight);
    return limit;
}

// A naturally straight rod without ends, bent into a piece of a helix.
static void let_go(follower *f, double share_of_limit, bool is_double)
{
    strand_def def = strand_def_swing();
    vec_set(def.scene.gravity, 0, 0, 0);
    def.scene.integrator = SHEAF_INTEGRATOR_EXPLICIT;
    def.scene.projection_tolerance = is_double ? 1e-13 : 1e-6;
    def.strand.clamp_mid_edge = false;
    def.strand.root = sheaf_end_free();
    const engine_options options = {
        .lane_width = is_double ? 4 : 8, .is_double = is_double, .step = share_of_limit * stable_step(&def)};
    def.strand.shape = SHEAF_SHAPE_HELIX;
    def.strand.natural = SHEAF_NATURAL_STRAIGHT;
    def.strand.radius = 0.33;
    def.strand.pitch = 0.5;
    f->rod = strand_open(&def);
    if (der_open_engine(f->rod.model, &options, &f->engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static void step_and_read(follower *f, uint32_t steps)
{
    assert_int_equal(engine_step(f->engine, steps), SHEAF_OK);
    assert_int_equal(der_read(f->engine, f->x, f->v), SHEAF_OK);
}

// Energy at x_n with (v_n + v_{n+1}) / 2; takes a step.
static double energy_of_step(follower *f)
{
    double before[VERTICES][3];
    sheaf_report report;
    assert_int_equal(engine_report(f->engine, &report), SHEAF_OK);
    double energy = report.bending + report.twisting;
    for (uint32_t i = 0; i < VERTICES; i++)
        vec_copy(before[i], f->v[i]);
    step_and_read(f, 1);
    for (uint32_t i = 0; i < VERTICES; i++) {
        double v[3];
        vec_add(v, before[i], f->v[i]);
        energy += f->rod.model->mass[i] * vec_dot(v, v) / 8;
    }
    return energy;
}

// Momentum and angular momentum, as shares of the sums of their parts' sizes. Both are 0 at the start.
static void read_momenta(const follower *f, double *drift, double *spin)
{
    double momentum[3] = {0, 0, 0}, angular[3] = {0, 0, 0}, size = 0, turning = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const double mass = f->rod.model->mass[i];
        double moment[3];
        vec_cross(moment, f->x[i], f->v[i]);
        vec_axpy(momentum, mass, f->v[i]);
        vec_axpy(angular, mass, moment);
        size += mass * vec_length(f->v[i]);
        turning += mass * vec_length(moment);
    }
    *drift = vec_length(momentum) / size;
    *spin = vec_length(angular) / turning;
}

static test_trend follow(double share_of_limit, bool is_double, double *drift, double *spin)
{
    static double energy[SAMPLES];
    follower f;
    let_go(&f, share_of_limit, is_double);
    for (int k = 0; k < SAMPLES; k++) {
        step_and_read(&f, STRIDE - 1);
        energy[k] = energy_of_step(&f);
    }
    read_momenta(&f, drift, spin);
    engine_close(f.engine);
    strand_close(&f.rod);
    const test_trend found = trend_of(energy, SAMPLES);
    printf("%s, %.2f of the stable step: trend %.1e, fluctuation %.1e, momentum %.1e, angular momentum %.1e\n",
           is_double ? "double" : "single", share_of_limit, found.rise, found.scatter, *drift, *spin);
    return found;
}

static void double_precision(void **state)
{
    double before = 0, drift, spin;
    (void)state;
    for (double share = 0.4; share > 0.04; share /= 2) {
        const test_trend found = follow(share, true, &drift, &spin);
        assert_close(found.rise, 0, 1e-4);
        assert_close(drift, 0, 1e-10);
        assert_close(spin, 0, 1e-10);
        if (before > 0)
            assert_close(before / found.scatter, 4, 1);
        before = found.scatter;
    }
}

static void single_precision(void **state)
{
    double drift, spin;
    (void)state;
    assert_close(follow(0.4, false, &drift, &spin).rise, 0, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_precision),
        cmocka_unit_test(single_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
