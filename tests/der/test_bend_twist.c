// test_bend_twist: elastic forces against differences of the energy, balance of forces and torques, and an independent
// form of the same forces, on random rods of every kind.
#include "rods.h"

#include "base/vec.h"

#include <string.h>

#include "unit.h"

static void relax(ref_rod *rod)
{
    const ref_twist_options options = ref_twist_converged();
    assert_int_equal(ref_twist(rod, &options), SHEAF_OK);
}

// Forces at the pose of `it`; relaxed: with its frames in equilibrium, else at random angles.
static void forces(rods_case *it, bool relaxed)
{
    if (relaxed)
        relax(&it->rod);
    ref_curvature(&it->rod);
    ref_twist_gradient(&it->rod);
    ref_bend_twist_forces(&it->rod);
}

// ---- differences

// Energy after vertex i of `trial` is moved by `by` along axis c from the pose of `it` and the frames follow; relaxed:
// then turn to equilibrium, while their couples do work.
static double energy_at(const rods_case *it, rods_case *trial, uint32_t i, int c, double by, bool relaxed)
{
    ref_rod *rod = &trial->rod;
    double followed[64], work = 0;
    rods_copy(trial->state, it->state);
    rod->x[i][c] += by;
    ref_frames(rod);
    memcpy(followed, rod->theta, rod->edge_count * sizeof(double));
    if (relaxed)
        relax(rod);
    ref_curvature(rod);
    for (uint32_t j = 0; j < rod->edge_count; j++)
        work += rod->axial_couple[j] * (rod->theta[j] - followed[j]);
    return ref_bending_energy(rod) + ref_twisting_energy(rod) - work;
}

// Central difference of fourth order.
static double slope(const rods_case *it, rods_case *trial, uint32_t i, int c, bool relaxed)
{
    const double h = 3e-5 * it->rod.length[rod_edge_before(&it->rod, i > 0 ? i : 1)];
    const double near = energy_at(it, trial, i, c, h, relaxed) - energy_at(it, trial, i, c, -h, relaxed);
    const double far = energy_at(it, trial, i, c, 2 * h, relaxed) - energy_at(it, trial, i, c, -2 * h, relaxed);
    return (8 * near - far) / (12 * h);
}

static double worst_difference(uint32_t index, bool relaxed)
{
    const rods_recipe recipe = rods_variant(index);
    rods_case it, trial;
    double worst = 0;
    rods_set_up(&it, &recipe);
    rods_set_up(&trial, &recipe);
    forces(&it, relaxed);
    const double largest = rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count);
    for (uint32_t i = 0; i < it.rod.vertex_count; i++)
        for (int c = 0; c < 3 && rods_vertex_moves(&it.rod, i); c++)
            worst = rods_worse(worst, fabs(it.rod.force[i][c] + slope(&it, &trial, i, c, relaxed)) / largest);
    rods_tear_down(&it);
    rods_tear_down(&trial);
    return worst;
}

static void forces_are_slopes_of_the_relaxed_energy(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++)
        worst = rods_worse(worst, worst_difference(index, true));
    print_message("worst relative error on %d rods: %.1e\n", RODS_VARIANTS, worst);
    assert_true(worst <= 1e-6);
}

static void forces_are_slopes_of_the_energy_at_any_angles(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index++)
        worst = rods_worse(worst, worst_difference(index, false));
    print_message("worst relative error on %d rods: %.1e\n", RODS_VARIANTS, worst);
    assert_true(worst <= 1e-6);
}

// ---- balance

static double net_force(const ref_rod *rod)
{
    double net[3] = {0, 0, 0};
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        vec_add(net, net, rod->force[i]);
    return vec_length(net) / rods_total((const double(*)[3])rod->force, rod->vertex_count);
}

// What is left of sum_i x_i x f_i - sum_j (dE/dtheta^j) t^j, against the sum of the terms' lengths; arms from vertex 0.
static double net_torque(const ref_rod *rod)
{
    double net[3] = {0, 0, 0}, total = 0;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double arm[3], torque[3];
        vec_sub(arm, rod->x[i], rod->x[0]);
        vec_cross(torque, arm, rod->force[i]);
        vec_add(net, net, torque);
        total += vec_length(arm) * vec_length(rod->force[i]);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        vec_axpy(net, -rod->angle_gradient[j], rod->tangent[j]);
        total += fabs(rod->angle_gradient[j]);
    }
    return vec_length(net) / total;
}

