// test_solver: populations moved through the public header: settling, same bits however the work is split, and strands
// that diverge while the others go on.
#include "base/vec.h"
#include "sheaf/sheaf.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void check(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s: %s", sheaf_status_name(status), sheaf_last_error());
}

static void assert_error_has(const char *part)
{
    if (strstr(sheaf_last_error(), part) == NULL)
        fail_msg("'%s' is not in: %s", part, sheaf_last_error());
}

typedef struct population {
    sheaf_model *model;
    sheaf_solver *solver;
    double (*x)[3]; // room for all vertices
} population;

static population open_population(const sheaf_scene *scene, uint32_t threads)
{
    population p;
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    def.threads = threads;
    check(sheaf_model_create(scene, &p.model));
    check(sheaf_solver_open(p.model, &def, &p.solver));
    p.x = calloc(sheaf_model_vertex_count(p.model), sizeof *p.x);
    assert_non_null(p.x);
    return p;
}

static void read_positions(population *p)
{
    check(sheaf_solver_read_positions(p->solver, p->x, sheaf_model_vertex_count(p->model)));
}

static void close_population(population *p)
{
    sheaf_solver_close(p->solver);
    sheaf_model_free(p->model);
    free(p->x);
}

static sheaf_scene *make_scene(const sheaf_scene_def *def, const sheaf_material_def *material)
{
    sheaf_scene *scene;
    check(sheaf_scene_create(def, &scene));
    check(sheaf_scene_add_material(scene, material, NULL));
    return scene;
}

// ---- physics

// A heavy cantilever with weight x length^3 / stiffness = 10, let go straight out and damped by the air, comes to rest
// at the tip of the exact elastica.
static void a_heavy_strand_settles_where_the_elastica_does(void **fixture)
{
    (void)fixture;
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    def.step = 1.0 / 60;
    material.line_mass = 0.1;
    material.bend[0] = material.bend[1] = 0.1 * 9.81 / 10;
    material.twist = 0.08;
    material.drag = 0.3;
    strand.length = 1;
    vec_set(strand.direction, 1, 0, 0);
    sheaf_scene *scene = make_scene(&def, &material);
    check(sheaf_scene_add_strand(scene, &strand));
    population p = open_population(scene, 1);
    sheaf_report before, after;
    check(sheaf_solver_report(p.solver, &before));
    check(sheaf_solver_step(p.solver, 900));
    check(sheaf_solver_report(p.solver, &after));
    read_positions(&p);
    assert_close(p.x[31][0], 0.656354, 0.003);
    assert_close(p.x[31][1], 0, 1e-12);
    assert_close(p.x[31][2], -0.700200, 0.003);
    assert_close(after.time, 15, 1e-12);
    assert_int_equal(after.step, 900);
    assert_true(after.kinetic < 1e-10);
    assert_true(after.bending + after.gravitational < before.bending + before.gravitational);
    assert_true(after.worst_strain < 1e-9);
    assert_true(after.mean_newton >= 1 && after.mean_projections >= 1);
    assert_int_equal(after.frozen_strands, 0);
    close_population(&p);
    sheaf_scene_free(scene);
}

static void reports_add_up_known_energies(void **fixture)
{
    (void)fixture;
    const sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    material.line_mass = 0.5;
    material.bend[0] = material.bend[1] = 3;
    strand.root = sheaf_end_free();
    strand.origin[2] = 10;
    strand.length = 2;
    sheaf_scene *scene = make_scene(&def, &material);
    check(sheaf_scene_add_strand(scene, &strand));
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.vertex_count = 400;
    strand.radius = 0.5;
    check(sheaf_scene_add_strand(scene, &strand));
    population p = open_population(scene, 2);
    sheaf_report report;
    const double pi = 3.14159265358979323846;
    check(sheaf_solver_report(p.solver, &report));
    assert_close(report.gravitational, 0.5 * 2 * 9.81 * 9 + 0.5 * pi * 9.81 * 10, 2e-3); // chords are short by 1e-5
    assert_close(report.bending, 3 * pi / 0.5, 1e-3);                                    // B / 2 times 2 pi / radius
    assert_close(report.kinetic, 0, 0);
    assert_close(report.twisting, 0, 1e-18);
    assert_true(report.worst_strain < 1e-12);
    close_population(&p);
    sheaf_scene_free(scene);
}

