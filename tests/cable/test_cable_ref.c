// test_cable_ref: the reference of cables: rows against differences, statics that do not depend on the number of
// segments, heavy loads, the critical tension, loads on several cables.
#include "hoist.h"

#include <string.h>

#include "unit.h"

static const hoist rope = {.segments = 24,
                           .length = 10,
                           .line_mass = 1.6,
                           .ea = 1.8e7,
                           .ei = 100,
                           .gj = 70,
                           .radius = 0.01,
                           .direction = {0, 0, -1}};

static double draw(void)
{
    return 2.0 * rand() / RAND_MAX - 1;
}

static void draw_pose(double pose[4], double angle)
{
    double axis[3] = {draw(), draw(), draw()};
    vec_unit(axis, axis);
    vec_scale(axis, axis, angle);
    pose[0] = 1;
    vec_set(pose + 1, 0, 0, 0);
    cable_rotate_by(pose, axis);
}

// ---- rows

static double value_at(cable_body a, cable_body b, const cable_joint *joint, cable_bend bend, int side, int motion,
                       double by, int row)
{
    cable_body *body = side == 0 ? &a : &b;
    cable_rows rows;
    if (motion < 3) {
        body->place[motion] += by;
    } else {
        double turn[3] = {0, 0, 0};
        turn[motion - 3] = by;
        cable_rotate_by(body->pose, turn);
    }
    cable_ref_rows(&a, &b, joint, bend, &rows);
    return rows.value[row];
}

static void check_rows(cable_bend bend, double angle)
{
    const double e = 1e-5;
    cable_body a = {0}, b = {0};
    cable_joint joint = {.rest_a = {1, 0, 0, 0}, .rest_b = {1, 0, 0, 0}};
    cable_rows rows;
    double turn[4];
    draw_pose(a.pose, 3);
    draw_pose(turn, angle);
    cable_quaternion_product(a.pose, turn, b.pose);
    for (int c = 0; c < 3; c++) {
        b.place[c] = draw();
        joint.arm_a[c] = draw();
        joint.arm_b[c] = draw();
    }
    cable_ref_rows(&a, &b, &joint, bend, &rows);
    joint.turn = rows.value[3] + 6 * 3.14159265358979323846; // three turns are kept
    for (int side = 0; side < 2; side++)
        for (int motion = 0; motion < 6; motion++)
            for (int row = 0; row < 6; row++) {
                const double change = value_at(a, b, &joint, bend, side, motion, e, row) -
                                      value_at(a, b, &joint, bend, side, motion, -e, row);
                assert_close(rows.jacobian[side][row][motion], change / (2 * e), 1e-8);
            }
    assert_close(value_at(a, b, &joint, bend, 0, 0, 0, 3), joint.turn, 1e-12);
}

static void test_rows_against_differences(void **state)
{
    (void)state;
    srand(7);
    for (int bend = 0; bend < 3; bend++) {
        check_rows((cable_bend)bend, 0);
        check_rows((cable_bend)bend, 1e-9);
        for (int k = 0; k < 40; k++)
            check_rows((cable_bend)bend, 2.3 * fabs(draw()));
    }
}

// ---- statics

static void take_steps(cable_group *group, int count)
{
    for (int k = 0; k < count; k++)
        assert_int_equal(cable_ref_step(group).fault, CABLE_SOUND);
}

// The radius of the circle through the centres of the first three segments.
static double radius_of(const cable_group *group)
{
    double a[3], b[3], c[3], cross[3];
    vec_sub(a, group->bodies[2].place, group->bodies[1].place);
    vec_sub(b, group->bodies[3].place, group->bodies[2].place);
    vec_sub(c, group->bodies[3].place, group->bodies[1].place);
    vec_cross(cross, a, b);
    return vec_length(a) * vec_length(b) * vec_length(c) / (2 * vec_length(cross));
}

// A clamped cable under a moment at its tip lies on a circle of radius EI / moment.
static double bent_radius(uint32_t segments, cable_bend bend, double moment)
{
    hoist h = rope;
    cable_group group;
    h.segments = segments;
    h.clamped = true;
    vec_set(h.direction, 1, 0, 0);
    hoist_open(&h, &group);
    group.settings.bend = bend;
    for (uint32_t k = 1; k < group.body_count; k++)
        group.bodies[k].drag = 0.6;
    group.bodies[segments].torque[2] = moment;
    take_steps(&group, 14000);
    const double radius = radius_of(&group);
    cable_ref_close(&group);
    return radius;
}

