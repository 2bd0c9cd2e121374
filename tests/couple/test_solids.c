// test_solids: bodies that stay out of colliders.
#include "base/vec.h"
#include "couple/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "world.h"

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

#define HEAD                                                                                                           \
    "sheaf: 1\n"                                                                                                       \
    "time: { step: 4 ms }\n"                                                                                           \
    "materials: { wire: { bend: 2e-3 N*m^2, twist: 1.5e-3 N*m^2, line_mass: 1e-3 kg/m } }\n"                           \
    "strands: [{ shape: { straight: { length: 1 m, vertices: 3 } } }]\n"

static double energy_of(const couple_bodies *b)
{
    double kinetic, gravitational;
    couple_energies(b, &kinetic, &gravitational);
    return kinetic + gravitational;
}

// Steps so long; returns by how much the energy ever rose, as a share of `scale`.
static double advance(couple_bodies *b, double time, double scale)
{
    double worst = 0, before = energy_of(b);
    for (int n = 0; n < (int)round(time / b->step); n++) {
        must(couple_step(b, NULL, NULL));
        const double now = energy_of(b);
        worst = fmax(worst, (now - before) / scale);
        before = now;
    }
    return worst;
}

// ---- slopes

// A solid on a slope of which `share` is the tangent in units of the coefficient of friction, 0.4; gravity is tilted.
// Returns how far it goes in 1 s, m.
static double slide(const char *shape, double share, double yaw, couple_bodies *b, sheaf_model **model)
{
    char text[2000];
    const double angle = atan(share * 0.4);
    snprintf(text, sizeof text,
             HEAD "gravity: [%.17g, %.17g, %.17g]\n"
                  "colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] }, friction: 0.4 }]\n"
                  "bodies: { it: { at: [0, 0, 2 cm], mass: 1 kg, %s, friction: 1, collide: true } }\n",
             9.81 * sin(angle) * cos(yaw), 9.81 * sin(angle) * sin(yaw), -9.81 * cos(angle), shape);
    *model = world_model(text);
    must(couple_open(*model, 4e-3, b));
    advance(b, 1, 1);
    return hypot(b->states[0].center[0], b->states[0].center[1]);
}

static void slopes_tell_friction(void **fixture)
{
    (void)fixture;
    static const char *const shapes[] = {"box: { size: [6 cm, 10 cm, 4 cm] }",
                                         "cylinder: { from: [0, 0, -2 cm], to: [0, 0, 2 cm], radius: 5 cm }"};
    for (int k = 0; k < 2; k++)
        for (int turn = 0; turn < 3; turn++) {
            sheaf_model *model;
            couple_bodies b;
            const double stands = slide(shapes[k], 0.98, 0.4 * turn, &b, &model);
            couple_close(&b);
            sheaf_model_free(model);
            const double slides = slide(shapes[k], 1.02, 0.4 * turn, &b, &model);
            const double angle = atan(1.02 * 0.4), expected = 9.81 * (sin(angle) - 0.4 * cos(angle)) / 2;
            couple_close(&b);
            sheaf_model_free(model);
            printf("  %.8s at 98 %% of the friction angle's slope: %.1e m in 1 s; at 102 %%: %.5f m, %.5f expected\n",
                   shapes[k], stands, slides, expected);
            assert_true(stands < 1e-6);
            assert_true(fabs(slides / expected - 1) < 0.01);
        }
}

// A ball that rolls without slipping goes down by 5/7 of what one without friction does.
static void balls_roll(void **fixture)
{
    (void)fixture;
    sheaf_model *model;
    couple_bodies b;
    const double way = slide("sphere: { radius: 2 cm }", 1, 0.3, &b, &model), angle = atan(0.4);
    const double expected = 5. / 7 * 9.81 * sin(angle) / 2;
    printf("  a ball rolls %.4f m in 1 s, %.4f expected\n", way, expected);
    assert_true(fabs(way / expected - 1) < 0.01);
    assert_true(fabs(b.states[0].center[2] - 0.02) < 1e-6);
    couple_close(&b);
    sheaf_model_free(model);
}

// ---- drops

