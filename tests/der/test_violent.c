// test_violent: strands that start far from rest go the same way on the engine, in double precision, as on the
// reference. Each finds its own number of iterations; Newton's is high on both sides, so that what is left is not for
// want of it. Poses that are not the natural form have several equilibria of their frames: both find the same one.
// labels: device
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "unit.h"
#include "world.h"

enum { SCENES = 12, STRANDS = 12, TEXT = 6000, VERTICES_MOST = STRANDS * 40 };

static const char *const roots[] = {"clamp", "pin", "free", "{ hold: pin, angle: held }"};

// One strand: pose, natural form and what holds it drawn at random.
static int write_strand(char *text, size_t size, uint32_t scene, uint32_t strand)
{
    double a[4], b[4];
    char natural[120];
    base_uniform4(31, scene, 2 * strand, a);
    base_uniform4(31, scene, 2 * strand + 1, b);
    const int vertices = 8 + (int)(30 * a[0]);
    const double length = 0.05 + 0.15 * a[1], radius = 0.004 + 0.01 * a[2], pitch = 0.006 + 0.03 * a[3];
    switch (strand % 4) {
    case 0:
        snprintf(natural, sizeof natural, "shape");
        break;
    case 1:
        snprintf(natural, sizeof natural, "{ curvature: [%.3f 1/m, %.3f 1/m], twist: %.3f rad/m }", 160 * b[0] - 80,
                 160 * b[1] - 80, 60 * b[2] - 30);
        break;
    case 2:
        snprintf(natural, sizeof natural, "{ helix: { radius: %.5f, pitch: %.5f } }", 0.004 + 0.01 * b[0],
                 0.006 + 0.02 * b[1]);
        break;
    default:
        snprintf(natural, sizeof natural, "straight");
    }
    return snprintf(text, size,
                    "  - shape: { helix: { origin: [%.3f, 0, 0], direction: [%.3f, %.3f, 1], radius: %.5f, pitch: "
                    "%.5f, length: %.4f, vertices: %d } }\n    natural: %s\n    root: %s\n    material: %s\n",
                    0.3 * strand, 2 * b[0] - 1, 2 * b[1] - 1, radius, pitch, length, vertices, natural,
                    roots[(strand / 4 + scene) % 4], b[3] < 0.5 ? "round" : "flat");
}

static void write_scene(char *text, uint32_t scene)
{
    static const char *const steps[] = {"1/60", "1/120", "1/240", "1/480"};
    size_t used = (size_t)snprintf(
        text, TEXT,
        "sheaf: 1\ntime: { step: %s s }\nstep: { newton: 40 }\n"
        "materials:\n  round: { density: 1200, young: 2.5 GPa, shear: 0.9 GPa, radius: 0.25 mm, drag: 0 }\n"
        "  flat: { density: 1200, young: 2.5 GPa, shear: 0.9 GPa, radius: [0.4 mm, 0.15 mm], drag: 0 }\n"
        "strands:\n",
        steps[scene % 4]);
    for (uint32_t k = 0; k < STRANDS; k++)
        used += (size_t)write_strand(text + used, TEXT - used, scene, k);
    assert_true(used < TEXT);
}

// Largest distance of each strand's vertices, in lengths of the strand.
static void add_errors(const sheaf_model *model, const double (*a)[3], const double (*b)[3], double *errors)
{
    for (uint32_t s = 0; s < model->strand_count; s++) {
        double worst = 0, length = 0;
        for (uint64_t i = model->first_vertex[s]; i < model->first_vertex[s + 1]; i++) {
            worst = fmax(worst, hypot(hypot(a[i][0] - b[i][0], a[i][1] - b[i][1]), a[i][2] - b[i][2]));
            length += i + 1 < model->first_vertex[s + 1] ? model->rest_length[i] : 0;
        }
        errors[s] = worst / length;
    }
}

static int compare_doubles(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

// Distances of all strands after some steps, sorted.
static void measure(uint32_t steps, double *errors, double *residual)
{
    static char text[TEXT];
    static double expected[VERTICES_MOST][3], found[VERTICES_MOST][3];
    *residual = 0;
    for (uint32_t scene = 0; scene < SCENES; scene++) {
        write_scene(text, scene);
        sheaf_model *model = world_model(text);
        assert_int_equal(model->strand_count, STRANDS);
        sheaf_solver *solver = world_open(model, SHEAF_BACKEND_DEVICE, true);
        sheaf_report report;
        assert_int_equal(sheaf_solver_step(solver, steps), SHEAF_OK);
        assert_int_equal(sheaf_solver_report(solver, &report), SHEAF_OK);
        assert_int_equal(sheaf_solver_read_positions(solver, found, VERTICES_MOST), SHEAF_OK);
        sheaf_solver_close(solver);
        *residual = fmax(*residual, report.twist_residual);
        world_run(model, SHEAF_BACKEND_REFERENCE, true, steps, expected);
        add_errors(model, (const double(*)[3])expected, (const double(*)[3])found, errors + scene * STRANDS);
        if (getenv("SHEAF_TEST_TELL") != NULL)
            for (uint32_t s = 0; s < STRANDS; s++)
                if (errors[scene * STRANDS + s] > 1e-9)
                    print_message("scene %u strand %u: %.1e L\n", scene, s, errors[scene * STRANDS + s]);
        sheaf_model_free(model);
    }
    qsort(errors, SCENES * STRANDS, sizeof *errors, compare_doubles);
}

// At most a share of strands may be farther off than `bar` lengths after so many steps: those whose Newton iterations
// come to no end, and where steps make large what is small.
static void check(uint32_t steps, double bar, double most_far)
{
    double errors[SCENES * STRANDS], residual;
    uint32_t far = 0;
    measure(steps, errors, &residual);
    for (uint32_t k = 0; k < SCENES * STRANDS; k++)
        far += errors[k] > bar;
    print_message("%u steps: median %.1e L, 90 %% %.1e L, worst %.1e L, %u of %d above %.0e L; twist residual %.1e\n",
                  steps, errors[SCENES * STRANDS / 2], errors[SCENES * STRANDS * 9 / 10], errors[SCENES * STRANDS - 1],
                  far, SCENES * STRANDS, bar, residual);
    assert_true(far <= most_far * SCENES * STRANDS);
    assert_true(residual < 1e-6);
}

static void one_step_is_the_reference(void **state)
{
    (void)state;
    check(1, 1e-9, 0.01);
}

static void eight_steps_are_the_reference(void **state)
{
    (void)state;
    check(8, 1e-6, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_is_the_reference),
        cmocka_unit_test(eight_steps_are_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
