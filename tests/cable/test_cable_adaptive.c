// test_cable_adaptive: segments that merge and split: what they keep, where they do it, length, rest and restart.
#include "lift.h"

#include <math.h>

enum { PIECES = 24 };

static const double length = 12; // m

// ---- one change

// A free cable of the reference, its segments, and a reading of what it has.
typedef struct sample {
    sheaf_model *model;
    cable_groups groups;
    cable_group *group;
    cable_adaptive *cable;
} sample;

static void open_sample(sample *s)
{
    s->model = lift_model("sheaf: 1\ntime: { step: 1/60 s, end: 1 s }\ngravity: [0, 0, 0]\n" LIFT_ROPE
                          "cables: [{ length: 12 m, adaptive: { segments: [4, 24] }, direction: x, "
                          "from: { at: [0, 0, 0], joint: free } }]\n");
    assert_int_equal(cable_groups_open(s->model, 1.0 / 60, &s->groups), SHEAF_OK);
    s->group = &s->groups.groups[0];
    s->cable = &s->groups.adaptives[0];
}

static void close_sample(sample *s)
{
    cable_groups_close(&s->groups);
    sheaf_model_free(s->model);
}

// Bends and pulls it: the joint before segment k turns by bend[k] and twist[k] and opens by strain times its length.
static void shape(sample *s, double (*bend)(uint32_t), double twist, double strain)
{
    const double l = length / PIECES;
    cable_body *before = &s->group->bodies[s->cable->segment];
    for (uint32_t k = 1; k < PIECES; k++) {
        cable_body *body = before + 1;
        double turn[3] = {twist, bend(k), 0}, arm[3] = {l / 2 * (1 + strain), 0, 0}, way[3];
        cable_turn(before->pose, turn, turn);
        memcpy(body->pose, before->pose, sizeof body->pose);
        cable_rotate_by(body->pose, turn);
        cable_turn(before->pose, arm, way);
        vec_add(body->place, before->place, way);
        cable_turn(body->pose, arm, way);
        vec_add(body->place, body->place, way);
        before = body;
    }
    for (uint32_t k = 0; k < PIECES; k++) { // some motion
        cable_body *body = &s->group->bodies[s->cable->segment + k];
        vec_set(body->velocity, 3 + 0.1 * k, sin(k), 0.3 * cos(2.0 * k));
        vec_set(body->spin, 0.3 * sin(3.0 * k), 0.2 * k, cos(k));
    }
    cable_ref_wind(s->group);
}

static double even(uint32_t k)
{
    (void)k;
    return 0.02;
}

static double uneven(uint32_t k)
{
    return 0.03 * sin(3.14159265358979 * k / PIECES);
}

// Momentum, and angular momentum about the origin.
static void momenta(const sample *s, double sums[2][3])
{
    memset(sums, 0, 2 * sizeof *sums);
    for (uint32_t k = 0; k < s->cable->count; k++) {
        const cable_body *body = &s->group->bodies[s->cable->segment + k];
        double own[3], cross[3];
        cable_turn_back(body->pose, body->spin, own);
        for (int c = 0; c < 3; c++)
            own[c] *= body->inertia[c];
        cable_turn(body->pose, own, own);
        vec_axpy(sums[0], body->mass, body->velocity);
        vec_cross(cross, body->place, body->velocity);
        vec_add(sums[1], sums[1], own);
        vec_axpy(sums[1], body->mass, cross);
    }
}

static double deformation(const sample *s)
{
    const cable_energy energy = cable_ref_energy(s->group);
    return energy.stretch + energy.bend + energy.twist;
}

static void check_kept(const double before[2][3], const double after[2][3])
{
    for (int k = 0; k < 2; k++) {
        double lost[3];
        vec_sub(lost, before[k], after[k]);
        if (vec_length(lost) > 1e-14 * vec_length(before[k]))
            fail_msg("%s is off by %.2g of it", k == 0 ? "momentum" : "angular momentum",
                     vec_length(lost) / vec_length(before[k]));
    }
}

static void check_change(double (*bend)(uint32_t), double twist, double strain, double most)
{
    sample s;
    double before[2][3], after[2][3];
    open_sample(&s);
    shape(&s, bend, twist, strain);
    for (uint32_t k = 2; k < 20; k += 3) {
        momenta(&s, before);
        const double start = deformation(&s);
        cable_adaptive_merge(s.cable, s.group, k);
        cable_adaptive_fit(s.cable, s.group);
        momenta(&s, after);
        check_kept((const double(*)[3])before, (const double(*)[3])after);
        const double merged = deformation(&s);
        cable_adaptive_split(s.cable, s.group, k);
        cable_adaptive_fit(s.cable, s.group);
        momenta(&s, after);
        check_kept((const double(*)[3])before, (const double(*)[3])after);
        const double back = deformation(&s);
        print_message("%u: energy %.3g, merged %+.1e of it, back %+.1e\n", k, start, merged / start - 1,
                      back / start - 1);
        assert_true(fabs(merged / start - 1) <= most);
        assert_true(fabs(back / start - 1) <= 5e-3);
        assert_int_equal(s.cable->count, PIECES);
    }
    close_sample(&s);
}

