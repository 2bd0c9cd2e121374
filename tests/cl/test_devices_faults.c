// test_devices_faults: every OpenCL call of a run fails in turn, with every kind of error: the engine says so, lets go
// of all it had, and the next run is as good as the first. Drivers that lie and drivers that hang are noticed.
// labels: device
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/engine_parts.h"
#include "cl/stages.h"
#include "der/device/owners.h"

#include "crowd.h"
#include "fault_cl.h"
#include "unit.h"

static const engine_options options = {.lane_width = 8, .step = 1. / 120};
static const crowd small = {.strand_count = 11, .vertex_count = 12, .step = 1. / 120};

// ---- memory of ours that is alive

static atomic_long live;

static void *count_allocate(size_t size, void *user)
{
    (void)user;
    void *memory = malloc(size);
    if (memory != NULL)
        atomic_fetch_add(&live, 1);
    return memory;
}

static void *count_reallocate(void *memory, size_t size, void *user)
{
    (void)user;
    if (memory == NULL)
        return count_allocate(size, user);
    return realloc(memory, size);
}

static void count_release(void *memory, void *user)
{
    (void)user;
    if (memory != NULL)
        atomic_fetch_sub(&live, 1);
    free(memory);
}

// ---- one whole life of an engine

static sheaf_status use_engine(sheaf_engine *engine, double (*positions)[3])
{
    sheaf_report report;
    SHEAF_TRY(engine_step(engine, 3));
    SHEAF_TRY(der_read(engine, positions, NULL));
    SHEAF_TRY(engine_step(engine, 2));
    SHEAF_TRY(engine_report(engine, &report));
    return der_read(engine, positions, NULL);
}

static sheaf_status run(const sheaf_model *model, const engine_options *wanted, double (*positions)[3])
{
    sheaf_engine *engine;
    sheaf_status status = der_open_engine(model, wanted, &engine);
    if (status != SHEAF_OK) {
        assert_null(engine);
        return status;
    }
    status = use_engine(engine, positions);
    engine_close(engine);
    return status;
}

// A failed call may be one whose result does not matter; then positions must be right.
static void run_with_fault(const sheaf_model *model, fault_plan plan, double (*expected)[3], long *failures)
{
    const size_t size = model->vertex_count * sizeof *expected;
    double(*positions)[3] = malloc(size);
    const long before = atomic_load(&live);
    fault_arm(plan);
    const sheaf_status status = run(model, &options, positions);
    fault_arm((fault_plan){0});
    assert_int_equal(atomic_load(&live), before);
    if (status == SHEAF_OK) {
        assert_memory_equal(positions, expected, size);
    } else {
        assert_int_equal(status, SHEAF_ERR_DEVICE);
        assert_true(strlen(sheaf_last_error()) > 10);
        (*failures)++;
    }
    free(positions);
}

static void any_failing_call_is_a_clean_status(void **fixture)
{
    (void)fixture;
    static const cl_int codes[] = {-4, -5, -6, -11, -14, -36};
    sheaf_model *model = crowd_model(&small);
    double(*expected)[3] = malloc(model->vertex_count * sizeof *expected);
    long failures = 0, runs = 0;
    assert_int_equal(run(model, &options, expected), SHEAF_OK); // compiles; meanwhile the driver is polled
    fault_arm((fault_plan){0});
    assert_int_equal(run(model, &options, expected), SHEAF_OK);
    const long calls = fault_call_count();
    const bool thorough = getenv("SHEAF_TEST_THOROUGH") != NULL;
    for (long call = 1; call <= calls; call++)
        for (int c = 0; c < 6; c++)
            if (thorough || c == call % 6) {
                run_with_fault(model, (fault_plan){.call = call, .code = codes[c]}, expected, &failures);
                runs++;
            }
    printf("%ld calls, %ld runs with a fault, %ld of them failed cleanly\n", calls, runs, failures);
    assert_true(calls > 50 && failures > runs / 2);
    free(expected);
    sheaf_model_free(model);
}

static void failure_told_by_an_event_counts(void **fixture)
{
    (void)fixture;
    sheaf_model *model = crowd_model(&small);
    double(*positions)[3] = malloc(model->vertex_count * sizeof *positions);
    fault_arm((fault_plan){.mode = FAULT_STATUS, .code = CL_OUT_OF_RESOURCES});
    assert_int_equal(run(model, &options, positions), SHEAF_ERR_DEVICE);
    fault_arm((fault_plan){0});
    assert_non_null(strstr(sheaf_last_error(), "CL_OUT_OF_RESOURCES"));
    free(positions);
    sheaf_model_free(model);
}

