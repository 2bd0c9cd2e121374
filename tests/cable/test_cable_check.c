// test_cable_check: what is refused, what check says of cables: jumps of what holds them, shared loads at rest, limits,
// layers of winches, moments of joints.
#include "lift.h"

#include "cable/cable.h"

#include <math.h>

#define HEAD "sheaf: 1\ntime: { step: 1/60 s, end: 4 s }\n" LIFT_ROPE

// ---- jumps

#define CUT                                                                                                            \
    "motion: { travel: { keyframes: [{ time: 0 s }, { time: 1 s, move: [0.2 m, 0, 0] }, { time: 2 s, move: [50 m, 8 "  \
    "m, 0], axis: z, angle: 90 deg, jump: true }] } }\n"
#define CARRIAGE "  carriage: { follow: travel, at: [0, 0, 10 m], box: { size: [80 cm, 50 cm, 24 cm] } }\n"
#define LOAD "  load: { mass: 500 kg, box: { size: [40 cm, 40 cm, 40 cm] } }\n"

// Runs past a jump and holds the end against the place before, turned and shifted: nothing of it has moved by itself.
static void check_jump(const char *text)
{
    enum { ROOM = 64 };
    static double before[ROOM][3], after[ROOM][3], speeds[2][ROOM][3];
    sheaf_model *model = lift_model(text);
    sheaf_solver *solver = lift_solver(model);
    const uint32_t count = (uint32_t)sheaf_model_vertex_count(model);
    assert_true(count <= ROOM);
    assert_int_equal(sheaf_solver_step(solver, 119), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, before, ROOM), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, speeds[0], ROOM), SHEAF_OK);
    const double gap = lift_total(solver) - lift_work(solver);
    assert_int_equal(sheaf_solver_step(solver, 1), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_positions(solver, after, ROOM), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_velocities(solver, speeds[1], ROOM), SHEAF_OK);
    for (uint32_t i = 0; i < count; i++) { // a quarter turn about z at the place of the motion, which was 0.2 m aside
        const double v[3] = {-speeds[0][i][1], speeds[0][i][0], speeds[0][i][2]};
        const double moved[3] = {50 - before[i][1], 8 + (before[i][0] - 0.2), before[i][2]};
        for (int c = 0; c < 3; c++) {
            assert_close(after[i][c], moved[c] + v[c] / 60, 1e-2); // one step of swinging
            assert_close(speeds[1][i][c], v[c], 0.2);
        }
    }
    assert_int_equal(sheaf_solver_step(solver, 60), SHEAF_OK);
    assert_close(lift_total(solver) - lift_work(solver), gap, 2);
    sheaf_solver_close(solver);
    lift_restart(model, 100, 40);
    sheaf_model_free(model);
}

static void test_jumps_take_along_what_hangs(void **state)
{
    (void)state;
    check_jump(HEAD CUT "bodies:\n" CARRIAGE LOAD
                        "cables: [{ length: 4 m, segments: 8, from: { body: carriage }, to: { body: load } }]\n");
    check_jump(HEAD CUT "cables: [{ length: 4 m, segments: 8, from: { at: [0, 0, 10 m], follow: travel, joint: clamp } "
                        "}]\n");
    check_jump(
        HEAD CUT
        "bodies:\n" CARRIAGE LOAD "  hook: { mass: 300 kg, at: [0, 0, 8 m], box: { size: [1.2 m, 40 cm, 40 cm] } }\n"
        "reeving:\n"
        "  - { path: [{ body: carriage, at: [-50 cm, 0, 0] }, { body: hook, at: [-50 cm, 0, 20 cm] }], stiffness: "
        "10 MN/m }\n"
        "  - { path: [{ body: carriage, at: [50 cm, 0, 0] }, { body: hook, at: [50 cm, 0, 20 cm] }], stiffness: "
        "10 MN/m }\n"
        "cables: [{ length: 4 m, segments: 8, from: { body: hook }, to: { body: load } }]\n");
}

