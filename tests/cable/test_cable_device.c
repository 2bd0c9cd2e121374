// test_cable_device: cables on the device against the reference, in both precisions; the same bits whatever the lanes,
// and after a restart; what single precision cannot resolve.
// labels: device (30 s)
#include "base/vec.h"
#include "solver/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

enum { ROOM = 400 };

// The trolley begins and ends gently: a jerk of 6 m/s sends waves along the first cable that amplify rounding in single
// precision to 2e-4 m in its middle, while its load stays within 2e-5 m.
static const char scene_text[] =
    "sheaf: 1\n"
    "time: { step: 1/60 s, end: 4 s }\n"
    "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm } }\n"
    "motion: { trolley: { move: [{ ramp: { to: 1 m, over: 1 s, smooth: true } }, 0, 0], rotate: { axis: x, angle: "
    "{ ramp: { to: 20 deg, over: 1.5 s, smooth: true } } } } }\n"
    "bodies:\n"
    "  crate: { mass: 300 kg, box: { size: [80 cm, 60 cm, 50 cm] } }\n"
    "  sign: { mass: 40 kg, box: { size: [10 cm, 60 cm, 50 cm] } }\n"
    "cables:\n"
    "  - { length: 6 m, segments: 12, from: { at: [0, 0, 8 m], follow: trolley }, to: { load: 500 kg }, direction: "
    "[-1, "
    "0, -2] }\n"
    "  - { length: 6 m, segments: 12, from: { at: [4 m, 0, 8 m], joint: clamp, follow: trolley }, to: { body: crate, "
    "at: [5 cm, 0, 25 cm] }, direction: [1, 1, -3] }\n"
    "  - { length: 6 m, segments: 12, from: { at: [8 m, 0, 8 m], joint: clamp }, to: { body: sign, at: [0, 0, 25 cm], "
    "joint: clamp }, direction: [1, 0, -1] }\n"
    "  - { length: 6 m, segments: 12, from: { at: [12 m, 0, 8 m] }, to: { at: [16 m, 0, 7 m], joint: clamp, twist: { "
    "ramp: { to: 90 deg, over: 1 s } } } }\n"
    "  - { length: 6 m, segments: 12, from: { at: [0, 5 m, 8 m], joint: free }, direction: [1, 0, 1], to: { torque: "
    "[0, "
    "1 N*m, 0] } }\n"
    "  - { length: 3 m, segments: 5, from: { at: [4 m, 5 m, 8 m] }, direction: [1, 0, 1], to: { force: [20 N, 0, 30 N] "
    "} }\n";

