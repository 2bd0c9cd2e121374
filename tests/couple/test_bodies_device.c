// test_bodies_device: bodies on strands of a device against the reference, in both precisions; the same bits in other
// lanes, in company, and after a restart; what is refused. labels: device (30 s)
#include "base/vec.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

enum { BODIES = 8, ROOM = 400 };

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static sheaf_model *make_model(const char *text)
{
    sheaf_scene *scene;
    sheaf_model *model;
    must(sheaf_scene_parse(text, strlen(text), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static sheaf_solver *open_solver(const sheaf_model *model, sheaf_backend backend, bool is_double)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = backend;
    def.is_double = is_double;
    must(sheaf_solver_open(model, &def, &solver));
    return solver;
}

#define START "sheaf: 1\ntime: { step: 4 ms }\n"
#define STEEL "materials: { steel: { young: 200 GPa, shear: 77 GPa, density: 7850 kg/m^3, radius: 0.4 mm } }\n"
#define WIRE "materials: { wire: { bend: 2e-3 N*m^2, twist: 1.5e-3 N*m^2, line_mass: 1e-3 kg/m } }\n"
#define BODY(at, extra) "{ at: " at ", mass: 20 g, inertia: [2e-5 kg*m^2, 3e-5 kg*m^2, 4e-5 kg*m^2]" extra " }"
#define ROD(origin, along, ends)                                                                                       \
    "  - { shape: { straight: { origin: " origin ", direction: " along ", length: 0.3 m, vertices: 9 } }, " ends " }"  \
    "\n"

// A straight rod that bodies hold at both ends sags by the root of what its length is off, so the loop has one arc.
// A spring; a tree with a ball joint and a body that is driven; a loop with an inner weld; a thread that a collider is
// in the way of.
static const char *const scenes[] = {
    START STEEL "bodies:\n  weight: { at: [0, 0, -60 mm], mass: 250 g, inertia: [6e-5 kg*m^2, 6e-5 kg*m^2, 6.63e-5 "
                "kg*m^2] }\nstrands:\n  - { shape: { helix: { radius: 15 mm, pitch: 4 mm, length: 0.25 m, vertices: "
                "41 } }, root: clamp, tip: { clamp: weight } }\n",
    START WIRE
    "motion: { nod: { rotate: { axis: y, angle: { ramp: { to: 20 deg, over: 0.2 s, smooth: true } } } } }\n"
    "bodies:\n  a: { at: [0, 0, 0], follow: nod }\n  b: " BODY(
        "[0.3 m, 0, 0]",
        ", velocity: [0, 1 m/s, 1 "
        "m/s]") "\n  c: " BODY("[0.6 m, 0, 0]",
                               "") "\n  d: " BODY("[0.3 m, 0.3 m, 0]",
                                                  "") "\nstrands:\n" ROD("[0, 0, 0]", "x",
                                                                         "root: { clamp: a }, tip: { clamp: b }")
        ROD("[0.3 m, 0, 0]", "x", "root: { clamp: b }, tip: { pin: c }")
            ROD("[0.3 m, 0, 0]", "y", "root: { clamp: b }, tip: { clamp: d }"),
    START WIRE
    "bodies:\n  a: " BODY("[0, 0, 0]", ", spin: [0, 0, 3 rad/s]") "\n  b: " BODY("[0.2 m, 0, 0]", "") "\n  c: " BODY(
        "[0.1 m, 0.1 m, 0]", "") "\nstrands:\n  - { shape: { straight: { origin: [0, 0, 0], direction: x, "
                                 "length: 0.2 m, vertices: 9 } }, root: { clamp: a }, tip: { clamp: b } }\n  - { "
                                 "shape: { arc: { origin: [0, 0, 0], "
                                 "direction: y, normal: x, radius: 0.1 m, length: 0.314159 m, vertices: 13 } }, root: "
                                 "{ clamp: a }, tip: { clamp: b "
                                 "}, welds: [{ edge: 6, body: c }] }\n",
    START WIRE "colliders: [{ sphere: { center: [0.15 m, 0, -4 cm], radius: 3 cm } }]\nbodies:\n  a: " BODY(
        "[0.3 m, 0, 0]", "") "\nstrands:\n" ROD("[0, 0, 0]", "x", "root: pin, tip: { pin: a }"),
};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

// Largest differences of bodies: m, and of directions of their axes.
static void compare(const sheaf_model *model, sheaf_solver *one, sheaf_solver *other, double worst[2])
{
    sheaf_body_pose a[BODIES], b[BODIES];
    must(sheaf_solver_read_bodies(one, a, BODIES));
    must(sheaf_solver_read_bodies(other, b, BODIES));
    worst[0] = worst[1] = 0;
    for (uint32_t k = 0; k < sheaf_model_body_count(model); k++) {
        double difference[3], turn = 0;
        vec_sub(difference, a[k].position, b[k].position);
        for (int c = 0; c < 4; c++)
            turn += a[k].rotation[c] * b[k].rotation[c];
        worst[0] = fmax(worst[0], vec_length(difference));
        worst[1] = fmax(worst[1], sqrt(fmax(1 - turn * turn, 0)));
        assert_false(a[k].is_frozen);
    }
}

static double farthest(const sheaf_model *model, sheaf_solver *one, sheaf_solver *other)
{
    static double a[ROOM][3], b[ROOM][3];
    double worst = 0;
    must(sheaf_solver_read_positions(one, a, ROOM));
    must(sheaf_solver_read_positions(other, b, ROOM));
    for (uint64_t i = 0; i < sheaf_model_vertex_count(model); i++) {
        double difference[3];
        vec_sub(difference, a[i], b[i]);
        worst = fmax(worst, vec_length(difference));
    }
    return worst;
}

// Both end Newton's method where it is converged: the device in double precision by the same bars, in single where
// rounding ends it. Sizes are 0.3 m.
static void both_sides_agree(void **fixture)
{
    (void)fixture;
    static const double bars[2] = {1e-3, 1e-10}, of_energy[2] = {1e-2, 1e-6};
    for (int which = 0; which < SCENES; which++) {
        sheaf_model *model = make_model(scenes[which]);
        sheaf_solver *reference = open_solver(model, SHEAF_BACKEND_REFERENCE, true);
        must(sheaf_solver_step(reference, 50));
        for (int is_double = 0; is_double < 2; is_double++) {
            // where a collider presses, iterations end when it does so as before, not when nothing moves any more
            const double bar = bars[is_double] * (is_double && which == SCENES - 1 ? 100 : 1);
            double worst[2];
            sheaf_solver *device = open_solver(model, SHEAF_BACKEND_DEVICE, is_double);
            must(sheaf_solver_step(device, 50));
            compare(model, device, reference, worst);
            const double far = farthest(model, device, reference);
            printf("  scene %d, %s: bodies off by %.1e m and %.1e rad, strands by %.1e m\n", which,
                   is_double ? "double" : "single", worst[0], worst[1], far);
            assert_true(worst[0] < 0.3 * bar && far < 0.3 * bar);
            assert_true(worst[1] < 3 * bar + 2e-8); // cosines end there
            sheaf_report a, b;
            must(sheaf_solver_report(device, &a));
            must(sheaf_solver_report(reference, &b));
            printf("  kinetic energy %.9e and %.9e J, gravitational %.9e and %.9e J\n", a.kinetic, b.kinetic,
                   a.gravitational, b.gravitational);
            // vertices on bodies have the velocity of their displacements on the device, and their body's elsewhere
            const double most = of_energy[is_double] * (b.kinetic + fabs(b.gravitational));
            assert_true(fabs(a.kinetic - b.kinetic) < most && fabs(a.gravitational - b.gravitational) < most);
            sheaf_solver_close(device);
        }
        sheaf_solver_close(reference);
        sheaf_model_free(model);
    }
}

// ---- the same bits

typedef struct snapshot {
    sheaf_body_pose pose;
    double at[81][3];
} snapshot;

// The first body and the first strand after 20 steps.
static void take_snapshot(const char *text, const char *lanes, uint32_t saved_at, snapshot *out)
{
    sheaf_body_pose poses[BODIES];
    static double at[ROOM][3];
    const char *usual = getenv("SHEAF_LANES");
    char kept[16];
    snprintf(kept, sizeof kept, "%s", usual != NULL ? usual : "");
    if (lanes != NULL)
        setenv("SHEAF_LANES", lanes, 1);
    sheaf_model *model = make_model(text);
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE, false);
    must(sheaf_solver_step(solver, saved_at));
    if (saved_at > 0) {
        must(sheaf_solver_save(solver, "test_bodies_device.h5"));
        sheaf_solver_close(solver);
        solver = open_solver(model, SHEAF_BACKEND_DEVICE, false);
        must(sheaf_solver_load(solver, "test_bodies_device.h5"));
        remove("test_bodies_device.h5");
    }
    must(sheaf_solver_step(solver, 20 - saved_at));
    must(sheaf_solver_read_bodies(solver, poses, BODIES));
    must(sheaf_solver_read_positions(solver, at, ROOM));
    memset(out, 0, sizeof *out);
    out->pose = poses[0];
    memcpy(out->at, at, 9 * sizeof *at);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    if (usual != NULL)
        setenv("SHEAF_LANES", kept, 1);
    else
        unsetenv("SHEAF_LANES");
}

#define PENDULUM START WIRE "bodies:\n  a: " BODY("[0.3 m, 0, 0]", ", spin: [0, 0, 3 rad/s]")
#define COMPANY "\n  b: " BODY("[0.3 m, 1 m, 0]", "") "\n  c: " BODY("[0.3 m, 2 m, 0]", ", velocity: [0, 0, 5 m/s]")
#define FIRST "\nstrands:\n" ROD("[0, 0, 0]", "x", "root: clamp, tip: { clamp: a }")
#define OTHERS                                                                                                         \
    ROD("[0, 1 m, 0]", "x", "root: clamp, tip: { clamp: b }")                                                          \
    ROD("[0, 2 m, 0]", "x", "root: clamp, tip: { clamp: c }") ROD("[0, 3 m, 0]", "x", "root: clamp")

static void bits_do_not_depend_on_others(void **fixture)
{
    (void)fixture;
    static snapshot alone, other;
    take_snapshot(PENDULUM FIRST, NULL, 0, &alone);
    assert_true(alone.pose.rotation[3] != 0);
    take_snapshot(PENDULUM FIRST, "4", 0, &other);
    assert_memory_equal(&alone, &other, sizeof alone);
    take_snapshot(PENDULUM FIRST, NULL, 7, &other);
    assert_memory_equal(&alone, &other, sizeof alone);
    take_snapshot(PENDULUM COMPANY FIRST OTHERS, NULL, 0, &other);
    assert_memory_equal(&alone, &other, sizeof alone);
    take_snapshot(PENDULUM COMPANY FIRST OTHERS, NULL, 11, &other);
    assert_memory_equal(&alone, &other, sizeof alone);
}

// Bodies that nothing hangs on fly by themselves.
static void a_body_alone_flies(void **fixture)
{
    (void)fixture;
    sheaf_model *model = make_model(START WIRE "bodies:\n  a: " BODY(
        "[0, 0, 0]", ", velocity: [1 m/s, 0, 0]") "\nstrands:\n" ROD("[0, 1 m, 0]", "x", "root: clamp"));
    sheaf_solver *solver = open_solver(model, SHEAF_BACKEND_DEVICE, false);
    sheaf_body_pose pose;
    must(sheaf_solver_step(solver, 25));
    must(sheaf_solver_read_bodies(solver, &pose, 1));
    assert_true(fabs(pose.position[0] - 0.1) < 1e-9);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_agree),
        cmocka_unit_test(bits_do_not_depend_on_others),
        cmocka_unit_test(a_body_alone_flies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