static void refuse(const char *text, sheaf_status expected, const char *message)
{
    sheaf_model *model = lift_model(text);
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver = NULL;
    def.backend = SHEAF_BACKEND_REFERENCE;
    assert_int_equal(sheaf_solver_open(model, &def, &solver), expected);
    if (strstr(sheaf_last_error(), message) == NULL)
        fail_msg("no '%s' in: %s", message, sheaf_last_error());
    sheaf_model_free(model);
}

static void test_cables_of_which_a_part_jumps_are_refused(void **state)
{
    (void)state;
    refuse(HEAD CUT "bodies:\n" CARRIAGE
                    "cables: [{ length: 20 m, segments: 8, from: { body: carriage }, to: { at: [9 m, 0, 10 m] } }]\n",
           SHEAF_ERR_INPUT, "'travel', which jumps, and on something else");
}

// ---- limits

static void test_too_many_cables_on_a_body_are_refused(void **state)
{
    (void)state;
    static char text[32768];
    for (int count = 64; count <= 65; count++) {
        int at = snprintf(text, sizeof text,
                          HEAD "bodies: { hub: { mass: 9 kg, at: [0, 0, 5 m], sphere: { radius: 1 cm } } }\ncables:\n");
        for (int k = 0; k < count; k++)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "  - { segments: 2, from: { at: [%d cm, 0, 6 m] }, to: { body: hub } }\n", k);
        if (count == 64) {
            sheaf_model *model = lift_model(text);
            sheaf_solver_close(lift_solver(model));
            sheaf_model_free(model);
        } else {
            refuse(text, SHEAF_ERR_LIMIT, "body 'hub': 65 ends of cables are on it, and at most 64 can be");
        }
    }
}

// ---- tension at rest

// What is known of a model without a step, against the same after it has come to rest.
static void check_tensions(const char *text, double most)
{
    cable_groups groups;
    sheaf_model *model = lift_model(text);
    double *told = base_alloc(model->strand_count, sizeof *told);
    assert_int_equal(cable_static_tensions(model, told), SHEAF_OK);
    assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
    lift_steps(&groups, 0, 3000);
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const cable_group *group = &groups.groups[groups.spots[s].group];
        double largest = 0;
        for (uint32_t i = 0; i <= cable_segment_count(model, s); i++)
            largest = fmax(largest, vec_length(group->joints[groups.spots[s].joint + i].load));
        print_message("cable %u: %.1f N at rest, told %.1f\n", s, largest, told[s]);
        assert_close(told[s] / largest, 1, most);
    }
    base_free(told);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

