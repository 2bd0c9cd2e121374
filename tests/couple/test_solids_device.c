// test_solids_device: bodies on strands that meet the ground, on a device and on the reference; the same bits in
// company, and after a restart amid contact. labels: device (30 s)
#include "base/vec.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "world.h"

enum { BODIES = 3, STEPS = 60, AMID = 45 };

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// A box and a ball at the tips of threads fall on the ground, 0.1 m below; a third thread holds a box above it.
#define HEAD                                                                                                           \
    "sheaf: 1\ntime: { step: 4 ms }\n"                                                                                 \
    "materials: { thread: { bend: 1e-6 N*m^2, twist: 1e-6 N*m^2, line_mass: 1e-3 kg/m } }\n"                           \
    "colliders: [{ plane: { point: [0, 0, -10 cm], normal: [0, 0.1, 1] }, friction: 0.3 }]\nbodies:\n"
#define BOX(name, y, spin)                                                                                             \
    "  " name ": { at: [0.3 m, " y ", 0], mass: 20 g, box: { size: [5 cm, 4 cm, 3 cm] }, collide: true" spin " }\n"
#define THREAD(y, tip)                                                                                                 \
    "  - { shape: { straight: { origin: [0, " y ", 0], direction: x, length: 0.3 m, vertices: 9 } }, root: clamp, "    \
    "tip: { clamp: " tip " } }\n"
#define ALONE HEAD BOX("a", "0", ", spin: [9 rad/s, 0, 0]") "strands:\n" THREAD("0", "a")
#define COMPANY                                                                                                        \
    HEAD BOX("a", "0", ", spin: [9 rad/s, 0, 0]") BOX("b", "-1 m", "")                                                 \
        BOX("c", "5 m", "") "strands:\n" THREAD("0", "a") THREAD("-1 m", "b") THREAD("5 m", "c")

static void both_sides_agree(void **fixture)
{
    (void)fixture;
    static const double bars[2] = {1e-3, 1e-6}; // m
    sheaf_model *model = world_model(COMPANY);
    sheaf_solver *reference = world_open(model, SHEAF_BACKEND_REFERENCE, true);
    sheaf_body_pose a[BODIES], b[BODIES];
    must(sheaf_solver_step(reference, STEPS));
    must(sheaf_solver_read_bodies(reference, a, BODIES));
    for (int is_double = 0; is_double < 2; is_double++) {
        sheaf_solver *device = world_open(model, SHEAF_BACKEND_DEVICE, is_double);
        double worst = 0;
        must(sheaf_solver_step(device, STEPS));
        must(sheaf_solver_read_bodies(device, b, BODIES));
        for (int k = 0; k < BODIES; k++) {
            double apart[3];
            vec_sub(apart, a[k].position, b[k].position);
            worst = fmax(worst, vec_length(apart));
            assert_false(b[k].is_frozen);
        }
        printf("  %s: bodies that lie on the ground off by %.1e m\n", is_double ? "double" : "single", worst);
        assert_true(worst < bars[is_double]);
        sheaf_solver_close(device);
    }
    sheaf_solver_close(reference);
    sheaf_model_free(model);
}

static void take_pose(const char *text, sheaf_backend backend, bool saves, sheaf_body_pose *pose)
{
    sheaf_model *model = world_model(text);
    sheaf_solver *solver = world_open(model, backend, false);
    sheaf_body_pose poses[BODIES];
    memset(poses, 0, sizeof poses);
    must(sheaf_solver_step(solver, AMID));
    if (saves) {
        must(sheaf_solver_save(solver, "test_solids_device.h5"));
        sheaf_solver_close(solver);
        solver = world_open(model, backend, false);
        must(sheaf_solver_load(solver, "test_solids_device.h5"));
        assert_int_equal(remove("test_solids_device.h5"), 0);
    }
    must(sheaf_solver_step(solver, STEPS - AMID));
    must(sheaf_solver_read_bodies(solver, poses, BODIES));
    *pose = poses[0];
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void bits_do_not_depend_on_others(void **fixture)
{
    (void)fixture;
    static const sheaf_backend backends[] = {SHEAF_BACKEND_REFERENCE, SHEAF_BACKEND_DEVICE};
    for (int k = 0; k < 2; k++) {
        sheaf_body_pose alone, other;
        take_pose(ALONE, backends[k], false, &alone);
        assert_true(alone.position[2] < -0.05 && alone.position[2] > -0.12); // on the ground
        take_pose(ALONE, backends[k], true, &other);
        assert_memory_equal(&alone, &other, sizeof alone);
        take_pose(COMPANY, backends[k], false, &other);
        assert_memory_equal(&alone, &other, sizeof alone);
        take_pose(COMPANY, backends[k], true, &other);
        assert_memory_equal(&alone, &other, sizeof alone);
    }
}

// At rest, thread slack: on the ground by a face, and still.
static void hanging_bodies_come_to_rest(void **fixture)
{
    (void)fixture;
    sheaf_model *model = world_model(ALONE);
    sheaf_solver *solver = world_open(model, SHEAF_BACKEND_REFERENCE, false);
    sheaf_body_pose pose;
    double energy = INFINITY, risen = 0;
    for (int n = 0; n < 300; n++) {
        sheaf_report report;
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_report(solver, &report));
        const double now = report.kinetic + report.bending + report.twisting + report.gravitational;
        risen = fmax(risen, now - energy);
        energy = now;
    }
    must(sheaf_solver_read_bodies(solver, &pose, 1));
    const double height = (pose.position[2] + 0.1 + 0.1 * pose.position[1]) / hypot(1, 0.1);
    printf("  a box on a thread lies %.5f m over the ground, at %.1e m/s and %.1e rad/s; energy rose by %.1e J of "
           "%.1e J\n",
           height, vec_length(pose.velocity), vec_length(pose.spin), risen, 0.02 * 9.81 * 0.08);
    assert_true(height > 0.0149 && height < 0.0251);
    assert_true(vec_length(pose.velocity) < 0.05 && risen < 5e-3 * 0.02 * 9.81 * 0.08);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hanging_bodies_come_to_rest),
        cmocka_unit_test(both_sides_agree),
        cmocka_unit_test(bits_do_not_depend_on_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
