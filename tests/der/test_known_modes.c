// test_known_modes: frequencies of small vibrations, from the linearised motion and from motion in time.
// labels: slow
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

#include "base/vec.h"

static const double bend = 1, twist = 0.7;

static void open_cantilever(test_bench *bench, uint32_t edges)
{
    const sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(bend, twist);
    const sheaf_strand_def strand = bench_strand(edges);
    bench_open(bench, &scene, &material, &strand);
}

// A round cantilever has every frequency twice, once for each direction.
static void cantilever(void **state)
{
    (void)state;
    for (int mode = 1; mode <= 3; mode++) {
        char title[64];
        snprintf(title, sizeof title, "cantilever, mode %d: beta L", mode);
        test_study study = study_begin(title, 0);
        for (uint32_t edges = 16; edges <= 128; edges *= 2) {
            double eigenvalues[6];
            test_bench bench;
            open_cantilever(&bench, edges);
            bench_settle(&bench, 0);
            assert_int_equal(ref_modes(&bench.rod, 0, 6, eigenvalues, NULL), SHEAF_OK);
            assert_close(eigenvalues[2 * mode - 1] / eigenvalues[2 * mode - 2], 1, 1e-6);
            study_add(&study, edges, pow(eigenvalues[2 * mode - 1] / bend, 0.25), answers_cantilever_mode(mode));
            bench_close(&bench);
        }
        study_expect(&study, 5e-3, 2);
    }
}

// Hangs from a pin; what is left of bending makes it faster by about sqrt(B / w L^3).
static void hanging_chain(void **state)
{
    (void)state;
    const double gravity = 9.81;
    test_study study = study_begin("hanging chain: omega sqrt(L / g)", 0);
    for (uint32_t edges = 16; edges <= 128; edges *= 2) {
        double eigenvalue;
        test_bench bench;
        sheaf_scene_def scene = bench_scene();
        const sheaf_material_def material = bench_material(1e-10 * gravity, 1e-10 * gravity);
        sheaf_strand_def strand = bench_strand(edges);
        scene.gravity[2] = -gravity;
        vec_set(strand.direction, 0, 0, -1);
        vec_set(strand.normal, 1, 0, 0);
        strand.root = sheaf_end_pinned();
        bench_open(&bench, &scene, &material, &strand);
        bench_settle(&bench, 0);
        assert_int_equal(ref_modes(&bench.rod, 0, 1, &eigenvalue, NULL), SHEAF_OK);
        study_add(&study, edges, sqrt(eigenvalue / gravity), answers_chain_mode());
        bench_close(&bench);
    }
    study_expect(&study, 5e-3, 2);
}

// ---- the cantilever's first mode in time

// Mean time between the tip's upward passages through rest, found by linear interpolation.
static double measure_period(test_bench *bench, double step, uint32_t passages)
{
    const double(*x)[3] = (const double(*)[3])bench->rod.x;
    const uint32_t tip = bench->rod.vertex_count - 1;
    double first = 0, time = 0, before = x[tip][2];
    for (uint32_t passed = 0; passed < passages; time += step) {
        assert_int_equal(ref_step(&bench->rod, time, step), SHEAF_OK);
        assert_true(time < 100);
        const double now = x[tip][2];
        if (before < 0 && now >= 0) {
            const double crossing = time + step * before / (before - now);
            if (passed++ == 0)
                first = crossing;
            else if (passed == passages)
                return (crossing - first) / (passages - 1);
        }
        before = now;
    }
    return INFINITY;
}

// Bends the strand upwards by the combination of its first two modes that leaves the tip's y alone.
static void bend_along_first_mode(test_bench *bench, const double *modes)
{
    const uint32_t tip = bench->rod.vertex_count - 1;
    const double *one = modes, *two = modes + 3 * (tip + 1);
    const double one_aside = one[3 * tip + 1], two_aside = two[3 * tip + 1];
    const double height = two_aside * one[3 * tip + 2] - one_aside * two[3 * tip + 2];
    for (uint32_t i = 0; i <= tip; i++)
        bench->rod.x[i][2] += 1e-3 / height * (two_aside * one[3 * i + 2] - one_aside * two[3 * i + 2]);
}

static double simulated_beta(uint32_t edges, double *linear_beta)
{
    double eigenvalues[2], modes[2 * 65 * 3], limit;
    test_bench bench;
    open_cantilever(&bench, edges);
    assert_int_equal(ref_modes(&bench.rod, 0, 2, eigenvalues, modes), SHEAF_OK);
    bend_along_first_mode(&bench, modes);
    assert_int_equal(ref_start(&bench.rod, 0), SHEAF_OK);
    assert_int_equal(ref_explicit_limit(&bench.rod, &limit), SHEAF_OK);
    const double period = measure_period(&bench, 0.4 * limit, 3);
    bench_close(&bench);
    *linear_beta = pow(eigenvalues[0] / bend, 0.25);
    return sqrt(2 * PI / period / sqrt(bend));
}

static void cantilever_in_time(void **state)
{
    (void)state;
    test_study study = study_begin("cantilever in time, explicit steps: beta L from the tip's passages", 0);
    for (uint32_t edges = 8; edges <= 32; edges *= 2) {
        double linear_beta;
        const double beta = simulated_beta(edges, &linear_beta);
        study_add(&study, edges, beta, answers_cantilever_mode(1));
        assert_close(beta / linear_beta, 1, 1e-4);
    }
    study_expect(&study, 5e-3, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilever),
        cmocka_unit_test(hanging_chain),
        cmocka_unit_test(cantilever_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
