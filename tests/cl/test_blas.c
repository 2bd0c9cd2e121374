// test_blas: figures summed up by BLAS are those summed up by our own kernels.
// labels: device
#include "cl/blas.h"
#include "der/device/device.h"

#include <math.h>

#include "crowd.h"
#include "unit.h"

static sheaf_report report_of(const sheaf_model *model, engine_options options, engine_blas wish)
{
    sheaf_engine *engine;
    sheaf_report report, again;
    options.blas = wish;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(engine_step(engine, 5), SHEAF_OK);
    if (engine_report(engine, &report) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(engine_report(engine, &again), SHEAF_OK);
    assert_memory_equal(&report, &again, sizeof report); // no sum depends on who comes first
    engine_close(engine);
    return report;
}

static void assert_near(double a, double b, double bar)
{
    if (!(fabs(a - b) <= bar * fabs(b)))
        fail_msg("%.12g, wanted %.12g", a, b);
}

static void check(const crowd *c, engine_options options, double bar)
{
    sheaf_model *model = crowd_model(c);
    options.step = c->step;
    const sheaf_report own = report_of(model, options, ENGINE_BLAS_NEVER);
    const sheaf_report by_blas = report_of(model, options, ENGINE_BLAS_ALWAYS);
    assert_true(own.kinetic > 0 && own.bending > 0 && own.twisting > 0 && own.worst_strain > 0);
    assert_near(by_blas.kinetic, own.kinetic, bar);
    assert_near(by_blas.bending, own.bending, bar);
    assert_near(by_blas.twisting, own.twisting, bar);
    assert_near(by_blas.gravitational, own.gravitational, bar);
    assert_true(by_blas.worst_strain == own.worst_strain && by_blas.twist_residual == own.twist_residual);
    assert_true(by_blas.mean_newton == own.mean_newton && by_blas.mean_projections == own.mean_projections);
    assert_int_equal(by_blas.frozen_strands, 0);
    sheaf_model_free(model);
}

// 301 strands of two kinds leave lanes that only fill their bundles: those must not count.
static void blas_and_own_kernels_agree(void **fixture)
{
    (void)fixture;
    const crowd mixed = {
        .strand_count = 301, .vertex_count = 12, .is_ragged = true, .is_mixed = true, .step = 1. / 120};
    print_message("BLAS: %s\n", blas_name() ? blas_name() : "none");
    check(&mixed, (engine_options){.lane_width = 8}, 1e-6);
    check(&mixed, (engine_options){.lane_width = 4, .is_double = true}, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(blas_and_own_kernels_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
