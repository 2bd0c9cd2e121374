// test_kirchhoff: the generalised-alpha Kirchhoff rod: its derivatives, both solvers, closed forms, the coiled spring
// pulled slowly and let go in water, and its order in space and time.
// labels: tiers (20 s, all 60 s)
#include "kirchhoff/rod.h"

#include "reproduce/spring.h"
#include "unit.h"

#include <stdio.h>

// ---- equations

static double pseudo_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0 - 0.5;
}

// A law without symmetry that couples all strains and changes along the rod.
static void coupled_law(const double x[3], double s, double q[3], double stiffness[3][3], const void *user)
{
    const double grade = 1 + s;
    (void)user;
    vec_set(q, grade * (3 * x[0] + x[2] * x[1]), grade * (2 * x[1] + x[0] * x[2] + x[1] * x[1]),
            grade * (x[2] + x[0] * x[1]));
    const double slope[3][3] = {{3, x[2], x[1]}, {x[2], 2 + 2 * x[1], x[0]}, {x[1], x[0], 1}};
    for (int r = 0; r < 3; r++)
        vec_scale(stiffness[r], slope[r], grade);
}

static kirchhoff_def coupled_def(void)
{
    kirchhoff_def def = kirchhoff_default();
    def.line_mass = 0.7;
    vec_set(def.inertia, 0.1, 0.2, 0.3);
    vec_set(def.curvature, 0.3, -0.2, 0.5);
    def.law = coupled_law;
    def.fluid_density = 2;
    def.diameter = 0.8;
    def.drag_normal = 1.3;
    def.drag_tangential = 0.4;
    return def;
}

static void derivatives_are_those_of_differences(void **fixture)
{
    const kirchhoff_def def = coupled_def();
    const double h = 1e-5;
    uint32_t seed = 7;
    (void)fixture;
    for (int round = 0; round < 20; round++) {
        double y[UNKNOWNS];
        node_terms at, up, down;
        for (int k = 0; k < UNKNOWNS; k++)
            y[k] = 2 * pseudo_random(&seed);
        kirchhoff_node_terms(&def, 0.4, y, &at);
        for (int c = 0; c < UNKNOWNS; c++) {
            double moved[UNKNOWNS];
            memcpy(moved, y, sizeof y);
            moved[c] += h;
            kirchhoff_node_terms(&def, 0.4, moved, &up);
            moved[c] -= 2 * h;
            kirchhoff_node_terms(&def, 0.4, moved, &down);
            for (int r = 0; r < UNKNOWNS; r++)
                assert_close(at.slope[r][c], (up.source[r] - down.source[r]) / (2 * h), 1e-8);
            for (int r = 0; c >= KAPPA && c < F && r < 3; r++)
                assert_close(at.stiffness[r][c - KAPPA], (up.flux[KAPPA + r] - down.flux[KAPPA + r]) / (2 * h), 1e-8);
        }
    }
}

// What drags a rod is against its motion, by its square, and told apart across and along.
static void drag_is_morisons(void **fixture)
{
    const kirchhoff_def def = coupled_def();
    const double half = def.fluid_density * def.diameter / 2;
    double y[UNKNOWNS] = {3, 4, -2};
    node_terms at, still;
    kirchhoff_def vacuum = def;
    (void)fixture;
    vacuum.fluid_density = 0;
    kirchhoff_node_terms(&def, 0, y, &at);
    kirchhoff_node_terms(&vacuum, 0, y, &still);
    assert_close(at.source[9] - still.source[9], half * 1.3 * 5 * 3, 1e-12);
    assert_close(at.source[10] - still.source[10], half * 1.3 * 5 * 4, 1e-12);
    assert_close(at.source[11] - still.source[11], -half * 3.14159265358979 * 0.4 * 4, 1e-12);
}