static void clamped_roots_follow_their_motion(void **fixture)
{
    (void)fixture;
    const sheaf_scene_def def = sheaf_scene_def_default();
    const sheaf_material_def material = sheaf_material_def_default();
    sheaf_motion_def motion = sheaf_motion_def_default();
    sheaf_strand_def strand = sheaf_strand_def_default();
    motion.turn = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 3.14159265358979323846 / 2, .duration = 0.25};
    motion.move[2] = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 0.1, .duration = 0.25};
    vec_set(strand.origin, 0.3, 0, 0);
    vec_set(strand.direction, 1, 0, 0);
    strand.root.motion = 0;
    sheaf_scene *scene = make_scene(&def, &material);
    check(sheaf_scene_add_motion(scene, &motion, NULL));
    check(sheaf_scene_add_strand(scene, &strand));
    population p = open_population(scene, 1);
    check(sheaf_solver_step(p.solver, 30));
    read_positions(&p);
    const double half = 0.2 / 30.5 / 2;
    assert_close(p.x[0][0], 0, 1e-14);
    assert_close(p.x[0][1], 0.3 - half, 1e-14);
    assert_close(p.x[0][2], 0.1, 1e-14);
    assert_close(p.x[1][1], 0.3 + half, 1e-14);
    close_population(&p);
    sheaf_scene_free(scene);
}

// ---- same bits

// Strands that differ in everything that matters, so that a mix-up shows.
static sheaf_strand_def odd_strand(uint32_t k)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.shape = k % 3 == 0 ? SHEAF_SHAPE_STRAIGHT : SHEAF_SHAPE_HELIX;
    strand.vertex_count = 5 + 7 * (k % 5);
    strand.length = 0.1 + 0.01 * k;
    strand.natural_twist = k % 2 ? 5 : 0;
    vec_set(strand.direction, 1, 0.1 * k, -0.5);
    if (k % 4 == 1)
        strand.root = sheaf_end_pinned();
    return strand;
}

static sheaf_scene *odd_scene(const uint32_t *order, uint32_t count, sheaf_integrator integrator)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    def.integrator = integrator;
    if (integrator == SHEAF_INTEGRATOR_EXPLICIT)
        def.step = 1e-5;
    material.radius[1] = 30e-6;
    material.drag = 1e-5;
    sheaf_scene *scene = make_scene(&def, &material);
    for (uint32_t k = 0; k < count; k++) {
        const sheaf_strand_def strand = odd_strand(order[k]);
        check(sheaf_scene_add_strand(scene, &strand));
    }
    return scene;
}

enum { ODD = 12, ODD_STEPS = 20 };

// Runs strands in the given order; the result is compared strand by strand with `expected` in natural order.
static void assert_same_strands(const uint32_t *order, uint32_t count, uint32_t threads, sheaf_integrator integrator,
                                const population *expected)
{
    const uint64_t *place = sheaf_model_first_vertex(expected->model);
    sheaf_scene *scene = odd_scene(order, count, integrator);
    population p = open_population(scene, threads);
    check(sheaf_solver_step(p.solver, ODD_STEPS / 2));
    for (int k = 0; k < ODD_STEPS / 2; k++)
        check(sheaf_solver_step(p.solver, 1));
    read_positions(&p);
    const uint64_t *own = sheaf_model_first_vertex(p.model);
    for (uint32_t k = 0; k < count; k++)
        assert_memory_equal(p.x[own[k]], expected->x[place[order[k]]], (own[k + 1] - own[k]) * sizeof *p.x);
    close_population(&p);
    sheaf_scene_free(scene);
}

static void bits_do_not_depend_on_threads_order_or_company(void **fixture)
{
    (void)fixture;
    uint32_t natural[ODD], shuffled[ODD];
    for (uint32_t k = 0; k < ODD; k++) {
        natural[k] = k;
        shuffled[k] = (5 * k + 3) % ODD;
    }
    for (int integrator = 0; integrator <= SHEAF_INTEGRATOR_EXPLICIT; integrator++) {
        const sheaf_integrator kind = (sheaf_integrator)integrator;
        sheaf_scene *scene = odd_scene(natural, ODD, kind);
        population expected = open_population(scene, 1);
        check(sheaf_solver_step(expected.solver, ODD_STEPS));
        read_positions(&expected);
        assert_same_strands(natural, ODD, 2, kind, &expected);
        assert_same_strands(natural, ODD, 5, kind, &expected);
        assert_same_strands(shuffled, ODD, 2, kind, &expected);
        assert_same_strands(shuffled + 4, 1, 1, kind, &expected);
        close_population(&expected);
        sheaf_scene_free(scene);
    }
}

