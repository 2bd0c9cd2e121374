// test_winch: a rope that a drum winds up and pays out: how far its load goes, what that takes, its tension beside the
// same hoist by a massless cable, restart amid winding, a drum that is driven by a torque and held by its brake.
#include "lift.h"

#define DRUM(extra)                                                                                                    \
    "  drum: { at: [0, 0, 24 m], mass: 80 kg, cylinder: { from: [0, -40 cm, 0], to: [0, 40 cm, 0], radius: 24 cm }, "  \
    "axle: { axis: y" extra " } }\n"
#define LOAD "  load: { mass: 100 kg, box: { size: [40 cm, 40 cm, 40 cm] } }\n"

// 80 rad of 25 cm up, and down again: 20 m.
static const char winch_text[] = "sheaf: 1\ntime: { step: 1/60 s, end: 45 s }\n" LIFT_ROPE "bodies:\n" DRUM("") LOAD
    "cables: [{ length: 22 m, segments: 24, to: { body: load, at: [0, 0, 20 cm] }, winch: { body: drum, store: 1 m, "
    "speed: { keys: [[1 s, 0], [2 s, 4 rad/s], [21 s, 4 rad/s], [22 s, 0], [23 s, 0], [24 s, -4 rad/s], [43 s, -4 "
    "rad/s], [44 s, 0]] } } }]\n";

static double height(sheaf_solver *solver, const char *name)
{
    enum { ROOM = 8 };
    sheaf_body_pose poses[ROOM];
    assert_int_equal(sheaf_solver_read_bodies(solver, poses, ROOM), SHEAF_OK);
    for (uint32_t k = 0; k < sheaf_model_body_count(solver_model(solver)); k++)
        if (strcmp(sheaf_model_body_name(solver_model(solver), k), name) == 0)
            return poses[k].position[2];
    fail_msg("there is no body %s", name);
    return 0;
}

// At rest the rope bears the load, and probes read what it pulls with.
static void check_load(sheaf_solver *solver)
{
    sheaf_body_pose poses[2];
    solver_array arrays[SOLVER_ARRAYS_MOST];
    double tensions[25];
    const uint32_t count = solver_arrays(solver, arrays);
    assert_int_equal(sheaf_solver_read_bodies(solver, poses, 2), SHEAF_OK);
    assert_close(poses[1].force[2], 100 * 9.81, 0.1);
    assert_close(poses[0].torque[1] / (100 * 9.81 * 0.25), -1, 0.05); // and the rope's own 2 m
    for (uint32_t k = 0; k < count; k++)
        if (strcmp(arrays[k].name, "tension") == 0) {
            assert_int_equal(solver_read_array(solver, k, tensions), SHEAF_OK);
            assert_close(tensions[23], 100 * 9.81 + 1.6 * 9.81 * 23.0 / 48, 0.1);
            return;
        }
    fail_msg("no tension is told");
}

