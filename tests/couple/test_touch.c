// test_touch: strands that touch each other on a device: friction on two rails, two free strands that meet, a pile,
// and the same bits over lanes, restart and company. labels: device;tiers (60 s, all 300 s)
#include "base/vec.h"
#include "couple/contact.h"
#include "model/model.h"
#include "solver/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "figures.h"
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
    const sheaf_touch_material first = {.friction = it->friction};
    sheaf_scene *scene;
    def.step = it->step;
    vec_copy(def.gravity, it->gravity);
    must(sheaf_scene_create(&def, &scene));
    rope.name = "rope";
    rope.density = 1000;
    rope.young = young;
    rope.shear = young / 3;
    rope.radius[0] = rope.radius[1] = radius;
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
    for (int k = -1; k <= 1; k += 2) // their first edge, which is held, is under the strand
        add_rod(scene, (double[3]){-0.02, 0.03 * k, 0}, (double[3]){1, 0, 0}, 0.6, 5, true);
    add_rod(scene, (double[3]){0.0123, -0.05, 2 * radius}, (double[3]){0, 1, 0}, 0.1, 16, false);
    sheaf_model *model = close_scene(scene);
    sheaf_solver *solver = open_solver(model, is_double);
    must(sheaf_solver_read_positions(solver, before, MOST));
    must(sheaf_solver_step(solver, 60));
    must(sheaf_solver_read_positions(solver, at, MOST));
    must(sheaf_solver_read_velocities(solver, velocity, MOST));
    *speed = vec_length(velocity[16]);
    printf("  %s, %.2f of the limit, tolerance %g: %.3e m, %.1e m/s; %g contacts, %g sweeps, overlap %.1e, %.2e N\n",
           is_double ? "double" : "single", ratio, tolerance, at[16][0] - before[16][0], *speed,
           figure_of(solver, "contacts"), figure_of(solver, "sweeps"), figure_of(solver, "worst_overlap"),
           figure_of(solver, "touch_force_N"));
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
    const stage it = {
        .step = 1. / 120, .friction = friction, .tolerance = tolerance, .sweeps = tolerance < 1e-3 ? 2000 : 0};
    static double velocity[MOST][3];
    sheaf_scene *scene = open_scene(&it, 1e-3, 1e7);
    add_rod(scene, (double[3]){-0.05, 0.01, 0.012}, (double[3]){1, 0, 0}, 0.1, 16, false);
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
           most, (int)figure_of(solver, "pass_through"));
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

// ---- a pile, and the same bits

enum { ROPES = 9, KNOTS = 12 }; // KNOTS: vertices of a rope

// Ropes across each other that fall on the ground; `far`: as many more that nothing reaches.
static sheaf_model *make_tight_pile(int count, double tolerance, bool passes, bool far)
{
    const stage it = {
        .step = 1. / 120, .gravity = {0, 0, -9.81}, .friction = 0.3, .tolerance = tolerance, .passes = passes};
    sheaf_scene *scene = open_scene(&it, 3e-3, 1e6);
    sheaf_collider_def floor = sheaf_collider_def_default();
    floor.kind = SHEAF_COLLIDER_PLANE;
    must(sheaf_scene_add_collider(scene, &floor));
    for (int k = 0; k < count; k++) {
        const double angle = 2.4 * k, x = cos(angle), y = sin(angle);
        const double from[3] = {-0.1 * x + 2e-3 * (k % 3), -0.1 * y, 0.008 + 0.012 * k};
        add_rod(scene, from, (double[3]){x, y, 0}, 0.2, KNOTS, false);
    }
    for (int k = 0; far && k < 3; k++)
        add_rod(scene, (double[3]){3 + k, 3, 0.2}, (double[3]){1, 0, 0}, 0.2, KNOTS, false);
    return close_scene(scene);
}

static sheaf_model *make_pile(int count, bool passes, bool far)
{
    return make_tight_pile(count, 0, passes, far);
}

// Distance of a point from an edge.
static double from_edge(const double point[3], const double a[3], const double b[3])
{
    double along[3], to[3];
    vec_sub(along, b, a);
    vec_sub(to, point, a);
    const double t = fmin(fmax(vec_dot(to, along) / vec_dot(along, along), 0), 1);
    vec_axpy(to, -t, along);
    return vec_length(to);
}

