// test_wind: gusts have no divergence, travel with the wind and are as strong as asked; drag may be weaker along a
// strand than across it; the engine feels both as the reference does, in both schedules. labels: device (50 s)
#include "base/vec.h"
#include "der/device/device.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "world.h"

// Straight round strands: their frames have a closed form, so that engine and reference differ by rounding alone.
static const char hair[] =
    "sheaf: 1\n"
    "time: { step: %s s, end: 1 s }\n"
    "step: { integrator: %s }\n"
    "wind: { velocity: [2 m/s, 0.5, 0], gust: { strength: %g m/s, scale: 10 cm, seed: 5 } }\n"
    "materials:\n"
    "  hair: { density: 1300, young: %g MPa, shear: 1.3 GPa, radius: 40 um, drag: 0.3 mPa*s, slip: %g }\n"
    "motion: { head: { anchor: [0, 0, 1], rotate: { axis: y, angle: 40 deg, period: 1 s } } }\n"
    "strands:\n"
    "  - groom: { on: { sphere: { center: [0, 0, 1], radius: 9 cm } }, count: 9, vertices: 12,\n"
    "      length: { mean: 10 cm, spread: 10 %% } }\n"
    "    root: { clamp: head }\n"
    "  - shape: { straight: { origin: [3, 0, 0], direction: [1, 1, 0], length: 10 cm, vertices: 9 } }\n"
    "    root: pin\n";

static sheaf_model *read_model(const char *integrator, double strength, double young, double slip)
{
    char text[sizeof hair + 100];
    snprintf(text, sizeof text, hair, young < 1 ? "1/2048" : "1/256", integrator, strength, young, slip);
    return world_model(text);
}

// ---- the field

static void air_at(const sheaf_model *model, const double point[3], double time, double air[3])
{
    vec_copy(air, model->def.wind);
    for (uint32_t k = 0; k < model->gust_count; k++)
        vec_axpy(air, sin(2 * 3.14159265358979323846 * model_gust_phase(model, &model->gusts[k], point, time)),
                 model->gusts[k].swing);
}

// Places spread over many wave lengths.
static void place(uint64_t k, double out[3])
{
    double numbers[4];
    base_uniform4(1, 0, k, numbers);
    vec_set(out, 20 * numbers[0], 20 * numbers[1], 20 * numbers[2]);
}

static void gusts_have_no_divergence(void **state)
{
    (void)state;
    const double h = 1e-5;
    sheaf_model *model = read_model("bdf2", 1.5, 3500, 0);
    for (uint64_t k = 0; k < 100; k++) {
        double divergence = 0, largest = 0;
        for (int c = 0; c < 3; c++) {
            double point[3], before[3], after[3];
            place(k, point);
            point[c] -= h;
            air_at(model, point, 0.7, before);
            point[c] += 2 * h;
            air_at(model, point, 0.7, after);
            divergence += (after[c] - before[c]) / (2 * h);
            for (int d = 0; d < 3; d++)
                largest = fmax(largest, fabs(after[d] - before[d]) / (2 * h));
        }
        assert_true(fabs(divergence) < 1e-6 * largest); // of second order in h times a wave number of 130/m
    }
    sheaf_model_free(model);
}

static void gusts_are_as_strong_as_asked(void **state)
{
    (void)state;
    enum { POINTS = 20000 };
    sheaf_model *model = read_model("bdf2", 1.5, 3500, 0);
    double sum = 0;
    for (uint64_t k = 0; k < POINTS; k++) {
        double point[3], air[3];
        place(k, point);
        air_at(model, point, 0.3, air);
        vec_sub(air, air, model->def.wind);
        sum += vec_dot(air, air) / POINTS;
    }
    assert_true(fabs(sqrt(sum) / 1.5 - 1) < 0.02); // as many independent samples leave about 0.5 %
    sheaf_model_free(model);
}

// What passes a point comes from upwind; what was there some time ago is somewhere else.
static void gusts_travel_with_the_wind(void **state)
{
    (void)state;
    const double wait = 0.01;
    sheaf_model *model = read_model("bdf2", 0.5, 3500, 0);
    double along = 0, here = 0, square = 0;
    for (uint64_t k = 0; k < 2000; k++) {
        double point[3], first[3], moved[3], stayed[3];
        place(k, point);
        air_at(model, point, 1, first);
        air_at(model, point, 1 + wait, stayed);
        vec_axpy(point, wait, model->def.wind);
        air_at(model, point, 1 + wait, moved);
        vec_sub(first, first, model->def.wind);
        vec_sub(moved, moved, model->def.wind);
        vec_sub(stayed, stayed, model->def.wind);
        along += vec_dot(first, moved);
        here += vec_dot(first, stayed);
        square += vec_dot(first, first);
    }
    assert_true(along > 0.97 * square);
    assert_true(here < 0.8 * square);
    sheaf_model_free(model);
}