static sheaf_model *open_model(const char *text)
{
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    if (sheaf_scene_parse(text, strlen(text), "cables", &scene) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    if (sheaf_model_create(scene, &model) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    sheaf_scene_free(scene);
    return model;
}

static sheaf_solver *open_solver(const sheaf_model *model, sheaf_backend backend, bool is_double)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver = NULL;
    def.backend = backend;
    def.is_double = is_double;
    if (sheaf_solver_open(model, &def, &solver) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return solver;
}

static void read_all(sheaf_solver *solver, double (*x)[3])
{
    assert_int_equal(sheaf_solver_read_positions(solver, x, ROOM), SHEAF_OK);
}

static double farthest(double (*a)[3], double (*b)[3], uint64_t count)
{
    double worst = 0, difference[3];
    for (uint64_t k = 0; k < count; k++) {
        vec_sub(difference, a[k], b[k]);
        worst = fmax(worst, vec_length(difference));
    }
    return worst;
}

// Loads are where their cables end: told alike by both, and at the start where the scene has them.
static void compare_bodies(const sheaf_model *model, sheaf_solver *device, sheaf_solver *reference, double most)
{
    enum { BODIES = 8 };
    static sheaf_body_pose a[BODIES], b[BODIES];
    const uint32_t count = sheaf_model_body_count(model);
    assert_int_equal(count, 3);
    assert_int_equal(sheaf_solver_read_bodies(device, a, BODIES), SHEAF_OK);
    assert_int_equal(sheaf_solver_read_bodies(reference, b, BODIES), SHEAF_OK);
    for (uint32_t k = 0; k < count; k++) {
        for (int c = 0; c < 3; c++) {
            assert_close(a[k].position[c], b[k].position[c], most);
            assert_close(a[k].velocity[c], b[k].velocity[c], 100 * most);
            assert_close(a[k].spin[c], b[k].spin[c], 100 * most);
        }
        for (int c = 0; c < 4; c++)
            assert_close(a[k].rotation[c], b[k].rotation[c], 10 * most);
        assert_close(a[k].kinetic, b[k].kinetic, 1e5 * most);
    }
}

static void compare(const sheaf_model *model, bool is_double, uint32_t steps, double most)
{
    static double a[ROOM][3], b[ROOM][3];
    sheaf_solver *device = open_solver(model, SHEAF_BACKEND_DEVICE, is_double);
    sheaf_solver *reference = open_solver(model, SHEAF_BACKEND_REFERENCE, false);
    sheaf_report reports[2];
    assert_int_equal(sheaf_solver_step(device, steps), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(reference, steps), SHEAF_OK);
    read_all(device, a);
    read_all(reference, b);
    const double apart = farthest(a, b, sheaf_model_vertex_count(model));
    print_message("%s precision, %u steps: %.3g m apart\n", is_double ? "double" : "single", steps, apart);
    assert_true(apart <= most);
    compare_bodies(model, device, reference, most);
    assert_int_equal(sheaf_solver_report(device, &reports[0]), SHEAF_OK);
    assert_int_equal(sheaf_solver_report(reference, &reports[1]), SHEAF_OK);
    const double scale = fabs(reports[1].gravitational) + reports[1].kinetic, share = is_double ? 1e-9 : 1e-4;
    assert_close(reports[0].kinetic, reports[1].kinetic, share * scale);
    assert_close(reports[0].bending, reports[1].bending, share * scale);
    assert_close(reports[0].twisting, reports[1].twisting, share * scale);
    assert_close(reports[0].gravitational, reports[1].gravitational, share * scale);
    assert_close(reports[0].worst_strain, reports[1].worst_strain, is_double ? 1e-9 : 1e-4);
    assert_int_equal(reports[0].frozen_strands, 0);
    assert_int_equal(reports[1].frozen_strands, 0);
    sheaf_solver_close(device);
    sheaf_solver_close(reference);
}

static void test_device_is_as_the_reference(void **state)
{
    (void)state;
    sheaf_model *model = open_model(scene_text);
    compare(model, true, 1, 1e-11);
    compare(model, true, 100, 1e-9);
    compare(model, false, 1, 6e-6);
    compare(model, false, 100, 6e-5);
    sheaf_model_free(model);
}

// A load of 1 t swings at the end of its cable: its joint stays where the cable ends, whatever it does.
static void test_loads_hang_on_their_cables(void **state)
{
    (void)state;
    static double x[ROOM][3];
    sheaf_body_pose pose;
    sheaf_model *model = open_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 4 s }\n"
        "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm } }\n"
        "bodies: { load: { mass: 1000 kg, box: { size: [1 m, 70 cm, 60 cm] } } }\n"
        "cables: [{ length: 6 m, segments: 12, from: { at: [0, 0, 8 m] }, to: { body: load, at: [0, 0, 30 cm] }, "
        "direction: [1, 0, -2] }]\n");
    for (int k = 0; k < 2; k++) {
        sheaf_solver *solver = open_solver(model, k == 0 ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE, false);
        for (int part = 0; part < 4; part++) {
            double arm[3] = {0, 0, 0.3}, once[3], twice[3];
            assert_int_equal(sheaf_solver_step(solver, 30), SHEAF_OK);
            read_all(solver, x);
            assert_int_equal(sheaf_solver_read_bodies(solver, &pose, 1), SHEAF_OK);
            vec_cross(once, pose.rotation + 1, arm);
            vec_cross(twice, pose.rotation + 1, once);
            vec_axpy(arm, 2 * pose.rotation[0], once);
            vec_axpy(arm, 2, twice);
            vec_add(arm, arm, pose.position);
            vec_sub(arm, arm, x[12]);
            assert_true(vec_length(arm) < 2e-3); // the last joint gives way by T l / (2 EA)
            assert_true(pose.kinetic >= 0 && pose.position[2] < 3.5);
        }
        sheaf_solver_close(solver);
    }
    sheaf_model_free(model);
}

