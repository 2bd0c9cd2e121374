// test_damped_order: BDF2 is of second order with internal damping as without. A straight cantilever falls under its
// weight; poses of steps that are halved four times come nearer to each other by the square of the step. labels: device
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "unit.h"
#include "world.h"

enum { VERTICES = 12, LEVELS = 5, COARSEST = 96 };

static const double period = 0.64; // s, of the first mode, about

// Where the vertices are after one period in so many steps.
static void fall(double damping, uint32_t steps, sheaf_backend backend, double (*positions)[3])
{
    char text[1000];
    snprintf(text, sizeof text,
             "sheaf: 1\ntime: { step: %.17g s }\nstep: { newton: 12 }\n"
             "materials: { rubber: { density: 1000, young: 50 MPa, shear: 20 MPa, radius: 1 mm, drag: 0,"
             " damping: %.9g s } }\n"
             "strands: [{ shape: { straight: { direction: x, length: 20 cm, vertices: %d } }, root: clamp }]\n",
             period / steps, damping, VERTICES);
    sheaf_model *model = world_model(text);
    world_run(model, backend, true, steps, positions);
    sheaf_model_free(model);
}

static double apart(double (*a)[3], double (*b)[3])
{
    double worst = 0;
    for (int i = 0; i < VERTICES; i++)
        worst = fmax(worst, hypot(a[i][0] - b[i][0], a[i][2] - b[i][2]));
    return worst;
}

static void check_order(double damping, sheaf_backend backend)
{
    static double poses[LEVELS][VERTICES][3];
    double order[LEVELS - 2];
    for (uint32_t k = 0; k < LEVELS; k++)
        fall(damping, (uint32_t)COARSEST << k, backend, poses[k]);
    for (int k = 0; k < LEVELS - 2; k++)
        order[k] = log2(apart(poses[k], poses[k + 1]) / apart(poses[k + 1], poses[k + 2]));
    print_message("damping %.3f s, %s: orders %.2f, %.2f, %.2f\n", damping,
                  backend == SHEAF_BACKEND_REFERENCE ? "reference" : "engine", order[0], order[1], order[2]);
    for (int k = 0; k < LEVELS - 2; k++)
        assert_true(order[k] > 1.8);
}

static void damping_keeps_the_second_order(void **state)
{
    (void)state;
    for (int backend = SHEAF_BACKEND_REFERENCE; backend <= SHEAF_BACKEND_DEVICE; backend++) {
        check_order(0.3 * period, (sheaf_backend)backend);
        check_order(0.03 * period, (sheaf_backend)backend);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damping_keeps_the_second_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
