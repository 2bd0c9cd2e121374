// test_joints: strands that a body of next to no mass joins: halves of a strand against the strand in one piece, and a
// trunk with two arms against beam theory. labels: device (30 s)
#include "base/vec.h"
#include "model/model.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { MOST = 512 };

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// Where vertices are after some steps; returns how many there are.
static uint64_t run(const char *text, sheaf_backend backend, bool is_double, uint32_t steps, double (*at)[3])
{
    sheaf_scene *scene;
    sheaf_model *model;
    sheaf_solver *solver;
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_report report;
    def.backend = backend;
    def.is_double = is_double;
    must(sheaf_scene_parse(text, strlen(text), "scene", &scene));
    must(sheaf_model_create(scene, &model));
    must(sheaf_solver_open(model, &def, &solver));
    must(sheaf_solver_step(solver, steps));
    must(sheaf_solver_report(solver, &report));
    must(sheaf_solver_read_positions(solver, at, MOST));
    const uint64_t count = model->vertex_count;
    assert_int_equal(report.frozen_strands, 0);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return count;
}

// ---- halves

#define WHOLE                                                                                                          \
    "sheaf: 1\ntime: { step: %g s }\nstep: { integrator: %s, newton: %d, projection: { tolerance: 1e-12 } }\n"         \
    "materials: { wire: { bend: 2e-4 N*m^2, twist: 1.5e-4 N*m^2, line_mass: 5e-3 kg/m } }\n%s"                         \
    "strands: [{ shape: { helix: { radius: 3 cm, pitch: 6 cm, length: 0.4 m, vertices: 25 } }, root: clamp%s }]\n"
#define NOTHING                                                                                                        \
    "bodies: { joint: { at: [0, 0, -5 cm], mass: 1e-15 kg, inertia: [1e-26 kg*m^2, 1e-26 kg*m^2, 1e-26 kg*m^2] } }\n"

typedef struct halves_def {
    double step; // s
    const char *integrator;
    int newton;
    uint32_t steps;
    sheaf_backend backend;
} halves_def;

// By how much a coil on its clamp, under its weight, is elsewhere when it is cut into halves that a body of no mass
// holds together, m.
static double cut(const halves_def *it)
{
    static double whole[MOST][3], halves[MOST][3];
    char text[1024];
    double worst = 0, way[3];
    snprintf(text, sizeof text, WHOLE, it->step, it->integrator, it->newton, "", "");
    const uint64_t count = run(text, it->backend, true, 0, halves);
    run(text, it->backend, true, it->steps, whole);
    vec_sub(way, whole[count - 1], halves[count - 1]);
    assert_true(vec_length(way) > 5e-3);
    snprintf(text, sizeof text, WHOLE, it->step, it->integrator, it->newton, NOTHING,
             ", welds: [{ edge: 11, body: joint }]");
    assert_int_equal(run(text, it->backend, true, it->steps, halves), count);
    for (uint64_t i = 0; i < count; i++) {
        double apart[3];
        vec_sub(apart, whole[i], halves[i]);
        worst = fmax(worst, vec_length(apart));
    }
    return worst;
}

// At rest they agree; on the way there the welded edge turns as one body where the whole strand has two points, whose
// steps differ by what is of second order in the time step.
static void halves_are_as_the_whole(void **fixture)
{
    (void)fixture;
    const halves_def rest = {.step = 0.1, .integrator = "euler", .newton = 20, .steps = 200};
    halves_def moving[2] = {{.step = 4e-3, .integrator = "bdf2", .newton = 40, .steps = 40},
                            {.step = 2e-3, .integrator = "bdf2", .newton = 40, .steps = 80}};
    for (int device = 0; device < 2; device++) {
        halves_def here = rest;
        here.backend = device ? SHEAF_BACKEND_DEVICE : SHEAF_BACKEND_REFERENCE;
        const double apart = cut(&here);
        printf("  %s: halves and whole at rest differ by %.1e m of 0.4 m\n", device ? "device" : "reference", apart);
        assert_true(apart < 1e-10 * 0.4);
    }
    moving[0].backend = moving[1].backend = SHEAF_BACKEND_REFERENCE;
    const double coarse = cut(&moving[0]), fine = cut(&moving[1]);
    printf("  falling for 0.16 s: by %.1e m at 4 ms, %.1e m at 2 ms\n", coarse, fine);
    assert_true(coarse < 1e-6 && fine < coarse / 2.8);
}