// The first launch of a kernel hangs; that is to be told within `most` s.
static void check_hang(double time_limit, double most)
{
    sheaf_model *model = crowd_model(&small);
    double(*positions)[3] = malloc(model->vertex_count * sizeof *positions);
    engine_options limited = options;
    sheaf_engine *engine;
    limited.time_limit = time_limit;
    assert_int_equal(der_open_engine(model, &limited, &engine), SHEAF_OK);
    fault_arm((fault_plan){.mode = FAULT_HANG});
    const double start = base_clock();
    assert_int_equal(use_engine(engine, positions), SHEAF_ERR_DEVICE);
    assert_true(base_clock() - start < most);
    assert_non_null(strstr(sheaf_last_error(), "hung"));
    assert_int_equal(engine_step(engine, 1), SHEAF_ERR_USAGE);
    engine_close(engine);
    fault_arm((fault_plan){0});
    free(positions);
    sheaf_model_free(model);
}

static void a_launch_that_never_ends_is_reported(void **fixture)
{
    (void)fixture;
    check_hang(0.2, 5);
    check_hang(0, 30); // 10 s are promised
}

// ---- devices that can do little

// The same run on the device as it is and on one that says it can do less.
static void check_less(const crowd *c, uint32_t lane_width, fault_plan less, uint32_t least_slices)
{
    sheaf_model *model = crowd_model(c);
    const size_t size = model->vertex_count * sizeof(double[3]);
    double(*expected)[3] = malloc(size), (*positions)[3] = malloc(size);
    const engine_options wanted = {.lane_width = lane_width, .step = c->step};
    sheaf_engine *engine;
    assert_int_equal(run(model, &wanted, expected), SHEAF_OK);
    fault_arm(less);
    if (der_open_engine(model, &wanted, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_true(engine_memory_use(engine).slice_count >= least_slices);
    assert_int_equal(use_engine(engine, positions), SHEAF_OK);
    engine_close(engine);
    fault_arm((fault_plan){0});
    assert_memory_equal(positions, expected, size);
    free(positions);
    free(expected);
    sheaf_model_free(model);
}

static void little_memory_and_small_groups_change_no_bit(void **fixture)
{
    (void)fixture;
    const crowd many = {.strand_count = 14000, .vertex_count = 32, .step = 1. / 120};
    check_less(&many, 8, (fault_plan){.memory = 64 << 20}, 2);
    check_less(&small, 1, (fault_plan){.group = 1}, 1);
}

// A GPU gets groups of 64 and as many of them as its cache holds scratch for, and one for each unit at least.
static void gpus_get_groups_by_their_cache(void **fixture)
{
    (void)fixture;
    const crowd some = {.strand_count = 700, .vertex_count = 16, .step = 1. / 120};
    const fault_plan caches[] = {{.cache = 1}, {.cache = 4 << 20}};
    const engine_options wanted = {.lane_width = 1, .step = some.step};
    sheaf_model *model = crowd_model(&some);
    for (int k = 0; k < 2; k++) {
        sheaf_engine *engine;
        check_less(&some, 1, caches[k], 1);
        fault_arm(caches[k]);
        assert_int_equal(der_open_engine(model, &wanted, &engine), SHEAF_OK);
        const uint64_t scratch = engine_scratch_bytes(engine), units = engine_device(engine)->compute_units;
        assert_int_equal(engine_bundles(engine)->options.width, 64);
        assert_true(scratch <= (4 << 20) || k == 0);
        assert_int_equal(scratch / engine_scratch_size(engine),
                         k == 0 ? units : (4 << 20) / engine_scratch_size(engine));
        engine_close(engine);
        fault_arm((fault_plan){0});
    }
    sheaf_model_free(model);
}

static sheaf_engine *open_wished(const sheaf_model *model, const char *wish)
{
    const engine_options wanted = {.lane_width = 1, .step = model->def.step};
    sheaf_engine *engine;
    setenv("SHEAF_OWNERS", wish, 1);
    (void)der_open_engine(model, &wanted, &engine);
    unsetenv("SHEAF_OWNERS");
    return engine;
}

// Owners that the environment asks for are there, and no number of them changes a bit.
static void owners_can_be_wished_for(void **fixture)
{
    static const char *const wishes[] = {"", "1", "2", "5", "300"}, *const none[] = {"0", "-1", "3x", "2097152"};
    const crowd some = {.strand_count = 700, .vertex_count = 16, .step = 1. / 120};
    sheaf_model *model = crowd_model(&some);
    const size_t size = model->vertex_count * sizeof(double[3]);
    double(*expected)[3] = malloc(size), (*positions)[3] = malloc(size);
    (void)fixture;
    for (int k = 0; k < 5; k++) {
        sheaf_engine *engine = open_wished(model, wishes[k]);
        assert_non_null(engine);
        if (k > 0)
            assert_int_equal(engine_scratch_bytes(engine) / engine_scratch_size(engine), atoi(wishes[k]));
        assert_int_equal(use_engine(engine, k == 0 ? expected : positions), SHEAF_OK);
        engine_close(engine);
        if (k > 0)
            assert_memory_equal(positions, expected, size);
    }
    for (int k = 0; k < 4; k++) {
        assert_null(open_wished(model, none[k]));
        assert_non_null(strstr(sheaf_last_error(), none[k]));
    }
    free(positions);
    free(expected);
    sheaf_model_free(model);
}

// On a GPU owners are tried once for a device, where there is more to do than its cache holds scratch for.
static void gpus_try_how_many_owners(void **fixture)
{
    char folder[] = "/tmp/sheaf-owners-XXXXXX", command[64];
    const char *before = getenv("XDG_CACHE_HOME");
    engine_options first = {.lane_width = 1, .step = 1. / 120}, again = first, few = first, wide = first;
    device_info device;
    (void)fixture;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    wide.lane_width = 8;
    assert_int_equal(device_find(0, &device), SHEAF_OK);
    owners_choose(&device, 1 << 24, &few); // it is no GPU
    fault_arm((fault_plan){.cache = 1 << 20});
    assert_int_equal(device_find(0, &device), SHEAF_OK);
    device.compute_units = 1;
    owners_choose(&device, 100, &few);
    owners_choose(&device, 1 << 24, &wide);
    assert_int_equal(few.cache_fill + wide.cache_fill, 0);
    owners_choose(&device, 1 << 24, &first);
    assert_true(first.cache_fill >= 1 && first.cache_fill <= 16);
    const long calls = fault_call_count();
    owners_choose(&device, 1 << 24, &again);
    assert_int_equal(again.cache_fill, first.cache_fill);
    assert_int_equal(fault_call_count(), calls); // remembered
    fault_arm((fault_plan){0});
    setenv("XDG_CACHE_HOME", before != NULL ? before : "", 1);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void double_needs_a_device_that_has_it(void **fixture)
{
    (void)fixture;
    sheaf_model *model = crowd_model(&small);
    engine_options wanted = options;
    sheaf_engine *engine;
    wanted.is_double = true;
    fault_arm((fault_plan){.lacks_fp64 = true});
    assert_int_equal(der_open_engine(model, &wanted, &engine), SHEAF_ERR_DEVICE);
    fault_arm((fault_plan){0});
    assert_non_null(strstr(sheaf_last_error(), "double precision"));
    sheaf_model_free(model);
}

#if defined(__SSE__)
// Tiny numbers flushed to 0 on the host's side, as other libraries of a program may have set it.
static void denormals_off_change_no_bit(void **fixture)
{
    (void)fixture;
    sheaf_model *model = crowd_model(&small);
    const size_t size = model->vertex_count * sizeof(double[3]);
    double(*expected)[3] = malloc(size), (*positions)[3] = malloc(size);
    assert_int_equal(run(model, &options, expected), SHEAF_OK);
    const unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(before | 0x8040); // flush to zero, denormals are zero
    const sheaf_status status = run(model, &options, positions);
    __builtin_ia32_ldmxcsr(before);
    assert_int_equal(status, SHEAF_OK);
    assert_memory_equal(positions, expected, size);
    free(positions);
    free(expected);
    sheaf_model_free(model);
}
#endif

int main(void)
{
    const sheaf_allocator counted = {count_allocate, count_reallocate, count_release, NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_failing_call_is_a_clean_status),
        cmocka_unit_test(failure_told_by_an_event_counts),
        cmocka_unit_test(a_launch_that_never_ends_is_reported),
        cmocka_unit_test(little_memory_and_small_groups_change_no_bit),
        cmocka_unit_test(gpus_get_groups_by_their_cache),
        cmocka_unit_test(owners_can_be_wished_for),
        cmocka_unit_test(gpus_try_how_many_owners),
        cmocka_unit_test(double_needs_a_device_that_has_it),
#if defined(__SSE__)
        cmocka_unit_test(denormals_off_change_no_bit),
#endif
    };
    if (sheaf_allocator_set(&counted) != SHEAF_OK)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
