// test_twist: the quasi-static material frame: derivatives against differences, closed form against Newton's method,
// iterations from cold starts, loads and gauges, and the fixed-count variant.
#include "rods.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

#include "unit.h"

static const double pi = 3.14159265358979323846;

static ref_twist_options newton_options(void)
{
    ref_twist_options options = ref_twist_converged();
    options.method = REF_TWIST_NEWTON;
    return options;
}

static void solve(ref_rod *rod, const ref_twist_options *options)
{
    assert_int_equal(ref_twist(rod, options), SHEAF_OK);
}

static void relax(ref_rod *rod)
{
    const ref_twist_options options = ref_twist_converged();
    solve(rod, &options);
}

static double energy(ref_rod *rod)
{
    ref_curvature(rod);
    return ref_bending_energy(rod) + ref_twisting_energy(rod);
}

static double residual(const ref_rod *rod)
{
    return rod->record->twist_residual / rods_twist_unit(rod);
}

// ---- derivatives

static double gradient_error(ref_rod *rod, uint32_t j)
{
    const double h = 1e-3, start = rod->theta[j];
    double value[4];
    for (int k = 0; k < 4; k++) {
        rod->theta[j] = start + h * (const double[4]){-2, -1, 1, 2}[k];
        value[k] = energy(rod);
    }
    rod->theta[j] = start;
    return rod->angle_gradient[j] - (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * h);
}

static void gradient_is_the_slope_of_the_energy(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        rods_case it;
        double largest = 0, error = 0;
        rods_set_up(&it, &recipe);
        ref_curvature(&it.rod);
        ref_twist_gradient(&it.rod);
        for (uint32_t j = 0; j < it.rod.edge_count; j++) {
            largest = rods_worse(largest, fabs(it.rod.angle_gradient[j]));
            error = rods_worse(error, fabs(gradient_error(&it.rod, j)));
        }
        worst = rods_worse(worst, error / largest);
        rods_tear_down(&it);
    }
    print_message("worst relative error on %d rods: %.1e\n", RODS_VARIANTS, worst);
    assert_true(worst <= 1e-7);
}

// Column j of the Hessian by differences of the gradient.
static void hessian_column(ref_rod *rod, uint32_t j, double *column)
{
    const double h = 1e-3, start = rod->theta[j];
    memset(column, 0, rod->edge_count * sizeof *column);
    for (int k = 0; k < 4; k++) {
        rod->theta[j] = start + h * (const double[4]){-2, -1, 1, 2}[k];
        ref_curvature(rod);
        ref_twist_gradient(rod);
        for (uint32_t r = 0; r < rod->edge_count; r++)
            column[r] += rod->angle_gradient[r] * (const double[4]){1, -8, 8, -1}[k] / (12 * h);
    }
    rod->theta[j] = start;
}

// Entry (r, j) from the bands; edges are a cycle.
static double hessian_entry(const ref_rod *rod, const double *diagonal, const double *above, uint32_t r, uint32_t j)
{
    const uint32_t n = rod->edge_count;
    double entry = r == j ? diagonal[j] : 0;
    if ((r + 1) % n == j)
        entry += above[r];
    if ((j + 1) % n == r)
        entry += above[j];
    return entry;
}

static double hessian_error(rods_case *it)
{
    double diagonal[64], above[64], column[64], largest = 0, error = 0;
    ref_curvature(&it->rod);
    ref_twist_hessian(&it->rod, diagonal, above);
    for (uint32_t j = 0; j < it->rod.edge_count; j++) {
        hessian_column(&it->rod, j, column);
        for (uint32_t r = 0; r < it->rod.edge_count; r++) {
            const double entry = hessian_entry(&it->rod, diagonal, above, r, j);
            largest = rods_worse(largest, fabs(entry));
            error = rods_worse(error, fabs(entry - column[r]));
        }
    }
    return error / largest;
}

static void hessian_is_the_slope_of_the_gradient_and_banded(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        rods_case it;
        rods_set_up(&it, &recipe);
        worst = rods_worse(worst, hessian_error(&it));
        rods_tear_down(&it);
    }
    print_message("worst relative error on %d rods: %.1e\n", RODS_VARIANTS, worst);
    assert_true(worst <= 1e-7);
}

