// test_sections: strands of several materials, and strands with a stiffness at every vertex: what the model makes of
// them, cantilevers and shafts of two pieces against their exact shapes, on the reference and on the device.
// labels: device (20 s)
#include "batch.h"
#include "bench.h"
#include "study.h"

#include "base/vec.h"

#include <string.h>

#include "strand/strand.h"
#include "unit.h"

static const double change = 0.3; // of the length, where the first section ends

// ---- making them

static uint32_t add_material(sheaf_scene *scene, const char *name, double bend, double twist, double line_mass)
{
    uint32_t index;
    sheaf_material_def material = bench_material(bend, twist);
    material.name = name;
    material.line_mass = line_mass;
    material.drag = 7 * line_mass; // nearly critical for a cantilever that is as stiff as one with bend 1
    bench_demand(sheaf_scene_add_material(scene, &material, &index));
    return index;
}

// A strand of two sections in a scene of its own; `twist` and mass are those of the materials a and b.
static void open_two(test_bench *bench, const sheaf_scene_def *def, const sheaf_strand_def *strand,
                     const double bend[2], const double twist[2], const double mass[2])
{
    sheaf_scene *scene;
    bench_demand(sheaf_scene_create(def, &scene));
    const sheaf_section sections[2] = {{change, add_material(scene, "a", bend[0], twist[0], mass[0])},
                                       {1, add_material(scene, "b", bend[1], twist[1], mass[1])}};
    bench_demand(sheaf_scene_add_strand_sections(scene, strand, sections, 2));
    memset(bench, 0, sizeof *bench);
    bench_demand(sheaf_model_create(scene, &bench->model));
    sheaf_scene_free(scene);
    bench_demand(state_create(bench->model, &bench->state));
    bench_demand(rod_open(bench->state, 0, &bench->rod));
}

static void the_change_lies_on_a_vertex(void **fixture)
{
    const double bend[2] = {5, 2}, twist[2] = {7, 3}, mass[2] = {4, 1};
    (void)fixture;
    for (uint32_t edges = 4; edges <= 40; edges += 3) {
        test_bench bench;
        const sheaf_scene_def def = bench_scene();
        const sheaf_strand_def strand = bench_strand(edges);
        open_two(&bench, &def, &strand, bend, twist, mass);
        const sheaf_model *model = bench.model;
        double total = 0;
        uint32_t at = 1;
        while (fabs(model->position[at][0] - change) > 1e-12)
            assert_true(++at < edges);
        for (uint32_t j = 0; j < edges; j++) {
            assert_close(model->bend[j][0], j < at ? 5 : 2, 0);
            total += model->rest_length[j] * (j < at ? 4 : 1);
        }
        assert_close(model->position[edges][0], 1, 1e-12);
        assert_close(model->position[0][0], -model->position[1][0], 1e-12); // the clamp's plane cuts the first edge
        assert_close(model->strands[0].mass, total, 1e-12);
        const double l1 = model->rest_length[at - 1], l2 = model->rest_length[at];
        for (uint32_t i = 1; i < edges; i++)
            assert_true((model->vertex_bend[i][0] > 0) == (i == at));
        assert_close(model->vertex_bend[at][0], (l1 + l2) / (l1 / 5 + l2 / 2), 1e-12);
        assert_close(model->vertex_bend[at][1], model->vertex_bend[at][0], 0);
        assert_close(model->twist[at], (l1 + l2) / (l1 / 7 + l2 / 3), 1e-12);
        assert_close(model->mass[at], (4 * l1 + l2) / 2, 1e-12);
        assert_true(model->strands[0].isotropic_straight);
        bench_close(&bench);
    }
}