static void forces_and_torques_balance(void **fixture)
{
    (void)fixture;
    double worst_force = 0, worst_torque = 0;
    for (uint32_t index = 0; index < 2 * RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index / 2);
        rods_case it;
        rods_set_up(&it, &recipe);
        forces(&it, index % 2);
        worst_force = rods_worse(worst_force, net_force(&it.rod));
        worst_torque = rods_worse(worst_torque, net_torque(&it.rod));
        rods_tear_down(&it);
    }
    print_message("net force %.1e, torque identity %.1e\n", worst_force, worst_torque);
    assert_true(worst_force <= 1e-12);
    assert_true(worst_torque <= 1e-12);
}

// ---- independent form: a stencil of three vertices, written over edges and tangents, without holonomy sums

// Derivatives of s = kb . d by the two edges at a vertex, for a director d that its own edge carries along:
// kb is normal to the tangents, so the director's own turning drops out.
static void director_derivatives(const double t[2][3], const double length[2], const double kb[3],
                                 const double director[3], double out[2][3])
{
    const double chi = 1 + vec_dot(t[0], t[1]), s = vec_dot(kb, director);
    for (int edge = 0; edge < 2; edge++) {
        const double *own = t[edge], *other = t[1 - edge];
        double by_tangent[3];
        vec_cross(by_tangent, other, director);
        vec_scale(by_tangent, by_tangent, edge == 0 ? 2 / chi : -2 / chi);
        vec_axpy(by_tangent, -s / chi, other);
        vec_axpy(by_tangent, -vec_dot(by_tangent, own), own);
        vec_scale(out[edge], by_tangent, 1 / length[edge]);
    }
}

// Adds the derivatives of the energy at vertex i by the two edges that meet there.
static void energy_by_edges(const ref_rod *rod, uint32_t i, double by_edge[2][3])
{
    const uint32_t edge[2] = {rod_edge_before(rod, i), i};
    double t[2][3], length[2], derivative[2][3];
    for (int k = 0; k < 2; k++) {
        vec_copy(t[k], rod->tangent[edge[k]]);
        length[k] = rod->length[edge[k]];
        vec_set(by_edge[k], 0, 0, 0);
    }
    for (int side = 0; side < 2; side++)
        for (int axis = 0; axis < 2; axis++) {
            const double *director = axis == 0 ? rod->m2[edge[side]] : rod->m1[edge[side]], sign = axis == 0 ? 1 : -1;
            const double bent = sign * vec_dot(rod->kb[i], director) - rod->natural_curvature[i][side][axis];
            director_derivatives((const double(*)[3])t, length, rod->kb[i], director, derivative);
            for (int k = 0; k < 2; k++)
                vec_axpy(by_edge[k], sign * rod->bend[edge[side]][axis] * bent / rod_voronoi(rod, i), derivative[k]);
        }
    // a twist m_i grows by kb . de / (2 |e|) for either edge
    const double moment = 2 * rod->twist[i] * (rod->m[i] - rod->natural_twist[i]) / rod_voronoi(rod, i);
    for (int k = 0; k < 2; k++)
        vec_axpy(by_edge[k], moment / (2 * length[k]), rod->kb[i]);
}

static double stencil_difference(const ref_rod *rod)
{
    double force[64][3] = {{0}}, worst = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        double by_edge[2][3];
        energy_by_edges(rod, i, by_edge);
        vec_add(force[rod_previous_vertex(rod, i)], force[rod_previous_vertex(rod, i)], by_edge[0]);
        vec_sub(force[i], force[i], by_edge[0]);
        vec_add(force[i], force[i], by_edge[1]);
        vec_sub(force[rod_next_vertex(rod, i)], force[rod_next_vertex(rod, i)], by_edge[1]);
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            worst = rods_worse(worst, fabs(force[i][c] - rod->force[i][c]));
    return worst / rods_largest((const double(*)[3])rod->force, rod->vertex_count);
}