static void test_a_change_keeps_momentum_and_energy(void **state)
{
    (void)state;
    check_change(even, 0, 0, 1e-4);
    check_change(even, 0.01, 1e-4, 1e-4);
    check_change(uneven, 0.01, 2e-5, 1e-3);
}

// ---- in motion

#define SWING                                                                                                          \
    "sheaf: 1\ntime: { step: 1/60 s, end: 20 s }\n" LIFT_ROPE                                                          \
    "bodies: { load: { mass: 20 kg, box: { size: [20 cm, 20 cm, 20 cm] } } }\n"                                        \
    "cables: [{ length: 12 m, %s, from: { at: [0, 0, 20 m], move: [{ ramp: { start: 1 s, to: 1 m, over: 1 s, smooth: " \
    "true } }, 0, 0] }, "                                                                                              \
    "to: { body: load, at: [0, 0, 10 cm] } }]\n"

static sheaf_model *swing_model(const char *segments)
{
    char text[2048];
    snprintf(text, sizeof text, SWING, segments);
    return lift_model(text);
}

static uint32_t count_now(sheaf_solver *solver)
{
    sheaf_figure figures[16];
    uint32_t count = 0;
    assert_int_equal(sheaf_solver_figures(solver, figures, 16, &count), SHEAF_OK);
    for (uint32_t k = 0; k < count; k++)
        if (strcmp(figures[k].name, "segments") == 0)
            return (uint32_t)figures[k].value;
    fail_msg("no count of segments is told");
    return 0;
}

// It hangs straight on few segments, takes more while a wave goes along it, and swings as the finest does.
static void test_counts_follow_the_bending(void **state)
{
    (void)state;
    enum { FINE, ADAPTIVE, COARSE, FORMS };
    static const char *const forms[FORMS] = {"segments: 24", "adaptive: { segments: [6, 24] }", "segments: 6"};
    sheaf_model *models[FORMS];
    sheaf_solver *solvers[FORMS];
    sheaf_body_pose poses[FORMS];
    double worst[FORMS] = {0};
    uint32_t fewest = PIECES, most = 0;
    for (int k = 0; k < FORMS; k++) {
        models[k] = swing_model(forms[k]);
        solvers[k] = lift_solver(models[k]);
    }
    for (int n = 0; n < 360; n++) {
        for (int k = 0; k < FORMS; k++) {
            double way[3];
            assert_int_equal(sheaf_solver_step(solvers[k], 1), SHEAF_OK);
            assert_int_equal(sheaf_solver_read_bodies(solvers[k], &poses[k], 1), SHEAF_OK);
            vec_sub(way, poses[k].position, poses[FINE].position);
            worst[k] = fmax(worst[k], vec_length(way));
        }
        const uint32_t count = count_now(solvers[ADAPTIVE]);
        fewest = count < fewest ? count : fewest;
        most = n > 60 && count > most ? count : most;
    }
    print_message("%u to %u segments; the load is within %.4f m of that on 24, on 6 within %.4f m\n", fewest, most,
                  worst[ADAPTIVE], worst[COARSE]);
    for (int k = 0; k < FORMS; k++) {
        (void)lift_total(solvers[k]);
        sheaf_solver_close(solvers[k]);
        sheaf_model_free(models[k]);
    }
    assert_true(fewest < 8 && most > 12);
    assert_true(worst[ADAPTIVE] < 0.8 * worst[COARSE] && worst[ADAPTIVE] < 2e-3 * length);
}

// A rope that sags between posts, of which one is moved in and out for 10 s: it is as long afterwards as before, and
// in 10,000 steps at rest its energy does not rise.
static void test_sagging_rope_keeps_its_length_and_rests(void **state)
{
    (void)state;
    enum { FINE = 96 };
    double x[FINE + 1][3], lengths[2], highest = -INFINITY, start = 0;
    sheaf_model *model = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 200 s }\n"
        "materials: { rope: { line_mass: 1.6 kg/m, stretch: 18 MN, bend: 100 N*m^2, twist: 70 N*m^2, radius: 1 cm, "
        "drag: "
        "2 N*s/m^2 } }\n"
        "cables: [{ length: 12 m, adaptive: { segments: [6, 96] }, from: { at: [0, 0, 0] }, to: { at: [10 m, 0, 0], "
        "move: [{ keys: [[10 s, 0], [12 s, -3 m], [15 s, -3 m], [17 s, 0]] }, 0, 0] } }]\n");
    sheaf_solver *solver = lift_solver(model);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sheaf_solver_step(solver, k == 0 ? 600 : 1800), SHEAF_OK);
        assert_int_equal(sheaf_solver_read_positions(solver, x, FINE + 1), SHEAF_OK);
        lengths[k] = 0;
        for (int i = 1; i <= FINE; i++) {
            double way[3];
            vec_sub(way, x[i], x[i - 1]);
            lengths[k] += vec_length(way);
        }
    }
    for (int k = 0; k < 100; k++) {
        const double total = lift_total(solver);
        start = k == 0 ? total : start;
        highest = fmax(highest, total);
        assert_int_equal(sheaf_solver_step(solver, 100), SHEAF_OK);
    }
    print_message("%.7f m, then %.7f m, on %u segments; energy rises by %.2g of %.4g J at rest\n", lengths[0],
                  lengths[1], count_now(solver), highest - start, start);
    assert_close(lengths[1], lengths[0], 1e-6 * 12);
    assert_close(lengths[0], 12, 2e-3 * 12);
    assert_true(count_now(solver) > 12 && count_now(solver) < 64);
    assert_true(highest - start < 1e-9 * fabs(start));
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

