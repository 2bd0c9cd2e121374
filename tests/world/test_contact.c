// test_contact: strands stay out of solid things, neither bounce off nor stick to them, and slide as friction lets
// them; the engine does all this as the reference does, and strands far away do not notice. labels: device (35 s)
#include "base/vec.h"
#include "cl/stages.h"
#include "der/device/device.h"
#include "der/ref/ref.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "unit.h"
#include "world.h"
#include "world/world.h"

// ---- distances

static model_collider make_collider(sheaf_collider_kind kind)
{
    return (model_collider){.kind = kind, .half = {0.3, 0.2, 0.5}};
}

// Inside and outside, the distance falls to 0 where the normal says, and changes along it as fast as the way does. An
// ellipsoid's is of first order: exact on its surface.
static void distances_have_their_normals(void **state)
{
    (void)state;
    for (int kind = 0; kind <= SHEAF_COLLIDER_CYLINDER; kind++) {
        const model_collider collider = make_collider((sheaf_collider_kind)kind);
        const double tolerance = kind == SHEAF_COLLIDER_ELLIPSOID ? 0.02 : 1e-9;
        for (uint64_t k = 0; k < 500; k++) {
            double numbers[4], point[3], normal[3], onto[3], unused[3];
            base_uniform4(7, 0, k, numbers);
            vec_set(point, 1.6 * numbers[0] - 0.8, 1.6 * numbers[1] - 0.8, 1.6 * numbers[2] - 0.8);
            double gap = model_collider_gap(&collider, point, normal);
            if (kind == SHEAF_COLLIDER_ELLIPSOID && fabs(gap) > 0.03)
                continue;
            assert_true(fabs(vec_length(normal) - 1) < 1e-12);
            vec_copy(onto, point);
            vec_axpy(onto, -gap, normal);
            assert_true(fabs(model_collider_gap(&collider, onto, unused)) < tolerance);
        }
    }
}

static void distances_are_right(void **state)
{
    (void)state;
    static const struct {
        sheaf_collider_kind kind;
        double point[3], gap;
    } cases[] = {
        {SHEAF_COLLIDER_SPHERE, {0, 0.4, 0.3}, 0.2},      {SHEAF_COLLIDER_SPHERE, {0, 0, 0}, -0.3},
        {SHEAF_COLLIDER_CAPSULE, {0.3, 0.4, 0.1}, 0.2},   {SHEAF_COLLIDER_CAPSULE, {0, 0.3, 0.6}, 0.2},
        {SHEAF_COLLIDER_PLANE, {5, 6, -0.1}, -0.1},       {SHEAF_COLLIDER_BOX, {0.6, 0.6, 0}, 0.5},
        {SHEAF_COLLIDER_BOX, {0.29, 0, 0.1}, -0.01},      {SHEAF_COLLIDER_BOX, {0.6, 0.6, 0.9}, 0.640312423743284853},
        {SHEAF_COLLIDER_ELLIPSOID, {0, 0, 0.51}, 0.01},   {SHEAF_COLLIDER_CYLINDER, {0.6, 0, 0.6}, 0.5},
        {SHEAF_COLLIDER_CYLINDER, {0, 0.1, 0.19}, -0.01},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const model_collider collider = make_collider(cases[k].kind);
        double normal[3];
        assert_true(fabs(model_collider_gap(&collider, cases[k].point, normal) - cases[k].gap) < 1e-9);
    }
}

// ---- running

enum { VERTICES_MOST = 4000 };
static double positions[VERTICES_MOST][3], velocities[VERTICES_MOST][3];

static void step(sheaf_solver *solver, uint32_t count)
{
    assert_int_equal(sheaf_solver_step(solver, count), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, positions, VERTICES_MOST), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, velocities, VERTICES_MOST), SHEAF_OK);
}

static double deepest(const sheaf_model *model, double time)
{
    return world_deepest(model, (const double(*)[3])positions, time);
}

// ---- friction on a plane

// A straight wire on a plane of friction 0.5, on which gravity pulls aslant: how far it has slid after 0.4 s.
static double slide(double slope, sheaf_backend backend)
{
    char text[1000];
    const double angle = atan(slope);
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/200 s }\ngravity: [%.12g, 0, %.12g]\n"
             "materials: { wire: { density: 1000, young: 1 GPa, shear: 0.4 GPa, radius: 0.5 mm } }\n"
             "colliders: [{ plane: { normal: z }, friction: 0.5 }]\n"
             "strands: [{ shape: { straight: { origin: [0, 0, 0], direction: [1, 1, 0], length: 20 cm, vertices: 9 } },"
             " root: free }]\n",
             10 * sin(angle), -10 * cos(angle));
    sheaf_model *model = world_model(text);
    sheaf_solver *solver = world_open(model, backend, true);
    step(solver, 80);
    double mean = 0;
    for (uint32_t i = 0; i < 9; i++) {
        assert_true(fabs(positions[i][2]) < 1e-6);
        mean += (positions[i][0] - model->position[i][0]) / 9;
    }
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return mean;
}

