// test_statics: equilibria and modes of strands of every kind. What is found is checked without the solver's own
// equations: by the energy of turned poses, by the resultant forces along the strand, by the energy along modes.
#include "bench.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static const double pi = 3.14159265358979323846;

// ---- strands

// A clamped helix of elliptic section, naturally curved and twisted, that hangs askew.
static void open_helix(test_bench *bench, uint32_t vertices)
{
    sheaf_scene_def scene = bench_scene();
    sheaf_material_def material = bench_material(0.02, 0.015);
    sheaf_strand_def strand = bench_strand(vertices - 1);
    material.bend[1] = 0.005;
    vec_set(scene.gravity, 0, 0.3, -0.9);
    strand.shape = SHEAF_SHAPE_HELIX;
    strand.radius = 0.1;
    strand.pitch = 0.15;
    strand.natural_twist = 0.4;
    bench_open(bench, &scene, &material, &strand);
}

static void open_ring(test_bench *bench, uint32_t vertices)
{
    const sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(1, 0.8);
    sheaf_strand_def strand = bench_strand(vertices - 1);
    strand.shape = SHEAF_SHAPE_CIRCLE;
    strand.closed = true;
    strand.radius = 1;
    strand.natural = SHEAF_NATURAL_STRAIGHT;
    strand.root = strand.tip = sheaf_end_free();
    vec_set(strand.direction, 0, 0, 1);
    vec_set(strand.normal, 1, 0, 0);
    bench_open(bench, &scene, &material, &strand);
}

static void open_straight(test_bench *bench, uint32_t edges, sheaf_end_def root, sheaf_end_def tip, double gravity)
{
    sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(1, 0.7);
    sheaf_strand_def strand = bench_strand(edges);
    scene.gravity[2] = -gravity;
    strand.root = root;
    strand.tip = tip;
    bench_open(bench, &scene, &material, &strand);
}

static sheaf_status try_settle(test_bench *bench, double time, uint32_t iterations, double *residual)
{
    ref_statics_options options = ref_statics_default();
    ref_statics_result result;
    options.iterations = iterations;
    const sheaf_status status = ref_equilibrium(&bench->rod, time, &options, &result);
    *residual = result.residual;
    return status;
}

// ---- equilibria

// Total energy with frames in equilibrium and everything behind vertex i of `pose` turned about an axis through it.
static double energy_when_turned(test_bench *bench, const double (*pose)[3], uint32_t i, const double axis[3],
                                 double angle)
{
    ref_rod *rod = &bench->rod;
    const ref_twist_options twist = ref_twist_converged();
    for (uint32_t k = 0; k < rod->vertex_count; k++) {
        double arm[3];
        vec_sub(arm, pose[k], pose[i]);
        vec_rotate(arm, arm, axis, k > i ? angle : 0);
        vec_add(rod->x[k], pose[i], arm);
    }
    ref_frames(rod);
    assert_int_equal(ref_twist(rod, &twist), SHEAF_OK);
    return ref_bending_energy(rod) + ref_twisting_energy(rod) +
           ref_gravitational_energy(rod, bench->model->def.gravity);
}

// In equilibrium no part of the strand gains energy by turning about any vertex and axis.
static void energy_is_stationary(void **state)
{
    (void)state;
    enum { VERTICES = 21 };
    const double turn = 1e-3;
    double pose[VERTICES][3];
    test_bench bench;
    open_helix(&bench, VERTICES);
    bench_settle(&bench, 0);
    memcpy(pose, bench.rod.x, sizeof pose);
    for (uint32_t i = 1; i + 1 < VERTICES; i++) {
        for (int c = 0; c < 3; c++) {
            const double axis[3] = {c == 0, c == 1, c == 2};
            const double change =
                (energy_when_turned(&bench, pose, i, axis, turn) - energy_when_turned(&bench, pose, i, axis, -turn)) -
                (energy_when_turned(&bench, pose, i, axis, 2 * turn) -
                 energy_when_turned(&bench, pose, i, axis, -2 * turn)) /
                    8;
            assert_close(change / (1.5 * turn), 0, 2e-9);
        }
    }
    bench_close(&bench);
}

