// test_cable_touch: cables on colliders: a slope holds up to its angle of friction and lets slide above, ropes over a
// bar hold up to the ratio of Eytelwein's formula, a slack rope and a load come to rest on the ground.
#include "lift.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- slopes

// How far a cable along a slope slides in a second, m.
static double slide(double tangent, double friction)
{
    char text[1024];
    const double angle = atan(tangent);
    double x[5][3];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/60 s, end: 2 s }\ngravity: [%.17g, 0, %.17g]\n" LIFT_ROPE
             "colliders: [{ plane: {}, friction: %.17g }]\n"
             "cables: [{ length: 2 m, segments: 4, from: { at: [0, 0, 1 cm], joint: free }, direction: x }]\n",
             9.81 * sin(angle), -9.81 * cos(angle), friction);
    sheaf_model *model = lift_model(text);
    sheaf_solver *solver = lift_solver(model);
    assert_int_equal(sheaf_solver_step(solver, 60), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, x, 5), SHEAF_OK);
    assert_close(x[4][2], 0.01, 1e-4); // surfaces give way a little
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return x[0][0];
}

static void test_slopes_hold_and_let_slide(void **state)
{
    (void)state;
    static const double frictions[] = {0.2, 0.5};
    for (int k = 0; k < 2; k++) {
        const double f = frictions[k], tangent = 1.3 * f, angle = atan(tangent);
        assert_close(slide(0.95 * f, f), 0, 1e-5);
        // implicit steps go h/2 times the velocity too far
        const double way = 9.81 * (sin(angle) - f * cos(angle)) * 0.5 * (1 + 1.0 / 60);
        assert_close(slide(tangent, f) / way, 1, 4e-3);
    }
}

// Across a slope a cable rolls: a x = g sin / (1 + I / (m r^2)), with I = m r^2 / 2.
static void test_across_a_slope_it_rolls(void **state)
{
    (void)state;
    const double angle = 0.1, g = 9.81;
    char text[1024];
    double x[5][3];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/60 s, end: 2 s }\ngravity: [%.17g, 0, %.17g]\n" LIFT_ROPE
             "colliders: [{ plane: {}, friction: 0.5 }]\n"
             "cables: [{ length: 2 m, segments: 4, from: { at: [0, 0, 1 cm], joint: free }, direction: y }]\n",
             g * sin(angle), -g * cos(angle));
    sheaf_model *model = lift_model(text);
    sheaf_solver *solver = lift_solver(model);
    assert_int_equal(sheaf_solver_step(solver, 60), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, x, 5), SHEAF_OK);
    const double way = g * sin(angle) / 1.5 * 0.5 * (1 + 1.0 / 60);
    print_message("rolls by %.5f of the formula\n", x[2][0] / way);
    assert_close(x[2][0] / way, 1, 4e-3);
    (void)lift_total(solver);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// ---- capstan

enum { SEGMENTS = 48, ARC = 24 }; // of them on the bar