static void suffix_form_equals_local_stencil(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < 2 * RODS_VARIANTS; index++) {
        const rods_recipe recipe = rods_variant(index / 2);
        rods_case it;
        rods_set_up(&it, &recipe);
        forces(&it, index % 2);
        worst = rods_worse(worst, stencil_difference(&it.rod));
        rods_tear_down(&it);
    }
    print_message("worst relative difference: %.1e\n", worst);
    assert_true(worst <= 1e-11);
}

// ---- rows

// The rows are the gradients of what they name: summed with stiffness and residual they must give back the forces, and
// the energy.
static void rows_give_back_force_and_energy(const ref_rod *rod)
{
    double force[64][3] = {{0}}, energy = 0, worst = 0;
    for (uint32_t i = rod_interior_first(rod); i < rod_interior_end(rod); i++) {
        const uint32_t vertex[3] = {rod_previous_vertex(rod, i), i, rod_next_vertex(rod, i)};
        double row[5][3][3], stiffness[5], residual[5];
        ref_elastic_rows(rod, i, row, stiffness, residual);
        for (int a = 0; a < 5; a++) {
            energy += 0.5 * stiffness[a] * residual[a] * residual[a];
            for (int k = 0; k < 3; k++)
                vec_axpy(force[vertex[k]], -stiffness[a] * residual[a], row[a][k]);
        }
    }
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            worst = rods_worse(worst, fabs(force[i][c] - rod->force[i][c]));
    const double expected = ref_bending_energy(rod) + ref_twisting_energy(rod);
    assert_true(worst <= 1e-11 * rods_largest((const double(*)[3])rod->force, rod->vertex_count));
    assert_true(fabs(energy - expected) <= 1e-12 * expected);
}

static void elastic_rows_sum_to_force_and_energy(void **fixture)
{
    (void)fixture;
    for (uint32_t index = 0; index < RODS_VARIANTS; index += 3) {
        const rods_recipe recipe = rods_variant(index);
        rods_case it;
        rods_set_up(&it, &recipe);
        forces(&it, false);
        rows_give_back_force_and_energy(&it.rod);
        rods_tear_down(&it);
    }
}

// Row a of vertex i against differences of the quantity it names.
static double row_difference(const rods_case *it, rods_case *trial, uint32_t i, int a, int k, int c)
{
    const uint32_t vertex[3] = {rod_previous_vertex(&it->rod, i), i, rod_next_vertex(&it->rod, i)};
    const double h = 1e-5 * it->rod.length[i];
    double row[5][3][3], stiffness[5], residual[5], value[2];
    for (int side = 0; side < 2; side++) {
        rods_copy(trial->state, it->state);
        trial->rod.x[vertex[k]][c] += side == 0 ? -h : h;
        ref_frames(&trial->rod);
        ref_curvature(&trial->rod);
        value[side] = a < 4 ? trial->rod.w[i][a / 2][a % 2] : trial->rod.m[i];
    }
    ref_elastic_rows(&it->rod, i, row, stiffness, residual);
    return fabs(row[a][k][c] - (value[1] - value[0]) / (2 * h)) * it->rod.length[i];
}

static void elastic_rows_are_gradients(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index += 37) {
        rods_recipe recipe = rods_variant(index);
        recipe.root_tangent_held = recipe.tip_tangent_held = false;
        rods_case it, trial;
        rods_set_up(&it, &recipe);
        rods_set_up(&trial, &recipe);
        ref_curvature(&it.rod);
        const uint32_t i = (rod_interior_first(&it.rod) + rod_interior_end(&it.rod)) / 2;
        for (int a = 0; a < 5; a++)
            for (int k = 0; k < 9; k++)
                worst = rods_worse(worst, row_difference(&it, &trial, i, a, k / 3, k % 3));
        rods_tear_down(&it);
        rods_tear_down(&trial);
    }
    print_message("worst error of a row times the edge's length: %.1e\n", worst);
    assert_true(worst <= 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_slopes_of_the_relaxed_energy),
        cmocka_unit_test(forces_are_slopes_of_the_energy_at_any_angles),
        cmocka_unit_test(forces_and_torques_balance),
        cmocka_unit_test(suffix_form_equals_local_stencil),
        cmocka_unit_test(elastic_rows_sum_to_force_and_energy),
        cmocka_unit_test(elastic_rows_are_gradients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