static void run_lanes(const sheaf_model *model, const char *lanes, uint32_t chunk, double (*x)[3])
{
    setenv("SHEAF_LANES", lanes, 1);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE, false);
    for (uint32_t k = 0; k < 60; k += chunk)
        assert_int_equal(sheaf_solver_step(solver, chunk), SHEAF_OK);
    read_all(solver, x);
    sheaf_solver_close(solver);
    setenv("SHEAF_LANES", "8", 1);
}

static void test_same_bits_with_other_lanes_and_launches(void **state)
{
    (void)state;
    static double a[ROOM][3], b[ROOM][3];
    sheaf_model *model = open_model(scene_text);
    run_lanes(model, "8", 60, a);
    run_lanes(model, "4", 1, b);
    assert_memory_equal(a, b, sheaf_model_vertex_count(model) * sizeof *a);
    run_lanes(model, "1", 20, b);
    assert_memory_equal(a, b, sheaf_model_vertex_count(model) * sizeof *a);
    sheaf_model_free(model);
}

static void restart(const sheaf_model *model, sheaf_backend backend)
{
    static double a[ROOM][3], b[ROOM][3];
    char path[64];
    snprintf(path, sizeof path, "/tmp/sheaf-cable-%d.h5", (int)getpid());
    sheaf_solver *whole = open_solver(model, backend, false), *resumed = open_solver(model, backend, false);
    assert_int_equal(sheaf_solver_step(whole, 37), SHEAF_OK);
    assert_int_equal(sheaf_solver_save(whole, path), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(whole, 40), SHEAF_OK);
    assert_int_equal(sheaf_solver_load(resumed, path), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(resumed, 40), SHEAF_OK);
    read_all(whole, a);
    read_all(resumed, b);
    assert_memory_equal(a, b, sheaf_model_vertex_count(model) * sizeof *a);
    sheaf_solver_close(whole);
    sheaf_solver_close(resumed);
    remove(path);
}

static void test_restart_gives_the_same_bits(void **state)
{
    (void)state;
    sheaf_model *model = open_model(scene_text);
    restart(model, SHEAF_BACKEND_DEVICE);
    restart(model, SHEAF_BACKEND_REFERENCE);
    sheaf_model_free(model);
}

// ---- precision

static void remember(sheaf_log_level level, const char *message, void *user)
{
    (void)level;
    snprintf(user, 256, "%s", message);
}

static void check_precision(const char *precision, const char *load, const char *expected, const char *word)
{
    char text[512], message[256] = "";
    snprintf(
        text, sizeof text,
        "sheaf: 1\nprecision: %s\n"
        "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm } }\n"
        "cables: [{ length: 10 m, segments: 12, from: { at: [0, 0, 9 m] }, to: { load: %s } }]\n",
        precision, load);
    sheaf_model *model = open_model(text);
    sheaf_log_set(remember, message);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE, false);
    sheaf_log_set(NULL, NULL);
    assert_string_equal(sheaf_solver_precision(solver), expected);
    if (strstr(message, word) == NULL)
        fail_msg("'%s' does not say '%s'", message, word);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void test_precision_is_chosen_by_the_load(void **state)
{
    (void)state;
    check_precision("auto", "1000 kg", "single", "");
    check_precision("auto", "60000 kg", "double", "double precision");
    check_precision("single", "60000 kg", "single", "hardly move");
    check_precision("auto", "1e-6 kg", "double", "double precision"); // its last pivot would be 0
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_device_is_as_the_reference),
        cmocka_unit_test(test_loads_hang_on_their_cables),
        cmocka_unit_test(test_same_bits_with_other_lanes_and_launches),
        cmocka_unit_test(test_restart_gives_the_same_bits),
        cmocka_unit_test(test_precision_is_chosen_by_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