static void the_seed_chooses_the_gusts(void **state)
{
    (void)state;
    sheaf_scene_def def = sheaf_scene_def_default();
    model_gust first[MODEL_GUSTS], again[MODEL_GUSTS], other[MODEL_GUSTS];
    assert_int_equal(model_make_gusts(&def, first), 0);
    def.gust = 1;
    assert_int_equal(model_make_gusts(&def, first), MODEL_GUSTS);
    model_make_gusts(&def, again);
    def.gust_seed++;
    model_make_gusts(&def, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

// ---- strands in it

enum { VERTICES = 9 * 12 + 9 };

static double apart(const sheaf_model *model, double (*a)[3], double (*b)[3])
{
    return world_apart(model, (const double(*)[3])a, (const double(*)[3])b);
}

static void compare_backends(const char *integrator, double young, bool is_double, double tolerance)
{
    static double expected[VERTICES][3], measured[VERTICES][3], even[VERTICES][3];
    sheaf_model *gusty = read_model(integrator, 1.5, young, 0.6), *still = read_model(integrator, 0, young, 0);
    world_run(gusty, SHEAF_BACKEND_REFERENCE, true, 40, expected);
    world_run(gusty, SHEAF_BACKEND_DEVICE, is_double, 40, measured);
    world_run(still, SHEAF_BACKEND_REFERENCE, true, 40, even);
    const double error = apart(gusty, expected, measured), effect = apart(gusty, expected, even);
    print_message("%s: engine and reference %.1e m apart, gusts and slip move strands by %.1e m\n", integrator, error,
                  effect);
    assert_true(error < tolerance);
    assert_true(effect > 1e-3);
    sheaf_model_free(gusty);
    sheaf_model_free(still);
}

static void the_engine_feels_gusts_as_the_reference_does(void **state)
{
    (void)state;
    compare_backends("bdf2", 3500, true, 1e-11); // rounding of 40 steps, as without gusts (docs/engine.md)
    compare_backends("explicit", 0.5, false, 2e-6);
}

// Staged and fused, several lane widths and launches.
static void forms_give_the_same_bits(void **state)
{
    (void)state;
    static const engine_options forms[] = {
        {.lane_width = 4, .step = 1.0 / 256},
        {.lane_width = 4, .step = 1.0 / 256, .is_staged = true},
        {.lane_width = 8, .step = 1.0 / 256, .steps_per_launch = 3, .work_items = 1},
    };
    static double first[VERTICES][3], now[VERTICES][3];
    sheaf_model *model = read_model("bdf2", 1.5, 3500, 0.6);
    for (int k = 0; k < 3; k++) {
        sheaf_engine *engine;
        if (der_open_engine(model, &forms[k], &engine) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
        assert_int_equal(engine_step(engine, 10), SHEAF_OK);
        assert_int_equal(der_read(engine, k == 0 ? first : now, NULL), SHEAF_OK);
        engine_close(engine);
        assert_true(k == 0 || memcmp(first, now, sizeof now) == 0);
    }
    sheaf_model_free(model);
}

// ---- drag along and across

// Speed of a free strand after falling for a time, level or upright, with the given slip; m/s.
static double fall(double slip, bool is_upright, sheaf_integrator integrator, sheaf_backend backend)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    sheaf_solver_def solver_def = sheaf_solver_def_default();
    double velocities[5][3];
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    def.integrator = integrator;
    def.step = integrator == SHEAF_INTEGRATOR_EXPLICIT ? 1e-4 : 1e-3;
    material.drag = 10 * scene_material_section(&material).line_mass;
    material.slip = slip;
    strand.vertex_count = 5;
    strand.root = sheaf_end_free();
    vec_set(strand.direction, is_upright ? 0 : 1, 0, is_upright ? 1 : 0);
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_strand(scene, &strand), SHEAF_OK);
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    solver_def.backend = backend;
    solver_def.is_double = true;
    if (sheaf_solver_open(model, &solver_def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(sheaf_solver_step(solver, (uint32_t)lround(0.2 / def.step)), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, velocities, 5), SHEAF_OK);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return -velocities[2][2];
}

// v = g/d (1 - exp(-d t)), d = 10/s across and 10 (1 - slip) along.
static void drag_is_weaker_along_a_strand(void **state)
{
    (void)state;
    const double across = 9.81 / 10 * (1 - exp(-2)), along = 9.81 / 2.5 * (1 - exp(-0.5)), without = 9.81 * 0.2;
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        assert_true(fabs(fall(0.75, false, SHEAF_INTEGRATOR_BDF2, (sheaf_backend)backend) / across - 1) < 1e-3);
        assert_true(fabs(fall(0.75, true, SHEAF_INTEGRATOR_BDF2, (sheaf_backend)backend) / along - 1) < 1e-3);
        assert_true(fabs(fall(1, true, SHEAF_INTEGRATOR_BDF2, (sheaf_backend)backend) / without - 1) < 1e-3);
    }
    const double in_explicit_steps = fall(0.75, true, SHEAF_INTEGRATOR_EXPLICIT, SHEAF_BACKEND_REFERENCE);
    assert_true(fabs(in_explicit_steps / along - 1) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gusts_have_no_divergence),      cmocka_unit_test(gusts_are_as_strong_as_asked),
        cmocka_unit_test(gusts_travel_with_the_wind),    cmocka_unit_test(the_seed_chooses_the_gusts),
        cmocka_unit_test(drag_is_weaker_along_a_strand), cmocka_unit_test(the_engine_feels_gusts_as_the_reference_does),
        cmocka_unit_test(forms_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
