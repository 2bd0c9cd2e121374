// test_bend_twist: elastic forces against differences of the energy, balance of forces and torques, and an independent
// form of the same forces, on random rods of every kind.
#include "rods.h"

#include "base/vec.h"

#include <string.h>

#include "unit.h"

typedef struct rod_case {
    rods_recipe recipe;
    sheaf_state *start, *trial; // the pose under test, and one to displace
    ref_rod rod, trial_rod;
} rod_case;

static void set_up(rod_case *it, uint32_t index, bool relaxed)
{
    const ref_twist_options options = ref_twist_converged();
    it->recipe = rods_variant(index);
    it->start = rods_create(&it->recipe);
    it->trial = rods_create(&it->recipe);
    rods_open(it->start, &it->recipe, &it->rod);
    rods_open(it->trial, &it->recipe, &it->trial_rod);
    ref_frames(&it->rod);
    if (relaxed)
        assert_int_equal(ref_twist(&it->rod, &options), SHEAF_OK);
    ref_curvature(&it->rod);
    ref_twist_gradient(&it->rod);
    ref_bend_twist_forces(&it->rod);
}

static void tear_down(rod_case *it)
{
    rod_close(&it->rod);
    rod_close(&it->trial_rod);
    rods_free(it->start);
    rods_free(it->trial);
}

// Energy after vertex i is moved by `by` along axis c and the frames follow; relaxed: then turn to equilibrium, their
// couples doing work.
static double energy_at(rod_case *it, uint32_t i, int c, double by, bool relaxed)
{
    const ref_twist_options options = ref_twist_converged();
    ref_rod *rod = &it->trial_rod;
    double followed[64], work = 0;
    rods_copy(it->trial, it->start);
    rod->x[i][c] += by;
    ref_frames(rod);
    memcpy(followed, rod->theta, rod->edge_count * sizeof(double));
    if (relaxed)
        assert_int_equal(ref_twist(rod, &options), SHEAF_OK);
    ref_curvature(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        work += rod->axial_couple[j] * (rod->theta[j] - followed[j]);
    return ref_bending_energy(rod) + ref_twisting_energy(rod) - work;
}

// Fourth-order central difference.
static double slope(rod_case *it, uint32_t i, int c, bool relaxed)
{
    const double h = 3e-5 * it->rod.length[i > 0 ? i - 1 : 0];
    const double near = energy_at(it, i, c, h, relaxed) - energy_at(it, i, c, -h, relaxed);
    const double far = energy_at(it, i, c, 2 * h, relaxed) - energy_at(it, i, c, -2 * h, relaxed);
    return (8 * near - far) / (12 * h);
}

static double worst_difference(uint32_t index, bool relaxed)
{
    rod_case it;
    double worst = 0;
    set_up(&it, index, relaxed);
    const double largest = rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count);
    for (uint32_t i = 0; i < it.rod.vertex_count; i++)
        for (int c = 0; c < 3 && rods_vertex_moves(&it.rod, i); c++)
            worst = fmax(worst, fabs(it.rod.force[i][c] + slope(&it, i, c, relaxed)) / largest);
    tear_down(&it);
    return worst;
}

static void forces_are_slopes_of_the_relaxed_energy(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++)
        worst = fmax(worst, worst_difference(index, true));
    print_message("worst: %.1e\n", worst);
    assert_true(worst <= 1e-6);
}

static void forces_are_slopes_of_the_energy_at_any_angles(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++)
        worst = fmax(worst, worst_difference(index, false));
    print_message("worst: %.1e\n", worst);
    assert_true(worst <= 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_slopes_of_the_relaxed_energy),
        cmocka_unit_test(forces_are_slopes_of_the_energy_at_any_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
