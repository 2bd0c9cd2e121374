// test_gpu_counts: what a GPU does in a step, counted in the text of the kernels: instructions, and bytes that pass
// caches of several sizes; and what the model of docs/gpus.md makes of it. Run as `test_gpu_counts write` it prints the
// table: put that into host/der/bench/work_table.c after a change of the kernels; as `test_gpu_counts show`, the tables
// of docs/gpus.md.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/gpu.h"
#include "count.h"
#include "traffic.h"
#include "unit.h"

#include "der/bench/counts.h"

#define WORKLOADS (BENCH_EXPLICIT + 1)

static const char *const kinds[WORKLOADS] = {"BENCH_BDF2", "BENCH_BDF2_2NEWTON", "BENCH_EXPLICIT"};
static const uint32_t newton_of[WORKLOADS] = {1, 2, 0};

static bench_row make_row(der_workload workload)
{
    return (bench_row){.what = {.workload = &der_workloads[workload], .vertices = WORK_VERTICES},
                       .newton = newton_of[workload],
                       .projections = 2};
}

// ---- a cache

static void a_cache_keeps_what_was_used_last(void **state)
{
    (void)state;
    traffic *it = traffic_open(2, 4);
    traffic_use(it, 0, false); // fetched
    traffic_use(it, 1, true);  // written, nothing to fetch
    traffic_use(it, 0, false); // there
    traffic_use(it, 2, false); // fetched; 1 goes, back to memory
    traffic_use(it, 0, false); // there
    traffic_use(it, 1, false); // fetched; 2 goes, as it was
    assert_int_equal(traffic_passed(it), 4);
    traffic_use(it, 3, true); // 0 goes, as it was
    assert_int_equal(traffic_passed(it), 4);
    traffic_close(it);
}

static void a_cache_with_room_for_all_fetches_each_once(void **state)
{
    (void)state;
    traffic *it = traffic_open(8, 8);
    for (uint32_t k = 0; k < 80; k++)
        traffic_use(it, k % 8, k % 3 == 0);
    const uint64_t first = traffic_passed(it);
    assert_true(first > 0 && first <= 8);
    for (uint32_t k = 0; k < 80; k++)
        traffic_use(it, k % 8, true);
    assert_int_equal(traffic_passed(it), first);
    traffic_close(it);
}

// ---- counts

// `share`: how far they may be apart.
static void compare(const char *what, const char *kind, double found, double counted, double share)
{
    if (!(fabs(found - counted) <= share * (1 + counted)))
        fail_msg("%s, %s: the table says %g, the kernels do %g. Run `build/release/tests/test_gpu_counts write > "
                 "host/der/bench/work_table.c` and build again.",
                 kind, what, found, counted);
}

static void the_table_is_what_kernels_do(void **state)
{
    (void)state;
    for (der_workload w = 0; w < WORKLOADS; w++) {
        const bench_work found = bench_work_table[w], counted = count_work(w, WORK_VERTICES, newton_of[w]);
        compare("simple", kinds[w], found.simple, counted.simple, 1e-3);
        compare("choices", kinds[w], found.choices, counted.choices, 1e-3);
        compare("divisions", kinds[w], found.divisions, counted.divisions, 1e-3);
        compare("roots", kinds[w], found.roots, counted.roots, 1e-3);
        compare("accesses", kinds[w], found.accesses, counted.accesses, 1e-3);
        for (int k = 0; k < BENCH_SHARES; k++)
            // in which order operands of one expression are read is the compiler's choice, and caches notice
            compare("bytes", kinds[w], found.bytes[k], counted.bytes[k], 1e-2);
    }
}

