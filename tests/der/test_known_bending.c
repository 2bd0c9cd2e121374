// test_known_bending: bent and twisted equilibria whose shape is known, each with a study of how fast the discrete rod
// comes near it.
// labels: slow
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

static const double bend = 1, twist = 0.7;

static void open_strand(test_bench *bench, const sheaf_scene_def *scene, const sheaf_strand_def *strand)
{
    const sheaf_material_def material = bench_material(bend, twist);
    bench_open(bench, scene, &material, strand);
}

static const double *tip_of(const test_bench *bench)
{
    return bench->rod.x[bench->rod.vertex_count - 1];
}

// ---- small force at the tip

// Deflection in units of F L^3 / 3 B.
static double small_deflection(uint32_t edges, bool mid_edge)
{
    const double force = 1e-4;
    test_bench bench;
    const sheaf_scene_def scene = bench_scene();
    sheaf_strand_def strand = bench_strand(edges);
    strand.clamp_mid_edge = mid_edge;
    strand.tip.force[2].value = -force;
    open_strand(&bench, &scene, &strand);
    bench_settle(&bench, 0);
    const double deflection = -tip_of(&bench)[2];
    bench_close(&bench);
    return deflection / (force / (3 * bend));
}

static void discrete_cantilever(void **state)
{
    (void)state;
    test_study discrete =
        study_begin("cantilever, small tip force, first edge fixed: the discrete rod's own answer", 0);
    for (uint32_t edges = 10; edges <= 80; edges *= 2) {
        study_add(&discrete, edges, small_deflection(edges, false), answers_discrete_cantilever(edges));
        assert_true(fabs(discrete.error[discrete.count - 1]) < 1e-4);
    }
    test_study vertex = study_begin("the same against the continuous rod: first order", 0);
    for (uint32_t edges = 10; edges <= 80; edges *= 2)
        study_add(&vertex, edges, small_deflection(edges, false), 1);
    study_expect(&vertex, 0.02, 1);
    test_study middle = study_begin("clamp plane at mid-edge: second order", 0);
    for (uint32_t edges = 10; edges <= 80; edges *= 2)
        study_add(&middle, edges, small_deflection(edges, true), 1);
    study_expect(&middle, 1e-3, 2);
}

// ---- large bending by weight or by a force at the tip

typedef struct bending_case {
    bool heavy; // w L^3 / B, else P L^2 / B
    double load;
} bending_case;

static void settle_case(const bending_case *c, uint32_t edges, bool mid_edge, double tip[2])
{
    test_bench bench;
    sheaf_scene_def scene = bench_scene();
    sheaf_strand_def strand = bench_strand(edges);
    strand.clamp_mid_edge = mid_edge;
    if (c->heavy)
        scene.gravity[2] = -c->load * bend;
    else
        strand.tip.force[2].value = -c->load * bend;
    open_strand(&bench, &scene, &strand);
    bench_settle(&bench, 0);
    tip[0] = tip_of(&bench)[0];
    tip[1] = -tip_of(&bench)[2];
    bench_close(&bench);
}

static void study_case(const bending_case *c, bool mid_edge, double most_error, double order)
{
    enum { ROWS = 4 };
    double answer[2], tip[ROWS][2];
    (c->heavy ? answers_heavy_cantilever : answers_elastica)(c->load, answer);
    for (uint32_t k = 0; k < ROWS; k++)
        settle_case(c, 16u << k, mid_edge, tip[k]);
    for (int axis = 0; axis < 2; axis++) {
        char title[128];
        snprintf(title, sizeof title, "cantilever, %s = %g, %s clamp: tip %s, errors as shares of L",
                 c->heavy ? "w L^3 / B" : "tip load P L^2 / B", c->load, mid_edge ? "mid-edge" : "vertex",
                 axis == 0 ? "x / L" : "drop / L");
        test_study study = study_begin(title, 1);
        for (uint32_t k = 0; k < ROWS; k++)
            study_add(&study, 16u << k, tip[k][axis], answer[axis]);
        study_expect(&study, most_error, order);
    }
}

