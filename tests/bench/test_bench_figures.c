// test_bench_figures: what benchmarks make of their measurements: quartiles, exponents, and what is noise.
#include "bench/compare.h"
#include "bench/plan.h"
#include "der/bench/workload.h"
#include "der/device/stages.h"

#include "unit.h"

static void quartiles_are_between_values(void **state)
{
    (void)state;
    double values[] = {5, 1, 4, 2, 3}, even[] = {4, 1, 3, 2}, quartiles[3];
    bench_quartiles(values, 5, quartiles);
    assert_close(quartiles[0], 2, 1e-15);
    assert_close(quartiles[1], 3, 1e-15);
    assert_close(quartiles[2], 4, 1e-15);
    bench_quartiles(even, 4, quartiles);
    assert_close(quartiles[1], 2.5, 1e-15);
}

// A row of a population that takes `seconds` for a step.
static bench_row make_row(uint32_t strands, uint32_t vertices, double seconds)
{
    const double rate = (double)strands * vertices / seconds;
    return (bench_row){.what = {.workload = &der_workloads[BENCH_BDF2], .strands = strands, .vertices = vertices},
                       .rate = rate,
                       .quartiles = {0.98 * rate, 0.99 * rate, rate},
                       .peak = 1e11,
                       .rounds = 7};
}

static void the_best_of_all_visits_counts(void **state)
{
    (void)state;
    bench_row row = make_row(100, 32, 2), slow = make_row(100, 32, 3), fast = make_row(100, 32, 1);
    slow.peak = 2e11;
    bench_join(&row, &slow);
    assert_close(row.rate, 1600, 1e-12);
    assert_close(row.quartiles[2], 1600, 1e-12);
    bench_join(&row, &fast);
    assert_close(row.rate, 3200, 1e-12);
    assert_close(row.quartiles[2], 3200, 1e-12);
    assert_close(row.peak, 2e11, 1e-12);
    assert_int_equal(row.rounds, 21);
}

static void growth_is_fitted_where_launches_do_not_count(void **state)
{
    (void)state;
    const uint32_t strands[] = {64, 256, 1024, 4096, 16384};
    bench_row rows[5];
    for (int k = 0; k < 5; k++)
        rows[k] = make_row(strands[k], 32, strands[k] < 1000 ? 1e-3 : 2e-7 * pow(strands[k], 1.1));
    const bench_growth growth = bench_fit_growth(rows, 5, false);
    assert_close(growth.exponent, 1.1, 1e-12);
    assert_close(growth.factor, 2e-7, 1e-18);
    assert_false(growth.is_fitted[1]);
    assert_true(growth.is_fitted[2]);
    assert_close(bench_fit_growth(rows, 2, false).exponent, 0, 1e-12); // nothing else to fit
}

static void growth_in_vertices_is_that_of_free_ones(void **state)
{
    (void)state;
    const uint32_t vertices[] = {8, 16, 32, 64, 128, 256};
    bench_row rows[6];
    for (int k = 0; k < 6; k++)
        rows[k] = make_row(1000, vertices[k], (vertices[k] < 200 && vertices[k] > 10 ? 1e-6 : 1) * (vertices[k] - 2));
    assert_close(bench_fit_growth(rows, 6, true).exponent, 1, 1e-12);
    bench_verdict verdict[BENCH_CASES_MOST];
    assert_int_equal(bench_judge(BENCH_SET_VERTICES, rows, 6, verdict), 1);
    assert_true(bench_is_met(verdict));
    assert_int_equal(bench_judge(BENCH_SET_VERTICES, rows, 1, verdict), 0);
}

static bench_change change_of(double before, double after, double spread, uint32_t rounds)
{
    bench_row rows[2] = {make_row(1000, 32, before), make_row(1000, 32, after)};
    for (int k = 0; k < 2; k++) {
        rows[k].quartiles[0] = rows[k].rate / (1 + 1.5 * spread);
        rows[k].quartiles[1] = rows[k].rate / (1 + spread);
        rows[k].quartiles[2] = rows[k].rate / (1 + 0.5 * spread);
        rows[k].rounds = rounds;
    }
    return bench_compare(&rows[0], &rows[1]).change;
}

static void a_change_counts_beyond_the_noise(void **state)
{
    (void)state;
    assert_int_equal(change_of(1, 1, 0.01, 7), BENCH_SAME);
    assert_int_equal(change_of(1, 1.025, 0.01, 7), BENCH_SAME);
    assert_int_equal(change_of(1, 1.06, 0.01, 7), BENCH_SLOWER);
    assert_int_equal(change_of(1.06, 1, 0.01, 7), BENCH_FASTER);
    assert_int_equal(change_of(1, 1.06, 0.2, 7), BENCH_SAME);
    assert_int_equal(change_of(1, 1.5, 0.2, 7), BENCH_SLOWER);
    assert_int_equal(change_of(1, 1.3, 0.01, 2), BENCH_SAME);
    assert_int_equal(change_of(1, 2, 0.01, 2), BENCH_SLOWER);
}

// A machine that runs at half its clock today has half the peak and half the rate.
static void costs_are_compared_not_times(void **state)
{
    (void)state;
    const bench_row before = make_row(1000, 32, 1);
    bench_row after = make_row(1000, 32, 2);
    assert_int_equal(bench_compare(&before, &after).change, BENCH_SLOWER);
    after.peak /= 2;
    assert_int_equal(bench_compare(&before, &after).change, BENCH_SAME);
}

static void only_like_cases_are_compared(void **state)
{
    (void)state;
    const bench_row row = make_row(1000, 32, 1);
    bench_row other = row;
    other.what.stage = STAGE_solve; // of no meaning in a whole step
    assert_true(bench_same_case(&row, &other));
    other.what.is_stage = true;
    assert_false(bench_same_case(&row, &other));
    other = row;
    other.threads = 3;
    assert_false(bench_same_case(&row, &other));
}

static void every_set_and_workload_is_found_by_its_name(void **state)
{
    (void)state;
    bench_case cases[BENCH_CASES_MOST];
    for (bench_set set = 0; set < BENCH_SET_COUNT; set++) {
        assert_int_equal(bench_set_find(bench_set_name(set)), set);
        assert_true(bench_plan(set, 8, false, cases) <= BENCH_CASES_MOST);
    }
    for (der_workload workload = 0; workload < DER_WORKLOAD_COUNT; workload++)
        assert_ptr_equal(bench_workload_find(der_workloads[workload].name), &der_workloads[workload]);
    assert_int_equal(bench_set_find("nothing"), BENCH_SET_COUNT);
    assert_null(bench_workload_find("nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartiles_are_between_values),
        cmocka_unit_test(the_best_of_all_visits_counts),
        cmocka_unit_test(growth_is_fitted_where_launches_do_not_count),
        cmocka_unit_test(growth_in_vertices_is_that_of_free_ones),
        cmocka_unit_test(a_change_counts_beyond_the_noise),
        cmocka_unit_test(costs_are_compared_not_times),
        cmocka_unit_test(only_like_cases_are_compared),
        cmocka_unit_test(every_set_and_workload_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
