// test_engine_helix: a straight rod, clamped at both ends, twisted by 27 turns and pushed together, winds up into a
// localised helix (the paper's figure 7), on the engine in single and double precision.
// labels: slow;device
#include "batch.h"
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

#include "base/vec.h"

static const double length = 9.29, bend = 1.345, twist = 0.789, turns = 27, shortening = 0.3;

enum { ROWS = 3, EDGES_LEAST = 128, EDGES_MOST = EDGES_LEAST << (ROWS - 1) };

// ---- the answer: cos phi = cos phi0 + (1 - cos phi0) tanh^2(s / s*), phi the angle between tangent and axis

// s* from the shortening, the integral of 1 - cos phi.
static double helix_width(double phi0)
{
    return shortening / (2 * (1 - cos(phi0)));
}

// Turns that are imposed, less those that twist (M L / C, M = 2 B / s* tan(phi0 / 2)) and the helix (2 phi0) take up.
static double helix_condition(double phi0, double unused)
{
    (void)unused;
    const double moment = 2 * bend / (helix_width(phi0) * tan(phi0 / 2));
    return 2 * PI * turns - moment * length / twist - 2 * phi0;
}

// ---- the rod

static sheaf_course ramp(double value)
{
    return (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = value, .duration = 10, .smooth = true};
}

static void add_rod(batch *it, uint32_t edges)
{
    double points[EDGES_MOST + 1][3];
    const double l = length / (edges - 1);
    sheaf_material_def material = bench_material(bend, twist);
    sheaf_strand_def strand = bench_strand(edges);
    material.drag = 10;
    for (uint32_t i = 0; i <= edges; i++) {
        const double x = (i - 0.5) * l, s = fmin(fmax(x - l / 2, 0) / (length - l), 1);
        vec_set(points[i], x, 0, 0.02 * pow(sin(PI * s), 8)); // a bump in the middle to begin with
    }
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.tip = sheaf_end_clamped();
    strand.tip.move[0] = ramp(-shortening);
    strand.tip.twist = ramp(2 * PI * turns);
    batch_add(it, &material, &strand);
}

// ---- what came of it

typedef struct helix {
    double cosine[EDGES_MOST]; // of phi, by edge
    double least;              // of all, between edges
    double middle;             // edges from the root to there
} helix;

static void read_helix(const batch *it, uint32_t strand, helix *found)
{
    const double(*x)[3] = batch_vertices(it, strand);
    const uint32_t edges = batch_vertex_count(it, strand) - 1;
    uint32_t at = 0;
    for (uint32_t j = 0; j < edges; j++) {
        double edge[3];
        vec_sub(edge, x[j + 1], x[j]);
        found->cosine[j] = edge[0] / vec_length(edge);
        if (found->cosine[j] < found->cosine[at])
            at = j;
    }
    assert_true(at > 0 && at + 1 < edges);
    const double before = found->cosine[at - 1], here = found->cosine[at], after = found->cosine[at + 1];
    const double offset = (before - after) / (2 * (before - 2 * here + after)); // the parabola's lowest place
    found->least = here - (before - after) * offset / 4;
    found->middle = at + offset;
}

// Largest distance of the envelope (cos phi - cos phi0) / (1 - cos phi0) from tanh^2(s / s*).
static double envelope_error(const helix *found, uint32_t edges, double width)
{
    double most = 0;
    for (uint32_t j = 0; j < edges; j++) {
        const double s = (j - found->middle) * length / (edges - 1);
        const double envelope = (found->cosine[j] - found->least) / (1 - found->least);
        most = fmax(most, fabs(envelope - pow(tanh(s / width), 2)));
    }
    return most;
}

static void check(bool is_double)
{
    static helix found;
    const double phi0 = answers_root(helix_condition, 0, 0.5, 1.4);
    const sheaf_scene_def def = batch_scene();
    batch it = batch_begin(&def);
    for (uint32_t row = 0; row < ROWS; row++)
        add_rod(&it, (uint32_t)EDGES_LEAST << row);
    batch_open(&it, 0.01, is_double);
    batch_run(&it, 20);
    printf("\n%s precision\n", is_double ? "double" : "single");
    test_study study = study_begin("localised helix: largest angle phi0 between tangent and axis, rad", 0);
    for (uint32_t row = 0; row < ROWS; row++) {
        read_helix(&it, row, &found);
        study_add(&study, EDGES_LEAST << row, acos(found.least), phi0);
    }
    const double envelope = envelope_error(&found, EDGES_MOST, helix_width(phi0));
    const double limit = (4 * study.error[ROWS - 1] - study.error[ROWS - 2]) / 3;
    printf("s* = %.4f m; envelope off by %.4f at most; phi0 extrapolated to fine edges is off by %.3f %%\n",
           helix_width(phi0), envelope, 100 * limit);
    batch_close(&it);
    assert_close(phi0, 0.918550, 1e-6);
    assert_close(helix_width(phi0), 0.3817, 1e-4);
    study_expect(&study, 0.01, 2);
    assert_true(fabs(limit) < 1e-3);
    assert_true(envelope < 0.02);
}

static void twisted_rod_winds_up(void **state)
{
    (void)state;
    check(false);
    check(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twisted_rod_winds_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