static void reports_do_not_depend_on_threads(void **fixture)
{
    (void)fixture;
    uint32_t order[ODD];
    for (uint32_t k = 0; k < ODD; k++)
        order[k] = k;
    sheaf_scene *scene = odd_scene(order, ODD, SHEAF_INTEGRATOR_BDF2);
    sheaf_report reports[2];
    memset(reports, 0, sizeof reports);
    for (uint32_t k = 0; k < 2; k++) {
        population p = open_population(scene, 1 + k);
        check(sheaf_solver_step(p.solver, 5));
        check(sheaf_solver_report(p.solver, &reports[k]));
        close_population(&p);
    }
    assert_memory_equal(&reports[0], &reports[1], offsetof(sheaf_report, frozen_strands));
    sheaf_scene_free(scene);
}

// ---- divergence

static void count_warnings(sheaf_log_level level, const char *message, void *user)
{
    assert_int_equal(level, SHEAF_LOG_WARNING);
    assert_non_null(strstr(message, "frozen"));
    ++*(int *)user;
}

// Two materials, one so stiff that the explicit step is far beyond its limit.
static sheaf_scene *half_stable_scene(void)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def soft = sheaf_material_def_default(), stiff = soft;
    def.integrator = SHEAF_INTEGRATOR_EXPLICIT;
    def.step = 1e-4;
    soft.name = "soft";
    stiff.name = "stiff";
    soft.line_mass = stiff.line_mass = 0.01;
    soft.bend[0] = soft.bend[1] = soft.twist = 1e-6;
    stiff.bend[0] = stiff.bend[1] = stiff.twist = 10;
    sheaf_scene *scene = make_scene(&def, &soft);
    check(sheaf_scene_add_material(scene, &stiff, NULL));
    for (uint32_t k = 0; k < 6; k++) {
        sheaf_strand_def strand = sheaf_strand_def_default();
        strand.vertex_count = 20;
        vec_set(strand.direction, 1, 0, 0);
        strand.material = k % 3 == 1;
        check(sheaf_scene_add_strand(scene, &strand));
    }
    return scene;
}

static void diverging_strands_freeze_and_the_others_go_on(void **fixture)
{
    (void)fixture;
    int warnings = 0;
    sheaf_scene *scene = half_stable_scene();
    population p = open_population(scene, 2);
    sheaf_report report;
    sheaf_incident incident;
    sheaf_log_set(count_warnings, &warnings);
    check(sheaf_solver_step(p.solver, 2000));
    check(sheaf_solver_step(p.solver, 10));
    sheaf_log_set(NULL, NULL);
    check(sheaf_solver_report(p.solver, &report));
    read_positions(&p);
    assert_int_equal(report.frozen_strands, 2);
    assert_int_equal(warnings, 2);
    for (uint32_t k = 0; k < 2; k++) {
        check(sheaf_solver_incident(p.solver, k, &incident));
        assert_int_equal(incident.strand, 1 + 3 * k); // alike, so they freeze in the same step, listed by strand
        assert_true(incident.step > 0 && incident.step <= 2000 && incident.vertex < 20);
        assert_non_null(incident.quantity);
        assert_false(fabs(incident.value) < 1e9);
    }
    assert_int_equal(sheaf_solver_incident(p.solver, 2, &incident), SHEAF_ERR_USAGE);
    for (int i = 0; i < 120; i++)
        assert_true(vec_length(p.x[i]) < 1e10);
    assert_true(p.x[19][2] < -0.01); // a healthy one falls
    for (int i = 0; i < 20; i++)
        assert_memory_equal(p.x[i], p.x[40 + i], sizeof *p.x);
    assert_true(isfinite(report.bending) && isfinite(report.kinetic));
    close_population(&p);
    sheaf_scene_free(scene);
}

// ---- explicit limit and settings

static void the_explicit_limit_is_the_strictest_strand_s(void **fixture)
{
    (void)fixture;
    sheaf_scene *mixed = half_stable_scene(), *soft;
    sheaf_model *model;
    const sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    check(sheaf_model_create(mixed, &model));
    const double limit = sheaf_model_explicit_step_limit(model);
    sheaf_model_free(model);
    material.line_mass = 0.01;
    material.bend[0] = material.bend[1] = material.twist = 1e-6;
    soft = make_scene(&def, &material);
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = 20;
    check(sheaf_scene_add_strand(soft, &strand));
    check(sheaf_model_create(soft, &model));
    const double soft_limit = sheaf_model_explicit_step_limit(model);
    sheaf_model_free(model);
    const double edge = 0.2 / 18.5, disc = edge * edge / 2 * sqrt(0.01 / 1e-6); // l^2 / 2 sqrt(mass / stiffness)
    assert_close(soft_limit, disc, 0.1 * disc);
    assert_close(soft_limit / limit, sqrt(1e7), 1e-3 * sqrt(1e7));
    sheaf_scene_free(mixed);
    sheaf_scene_free(soft);
}