// A rope over half a bar of 1 m radius, with loads at both ends; how far the heavier one, `ratio`
// times 50 kg, sinks in 2 s, m.
static double sink(double ratio)
{
    const double light = 50;
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    char text[2048];
    double points[SEGMENTS + 1][3], bodies[2][3];
    const double radius = 1, rope = 0.01, middle = radius + rope, l = pi * middle / ARC;
    for (int i = 0; i <= SEGMENTS; i++) {
        const double s = (i - SEGMENTS / 2) * l, a = fmax(-pi / 2, fmin(pi / 2, s / middle)),
                     over = fabs(s) - pi / 2 * middle;
        vec_set(points[i], middle / cos(pi / ARC / 2) * sin(a), 0, middle / cos(pi / ARC / 2) * cos(a) - fmax(0, over));
    }
    snprintf(
        text, sizeof text,
        "sheaf: 1\ntime: { step: 1/60 s, end: 8 s }\n"
        "materials: { rope: { line_mass: 0.76 kg/m, stretch: 5 MN, bend: 0.2 N*m^2, twist: 1 N*m^2, radius: 1 cm "
        "} }\ncolliders: [{ cylinder: { from: [0, -1 m, 0], to: [0, 1 m, 0], radius: 1 m }, friction: 0.3 }]\n"
        "bodies: { light: { mass: %.9g kg, drag: 20 N*s/m, at: [-1.01 m, 0, %.9g m], sphere: { radius: 5 cm }, force: "
        "[0, "
        "0, { keys: [[0 s, %.9g], [1 s, 0]] }] }, heavy: { mass: %.9g kg, drag: 20 N*s/m, at: [1.01 m, 0, %.9g m], "
        "sphere: { radius: 5 cm }, force: [0, 0, { keys: [[0 s, %.9g], [1 s, 0]] }] } }\n"
        "cables: [{ length: 1 m, segments: 4, from: { at: [9 m, 0, 9 m] } }]\n",
        light, points[0][2] - 0.05, 9.81 * light, ratio * light, points[SEGMENTS][2] - 0.05, 9.81 * ratio * light);
    assert_int_equal(sheaf_scene_parse(text, strlen(text), "capstan", &scene), SHEAF_OK);
    sheaf_strand_def def = sheaf_strand_def_default();
    const sheaf_joint_def joints[2] = {{SHEAF_JOINT_BALL, 0, 0}, {SHEAF_JOINT_BALL, 1, SEGMENTS - 1}};
    const sheaf_cable_def cable = {.stretch = 5e6};
    def.vertex_count = SEGMENTS + 1;
    def.shape = SHEAF_SHAPE_POINTS;
    def.points = points[0];
    def.natural = SHEAF_NATURAL_STRAIGHT;
    def.clamp_mid_edge = false;
    def.root = def.tip = sheaf_end_pinned();
    if (sheaf_scene_add_cable(scene, &def, &cable, joints, 2) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    assert_int_equal(sheaf_model_create(scene, &model), SHEAF_OK);
    sheaf_solver *solver = lift_solver(model);
    sheaf_body_pose poses[2];
    assert_int_equal(sheaf_solver_step(solver, 90), SHEAF_OK); // the rope takes its loads within 1 s
    assert_int_equal(sheaf_solver_read_bodies(solver, poses, 2), SHEAF_OK);
    vec_copy(bodies[0], poses[1].position);
    assert_int_equal(sheaf_solver_step(solver, 120), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_bodies(solver, poses, 2), SHEAF_OK);
    (void)lift_total(solver); // nothing is frozen
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return bodies[0][2] - poses[1].position[2];
}

// The limit is exp(0.3 pi) = 2.566; EI/(T R^2) = 4e-4, so that the rope's stiffness hardly lifts it off.
static void test_ropes_over_bars_hold_to_the_limit(void **state)
{
    (void)state;
    const double limit = exp(0.3 * pi), held = sink(0.95 * limit), slipped = sink(1.05 * limit);
    print_message("at 0.95 of the limit %.4f m in 2 s, at 1.05 %.4f m\n", held, slipped);
    assert_true(fabs(held) < 0.002);
    assert_true(slipped > 0.1);
}

// ---- the ground

static void test_slack_rope_and_load_lie_on_the_ground(void **state)
{
    (void)state;
    sheaf_model *model = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 2 s }\n" LIFT_ROPE "colliders: [{ plane: {}, friction: 0.4 }]\n"
        "bodies: { load: { mass: 50 kg, drag: 20 N*s/m, box: { size: [40 cm, 40 cm, 40 cm] } } }\n"
        "motion: { low: { move: [0, 0, { ramp: { to: -2.5 m, over: 2 s, smooth: true } }] } }\n"
        "cables: [{ length: 3 m, segments: 12, from: { at: [0, 0, 4 m], follow: low }, to: { body: load, at: [0, 0, 20 "
        "cm] } }]\n");
    sheaf_solver *solver = lift_solver(model);
    sheaf_body_pose pose;
    double x[13][3], v[13][3];
    assert_int_equal(sheaf_solver_step(solver, 900), SHEAF_OK);
    (void)lift_total(solver); // nothing is frozen
    assert_int_equal(sheaf_solver_read_bodies(solver, &pose, 1), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, x, 13), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, v, 13), SHEAF_OK);
    assert_close(pose.position[2], 0.2, 2e-3);
    for (int k = 0; k < 13; k++)
        assert_true(x[k][2] > 0.008);
    print_message("load at %.5f m, at %.2g m/s\n", pose.position[2], vec_length(pose.velocity));
    assert_true(vec_length(pose.velocity) < 1e-2);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes_hold_and_let_slide),
        cmocka_unit_test(test_across_a_slope_it_rolls),
        cmocka_unit_test(test_ropes_over_bars_hold_to_the_limit),
        cmocka_unit_test(test_slack_rope_and_load_lie_on_the_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