// ---- a trunk with two arms

#define TEE                                                                                                            \
    "sheaf: 1\ntime: { step: 0.1 s }\nstep: { integrator: euler }\ngravity: [0, 0, 0]\n"                               \
    "materials: { rod: { bend: 7.854 N*m^2, twist: 6.2832 N*m^2, line_mass: 0.3 kg/m } }\n"                            \
    "bodies: { hub: { at: [0, 0, 1 m], mass: 1e-6 kg, inertia: [1e-9 kg*m^2, 1e-9 kg*m^2, 1e-9 kg*m^2] } }\n"          \
    "strands:\n"                                                                                                       \
    "  - { shape: { straight: { direction: z, length: 1 m, vertices: %d } }, root: clamp, tip: { clamp: hub } }\n"     \
    "  - { shape: { straight: { origin: [0, 0, 1 m], direction: -x, length: 0.6 m, vertices: %d } }, root: { clamp: "  \
    "hub } }\n"                                                                                                        \
    "  - { shape: { straight: { origin: [0, 0, 1 m], direction: x, length: 0.6 m, vertices: %d } }, root: { clamp: "   \
    "hub }, tip: { hold: free, force: [0, %g N, %g N] } }\n"

static const double STIFF = 7.854, TURNING = 6.2832; // N m^2

// Where the tip of the loaded arm is, m: across the plane, or along the trunk.
static double pull(int edges, bool along, double force, sheaf_backend backend)
{
    static double at[MOST][3];
    const int count = edges + 1;
    char text[2048];
    snprintf(text, sizeof text, TEE, count, count, count, along ? 0 : force, along ? force : 0);
    const uint64_t vertices = run(text, backend, true, 300, at);
    return along ? at[vertices - 1][2] : at[vertices - 1][1];
}

// How far it is bent: half of what it is bent to and fro, without what arms that turn lose of their reach.
static double bend(int edges, bool along, sheaf_backend backend)
{
    const double force = 1e-4 * STIFF;
    return (pull(edges, along, force, backend) - pull(edges, along, -force, backend)) / 2;
}

// Across: the arm bends, the trunk bends and twists. Along: the arm and the trunk bend; what its pull makes it longer
// by is left out, for strands keep their lengths. Welds lie with their edges' middles in the joint, so that errors are
// of second order.
static void arms_bend_a_trunk(void **fixture)
{
    (void)fixture;
    static const int edges[4] = {5, 10, 20, 40};
    const double a = 1, b = 0.6;
    const double theory[2] = {
        1e-4 * (b * b * b / 3 + a * a * a / 3 + b * b * a * STIFF / TURNING),
        1e-4 * (b * b * b / 3 + b * b * a),
    };
    for (int along = 0; along < 2; along++) {
        double error[4];
        for (int k = 0; k < 4; k++) {
            error[k] = bend(edges[k], along, SHEAF_BACKEND_REFERENCE) / theory[along] - 1;
            const double order = k == 0 ? NAN : log2(error[k - 1] / error[k]);
            printf("  %s, %d edges: off by %+.4f %%, order %.2f\n", along ? "along" : "across", edges[k],
                   100 * error[k], order);
            assert_true(k == 0 || order >= 1.9);
        }
        assert_true(fabs(error[3]) < 1e-4);
        const double same = bend(10, along, SHEAF_BACKEND_DEVICE) / theory[along] - 1;
        printf("  %s, 10 edges, device: off by %+.4f %%\n", along ? "along" : "across", 100 * same);
        assert_true(fabs(same - error[1]) < 2e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_are_as_the_whole),
        cmocka_unit_test(arms_bend_a_trunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