static void test_load_rises_by_radius_times_turns(void **state)
{
    (void)state;
    sheaf_model *model = lift_model(winch_text);
    sheaf_solver *solver = lift_solver(model);
    assert_int_equal(sheaf_solver_step(solver, 60), SHEAF_OK); // the rope takes its load
    const double total = lift_total(solver), work = lift_work(solver), low = height(solver, "load");
    assert_int_equal(sheaf_solver_step(solver, 22 * 60), SHEAF_OK);
    const double rise = height(solver, "load") - low;
    assert_close(rise, 20, 1e-3 * 20);
    // what the drum has done against what load and rope have gained
    const double gained = lift_total(solver) - total, done = lift_work(solver) - work;
    print_message("rise %.6f m; work %.2f J, gained %.2f J\n", rise, done, gained);
    assert_true(gained > 1e4 && fabs(done - gained) < 0.02 * gained);
    check_load(solver);
    assert_int_equal(sheaf_solver_step(solver, 22 * 60), SHEAF_OK);
    print_message("back within %.2g m\n", fabs(height(solver, "load") - low));
    assert_close(height(solver, "load"), low, 20e-6);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// Where joint j is on the body behind it, or, of the first and the last, on what holds the rope.
static void find_joint(const cable_winch *w, const cable_group *group, uint32_t j, double at[3])
{
    const cable_joint *joint = &group->joints[w->joint + j];
    const bool is_before = j == w->head;
    const cable_body *body = &group->bodies[is_before ? joint->a : joint->b];
    cable_turn(body->pose, is_before ? joint->arm_a : joint->arm_b, at);
    vec_add(at, at, body->place);
}

// Rope that hangs between the drum and the load, without load: the way from joint to joint, over 1 + strain.
static double free_length(const cable_winch *w, const cable_group *group)
{
    double length = 0, from[3], to[3], way[3];
    find_joint(w, group, w->head, from);
    for (uint32_t j = w->head + 1; j <= w->count; j++) {
        const double tension = vec_length(group->joints[w->joint + j].load);
        find_joint(w, group, j, to);
        vec_sub(way, to, from);
        length += vec_length(way) / (1 + tension * w->compliance[0]);
        vec_copy(from, to);
    }
    return length;
}

// What hangs is what there was, less what the drum has turned in, at any time: the drum's turns are read off its pose,
// what hangs off the places of segments.
static void test_length_of_rope_is_kept(void **state)
{
    (void)state;
    cable_groups groups;
    sheaf_model *model = lift_model(winch_text);
    assert_int_equal(cable_groups_open(model, 1.0 / 60, &groups), SHEAF_OK);
    const cable_winch *winch = &groups.winches[0];
    const cable_group *group = &groups.groups[0];
    uint32_t heads = 0, head = winch->head;
    double taken = 0, worst = 0, turned[3], before[4];
    for (uint64_t n = 0; n < 2700; n++) {
        memcpy(before, group->bodies[winch->drum].pose, sizeof before);
        lift_steps(&groups, n, 1);
        const double tension = vec_length(group->joints[winch->joint + winch->head].load);
        cable_turn_from_to(before, group->bodies[winch->drum].pose, turned);
        taken += 0.25 * turned[1] / (1 + tension * winch->compliance[0]);
        if (n > 30) // the load has been taken
            worst = fmax(worst, fabs(free_length(winch, group) + taken - 22));
        heads += winch->head != head;
        head = winch->head;
    }
    print_message("length kept within %.2g m, %u joined or divided\n", worst, heads);
    assert_true(worst < 2e-4); // 1e-5 of it while it swings
    assert_close(free_length(winch, group) + taken, 22, 22e-6);
    assert_true(heads > 30); // it was joined and divided on the way
    assert_close(winch->wound, 1, 1e-3);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

// The same load on a massless cable that is hauled in alike.
static void test_tension_is_that_of_a_hoist_by_reeving(void **state)
{
    (void)state;
    cable_groups winch, reeved;
    sheaf_model *first = lift_model(winch_text);
    sheaf_model *second = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 44 s }\n" LIFT_ROPE "bodies: { load: { mass: 100 kg, at: [0, 0, 1.8 m], "
        "box: { size: [40 cm, 40 cm, 40 cm] } } }\n"
        "reeving: [{ path: [{ at: [0, 0, 24 m] }, { body: load, at: [0, 0, 20 cm] }], stiffness: 800 kN/m, change: { "
        "keys: [[1 s, 0], [2 s, -0.5 m], [21 s, -19.5 m], [22 s, -20 m]] } }]\n"
        "cables: [{ length: 1 m, segments: 4, from: { at: [9 m, 0, 9 m] } }]\n");
    assert_int_equal(cable_groups_open(first, 1.0 / 60, &winch), SHEAF_OK);
    assert_int_equal(cable_groups_open(second, 1.0 / 60, &reeved), SHEAF_OK);
    double worst = 0;
    const cable_group *group = &winch.groups[0];
    const cable_winch *w = &winch.winches[0];
    for (uint64_t n = 0; n < 21 * 60; n++) {
        lift_steps(&winch, n, 1);
        lift_steps(&reeved, n, 1);
        const double *load = group->joints[w->joint + w->count].load, tension = reeved.groups[0].lines[0].load;
        if (n >= 150) // while it winds evenly, the first second over
            worst = fmax(worst, fabs(vec_length(load) / tension - 1));
    }
    print_message("tension at the load: at most %.2f %% from that of a massless cable\n", 100 * worst);
    assert_true(worst < 0.1);
    cable_groups_close(&winch);
    cable_groups_close(&reeved);
    sheaf_model_free(first);
    sheaf_model_free(second);
}

static void test_restart_amid_winding_gives_the_same_bits(void **state)
{
    (void)state;
    sheaf_model *model = lift_model(winch_text);
    lift_restart(model, 333, 400);
    sheaf_model_free(model);
}

// A torque of weight times radius holds a load; brakes hold it without; above both it falls as inertia lets it.
static void drop(const char *axle, double seconds, double expected, double most)
{
    char text[2048];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: 1/60 s, end: 4 s }\n" LIFT_ROPE "bodies:\n" DRUM("%s") LOAD
             "cables: [{ length: 4 m, segments: 8, to: { body: load, at: [0, 0, 20 cm] }, winch: { body: drum, store: "
             "16 m } }]\n",
             axle);
    sheaf_model *model = lift_model(text);
    sheaf_solver *solver = lift_solver(model);
    const double start = height(solver, "load"), total = lift_total(solver);
    assert_int_equal(sheaf_solver_step(solver, (uint32_t)(seconds * 60)), SHEAF_OK);
    const double fallen = start - height(solver, "load");
    print_message("%s: fell %.4f m, expected %.4f\n", axle, fallen, expected);
    assert_close(fallen, expected, most);
    assert_close(lift_total(solver) - lift_work(solver), total, 0.02 * (1 + fallen) * 1000);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void test_drums_turn_by_torque_and_hold_by_brakes(void **state)
{
    (void)state;
    const double g = 9.81, r = 0.25, weight = (100 + 1.6 * 4) * g, stretch = 5e-4;
    char torque[64];
    snprintf(torque, sizeof torque, ", torque: %.9g N*m", weight * r);
    drop(torque, 2, 0, 2e-3); // the rope that is paid out weighs, too: it hardly moves
    drop(", brake: 400 N*m", 3, 0, stretch);
    // free: m g - T = m a, T r = I a / r, with the rope on the drum in I and that which hangs in m
    const double inertia = 80 * 0.24 * 0.24 / 2 / (r * r), moving = 100 + 1.6 * 20 + inertia;
    double x = 0, v = 0;
    for (int k = 0; k < 100000; k++) {
        v += 1e-5 * (weight + 1.6 * x * g) / moving;
        x += 1e-5 * v;
    }
    drop("", 1, x, 0.02 * x);
}

static void test_a_winch_without_rope_stops_and_says_so(void **state)
{
    (void)state;
    sheaf_model *model = lift_model("sheaf: 1\ntime: { step: 1/60 s, end: 4 s }\n" LIFT_ROPE "bodies:\n" DRUM("") LOAD
                                    "cables: [{ length: 4 m, segments: 8, to: { body: load, at: [0, 0, 20 cm] }, "
                                    "winch: { body: drum, store: 1 m, speed: -4 rad/s } }]\n");
    sheaf_solver *solver = lift_solver(model);
    sheaf_incident incident;
    assert_int_equal(sheaf_solver_step(solver, 120), SHEAF_OK);
    assert_int_equal(sheaf_solver_incident(solver, 0, &incident), SHEAF_OK);
    assert_string_equal(incident.quantity, "rope on the drum");
    assert_close((double)incident.step, 60, 2);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_rises_by_radius_times_turns),
        cmocka_unit_test(test_length_of_rope_is_kept),
        cmocka_unit_test(test_tension_is_that_of_a_hoist_by_reeving),
        cmocka_unit_test(test_restart_amid_winding_gives_the_same_bits),
        cmocka_unit_test(test_drums_turn_by_torque_and_hold_by_brakes),
        cmocka_unit_test(test_a_winch_without_rope_stops_and_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