// Given points stay where they are: the nearest vertex is taken. Drag is that of both, spread by mass.
static void points_stay_and_drag_is_the_sum(void **fixture)
{
    const double bend[2] = {5, 2}, twist[2] = {7, 3}, mass[2] = {4, 1};
    double points[11][3] = {{0}};
    test_bench bench;
    const sheaf_scene_def def = bench_scene();
    sheaf_strand_def strand = bench_strand(10);
    (void)fixture;
    for (int i = 0; i <= 10; i++)
        points[i][0] = 0.13 * i;
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    open_two(&bench, &def, &strand, bend, twist, mass);
    const sheaf_model *model = bench.model;
    for (uint32_t i = 1; i < 10; i++) {
        assert_close(model->position[i][0], 0.13 * i, 0);
        assert_true((model->vertex_bend[i][0] > 0) == (i == 3));
    }
    double drag = 0;
    for (uint32_t i = 0; i < 11; i++)
        drag += ref_drag(&bench.rod, i);
    assert_close(drag, 1.3 * 7 * (0.3 * 4 + 0.7 * 1), 1e-12);
    bench_close(&bench);
}

// A ring of two sections has two seams; both are in series.
static void rings_have_two_seams(void **fixture)
{
    const double bend[2] = {5, 2}, twist[2] = {7, 3}, mass[2] = {1, 1};
    test_bench bench;
    const sheaf_scene_def def = bench_scene();
    sheaf_strand_def strand = bench_strand(20);
    (void)fixture;
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.radius = 1;
    strand.root = strand.tip = sheaf_end_free();
    open_two(&bench, &def, &strand, bend, twist, mass);
    uint32_t seams = 0;
    for (uint32_t i = 0; i < bench.rod.vertex_count; i++)
        seams += bench.model->vertex_bend[i][0] > 0;
    assert_int_equal(seams, 2);
    assert_true(bench.model->vertex_bend[0][0] > 2 && bench.model->vertex_bend[0][0] < 5);
    bench_close(&bench);
}

// One section is a strand of its material: the same bits.
static void one_section_is_a_plain_strand(void **fixture)
{
    const sheaf_scene_def def = bench_scene();
    const sheaf_strand_def strand = bench_strand(9);
    uint64_t identity[2];
    (void)fixture;
    for (int k = 0; k < 2; k++) {
        sheaf_scene *scene;
        sheaf_model *model;
        bench_demand(sheaf_scene_create(&def, &scene));
        const sheaf_section section = {1, add_material(scene, "a", 2, 3, 4)};
        bench_demand(k == 0 ? sheaf_scene_add_strand(scene, &strand)
                            : sheaf_scene_add_strand_sections(scene, &strand, &section, 1));
        bench_demand(sheaf_model_create(scene, &model));
        bench_demand(model_identity(model, &identity[k]));
        sheaf_model_free(model);
        sheaf_scene_free(scene);
    }
    assert_true(identity[0] == identity[1]);
}

// ---- the cantilever of two pieces

// Bending stiffness of the pieces, the first `ratio` times that of the second, such that a small force bends them as
// far as a cantilever of stiffness 1: F (1 - b^3) / 3 B1 + F b^3 / 3 B2 = F / 3, b = 1 - change.
static void choose_stiffness(double ratio, double bend[2])
{
    const double rest = pow(1 - change, 3);
    bend[1] = (1 - rest) / ratio + rest;
    bend[0] = ratio * bend[1];
}

typedef struct bent {
    double angle, moment, along, across;
} bent;

// From the tip on: d angle / dr = -M / B, dM / dr = F cos(angle).
static bent slope_of(bent y, double force, double bend)
{
    return (bent){-y.moment / bend, force * cos(y.angle), cos(y.angle), sin(y.angle)};
}

static bent moved(bent y, bent slope, double h)
{
    return (bent){y.angle + h * slope.angle, y.moment + h * slope.moment, y.along + h * slope.along,
                  y.across + h * slope.across};
}

// The root of a cantilever whose tip has this angle.
static bent integrate(double tip_angle, double force, const double bend[2])
{
    enum { STEPS = 1000 };
    bent y = {tip_angle, 0, 0, 0};
    for (int piece = 1; piece >= 0; piece--) {
        const double h = (piece == 1 ? 1 - change : change) / STEPS, b = bend[piece];
        for (int k = 0; k < STEPS; k++) {
            const bent k1 = slope_of(y, force, b), k2 = slope_of(moved(y, k1, h / 2), force, b);
            const bent k3 = slope_of(moved(y, k2, h / 2), force, b), k4 = slope_of(moved(y, k3, h), force, b);
            y = moved(moved(moved(moved(y, k1, h / 6), k2, h / 3), k3, h / 3), k4, h / 6);
        }
    }
    return y;
}

