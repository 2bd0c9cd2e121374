// test_touch: strands that touch each other on a device: friction on two rails, two free strands that meet, a pile,
// and the same bits over lanes, restart and company. labels: device (50 s)
#include "base/vec.h"
#include "model/model.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

enum { MOST = 8192 };

static void must(sheaf_status status)
{
    if (status != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
}

// ---- scenes

typedef struct stage {
    double step, gravity[3], friction, tolerance;
    uint32_t sweeps;
    bool passes; // nothing touches
} stage;

static sheaf_scene *open_scene(const stage *it, double radius, double young)
{
    sheaf_scene_def def = sheaf_scene_def_default();
    sheaf_material_def rope = sheaf_material_def_default();
    sheaf_touch_def touch = sheaf_touch_def_default();
    const uint32_t first = 0;
    sheaf_scene *scene;
    def.step = it->step;
    vec_copy(def.gravity, it->gravity);
    must(sheaf_scene_create(&def, &scene));
    rope.name = "rope";
    rope.density = 1000;
    rope.young = young;
    rope.shear = young / 3;
    rope.radius[0] = rope.radius[1] = radius;
    rope.friction = it->friction;
    must(sheaf_scene_add_material(scene, &rope, NULL));
    touch.materials = &first;
    touch.material_count = it->passes ? 0 : 1;
    if (it->tolerance > 0)
        touch.tolerance = it->tolerance;
    if (it->sweeps > 0)
        touch.sweeps = it->sweeps;
    must(sheaf_scene_set_touch(scene, &touch));
    return scene;
}

static void add_rod(sheaf_scene *scene, const double from[3], const double direction[3], double length,
                    uint32_t vertices, bool held)
{
    sheaf_strand_def strand = sheaf_strand_def_default();
    strand.vertex_count = vertices;
    strand.length = length;
    strand.clamp_mid_edge = false;
    vec_copy(strand.origin, from);
    vec_copy(strand.direction, direction);
    strand.root = held ? sheaf_end_clamped() : sheaf_end_free();
    strand.tip = held ? sheaf_end_clamped() : sheaf_end_free();
    must(sheaf_scene_add_strand(scene, &strand));
}

static sheaf_model *close_scene(sheaf_scene *scene)
{
    sheaf_model *model;
    must(sheaf_model_create(scene, &model));
    sheaf_scene_free(scene);
    return model;
}

static sheaf_solver *open_solver(const sheaf_model *model, bool is_double)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    sheaf_solver *solver;
    def.backend = SHEAF_BACKEND_DEVICE;
    def.is_double = is_double;
    must(sheaf_solver_open(model, &def, &solver));
    return solver;
}

// ---- a strand across two rails on a slope

// How far it slid down after half a second, m; its last speed in `speed`.
static double slide_on_rails(double ratio, double tolerance, bool is_double, double *speed)
{
    const double angle = atan(0.5 * ratio), g = 9.81, radius = 1e-3;
    const stage it = {
        .step = 1. / 120, .gravity = {g * sin(angle), 0, -g * cos(angle)}, .friction = 0.5, .tolerance = tolerance};
    static double at[MOST][3], velocity[MOST][3], before[MOST][3];
    sheaf_scene *scene = open_scene(&it, radius, 1e9);
    for (int k = -1; k <= 1; k += 2)
        add_rod(scene, (double[3]){-0.05, 0.03 * k, 0}, (double[3]){1, 0, 0}, 0.3, 4, true);
    add_rod(scene, (double[3]){0.0123, -0.05, 2 * radius}, (double[3]){0, 1, 0}, 0.1, 16, false);
    sheaf_model *model = close_scene(scene);
    sheaf_solver *solver = open_solver(model, is_double);
    must(sheaf_solver_read_positions(solver, before, MOST));
    must(sheaf_solver_step(solver, 60));
    must(sheaf_solver_read_positions(solver, at, MOST));
    must(sheaf_solver_read_velocities(solver, velocity, MOST));
    *speed = vec_length(velocity[16]);
    sheaf_report report;
    must(sheaf_solver_report(solver, &report));
    printf("  %s, %.2f of the limit, tolerance %g: %.3e m, %.1e m/s; %u contacts, %u sweeps, overlap %.1e, %.2e N\n",
           is_double ? "double" : "single", ratio, tolerance, at[16][0] - before[16][0], *speed, report.contacts,
           report.sweeps, report.worst_overlap, report.touch_force);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return at[16][0] - before[16][0];
}