static double limit_of_copies(const sheaf_strand_def *strand, uint32_t count, double damping)
{
    const sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    sheaf_model *model;
    material.radius[1] = 20e-6;
    material.damping = damping;
    material.drag = damping;
    sheaf_scene *scene = make_scene(&def, &material);
    for (uint32_t k = 0; k < count; k++)
        check(sheaf_scene_add_strand(scene, strand));
    check(sheaf_model_create(scene, &model));
    const double limit = sheaf_model_explicit_step_limit(model);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    return limit;
}

// Beyond a certain number strands are bounded instead of worked out: never above the limit, and close to it.
static void the_limit_of_large_populations_is_safe_and_close(void **fixture)
{
    (void)fixture;
    for (uint32_t k = 0; k < ODD + 1; k++) {
        sheaf_strand_def strand = odd_strand(k);
        if (k == ODD) {
            strand.shape = SHEAF_SHAPE_CIRCLE;
            strand.root = sheaf_end_free();
        }
        strand.vertex_count = 16 + 7 * (k % 5);
        const double damping = k % 2 ? 1e-3 : 0;
        const double exact = limit_of_copies(&strand, 1, damping), safe = limit_of_copies(&strand, 100, damping);
        if (!(safe <= exact * (1 + 1e-4) && safe >= (damping > 0 ? 0.64 : 0.8) * exact))
            fail_msg("strand %u: %g for many, %g for one", k, safe, exact);
    }
}

static void a_solver_may_take_its_own_step(void **fixture)
{
    (void)fixture;
    const uint32_t order[1] = {2};
    sheaf_scene *scene = odd_scene(order, 1, SHEAF_INTEGRATOR_BDF2);
    sheaf_model *model;
    sheaf_solver *solver;
    sheaf_report report;
    sheaf_solver_def def = sheaf_solver_def_default();
    def.backend = SHEAF_BACKEND_REFERENCE;
    check(sheaf_model_create(scene, &model));
    def.step = 1e-3;
    check(sheaf_solver_open(model, &def, &solver));
    check(sheaf_solver_step(solver, 7));
    check(sheaf_solver_step(solver, 0));
    check(sheaf_solver_report(solver, &report));
    assert_close(report.time, 7e-3, 1e-15);
    sheaf_solver_close(solver);
    const double bad[] = {-1, 1e9, NAN};
    for (int k = 0; k < 3; k++) {
        def.step = bad[k];
        assert_int_equal(sheaf_solver_open(model, &def, &solver), SHEAF_ERR_USAGE);
        assert_null(solver);
    }
    sheaf_model_free(model);
    sheaf_scene_free(scene);
}

static void wrong_arguments_are_usage_errors(void **fixture)
{
    (void)fixture;
    const uint32_t order[1] = {2};
    double x[200][3];
    sheaf_scene *scene = odd_scene(order, 1, SHEAF_INTEGRATOR_BDF2);
    population p = open_population(scene, 1);
    sheaf_solver_def def = sheaf_solver_def_default(), unfilled = {0};
    sheaf_solver *none = p.solver;
    assert_int_equal(sheaf_solver_open(p.model, &unfilled, &none), SHEAF_ERR_USAGE);
    assert_null(none);
    assert_int_equal(sheaf_solver_open(NULL, &def, &none), SHEAF_ERR_USAGE);
    def.backend = (sheaf_backend)99;
    assert_int_equal(sheaf_solver_open(p.model, &def, &none), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_positions(p.solver, x, 1), SHEAF_ERR_USAGE);
    assert_error_has("room for 1 vertices");
    assert_int_equal(sheaf_solver_read_positions(p.solver, NULL, 200), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_velocities(NULL, x, 200), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_positions(NULL, x, 200), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_read_velocities(p.solver, x, 200), SHEAF_OK);
    assert_int_equal(sheaf_solver_step(NULL, 1), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_report(p.solver, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(sheaf_solver_incident(p.solver, 0, NULL), SHEAF_ERR_USAGE);
    sheaf_solver_close(NULL);
    close_population(&p);
    sheaf_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_heavy_strand_settles_where_the_elastica_does),
        cmocka_unit_test(reports_add_up_known_energies),
        cmocka_unit_test(clamped_roots_follow_their_motion),
        cmocka_unit_test(bits_do_not_depend_on_threads_order_or_company),
        cmocka_unit_test(reports_do_not_depend_on_threads),
        cmocka_unit_test(diverging_strands_freeze_and_the_others_go_on),
        cmocka_unit_test(the_explicit_limit_is_the_strictest_strand_s),
        cmocka_unit_test(the_limit_of_large_populations_is_safe_and_close),
        cmocka_unit_test(a_solver_may_take_its_own_step),
        cmocka_unit_test(wrong_arguments_are_usage_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