// How far the force takes the tip aside.
static double exact_deflection(double force, const double bend[2])
{
    double low = 0, high = 1.5;
    for (int k = 0; k < 60; k++) {
        const double middle = (low + high) / 2;
        if (integrate(middle, force, bend).angle > 0)
            high = middle;
        else
            low = middle;
    }
    return integrate(low, force, bend).across;
}

static const double ratios[] = {2, 10, 1000, 0.5, 0.1, 0.001};
enum { RATIOS = sizeof ratios / sizeof ratios[0], FIRST_EDGES = 32, REFINEMENTS = 3 };
static const double force = 2; // N, aside

static void judge(const test_study *study)
{
    for (uint32_t k = 1; k < study->count; k++)
        if (!(study_order(study, k) >= 1.8))
            fail_msg("order %.3f", study_order(study, k));
    if (!(fabs(study->error[1]) <= 2e-3))
        fail_msg("error %.3g at 64 edges", study->error[1]);
}

static void cantilevers_of_two_pieces_bend_exactly(void **fixture)
{
    (void)fixture;
    for (int r = 0; r < RATIOS; r++) {
        char title[64];
        double bend[2];
        const double same[2] = {1, 1};
        choose_stiffness(ratios[r], bend);
        snprintf(title, sizeof title, "reference, ratio %g", ratios[r]);
        test_study study = study_begin(title, 0);
        for (uint32_t edges = FIRST_EDGES, k = 0; k < REFINEMENTS; edges *= 2, k++) {
            test_bench bench;
            const sheaf_scene_def def = bench_scene();
            sheaf_strand_def strand = bench_strand(edges);
            strand.tip.force[2].value = force;
            open_two(&bench, &def, &strand, bend, same, same);
            bench_settle(&bench, 0);
            study_add(&study, edges, bench.rod.x[edges][2], exact_deflection(force, bend));
            bench_close(&bench);
        }
        judge(&study);
    }
}

// A piece a thousand times as stiff at the tip leaves single precision no digits; by itself a solver takes double then.
static void run_on_device(bool is_double)
{
    const int count = is_double ? RATIOS : RATIOS - 1;
    const sheaf_scene_def def = batch_scene();
    batch it = batch_begin(&def);
    for (int r = 0; r < count; r++)
        for (uint32_t edges = FIRST_EDGES, k = 0; k < REFINEMENTS; edges *= 2, k++) {
            char names[2][16];
            double bend[2];
            sheaf_section sections[2] = {{change, 0}, {1, 0}};
            choose_stiffness(ratios[r], bend);
            for (int s = 0; s < 2; s++) {
                snprintf(names[s], sizeof names[s], "m%u%c", it.count, 'a' + s);
                sections[s].material = add_material(it.scene, names[s], bend[s], 1, 1);
            }
            sheaf_strand_def strand = bench_strand(edges);
            strand.tip.force[2].value = force;
            bench_demand(sheaf_scene_add_strand_sections(it.scene, &strand, sections, 2));
            it.count++;
        }
    batch_open(&it, 0.02, is_double);
    batch_run(&it, 8);
    for (uint32_t r = 0; r < (uint32_t)count; r++) {
        char title[64];
        double bend[2];
        choose_stiffness(ratios[r], bend);
        snprintf(title, sizeof title, "device, %s, ratio %g", is_double ? "double" : "single", ratios[r]);
        test_study study = study_begin(title, 0);
        for (uint32_t k = 0; k < REFINEMENTS; k++)
            study_add(&study, FIRST_EDGES << k, batch_tip(&it, REFINEMENTS * r + k)[2], exact_deflection(force, bend));
        judge(&study);
    }
    batch_close(&it);
}

static void the_device_bends_them_alike_in_double(void **fixture)
{
    (void)fixture;
    run_on_device(true);
}

static void the_device_bends_them_alike_in_single(void **fixture)
{
    (void)fixture;
    run_on_device(false);
}

// ---- twist, weight

