// test_reeving: massless cables over points on bodies: tension at rest, slack, work, and a crane whose loads weigh a
// thousand to a hundred thousand times as much as a segment.
#include "lift.h"

#include <math.h>

// ---- at rest

// A body hangs by a cable over its middle between two points of the ceiling: T = W / (2 cos a), tilted or not.
static void test_tension_at_rest_balances_the_weight(void **state)
{
    (void)state;
    cable_groups groups;
    sheaf_model *model = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 9 s }\n" LIFT_ROPE
        "bodies: { hook: { at: [0.6 m, 0, 2 m], mass: 500 kg, drag: 2 kN*s/m, box: { size: [40 cm, 40 cm, 40 cm] } }, "
        "beam: { at: [9 m, 0, 2 m], mass: 200 kg, drag: 2 kN*s/m, box: { size: [2 m, 20 cm, 20 cm] } } }\n"
        "reeving:\n"
        "  - { path: [{ at: [-1 m, 0, 4 m] }, { body: hook }, { at: [2 m, 0, 5 m] }], stiffness: 2 MN/m }\n"
        "  - { path: [{ at: [8 m, 0, 4 m] }, { body: beam, at: [-1 m, 0, 0] }], stiffness: 2 MN/m }\n"
        "  - { path: [{ at: [9.5 m, 0, 4 m] }, { body: beam, at: [50 cm, 0, 0] }], stiffness: 2 MN/m }\n"
        "cables: [{ length: 1 m, segments: 4, from: { at: [9 m, 9 m, 9 m] } }]\n");
    assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
    lift_steps(&groups, 0, 6000);
    const cable_group *group = &groups.groups[0];
    const double *x = group->bodies[0].place, left[3] = {-1 - x[0], -x[1], 4 - x[2]},
                 right[3] = {2 - x[0], 0, 5 - x[2]};
    const double up = left[2] / vec_length(left) + right[2] / vec_length(right);
    assert_close(group->lines[0].load * up, 500 * 9.81, 1e-6 * 500 * 9.81);
    assert_close(left[0] / vec_length(left) + right[0] / vec_length(right), 0, 1e-6); // frictionless: angles are alike
    // levers 1 m and 0.5 m
    assert_close(group->lines[1].load, 200 * 9.81 / 3, 1e-6 * 200 * 9.81);
    assert_close(group->lines[2].load, 200 * 9.81 * 2 / 3, 1e-6 * 200 * 9.81);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