// Forces behind an edge must pull along it; what is left across it bounds the residual from below.
static double force_across_edges(test_bench *bench)
{
    ref_rod *rod = &bench->rod;
    double behind[3] = {0, 0, 0}, worst = 0;
    memset(rod->force, 0, rod->vertex_count * sizeof rod->force[0]);
    ref_frames(rod);
    ref_curvature(rod);
    ref_twist_gradient(rod);
    ref_bend_twist_forces(rod);
    ref_external_forces(rod, 0);
    for (uint32_t j = rod->edge_count; j-- > 1;) {
        double across[3];
        vec_add(behind, behind, rod->force[j + 1]);
        vec_copy(across, behind);
        vec_axpy(across, -vec_dot(behind, rod->tangent[j]), rod->tangent[j]);
        worst = fmax(worst, vec_length(across));
    }
    return worst;
}

static void residual_is_what_forces_say(void **state)
{
    (void)state;
    test_bench bench;
    double residual;
    open_helix(&bench, 31);
    assert_int_equal(try_settle(&bench, 0, 0, &residual), SHEAF_ERR_FAILED);
    assert_non_null(strstr(sheaf_last_error(), "residual"));
    const double before = force_across_edges(&bench);
    assert_true(residual > 1e-3 && residual < 10 * before);
    assert_int_equal(try_settle(&bench, 0, 60, &residual), SHEAF_OK);
    assert_true(residual < 1e-9);
    assert_true(force_across_edges(&bench) < 30 * 1e-9);
    for (uint32_t i = 0; i < bench.rod.vertex_count; i++)
        assert_true(vec_length(bench.rod.v[i]) == 0);
    for (uint32_t j = 0; j < bench.rod.edge_count; j++)
        assert_close(bench.rod.length[j] / bench.rod.rest_length[j], 1, 1e-12);
    bench_close(&bench);
}

// A squashed ring without holds springs back to a circle, wherever it then lies.
static void ring_becomes_round(void **state)
{
    (void)state;
    const uint32_t vertices = 24;
    test_bench bench;
    open_ring(&bench, vertices);
    for (uint32_t i = 0; i < vertices; i++) {
        bench.rod.x[i][0] *= 1.3;
        bench.rod.x[i][1] *= 0.6;
        bench.rod.x[i][2] += 0.05 * sin(3 * bench.rod.x[i][0]);
    }
    bench_settle(&bench, 0);
    const double angle = 2 * pi / vertices;
    for (uint32_t i = 0; i < vertices; i++) {
        assert_close(vec_length(bench.rod.kb[i]), 2 * tan(angle / 2), 1e-8);
        assert_close(vec_dot(bench.rod.kb[i], bench.rod.kb[0]), pow(2 * tan(angle / 2), 2), 1e-8);
    }
    bench_close(&bench);
}

static void smallest_strand(void **state)
{
    (void)state;
    test_bench bench;
    open_straight(&bench, 2, sheaf_end_clamped(), sheaf_end_free(), 2);
    bench_settle(&bench, 0);
    const double l = bench.rod.rest_length[1], phi = atan2(-bench.rod.tangent[1][2], bench.rod.tangent[1][0]);
    const double weight = 2 * bench.rod.mass[2], kb = 2 * tan(phi / 2);
    assert_close(kb * (1 + kb * kb / 4) / l, weight * l * cos(phi), 1e-10);
    bench_close(&bench);
}

// Without holds there is no end to falling; with too little slack there is no pose.
static void hopeless_cases(void **state)
{
    (void)state;
    test_bench bench;
    double residual;
    open_straight(&bench, 8, sheaf_end_free(), sheaf_end_free(), 1);
    assert_int_equal(try_settle(&bench, 0, 20, &residual), SHEAF_ERR_FAILED);
    assert_true(residual > 0.01);
    bench_close(&bench);

    sheaf_end_def pulled = sheaf_end_pinned();
    pulled.move[0] = bench_growing(1);
    open_straight(&bench, 8, sheaf_end_pinned(), pulled, 1);
    assert_int_equal(try_settle(&bench, 0.1, 20, &residual), SHEAF_ERR_FAILED);
    assert_non_null(strstr(sheaf_last_error(), "held ends"));
    bench_close(&bench);

    open_straight(&bench, 2000, sheaf_end_clamped(), sheaf_end_free(), 1);
    assert_int_equal(try_settle(&bench, 0, 20, &residual), SHEAF_ERR_LIMIT);
    assert_non_null(strstr(sheaf_last_error(), "2001"));
    bench_close(&bench);

    open_straight(&bench, 2, sheaf_end_clamped(), sheaf_end_free(), 1);
    assert_int_equal(ref_modes(&bench.rod, 0, 3, &residual, NULL), SHEAF_ERR_USAGE);
    bench_close(&bench);
}