// More cache, less traffic; one with room for a strand's scratch and arrays lets nothing pass, and without any the
// bytes are at most those of all accesses.
static void bytes_fall_as_caches_grow(void **state)
{
    (void)state;
    for (der_workload w = 0; w < WORKLOADS; w++) {
        const bench_work *work = &bench_work_table[w];
        assert_true(work->bytes[0] > 100 && work->bytes[0] <= 8 * work->accesses);
        for (int k = 1; k < BENCH_SHARES; k++)
            assert_true(work->bytes[k] <= work->bytes[k - 1]);
        assert_close(work->bytes[BENCH_SHARES - 1], 0, 1e-9);
    }
}

// ---- the model

static void the_slowest_limit_counts(void **state)
{
    const bench_work work = {.simple = 100, .bytes = {80, 80, 80, 80, 80, 80, 80, 80}};
    bench_gpu gpu = {
        .flops = 2e12, .clock = 1e9, .memory = 1e12, .cache = 1e6, .cache_rate = 1e15, .near_cache = 1e5, .units = 10};
    (void)state;
    assert_close(bench_gpu_model(&gpu, &work, 0, 1e6).rate, 1e10, 1e-6 * 1e10); // 100 instructions at 1e12/s
    gpu.memory = 1e11;
    assert_close(bench_gpu_model(&gpu, &work, 0, 1e6).rate, 1e11 / 80, 1);
    assert_string_equal(bench_gpu_model(&gpu, &work, 0, 1e6).limit, "memory");
    gpu.cache_rate = 1e10;
    assert_string_equal(bench_gpu_model(&gpu, &work, 0, 1e6).limit, "cache");
    assert_string_equal(bench_gpu_model(&gpu, &work, 10, 1).limit, "waiting");
}

static void bytes_between_counts_are_between_them(void **state)
{
    const bench_work *work = &bench_work_table[BENCH_BDF2];
    (void)state;
    assert_close(bench_gpu_bytes(work, bench_shares[3]), work->bytes[3], 1e-9);
    assert_close(bench_gpu_bytes(work, 1), work->bytes[0], 1e-9);
    assert_close(bench_gpu_bytes(work, 1e9), work->bytes[BENCH_SHARES - 1], 1e-9);
    const double some = bench_gpu_bytes(work, 1.5 * bench_shares[3]);
    assert_true(some <= work->bytes[3] && some >= work->bytes[4]);
}

static void devices_are_known_by_their_drivers_names(void **state)
{
    (void)state;
    assert_string_equal(bench_gpu_find("NVIDIA GeForce RTX 4060 Ti")->name, "NVIDIA RTX 4060 Ti");
    assert_string_equal(bench_gpu_find("Intel(R) Arc(TM) A770 Graphics")->name, "Intel Arc A770");
    assert_string_equal(bench_gpu_find("NVIDIA A100-SXM4-40GB")->name, "NVIDIA A100 40 GB");
    assert_null(bench_gpu_find("NVIDIA GeForce RTX 4060"));
    assert_null(bench_gpu_find("cpu-skylake-avx512"));
}

static void der_says_what_rows_of_the_workloads_do(void **state)
{
    bench_work work;
    double sweeps, scratch;
    (void)state;
    for (der_workload w = 0; w < WORKLOADS; w++) {
        const bench_row row = make_row(w);
        assert_true(der_bench_work(&row, &work, &sweeps, &scratch));
        assert_close(work.simple, bench_work_table[w].simple, 1e-9);
        assert_true(sweeps >= 14 && scratch == WORK_VERTICES * 58 * 4);
    }
    bench_row row = make_row(BENCH_BDF2);
    row.newton = 1.5;
    assert_true(der_bench_work(&row, &work, &sweeps, &scratch));
    assert_true(work.simple > bench_work_table[0].simple && work.simple < bench_work_table[1].simple);
    row.what.is_staged = true;
    assert_false(der_bench_work(&row, &work, &sweeps, &scratch));
}

// ---- writing

