// test_twin: whole steps on the device against the same kernel text compiled as C, bit for bit. Run as `test_twin
// small` it takes a few short strands and steps, for devices that are interpreters.
// labels: device (35 s)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "twin.h"
#include "unit.h"

static bool is_small;

static sheaf_engine *open_engine(const sheaf_model *model, uint32_t lane_width)
{
    const engine_options options = {.lane_width = lane_width, .step = model->def.step};
    sheaf_engine *engine;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return engine;
}

// Numbers of one array whose bits differ.
static size_t count_differences(sheaf_engine *engine, const twin *other, der_field array, size_t *compared)
{
    const size_t size = bundles_bytes(engine_bundles(engine), array), count = size / sizeof(float);
    const float *expected = other->arguments.arrays[array];
    float *found = malloc(size);
    size_t differences = 0;
    assert_int_equal(engine_read_array(engine, array, found), SHEAF_OK);
    for (size_t k = 0; k < count; k++)
        if (memcmp(&found[k], &expected[k], sizeof(float)) != 0 && differences++ == 0)
            printf("%s: number %zu of %zu is %.9g on the device and %.9g on its twin\n",
                   der_device.bundles.fields[array].name, k, count, (double)found[k], (double)expected[k]);
    free(found);
    *compared += count;
    return differences;
}

static bool has_kind(const sheaf_engine *engine, der_kind kind)
{
    const uint32_t *first = engine_bundles(engine)->kind_first;
    return first[kind] < first[kind + 1];
}

// Steps both and compares all that kernels write, more than once: an error may hide behind a later one. Both kinds of
// bundles must be among them.
static void compare(const sheaf_model *model, const char *name, der_kind kind, der_kind another)
{
    const uint32_t lane_width = is_small ? 4 : 8;
    sheaf_engine *engine = open_engine(model, lane_width);
    assert_true(has_kind(engine, kind) && has_kind(engine, another));
    twin other = twin_open(engine);
    size_t differences = 0, compared = 0;
    const uint32_t stops = is_small ? 1 : 3, steps = is_small ? 2 : 3;
    for (uint32_t stop = 0; stop < stops; stop++) {
        assert_int_equal(engine_step(engine, steps), SHEAF_OK);
        twin_step(&other, steps);
        for (der_field array = 0; array < DER_FIELD_COUNT; array++)
            if ((der_device.bundles.fields[array].role == FIELD_ROLE_STATE))
                differences += count_differences(engine, &other, array, &compared);
    }
    printf("%-28s float%-2u %u steps: %zu numbers, %zu differ\n", name, lane_width, stops * steps, compared,
           differences);
    twin_close(&other);
    engine_close(engine);
    assert_int_equal(differences, 0);
    assert_true(compared > 0);
}

// Strands of several lengths with all kinds of ends.
static crowd make_crowd(sheaf_integrator integrator)
{
    return (crowd){.strand_count = is_small ? 10 : 133,
                   .vertex_count = is_small ? 9 : 16,
                   .is_ragged = true,
                   .is_mixed = true,
                   .integrator = integrator,
                   .step = integrator == SHEAF_INTEGRATOR_EXPLICIT ? 2e-5 : 1. / 120};
}

static void compare_crowd(sheaf_integrator integrator, const char *name)
{
    const crowd plain = make_crowd(integrator);
    sheaf_model *model = crowd_model(&plain);
    compare(model, name, is_small ? DER_PADDED : DER_EVEN, DER_GENERAL);
    sheaf_model_free(model);
}

static void bdf2_steps_are_those_of_the_twin(void **state)
{
    (void)state;
    compare_crowd(SHEAF_INTEGRATOR_BDF2, "bdf2");
}

static void euler_steps_are_those_of_the_twin(void **state)
{
    (void)state;
    compare_crowd(SHEAF_INTEGRATOR_EULER, "euler");
}

static void explicit_steps_are_those_of_the_twin(void **state)
{
    (void)state;
    compare_crowd(SHEAF_INTEGRATOR_EXPLICIT, "explicit");
}

static void compare_damped(sheaf_integrator integrator, const char *name)
{
    crowd damped = make_crowd(integrator);
    damped.is_damped = true;
    sheaf_model *model = crowd_model(&damped);
    compare(model, name, DER_PADDED_DAMPED, DER_GENERAL_DAMPED);
    sheaf_model_free(model);
}

static void damped_steps_are_those_of_the_twin(void **state)
{
    (void)state;
    compare_damped(SHEAF_INTEGRATOR_BDF2, "bdf2 damped");
    compare_damped(SHEAF_INTEGRATOR_EXPLICIT, "explicit damped");
}

static void relaxations_are_those_of_the_twin(void **state)
{
    (void)state;
    if (is_small)
        skip();
    static const char *const names[] = {"", "explicit jacobi", "explicit chebyshev", "explicit red-black"};
    crowd even = make_crowd(SHEAF_INTEGRATOR_EXPLICIT);
    even.is_ragged = even.is_mixed = false;
    sheaf_model *model = crowd_model(&even);
    model->def.projection_iterations = 20;
    for (sheaf_projector projector = SHEAF_PROJECTOR_JACOBI; projector <= SHEAF_PROJECTOR_RED_BLACK; projector++) {
        model->def.projector = projector;
        compare(model, names[projector], DER_EVEN, DER_EVEN);
    }
    sheaf_model_free(model);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bdf2_steps_are_those_of_the_twin),     cmocka_unit_test(euler_steps_are_those_of_the_twin),
        cmocka_unit_test(explicit_steps_are_those_of_the_twin), cmocka_unit_test(damped_steps_are_those_of_the_twin),
        cmocka_unit_test(relaxations_are_those_of_the_twin),
    };
    is_small = argc > 1 && strcmp(argv[1], "small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