static void test_bending_is_exact_with_any_number_of_segments(void **state)
{
    (void)state;
    const double moment = 0.4 * 2 * 3.14159265358979323846 * rope.ei / rope.length, exact = rope.ei / moment;
    for (uint32_t n = 3; n <= 24; n *= 2) {
        const double l = rope.length / n;
        assert_close(bent_radius(n, CABLE_BEND_ARC, moment) / exact, 1, 1e-12);
        if (n <= 6) // as published: (l / 2) / tan(moment l / (2 EI))
            assert_close(bent_radius(n, CABLE_BEND_ANGLE, moment) / (l / 2 / tan(moment * l / (2 * rope.ei))), 1,
                         1e-12);
    }
}

static void test_stretch_and_twist_do_not_depend_on_segments(void **state)
{
    (void)state;
    for (uint32_t n = 3; n <= 24; n *= 2) {
        hoist h = rope;
        cable_group group;
        double twist = 0;
        h.segments = n;
        h.clamped = true;
        vec_set(h.direction, 1, 0, 0);
        hoist_open(&h, &group);
        for (uint32_t k = 1; k < group.body_count; k++)
            group.bodies[k].drag = 5;
        group.bodies[n].force[0] = 1e5;
        for (int k = 0; k < 3000; k++) {
            group.bodies[n].torque[0] = 20 * fmin(1, k / 600.0);
            assert_int_equal(cable_ref_step(&group).fault, CABLE_SOUND);
        }
        for (uint32_t k = 0; k < group.joint_count; k++)
            twist += group.joints[k].turn;
        const double reach = rope.length * (n - 0.5) / n; // of the last centre
        assert_close((group.bodies[n].place[0] / reach - 1) / (1e5 / rope.ea), 1, 1e-10);
        assert_close(twist / (20 * reach / rope.gj), 1, 1e-10);
        cable_ref_close(&group);
    }
}

// ---- loads

// Swings of a load whose anchor is jerked 2 m aside in 0.3 s: the largest in the first and the last seconds of 40 s;
// false: it broke.
static bool swing(double load, cable_tension tension, double *early, double *late)
{
    hoist h = rope;
    cable_group group;
    bool holds = true;
    h.load = load;
    hoist_open(&h, &group);
    group.settings.gravity[2] = -9.81;
    group.settings.tension = tension;
    *early = *late = 0;
    for (int k = 0; k < 2400 && holds; k++) {
        const double time = (k + 1) / 60.0;
        group.bodies[0].goal_place[0] = 2 * fmin(1, time / 0.3);
        holds = cable_ref_step(&group).fault == CABLE_SOUND;
        const double x = fabs(group.bodies[group.body_count - 1].place[0] - 2);
        if (time > 1 && time < 9)
            *early = fmax(*early, x);
        if (time > 32)
            *late = fmax(*late, x);
    }
    cable_ref_close(&group);
    return holds;
}

static void test_loads_of_any_mass_swing_at_a_sixtieth_of_a_second(void **state)
{
    (void)state;
    static const double loads[] = {100, 1000, 5000, 67000}, keeps[] = {0.99, 0.99, 0.99, 0.98};
    double early, late;
    for (int k = 0; k < 4; k++) {
        assert_true(swing(loads[k], CABLE_TENSION_INERTIA, &early, &late));
        assert_close(early, 2, 0.1);
        assert_true(late > keeps[k] * early && late < 1.01 * early);
    }
    assert_true(swing(1000, CABLE_TENSION_IMPLICIT, &early, &late));
    assert_true(late < 0.85 * early); // it damps
    assert_true(swing(100, CABLE_TENSION_NONE, &early, &late));
    assert_false(swing(1000, CABLE_TENSION_NONE, &early, &late));
}

// Without help of inertia a taut cable is stable up to k0 (4/h) sqrt(mu EI); damping of one step adds half or more.
static bool holds_at(double factor, double damping)
{
    hoist h = rope;
    cable_group group;
    bool holds = true;
    const double wave = pow(4 * rope.line_mass * 3600 / rope.ei, 0.25) * rope.length / rope.segments; // k* l = 1.45
    const double k0 = wave > 1.4 ? 0.79 - (wave - 1.4) / 0.2 * 0.08 : 0.86;
    h.load = factor * k0 * 4 * 60 * sqrt(rope.line_mass * rope.ei) / 9.81;
    hoist_open(&h, &group);
    group.settings.gravity[2] = -9.81;
    group.settings.tension = CABLE_TENSION_NONE;
    group.settings.damping = damping / 60;
    group.bodies[h.segments / 2].velocity[0] = 1e-2;
    for (int k = 0; k < 2400 && holds; k++) {
        holds = cable_ref_step(&group).fault == CABLE_SOUND;
        for (uint32_t j = 1; j < h.segments; j++)
            holds = holds && group.rows[j].angle < 1; // rad
    }
    cable_ref_close(&group);
    return holds;
}