static void rails_hold_and_let_go(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        double speed;
        assert_true(fabs(slide_on_rails(0.99, 0.01, is_double, &speed)) <= 1e-5);
        assert_true(speed <= 1e-6 * (is_double ? 1 : 1000));
        const double wanted = 53.7e-3;
        assert_true(fabs(slide_on_rails(1.1, 0.01, is_double, &speed) / wanted - 1) < 0.03);
        assert_true(fabs(slide_on_rails(1.1, 0.001, is_double, &speed) / wanted - 1) < 0.01);
    }
}

// ---- two free strands that meet

static void add_momentum(const sheaf_model *model, uint32_t strand, double (*velocity)[3], double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (uint64_t k = model->first_vertex[strand]; k < model->first_vertex[strand + 1]; k++)
        vec_axpy(sum, model->mass[k], velocity[k]);
}

// Share of what two strands exchange that is lost; `energy`: kinetic energy after over before.
static double collide(double friction, double tolerance, bool is_double, double *energy)
{
    const stage it = {.step = 1. / 480, .friction = friction, .tolerance = tolerance, .sweeps = 2000};
    static double velocity[MOST][3];
    sheaf_scene *scene = open_scene(&it, 1e-3, 1e7);
    add_rod(scene, (double[3]){-0.05, 0.01, 0.006}, (double[3]){1, 0, 0}, 0.1, 16, false);
    add_rod(scene, (double[3]){0.005, -0.05, 0}, (double[3]){0, 1, 0}, 0.1, 16, false);
    sheaf_model *model = close_scene(scene);
    sheaf_solver *solver = open_solver(model, is_double);
    sheaf_report report;
    for (uint32_t k = 0; k < model->vertex_count; k++) {
        const double change[3] = {0.1 * (k < 16), 0, k < 16 ? -0.5 : 0.5};
        must(solver_push(solver, k / 16, k % 16, change));
    }
    must(sheaf_solver_report(solver, &report));
    const double before = report.kinetic;
    double start[2][3], finish[2][3], lost[3], exchanged[3], most = 0;
    must(sheaf_solver_read_velocities(solver, velocity, MOST));
    for (uint32_t s = 0; s < 2; s++)
        add_momentum(model, s, velocity, start[s]);
    for (int n = 0; n < 20; n++) {
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_report(solver, &report));
        most = fmax(most, (report.kinetic + report.bending + report.twisting) / before);
    }
    must(sheaf_solver_read_velocities(solver, velocity, MOST));
    for (uint32_t s = 0; s < 2; s++)
        add_momentum(model, s, velocity, finish[s]);
    vec_sub(exchanged, finish[0], start[0]);
    vec_sub(lost, finish[1], start[1]);
    vec_add(lost, lost, exchanged);
    *energy = (report.kinetic + report.bending + report.twisting) / before;
    printf("  %s, friction %g, tolerance %g: momentum lost %.1e of the exchange, energy %.3f, at most %.6f, pass %d\n",
           is_double ? "double" : "single", friction, tolerance, vec_length(lost) / vec_length(exchanged), *energy,
           most, (int)report.pass_through);
    assert_true(most < 1 + (is_double ? 1e-6 : 1e-4));
    assert_true(vec_length(exchanged) > 1e-5);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
    return vec_length(lost) / vec_length(exchanged);
}

static void momentum_is_kept(void **state)
{
    (void)state;
    double energy;
    assert_true(collide(0, 0.01, false, &energy) < 1e-3);
    assert_true(collide(0.3, 0.01, true, &energy) < 1e-3);
    assert_true(energy < 1);
    assert_true(collide(0.3, 1e-7, true, &energy) < 1e-6);
    assert_true(energy < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rails_hold_and_let_go),
        cmocka_unit_test(momentum_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
