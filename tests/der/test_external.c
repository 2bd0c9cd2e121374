// test_external: gravity, drag, end forces and couples against the work they do, and internal damping against the rate
// of the elastic forces.
#include "rods.h"
#include "strands.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"

static sheaf_course constant(double value)
{
    return (sheaf_course){.kind = SHEAF_COURSE_CONSTANT, .value = value};
}

static void clear_forces(ref_rod *rod)
{
    memset(rod->force, 0, rod->vertex_count * sizeof *rod->force);
}

static void total_force(const ref_rod *rod, double force[3], double torque[3])
{
    vec_set(force, 0, 0, 0);
    vec_set(torque, 0, 0, 0);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double moment[3];
        vec_cross(moment, rod->x[i], rod->force[i]);
        vec_add(force, force, rod->force[i]);
        vec_add(torque, torque, moment);
    }
}

static strand_def curl(bool closed)
{
    strand_def def = strand_def_default();
    def.strand.shape = closed ? SHEAF_SHAPE_CIRCLE : SHEAF_SHAPE_HELIX;
    def.strand.closed = closed;
    def.strand.vertex_count = 17;
    def.strand.clamp_mid_edge = false;
    def.strand.root = sheaf_end_free();
    def.material.radius[1] = 60e-6;
    def.strand.natural_twist = 20;
    return def;
}

static void weight_and_wind_act_on_the_whole_length(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        strand_def def = curl(closed);
        double force[3], torque[3], length = 0, mass = 0;
        vec_set(def.scene.gravity, 1, -2, 3);
        vec_set(def.scene.wind, 5, 0, -1);
        def.material.drag = 0.3;
        strand it = strand_open(&def);
        for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
            vec_set(it.rod.v[i], 1, 2, 3);
            mass += it.rod.mass[i];
        }
        for (uint32_t j = 0; j < it.rod.edge_count; j++)
            length += it.rod.rest_length[j];
        clear_forces(&it.rod);
        ref_external_forces(&it.rod, 0);
        total_force(&it.rod, force, torque);
        const double expected[3] = {mass + 0.3 * length * 4, -2 * mass + 0.3 * length * -2,
                                    3 * mass - 0.3 * length * 4};
        for (int c = 0; c < 3; c++)
            assert_close(force[c], expected[c], 1e-14);
        strand_close(&it);
    }
}

// Turns an end edge rigidly by a small angle about any axis through any point; forces and axial couple must do the work
// force . dx + couple . angle.
static double work_by_forces(strand *it, uint32_t j, const double axis[3], double angle, double shift)
{
    ref_rod *rod = &it->rod;
    double arm[3], turned[3], director[3], carried[3], tangent[3], work = 0;
    vec_sub(arm, rod->x[j + 1], rod->x[j]);
    vec_rotate(turned, arm, axis, angle);
    for (int c = 0; c < 3; c++)
        work += rod->force[j][c] * shift + rod->force[j + 1][c] * (shift + turned[c] - arm[c]);
    vec_rotate(director, rod->m1[j], axis, angle);
    vec_rotate(tangent, rod->tangent[j], axis, angle);
    vec_transport(carried, rod->m1[j], rod->tangent[j], tangent);
    return work + rod->axial_couple[j] * vec_angle(carried, director, tangent);
}

static void end_loads_do_their_work(void **state)
{
    rods_random random = {.seed = 5};
    (void)state;
    for (int k = 0; k < 20; k++) {
        strand_def def = curl(false);
        sheaf_end_def *end = k % 2 ? &def.strand.root : &def.strand.tip;
        double force[3], couple[3], axis[3];
        rods_direction(&random, force);
        rods_direction(&random, couple);
        rods_direction(&random, axis);
        for (int c = 0; c < 3; c++) {
            end->force[c] = constant(force[c]);
            end->couple[c] = constant(couple[c]);
        }
        strand it = strand_open(&def);
        const uint32_t j = k % 2 ? 0 : it.rod.edge_count - 1;
        const double angle = 1e-6, shift = 1e-6, pull = force[0] + force[1] + force[2];
        ref_curvature(&it.rod);
        clear_forces(&it.rod);
        ref_external_forces(&it.rod, 0);
        double moved[3], arm[3], expected = vec_dot(couple, axis) * angle + pull * shift;
        vec_sub(arm, it.rod.x[j + 1], it.rod.x[j]);
        vec_rotate(moved, arm, axis, angle);
        vec_sub(moved, moved, arm);
        if (k % 2 == 0)
            expected += vec_dot(force, moved);
        assert_close(work_by_forces(&it, j, axis, angle, shift), expected, 1e-11);
        strand_close(&it);
    }
}

// Twisting moments along a clamped strand with an axial couple on its tip are that couple everywhere.
static void axial_couple_twists_the_whole_strand(void **state)
{
    strand_def def = strand_def_swing();
    (void)state;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.strand.tip.couple[0] = constant(0.02);
    strand it = strand_open(&def);
    for (uint32_t i = 1; i + 1 < it.rod.vertex_count; i++)
        assert_close(ref_twist_moment(&it.rod, i), 0.02, 1e-12);
    strand_close(&it);
}

static void loads_follow_their_courses(void **state)
{
    strand_def def = curl(false);
    double force[3], torque[3];
    (void)state;
    def.strand.tip.force[1] = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 4, .start = 1, .duration = 2};
    strand it = strand_open(&def);
    const double times[4] = {0, 1.5, 2, 9}, expected[4] = {0, 1, 2, 4};
    for (int k = 0; k < 4; k++) {
        clear_forces(&it.rod);
        ref_external_forces(&it.rod, times[k]);
        total_force(&it.rod, force, torque);
        assert_close(force[1], expected[k], 1e-15);
    }
    strand_close(&it);
}