static void test_tension_at_rest_is_told_of_shared_loads(void **state)
{
    (void)state;
    // two alike at an angle; three in a row, of which statics alone does not know the shares; a lever; a Y; a hook
    check_tensions(HEAD "bodies: { load: { mass: 800 kg, drag: 1 kN*s/m, at: [0, 0, 2 m], box: { size: [40 cm, 40 cm, "
                        "40 cm] } } }\n"
                        "cables:\n  - { segments: 4, from: { at: [-3 m, 0, 5 m] }, to: { body: load } }\n"
                        "  - { segments: 4, from: { at: [3 m, 0, 5 m] }, to: { body: load } }\n",
                   0.01);
    check_tensions(HEAD
                   "bodies: { beam: { mass: 800 kg, drag: 1 kN*s/m, at: [0, 0, 2 m], box: { size: [2 m, 20 cm, 20 "
                   "cm] } } }\n"
                   "cables:\n  - { segments: 4, from: { at: [-1 m, 0, 5 m] }, to: { body: beam, at: [-1 m, 0, 0] } "
                   "}\n"
                   "  - { segments: 4, from: { at: [0, 0, 5 m] }, to: { body: beam } }\n"
                   "  - { segments: 4, from: { at: [1 m, 0, 5 m] }, to: { body: beam, at: [1 m, 0, 0] } }\n",
                   0.01);
    check_tensions(HEAD
                   "bodies: { beam: { mass: 300 kg, drag: 1 kN*s/m, at: [0, 0, 2 m], box: { size: [2 m, 20 cm, 20 "
                   "cm] } } }\n"
                   "cables:\n  - { segments: 4, from: { at: [-1 m, 0, 5 m] }, to: { body: beam, at: [-1 m, 0, 0] } "
                   "}\n"
                   "  - { segments: 4, from: { at: [50 cm, 0, 5 m] }, to: { body: beam, at: [50 cm, 0, 0] } }\n",
                   0.01);
    check_tensions(HEAD
                   "bodies:\n  ring: { mass: 2 kg, drag: 1 kN*s/m, at: [0, 0, 2 m], sphere: { radius: 1 cm } }\n"
                   "  load: { mass: 600 kg, drag: 1 kN*s/m, at: [0, 0, 0], box: { size: [40 cm, 40 cm, 40 cm] } }\n"
                   "cables:\n  - { segments: 4, from: { at: [-2 m, 0, 5 m] }, to: { body: ring } }\n"
                   "  - { segments: 4, from: { at: [2 m, 0, 5 m] }, to: { body: ring } }\n"
                   "  - { segments: 4, from: { body: ring }, to: { body: load } }\n",
                   0.01);
    check_tensions(HEAD
                   "bodies:\n  hook: { mass: 100 kg, drag: 1 kN*s/m, at: [0, 0, 4 m], box: { size: [1 m, 20 cm, 20 "
                   "cm] } }\n"
                   "reeving: [{ path: [{ at: [-40 cm, 0, 8 m] }, { body: hook, at: [-40 cm, 0, 10 cm] }], stiffness: "
                   "10 MN/m }]\n"
                   "cables:\n  - { segments: 4, from: { at: [40 cm, 0, 8 m] }, to: { body: hook, at: [40 cm, 0, 10 "
                   "cm] } }\n",
                   0.01);
}

static bool has_fact(const method_fact *facts, uint32_t count, const char *words)
{
    for (uint32_t k = 0; k < count; k++)
        if (strstr(facts[k].text, words) != NULL)
            return true;
    return false;
}

// One cable alone would be past its critical tension; four of them are not.
static void test_shared_loads_are_not_warned_of(void **state)
{
    (void)state;
    static char text[4096];
    for (int count = 1; count <= 4; count += 3) {
        int at = snprintf(text, sizeof text,
                          HEAD "step: { cable: { tension: none } }\n"
                               "bodies: { load: { mass: 400 kg, at: [0, 0, 2 m], box: { size: [1 m, 1 m, 40 cm] } } }\n"
                               "cables:\n");
        for (int k = 0; k < count; k++)
            at += snprintf(text + at, sizeof text - (size_t)at,
                           "  - { length: 3.3 m, segments: 8, from: { at: [%d cm, %d cm, 5.5 m] }, to: { body: load, "
                           "at: [%d cm, %d cm, 20 cm] } }\n",
                           count == 1 ? 0 : k % 2 * 80 - 40, count == 1 ? 0 : k / 2 * 80 - 40,
                           count == 1 ? 0 : k % 2 * 80 - 40, count == 1 ? 0 : k / 2 * 80 - 40);
        method_fact facts[METHOD_FACTS_MAX];
        sheaf_model *model = lift_model(text);
        const uint32_t said = cable_facts(model, facts);
        assert_true(has_fact(facts, said, "above its critical tension") == (count == 1));
        assert_false(has_fact(facts, said, "layer"));
        sheaf_model_free(model);
    }
}

// What single precision does not resolve is said before anything runs.
static void test_loads_beyond_single_precision_are_told(void **state)
{
    (void)state;
    static const char *const precisions[] = {"auto", "single", "single"}, *const loads[] = {"67000 kg", "67000 kg",
                                                                                            "1000 kg"};
    for (int k = 0; k < 3; k++) {
        char text[512];
        method_fact facts[METHOD_FACTS_MAX];
        snprintf(
            text, sizeof text,
            HEAD
            "precision: %s\ncables: [{ length: 8 m, segments: 24, from: { at: [0, 0, 9 m] }, to: { load: %s } }]\n",
            precisions[k], loads[k]);
        sheaf_model *model = lift_model(text);
        const uint32_t said = cable_facts(model, facts);
        assert_true(has_fact(facts, said, "may hardly move") == (k == 1));
        sheaf_model_free(model);
    }
}

