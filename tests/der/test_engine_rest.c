// test_engine_rest: bent rods whose shape is known, let come to rest on the engine, in single and double precision, all
// variants at once. The reference finds the same equilibria in test_known_bending.
// labels: slow;device
#include "batch.h"
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

enum { ROWS = 4 };

static const char *precision_name(bool is_double)
{
    return is_double ? "double" : "single";
}

// Of second order. With the finest rods single precision's rounding, 3e-7 of the length, is no longer small beside the
// error, so the order is that of the two rows before.
static void expect(const test_study *study)
{
    study_expect_order(study, 1e-3, 2, ROWS - 2);
}

// Drag that is nearly critical for the slowest motion of most rods here, line mass 1.
static sheaf_material_def slowed_material(double bend)
{
    sheaf_material_def material = bench_material(bend, 0.7 * bend);
    material.drag = 7 * sqrt(bend);
    return material;
}

// ---- without weight: forces at the tip

static uint32_t add_loaded(batch *it, uint32_t edges, bool mid_edge, double load)
{
    const sheaf_material_def material = slowed_material(1);
    sheaf_strand_def strand = bench_strand(edges);
    strand.clamp_mid_edge = mid_edge;
    strand.tip.force[2].value = -load;
    return batch_add(it, &material, &strand);
}

// Small enough for the deflection to be linear within 2e-5.
static const double small_load = 0.012;

static double small_deflection(const batch *it, uint32_t strand)
{
    return -batch_tip(it, strand)[2] / (small_load / 3);
}

static void study_small(const batch *it, uint32_t fixed, uint32_t middle, bool is_double)
{
    char title[128];
    snprintf(title, sizeof title, "%s: cantilever, small tip force, first edge fixed: the discrete rod's own answer",
             precision_name(is_double));
    test_study discrete = study_begin(title, 0);
    for (uint32_t k = 0; k < ROWS; k++) {
        const uint32_t edges = 10u << k;
        study_add(&discrete, edges, small_deflection(it, fixed + k), answers_discrete_cantilever(edges));
        assert_true(fabs(discrete.error[k]) < 1e-4);
    }
    test_study continuous = study_begin("clamp plane at mid-edge, against the continuous rod: second order", 0);
    double tip[2];
    answers_elastica(small_load, tip);
    for (uint32_t k = 0; k < ROWS; k++)
        study_add(&continuous, 10u << k, small_deflection(it, middle + k), tip[1] / (small_load / 3));
    expect(&continuous);
}

// Tip of four strands against (x / L, drop / L).
static void study_tip(const batch *it, uint32_t first, const char *what, double load, const double answer[2])
{
    for (int axis = 0; axis < 2; axis++) {
        char title[128];
        snprintf(title, sizeof title, "%s = %g: tip %s, errors as shares of L", what, load,
                 axis == 0 ? "x / L" : "drop / L");
        test_study study = study_begin(title, 1);
        for (uint32_t k = 0; k < ROWS; k++)
            study_add(&study, 16u << k, axis == 0 ? batch_tip(it, first + k)[0] : -batch_tip(it, first + k)[2],
                      answer[axis]);
        expect(&study);
    }
}

static void check_loaded(bool is_double)
{
    static const double loads[] = {1, 10};
    const sheaf_scene_def def = batch_scene();
    batch it = batch_begin(&def);
    uint32_t fixed = 0, middle = 0, first[2] = {0, 0};
    for (uint32_t k = 0; k < ROWS; k++)
        fixed = add_loaded(&it, 10u << k, false, small_load) - k;
    for (uint32_t k = 0; k < ROWS; k++)
        middle = add_loaded(&it, 10u << k, true, small_load) - k;
    for (int c = 0; c < 2; c++)
        for (uint32_t k = 0; k < ROWS; k++)
            first[c] = add_loaded(&it, 16u << k, true, loads[c]) - k;
    batch_open(&it, 0.02, is_double);
    batch_run(&it, 20);
    study_small(&it, fixed, middle, is_double);
    for (int c = 0; c < 2; c++) {
        double answer[2];
        answers_elastica(loads[c], answer);
        study_tip(&it, first[c], "tip load P L^2 / B", loads[c], answer);
    }
    batch_close(&it);
}

static void loaded_cantilevers(void **state)
{
    (void)state;
    check_loaded(false);
    check_loaded(true);
}

// ---- with weight: w = 10

static const double weight = 10;

static uint32_t add_heavy(batch *it, uint32_t edges, double gamma)
{
    const sheaf_material_def material = slowed_material(weight / gamma);
    const sheaf_strand_def strand = bench_strand(edges);
    return batch_add(it, &material, &strand);
}

static const double span = 0.8;

static uint32_t add_catenary(batch *it, uint32_t edges)
{
    double points[16 << ROWS][3];
    sheaf_material_def material = bench_material(1e-8, 1e-8);
    const sheaf_strand_def strand = bench_hanging(edges, span, points);
    material.drag = 7;
    return batch_add(it, &material, &strand);
}

static void study_catenary(const batch *it, uint32_t first)
{
    test_study study = study_begin("catenary, L = 1, span 0.8: sag", 0);
    for (uint32_t k = 0; k < ROWS; k++) {
        const uint32_t edges = 16u << k;
        study_add(&study, edges, -batch_vertices(it, first + k)[edges / 2][2], answers_catenary_sag(span));
    }
    expect(&study);
}

static void check_heavy(bool is_double)
{
    static const double gammas[] = {1, 10, 100};
    sheaf_scene_def def = batch_scene();
    def.gravity[2] = -weight;
    batch it = batch_begin(&def);
    uint32_t first[3] = {0, 0, 0}, catenary = 0;
    for (int c = 0; c < 3; c++)
        for (uint32_t k = 0; k < ROWS; k++)
            first[c] = add_heavy(&it, 16u << k, gammas[c]) - k;
    for (uint32_t k = 0; k < ROWS; k++)
        catenary = add_catenary(&it, 16u << k) - k;
    batch_open(&it, 0.01, is_double);
    batch_run(&it, 20);
    printf("\n%s precision\n", precision_name(is_double));
    for (int c = 0; c < 3; c++) {
        double answer[2];
        answers_heavy_cantilever(gammas[c], answer);
        study_tip(&it, first[c], "heavy cantilever, w L^3 / B", gammas[c], answer);
    }
    study_catenary(&it, catenary);
    batch_close(&it);
}

static void heavy_rods(void **state)
{
    (void)state;
    check_heavy(false);
    check_heavy(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_cantilevers),
        cmocka_unit_test(heavy_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