// Distance of two edges: that of a point of one from the other is convex along the one, so that thirds of it can be
// left out one after the other.
static double between_edges(double (*a)[3], double (*b)[3])
{
    double low = 0, high = 1, near = 0;
    for (int n = 0; n < 100; n++) {
        double far[2];
        for (int k = 0; k < 2; k++) {
            const double s = low + (high - low) * (k + 1) / 3;
            const double point[3] = {a[0][0] + s * (a[1][0] - a[0][0]), a[0][1] + s * (a[1][1] - a[0][1]),
                                     a[0][2] + s * (a[1][2] - a[0][2])};
            far[k] = from_edge(point, b[0], b[1]);
        }
        if (far[0] < far[1])
            high = low + (high - low) * 2 / 3;
        else
            low = low + (high - low) / 3;
        near = fmin(far[0], far[1]);
    }
    return near;
}

// Deepest overlap of any two ropes as a share of two radii: of all pairs of edges, by another way than the engine's.
static double deepest(double (*at)[3], int count, double radius)
{
    double worst = 0;
    for (int a = 0; a < count * KNOTS; a++)
        for (int b = (a / KNOTS + 1) * KNOTS; b < count * KNOTS; b++) {
            double apart[3];
            vec_sub(apart, at[a], at[b]);
            if (a % KNOTS < KNOTS - 1 && b % KNOTS < KNOTS - 1 && vec_length(apart) < 0.05)
                worst = fmax(worst, 1 - between_edges(at + a, at + b) / (2 * radius));
        }
    return worst;
}

// The small form has 9 ropes and a second, the full one 49 that fall from up to 0.6 m and three.
static void pile_up(double tolerance, double bar)
{
    static double at[MOST][3];
    const bool all = getenv("SHEAF_TEST_ALL") != NULL;
    const int count = all ? 49 : ROPES, steps = all ? 360 : 120;
    sheaf_model *model = make_tight_pile(count, tolerance, false, false);
    sheaf_solver *solver = open_solver(model, false);
    sheaf_report report;
    double late = 0, deep = 0, rise = 0, before = INFINITY, first = 0;
    for (int n = 0; n < steps; n++) {
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_report(solver, &report));
        const double energy = report.kinetic + report.bending + report.twisting + report.gravitational;
        first = n == 0 ? energy : first;
        rise = fmax(rise, energy - before);
        before = energy;
        if (n < steps - 60)
            continue;
        late = fmax(late, figure_of(solver, "mean_overlap"));
        deep = fmax(deep, figure_of(solver, "worst_overlap"));
    }
    must(sheaf_solver_read_positions(solver, at, MOST));
    const double found = deepest(at, count, 3e-3), worst = figure_of(solver, "worst_overlap"),
                 contacts = figure_of(solver, "contacts");
    printf(
        "  %d ropes, tolerance %g: %g contacts, overlap in the last half second %.2g in the mean and %.2g at most, at "
        "the end %.2g (%.2g by all pairs), energy rose in a step by %.1e of the loss\n",
        count, model->touch.tolerance, contacts, late, deep, worst, found, rise / (first - before));
    assert_true(contacts >= count - 1);
    assert_true(late <= bar);
    assert_true(deep <= 3 * bar); // all contacts, where 99 % of them would do
    assert_true(fabs(found - worst) < 1e-6);
    assert_true(figure_of(solver, "pass_through") == 0);
    assert_true(rise <= 1e-3 * (first - before));
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void a_pile_comes_to_rest(void **state)
{
    (void)state;
    pile_up(0.01, 0.1);
    if (getenv("SHEAF_TEST_ALL") != NULL)
        pile_up(1e-3, 0.02);
}

static void assert_same(double (*a)[3], double (*b)[3], uint32_t count, const char *what)
{
    if (memcmp(a, b, count * sizeof *a) != 0)
        fail_msg("%s: other bits", what);
}