// A straight strand between two pins has one length too many, and still sags by nothing but its bending.
static void taut_strand(void **state)
{
    (void)state;
    test_bench bench;
    open_straight(&bench, 12, sheaf_end_clamped(), sheaf_end_pinned(), 0);
    bench_settle(&bench, 0);
    assert_true(bench.residual < 1e-9);
    double lowest;
    assert_int_equal(ref_modes(&bench.rod, 0, 1, &lowest, NULL), SHEAF_OK);
    assert_true(lowest > 0);
    bench_close(&bench);
}

// A held frame on an edge that may turn has no potential: Newton still converges, and the moment is as the twist says.
static void twisted_between_pins(void **state)
{
    (void)state;
    sheaf_end_def root = sheaf_end_pinned(), tip = sheaf_end_pinned();
    root.hold_angle = tip.hold_angle = true;
    tip.slide = true;
    vec_set(tip.slide_axis, 1, 0, 0);
    tip.twist = bench_growing(1);
    tip.force[0].value = 4;
    test_bench bench;
    open_straight(&bench, 20, root, tip, 2);
    for (double turn = 0; turn < 3; turn += 0.5)
        bench_settle(&bench, turn);
    assert_true(bench.iterations < 10);
    assert_true(bench.residual < 1e-8);
    const double moment = ref_twist_moment(&bench.rod, 1);
    for (uint32_t i = 2; i < 20; i++)
        assert_close(ref_twist_moment(&bench.rod, i), moment, 1e-8);
    assert_true(moment > 1);
    bench_close(&bench);
}

// Nothing holds the frames of a round strand between pins: their common turn costs nothing and must stay out of the
// way, also where a couple makes the system unsymmetric. Moments balance: the couple is answered by forces at the pins.
static void couple_between_pins(void **state)
{
    (void)state;
    const double couple = 0.8;
    sheaf_end_def tip = sheaf_end_pinned();
    tip.slide = true;
    vec_set(tip.slide_axis, 1, 0, 0);
    tip.couple[1].value = couple;
    test_bench bench;
    open_straight(&bench, 16, sheaf_end_pinned(), tip, 0);
    bench_settle(&bench, 0);
    assert_true(bench.iterations < 8);
    const ref_rod *rod = &bench.rod;
    const double span = rod->x[16][0] - rod->x[0][0];
    for (uint32_t i = 1; i < 16; i++) {
        const double kb = rod->kb[i][1], moment = kb * (1 + kb * kb / 4) / rod->rest_length[i];
        assert_close(moment, couple * (rod->x[i][0] - rod->x[0][0]) / span, 1e-8);
    }
    bench_close(&bench);
}

// ---- modes

enum { MODES = 5, MODE_VERTICES = 16 };

static void modes_keep_lengths_and_are_normalised(void **state)
{
    (void)state;
    double eigenvalues[MODES], modes[MODES][MODE_VERTICES][3];
    test_bench bench;
    open_helix(&bench, MODE_VERTICES);
    bench_settle(&bench, 0);
    assert_int_equal(ref_modes(&bench.rod, 0, MODES, eigenvalues, modes[0][0]), SHEAF_OK);
    for (int a = 0; a < MODES; a++) {
        for (int b = 0; b < MODES; b++) {
            double product = 0;
            for (uint32_t i = 0; i < MODE_VERTICES; i++)
                product += bench.rod.mass[i] * vec_dot(modes[a][i], modes[b][i]);
            assert_close(product, a == b, 1e-10);
        }
        for (uint32_t j = 0; j < bench.rod.edge_count; j++) {
            double apart[3];
            vec_sub(apart, modes[a][j + 1], modes[a][j]);
            assert_close(vec_dot(apart, bench.rod.tangent[j]), 0, 1e-10);
        }
        assert_true(vec_length(modes[a][0]) == 0 && vec_length(modes[a][1]) == 0);
        assert_true(eigenvalues[a] > 0 && (a == 0 || eigenvalues[a] >= eigenvalues[a - 1]));
    }
    bench_close(&bench);
}