// A matrix whose largest entries lie off the diagonal has to be pivoted; both solvers give what it was made of.
static void band_matrices_are_solved(void **fixture)
{
    enum { ROWS = 96 };
    double *band = calloc(band_size(ROWS), sizeof *band), *full = calloc((size_t)ROWS * ROWS, sizeof *full);
    double answer[ROWS], right[ROWS] = {0}, same[ROWS];
    uint32_t seed = 3;
    (void)fixture;
    for (uint32_t k = 0; k < ROWS; k++)
        answer[k] = pseudo_random(&seed);
    for (uint32_t r = 0; r < ROWS; r++)
        for (uint32_t c = r > BAND ? r - BAND : 0; c < ROWS && c <= r + BAND; c++) {
            const double value = r == c ? 0 : pseudo_random(&seed);
            *band_entry(band, r, c) = full[r * ROWS + c] = value;
            right[r] += value * answer[c];
        }
    memcpy(same, right, sizeof same);
    assert_true(band_solve(band, ROWS, right));
    assert_true(dense_solve(ROWS, full, 1, same));
    for (uint32_t k = 0; k < ROWS; k++) {
        assert_close(right[k], answer[k], 1e-10);
        assert_close(same[k], answer[k], 1e-10);
    }
    memset(band, 0, band_size(ROWS) * sizeof *band);
    assert_false(band_solve(band, ROWS, right));
    free(band);
    free(full);
}

// ---- closed forms

// A couple on the tip of a straight rod: even curvature x with q(x) = M, so 4 tan(M / 4 B).
static void turn_tip(double time, double force[3], double moment[3], const void *user)
{
    (void)time;
    vec_set(force, 0, 0, 0);
    vec_set(moment, *(const double *)user, 0, 0);
}

static void a_couple_bends_evenly(void **fixture)
{
    static const double known[2] = {1.021368, 3.726386};
    const spring_law law = SPRING_EXACT;
    (void)fixture;
    for (int k = 0; k < 2; k++) {
        const double moment = 541.532 * (k == 0 ? 1 : 3);
        kirchhoff_def def = spring_def(&law, 32);
        kirchhoff_rod *rod;
        double points[33][3], frame[3][3];
        vec_set(def.curvature, 0, 0, 0);
        def.line_mass = 0;
        vec_set(def.inertia, 0, 0, 0);
        vec_set(def.frame[0], 1, 0, 0);
        vec_set(def.frame[1], 0, 1, 0);
        vec_set(def.frame[2], 0, 0, 1);
        def.tip = (kirchhoff_end){.is_free = true, .course = turn_tip, .user = &moment};
        assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
        assert_int_equal(kirchhoff_step(rod, 1, NULL), SHEAF_OK);
        for (uint32_t node = 0; node <= 32; node++)
            assert_close(kirchhoff_node(rod, node)[6], known[k], 2e-6);
        kirchhoff_shape(rod, points, frame); // about the first axis: the tip bends away from the second
        assert_close(points[32][1], -(1 - cos(known[k])) / known[k], 1e-6);
        assert_close(points[32][2], sin(known[k]) / known[k], 1e-6);
        assert_close(frame[2][2], cos(known[k]), 1e-6);
        kirchhoff_close(rod);
    }
}

// First frequency of a straight cantilever, 3.516 sqrt(B / m) / L^2, bent slowly by a force and let go.
static void bend_slowly(double time, double force[3], double moment[3], const void *user)
{
    (void)user;
    vec_set(force, time < 0.2 ? time : 0, 0, 0);
    vec_set(moment, 0, 0, 0);
}

static void a_cantilever_swings_with_its_frequency(void **fixture)
{
    const spring_law law = SPRING_LINEAR;
    const double step = 1e-3, omega = 3.516015 * sqrt(541.532 / 0.869175);
    kirchhoff_def def = spring_def(&law, 40);
    kirchhoff_rod *rod;
    double points[41][3], start[3], before = 0, last = 0, first = 0;
    int count = 0;
    (void)fixture;
    vec_set(def.curvature, 0, 0, 0);
    def.tip = (kirchhoff_end){.is_free = true, .course = bend_slowly};
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    kirchhoff_shape(rod, points, NULL);
    vec_copy(start, points[40]);
    while (count < 6) {
        assert_true(kirchhoff_time(rod) < 1);
        assert_int_equal(kirchhoff_step(rod, step, NULL), SHEAF_OK);
        kirchhoff_shape(rod, points, NULL);
        vec_sub(points[40], points[40], start);
        const double away = vec_dot(points[40], def.frame[0]);
        if (before < 0 && away >= 0) {
            last = kirchhoff_time(rod) - step * away / (away - before);
            first = count++ == 0 ? last : first;
        }
        before = away;
    }
    assert_close((count - 1) * 2 * 3.14159265358979 / (last - first), omega, 5e-3 * omega);
    kirchhoff_close(rod);
}