// A cable that is too long does not pull: the body falls freely until it is taut, and is caught.
static void test_slack_cables_do_not_pull(void **state)
{
    (void)state;
    cable_groups groups;
    sheaf_model *model =
        lift_model("sheaf: 1\ntime: { step: 1/60 s, end: 9 s }\n" LIFT_ROPE
                   "bodies: { ball: { at: [0, 0, 8 m], mass: 50 kg, sphere: { radius: 20 cm } } }\n"
                   "reeving: [{ path: [{ at: [0, 0, 9 m] }, { body: ball }], length: 3 m, stiffness: 200 kN/m }]\n"
                   "cables: [{ length: 1 m, segments: 4, from: { at: [9 m, 9 m, 9 m] } }]\n");
    assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
    const cable_group *group = &groups.groups[0];
    for (uint64_t n = 0; n < 30; n++) {
        lift_steps(&groups, n, 1);
        assert_true(group->lines[0].load == 0);
        assert_close(group->bodies[0].velocity[2], -9.81 * (double)(n + 1) / 60, 1e-9);
    }
    lift_steps(&groups, 30, 600);
    assert_close(group->bodies[0].place[2], 6, 0.3);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

// ---- a crane

#define CHANGE(way)                                                                                                    \
    "change: { keys: [[5 s, 0], [8 s, -2 m], [9 s, -2 m], [10 s, " way "], [12 s, " way "], [13 s, -2 m]] }, "

static sheaf_model *open_crane(double load)
{
    char text[4096];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/60 s, end: 15 s }\ngravity: [0, 0, -10 m/s^2]\n"
             "materials: { rope: { line_mass: 1.2 kg/m, stretch: 18 MN, bend: 250 N*m^2, twist: 250 N*m^2, radius: 1 "
             "cm } }\n"
             "motion: { travel: { move: [{ ramp: { to: 3 m, start: 1 s, over: 3 s, smooth: true } }, 0, 0] } }\n"
             "bodies:\n"
             "  trolley: { follow: travel, at: [0, 0, 12 m], box: { size: [1.4 m, 80 cm, 30 cm] } }\n"
             "  hook: { box: { size: [1.2 m, 40 cm, 40 cm] }, mass: 300 kg, at: [0, 0, 8 m] }\n"
             "  load: { box: { size: [80 cm, 80 cm, 80 cm] }, mass: %.9g kg }\n"
             "reeving:\n"
             "  - { path: [{ body: trolley, at: [-50 cm, -20 cm, 0] }, { body: hook, at: [-50 cm, 0, 20 cm] }, { body: "
             "trolley, at: [-50 cm, 20 cm, 0] }], " CHANGE(
                 "-1.8 m") "stiffness: 10 MN/m }\n"
                           "  - { path: [{ body: trolley, at: [50 cm, -20 cm, 0] }, { body: hook, at: [50 cm, 0, 20 "
                           "cm] }, { body: "
                           "trolley, at: [50 cm, 20 cm, 0] }], " CHANGE(
                               "-2.2 m") "stiffness: 10 MN/m }\n"
                                         "cables: [{ length: 4 m, segments: 16, joint_stiffness: { stretch: 5 MN/m, "
                                         "bend: 1 kN*m/rad, twist: 1 kN*m/rad "
                                         "}, from: { body: hook, at: [0, 0, -20 cm] }, to: { body: load, at: [0, 0, 40 "
                                         "cm] } }]\n",
             load);
    return lift_model(text);
}

// Travel, hoist, tilt: no joint bends by much or opens by 10 times what it does at rest, and no energy comes from
// nowhere.
static void lift(double load)
{
    cable_groups groups;
    sheaf_model *model = open_crane(load);
    double bend = 0, gap = 0, tilt = 0, gain = 0;
    assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
    cable_group *group = &groups.groups[0];
    const cable_energy start = cable_ref_energy(group);
    for (uint64_t n = 0; n < 15 * 60; n++) {
        lift_steps(&groups, n, 1);
        const cable_energy e = cable_ref_energy(group);
        gain = fmax(gain, e.kinetic + e.gravity + e.stretch + e.bend + e.twist - start.gravity - group->work);
        for (uint32_t j = 1; j + 1 < group->joint_count; j++) {
            bend = fmax(bend, group->rows[j].angle);
            gap = fmax(gap, vec_length(group->rows[j].value));
        }
        tilt = fmax(tilt, fabs(2 * asin(group->bodies[0].pose[2])));
    }
    print_message("%6.0f kg: bend %.2g rad, gap %.2g times that at rest, tilt %.3f rad, work %.4g J, gain %.3g\n", load,
                  bend, gap / (10 * load / 5e6), tilt, group->work, gain / group->work);
    assert_true(bend < 0.2);
    assert_true(gap < 10 * (10 * load / 5e6));
    assert_true(gain < 0.02 * group->work);
    assert_close(tilt, 0.2, 0.03);                       // 0.4 m of two falls each over 1 m
    assert_true(group->work > 0.95 * 10 * (load + 300)); // a metre up
    assert_close(group->unmet, 0, 0);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

static void test_cranes_hold_loads_of_any_mass(void **state)
{
    (void)state;
    lift(300); // 1e3, 1e4, 1e5 times a segment
    lift(3000);
    lift(30000);
}

static void test_restart_gives_the_same_bits(void **state)
{
    (void)state;
    sheaf_model *model = open_crane(300);
    lift_restart(model, 333, 300);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tension_at_rest_balances_the_weight),
        cmocka_unit_test(test_slack_cables_do_not_pull),
        cmocka_unit_test(test_cranes_hold_loads_of_any_mass),
        cmocka_unit_test(test_restart_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