static void test_restart_amid_changes_gives_the_same_bits(void **state)
{
    (void)state;
    sheaf_model *model = swing_model("adaptive: { segments: [6, 24] }");
    lift_restart(model, 15, 60);
    lift_restart(model, 73, 40);
    sheaf_model_free(model);
}

// Two cables of one load, whose joints lie one after the other in their group; one begins free, in air.
static void test_cables_that_share_a_load_change_each_by_itself(void **state)
{
    (void)state;
    sheaf_body_pose pose;
    sheaf_model *model = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 20 s }\n" LIFT_ROPE
        "bodies: { load: { mass: 50 kg, box: { size: [20 cm, 20 cm, 20 cm] }, at: [0, 0, 0] } }\n"
        "cables: [{ adaptive: { segments: [5, 16] }, from: { at: [-4 m, 0, 6 m] }, to: { body: load, at: [0, 0, 10 cm] "
        "} }, { adaptive: { segments: [4, 24] }, from: { at: [4 m, 0, 6 m], joint: clamp, move: [{ ramp: { start: 1 s, "
        "to: -1 m, over: 0.5 s } }, 0, 0] }, to: { body: load, at: [0, 0, 10 cm] } }, { adaptive: { segments: [4, 12] "
        "}, length: 3 m, from: { body: load, at: [0, 0, -10 cm] } }]\n");
    sheaf_solver *solver = lift_solver(model);
    assert_int_equal(sheaf_solver_step(solver, 50), SHEAF_OK);
    (void)lift_total(solver);
    assert_int_equal(sheaf_solver_read_bodies(solver, &pose, 1), SHEAF_OK);
    const uint32_t few = count_now(solver);
    print_message("%u of 52 segments; the load bears %.3f N\n", few, pose.force[2]);
    assert_true(few < 40);
    assert_close(pose.force[2] / (50 * 9.81), 1, 0.02);
    assert_int_equal(sheaf_solver_step(solver, 300), SHEAF_OK);
    (void)lift_total(solver);
    sheaf_solver_close(solver);
    lift_restart(model, 75, 60);
    sheaf_model_free(model);
}

// What comes near the ground, half of the rope, is split until it is at its finest, and lies on it.
static void test_it_is_split_where_it_touches(void **state)
{
    (void)state;
    enum { FINE = 32 };
    double x[FINE + 1][3];
    sheaf_model *model = lift_model(
        "sheaf: 1\ntime: { step: 1/60 s, end: 20 s }\n" LIFT_ROPE "colliders: [{ plane: {}, friction: 0.4 }]\n"
        "cables: [{ length: 4 m, adaptive: { segments: [6, 32] }, from: { at: [0, 0, 5 m], move: [{ ramp: { start: 1 "
        "s, "
        "to: 1 m, over: 2 s } }, 0, { ramp: { start: 1 s, to: -3 m, over: 3 s, smooth: true } }] } }]\n");
    sheaf_solver *solver = lift_solver(model);
    assert_int_equal(sheaf_solver_step(solver, 60), SHEAF_OK);
    const uint32_t few = count_now(solver);
    assert_int_equal(sheaf_solver_step(solver, 360), SHEAF_OK);
    (void)lift_total(solver);
    assert_int_equal(sheaf_solver_read_positions(solver, x, FINE + 1), SHEAF_OK);
    for (int i = 0; i <= FINE; i++)
        if (x[i][2] < 0.008)
            fail_msg("vertex %d is at %g m", i, x[i][2]);
    print_message("%u segments in the air, %u on the ground\n", few, count_now(solver));
    assert_true(few < 12 && count_now(solver) >= 16 + 2);
    sheaf_solver_close(solver);
    sheaf_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_change_keeps_momentum_and_energy),
        cmocka_unit_test(test_counts_follow_the_bending),
        cmocka_unit_test(test_sagging_rope_keeps_its_length_and_rests),
        cmocka_unit_test(test_cables_that_share_a_load_change_each_by_itself),
        cmocka_unit_test(test_it_is_split_where_it_touches),
        cmocka_unit_test(test_restart_amid_changes_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
