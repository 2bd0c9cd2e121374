// test_devices_selftest: known answers before the first step: passed on every form, and failed by devices that are a
// little wrong; the trial of lane widths; falling back to the reference.
// labels: device
#include "cl/parts.h"
#include "der/device/width.h"
#include "der/selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "unit.h"

static sheaf_engine *open_engine(const sheaf_model *model, const engine_options *options)
{
    sheaf_engine *engine;
    if (der_open_engine(model, options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return engine;
}

static void check_form(const crowd *c, engine_options options, double bar)
{
    sheaf_model *model = crowd_model(c);
    selftest_result result = {0};
    options.step = c->step;
    sheaf_engine *engine = open_engine(model, &options);
    double start = base_clock();
    const sheaf_status status = selftest_run(engine, &result);
    const double first = base_clock() - start;
    start = base_clock();
    assert_int_equal(selftest_run(engine, NULL), status);
    printf("%s%u integrator %d: positions %.1e, velocities %.1e, bar %.1e; %.0f ms, then %.0f ms\n",
           options.is_double ? "double" : "float", options.lane_width, (int)c->integrator, result.position,
           result.velocity, result.bar, 1e3 * first, 1e3 * (base_clock() - start));
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_true(result.position > 0 && result.position < bar && result.velocity < bar);
    engine_close(engine);
    sheaf_model_free(model);
}

static void every_form_passes(void **fixture)
{
    (void)fixture;
    const crowd mixed = {.strand_count = 20, .vertex_count = 12, .is_ragged = true, .is_mixed = true, .step = 1. / 120};
    const crowd even = {.strand_count = 20, .vertex_count = 12, .step = 1. / 120};
    const crowd lossy = {.strand_count = 20, .vertex_count = 12, .is_damped = true, .step = 1. / 120};
    const crowd explicit = {
        .strand_count = 20, .vertex_count = 12, .step = 1e-5, .integrator = SHEAF_INTEGRATOR_EXPLICIT};
    check_form(&mixed, (engine_options){.lane_width = 8}, 1e-5);
    check_form(&lossy, (engine_options){.lane_width = 8}, 1e-5);
    check_form(&even, (engine_options){.lane_width = 8, .is_staged = true}, 1e-5);
    check_form(&mixed, (engine_options){.lane_width = 4, .is_double = true}, 1e-10);
    check_form(&explicit, (engine_options){.lane_width = 8}, 1e-5);
    check_form(&explicit, (engine_options){.lane_width = 4, .is_double = true}, 1e-5);
}

// The kernels with one piece of text replaced.
static char *spoil(const char *piece, const char *other)
{
    base_text kernels = {0};
    assert_int_equal(parts_assemble("kernels/der/fused.cl", NULL, 0, &kernels), SHEAF_OK);
    const char *whole = base_text_get(&kernels), *at = strstr(whole, piece);
    assert_non_null(at);
    const size_t size = kernels.length + strlen(other) + 1;
    char *text = malloc(size);
    snprintf(text, size, "%.*s%s%s", (int)(at - whole), whole, other, at + strlen(piece));
    base_text_free(&kernels);
    return text;
}

// Errors of one part in ten thousand in different places of the step; in a single component of gravity; in one of 64
// work-groups, however small. PoCL is asked to optimise little, which changes
// no bit: nobody else needs these programs.
static void small_errors_are_noticed(void **fixture)
{
    (void)fixture;
    static const struct {
        const char *piece, *other;
    } faults[] = {
        {"settings[SETTING_GRAVITY + c]", "1.0001f * settings[SETTING_GRAVITY + c]"},
        {"rows.r0 = bend", "rows.r0 = C(1.0001) * bend"},
        {"rows.r3 = bend", "rows.r3 = C(1.0001) * bend"},
        {"world.step = settings", "world.step = 1.0001f * settings"},
        {"settings[SETTING_GRAVITY + c]", "(c == 0 ? 1.001f : 1) * settings[SETTING_GRAVITY + c]"},
        {"settings[SETTING_GRAVITY + c]", "(get_group_id(0) % 64 == 38 ? 1.001f : 1) * settings[SETTING_GRAVITY + c]"},
        {"settings[SETTING_GRAVITY + c]",
         "(get_group_id(0) % 64 == 63 ? 1.00001f : 1) * settings[SETTING_GRAVITY + c]"},
    };
    const crowd even = {.strand_count = 20, .vertex_count = 12, .step = 1. / 120};
    sheaf_model *model = crowd_model(&even);
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1);
    for (size_t k = 0; k < sizeof faults / sizeof faults[0]; k++) {
        char *text = spoil(faults[k].piece, faults[k].other);
        const engine_options options = {.lane_width = 8, .step = even.step, .text = text};
        sheaf_engine *engine = open_engine(model, &options);
        selftest_result result;
        const sheaf_status status = selftest_run(engine, &result);
        printf("%s: positions %.1e, velocities %.1e\n", faults[k].other, result.position, result.velocity);
        assert_int_equal(status, SHEAF_ERR_DEVICE);
        engine_close(engine);
        free(text);
    }
    unsetenv("POCL_EXTRA_BUILD_FLAGS");
    sheaf_model_free(model);
}

// ---- lane widths

static void lane_widths_are_tried_once_and_can_be_wished_for(void **fixture)
{
    (void)fixture;
    char folder[] = "/tmp/sheaf-width-XXXXXX", command[64];
    device_info device;
    uint32_t width;
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("SHEAF_LANES");
    assert_int_equal(device_find(0, &device), SHEAF_OK);
    const width_trial before = width_known(&device, false), tried = width_try(0, &device, false, false);
    const width_trial again = width_try(0, &device, false, false);
    assert_memory_equal(&tried, &again, sizeof tried); // measured anew it would differ
    for (int k = 0; k < WIDTH_COUNT; k++) {
        printf("%u lanes: %.3g vertex-steps per second\n", width_values[k], tried.rates[k]);
        assert_true(before.rates[k] == 0);
    }
    assert_true(tried.rates[2] > 0 && tried.rates[3] > 0); // 8 and 16, on a CPU
    assert_int_equal(width_choose(0, &device, false, 1000, &width), SHEAF_OK);
    assert_int_equal(width, width_best(&tried, &device, false));
    const uint32_t few[][2] = {{1, 4}, {4, 4}, {5, 8}, {8, 8}}; // strands, and vectors that hold them
    for (int k = 0; k < 4; k++) {
        assert_int_equal(width_choose(0, &device, false, few[k][0], &width), SHEAF_OK);
        assert_int_equal(width, few[k][1]);
    }
    setenv("SHEAF_LANES", "4", 1);
    assert_int_equal(width_choose(0, &device, false, 1000, &width), SHEAF_OK);
    assert_int_equal(width, 4);
    setenv("SHEAF_LANES", "5", 1);
    assert_int_equal(width_choose(0, &device, false, 1000, &width), SHEAF_ERR_USAGE);
    unsetenv("SHEAF_LANES");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static void a_gpu_starts_from_one_lane(void **fixture)
{
    (void)fixture;
    const width_trial nothing = {{0}}, fast = {.rates = {1, 5, 3, 2}};
    const device_info gpu = {.type = CL_DEVICE_TYPE_GPU}, cpu = {.type = CL_DEVICE_TYPE_CPU};
    assert_int_equal(width_best(&nothing, &gpu, false), 1);
    assert_int_equal(width_best(&nothing, &cpu, false), 8);
    assert_int_equal(width_best(&nothing, &cpu, true), 4);
    assert_int_equal(width_best(&fast, &gpu, false), 4);
}

// Rates of one trial and the next differ by several percent on a busy machine.
static void a_cpu_keeps_to_its_registers_unless_more_is_clearly_faster(void **fixture)
{
    (void)fixture;
    const device_info cpu = {.type = CL_DEVICE_TYPE_CPU, .native_width = 8};
    const width_trial near = {.rates = {0, 0, 100, 108}}, clear = {.rates = {0, 0, 100, 112}};
    assert_int_equal(width_best(&near, &cpu, false), 8);
    assert_int_equal(width_best(&clear, &cpu, false), 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_passes),
        cmocka_unit_test(small_errors_are_noticed),
        cmocka_unit_test(lane_widths_are_tried_once_and_can_be_wished_for),
        cmocka_unit_test(a_gpu_starts_from_one_lane),
        cmocka_unit_test(a_cpu_keeps_to_its_registers_unless_more_is_clearly_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
