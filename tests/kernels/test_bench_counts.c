// test_bench_counts: the table of flops and bytes that benchmarks use is what the kernels do. Run as `test_bench_counts
// write` it prints the table: put that into host/der/bench/counts_table.c after a change of the kernels.
#include <stdio.h>
#include <string.h>

#include "bench/plan.h"
#include "count.h"
#include "unit.h"

enum { SHORT = 16, BETWEEN = 24, LONG = 32 };

static const char *const form_names[BENCH_FORM_COUNT] = {
    [BENCH_FORM_BDF2] = "BENCH_FORM_BDF2",           [BENCH_FORM_BLOWN] = "BENCH_FORM_BLOWN",
    [BENCH_FORM_EXPLICIT] = "BENCH_FORM_EXPLICIT",   [BENCH_FORM_JACOBI] = "BENCH_FORM_JACOBI",
    [BENCH_FORM_CHEBYSHEV] = "BENCH_FORM_CHEBYSHEV", [BENCH_FORM_RED_BLACK] = "BENCH_FORM_RED_BLACK",
};

static void compare(const char *form, const char *stage, bench_count found, bench_count counted)
{
    const double limit = 1e-3 * (1 + counted.flops + counted.read);
    if (!(fabs(found.flops - counted.flops) + fabs(found.read - counted.read) + fabs(found.written - counted.written) <
          limit))
        fail_msg("%s, %s: the table says %g flops, %g bytes read, %g written; the kernels do %g, %g, %g. Run "
                 "`build/release/tests/test_bench_counts write > host/der/bench/counts_table.c` and build again.",
                 form, stage, found.flops, found.read, found.written, counted.flops, counted.read, counted.written);
}

static void check_form(bench_form form, uint32_t vertices)
{
    const bench_sheet found = bench_sheet_of(form, vertices), counted = count_sheet(form, vertices);
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++)
        compare(form_names[form], engine_stage_name(stage), found.stages[stage], counted.stages[stage]);
    compare(form_names[form], "whole step", (bench_count){0, found.step.read, found.step.written},
            (bench_count){0, counted.step.read, counted.step.written});
}

static void the_table_is_what_kernels_do(void **state)
{
    (void)state;
    for (bench_form form = 0; form < BENCH_FORM_COUNT; form++) {
        check_form(form, SHORT);
        check_form(form, LONG);
    }
}

// What is not a matter of where colliders are grows along a line.
static void lengths_between_are_on_the_line(void **state)
{
    (void)state;
    check_form(BENCH_FORM_BDF2, BETWEEN);
    check_form(BENCH_FORM_EXPLICIT, BETWEEN);
}

static bench_row make_row(der_workload workload, double newton)
{
    return (bench_row){.what = {.workload = &der_workloads[workload], .strands = 1000, .vertices = 32, .lane_width = 8},
                       .rate = 1e7,
                       .peak = 1e11,
                       .newton = newton,
                       .projections = 2,
                       .launch = 8,
                       .memory = 1e9};
}

// Figures that were counted by hand for an earlier form of the same step: 2,382 with two Newton iterations and three
// projections, 1,349 with one, 722 explicit.
static void a_step_does_about_what_it_is_known_to_do(void **state)
{
    (void)state;
    const bench_limits limits = {.peak = 1e11, .copy = 2e10, .cache_copy = 6e10, .cache_size = 1e6};
    const bench_row two = make_row(BENCH_BDF2_2NEWTON, 2), one = make_row(BENCH_BDF2, 1),
                    none = make_row(BENCH_EXPLICIT, 0);
    const bench_use uses[] = {bench_use_of(&two, &limits), bench_use_of(&one, &limits), bench_use_of(&none, &limits)};
    const double known[] = {2382, 1349, 722};
    for (int k = 0; k < 3; k++) {
        printf("%.0f flops, %.1f bytes\n", uses[k].flops, uses[k].bytes);
        assert_true(uses[k].flops > 0.75 * known[k] && uses[k].flops < 1.3 * known[k]);
        assert_true(uses[k].bytes > 10 && uses[k].bytes < 60);
        assert_close(uses[k].share, uses[k].flops * 1e7 / 1e11, 1e-12);
        assert_false(uses[k].is_memory);
    }
}

static void memory_is_the_limit_of_a_stage_by_itself(void **state)
{
    (void)state;
    const bench_limits limits = {.peak = 1e11, .copy = 2e10, .cache_copy = 6e10, .cache_size = 1e6};
    bench_row row = make_row(BENCH_BDF2_2NEWTON, 2);
    row.what.is_staged = row.what.is_stage = true;
    row.what.stage = STAGE_frames;
    const bench_use slow = bench_use_of(&row, &limits);
    row.memory = 1e5;
    const bench_use fast = bench_use_of(&row, &limits);
    assert_true(slow.is_memory && fast.is_memory);
    assert_close(slow.share, slow.bytes * 1e7 / 2e10, 1e-12);
    assert_close(fast.share, slow.share / 3, 1e-12);
}

// ---- writing

static void write_line(double at_short, double at_long)
{
    const double slope = (at_long - at_short) / (LONG - SHORT);
    printf("{%.9g, %.9g}", at_short - slope * SHORT, slope);
}

static void write_entry(const char *name, bench_count at_short, bench_count at_long)
{
    if (at_long.flops + at_long.read + at_long.written == 0)
        return;
    printf("            %s = {", name);
    write_line(at_short.flops, at_long.flops);
    printf(", ");
    write_line(at_short.read, at_long.read);
    printf(", ");
    write_line(at_short.written, at_long.written);
    printf("},\n");
}

static void write_form(bench_form form)
{
    const bench_sheet at_short = count_sheet(form, SHORT), at_long = count_sheet(form, LONG);
    bench_count step[2] = {at_short.step, at_long.step};
    step[0].flops = step[1].flops = 0;
    printf("    [%s] = {\n        .stages = {\n", form_names[form]);
    for (engine_stage stage = 0; stage < STAGE_COUNT; stage++) {
        char name[40];
        snprintf(name, sizeof name, "[STAGE_%s]", engine_stage_name(stage));
        write_entry(name, at_short.stages[stage], at_long.stages[stage]);
    }
    printf("        },\n");
    write_entry(".step", step[0], step[1]);
    printf("    },\n");
}

static void write_table(void)
{
    printf("// counts_table: what the kernels do per strand and stage: flops, bytes read, bytes written, each {fixed, "
           "per\n"
           "// vertex}. Written by tests/kernels/test_bench_counts.c.\n"
           "#include \"der/bench/counts.h\"\n\n// clang-format off\n"
           "const bench_table bench_tables[BENCH_FORM_COUNT] = {\n");
    for (bench_form form = 0; form < BENCH_FORM_COUNT; form++)
        write_form(form);
    printf("};\n// clang-format on\n");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_what_kernels_do),
        cmocka_unit_test(lengths_between_are_on_the_line),
        cmocka_unit_test(a_step_does_about_what_it_is_known_to_do),
        cmocka_unit_test(memory_is_the_limit_of_a_stage_by_itself),
    };
    if (argc > 1 && strcmp(argv[1], "write") == 0) {
        write_table();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