static void test_check_says_that_layers_are_not_modelled(void **state)
{
    (void)state;
    method_fact facts[METHOD_FACTS_MAX];
    sheaf_model *model = lift_model(
        HEAD "bodies:\n  drum: { at: [0, 0, 24 m], mass: 80 kg, cylinder: { from: [0, -40 cm, 0], to: [0, 40 "
             "cm, 0], radius: 24 cm }, axle: { axis: y } }\n" LOAD
             "cables: [{ length: 22 m, segments: 24, to: { body: load, at: [0, 0, 20 cm] }, winch: { body: "
             "drum, store: 1 m, speed: 1 rad/s } }]\n");
    const uint32_t said = cable_facts(model, facts);
    assert_true(has_fact(facts, said, "layers are not modelled: up to 14.6 turns"));
    sheaf_model_free(model);
}

// ---- moments

// A cable under a moment at its tip bears that moment everywhere, whatever its joints are and how bending is measured.
static void test_moments_are_those_of_the_joints(void **state)
{
    (void)state;
    static const char *const steps[] = {"", "step: { cable: { bend: angle } }\n",
                                        "step: { cable: { bend: tangent } }\n"};
    static const char *const stiffness[] = {"", "joint_stiffness: { bend: 300 N*m/rad, twist: 90 N*m/rad }, "};
    for (int k = 0; k < 6; k++) {
        enum { ROOM = 9 };
        char text[1024];
        double positions[ROOM][3], directors[ROOM][3], bend[2], twist;
        snprintf(text, sizeof text,
                 HEAD
                 "gravity: [0, 0, 0]\n%scables: [{ length: 2 m, segments: 8, %sfrom: { at: [0, 0, 0], joint: clamp }, "
                 "direction: x, to: { torque: [2 N*m, 0, 60 N*m] } }]\n",
                 steps[k % 3], stiffness[k / 3]);
        sheaf_model *model = lift_model(text);
        cable_groups groups;
        assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
        for (uint32_t b = 0; b < groups.groups[0].body_count; b++)
            groups.groups[0].bodies[b].drag = 4;
        lift_steps(&groups, 0, 3000);
        const cable_group *group = &groups.groups[0];
        const cable_spot *spot = &groups.spots[0];
        for (int i = 0; i < ROOM; i++) {
            const double arm[3] = {i < 8 ? -0.125 : 0.125, 0, 0}, side[3] = {0, 1, 0};
            const cable_body *body = &group->bodies[spot->segment + (uint32_t)(i < 8 ? i : 7)];
            cable_turn(body->pose, arm, positions[i]);
            vec_add(positions[i], positions[i], body->place);
            cable_turn(body->pose, side, directors[i]);
        }
        for (uint32_t i = 1; i < 8; i++) {
            cable_moments(model, 0, i, (const double(*)[3])positions, (const double(*)[3])directors, bend, &twist);
            assert_close(hypot(hypot(bend[0], bend[1]), twist), hypot(60, 2), 1e-3);
            assert_close(twist, 2, 1e-6); // a helix about the moment
        }
        cable_groups_close(&groups);
        sheaf_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jumps_take_along_what_hangs),
        cmocka_unit_test(test_cables_of_which_a_part_jumps_are_refused),
        cmocka_unit_test(test_too_many_cables_on_a_body_are_refused),
        cmocka_unit_test(test_tension_at_rest_is_told_of_shared_loads),
        cmocka_unit_test(test_shared_loads_are_not_warned_of),
        cmocka_unit_test(test_loads_beyond_single_precision_are_told),
        cmocka_unit_test(test_check_says_that_layers_are_not_modelled),
        cmocka_unit_test(test_moments_are_those_of_the_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