// Dropped from a height onto something: it comes to rest on it, and energy never rises.
static void dropped_bodies_come_to_rest(void **fixture)
{
    (void)fixture;
    static const struct {
        const char *body, *collider;
        double least; // m, height of its centre at rest
    } drops[] = {
        {"sphere: { radius: 2 cm }", "plane: { point: [0, 0, 0], normal: [0, 0, 1] }", 0.02},
        {"sphere: { radius: 2 cm }", "box: { center: [0, 0, -1 mm], size: [1 m, 1 m, 2 mm] }", 0.02},
        {"box: { size: [4 cm, 6 cm, 4 cm] }", "plane: { point: [0, 0, 0], normal: [0, 0, 1] }", 0.02},
        {"capsule: { radius: 2 cm, from: [-3 cm, 0, 0], to: [3 cm, 0, 0] }",
         "plane: { point: [0, 0, 0], normal: [0, 0, 1] }", 0.02},
        {"cylinder: { from: [0, 0, -2 cm], to: [0, 0, 2 cm], radius: 2 cm }",
         "plane: { point: [0, 0, 0], normal: [0, 0, 1] }", 0.02},
        {"ellipsoid: { radii: [3 cm, 3 cm, 2 cm] }", "plane: { point: [0, 0, 0], normal: [0, 0, 1] }", 0.02},
        {"box: { size: [20 cm, 20 cm, 4 cm] }", "sphere: { center: [0, 0, -10 cm], radius: 10 cm }", 0.02},
        {"capsule: { radius: 2 cm, from: [-6 cm, 0, 0], to: [6 cm, 0, 0] }",
         "sphere: { center: [0, 0, -10 cm], radius: 10 cm }", 0.02},
        {"capsule: { radius: 2 cm, from: [-6 cm, 0, 0], to: [6 cm, 0, 0] }",
         "capsule: { from: [0, -10 cm, -10 cm], to: [0, 10 cm, -10 cm], radius: 10 cm }", 0.02},
    };
    for (size_t k = 0; k < sizeof drops / sizeof *drops; k++) {
        char text[2000];
        couple_bodies b;
        snprintf(text, sizeof text,
                 HEAD "colliders: [{ %s, friction: 0.5 }]\n"
                      "bodies: { it: { at: [0, 0, 30 cm], mass: 1 kg, %s, friction: 0.5, collide: true } }\n",
                 drops[k].collider, drops[k].body);
        sheaf_model *model = world_model(text);
        must(couple_open(model, 4e-3, &b));
        const double rise = advance(&b, 1.5, 9.81 * 0.28);
        const rigid_state *it = &b.states[0];
        printf("  %.30s: rests at %.6f m, %.1e m/s, %.1e rad/s; energy rose by %.1e of the fall at most\n",
               drops[k].body, it->center[2], vec_length(it->velocity), vec_length(it->spin), rise);
        assert_true(fabs(it->center[2] - drops[k].least) < 1e-5);
        assert_true(vec_length(it->velocity) < 1e-3 && rise < 1e-6);
        couple_close(&b);
        sheaf_model_free(model);
    }
}

// A tumbling box thrown into a corner of planes and balls: energy never rises, and it comes to rest outside all.
static void thrown_boxes_lose_energy(void **fixture)
{
    (void)fixture;
    static const char *const shapes[] = {"box: { size: [6 cm, 10 cm, 4 cm] }",
                                         "cylinder: { from: [0, 0, -4 cm], to: [0, 0, 4 cm], radius: 3 cm }",
                                         "capsule: { radius: 2 cm, from: [-4 cm, 0, 0], to: [4 cm, 0, 0] }"};
    for (int k = 0; k < 3; k++) {
        char text[2000];
        couple_bodies b;
        snprintf(text, sizeof text,
                 HEAD "colliders:\n"
                      "  - { plane: { point: [0, 0, 0], normal: [0, 0, 1] }, friction: 0.3 }\n"
                      "  - { plane: { point: [50 cm, 0, 0], normal: [-1, 0, 0.2] }, friction: 0.3 }\n"
                      "bodies: { it: { at: [0, 0, 30 cm], mass: 1 kg, %s, collide: true, velocity: [2 m/s, 0.3 m/s, 1 "
                      "m/s], spin: [7 rad/s, 11 rad/s, -5 rad/s] } }\n",
                 shapes[k]);
        sheaf_model *model = world_model(text);
        must(couple_open(model, 4e-3, &b));
        const double rise = advance(&b, 4, 5);
        const rigid_state *it = &b.states[0];
        printf("  %.8s thrown: ends at %.3f %.3f %.4f m, %.1e m/s, %.1e rad/s; energy rose by %.1e of 5 J\n", shapes[k],
               it->center[0], it->center[1], it->center[2], vec_length(it->velocity), vec_length(it->spin), rise);
        assert_true(it->center[2] > 0.0199 && it->center[2] < 0.06 && rise < 2e-3);
        couple_close(&b);
        sheaf_model_free(model);
    }
}

// A fast ball does not pass a thin plate that it would have flown past in one step; a plate that moves takes a box
// along.
static void plates_are_not_passed(void **fixture)
{
    (void)fixture;
    couple_bodies b;
    sheaf_model *model =
        world_model(HEAD "colliders: [{ box: { center: [0, 0, 0], size: [1 m, 1 m, 2 mm] }, friction: 0.5 }]\n"
                         "bodies: { it: { at: [0, 0, 31 cm], mass: 1 kg, sphere: { radius: 2 mm }, collide: true, "
                         "velocity: [0, 0, -50 m/s] } }\n");
    must(couple_open(model, 4e-3, &b));
    advance(&b, 0.1, 1);
    printf("  a ball of 2 mm at 50 m/s, 0.2 m in a step, lies at %.6f m on a plate of 2 mm\n", b.states[0].center[2]);
    assert_true(fabs(b.states[0].center[2] - 3e-3) < 1e-6);
    couple_close(&b);
    sheaf_model_free(model);
}

