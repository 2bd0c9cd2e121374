// test_impact: what falls on something hard gains no energy. Undamped curls and fine strands are dropped on every kind
// of collider at the default step, one to a scene so that no other's loss hides a gain, on the reference and on the
// engine. labels: device
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "unit.h"
#include "world.h"

enum { TEXT = 1200, DROPS = 20 };

// J: the most that total energy ever rises above its start; what is left in the end.
typedef struct outcome {
    double rise, last;
} outcome;

static double total(sheaf_solver *solver)
{
    sheaf_report report;
    assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
    assert_int_equal(report.frozen_strands, 0);
    return report.kinetic + report.bending + report.twisting + report.gravitational;
}

static outcome fall(const char *text, sheaf_backend backend, bool is_double, uint32_t steps)
{
    sheaf_model *model = world_model(text);
    sheaf_solver *solver = world_open(model, backend, is_double);
    outcome found = {0};
    const double start = total(solver);
    for (uint32_t k = 0; k < steps; k++) {
        assert_int_equal(sheaf_solver_step(solver, 1), SHEAF_OK);
        found.last = total(solver) - start;
        found.rise = fmax(found.rise, found.last);
    }
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return found;
}

// ---- random drops

typedef struct drop {
    char text[TEXT];
    double fall; // J, what a fall of 15 cm gives
} drop;

static const char *const bodies[] = {
    "plane: { normal: z }",
    "sphere: { center: [0, 0, -5 cm], radius: 5 cm }",
    "box: { center: [0, 0, -3 cm], size: [50 cm, 50 cm, 6 cm] }",
    "capsule: { from: [-9 cm, 0, -3 cm], to: [9 cm, 1 cm, -3 cm], radius: 3 cm }",
    "cylinder: { from: [0, 0, -8 cm], to: [0, 0, 0], radius: 20 cm }",
};

static const double frictions[] = {0, 0.3, 0.5};

// Drop number `index`, the same on every machine.
static drop make_drop(uint32_t index)
{
    static const double pi = 3.14159265358979323846;
    double a[4], b[4];
    drop it;
    base_uniform4(11, 0, index, a);
    base_uniform4(11, 1, index, b);
    const double radius = 2e-4 + 1e-4 * a[0], length = 0.08 + 0.12 * a[1];
    const int vertices = 12 + (int)(28 * a[2]);
    snprintf(it.text, sizeof it.text,
             "sheaf: 1\ntime: { step: 1/120 s }\n"
             "materials: { plastic: { density: 1200, young: 2.5 GPa, shear: 0.9 GPa, radius: %.6f, drag: 0 } }\n"
             "colliders: [{ %s, friction: %g }]\n"
             "strands:\n"
             "  - shape: { helix: { origin: [%.4f, 0, %.4f], direction: [%.3f, %.3f, 1], radius: %.5f, pitch: %.5f,\n"
             "      length: %.4f, vertices: %d } }\n"
             "    root: free\n",
             radius, bodies[index % 5], frictions[index / 5 % 3], 0.04 * a[3] - 0.02, 0.03 + 0.09 * b[0], 2 * b[1] - 1,
             2 * b[2] - 1, 0.005 + 0.01 * b[3], 0.01 + 0.03 * a[3], length, vertices);
    it.fall = 1200 * pi * radius * radius * length * 9.81 * 0.15;
    return it;
}

static void dropped_curls_gain_no_energy(void **state)
{
    (void)state;
    for (uint32_t index = 0; index < DROPS; index++) {
        const drop it = make_drop(index);
        const double reference = fall(it.text, SHEAF_BACKEND_REFERENCE, true, 120).rise / it.fall;
        const double single = fall(it.text, SHEAF_BACKEND_DEVICE, false, 120).rise / it.fall;
        print_message("drop %2u rises by %.1e (reference) and %.1e (engine) of its fall\n", index, reference, single);
        assert_true(reference < 0.02);
        assert_true(single < 0.02);
    }
}

// ---- many short edges

// A cantilever of 128 edges at a coarse step; the fall to the floor gives 5 J, damping takes it.
static void a_falling_cantilever_stays_what_it_was(void **state)
{
    (void)state;
    static const char text[] =
        "sheaf: 1\ntime: { step: 1/60 s }\n"
        "materials: { rubber: { density: 1100, young: 5 MPa, shear: 2 MPa, radius: 1 cm, damping: 10 ms } }\n"
        "colliders: [{ plane: { point: [0, 0, -50 cm], normal: z }, friction: 0.3 }]\n"
        "strands: [{ shape: { straight: { direction: x, length: 1.5 m, vertices: 129 } } }]\n";
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++)
        assert_true(fall(text, (sheaf_backend)backend, false, 90).rise < 1e-3);
}

// A fine hair comes to rest on a table, and stays as it lies: more iterations find the same rest.
static void a_hair_on_a_table_comes_to_rest(void **state)
{
    (void)state;
    static const char text[] =
        "sheaf: 1\ntime: { step: 1/120 s }\nstep: { newton: %s }\n"
        "materials: { hair: { density: 1300, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um, drag: 60 uPa*s } }\n"
        "colliders: [{ plane: { normal: z }, friction: 0.3 }]\n"
        "strands: [{ shape: { straight: { origin: [0, 0, 3 cm], direction: x, length: 15 cm, vertices: 129 } } }]\n";
    char by_need[TEXT], fixed[TEXT];
    snprintf(by_need, sizeof by_need, text, "auto");
    snprintf(fixed, sizeof fixed, text, "16");
    const double rest = fall(fixed, SHEAF_BACKEND_REFERENCE, true, 240).last;
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        const outcome found = fall(by_need, (sheaf_backend)backend, true, 240);
        print_message("rises by %.1e J, rests at %.4e J of %.4e J\n", found.rise, found.last, rest);
        assert_true(found.rise < 1e-9);
        assert_true(fabs(found.last - rest) < 0.01 * fabs(rest));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_cantilever_stays_what_it_was),
        cmocka_unit_test(a_hair_on_a_table_comes_to_rest),
        cmocka_unit_test(dropped_curls_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
