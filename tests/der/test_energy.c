// test_energy: energies of shapes with known answers, and what they do not depend on.
#include "rods.h"

#include "base/vec.h"

#include <string.h>

#include "unit.h"

static const double pi = 3.14159265358979323846;

static rods_case isotropic(uint32_t vertices, bool closed)
{
    const rods_recipe recipe = {.seed = 1, .vertices = vertices, .closed = closed, .sharpness = 0.2};
    rods_case it;
    rods_set_up(&it, &recipe);
    return it;
}

// Sets rest lengths to those of the pose.
static void rest_as_posed(rods_case *it)
{
    sheaf_model *model = (sheaf_model *)it->state->model;
    memcpy(model->rest_length, it->rod.length, it->rod.edge_count * sizeof(double));
}

// A circle of radius R bends by |kb| = 2 tan(pi/n) at each of n vertices, so E = n B kb^2 / lb -> pi B / R.
static void a_ring_has_the_energy_of_a_circle(void **fixture)
{
    (void)fixture;
    const double radius = 0.7;
    double error[2];
    for (uint32_t k = 0; k < 2; k++) {
        const uint32_t n = 32u << k;
        rods_case it = isotropic(n, true);
        for (uint32_t i = 0; i < n; i++)
            vec_set(it.rod.x[i], radius * cos(2 * pi * i / n), radius * sin(2 * pi * i / n), 0);
        ref_frames(&it.rod);
        rest_as_posed(&it);
        ref_curvature(&it.rod);
        const double bend = it.rod.bend[0][0], kb = 2 * tan(pi / n), edge = 2 * radius * sin(pi / n);
        const double exact = n * bend * kb * kb / (2 * edge), smooth = pi * bend / radius;
        const double energy = ref_bending_energy(&it.rod);
        assert_true(fabs(energy - exact) <= 1e-12 * exact);
        error[k] = energy / smooth - 1;
        rods_tear_down(&it);
    }
    assert_true(fabs(error[0] / error[1] - 4) < 0.05); // second order
}

// A straight rod twisted uniformly by a total angle a has E = beta a^2 / (2 L), L between the middles of its end edges.
static void a_twisted_bar_has_the_energy_of_a_shaft(void **fixture)
{
    (void)fixture;
    rods_case it = isotropic(11, false);
    const double angle = 3;
    for (uint32_t i = 0; i < 11; i++)
        vec_set(it.rod.x[i], 0.1 * i, 0, 0);
    ref_frames(&it.rod);
    rest_as_posed(&it);
    for (uint32_t j = 0; j < 10; j++)
        it.rod.theta[j] = angle * j / 9;
    ref_curvature(&it.rod);
    const double expected = it.rod.twist[1] * angle * angle / (2 * 0.9);
    assert_true(fabs(ref_twisting_energy(&it.rod) - expected) <= 1e-12 * expected);
    assert_true(ref_bending_energy(&it.rod) == 0);
    rods_tear_down(&it);
}

// A pose is free of stress where natural curvature and twist are those of the pose itself.
static void a_natural_pose_has_no_energy(void **fixture)
{
    (void)fixture;
    for (uint32_t index = 0; index < RODS_VARIANTS; index += 41) {
        const rods_recipe recipe = rods_variant(index);
        rods_case it;
        rods_set_up(&it, &recipe);
        ref_curvature(&it.rod);
        sheaf_model *model = (sheaf_model *)it.state->model;
        memcpy(model->natural_curvature, it.rod.w, it.rod.vertex_count * sizeof *it.rod.w);
        memcpy(model->natural_twist, it.rod.m, it.rod.vertex_count * sizeof *it.rod.m);
        assert_true(ref_bending_energy(&it.rod) == 0 && ref_twisting_energy(&it.rod) == 0);
        rods_tear_down(&it);
    }
}

static double relaxed_energy(ref_rod *rod)
{
    const ref_twist_options options = ref_twist_converged();
    assert_int_equal(ref_twist(rod, &options), SHEAF_OK);
    return ref_bending_energy(rod) + ref_twisting_energy(rod);
}

// Turning a rod whose frames are free, step by step, takes the frames along once they find equilibrium again, although
// transport alone would leave them behind.
static void relaxed_energy_is_the_same_after_rigid_motion(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < 16; index++) {
        const rods_recipe recipe = {.seed = index,
                                    .vertices = 12,
                                    .closed = index % 2,
                                    .anisotropic = index / 2 % 2,
                                    .curved = index / 4 % 2,
                                    .sharpness = 0.3};
        rods_random random = {.seed = index};
        rods_case it;
        double axis[3];
        rods_set_up(&it, &recipe);
        const double before = relaxed_energy(&it.rod);
        rods_direction(&random, axis);
        for (int k = 0; k < 30; k++) {
            for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
                vec_rotate(it.rod.x[i], it.rod.x[i], axis, 0.1);
                it.rod.x[i][k % 3] += 0.1 * it.rod.rest_length[0];
            }
            ref_frames(&it.rod);
            worst = rods_worse(worst, fabs(relaxed_energy(&it.rod) / before - 1));
        }
        rods_tear_down(&it);
    }
    print_message("worst relative change: %.1e\n", worst);
    assert_true(worst <= 1e-11);
}

static void kinetic_and_gravitational_energy_of_a_throw(void **fixture)
{
    (void)fixture;
    rods_case it = isotropic(7, false);
    const double gravity[3] = {0, 0, -9.81};
    double mass = 0, height = 0;
    for (uint32_t i = 0; i < 7; i++) {
        vec_set(it.rod.v[i], 1, -2, 2);
        mass += it.rod.mass[i];
        height += it.rod.mass[i] * it.rod.x[i][2];
    }
    assert_true(fabs(ref_kinetic_energy(&it.rod) - 4.5 * mass) <= 1e-14 * mass);
    assert_true(fabs(ref_gravitational_energy(&it.rod, gravity) - 9.81 * height) <= 1e-13 * mass);
    rods_tear_down(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_has_the_energy_of_a_circle),
        cmocka_unit_test(a_twisted_bar_has_the_energy_of_a_shaft),
        cmocka_unit_test(a_natural_pose_has_no_energy),
        cmocka_unit_test(relaxed_energy_is_the_same_after_rigid_motion),
        cmocka_unit_test(kinetic_and_gravitational_energy_of_a_throw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