// A shaft of two pieces under a torque: the turns of both add up, exactly.
static void shafts_of_two_pieces_turn_exactly(void **fixture)
{
    const double bend[2] = {1, 1}, twist[2] = {50, 0.5}, mass[2] = {1, 1}, torque = 0.3;
    test_bench bench;
    const sheaf_scene_def def = bench_scene();
    sheaf_strand_def strand = bench_strand(17);
    (void)fixture;
    strand.tip.couple[0].value = torque;
    open_two(&bench, &def, &strand, bend, twist, mass);
    bench_settle(&bench, 0);
    const double end = 1 - bench.model->rest_length[16] / 2; // the middle of the last edge
    const double expected = torque * (change / twist[0] + (end - change) / twist[1]);
    assert_close(bench.rod.theta[16] - bench.rod.theta[0], expected, 1e-9);
    bench_close(&bench);
}

// A sag-free strand of two pieces, one heavy and one light, starts at rest and stays so.
static void sag_free_strands_stay(void **fixture)
{
    const double bend[2] = {30, 0.4}, twist[2] = {20, 0.3}, mass[2] = {2, 0.1};
    test_bench bench;
    sheaf_scene_def def = bench_scene();
    sheaf_strand_def strand = bench_strand(24);
    (void)fixture;
    vec_set(def.gravity, 0, 0, -9.81);
    strand.natural = SHEAF_NATURAL_SAG_FREE;
    open_two(&bench, &def, &strand, bend, twist, mass);
    bench_settle(&bench, 0);
    for (uint32_t i = 0; i <= 24; i++)
        assert_close(bench.rod.x[i][2], 0, 1e-7);
    bench_close(&bench);
}

// The stiffest and lightest piece sets the step of explicit integration.
static double limit_of(const double bend[2], const double mass[2])
{
    test_bench bench;
    const sheaf_scene_def def = bench_scene();
    sheaf_strand_def strand = bench_strand(24);
    strand.clamp_mid_edge = false;
    open_two(&bench, &def, &strand, bend, bend, mass);
    const double limit = sheaf_model_explicit_step_limit(bench.model);
    bench_close(&bench);
    return limit;
}

static void the_stiffest_piece_sets_the_explicit_limit(void **fixture)
{
    const double stiff[2] = {100, 100}, soft[2] = {1, 1}, mixed[2] = {1, 100}, same[2] = {1, 1};
    const double least = limit_of(stiff, same), most = limit_of(soft, same), found = limit_of(mixed, same);
    (void)fixture;
    assert_true(most > 5 * least);
    assert_true(found >= 0.99 * least && found < 1.3 * least);
}

// ---- stiffness at every vertex

static void put_stiffness(uint32_t edges, double *bend, double *twist)
{
    for (uint32_t i = 0; i <= edges; i++) {
        const double place = fmax((i - 0.5) / (edges - 0.5), 0);
        bend[2 * i] = bend[2 * i + 1] = 1 + 3 * place;
        twist[i] = 1;
    }
}

// B = 1 + 3 s: the unit load method gives the tip's deflection under a small force at it.
static double graded_deflection(void)
{
    enum { STEPS = 20000 };
    double sum = 0;
    for (int k = 0; k < STEPS; k++) {
        const double s = (k + 0.5) / STEPS;
        sum += (1 - s) * (1 - s) / (1 + 3 * s) / STEPS;
    }
    return sum;
}

static void graded_stiffness_acts_at_every_vertex(void **fixture)
{
    const double small = 1e-4;
    test_study study = study_begin("B = 1 + 3 s by vertices", 0);
    (void)fixture;
    for (uint32_t edges = 16; edges <= 64; edges *= 2) {
        double bend[2 * 65], twist[65];
        const sheaf_scene_def def = bench_scene();
        sheaf_strand_def strand = bench_strand(edges);
        sheaf_scene *scene;
        test_bench bench;
        put_stiffness(edges, bend, twist);
        strand.tip.force[2].value = small;
        bench_demand(sheaf_scene_create(&def, &scene));
        add_material(scene, "a", 1e-6, 1e-6, 1);
        bench_demand(sheaf_scene_add_strand_stiffness(scene, &strand, bend, twist));
        memset(&bench, 0, sizeof bench);
        bench_demand(sheaf_model_create(scene, &bench.model));
        sheaf_scene_free(scene);
        bench_demand(state_create(bench.model, &bench.state));
        bench_demand(rod_open(bench.state, 0, &bench.rod));
        bench_settle(&bench, 0);
        study_add(&study, edges, bench.rod.x[edges][2] / small, graded_deflection());
        bench_close(&bench);
    }
    study_expect(&study, 1e-3, 2);
}