// ---- iterations

// Solves from where the free frames are turned to by `turn` each, at random and independently of each other, and from
// an equilibrium when asked; counts the iterations.
static uint32_t iterations_from(const rods_recipe *recipe, bool from_equilibrium, double turn)
{
    ref_twist_options options = newton_options();
    options.tolerance = 1e-10;
    rods_random random = {.seed = recipe->seed, .next = 9000};
    rods_case it;
    rods_set_up(&it, recipe);
    if (from_equilibrium)
        solve(&it.rod, &options);
    for (uint32_t j = 0; j < it.rod.edge_count; j++)
        if (!it.rod.angle_is_held[j])
            it.rod.theta[j] += rods_uniform(&random, -turn, turn);
    solve(&it.rod, &options);
    assert_true(residual(&it.rod) <= 1e-10);
    const uint32_t iterations = it.state->strands[0].twist_iterations;
    rods_tear_down(&it);
    return iterations;
}

typedef struct iteration_counts {
    uint32_t most;
    uint32_t within_ten; // rods that took no more
} iteration_counts;

static iteration_counts count_iterations(bool from_equilibrium, double turn)
{
    iteration_counts counts = {0, 0};
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        const uint32_t iterations = iterations_from(&recipe, from_equilibrium, turn);
        counts.most = iterations > counts.most ? iterations : counts.most;
        counts.within_ten += iterations <= 10;
    }
    print_message("within 10 iterations: %u of %d; at most: %u\n", counts.within_ten, RODS_VARIANTS, counts.most);
    return counts;
}

// Frames as set up, which know of no equilibrium.
static void ten_iterations_solve_frames_as_set_up(void **fixture)
{
    (void)fixture;
    assert_int_equal(count_iterations(false, 0).within_ten, RODS_VARIANTS);
}

// Every frame off equilibrium by up to half a radian, each on its own.
static void ten_iterations_solve_disturbed_frames(void **fixture)
{
    (void)fixture;
    assert_int_equal(count_iterations(true, 0.5).within_ten, RODS_VARIANTS);
}

// Frames that start anywhere, each on its own.
static void ten_iterations_solve_any_start(void **fixture)
{
    (void)fixture;
    assert_int_equal(count_iterations(false, pi).within_ten, RODS_VARIANTS);
}

static double loaded_energy(ref_rod *rod)
{
    double value = energy(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        value -= rod->axial_couple[j] * rod->theta[j];
    return value;
}

// The sweeps before a cold start leave held frames alone, never add energy, and leave w and m as the angles say.
static void settling_lowers_the_energy(void **fixture)
{
    (void)fixture;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        rods_case it;
        double theta[64];
        rods_set_up(&it, &recipe);
        const double before = loaded_energy(&it.rod), unit = rods_twist_unit(&it.rod);
        memcpy(theta, it.rod.theta, sizeof(double) * it.rod.edge_count);
        ref_settle(&it.rod);
        const double bending = ref_bending_energy(&it.rod), twisting = ref_twisting_energy(&it.rod);
        assert_true(fabs(bending + twisting - energy(&it.rod)) <= 1e-12 * unit);
        assert_true(loaded_energy(&it.rod) <= before + 1e-12 * (fabs(before) + unit));
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            assert_true(!it.rod.angle_is_held[j] || it.rod.theta[j] == theta[j]);
        rods_tear_down(&it);
    }
}

// Frames that follow a small motion stay with their equilibrium, however many lower ones there are.
static void warm_starts_stay_in_their_basin(void **fixture)
{
    (void)fixture;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        rods_random random = {.seed = index};
        rods_case it;
        double theta[64];
        rods_set_up(&it, &recipe);
        relax(&it.rod);
        memcpy(theta, it.rod.theta, sizeof(double) * it.rod.edge_count);
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            if (!it.rod.angle_is_held[j])
                it.rod.theta[j] += rods_uniform(&random, -1e-4, 1e-4);
        relax(&it.rod);
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            assert_true(fabs(it.rod.theta[j] - theta[j]) <= 0.1);
        rods_tear_down(&it);
    }
}