// Holds below atan 0.5, slides above it with the acceleration g (sin - 0.5 cos).
static void friction_decides_on_which_slopes_strands_slide(void **state)
{
    (void)state;
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        const double held = slide(0.45, (sheaf_backend)backend), slid = slide(0.7, (sheaf_backend)backend);
        const double expected = 0.5 * 10 * (sin(atan(0.7)) - 0.5 * cos(atan(0.7))) * 0.4 * 0.4;
        print_message("slid %.2e m below the angle of friction, %.4f m above it (%.4f m expected)\n", held, slid,
                      expected);
        assert_true(fabs(held) < 1e-4 * 0.4); // creeps by less than 0.1 mm/s
        assert_true(fabs(slid / expected - 1) < 0.1);
    }
}

// ---- a rope around a post

static const double pi = 3.14159265358979323846;
enum { ON_POST = 25, ON_LEG = 4 };

// A thin rope over a level post, both legs hanging down: the points of a scene.
static void write_rope(char *text, size_t size)
{
    const double r = 0.02, edge = 2 * r * sin(pi / 2 / (ON_POST - 1));
    int used = 0;
    for (int k = -ON_LEG; k < ON_POST + ON_LEG; k++) {
        const double angle = pi * (k < 0 ? 0 : k >= ON_POST ? 1 : (double)k / (ON_POST - 1));
        const double drop = edge * (k < 0 ? -k : k >= ON_POST ? k - ON_POST + 1 : 0);
        used += snprintf(text + used, size - (size_t)used, "%s[%.12g, 0, %.12g]", used > 0 ? ", " : "", r * cos(angle),
                         r * sin(angle) - drop);
    }
}

// Pulls one leg with 1 mN and the other with ever more; returns the ratio at which the rope has slid by 0.2 mm.
static double ratio_that_slides(double friction, sheaf_backend backend)
{
    static const double rate = 3.75; // 1/s, growth of the ratio
    char text[6000], points[4000];
    write_rope(points, sizeof points);
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/1000 s }\ngravity: [0, 0, 0]\n"
             "materials: { rope: { density: 1000, young: 1 kPa, shear: 0.4 kPa, radius: 1 mm } }\n"
             "colliders: [{ cylinder: { from: [0, -5 cm, 0], to: [0, 5 cm, 0], radius: 2 cm }, friction: %g }]\n"
             "strands: [{ points: [%s], root: { hold: free, force: [0, 0, -1 mN] },\n"
             "  tip: { force: [0, 0, { keys: [[0 s, -1 mN], [2 s, -8.5 mN]] }] } }]\n",
             friction, points);
    sheaf_model *model = world_model(text);
    sheaf_solver *solver = world_open(model, backend, true);
    const uint32_t tip = (uint32_t)model->vertex_count - 1;
    uint32_t taken = 0;
    do
        step(solver, 1);
    while (++taken < 2000 && model->position[tip][2] - positions[tip][2] < 2e-4);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return 1 + rate * taken / 1000;
}

// Euler and Eytelwein: it holds until one leg pulls exp(mu pi) times as hard as the other. How late a slide is seen,
// because the rope has mass, is told by a rope without friction.
static void ropes_hold_as_friction_winds_up(void **state)
{
    (void)state;
    const double late = ratio_that_slides(0, SHEAF_BACKEND_REFERENCE) - 1;
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        const double found = ratio_that_slides(0.3, (sheaf_backend)backend) - late, expected = exp(0.3 * pi);
        print_message("a rope slides from a ratio of %.3f on (%.3f expected)\n", found, expected);
        assert_true(fabs(found / expected - 1) < 0.01);
    }
}

// ---- impact