static void bits_depend_on_what_touches_alone(void **state)
{
    (void)state;
    static double alone[MOST][3], other[MOST][3];
    sheaf_model *pile = make_pile(ROPES, false, false), *crowd = make_pile(ROPES, false, true);
    sheaf_solver *solver = open_solver(pile, false), *among = open_solver(crowd, false);
    must(sheaf_solver_step(solver, 20));
    must(sheaf_solver_step(among, 20));
    must(sheaf_solver_read_positions(solver, alone, MOST));
    must(sheaf_solver_read_positions(among, other, MOST));
    assert_same(alone, other, ROPES * KNOTS, "among far strands");
    sheaf_solver_close(among);
    must(sheaf_solver_save(solver, "touch-test.h5"));
    sheaf_solver *again = open_solver(pile, false);
    must(sheaf_solver_load(again, "touch-test.h5"));
    must(sheaf_solver_step(solver, 10));
    must(sheaf_solver_step(again, 10));
    must(sheaf_solver_read_positions(solver, alone, MOST));
    must(sheaf_solver_read_positions(again, other, MOST));
    assert_same(alone, other, ROPES * KNOTS, "after a restart");
    sheaf_solver_close(again);
    unlink("touch-test.h5");
    setenv("SHEAF_LANES", "4", 1);
    sheaf_solver *narrow = open_solver(pile, false);
    must(sheaf_solver_step(narrow, 30));
    must(sheaf_solver_read_positions(narrow, other, MOST));
    assert_same(alone, other, ROPES * KNOTS, "in lanes of four");
    setenv("SHEAF_LANES", "8", 1);
    sheaf_solver_close(narrow);
    sheaf_solver_close(solver);
    sheaf_model_free(pile);
    sheaf_model_free(crowd);
}

// Far strands in a scene with contact, and in one without.
static void what_touches_nothing_keeps_its_bits(void **state)
{
    (void)state;
    static double with[MOST][3], without[MOST][3];
    sheaf_model *models[2] = {make_pile(ROPES, false, true), make_pile(ROPES, true, true)};
    for (int k = 0; k < 2; k++) {
        sheaf_solver *solver = open_solver(models[k], false);
        must(sheaf_solver_step(solver, 30));
        must(sheaf_solver_read_positions(solver, k == 0 ? with : without, MOST));
        sheaf_solver_close(solver);
    }
    assert_same(with + ROPES * KNOTS, without + ROPES * KNOTS, 3 * KNOTS, "strands that touch nothing");
    assert_true(memcmp(with, without, ROPES * KNOTS * sizeof *with) != 0); // the others do touch
    sheaf_model_free(models[0]);
    sheaf_model_free(models[1]);
}