// ---- closed form

static void closed_form_equals_newton(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        ref_twist_options options = newton_options();
        rods_case it;
        double theta[64];
        if (recipe.anisotropic || recipe.curved)
            continue;
        rods_set_up(&it, &recipe);
        solve(&it.rod, &options);
        assert_true(it.state->strands[0].twist_iterations <= 2);
        memcpy(theta, it.rod.theta, sizeof(double) * it.rod.edge_count);
        it.rod.theta[it.rod.edge_count / 2] += it.rod.angle_is_held[it.rod.edge_count / 2] ? 0 : 1;
        options.method = REF_TWIST_CLOSED_FORM;
        solve(&it.rod, &options);
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            worst = rods_worse(worst, fabs(it.rod.theta[j] - theta[j]));
        assert_true(residual(&it.rod) <= 1e-12);
        rods_tear_down(&it);
    }
    print_message("worst difference: %.1e rad\n", worst);
    assert_true(worst <= 1e-12);
}

// Holding any frames at all cuts the rod, open or closed, into pieces that both methods wind alike.
static void any_set_of_held_frames_is_solved(void **fixture)
{
    (void)fixture;
    for (uint32_t trial = 0; trial < 200; trial++) {
        const rods_recipe recipe = {
            .seed = trial, .vertices = 3 + trial % 11, .closed = trial / 11 % 2, .sharpness = 0.3};
        ref_twist_options options = newton_options();
        rods_random random = {.seed = trial};
        rods_case it;
        double theta[64] = {0};
        rods_set_up(&it, &recipe);
        for (uint32_t j = 0; j < it.rod.edge_count; j++) {
            it.rod.angle_is_held[j] = rods_uniform(&random, 0, 1) < 0.4;
            it.rod.theta[j] = theta[j] = rods_uniform(&random, -pi, pi);
        }
        solve(&it.rod, &options);
        assert_true(residual(&it.rod) <= 1e-12);
        for (uint32_t j = 0; j < it.rod.edge_count; j++) {
            assert_true(!it.rod.angle_is_held[j] || it.rod.theta[j] == theta[j]);
            theta[j] = it.rod.theta[j];
        }
        options.method = REF_TWIST_CLOSED_FORM;
        solve(&it.rod, &options);
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            assert_true(fabs(it.rod.theta[j] - theta[j]) <= 1e-12);
        rods_tear_down(&it);
    }
}

static void twist_is_uniform_between_held_frames(void **fixture)
{
    (void)fixture;
    const rods_recipe recipe = {
        .seed = 5, .vertices = 14, .root = RODS_HELD, .tip = RODS_HELD, .uneven = true, .sharpness = 0.5};
    rods_case it;
    rods_set_up(&it, &recipe);
    relax(&it.rod);
    double length = 0;
    for (uint32_t i = 1; i < 13; i++)
        length += rod_voronoi(&it.rod, i) / 2;
    const double density = (it.rod.theta[12] - it.rod.theta[0]) / length;
    for (uint32_t i = 1; i < 13; i++)
        assert_true(fabs(it.rod.m[i] / (rod_voronoi(&it.rod, i) / 2) - density) <= 1e-12 * fabs(density));
    rods_tear_down(&it);
}

static void free_ends_shed_twist(void **fixture)
{
    (void)fixture;
    for (uint32_t kind = 0; kind < 4; kind++) {
        const rods_recipe recipe = {.seed = 6 + kind,
                                    .vertices = 14,
                                    .root = kind % 2 ? RODS_HELD : RODS_FREE,
                                    .inner_held = kind / 2,
                                    .uneven = true,
                                    .sharpness = 0.5};
        rods_case it;
        rods_set_up(&it, &recipe);
        const double first = it.rod.theta[0];
        it.rod.theta[12] += 5;
        relax(&it.rod);
        const uint32_t held = it.state->model->strands[0].hold_count ? it.state->model->strands[0].holds[0].edge : 0;
        for (uint32_t i = 1; i < 13; i++)
            assert_true(fabs(it.rod.m[i]) <= 1e-14 || (kind == 3 && i <= held));
        if (kind < 2)
            assert_true(it.rod.theta[0] == first); // held, or the gauge
        rods_tear_down(&it);
    }
}