// A wire dropped flat comes to rest where it lands.
static void landing_strands_do_not_bounce(void **state)
{
    (void)state;
    sheaf_model *model =
        world_model("sheaf: 1\ntime: { step: 1/240 s }\n"
                    "materials: { wire: { density: 1000, young: 1 GPa, shear: 0.4 GPa, radius: 0.5 mm } }\n"
                    "colliders: [{ plane: { normal: z }, friction: 0.5 }]\n"
                    "strands: [{ shape: { straight: { origin: [0, 0, 5 cm], direction: x, length: 20 cm, vertices: 9 } "
                    "}, root: free }]\n");
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        sheaf_solver *solver = world_open(model, (sheaf_backend)backend, true);
        double highest = 0, lowest = 0;
        step(solver, 26); // it takes 0.101 s to fall
        for (int k = 0; k < 40; k++) {
            step(solver, 1);
            for (uint32_t i = 0; i < 9; i++) {
                highest = fmax(highest, positions[i][2]);
                lowest = fmin(lowest, positions[i][2]);
            }
        }
        print_message("after landing between %.1e and %.1e m\n", lowest, highest);
        assert_true(lowest > -1e-9);
        assert_true(highest < 1e-5);
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
}

// A strand that was pressed on a plane leaves it when gravity turns away: nothing sticks.
static void strands_leave_freely(void **state)
{
    (void)state;
    sheaf_model *model = world_model(
        "sheaf: 1\ntime: { step: 1/240 s }\ngravity: [0, 0, 0]\nwind: { velocity: [0, 0, 1] }\n"
        "materials: { wire: { density: 1000, young: 1 GPa, shear: 0.4 GPa, radius: 0.5 mm, drag: 8 mPa*s } }\n"
        "motion: { lid: { move: [0, 0, { ramp: { to: 5 mm, start: 0.05 s, over: 0.1 s } }] } }\n"
        "colliders: [{ plane: { normal: -z, point: [0, 0, 1 mm] }, friction: 0.5, follow: lid }]\n"
        "strands: [{ shape: { straight: { direction: x, length: 20 cm, vertices: 9 } }, root: free }]\n");
    sheaf_solver *solver = world_open(model, SHEAF_BACKEND_REFERENCE, true);
    step(solver, 12); // d = 10/s: half of the gap is crossed
    for (int k = 0; k < 24; k++) {
        step(solver, 1);
        assert_true(positions[4][2] < 6e-3 + 1e-9);
    }
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// ---- hair and grass

static const char head[] = "sheaf: 1\n"
                           "time: { step: 1/240 s }\n"
                           "gravity: [0, 0, -40]\n" // heavy, to touch soon
                           "materials:\n"
                           "  hair: { density: 1300, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um, drag: 0.1 mPa*s }\n"
                           "motion: { head: { rotate: { axis: z, angle: 60 deg, period: 0.8 s } } }\n"
                           "%s"
                           "strands:\n"
                           "  - groom: { on: { sphere: { radius: 9 cm, cap: 80 deg } }, count: 21, vertices: 16, "
                           "length: { mean: 20 cm, spread: %s } }\n"
                           "    root: { clamp: head }\n";
static const char skull[] = "colliders:\n"
                            "  - { sphere: { radius: 9 cm }, friction: 0.4, follow: head }\n"
                            "  - { capsule: { from: [0, 0, -10 cm], to: [0, 0, -30 cm], radius: 5 cm } }\n"
                            "  - { box: { center: [0, 0, -25 cm], size: [40 cm, 20 cm, 10 cm], side: [1, 1, 0] } }\n"
                            "  - { ellipsoid: { center: [0, 12 cm, 0], radii: [2 cm, 4 cm, 3 cm] }, follow: head }\n"
                            "  - { cylinder: { from: [0, -12 cm, 0], to: [0, -20 cm, 2 cm], radius: 3 cm } }\n";

static sheaf_model *make_head(const char *colliders, const char *spread)
{
    char text[3000];
    snprintf(text, sizeof text, head, colliders, spread);
    return world_model(text);
}

// Falling over a turning head, shoulders and more: no vertex ends a step inside by more than 0.1 mm.
static void hair_stays_off_the_head(void **state)
{
    (void)state;
    sheaf_model *model = make_head(skull, "20 %");
    sheaf_solver *solver = world_open(model, SHEAF_BACKEND_DEVICE, false);
    sheaf_report report;
    double worst = 0;
    for (uint32_t k = 1; k <= 120; k++) {
        step(solver, 2);
        worst = fmax(worst, deepest(model, k * 2.0 / 240));
    }
    assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
    print_message("deepest %.1e m, strain %.1e, %.2f projections\n", worst, report.worst_strain,
                  report.mean_projections);
    assert_int_equal(report.frozen_strands, 0);
    assert_true(worst < 1e-4);
    assert_true(report.worst_strain < 2e-3);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// A ball rolls through a lawn.
static void grass_makes_way_for_a_ball(void **state)
{
    (void)state;
    char text[8000];
    int used = snprintf(
        text, sizeof text,
        "sheaf: 1\ntime: { step: 1/240 s }\n"
        "materials: { grass: { density: 800, young: 0.3 GPa, shear: 0.1 GPa, radius: 0.5 mm, drag: 10 mPa*s } }\n"
        "motion: { roll: { anchor: [-20 cm, 0, 5 cm], rotate: { axis: y, angle: { ramp: { to: 8, over: 0.8 s } } },"
        " move: [{ ramp: { to: 40 cm, over: 0.8 s } }, 0, 0] } }\n"
        "colliders:\n  - { sphere: { center: [-20 cm, 0, 5 cm], radius: 5 cm }, friction: 0.3, follow: roll }\n"
        "  - { plane: { normal: z } }\n"
        "strands:\n");
    for (int k = 0; k < 30; k++)
        used += snprintf(
            text + used, sizeof text - (size_t)used,
            "  - shape: { straight: { origin: [%d mm, %d mm, 0], direction: z, length: 12 cm, vertices: 16 } }\n",
            -120 + 8 * k, k % 5 * 16 - 32);
    sheaf_model *model = world_model(text);
    sheaf_solver *solver = world_open(model, SHEAF_BACKEND_DEVICE, false);
    double worst = 0, bent = 0;
    for (uint32_t k = 1; k <= 96; k++) {
        step(solver, 2);
        worst = fmax(worst, deepest(model, k * 2.0 / 240));
        for (uint32_t s = 0; s < 30; s++)
            bent = fmax(bent, 0.12 - positions[s * 16 + 15][2]);
    }
    print_message("deepest %.1e m, a tip went down by %.3f m\n", worst, bent);
    assert_true(worst < 1e-4);
    assert_true(bent > 0.03);
    for (uint32_t s = 0; s < 30; s++)
        assert_true(positions[s * 16 + 15][2] > -1e-6);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// ---- engine and reference

static void run_form(const sheaf_model *model, const engine_options *form, uint32_t steps)
{
    sheaf_engine *engine;
    if (der_open_engine(model, form, &engine) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(engine_step(engine, steps), SHEAF_OK);
    assert_int_equal(der_read(engine, positions, velocities), SHEAF_OK);
    engine_close(engine);
}

// Frames turn by at most 1 rad in an iteration of the twist solve. The reference goes on until they have come to rest;
// the engine's two iterations are not enough once, in step 88, when a strand is thrown back by what it touches, and it
// then is 0.03 mm off. With four the two agree all the way.
static void the_engine_does_as_the_reference_does(void **state)
{
    (void)state;
    enum { STEPS = 120, BEFORE = 80 };
    const engine_options usual = {.lane_width = 4, .is_double = true, .step = 1.0 / 240};
    const engine_options thorough = {
        .lane_width = 4, .is_double = true, .step = 1.0 / 240, .tuning = {[DER_TWIST_ITERATIONS] = 4}};
    static double expected[2][VERTICES_MOST][3];
    sheaf_model *model = make_head(skull, "0");
    sheaf_solver *reference = world_open(model, SHEAF_BACKEND_REFERENCE, true);
    step(reference, BEFORE);
    memcpy(expected[0], positions, sizeof positions);
    step(reference, STEPS - BEFORE);
    memcpy(expected[1], positions, sizeof positions);
    run_form(model, &usual, BEFORE);
    const double before = world_apart(model, (const double(*)[3])positions, (const double(*)[3])expected[0]);
    run_form(model, &thorough, STEPS);
    const double after = world_apart(model, (const double(*)[3])positions, (const double(*)[3])expected[1]);
    const double depth = deepest(model, STEPS / 240.0);
    print_message("engine and reference %.1e, %.1e m apart, nearest vertex %.1e m deep\n", before, after, depth);
    assert_true(before < 1e-9);
    assert_true(after < 1e-8);
    assert_true(fabs(depth) < 1e-6);
    sheaf_solver_close(reference);
    sheaf_model_free(model);
}

static void forms_give_the_same_bits(void **state)
{
    (void)state;
    static const engine_options forms[] = {
        {.lane_width = 8, .step = 1.0 / 240},
        {.lane_width = 4, .step = 1.0 / 240, .is_staged = true},
        {.lane_width = 8, .step = 1.0 / 240, .steps_per_launch = 3, .work_items = 1},
    };
    static double first[2][VERTICES_MOST][3];
    sheaf_model *model = make_head(skull, "20 %");
    for (int k = 0; k < 3; k++) {
        run_form(model, &forms[k], 40);
        if (k == 0) {
            memcpy(first[0], positions, sizeof positions);
            memcpy(first[1], velocities, sizeof velocities);
        }
        assert_memory_equal(first[0], positions, sizeof positions);
        assert_memory_equal(first[1], velocities, sizeof velocities);
    }
    sheaf_model_free(model);
}

// Colliders out of reach, and one within reach that is not touched, change no bit.
static void strands_that_touch_nothing_notice_nothing(void **state)
{
    (void)state;
    static const engine_options form = {.lane_width = 8, .step = 1.0 / 240};
    static double without[VERTICES_MOST][3];
    sheaf_model *bare = make_head("", "20 %"),
                *far = make_head("colliders:\n  - { sphere: { center: [5, 0, 0], radius: 1 } }\n"
                                 "  - { plane: { point: [0, 0, -50 cm] } }\n"
                                 "  - { sphere: { center: [0, 0, -20 cm], radius: 1 mm } }\n",
                                 "20 %");
    run_form(bare, &form, 40);
    memcpy(without, positions, sizeof positions);
    run_form(far, &form, 40);
    assert_memory_equal(without, positions, sizeof positions);
    sheaf_model_free(bare);
    sheaf_model_free(far);
}

static void run_stage(sheaf_engine *engine, engine_stage stage)
{
    for (der_kind kind = 0; kind < DER_KIND_COUNT; kind++)
        assert_int_equal(engine_run_stage(engine, kind, stage, 0), SHEAF_OK);
}

// Whether the solve holds a vertex of the strand.
static bool is_held(const sheaf_engine *engine, const void *scratch, uint32_t strand)
{
    bool held = false;
    for (uint32_t i = 2; i < 9; i++)
        held |= der_scratch_get(engine, scratch, strand, i, Z_STIFFNESS) > 0;
    return held;
}

// An iterate may have edges far too long. Of two strands side by side that hang through a plane by such an edge, only
// the one that could reach it at its true length is held: alone in its vector the other would not look at it either.
static void neighbours_do_not_lengthen_a_strands_reach(void **state)
{
    (void)state;
    sheaf_model *model = world_model(
        "sheaf: 1\nmaterials: { wire: { density: 1000, young: 1 GPa, shear: 0.4 GPa, radius: 0.5 mm } }\n"
        "colliders: [{ plane: { normal: z } }]\nstrands:\n"
        "  - { shape: { straight: { origin: [0, 0, 1], direction: x, length: 20 cm, vertices: 9 } }, root: clamp }\n"
        "  - { shape: { straight: { origin: [0, 0, 0.1], direction: x, length: 20 cm, vertices: 9 } }, root: clamp "
        "}\n");
    const engine_options form = {.lane_width = 4, .step = 1.0 / 240, .is_staged = true};
    sheaf_engine *engine;
    assert_int_equal(der_open_engine(model, &form, &engine), SHEAF_OK);
    void *scratch = malloc(engine_scratch_bytes(engine));
    assert_int_equal(engine_begin_step(engine, 0), SHEAF_OK);
    run_stage(engine, STAGE_guess);
    assert_int_equal(engine_read_scratch(engine, scratch), SHEAF_OK);
    for (uint32_t s = 0; s < 2; s++)
        engine_scratch_set(engine, scratch, s, 4, Z_EDGE + 2, -2);
    assert_int_equal(engine_write_scratch(engine, scratch), SHEAF_OK);
    run_stage(engine, STAGE_contact);
    assert_int_equal(engine_read_scratch(engine, scratch), SHEAF_OK);
    assert_false(is_held(engine, scratch, 0));
    assert_true(is_held(engine, scratch, 1));
    free(scratch);
    engine_close(engine);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_have_their_normals),
        cmocka_unit_test(distances_are_right),
        cmocka_unit_test(friction_decides_on_which_slopes_strands_slide),
        cmocka_unit_test(ropes_hold_as_friction_winds_up),
        cmocka_unit_test(landing_strands_do_not_bounce),
        cmocka_unit_test(strands_leave_freely),
        cmocka_unit_test(hair_stays_off_the_head),
        cmocka_unit_test(grass_makes_way_for_a_ball),
        cmocka_unit_test(the_engine_does_as_the_reference_does),
        cmocka_unit_test(forms_give_the_same_bits),
        cmocka_unit_test(strands_that_touch_nothing_notice_nothing),
        cmocka_unit_test(neighbours_do_not_lengthen_a_strands_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