static void belts_take_boxes_along(void **fixture)
{
    (void)fixture;
    couple_bodies b;
    sheaf_model *model = world_model(
        HEAD "motion: { belt: { move: [{ ramp: { to: 1 m, over: 1 s } }, 0, { ramp: { to: 10 cm, over: 1 s } }] } }\n"
             "colliders: [{ box: { center: [0, 0, -1 cm], size: [4 m, 4 m, 2 cm] }, friction: 0.5, follow: belt }]\n"
             "bodies: { it: { at: [0, 0, 2 cm], mass: 1 kg, box: { size: [6 cm, 6 cm, 4 cm] }, friction: 0.5, collide: "
             "true } }\n");
    must(couple_open(model, 4e-3, &b));
    advance(&b, 0.9, 1);
    const rigid_state *it = &b.states[0];
    // the blow that lifts it to 0.1 m/s pulls it along by half as much; then it slips until it is as fast as the belt
    const double expected = 0.9 - 0.95 * 0.95 / (2 * 0.5 * 9.81);
    printf("  a belt of 1 m/s takes a box along: %.4f m in 0.9 s, %.4f expected; %.5f m/s, lifted by %.5f m\n",
           it->center[0], expected, it->velocity[0], it->center[2] - 0.02);
    assert_true(fabs(it->velocity[0] - 1) < 1e-6 && fabs(it->center[2] - 0.02 - 0.09) < 1e-5);
    assert_true(fabs(it->center[0] - expected) < 0.004);
    couple_close(&b);
    sheaf_model_free(model);
}

// What overlaps at the start parts gently; without `collide` bodies fall.
static void overlaps_part(void **fixture)
{
    (void)fixture;
    couple_bodies b;
    sheaf_model *model =
        world_model(HEAD "colliders: [{ plane: { normal: z } }]\n"
                         "bodies:\n  it: { at: [0, 0, 1 cm], mass: 1 kg, sphere: { radius: 2 cm }, collide: true }\n"
                         "  other: { at: [1 m, 0, 1 m], mass: 1 kg, sphere: { radius: 2 cm } }\n");
    must(couple_open(model, 4e-3, &b));
    double fastest = 0;
    for (int n = 0; n < 250; n++) {
        must(couple_step(&b, NULL, NULL));
        fastest = fmax(fastest, vec_length(b.states[0].velocity));
    }
    printf("  a ball half a radius deep parts at %.4f m/s and lies at %.6f m; one that does not collide is at %.2f m\n",
           fastest, b.states[0].center[2], b.states[1].center[2]);
    assert_true(fastest < 0.0201 && fabs(b.states[0].center[2] - 0.02) < 1e-6);
    assert_true(b.states[1].center[2] < -3.8);
    couple_close(&b);
    sheaf_model_free(model);
}

// ---- what is refused

static void bad_input_is_refused(void **fixture)
{
    (void)fixture;
#define REST "strands: [{ shape: { straight: { length: 1 m, vertices: 3 } } }]\n"
#define THIN(extra) "materials: { it: { bend: 2e-3 N*m^2, twist: 1e-3 N*m^2, line_mass: 1e-3 kg/m" extra " } }\n"
    static const char *const bad[][2] = {
        {THIN(", radius: 1 mm, touch_radius: 0") "touch: { pairs: [all] }\n" REST, "touch_radius: strands of no"},
        {THIN(", radius: 1 mm, touch_radius: 70 m") "touch: { pairs: [all] }\n" REST, "more than 100 of its edges"},
        {THIN("") "bodies: { b: { mass: 0 kg, sphere: { radius: 1 cm } } }\n" REST, "mass: must be above 0"},
        {THIN("") "bodies: { b: { density: 0 kg/m^3, sphere: { radius: 1 cm } } }\n" REST, "density: must be above 0"},
        {THIN("") "bodies: { b: { mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], collide: true } }\n" REST,
         "collide needs a shape"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        char text[2000];
        sheaf_scene *scene = NULL;
        snprintf(text, sizeof text, "sheaf: 1\n%s", bad[k][0]);
        assert_int_equal(sheaf_scene_parse(text, strlen(text), "scene", &scene), SHEAF_ERR_INPUT);
        if (strstr(sheaf_last_error(), bad[k][1]) == NULL)
            fail_msg("'%s' does not say '%s'", sheaf_last_error(), bad[k][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_tell_friction),
        cmocka_unit_test(balls_roll),
        cmocka_unit_test(dropped_bodies_come_to_rest),
        cmocka_unit_test(thrown_boxes_lose_energy),
        cmocka_unit_test(plates_are_not_passed),
        cmocka_unit_test(belts_take_boxes_along),
        cmocka_unit_test(overlaps_part),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
