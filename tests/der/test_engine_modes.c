// test_engine_modes: small vibrations of cantilevers and hanging chains on the engine, in single and double precision,
// all variants at once: frequencies from the times at which the tip passes through its place of rest. The reference
// finds the same frequencies in test_known_modes.
// labels: slow;device
#include "batch.h"
#include "bench.h"
#include "reproduce/answers.h"
#include "study.h"

#include "base/vec.h"

enum { ROWS = 3, MODES = 3, VERTICES_MOST = 130, STRANDS_MOST = MODES * ROWS };

// Of second order from 16 to 32 edges; with 64, the error of the time step shows as well.
static void expect(const test_study *study)
{
    study_expect_order(study, 1e-3, 2, 1);
}

// ---- passages of the tips

typedef struct passages {
    uint32_t count; // upward ones
    double first, last, before;
} passages;

// z of the tip at `time`, and at the time before a step of `step`.
static void note(passages *p, double z, double time, double step)
{
    if (p->before < 0 && z >= 0) {
        p->last = time - step * z / (z - p->before);
        if (p->count++ == 0)
            p->first = p->last;
    }
    p->before = z;
}

// Angular frequency of each strand's tip along `axis`, from all its passages in `duration`.
static void listen(batch *it, double step, double duration, int axis, double *omega)
{
    passages heard[STRANDS_MOST] = {{0}};
    for (double time = step; time < duration; time += step) {
        batch_run(it, time);
        for (uint32_t s = 0; s < it->count; s++)
            note(&heard[s], batch_tip(it, s)[axis], time, step);
    }
    for (uint32_t s = 0; s < it->count; s++) {
        assert_true(heard[s].count >= 2);
        omega[s] = 2 * PI * (heard[s].count - 1) / (heard[s].last - heard[s].first);
    }
}

// ---- a weightless cantilever in the shape of one of its modes

// Deflection of a mode, 2 at the tip.
static double mode_shape(double beta, double s)
{
    const double ratio = (cosh(beta) + cos(beta)) / (sinh(beta) + sin(beta));
    return cosh(beta * s) - cos(beta * s) - ratio * (sinh(beta * s) - sin(beta * s));
}

static void add_cantilever(batch *it, uint32_t edges, int mode)
{
    double points[VERTICES_MOST][3];
    const double l = 1 / (edges - 0.5), beta = answers_cantilever_mode(mode);
    const sheaf_material_def material = bench_material(1, 0.7);
    sheaf_strand_def strand = bench_strand(edges);
    for (uint32_t i = 0; i <= edges; i++) {
        const double s = (i - 0.5) * l;
        vec_set(points[i], s, 0, i < 2 ? 0 : -1e-3 * mode_shape(beta, s) / mode);
    }
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    batch_add(it, &material, &strand);
}

static void check_cantilevers(bool is_double)
{
    const sheaf_scene_def def = batch_scene();
    double omega[STRANDS_MOST];
    batch it = batch_begin(&def);
    for (int mode = 1; mode <= MODES; mode++)
        for (uint32_t row = 0; row < ROWS; row++)
            add_cantilever(&it, 16u << row, mode);
    batch_open(&it, 5e-4, is_double);
    listen(&it, 2e-3, 6, 2, omega);
    batch_close(&it);
    for (int mode = 1; mode <= MODES; mode++) {
        char title[64];
        snprintf(title, sizeof title, "%s: cantilever, mode %d: beta L", is_double ? "double" : "single", mode);
        test_study study = study_begin(title, 0);
        for (uint32_t row = 0; row < ROWS; row++)
            study_add(&study, 16u << row, sqrt(omega[(uint32_t)(mode - 1) * ROWS + row]),
                      answers_cantilever_mode(mode));
        expect(&study);
    }
}

static void cantilevers(void **state)
{
    (void)state;
    check_cantilevers(false);
    check_cantilevers(true);
}

// ---- a chain that hangs from a pin

static const double gravity = 9.81;

// J_0(2 x sqrt(s)), s from the free end: the shape of a swing.
static void add_chain(batch *it, uint32_t edges)
{
    double points[VERTICES_MOST][3];
    const double x = answers_chain_mode();
    const sheaf_material_def material = bench_material(1e-9, 1e-9);
    sheaf_strand_def strand = bench_strand(edges);
    for (uint32_t i = 0; i <= edges; i++) {
        const double s = 1 - (double)i / edges;
        vec_set(points[i], -1e-3 * answers_chain_condition(x * sqrt(s), 0), 0, -(double)i / edges);
    }
    strand.shape = SHEAF_SHAPE_POINTS;
    strand.points = points[0];
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.root = sheaf_end_pinned();
    vec_set(strand.normal, 0, 1, 0);
    batch_add(it, &material, &strand);
}

static void check_chains(bool is_double)
{
    sheaf_scene_def def = batch_scene();
    double omega[STRANDS_MOST];
    def.gravity[2] = -gravity;
    batch it = batch_begin(&def);
    for (uint32_t row = 0; row < ROWS; row++)
        add_chain(&it, 16u << row);
    batch_open(&it, 2e-3, is_double);
    listen(&it, 4e-3, 10, 0, omega);
    batch_close(&it);
    char title[64];
    snprintf(title, sizeof title, "%s: hanging chain: omega sqrt(L / g)", is_double ? "double" : "single");
    test_study study = study_begin(title, 0);
    for (uint32_t row = 0; row < ROWS; row++)
        study_add(&study, 16u << row, omega[row] / sqrt(gravity), answers_chain_mode());
    expect(&study);
}

static void hanging_chains(void **state)
{
    (void)state;
    check_chains(false);
    check_chains(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cantilevers),
        cmocka_unit_test(hanging_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