// ---- the spring pulled slowly

static void go_to(kirchhoff_rod *rod, double time, double longest)
{
    const double left = time - kirchhoff_time(rod), count = ceil(left / longest - 1e-9);
    for (int k = 0; k < (int)count; k++)
        if (kirchhoff_step(rod, left / count, NULL) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
}

// Forces at the places of the table from the rest length on to one end.
static void pull(spring_law law, uint32_t cells, double sense, double step, double forces[SPRING_PLACES])
{
    kirchhoff_def def = spring_def(&law, cells);
    kirchhoff_rod *rod;
    def.tip = (kirchhoff_end){.course = spring_pull, .user = &sense};
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    for (int k = sense > 0 ? 6 : 5; k >= 0 && k < SPRING_PLACES; k += (int)sense) {
        go_to(rod, spring_pull_time(spring_distances[k]), step);
        forces[k] = spring_force(rod, cells);
    }
    kirchhoff_close(rod);
}

// 200 cells are enough for 0.05 % where the spring is pulled, to 0.75 m, and 0.2 % beyond. Pressed it has its strongest
// gradients of curvature at the clamps: 0.1 %, and 0.05 % with twice the cells.
static void forces_are_those_of_the_table(void **fixture)
{
    (void)fixture;
    for (int law = 0; law < SPRING_LAWS; law++) {
        double coarse[SPRING_PLACES], fine[SPRING_PLACES];
        pull((spring_law)law, 200, 1, 2e-3, coarse);
        pull((spring_law)law, 200, -1, 2e-3, coarse);
        pull((spring_law)law, 400, -1, 2e-3, fine);
        for (int k = 0; k < SPRING_PLACES; k++) {
            const double known = spring_forces[law][k], distance = spring_distances[k];
            const double error = fabs(coarse[k] / known - 1), half = k < 6 ? fabs(fine[k] / known - 1) : 0;
            printf("%-12s %.2f m: %10.1f N, %.4f %% (400 cells %.4f %%)\n", spring_law_names[law], distance, coarse[k],
                   100 * error, 100 * half);
            const double bar = distance > 0.76 ? 2e-3 : (distance < spring_rest ? 1e-3 : 5e-4);
            assert_true(error <= bar);
            assert_true(half <= 5e-4);
        }
    }
}

static double force_at_065(uint32_t cells)
{
    const spring_law law = SPRING_EXACT;
    const double sense = 1;
    kirchhoff_def def = spring_def(&law, cells);
    kirchhoff_rod *rod;
    def.line_mass = 0; // equilibrium at any time
    vec_set(def.inertia, 0, 0, 0);
    def.tip = (kirchhoff_end){.course = spring_pull, .user = &sense};
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    go_to(rod, spring_pull_time(0.65), 2e-3);
    const double force = spring_force(rod, cells);
    kirchhoff_close(rod);
    return force;
}

static void errors_fall_with_the_square_of_cells(void **fixture)
{
    const double a = force_at_065(50), b = force_at_065(100), c = force_at_065(200);
    const double order = log2((a - b) / (b - c));
    (void)fixture;
    printf("force at 0.65 m: %.1f, %.1f, %.1f N at 50, 100, 200 cells, order %.3f\n", a, b, c, order);
    assert_close(order, 2, 0.1);
    assert_close(c + (c - b) / 3, 21818.6, 2);
}

// ---- in time

static void release_end(kirchhoff_rod *rod, double step)
{
    if (kirchhoff_time(rod) > spring_release - step / 2)
        kirchhoff_set_tip(rod, (kirchhoff_end){.is_free = true});
}

// Distance of the ends along the axis after `count` steps in water.
static double swing(uint32_t cells, double step, double time, kirchhoff_solver solver)
{
    const spring_law law = SPRING_EXACT;
    kirchhoff_def def = spring_def_in_water(&law, cells);
    double(*points)[3] = calloc(cells + 1, sizeof *points);
    kirchhoff_rod *rod;
    def.solver = solver;
    def.tip.course = spring_jerk;
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    while (kirchhoff_time(rod) < time - step / 2) {
        release_end(rod, step);
        if (kirchhoff_step(rod, step, NULL) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
    }
    kirchhoff_shape(rod, points, NULL);
    const double distance = points[cells][2];
    kirchhoff_close(rod);
    free(points);
    return distance;
}

// A smooth pull of 8 ms; the tip is told where to be, so a curvature inside the rod is looked at.
static void pull_smoothly(double time, double velocity[3], double turning[3], const void *user)
{
    const double wave = sin(3.14159265358979 * time / 0.008), speed = 2 * wave * wave * wave * wave;
    (void)user;
    vec_set(velocity, speed, speed, speed);
    vec_set(turning, 0, 0, 0);
}

static double curvature_inside(double step)
{
    const spring_law law = SPRING_EXACT;
    kirchhoff_def def = spring_def_in_water(&law, 24);
    kirchhoff_rod *rod;
    def.tip.course = pull_smoothly;
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    for (int count = (int)rint(0.008 / step); count > 0; count--)
        assert_int_equal(kirchhoff_step(rod, step, NULL), SHEAF_OK);
    const double curvature = kirchhoff_node(rod, 12)[6];
    kirchhoff_close(rod);
    return curvature;
}

static void errors_fall_with_the_square_of_the_time_step(void **fixture)
{
    const double a = curvature_inside(8e-5), b = curvature_inside(4e-5), c = curvature_inside(2e-5);
    const double order = log2(fabs((a - b) / (b - c)));
    (void)fixture;
    printf("curvature at 8 ms: %.7f, %.7f, %.7f /m, order %.3f\n", a, b, c, order);
    assert_close(order, 2, 0.2);
}

static void the_released_spring_swings_as_known(void **fixture)
{
    const bool is_full = is_second_tier();
    const uint32_t cells = is_full ? 400 : 200;
    const spring_law law = SPRING_EXACT;
    const double step = is_full ? 1e-5 : 2e-5, bar = is_full ? 1e-3 : 2e-3;
    kirchhoff_def def = spring_def_in_water(&law, cells);
    double(*points)[3] = calloc(cells + 1, sizeof *points), drift = 0;
    kirchhoff_rod *rod;
    (void)fixture;
    def.tip.course = spring_jerk;
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    for (int k = 0; k < SPRING_TIMES && spring_times[k] < 0.041; k++) {
        while (kirchhoff_time(rod) < spring_times[k] - step / 2) {
            release_end(rod, step);
            if (kirchhoff_step(rod, step, NULL) != SHEAF_OK)
                fail_msg("%s", sheaf_last_error());
        }
        drift = fmax(drift, kirchhoff_shape(rod, points, NULL));
        printf("%.4f s: %.5f m, known %.5f m\n", spring_times[k], points[cells][2], spring_release_known[law][k]);
        assert_close(points[cells][2], spring_release_known[law][k], bar);
    }
    printf("drift of the tip: %.2e m\n", drift);
    assert_true(drift > 0 && drift < bar);
    kirchhoff_close(rod);
    free(points);
}

// ---- shooting

static void shooting_gives_the_same(void **fixture)
{
    (void)fixture;
    const double assembled = swing(50, 3e-4, 0.0045, KIRCHHOFF_ASSEMBLED);
    const double shot = swing(50, 3e-4, 0.0045, KIRCHHOFF_SHOOTING);
    assert_close(shot, assembled, 1e-8);
    assert_true(fabs(assembled - spring_rest) > 1e-3);
}

// The shorter the step, the more it grows; beyond 1e12 it says so, and the rod stays as it was.
static void shooting_refuses_what_would_be_noise(void **fixture)
{
    const spring_law law = SPRING_EXACT;
    kirchhoff_def def = spring_def(&law, 200);
    kirchhoff_report report;
    kirchhoff_rod *rod;
    double growth = 0;
    (void)fixture;
    def.solver = KIRCHHOFF_SHOOTING;
    def.tip.course = spring_jerk;
    for (double step = 1e-3; step > 9e-5; step /= 3.3) {
        assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
        assert_int_equal(kirchhoff_step(rod, step, &report), SHEAF_OK);
        printf("step %.1e s: growth %.1e\n", step, report.growth);
        assert_true(report.growth > 10 * growth);
        growth = report.growth;
        kirchhoff_close(rod);
    }
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    assert_int_equal(kirchhoff_step(rod, 2e-5, &report), SHEAF_ERR_FAILED);
    assert_true(report.growth > 1e12);
    assert_non_null(strstr(sheaf_last_error(), "assembled solver"));
    assert_true(kirchhoff_time(rod) == 0 && kirchhoff_node(rod, 100)[6] == def.curvature[0]);
    assert_int_equal(kirchhoff_step(rod, 1e-3, &report), SHEAF_OK);
    kirchhoff_close(rod);
}

// ---- refusals

static void expect_refusal(kirchhoff_def def, const char *word)
{
    kirchhoff_rod *rod;
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_ERR_USAGE);
    assert_null(rod);
    if (strstr(sheaf_last_error(), word) == NULL)
        fail_msg("'%s' does not say '%s'", sheaf_last_error(), word);
}

static void bad_definitions_are_refused(void **fixture)
{
    const spring_law law = SPRING_LINEAR;
    const kirchhoff_def good = spring_def(&law, 10);
    kirchhoff_def def;
    (void)fixture;
    def = good;
    def.law = NULL;
    expect_refusal(def, "law");
    def = good;
    def.cells = 0;
    expect_refusal(def, "cells");
    def = good;
    def.length = 0;
    expect_refusal(def, "length");
    def = good;
    def.rho = 1;
    expect_refusal(def, "rho");
    def = good;
    def.tolerance = 0;
    expect_refusal(def, "tolerance");
    def = good;
    def.scale[2] = NAN;
    expect_refusal(def, "scales");
    def = good;
    def.line_mass = 0;
    def.root.is_free = def.tip.is_free = true;
    expect_refusal(def, "hold an end");
}

// Beyond the largest moment of a law there is no answer: said, and the rod stays as it was.
static void saturating_law(const double x[3], double s, double q[3], double stiffness[3][3], const void *user)
{
    (void)s;
    (void)user;
    memset(stiffness, 0, 9 * sizeof(double));
    for (int k = 0; k < 3; k++) {
        q[k] = atan(x[k]);
        stiffness[k][k] = 1 / (1 + x[k] * x[k]);
    }
}

static void a_moment_beyond_the_law_fails_and_leaves_the_rod(void **fixture)
{
    const double moment = 2; // above pi / 2
    kirchhoff_def def = kirchhoff_default();
    kirchhoff_rod *rod;
    (void)fixture;
    def.cells = 8;
    def.law = saturating_law;
    def.tip = (kirchhoff_end){.is_free = true, .course = turn_tip, .user = &moment};
    assert_int_equal(kirchhoff_open(&def, &rod), SHEAF_OK);
    assert_int_equal(kirchhoff_step(rod, 1, NULL), SHEAF_ERR_FAILED);
    assert_true(kirchhoff_time(rod) == 0 && kirchhoff_node(rod, 8)[6] == 0);
    kirchhoff_close(rod);
}

int main(void)
{
    const struct CMUnitTest full[] = {
        cmocka_unit_test(the_released_spring_swings_as_known),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(drag_is_morisons),
        cmocka_unit_test(band_matrices_are_solved),
        cmocka_unit_test(a_couple_bends_evenly),
        cmocka_unit_test(a_cantilever_swings_with_its_frequency),
        cmocka_unit_test(forces_are_those_of_the_table),
        cmocka_unit_test(errors_fall_with_the_square_of_cells),
        cmocka_unit_test(errors_fall_with_the_square_of_the_time_step),
        cmocka_unit_test(the_released_spring_swings_as_known),
        cmocka_unit_test(shooting_gives_the_same),
        cmocka_unit_test(shooting_refuses_what_would_be_noise),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(a_moment_beyond_the_law_fails_and_leaves_the_rod),
    };
    return is_second_tier() ? cmocka_run_group_tests(full, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
}