static void write_table(void)
{
    printf("// work_table: what a GPU does per vertex-step. Written by tests/gpu/test_gpu_counts.c.\n"
           "#include \"der/bench/counts.h\"\n\n// clang-format off\n"
           "const bench_work bench_work_table[BENCH_EXPLICIT + 1] = {\n");
    for (der_workload w = 0; w < WORKLOADS; w++) {
        const bench_work work = count_work(w, WORK_VERTICES, newton_of[w]);
        printf("    [%s] = {%.9g, %.9g, %.9g, %.9g, %.9g,\n        {", kinds[w], work.simple, work.choices,
               work.divisions, work.roots, work.accesses);
        for (int k = 0; k < BENCH_SHARES; k++)
            printf("%s%.9g", k > 0 ? ", " : "", work.bytes[k]);
        printf("}},\n");
    }
    printf("};\n// clang-format on\n");
}

static void show_counts(void)
{
    printf("| of a vertex-step | bdf2 | bdf2-2newton | explicit |\n|---|---|---|---|\n| additions, products, "
           "multiply-adds |");
    for (int w = 0; w < WORKLOADS; w++)
        printf(" %.0f |", bench_work_table[w].simple);
    printf("\n| comparisons and selections |");
    for (int w = 0; w < WORKLOADS; w++)
        printf(" %.0f |", bench_work_table[w].choices);
    printf("\n| divisions, square roots |");
    for (int w = 0; w < WORKLOADS; w++)
        printf(" %.1f, %.1f |", bench_work_table[w].divisions, bench_work_table[w].roots);
    printf("\n| loads and stores |");
    for (int w = 0; w < WORKLOADS; w++)
        printf(" %.0f |", bench_work_table[w].accesses);
    printf("\n| instructions |");
    for (int w = 0; w < WORKLOADS; w++)
        printf(" %.0f |", bench_gpu_instructions(&bench_work_table[w]));
    for (int k = 0; k < BENCH_SHARES; k++) {
        printf("\n| bytes beyond a cache with %.0f B a strand |", bench_shares[k]);
        for (int w = 0; w < WORKLOADS; w++)
            printf(" %.0f |", bench_work_table[w].bytes[k]);
    }
    printf("\n");
}

static void show_rate(bench_gpu_rate found)
{
    printf(" %.2f G, %.0f B, %s |", 1e-9 * found.rate, found.bytes, found.limit);
}

static void show_model(void)
{
    printf("| GPU | strands in flight: all, cached | bdf2, all | bdf2, cached | bdf2-2newton, all | bdf2-2newton, "
           "cached | "
           "explicit, all | explicit, cached |\n|---|---|---|---|---|---|---|---|\n");
    for (const bench_gpu *it = bench_gpus; it->name != NULL; it++) {
        const double scratch = WORK_VERTICES * 58. * 4;
        printf("| %s | %u, %.0f |", it->name, it->units * it->most_in_flight,
               fmin(it->units * it->most_in_flight, it->cache / scratch));
        for (der_workload w = 0; w < WORKLOADS; w++) {
            const bench_row row = make_row(w);
            bench_work work;
            double sweeps, size;
            (void)der_bench_work(&row, &work, &sweeps, &size);
            show_rate(bench_gpu_full(it, &work, sweeps));
            show_rate(bench_gpu_cached(it, &work, sweeps, size));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cache_keeps_what_was_used_last),
        cmocka_unit_test(a_cache_with_room_for_all_fetches_each_once),
        cmocka_unit_test(the_table_is_what_kernels_do),
        cmocka_unit_test(bytes_fall_as_caches_grow),
        cmocka_unit_test(the_slowest_limit_counts),
        cmocka_unit_test(bytes_between_counts_are_between_them),
        cmocka_unit_test(devices_are_known_by_their_drivers_names),
        cmocka_unit_test(der_says_what_rows_of_the_workloads_do),
    };
    if (argc > 1 && strcmp(argv[1], "write") == 0)
        write_table();
    else if (argc > 1 && strcmp(argv[1], "show") == 0) {
        show_counts();
        printf("\n");
        show_model();
    } else
        return cmocka_run_group_tests(tests, NULL, NULL);
    return 0;
}
