// test_absurd: scenes whose every number is allowed and whose whole makes no sense: stiffness over twenty decades,
// steps a million times too long, ends that jerk and slide. A strand may be frozen; nothing else may break.
#include "scene/limits.h"

#include <stdlib.h>

#include "unit.h"

typedef struct dice {
    uint64_t seed, next;
} dice;

static double uniform(dice *d)
{
    double numbers[4];
    base_uniform4(d->seed, 1, d->next++, numbers);
    return numbers[0];
}

static double around_zero(dice *d, double size)
{
    return size * (2 * uniform(d) - 1);
}

// Any order of magnitude between the two is as likely as any other.
static double magnitude(dice *d, double low, double high)
{
    return low * pow(high / low, uniform(d));
}

static bool chance(dice *d)
{
    return uniform(d) < 0.5;
}

static uint32_t below(dice *d, uint32_t count)
{
    return (uint32_t)(uniform(d) * count);
}

static sheaf_scene *make_scene(dice *d)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_scene *scene;
    def.integrator = (sheaf_integrator)below(d, 3);
    def.gradients = (sheaf_gradients)below(d, 3);
    def.newton = below(d, 4);
    def.step = magnitude(d, 1e-6, 1);
    for (int c = 0; c < 3; c++) {
        def.gravity[c] = around_zero(d, magnitude(d, 1, 1e4));
        def.wind[c] = chance(d) ? 0 : around_zero(d, magnitude(d, 1, 1e3));
    }
    material.line_mass = magnitude(d, 1e-9, 1e3);
    material.bend[0] = magnitude(d, 1e-12, 1e8);
    material.bend[1] = magnitude(d, 1e-12, 1e8);
    material.twist = magnitude(d, 1e-12, 1e8);
    material.drag = chance(d) ? 0 : magnitude(d, 1e-9, 1e3);
    material.damping = chance(d) ? 0 : magnitude(d, 1e-6, 1e2);
    assert_int_equal(sheaf_scene_create(&def, &scene), SHEAF_OK);
    assert_int_equal(sheaf_scene_add_material(scene, &material, NULL), SHEAF_OK);
    return scene;
}

static sheaf_course jerk(dice *d, double size, double duration)
{
    const sheaf_course_kind kind = chance(d) ? SHEAF_COURSE_RAMP : SHEAF_COURSE_SINE;
    return (sheaf_course){.kind = kind, .value = around_zero(d, size), .duration = duration};
}

static sheaf_end_def make_end(dice *d, double length, double step)
{
    sheaf_end_def end = sheaf_end_free();
    end.hold_position = chance(d);
    end.hold_tangent = chance(d);
    end.hold_angle = chance(d);
    end.slide = end.hold_position && chance(d);
    if (chance(d))
        end.twist = jerk(d, magnitude(d, 1, 1e5), 10 * step);
    if (chance(d))
        end.turn = jerk(d, 3, 100 * step);
    if (chance(d))
        end.move[below(d, 3)] = jerk(d, 2 * length, 20 * step);
    if (chance(d))
        end.force[below(d, 3)].value = around_zero(d, magnitude(d, 1e-6, 1e6));
    if (chance(d))
        end.couple[below(d, 3)].value = around_zero(d, magnitude(d, 1e-6, 1e6));
    return end;
}

static void add_strand(dice *d, sheaf_scene *scene)
{
    double spacing[40];
    const sheaf_shape shapes[] = {SHEAF_SHAPE_STRAIGHT, SHEAF_SHAPE_HELIX, SHEAF_SHAPE_CIRCLE, SHEAF_SHAPE_ARC};
    sheaf_strand_def strand = sheaf_strand_def_default();
    for (int j = 0; j < 40; j++)
        spacing[j] = magnitude(d, 0.1, 10);
    strand.shape = shapes[below(d, 4)];
    strand.vertex_count = chance(d) ? 3 + below(d, 4) : 3 + below(d, 38);
    strand.length = magnitude(d, 1e-4, 1e3);
    strand.radius = strand.length * magnitude(d, 0.05, 10);
    strand.pitch = around_zero(d, strand.length);
    strand.spacing = chance(d) ? spacing : NULL;
    strand.natural = (sheaf_natural)below(d, 3);
    strand.natural_curvature[0] = around_zero(d, 10 / strand.length);
    strand.natural_twist = chance(d) ? 0 : around_zero(d, 50 / strand.length);
    for (int c = 0; c < 3; c++) {
        strand.direction[c] = around_zero(d, 1);
        strand.origin[c] = around_zero(d, magnitude(d, 0.1, 1e3));
    }
    strand.root = make_end(d, strand.length, scene->def.step);
    strand.tip = make_end(d, strand.length, scene->def.step);
    if (strand.shape == SHEAF_SHAPE_CIRCLE) {
        strand.root = strand.tip = sheaf_end_free();
        strand.closing_twist = around_zero(d, 20);
    }
    if (strand.root.hold_tangent && strand.tip.hold_tangent && strand.vertex_count < 5)
        strand.vertex_count = 5;
    if (sheaf_scene_add_strand(scene, &strand) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

static void assert_finite_vectors(const double (*vectors)[3], size_t count, uint64_t seed)
{
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            if (!isfinite(vectors[i][c]))
                fail_msg("scene %llu: vertex %zu is not finite", (unsigned long long)seed, i);
}

static void assert_finite_report(sheaf_solver *solver, uint64_t seed)
{
    sheaf_report r;
    assert_int_equal(sheaf_solver_report(solver, &r), SHEAF_OK);
    if (!isfinite(r.kinetic + r.bending + r.twisting + r.gravitational + r.worst_strain + r.twist_residual))
        fail_msg("scene %llu: a figure of the report is not finite", (unsigned long long)seed);
    for (uint32_t k = 0; k < r.frozen_strands; k++) {
        sheaf_incident incident;
        assert_int_equal(sheaf_solver_incident(solver, k, &incident), SHEAF_OK);
        assert_non_null(incident.quantity);
        assert_false(fabs(incident.value) <= 1e10);
    }
}

static void run_scene(const sheaf_scene *scene, uint64_t seed)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    sheaf_model *model;
    sheaf_solver *solver;
    if (sheaf_model_create(scene, &model) == SHEAF_ERR_INPUT)
        return; // coarse helices may fold back on themselves
    const size_t count = sheaf_model_vertex_count(model);
    double(*vectors)[3] = calloc(count, sizeof *vectors);
    assert_non_null(vectors);
    assert_true(sheaf_model_explicit_step_limit(model) > 0);
    assert_int_equal(sheaf_solver_open(model, &def, &solver), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(solver, 20), SHEAF_OK);
    assert_finite_report(solver, seed);
    assert_int_equal(sheaf_solver_read_positions(solver, vectors, count), SHEAF_OK);
    assert_finite_vectors((const double(*)[3])vectors, count, seed);
    assert_int_equal(sheaf_solver_read_velocities(solver, vectors, count), SHEAF_OK);
    assert_finite_vectors((const double(*)[3])vectors, count, seed);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    free(vectors);
}

static void absurd_scenes_do_no_harm(void **fixture)
{
    (void)fixture;
    for (uint64_t seed = 0; seed < 60; seed++) {
        dice d = {.seed = seed};
        sheaf_scene *scene = make_scene(&d);
        for (int k = 0; k < 3; k++)
            add_strand(&d, scene);
        run_scene(scene, seed);
        sheaf_scene_free(scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(absurd_scenes_do_no_harm)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
