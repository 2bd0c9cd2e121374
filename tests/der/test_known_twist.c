// test_known_twist: how much twist a straight rod under tension and a ring can take. Limits from the linearised motion,
// then both sides of them: at rest after a disturbance, and in time.
// labels: slow
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

#include "base/vec.h"

static const double bend = 1, twist = 1.5;
static const double aside[3] = {0, 1, 0};

// ---- Greenhill's problem: clamped at both ends, the tip on a slide under tension, twisted by turning the tip's frame

// Time is the twisting moment M = C turn / L as a share of the continuous rod's limit.
static void open_shaft(test_bench *bench, uint32_t edges, double tension)
{
    const sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(bend, twist);
    sheaf_strand_def strand = bench_strand(edges);
    strand.tip = sheaf_end_clamped();
    strand.tip.slide = true;
    vec_set(strand.tip.slide_axis, 1, 0, 0);
    strand.tip.force[0].value = tension * bend;
    strand.tip.twist = bench_growing(answers_greenhill(tension) * bend / twist);
    bench_open(bench, &scene, &material, &strand);
}

// Twisted while straight, then disturbed along its softest motion: what is left of the twisting moment when it has come
// to rest. The tip slides as far as it likes and the rod may pass through itself, so what buckles may throw off a loop
// and come to rest straight, with two turns less.
static double moment_left(double tension, double load)
{
    enum { EDGES = 64 };
    test_bench bench;
    double softest, mode[EDGES + 1][3];
    open_shaft(&bench, EDGES, tension);
    bench_settle(&bench, load);
    const double moment = ref_twist_moment(&bench.rod, 1);
    assert_int_equal(ref_modes(&bench.rod, load, 1, &softest, mode[0]), SHEAF_OK);
    for (uint32_t i = 0; i <= EDGES; i++)
        vec_axpy(bench.rod.x[i], 1e-3, mode[i]);
    bench_settle(&bench, load);
    const double left = ref_twist_moment(&bench.rod, 1) / moment, lowest = bench_lowest(&bench, load);
    printf("  tension %g, %.2f of the limit, %d edges: comes to rest %.4f L aside with %.4f of the moment\n", tension,
           load, EDGES, bench_out_of_plane(&bench, aside), left);
    assert_true(lowest > -1e-3); // 0 where the buckled rod may turn about the line of the tension
    bench_close(&bench);
    return left;
}

static void twisted_shaft(void **state)
{
    (void)state;
    static const double tensions[] = {1, 10, 100};
    for (int k = 0; k < 3; k++) {
        char title[96];
        snprintf(title, sizeof title, "twist buckling, tension T L^2 / B = %g: M L / B", tensions[k]);
        test_study study = study_begin(title, 0);
        for (uint32_t edges = 16; edges <= 128; edges *= 2) {
            test_bench bench;
            open_shaft(&bench, edges, tensions[k]);
            const double limit = answers_greenhill(tensions[k]);
            study_add(&study, edges, limit * bench_threshold(&bench, 0.9, 1.15), limit);
            bench_close(&bench);
            if (edges >= 64)
                assert_true(fabs(study.error[study.count - 1]) < 0.01);
        }
        study_expect(&study, 0.005, 2);
        assert_close(moment_left(tensions[k], 0.97), 1, 1e-9);
        assert_true(moment_left(tensions[k], 1.03) < 0.9);
    }
}

// ---- Michell's ring

static const double ring_limit_ratios[] = {0.5, 1, 2}; // C / B

static void set_ring_twist(test_bench *bench, double load)
{
    bench->rod.closing_twist = load * answers_michell(bench->rod.bend[0][0], bench->rod.twist[0]);
}

static void open_ring(test_bench *bench, uint32_t edges, double ratio, double drag)
{
    const sheaf_scene_def scene = bench_scene();
    sheaf_material_def material = bench_material(bend, ratio * bend);
    sheaf_strand_def strand = bench_strand(edges - 1); // as many vertices as edges
    material.drag = drag;
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.closed = true;
    strand.radius = 1;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.root = strand.tip = sheaf_end_free();
    vec_set(strand.direction, 0, 0, 1);
    vec_set(strand.normal, 1, 0, 0);
    bench_open(bench, &scene, &material, &strand);
    bench->set_load = set_ring_twist;
}