// ---- refusals

static void expect_refusal(const sheaf_section *sections, uint32_t count, sheaf_status status, const char *word)
{
    const sheaf_scene_def def = bench_scene();
    const sheaf_strand_def strand = bench_strand(20);
    sheaf_scene *scene;
    bench_demand(sheaf_scene_create(&def, &scene));
    add_material(scene, "a", 1, 1, 1);
    assert_int_equal(sheaf_scene_add_strand_sections(scene, &strand, sections, count), status);
    if (strstr(sheaf_last_error(), word) == NULL)
        fail_msg("'%s' does not say '%s'", sheaf_last_error(), word);
    assert_int_equal(scene->strand_count, 0);
    sheaf_scene_free(scene);
}

static void bad_sections_are_refused(void **fixture)
{
    const sheaf_section falling[] = {{0.5, 0}, {0.4, 0}, {1, 0}}, beyond[] = {{0.5, 0}, {1.5, 0}};
    const sheaf_section open[] = {{0.3, 0}, {0.7, 0}}, foreign[] = {{0.3, 0}, {1, 4}}, tiny[] = {{0.01, 0}, {1, 0}};
    const sheaf_section nowhere[] = {{NAN, 0}, {1, 0}};
    (void)fixture;
    expect_refusal(falling, 3, SHEAF_ERR_INPUT, "larger `to`");
    expect_refusal(beyond, 2, SHEAF_ERR_INPUT, "larger `to`, at most 1");
    expect_refusal(nowhere, 2, SHEAF_ERR_INPUT, "section 0");
    expect_refusal(open, 2, SHEAF_ERR_INPUT, "end at 0.7");
    expect_refusal(foreign, 2, SHEAF_ERR_INPUT, "material 4");
    expect_refusal(tiny, 2, SHEAF_ERR_INPUT, "0.2 of an edge");
    expect_refusal(NULL, 2, SHEAF_ERR_USAGE, "NULL");
    expect_refusal(open, 0, SHEAF_ERR_USAGE, "no section");
}

static void bad_stiffness_is_refused(void **fixture)
{
    const sheaf_scene_def def = bench_scene();
    const sheaf_strand_def strand = bench_strand(4);
    double bend[10] = {1, 1, 1, 1, 1, -1, 1, 1, 1, 1}, twist[5] = {1, 1, 1, 1, 1};
    sheaf_scene *scene;
    (void)fixture;
    bench_demand(sheaf_scene_create(&def, &scene));
    add_material(scene, "a", 1, 1, 1);
    assert_int_equal(sheaf_scene_add_strand_stiffness(scene, &strand, bend, twist), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "vertex 2: bending"));
    bend[5] = 1;
    twist[3] = NAN;
    assert_int_equal(sheaf_scene_add_strand_stiffness(scene, &strand, bend, twist), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "vertex 3: twisting"));
    assert_int_equal(sheaf_scene_add_strand_stiffness(scene, &strand, bend, NULL), SHEAF_ERR_USAGE);
    assert_int_equal(scene->strand_count, 0);
    sheaf_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_change_lies_on_a_vertex),
        cmocka_unit_test(points_stay_and_drag_is_the_sum),
        cmocka_unit_test(rings_have_two_seams),
        cmocka_unit_test(one_section_is_a_plain_strand),
        cmocka_unit_test(cantilevers_of_two_pieces_bend_exactly),
        cmocka_unit_test(the_device_bends_them_alike_in_double),
        cmocka_unit_test(the_device_bends_them_alike_in_single),
        cmocka_unit_test(shafts_of_two_pieces_turn_exactly),
        cmocka_unit_test(sag_free_strands_stay),
        cmocka_unit_test(the_stiffest_piece_sets_the_explicit_limit),
        cmocka_unit_test(graded_stiffness_acts_at_every_vertex),
        cmocka_unit_test(bad_sections_are_refused),
        cmocka_unit_test(bad_stiffness_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
