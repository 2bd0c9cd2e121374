// test_engine_stiffness: the stiffness that a strand shows on the engine is that of its material, whatever the step,
// the number and spacing of vertices and the projector.
// labels: slow;device
#include "batch.h"
#include "reproduce/answers.h"

#include "base/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/der/slots.clh"
#include "kernels/world/slots.clh"
#include "unit.h"

static const double bend = 0.3, twist = 0.2, line_mass = 0.3; // N m^2, N m^2, kg/m
static const double pull = 1, force = 0.02, couple = 0.1;     // N along the strand and across, N m

enum { COUNTS = 4, VERTICES_MOST = 128 };
static const uint32_t vertex_counts[COUNTS] = {16, 32, 64, 128};

static sheaf_material_def make_material(void)
{
    sheaf_material_def material = sheaf_material_def_default();
    material.bend[0] = material.bend[1] = bend;
    material.twist = twist;
    material.line_mass = line_mass;
    material.drag = 7 * line_mass; // nearly critical
    return material;
}

// 1 m from clamp plane to tip. Uneven edges differ by up to a factor of three.
static void add_strand(batch *it, uint32_t vertex_count, bool is_uneven, bool is_twisted)
{
    double spacing[VERTICES_MOST];
    const sheaf_material_def material = make_material();
    sheaf_strand_def strand = sheaf_strand_def_default();
    for (uint32_t j = 0; j + 1 < vertex_count; j++)
        spacing[j] = 1 + 0.5 * sin(1.7 * j);
    strand.vertex_count = vertex_count;
    strand.spacing = is_uneven ? spacing : NULL;
    strand.length = 1;
    vec_set(strand.direction, 1, 0, 0);
    strand.tip.force[0].value = pull;
    if (is_twisted)
        strand.tip.couple[0].value = couple;
    else
        strand.tip.force[2].value = force;
    batch_add(it, &material, &strand);
}

// How much farther than `deflection` the tip of a taut cantilever of length 1 would go aside with a stiffness of `ei`:
// EI z'' = F (L - x) - T (z(L) - z) of small deflections.
static double excess_deflection(double ei, double deflection)
{
    const double k = sqrt(pull / ei);
    return force / pull * (1 - tanh(k) / k) - deflection;
}

// EI, N m^2, from the tip's deflection.
static double shown_bend(const batch *it, uint32_t strand)
{
    return answers_root(excess_deflection, batch_tip(it, strand)[2], 0.5 * bend, 2 * bend);
}

// GJ, N m^2, from the turn of the last edge's frame against the first's, over the length between the middles of both.
static double shown_twist(const batch *it, uint32_t strand, const void *twists)
{
    const double *rest = it->model->rest_length + it->model->first_vertex[strand];
    double turn = 0, length = 0;
    for (uint32_t i = 1; i + 1 < batch_vertex_count(it, strand); i++) {
        turn += bundles_get(engine_bundles(it->engine), DER_twist, twists, strand, i, 0);
        length += (rest[i - 1] + rest[i]) / 2;
    }
    return couple * length / turn;
}

static void measure(batch *it, const char *what)
{
    void *twists = malloc(bundles_bytes(engine_bundles(it->engine), DER_twist));
    assert_int_equal(engine_read_array(it->engine, DER_twist, twists), SHEAF_OK);
    for (uint32_t s = 0; s < it->count; s += 2) {
        const double ei = shown_bend(it, s) / bend, gj = shown_twist(it, s + 1, twists) / twist;
        printf("%-14s %3u vertices, %s: EI x %.5f, GJ x %.5f\n", what, batch_vertex_count(it, s),
               s / 2 % 2 ? "uneven" : "even", ei, gj);
        assert_close(ei, 1, 0.01);
        assert_close(gj, 1, 0.01);
    }
    free(twists);
}

static double worst_strain(const batch *it)
{
    sheaf_report report;
    assert_int_equal(engine_report(it->engine, &report), SHEAF_OK);
    return report.worst_strain;
}

static void settle(const sheaf_scene_def *def, uint32_t rate, const char *what)
{
    batch it = batch_begin(def);
    for (int c = 0; c < COUNTS; c++)
        for (int uneven = 0; uneven < 2; uneven++)
            for (int twisted = 0; twisted < 2; twisted++)
                add_strand(&it, vertex_counts[c], uneven, twisted);
    batch_open(&it, 1.0 / rate, false);
    batch_run(&it, 8);
    measure(&it, what);
    assert_true(worst_strain(&it) <= 1e-4);
    batch_close(&it);
}

static void steps_and_vertices(void **state)
{
    const sheaf_scene_def def = batch_scene();
    (void)state;
    for (uint32_t rate = 60; rate <= 960; rate *= 2) {
        char what[16];
        snprintf(what, sizeof what, "step 1/%u s", rate);
        settle(&def, rate, what);
    }
}

static void projectors(void **state)
{
    static const char *const names[] = {"tridiagonal", "Jacobi", "Chebyshev", "red-black"};
    sheaf_scene_def def = batch_scene();
    (void)state;
    def.projection_tolerance = 2e-4; // of squared lengths: a strain of 1e-4
    def.projection_iterations = 10000;
    for (def.projector = SHEAF_PROJECTOR_TRIDIAGONAL; def.projector <= SHEAF_PROJECTOR_RED_BLACK; def.projector++)
        settle(&def, 120, names[def.projector]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_vertices),
        cmocka_unit_test(projectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
