// test_kernels_stages: a step made of single stages gives the bits of a whole one, and what stages work on can be read
// and written in between.
// labels: device
#include "cl/stages.h"
#include "der/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"

enum { STRANDS = 21, STEPS = 3, MOST_NEWTON = 4, PROJECTIONS = 6 };

static const double step = 1.0 / 256;

// Curled strands of 9 to 13 vertices, some with a free tip clamped root, some pinned: all three kinds of bundles.
static sheaf_model *make_model(sheaf_integrator integrator)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_scene *scene;
    sheaf_model *model;
    def.integrator = integrator;
    def.projection_iterations = PROJECTIONS;
    def.projection_tolerance = 2e-5;
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    sheaf_material_def material = sheaf_material_def_default();
    material.name = "hair";
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    for (uint32_t s = 0; s < STRANDS; s++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.shape = SHEAF_SHAPE_HELIX;
        strand.vertex_count = s < 8 ? 9 : 9 + s % 5;
        strand.origin[0] = 0.01 * s;
        strand.direction[1] = sin(s);
        if (s % 3 == 2)
            strand.root = sheaf_end_pinned();
        assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    }
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_scene_free(scene);
    return model;
}

static sheaf_engine *open_engine(const sheaf_model *model, bool is_staged)
{
    const engine_options options = {.lane_width = 8, .is_staged = is_staged, .step = step};
    sheaf_engine *engine;
    if (der_open_engine(model, &options, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return engine;
}

static void run(sheaf_engine *engine, der_kind kind, engine_stage stage, int32_t iteration)
{
    if (engine_run_stage(engine, kind, stage, iteration) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static void run_implicit_step(sheaf_engine *engine, der_kind kind)
{
    static const engine_stage newton[] = {STAGE_newton, STAGE_frames,   STAGE_curvature,
                                          STAGE_twist,  STAGE_assemble, STAGE_solve};
    run(engine, kind, STAGE_guess, 0);
    for (int32_t k = 0; k < MOST_NEWTON; k++)
        for (int stage = 0; stage < 6; stage++)
            run(engine, kind, newton[stage], k);
    for (int32_t k = 0; k < PROJECTIONS; k++)
        run(engine, kind, STAGE_project, k);
    run(engine, kind, STAGE_finish, 0);
}

static void assert_same_array(sheaf_engine *a, sheaf_engine *b, der_field array)
{
    const size_t size = bundles_bytes(engine_bundles(a), array);
    void *first = malloc(size), *second = malloc(size);
    assert_int_equal(engine_read_array(a, array, first), SHEAF_OK);
    assert_int_equal(engine_read_array(b, array, second), SHEAF_OK);
    assert_memory_equal(first, second, size);
    free(first);
    free(second);
}

static void stages_make_up_a_step(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_BDF2);
    sheaf_engine *pieces = open_engine(model, true), *whole = open_engine(model, false);
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++)
        if (kind == DER_EVEN || kind == DER_PADDED || kind == DER_GENERAL)
            assert_true(engine_bundles(pieces)->kind_first[kind] < engine_bundles(pieces)->kind_first[kind + 1]);
    for (uint64_t n = 0; n < STEPS; n++) {
        assert_int_equal(engine_begin_step(pieces, n), SHEAF_OK);
        for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++)
            if (engine_bundles(pieces)->kind_first[kind] < engine_bundles(pieces)->kind_first[kind + 1])
                run_implicit_step(pieces, kind);
    }
    assert_int_equal(engine_step(whole, STEPS), SHEAF_OK);
    assert_same_array(pieces, whole, DER_edge);
    assert_same_array(pieces, whole, DER_velocity);
    assert_same_array(pieces, whole, DER_twist);
    engine_close(pieces);
    engine_close(whole);
    sheaf_model_free(model);
}

// The pose of the state arrives in the scratch of every strand of a kind; what is written there is what a stage reads.
static void scratch_is_found_by_strand(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_EXPLICIT);
    sheaf_engine *engine = open_engine(model, true);
    const bundle_set *set = engine_bundles(engine);
    float *scratch = malloc(engine_scratch_bytes(engine)), *edges = malloc(bundles_bytes(set, DER_edge));
    assert_int_equal(engine_begin_step(engine, 0), SHEAF_OK);
    assert_int_equal(engine_read_array(engine, DER_edge, edges), SHEAF_OK);
    run(engine, DER_GENERAL, STAGE_start, 0);
    assert_int_equal(engine_read_scratch(engine, scratch), SHEAF_OK);
    for (uint32_t s = 2; s < STRANDS; s += 3)
        for (uint32_t j = 0; j + 1 < model_vertex_count(model, s); j++)
            for (uint32_t c = 0; c < 3; c++) {
                const double edge = der_scratch_get(engine, scratch, s, j, Z_EDGE + c);
                assert_true(edge == bundles_get(set, DER_edge, edges, s, j, c));
            }
    for (uint32_t c = 0; c < 3; c++) // straight: the tangent of the first edge along the second
        engine_scratch_set(engine, scratch, 5, 0, Z_TANGENT + c, der_scratch_get(engine, scratch, 5, 1, Z_TANGENT + c));
    assert_int_equal(engine_write_scratch(engine, scratch), SHEAF_OK);
    run(engine, DER_GENERAL, STAGE_curvature, 0);
    assert_int_equal(engine_read_scratch(engine, scratch), SHEAF_OK);
    assert_close(der_scratch_get(engine, scratch, 5, 1, Z_CURVATURE + 2), 0, 1e-6);
    assert_true(fabs(der_scratch_get(engine, scratch, 8, 1, Z_CURVATURE + 2)) > 1e-3);
    free(scratch);
    free(edges);
    engine_close(engine);
    sheaf_model_free(model);
}

static void arrays_can_be_replaced(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_BDF2);
    sheaf_engine *engine = open_engine(model, false);
    const bundle_set *set = engine_bundles(engine);
    const size_t size = bundles_bytes(set, DER_velocity);
    float *memory = calloc(1, size), *back = malloc(size);
    bundles_set(set, DER_velocity, memory, 7, 4, 2, 0.25);
    assert_int_equal(engine_write_array(engine, DER_velocity, memory), SHEAF_OK);
    assert_int_equal(engine_read_array(engine, DER_velocity, back), SHEAF_OK);
    assert_memory_equal(memory, back, size);
    assert_true(bundles_get(set, DER_velocity, back, 7, 4, 2) == 0.25);
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        assert_true(bundles_bytes(set, array) > 0);
    free(memory);
    free(back);
    engine_close(engine);
    sheaf_model_free(model);
}

// Kernels write where no array is given room, and nothing but wrong numbers would tell.
static void every_array_has_room(void **fixture)
{
    (void)fixture;
    for (der_field array = 0; array < DER_FIELD_COUNT; array++)
        assert_true(der_device.bundles.fields[array].components > 0);
}

static void fused_engines_have_no_stages(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(SHEAF_INTEGRATOR_BDF2);
    sheaf_engine *engine = open_engine(model, false);
    assert_int_equal(engine_run_stage(engine, DER_EVEN, STAGE_guess, 0), SHEAF_ERR_USAGE);
    engine_close(engine);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_make_up_a_step),        cmocka_unit_test(scratch_is_found_by_strand),
        cmocka_unit_test(arrays_can_be_replaced),       cmocka_unit_test(every_array_has_room),
        cmocka_unit_test(fused_engines_have_no_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