static void bent_cantilevers(void **state)
{
    (void)state;
    static const bending_case cases[] = {{true, 1}, {true, 10}, {true, 100}, {false, 1}, {false, 10}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        study_case(&cases[k], true, 1e-3, 2);
    study_case(&cases[1], false, 0.02, 1);
}

// ---- couples at the tip

// A couple M across the rod bends every vertex alike. The energy of a vertex is B kb^2 / 2 l with kb = 2 tan(phi / 2),
// so M = dE/dphi = B / l kb (1 + kb^2 / 4).
static void couple_bends_to_an_arc(void **state)
{
    (void)state;
    const double couple = 3;
    test_study study = study_begin("cantilever, couple M L / B = 3 across the tip: curvature L", 0);
    for (uint32_t edges = 16; edges <= 64; edges *= 2) {
        test_bench bench;
        const sheaf_scene_def scene = bench_scene();
        sheaf_strand_def strand = bench_strand(edges);
        strand.tip.couple[1].value = -couple * bend; // from x towards z
        open_strand(&bench, &scene, &strand);
        bench_settle(&bench, 0);
        const double l = bench.rod.rest_length[0];
        double sum = 0;
        for (uint32_t i = 1; i < edges; i++) {
            const double *kb = bench.rod.kb[i];
            assert_close(-kb[1] * (1 + kb[1] * kb[1] / 4), couple * l, 1e-10);
            assert_close(hypot(kb[0], kb[2]), 0, 1e-10);
            sum += -kb[1];
        }
        study_add(&study, edges, sum / (l * (edges - 1)), couple);
        bench_close(&bench);
    }
    study_expect(&study, 1e-3, 2);
}

static void couple_twists_uniformly(void **state)
{
    (void)state;
    const uint32_t edges = 24;
    const double couple = 2;
    test_bench bench;
    const sheaf_scene_def scene = bench_scene();
    sheaf_strand_def strand = bench_strand(edges);
    strand.tip.couple[0].value = couple;
    open_strand(&bench, &scene, &strand);
    bench_settle(&bench, 0);
    const double l = bench.rod.rest_length[0], turn = bench.rod.theta[edges - 1] - bench.rod.theta[0];
    for (uint32_t i = 1; i < edges; i++)
        assert_close(bench.rod.m[i], couple * l / twist, 1e-10);
    assert_close(turn, couple * l * (edges - 1) / twist, 1e-9);
    printf("\ncouple M along the tip: twist %.9f rad over the %.9f m between end edges, M L / C = %.9f\n", turn,
           l * (edges - 1), couple * l * (edges - 1) / twist);
    bench_close(&bench);
}

// ---- hanging between two pins

// Sag below the pins, of a strand of length 1, its bending stiffness a billionth of w L^3.
static double sag_of_catenary(uint32_t edges, double span)
{
    double points[129][3];
    test_bench bench;
    sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(1e-9, 1e-9);
    const sheaf_strand_def strand = bench_hanging(edges, span, points);
    scene.gravity[2] = -1;
    bench_open(&bench, &scene, &material, &strand);
    bench_settle(&bench, 0);
    const double sag = -bench.rod.x[edges / 2][2];
    bench_close(&bench);
    return sag;
}

static void catenary(void **state)
{
    (void)state;
    const double span = 0.8;
    test_study study = study_begin("catenary, L = 1, span 0.8: sag", 0);
    for (uint32_t edges = 16; edges <= 128; edges *= 2)
        study_add(&study, edges, sag_of_catenary(edges, span), answers_catenary_sag(span));
    study_expect(&study, 1e-3, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrete_cantilever),
        cmocka_unit_test(bent_cantilevers),
        cmocka_unit_test(couple_bends_to_an_arc),
        cmocka_unit_test(couple_twists_uniformly),
        cmocka_unit_test(catenary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
