// test_taper: strands that become thinner towards their tips, and strands that differ from their material: what the
// model makes of them, how such a cantilever bends by beam theory, and the device against the reference.
// labels: device
#include "bench.h"
#include "populations.h"
#include "study.h"

#include "base/vec.h"

#include "unit.h"

static void sections_follow_the_radius(void **state)
{
    (void)state;
    test_bench bench;
    const sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(2, 3);
    sheaf_strand_def strand = bench_strand(10);
    strand.clamp_mid_edge = false;
    strand.taper = 0.5;
    strand.taper_start = 0.2;
    bench_open(&bench, &scene, &material, &strand);
    const sheaf_model *model = bench.model;
    double mass = 0;
    for (uint32_t j = 0; j < 10; j++) {
        const double middle = 0.1 * j + 0.05, share = middle < 0.2 ? 1 : 1 - 0.5 * (middle - 0.2) / 0.8;
        assert_close(model->bend[j][0], 2 * pow(share, 4), 1e-14);
        assert_close(model->bend[j][1], 2 * pow(share, 4), 1e-14);
        mass += 0.1 * share * share;
        const double place = 0.1 * j, at_vertex = place <= 0.2 + 1e-12 ? 1 : 1 - 0.5 * (place - 0.2) / 0.8;
        if (j > 0)
            assert_close(model->twist[j], 3 * pow(at_vertex, 4), 1e-13);
    }
    assert_close(model->strands[0].mass, mass, 1e-14);
    assert_close(model->strands[0].line_mass, 1, 1e-14);
    assert_true(model->strands[0].isotropic_straight);
    bench_close(&bench);
}

// ---- beam theory

// Small drop of the tip of a cantilever of length 1 that carries a force at its tip and its weight: w'' = M / B.
static double beam_drop(double taper, double force, double weight)
{
    enum { STEPS = 20000 };
    const double h = 1.0 / STEPS;
    double shear = force, moment = 0, drop = 0;
    for (int k = STEPS - 1; k >= 0; k--) { // unit load method: the drop is the sum of M(s) (1 - s) / B(s)
        const double s = (k + 0.5) * h, radius = 1 - (1 - taper) * s;
        const double load = weight * radius * radius;
        moment += shear * h / 2 + load * h * h / 8;
        drop += moment * (1 - s) / pow(radius, 4) * h;
        moment += shear * h / 2 + load * h * 3 * h / 8;
        shear += load * h;
    }
    return drop;
}

static double settled_drop(uint32_t edges, double taper, double force, double weight)
{
    test_bench bench;
    sheaf_scene_def scene = bench_scene();
    const sheaf_material_def material = bench_material(1, 0.7);
    sheaf_strand_def strand = bench_strand(edges);
    scene.gravity[2] = -weight;
    strand.taper = taper;
    strand.tip.force[2].value = -force;
    bench_open(&bench, &scene, &material, &strand);
    bench_settle(&bench, 0);
    const double drop = -bench.rod.x[bench.rod.vertex_count - 1][2];
    bench_close(&bench);
    return drop;
}

static void cantilevers_bend_as_beams_do(void **state)
{
    (void)state;
    static const double cases[][3] = {{1, 1e-4, 0}, {0.4, 1e-4, 0}, {0.4, 0, 1e-3}};
    for (int k = 0; k < 3; k++) {
        const double *c = cases[k], answer = beam_drop(c[0], c[1], c[2]);
        char title[96];
        snprintf(title, sizeof title, "cantilever, taper to %g, force %g, weight %g: drop", c[0], c[1], c[2]);
        test_study study = study_begin(title, 0);
        for (uint32_t edges = 10; edges <= 80; edges *= 2)
            study_add(&study, edges, settled_drop(edges, c[0], c[1], c[2]) / answer, 1);
        study_expect(&study, 2e-3, 2);
    }
}

// ---- on the device

static sheaf_model *make_blades(void)
{
    sheaf_scene_def scene_def = sheaf_scene_def_default();
    sheaf_material_def material = sheaf_material_def_default();
    material.density = 800;
    material.young = 1e9;
    material.shear = 3e8;
    material.radius[0] = 2e-3;
    material.radius[1] = 2e-4;
    material.drag = 6e-3;
    vec_set(scene_def.wind, 3, 1, 0);
    sheaf_scene *scene;
    sheaf_model *model;
    bench_demand(sheaf_scene_create(&scene_def, &scene));
    bench_demand(sheaf_scene_add_material(scene, &material, NULL));
    grow_def def = population_def(24, 12);
    def.lay = 0.6;
    def.radius_spread = def.stiffness_spread = def.length_spread = 0.15;
    scene_group group = {.strand = sheaf_strand_def_default(), .grown = population_grow(def)};
    group.strand.taper = 0.2;
    group.strand.taper_start = 0.3;
    bench_demand(scene_add_group(scene, &group));
    grow_release(group.grown);
    bench_demand(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static void run(const sheaf_model *model, sheaf_backend backend, double (*positions)[3])
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    sheaf_report report;
    def.backend = backend;
    bench_demand(sheaf_solver_open(model, &def, &solver));
    bench_demand(sheaf_solver_step(solver, 60));
    bench_demand(sheaf_solver_report(solver, &report));
    assert_int_equal(report.frozen_strands, 0);
    bench_demand(sheaf_solver_read_positions(solver, positions, model->vertex_count));
    sheaf_solver_close(solver);
}

static void the_device_agrees_with_the_reference(void **state)
{
    (void)state;
    sheaf_model *model = make_blades();
    double reference[24 * 12][3], device[24 * 12][3], worst = 0, moved = 0;
    run(model, SHEAF_BACKEND_REFERENCE, reference);
    run(model, SHEAF_BACKEND_DEVICE, device);
    for (int i = 0; i < 24 * 12; i++) {
        double gap[3];
        vec_sub(gap, device[i], reference[i]);
        worst = fmax(worst, vec_length(gap));
        vec_sub(gap, reference[i], model->position[i]);
        moved = fmax(moved, vec_length(gap));
    }
    print_message("after 60 steps: moved %.3g m, device %.3g m from the reference\n", moved, worst);
    assert_true(moved > 0.05);
    assert_true(worst < 1e-4 * 0.2); // single precision, as in `sheaf verify`
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_follow_the_radius),
        cmocka_unit_test(cantilevers_bend_as_beams_do),
        cmocka_unit_test(the_device_agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