static void test_critical_tension_is_as_its_formula_says(void **state)
{
    (void)state;
    assert_true(holds_at(0.8, 0));
    assert_false(holds_at(1.25, 0));
    assert_true(holds_at(1.2, 1));
    assert_false(holds_at(2.5, 1));
}

// ---- one load on several cables

static void test_load_on_two_cables_shares_its_weight(void **state)
{
    (void)state;
    cable_group group;
    const double angle = 0.5, l = 1, mass = 500;
    enum { SEGMENTS = 4 };
    assert_int_equal(cable_ref_open(2 * (SEGMENTS + 1) + 1, 2 * (SEGMENTS + 1), &group), SHEAF_OK);
    group.settings = (cable_settings){.step = 1.0 / 60, .damping = 1.0 / 60, .stiffening = 1, .gravity = {0, 0, -9.81}};
    cable_body *load = &group.bodies[0];
    load->mass = mass;
    vec_set(load->inertia, 10, 10, 10);
    load->pose[0] = 1;
    load->drag = 2;
    for (int side = 0; side < 2; side++) {
        const double direction[3] = {(side ? -1 : 1) * sin(angle), 0, -cos(angle)};
        const double axis[3] = {0, 1, 0},
                     tilt = side ? 3.14159265358979323846 / 2 + angle : 3.14159265358979323846 / 2 - angle;
        double turn[3], top[3];
        vec_scale(turn, axis, tilt);
        vec_scale(top, direction, -SEGMENTS * l);
        for (int k = 0; k <= SEGMENTS; k++) {
            cable_body *body = &group.bodies[1 + side * (SEGMENTS + 1) + k];
            body->pose[0] = 1;
            cable_rotate_by(body->pose, turn);
            vec_copy(body->place, top);
            memcpy(body->goal_pose, body->pose, sizeof body->pose);
            vec_copy(body->goal_place, top);
            if (k == 0)
                continue;
            vec_axpy(body->place, (k - 0.5) * l, direction);
            body->mass = 1.6;
            body->drag = 2;
            vec_set(body->inertia, 1e-4, 0.14, 0.14);
        }
        for (int k = 0; k <= SEGMENTS; k++) {
            cable_joint *joint = &group.joints[side * (SEGMENTS + 1) + k];
            joint->a = 1 + side * (SEGMENTS + 1) + k;
            joint->b = k < SEGMENTS ? joint->a + 1 : 0;
            joint->arm_a[0] = k > 0 ? l / 2 : 0;
            joint->arm_b[0] = k < SEGMENTS ? -l / 2 : 0;
            joint->rest_a[0] = joint->rest_b[0] = 1;
            for (int r = 0; r < 6; r++)
                joint->compliance[r] = r < 3 ? 1e-8 : k > 0 && k < SEGMENTS ? 1e-2 : INFINITY;
        }
    }
    assert_int_equal(cable_ref_prepare(&group), SHEAF_OK);
    take_steps(&group, 3000);
    const double *left = group.joints[SEGMENTS].load, *right = group.joints[2 * SEGMENTS + 1].load;
    assert_close(fabs(left[2]), mass * 9.81 / 2, 1e-6 * mass * 9.81);
    assert_close(fabs(right[2]), mass * 9.81 / 2, 1e-6 * mass * 9.81);
    assert_close(left[0] + right[0], 0, 1e-6 * mass * 9.81);
    cable_ref_close(&group);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_against_differences),
        cmocka_unit_test(test_bending_is_exact_with_any_number_of_segments),
        cmocka_unit_test(test_stretch_and_twist_do_not_depend_on_segments),
        cmocka_unit_test(test_loads_of_any_mass_swing_at_a_sixtieth_of_a_second),
        cmocka_unit_test(test_critical_tension_is_as_its_formula_says),
        cmocka_unit_test(test_load_on_two_cables_shares_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