static void limit_of_ring(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        char title[96];
        const double limit = answers_michell(1, ring_limit_ratios[k]);
        snprintf(title, sizeof title, "Michell's ring, C / B = %g: twist at which it leaves its plane, rad",
                 ring_limit_ratios[k]);
        test_study study = study_begin(title, 0);
        for (uint32_t edges = 16; edges <= 128; edges *= 2) {
            test_bench bench;
            open_ring(&bench, edges, ring_limit_ratios[k], 0);
            study_add(&study, edges, limit * bench_threshold(&bench, 0.9, 1.2), limit);
            bench_close(&bench);
        }
        study_expect(&study, 0.005, 2);
    }
}

// Height of the ring's wave of two periods above its mean plane.
static double second_wave(const test_bench *bench)
{
    const uint32_t n = bench->rod.vertex_count;
    double c = 0, s = 0;
    for (uint32_t i = 0; i < n; i++) {
        c += 2.0 / n * bench->rod.x[i][2] * cos(4 * PI * i / n);
        s += 2.0 / n * bench->rod.x[i][2] * sin(4 * PI * i / n);
    }
    return hypot(c, s);
}

static const double ring_drag = 0.4, first_wave = 1e-4;

static void open_disturbed_ring(test_bench *bench, uint32_t edges, double load)
{
    open_ring(bench, edges, 1, ring_drag);
    set_ring_twist(bench, load);
    for (uint32_t i = 0; i < edges; i++)
        bench->rod.x[i][2] += first_wave * cos(4 * PI * i / edges);
    assert_int_equal(ref_start(&bench->rod, 0), SHEAF_OK);
}

// Runs until the wave has grown a hundredfold or `duration` has passed. Returns the largest wave of the last third in
// units of the first, and the rate of growth from ten times the first wave on.
static double simulate_ring(uint32_t edges, double load, double duration, double *rate)
{
    test_bench bench;
    open_disturbed_ring(&bench, edges, load);
    double limit, largest = 0, wave = first_wave, tenfold = 0, time = 0;
    assert_int_equal(ref_explicit_limit(&bench.rod, &limit), SHEAF_OK);
    const double step = 0.4 * limit;
    for (uint32_t k = 0; time < duration && wave < 100 * first_wave; k++, time = k * step) {
        assert_int_equal(ref_step(&bench.rod, time, step), SHEAF_OK);
        wave = second_wave(&bench);
        if (wave < 10 * first_wave)
            tenfold = time;
        if (time > duration * 2 / 3 || wave >= 100 * first_wave)
            largest = fmax(largest, wave);
    }
    *rate = log(wave / (10 * first_wave)) / (time - tenfold);
    bench_close(&bench);
    printf("  %.2f of the limit, %u edges: after %.3g s the wave is %.4g of the first\n", load, edges, time,
           largest / first_wave);
    return largest / first_wave;
}

// omega^2 < 0 and drag c: the wave grows as exp(rate t), rate^2 + c rate + omega^2 = 0 (1 kg/m).
static double linear_rate(uint32_t edges, double load)
{
    test_bench bench;
    open_ring(&bench, edges, 1, ring_drag);
    bench_settle(&bench, load);
    const double lowest = bench_lowest(&bench, load);
    bench_close(&bench);
    return sqrt(ring_drag * ring_drag / 4 - lowest) - ring_drag / 2;
}

static void ring_in_time(void **state)
{
    (void)state;
    const uint32_t edges = 64;
    double rate;
    printf("\nMichell's ring in time, C / B = 1, disturbed by 1e-4 R, with drag\n");
    assert_true(simulate_ring(edges, 0.95, 20, &rate) < 0.2);
    assert_true(simulate_ring(edges, 1.05, 60, &rate) > 99);
    const double expected = linear_rate(edges, 1.05);
    printf("  it grows at %.5f /s; the linearised motion says %.5f /s\n", rate, expected);
    assert_close(rate / expected, 1, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twisted_shaft),
        cmocka_unit_test(limit_of_ring),
        cmocka_unit_test(ring_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