// ---- internal damping

static void random_velocities(ref_rod *rod, uint64_t seed)
{
    rods_random random = {.seed = seed};
    ref_freedom freedoms[3 * 40];
    memset(rod->v, 0, rod->vertex_count * sizeof *rod->v);
    const uint32_t count = ref_freedoms(rod, 0, freedoms);
    for (uint32_t k = 0; k < count; k++) {
        const double speed = rods_uniform(&random, -1, 1);
        for (uint32_t i = freedoms[k].first; i <= freedoms[k].second; i++)
            vec_axpy(rod->v[i], speed, freedoms[k].direction);
    }
}

static void damping_forces(ref_rod *rod, double time)
{
    ref_curvature(rod);
    clear_forces(rod);
    ref_internal_damping(rod, time);
}

static void damping_needs_a_change_of_shape(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            rods_random random = {.seed = seed};
            strand_def def = curl(closed);
            double spin[3], drift[3], work = 0, force[3], torque[3], size = 0;
            def.material.damping = 0.01;
            strand it = strand_open(&def);
            random_velocities(&it.rod, seed);
            damping_forces(&it.rod, 0);
            const double largest = rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count);
            total_force(&it.rod, force, torque);
            for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
                work += vec_dot(it.rod.force[i], it.rod.v[i]);
                size = fmax(size, vec_length(it.rod.x[i]));
            }
            assert_true(work < 0);
            assert_close(vec_length(force), 0, 1e-12 * largest);
            assert_close(vec_length(torque), 0, 1e-9 * largest * size);

            rods_direction(&random, spin);
            rods_direction(&random, drift);
            for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
                vec_cross(it.rod.v[i], spin, it.rod.x[i]);
                vec_scale(it.rod.v[i], it.rod.v[i], 100);
                vec_add(it.rod.v[i], it.rod.v[i], drift);
            }
            damping_forces(&it.rod, 0);
            assert_close(rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count), 0, 1e-9 * largest);
            strand_close(&it);
        }
}

// Elastic forces of the pose x + by v with frames in equilibrium.
static void forces_at(strand *it, double (*x)[3], double by, double (*forces)[3])
{
    const ref_twist_options options = ref_twist_converged();
    ref_rod *rod = &it->rod;
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_copy(rod->x[i], x[i]);
        vec_axpy(rod->x[i], by, rod->v[i]);
    }
    ref_frames(rod);
    assert_int_equal(ref_twist(rod, &options), SHEAF_OK);
    clear_forces(rod);
    ref_bend_twist_forces(rod);
    memcpy(forces, rod->force, rod->vertex_count * sizeof *forces);
}

// About a natural shape the damping force is g times the rate of the elastic force.
static void damping_is_the_rate_of_the_elastic_force(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        strand_def def = curl(k % 2);
        double x[40][3], ahead[40][3], behind[40][3], unstressed[40][3];
        const double g = 0.01, by = 1e-7;
        def.material.damping = g;
        if (k >= 4 && !def.strand.closed)
            def.strand.root = def.strand.tip = sheaf_end_clamped();
        strand it = strand_open(&def);
        memcpy(x, it.rod.x, it.rod.vertex_count * sizeof *x);
        random_velocities(&it.rod, (uint64_t)k);
        forces_at(&it, x, by, ahead);
        forces_at(&it, x, -by, behind);
        forces_at(&it, x, 0, unstressed);
        assert_close(rods_largest((const double(*)[3])unstressed, it.rod.vertex_count), 0, 1e-12);
        damping_forces(&it.rod, 0);
        const double largest = rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count);
        for (uint32_t i = 0; i < it.rod.vertex_count; i++)
            for (int c = 0; c < 3; c++)
                assert_close(it.rod.force[i][c], g * (ahead[i][c] - behind[i][c]) / (2 * by), 1e-5 * largest);
        strand_close(&it);
    }
}

// A clamp that spins with its whole strand, about its own tangent and about others, is not braked.
static void damping_lets_a_spinning_clamp_go(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        strand_def def = curl(false);
        double spin[3], largest;
        def.material.damping = 0.01;
        def.strand.root = sheaf_end_clamped();
        def.strand.root.motion = 0;
        def.motion.name = "head";
        vec_set(def.motion.axis, k == 0, k == 1, k == 2);
        def.motion.turn = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 100, .duration = 2};
        strand it = strand_open(&def);
        random_velocities(&it.rod, 9);
        damping_forces(&it.rod, 1e-9);
        largest = rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count);
        vec_scale(spin, def.motion.axis, 50);
        for (uint32_t i = 0; i < it.rod.vertex_count; i++)
            vec_cross(it.rod.v[i], spin, it.rod.x[i]);
        damping_forces(&it.rod, 1e-9);
        assert_close(rods_largest((const double(*)[3])it.rod.force, it.rod.vertex_count), 0, 1e-9 * largest);
        strand_close(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weight_and_wind_act_on_the_whole_length),
        cmocka_unit_test(end_loads_do_their_work),
        cmocka_unit_test(axial_couple_twists_the_whole_strand),
        cmocka_unit_test(loads_follow_their_courses),
        cmocka_unit_test(damping_needs_a_change_of_shape),
        cmocka_unit_test(damping_is_the_rate_of_the_elastic_force),
        cmocka_unit_test(damping_lets_a_spinning_clamp_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
