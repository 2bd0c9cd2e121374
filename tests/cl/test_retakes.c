// test_retakes: steps that are taken again in quarters leave the same bits for every number of steps in a launch, lane
// width, number of owners and schedule, and leave the strands beside them alone. labels: device (20 s)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cl/engine.h"
#include "der/device/device.h"
#include "unit.h"
#include "world.h"

#include "kernels/der/slots.clh"

enum { STEPS = 32 };

enum { FIELDS_MOST = 16, TEXT = 8000, LOOSE = 11, HELD = 9 };

// Fine strands that fall on a ball that turns and moves, and coils on a hand that shakes: 20 of two lengths.
static sheaf_model *make_model(void)
{
    char *text = malloc(TEXT);
    assert_non_null(text);
    size_t size = (size_t)snprintf(
        text, TEXT,
        "sheaf: 1\ntime: { step: 1/60 s }\n"
        "materials: { plastic: { density: 1200, young: 2.5 GPa, shear: 0.9 GPa, radius: 40 um, drag: 0 } }\n"
        "motion:\n"
        "  ball: { rotate: { axis: y, angle: 2 rad, period: 0.3 s }, move: [0, 0, { ramp: { to: 2 cm, over: 0.2 s } }] "
        "}\n"
        "  hand: { rotate: { axis: x, angle: 0.3 rad, period: 0.4 s } }\n"
        "colliders:\n  - { sphere: { center: [0, 0, -5 cm], radius: 5 cm }, friction: 0.3, follow: ball }\n"
        "strands:\n");
    for (int k = 0; k < LOOSE; k++)
        size += (size_t)snprintf(text + size, TEXT - size,
                                 "  - { shape: { straight: { origin: [-7 cm, %d mm, %d mm], direction: [1, 0.1, 0.2], "
                                 "length: 15 cm, vertices: 65 } }, root: free }\n",
                                 2 * k - 10, 10 + k);
    for (int k = 0; k < HELD; k++)
        size +=
            (size_t)snprintf(text + size, TEXT - size,
                             "  - { shape: { helix: { origin: [0, %d mm, 2 cm], direction: [1, 0, 0], radius: 5 mm, "
                             "pitch: 1 cm, length: 16 cm, vertices: 40 } }, root: { clamp: hand } }\n",
                             2 * k);
    sheaf_model *model = world_model(text);
    free(text);
    return model;
}

// ---- what is left of a run

typedef struct outcome {
    char *fields[FIELDS_MOST]; // the state, in the model's order
    size_t sizes[FIELDS_MOST];
    uint32_t count;
    double retakes;
} outcome;

static void read_state(sheaf_engine *engine, outcome *out)
{
    const sheaf_model *model = engine_model(engine);
    for (uint32_t k = 0; k < DER_FIELD_COUNT; k++) {
        const method_field *field = &der_device.bundles.fields[k];
        if (engine_state_name(engine, k) == NULL)
            continue;
        const size_t rows = field->rows == FIELD_ROWS_BUNDLE ? model->strand_count : model->vertex_count;
        out->sizes[out->count] = rows * field->components * sizeof(float);
        out->fields[out->count] = calloc(1, out->sizes[out->count]);
        assert_non_null(out->fields[out->count]);
        assert_int_equal(engine_read_state(engine, k, out->fields[out->count]), SHEAF_OK);
        if (k == DER_record)
            for (uint32_t s = 0; s < model->strand_count; s++)
                out->retakes +=
                    ((const float *)(const void *)out->fields[out->count])[s * RECORD_SIZE + RECORD_RETAKES];
        out->count++;
    }
}

static outcome run(const sheaf_model *model, engine_options options)
{
    outcome out = {.count = 0};
    sheaf_engine *engine;
    options.step = model->def.step;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(engine_step(engine, STEPS), SHEAF_OK);
    read_state(engine, &out);
    engine_close(engine);
    return out;
}

static void release(outcome *it)
{
    for (uint32_t k = 0; k < it->count; k++)
        free(it->fields[k]);
}

static void compare(const char *a, const char *b, size_t size, uint32_t field, size_t way)
{
    for (size_t at = 0; at < size; at += sizeof(float))
        if (memcmp(a + at, b + at, sizeof(float)) != 0)
            fail_msg("way %zu: field %u of the state has other bits at number %zu", way, field, at / sizeof(float));
}

static void same_bits(void **state)
{
    (void)state;
    static const engine_options ways[] = {
        {.lane_width = 8, .steps_per_launch = 1},
        {.lane_width = 8, .steps_per_launch = 2, .work_items = 1},
        {.lane_width = 4},
        {.lane_width = 8, .is_staged = true},
    };
    sheaf_model *model = make_model();
    outcome first = run(model, (engine_options){.lane_width = 8, .steps_per_launch = 16});
    print_message("%g of %u steps of strands were retaken\n", first.retakes, STEPS * model->strand_count);
    assert_true(first.retakes >= 5);
    assert_true(first.retakes < 0.9 * STEPS * model->strand_count); // others are beside them
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        outcome other = run(model, ways[w]);
        assert_int_equal(other.count, first.count);
        for (uint32_t k = 0; k < first.count; k++)
            compare(first.fields[k], other.fields[k], first.sizes[k], k, w);
        release(&other);
    }
    release(&first);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