// Two strands that lie in each other part at the given speed, not at once.
static void overlap_parts_gently(void **state)
{
    (void)state;
    static double velocity[MOST][3];
    const stage it = {.step = 1. / 120, .friction = 0};
    sheaf_scene *scene = open_scene(&it, 1e-3, 1e7);
    add_rod(scene, (double[3]){-0.05, 0, 0}, (double[3]){1, 0, 0}, 0.1, 16, false);
    add_rod(scene, (double[3]){0.003, -0.05, 0.2e-3}, (double[3]){0, 1, 0}, 0.1, 16, false);
    add_rod(scene, (double[3]){-0.05, 1, 0}, (double[3]){1, 0, 0}, 0.1, 16, false); // two in one place
    add_rod(scene, (double[3]){-0.05, 1, 0}, (double[3]){1, 0, 0}, 0.1, 16, false);
    sheaf_model *model = close_scene(scene);
    contact_overlap overlap;
    must(contact_check(model, &overlap));
    assert_true(overlap.count > 15 && overlap.share > 0.99);
    sheaf_solver *solver = open_solver(model, true);
    sheaf_report report;
    double fastest = 0;
    for (int n = 0; n < 30; n++) {
        must(sheaf_solver_step(solver, 1));
        must(sheaf_solver_read_velocities(solver, velocity, MOST));
        for (int k = 0; k < 64; k++)
            fastest = fmax(fastest, vec_length(velocity[k]));
    }
    must(sheaf_solver_report(solver, &report));
    printf("  fastest %.3g m/s, overlap left %.2g, frozen %u\n", fastest, figure_of(solver, "worst_overlap"),
           report.frozen_strands);
    assert_int_equal(report.frozen_strands, 0);
    assert_true(fastest < 0.05);
    assert_true(figure_of(solver, "worst_overlap") < 0.02);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

// Two crossed strands that touch at 5 mm though they are 1 mm thick, beside one of a material that touches nothing.
static void strands_touch_at_their_own_radius(void **state)
{
    (void)state;
    static double at[MOST][3];
    const stage it = {.step = 1. / 120};
    sheaf_scene *scene = open_scene(&it, 1e-3, 1e7);
    sheaf_material_def other = sheaf_material_def_default();
    sheaf_touch_def touch = sheaf_touch_def_default();
    const sheaf_touch_material wide = {.radius = 5e-3, .friction = 0.3};
    other.name = "other";
    other.radius[0] = other.radius[1] = 1e-3;
    must(sheaf_scene_add_material(scene, &other, NULL));
    touch.materials = &wide;
    touch.material_count = 1;
    must(sheaf_scene_set_touch(scene, &touch));
    add_rod(scene, (double[3]){-0.05, 0, 0}, (double[3]){1, 0, 0}, 0.1, 16, false);
    add_rod(scene, (double[3]){0.003, -0.05, 9e-3}, (double[3]){0, 1, 0}, 0.1, 16, false);
    sheaf_strand_def free = sheaf_strand_def_default();
    free.material = 1;
    must(sheaf_scene_add_strand(scene, &free));
    sheaf_model *model = close_scene(scene);
    sheaf_solver *solver = open_solver(model, true);
    must(sheaf_solver_step(solver, 30));
    must(sheaf_solver_read_positions(solver, at, MOST));
    printf("  %.2f mm apart, %g contacts\n", 1000 * (at[24][2] - at[8][2]), figure_of(solver, "contacts"));
    assert_true(at[24][2] - at[8][2] > 9.8e-3);
    assert_true(figure_of(solver, "worst_overlap") < 0.02);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    const stage it = {.step = 1. / 120};
    sheaf_scene *scene = open_scene(&it, 1e-3, 1e7);
    const sheaf_touch_material first = {.friction = 0.3}, none = {.material = 7}, rub = {.friction = 11};
    sheaf_touch_def def = sheaf_touch_def_default();
    def.materials = &none;
    def.material_count = 1;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    def.materials = &rub;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    def.materials = &first;
    const sheaf_touch_friction rough = {{0, 0}, 11}, odd = {{0, 0}, -1}, apart = {{0, 1}, 0.5};
    def.frictions = &rough;
    def.friction_count = 1;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    def.frictions = &odd;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    sheaf_material_def thin = sheaf_material_def_default();
    thin.name = "thin";
    thin.radius[0] = thin.radius[1] = 0;
    thin.bend[0] = thin.bend[1] = thin.twist = 1e-6;
    thin.line_mass = 1e-3;
    must(sheaf_scene_add_material(scene, &thin, NULL));
    def.frictions = &apart;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "material 1 'thin', whose strands touch none"));
    const sheaf_touch_material second = {.material = 1, .friction = 0.3};
    def.friction_count = 0;
    def.materials = &second;
    assert_int_equal(sheaf_scene_set_touch(scene, &def), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "touch_radius"));
    add_rod(scene, (double[3]){0, 0, 0}, (double[3]){1, 0, 0}, 0.1, 8, false);
    sheaf_model *model = close_scene(scene);
    sheaf_solver_def reference = sheaf_solver_def_default();
    sheaf_solver *solver;
    reference.backend = SHEAF_BACKEND_REFERENCE;
    assert_int_equal(sheaf_solver_open(model, &reference, &solver), SHEAF_ERR_INPUT);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rails_hold_and_let_go),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_pile_comes_to_rest),
        cmocka_unit_test(bits_depend_on_what_touches_alone),
        cmocka_unit_test(what_touches_nothing_keeps_its_bits),
        cmocka_unit_test(overlap_parts_gently),
        cmocka_unit_test(strands_touch_at_their_own_radius),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