// A couple on a free end winds the rod between it and the held frame: every twisting moment equals the couple.
static void couples_set_the_twisting_moment(void **fixture)
{
    (void)fixture;
    for (uint32_t section = 0; section < 2; section++) {
        const rods_recipe recipe = {
            .seed = 30, .vertices = 9, .root = RODS_HELD, .tip = RODS_LOADED, .uneven = true, .sharpness = 0.2};
        const ref_twist_options newton = newton_options(), either = ref_twist_converged();
        rods_case it;
        rods_set_up(&it, &recipe);
        solve(&it.rod, section ? &newton : &either);
        const double couple = it.rod.axial_couple[7];
        assert_true(couple != 0);
        for (uint32_t i = 1; i < 8; i++)
            assert_true(fabs(ref_twist_moment(&it.rod, i) - couple) <= 1e-12 * fabs(couple));
        rods_tear_down(&it);
    }
}

// ---- gauge and other rods without a unique answer

static void keep_first_angle(ref_rod *rod)
{
    const ref_twist_options options = newton_options();
    const double first = rod->theta[0];
    solve(rod, &options);
    assert_true(fabs(rod->theta[0] - first) <= 1e-9);
    assert_true(residual(rod) <= 1e-10);
}

static void frames_that_nothing_fixes_keep_the_first_angle(void **fixture)
{
    (void)fixture;
    for (uint32_t kind = 0; kind < 6; kind++) {
        const rods_recipe recipe = {.seed = 40 + kind,
                                    .vertices = 10,
                                    .closed = kind % 2,
                                    .anisotropic = kind >= 2,
                                    .curved = kind >= 4,
                                    .sharpness = 0.3};
        rods_case it;
        rods_set_up(&it, &recipe);
        for (uint32_t i = 0; i < 10 && kind >= 2 && !recipe.closed; i++)
            vec_set(it.rod.x[i], 0.1 * i, 0, 0); // straight: bending does not see the frames
        ref_frames(&it.rod);
        if (kind < 2 || !recipe.closed)
            keep_first_angle(&it.rod);
        rods_tear_down(&it);
    }
}

// Nothing answers this couple: the frames cannot rest, and the solve says so by its residual.
static void unanswered_couple_is_reported(void **fixture)
{
    (void)fixture;
    const rods_recipe recipe = {.seed = 50, .vertices = 10, .sharpness = 0.3};
    for (int method = REF_TWIST_AUTO; method <= REF_TWIST_NEWTON; method++) {
        ref_twist_options options = ref_twist_converged();
        rods_case it;
        rods_set_up(&it, &recipe);
        it.rod.axial_couple[0] = 0.25 * rods_twist_unit(&it.rod);
        options.method = (ref_twist_method)method;
        solve(&it.rod, &options);
        assert_true(fabs(residual(&it.rod) - 0.25) <= 1e-9);
        for (uint32_t j = 0; j < 9; j++)
            assert_true(isfinite(it.rod.theta[j]));
        rods_tear_down(&it);
    }
}

static void values_that_are_not_numbers_end_the_solve(void **fixture)
{
    (void)fixture;
    for (int way = REF_TWIST_FIXED; way <= REF_TWIST_SEARCH; way++) {
        const rods_recipe recipe = {.seed = 51, .vertices = 10, .anisotropic = true, .sharpness = 0.3};
        ref_twist_options options = ref_twist_converged();
        rods_case it;
        rods_set_up(&it, &recipe);
        it.rod.theta[4] = NAN;
        options.way = (ref_twist_way)way;
        solve(&it.rod, &options);
        assert_true(isnan(it.rod.record->twist_residual));
        rods_tear_down(&it);
    }
}