// About a pose free of stress no tension acts, and the energy along a mode is omega^2 amplitude^2 / 2.
static void energy_along_a_mode(void **state)
{
    (void)state;
    const double amplitude = 1e-5;
    const ref_twist_options twist = ref_twist_converged();
    double eigenvalues[MODES], modes[MODES][MODE_VERTICES][3], pose[MODE_VERTICES][3];
    test_bench bench;
    open_helix(&bench, MODE_VERTICES);
    vec_set(bench.model->def.gravity, 0, 0, 0);
    assert_int_equal(ref_modes(&bench.rod, 0, MODES, eigenvalues, modes[0][0]), SHEAF_OK);
    memcpy(pose, bench.rod.x, sizeof pose);
    for (int a = 0; a < MODES; a++) {
        double energy = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            for (uint32_t i = 0; i < MODE_VERTICES; i++) {
                vec_copy(bench.rod.x[i], pose[i]);
                vec_axpy(bench.rod.x[i], sign * amplitude, modes[a][i]);
            }
            ref_frames(&bench.rod);
            assert_int_equal(ref_twist(&bench.rod, &twist), SHEAF_OK);
            energy += (ref_bending_energy(&bench.rod) + ref_twisting_energy(&bench.rod)) / 2;
        }
        assert_close(energy / (eigenvalues[a] * amplitude * amplitude / 2), 1, 1e-5);
    }
    bench_close(&bench);
}

// A free ring has six rigid motions and, without twist, none that is unstable.
static void rigid_motions_cost_nothing(void **state)
{
    (void)state;
    double eigenvalues[8];
    test_bench bench;
    open_ring(&bench, 20);
    bench_settle(&bench, 0);
    assert_int_equal(ref_modes(&bench.rod, 0, 8, eigenvalues, NULL), SHEAF_OK);
    for (int k = 0; k < 6; k++)
        assert_close(eigenvalues[k], 0, 1e-7);
    assert_true(eigenvalues[6] > 0.1);
    bench_close(&bench);
}

// ---- memory

static uint64_t allocations_left = UINT64_MAX;

static void *scarce_allocate(size_t size, void *user)
{
    (void)user;
    return allocations_left > 0 ? (allocations_left--, malloc(size)) : NULL;
}

static void *scarce_reallocate(void *memory, size_t size, void *user)
{
    (void)user;
    return allocations_left > 0 ? (allocations_left--, realloc(memory, size)) : NULL;
}

static void scarce_release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static void out_of_memory_is_a_status(void **state)
{
    (void)state;
    const sheaf_allocator scarce = {scarce_allocate, scarce_reallocate, scarce_release, NULL};
    const ref_statics_options options = ref_statics_default();
    sheaf_status settled = SHEAF_ERR_MEMORY, counted = SHEAF_ERR_MEMORY;
    ref_statics_result result;
    double lowest;
    test_bench bench;
    assert_int_equal(sheaf_allocator_set(&scarce), SHEAF_OK);
    open_helix(&bench, 6);
    for (uint64_t n = 0; settled != SHEAF_OK; n++) {
        allocations_left = n;
        settled = ref_equilibrium(&bench.rod, 0, &options, &result);
        assert_true(settled == SHEAF_OK || settled == SHEAF_ERR_MEMORY);
    }
    for (uint64_t n = 0; counted != SHEAF_OK; n++) {
        allocations_left = n;
        counted = ref_modes(&bench.rod, 0, 1, &lowest, NULL);
        assert_true(counted == SHEAF_OK || counted == SHEAF_ERR_MEMORY);
    }
    allocations_left = UINT64_MAX;
    bench_close(&bench);
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_stationary),
        cmocka_unit_test(residual_is_what_forces_say),
        cmocka_unit_test(ring_becomes_round),
        cmocka_unit_test(smallest_strand),
        cmocka_unit_test(hopeless_cases),
        cmocka_unit_test(taut_strand),
        cmocka_unit_test(twisted_between_pins),
        cmocka_unit_test(couple_between_pins),
        cmocka_unit_test(modes_keep_lengths_and_are_normalised),
        cmocka_unit_test(energy_along_a_mode),
        cmocka_unit_test(rigid_motions_cost_nothing),
        cmocka_unit_test(out_of_memory_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