static void closed_form_is_refused_where_there_is_none(void **fixture)
{
    (void)fixture;
    const rods_recipe recipe = {.seed = 52, .vertices = 10, .curved = true, .sharpness = 0.3};
    ref_twist_options options = ref_twist_converged();
    rods_case it;
    rods_set_up(&it, &recipe);
    options.method = REF_TWIST_CLOSED_FORM;
    assert_int_equal(ref_twist(&it.rod, &options), SHEAF_ERR_USAGE);
    assert_non_null(strstr(sheaf_last_error(), "isotropic"));
    rods_tear_down(&it);
}

// ---- fixed count

// Each iteration turns no frame by more than 1 rad and all of them are done; enough of them reach an equilibrium of
// the same kind, and two of them keep up with small motions.
static void fixed_count_is_bounded_and_converges(void **fixture)
{
    (void)fixture;
    uint32_t converged = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        ref_twist_options options = {.method = REF_TWIST_NEWTON, .iterations = 1};
        rods_case it;
        double before[64];
        rods_set_up(&it, &recipe);
        for (int k = 0; k < 200; k++) {
            memcpy(before, it.rod.theta, sizeof(double) * it.rod.edge_count);
            solve(&it.rod, &options);
            assert_int_equal(it.state->strands[0].twist_iterations, 1);
            for (uint32_t j = 0; j < it.rod.edge_count && k < 20; j++)
                assert_true(fabs(it.rod.theta[j] - before[j]) <= 1 + 1e-12);
        }
        converged += residual(&it.rod) <= 1e-10;
        rods_tear_down(&it);
    }
    print_message("200 iterations reach equilibrium from any frames for %u of %d\n", converged, RODS_VARIANTS);
    assert_true(converged >= 0.95 * RODS_VARIANTS);
}

// Two iterations per step follow a moving rod, but for the few whose equilibrium gives way under the motion.
static void two_iterations_keep_up_with_motion(void **fixture)
{
    (void)fixture;
    const ref_twist_options options = {.method = REF_TWIST_NEWTON, .iterations = 2};
    uint32_t followed = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index);
        rods_random random = {.seed = index};
        rods_case it;
        double worst = 0;
        rods_set_up(&it, &recipe);
        relax(&it.rod);
        for (int step = 0; step < 10; step++) {
            for (uint32_t i = 0; i < it.rod.vertex_count; i++)
                if (rods_vertex_moves(&it.rod, i))
                    it.rod.x[i][i % 3] += 1e-4 * it.rod.rest_length[0] * rods_uniform(&random, -1, 1);
            ref_frames(&it.rod);
            solve(&it.rod, &options);
            worst = rods_worse(worst, residual(&it.rod));
        }
        followed += worst <= 1e-4;
        rods_tear_down(&it);
    }
    print_message("residual stays below 1e-4 for %u of %d\n", followed, RODS_VARIANTS);
    assert_true(followed >= 0.95 * RODS_VARIANTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_is_the_slope_of_the_energy),
        cmocka_unit_test(hessian_is_the_slope_of_the_gradient_and_banded),
        cmocka_unit_test(ten_iterations_solve_frames_as_set_up),
        cmocka_unit_test(ten_iterations_solve_disturbed_frames),
        cmocka_unit_test(ten_iterations_solve_any_start),
        cmocka_unit_test(settling_lowers_the_energy),
        cmocka_unit_test(warm_starts_stay_in_their_basin),
        cmocka_unit_test(closed_form_equals_newton),
        cmocka_unit_test(any_set_of_held_frames_is_solved),
        cmocka_unit_test(twist_is_uniform_between_held_frames),
        cmocka_unit_test(free_ends_shed_twist),
        cmocka_unit_test(couples_set_the_twisting_moment),
        cmocka_unit_test(frames_that_nothing_fixes_keep_the_first_angle),
        cmocka_unit_test(unanswered_couple_is_reported),
        cmocka_unit_test(values_that_are_not_numbers_end_the_solve),
        cmocka_unit_test(closed_form_is_refused_where_there_is_none),
        cmocka_unit_test(fixed_count_is_bounded_and_converges),
        cmocka_unit_test(two_iterations_keep_up_with_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
