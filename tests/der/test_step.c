// test_step: the explicit step: what it conserves, where it is stable, and prescribed motion, twist, slides and drag.
#include "strands.h"
#include "trend.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

// ---- conservation

enum { LONG_RUN = 10000 };

// A naturally straight rod without ends, bent into a piece of a helix and let go while it spins.
static strand let_go(sheaf_gradients gradients, double share_of_limit)
{
    strand_def def = strand_def_swing();
    double limit;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.scene.integrator = SHEAF_INTEGRATOR_EXPLICIT;
    def.scene.gradients = gradients;
    def.scene.projection_tolerance = 1e-13;
    def.strand.clamp_mid_edge = false;
    def.strand.root = sheaf_end_free();
    strand straight = strand_open(&def);
    assert_int_equal(ref_explicit_limit(&straight.rod, &limit), SHEAF_OK);
    strand_close(&straight);
    def.strand.shape = SHEAF_SHAPE_HELIX;
    def.strand.natural = SHEAF_NATURAL_STRAIGHT;
    def.strand.radius = 0.33;
    def.strand.pitch = 0.5;
    strand it = strand_open(&def);
    const double spin[3] = {0.5, 1, 2};
    for (uint32_t i = 0; i < it.rod.vertex_count; i++)
        vec_cross(it.rod.v[i], spin, it.rod.x[i]);
    it.step = share_of_limit * limit;
    return it;
}

typedef struct course_of_energy {
    test_trend energy;
    double spin;  // change of angular momentum, as a share of the sum of its parts' sizes
    double drift; // change of momentum, likewise
} course_of_energy;

// Energy at x_n with (v_n + v_{n+1}) / 2.
static double energy_of_step(strand *it)
{
    double energy = strand_elastic_energy(it);
    strand_run(it, 1);
    for (uint32_t i = 0; i < it->rod.vertex_count; i++) {
        double v[3];
        vec_add(v, it->rod.v[i], it->rod.last_velocity[i]);
        energy += it->rod.mass[i] * vec_dot(v, v) / 8;
    }
    return energy;
}

static course_of_energy follow_energy(sheaf_gradients gradients, double share_of_limit)
{
    static double energy[LONG_RUN];
    strand it = let_go(gradients, share_of_limit);
    course_of_energy out;
    double momentum[3], angular[3], momentum_after[3], angular_after[3], size = 0, turning = 0;
    strand_run(&it, 1);
    strand_momentum(&it, momentum, angular);
    for (uint32_t k = 0; k < LONG_RUN; k++)
        energy[k] = energy_of_step(&it);
    strand_momentum(&it, momentum_after, angular_after);
    for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
        size += it.rod.mass[i] * vec_length(it.rod.v[i]);
        turning += it.rod.mass[i] * vec_length(it.rod.v[i]) * vec_length(it.rod.x[i]);
    }
    vec_sub(momentum, momentum_after, momentum);
    vec_sub(angular, angular_after, angular);
    out.drift = vec_length(momentum) / size;
    out.spin = vec_length(angular) / turning;
    out.energy = trend_of(energy, LONG_RUN);
    strand_close(&it);
    return out;
}

// verification: a trend of at most 1e-4, a fluctuation that falls with the square of the step, momenta kept.
static void start_gradients_keep_energy(void **state)
{
    double before = 0;
    (void)state;
    for (double share = 0.4; share > 0.04; share /= 2) {
        const course_of_energy run = follow_energy(SHEAF_GRADIENTS_START, share);
        assert_close(run.energy.rise, 0, 1e-4);
        assert_close(run.drift, 0, 1e-10);
        assert_close(run.spin, 0, 1e-10);
        if (before > 0)
            assert_close(before / run.energy.scatter, 4, 1);
        before = run.energy.scatter;
    }
}

// Fast projection as published takes energy out, the less the smaller the step, and turns momentum into nothing.
static void iterate_gradients_lose_energy(void **state)
{
    const course_of_energy coarse = follow_energy(SHEAF_GRADIENTS_ITERATE, 0.4);
    const course_of_energy fine = follow_energy(SHEAF_GRADIENTS_ITERATE, 0.1);
    (void)state;
    assert_true(coarse.energy.rise < -0.2 && coarse.energy.rise > -0.7);
    assert_true(fine.energy.rise > 0.6 * coarse.energy.rise && fine.energy.rise < -0.01);
    assert_true(coarse.spin > 1e-4 && coarse.spin < 0.2);
    assert_close(coarse.drift, 0, 1e-10);
}

// ---- stability

static strand_def bar(uint32_t vertices, sheaf_end_def root, sheaf_end_def tip)
{
    strand_def def = strand_def_swing();
    vec_set(def.scene.gravity, 0, 0, 0);
    def.scene.integrator = SHEAF_INTEGRATOR_EXPLICIT;
    def.strand.vertex_count = vertices;
    def.strand.clamp_mid_edge = false;
    def.strand.root = root;
    def.strand.tip = tip;
    return def;
}

static void explicit_limit_of_a_disc(void **state)
{
    (void)state;
    for (uint32_t vertices = 33; vertices <= 257; vertices = 2 * vertices - 1) {
        const strand_def def = bar(vertices, sheaf_end_clamped(), sheaf_end_free());
        strand it = strand_open(&def);
        const double l = 1.0 / (vertices - 1), r = 0.01;
        double limit;
        assert_int_equal(ref_explicit_limit(&it.rod, &limit), SHEAF_OK);
        assert_close(limit / (l * l / r * sqrt(1000 / 3.924e7)), 1, 0.02);
        strand_close(&it);
    }
}

static void nothing_free_has_no_limit(void **state)
{
    const strand_def def = bar(3, sheaf_end_clamped(), sheaf_end_pinned());
    strand it = strand_open(&def);
    double limit;
    (void)state;
    assert_int_equal(ref_explicit_limit(&it.rod, &limit), SHEAF_OK);
    assert_true(isinf(limit));
    strand_close(&it);
}

// Largest speed after 2000 steps of a straight rod that is plucked everywhere, per speed of plucking.
static double growth(const strand_def *def, double share_of_limit)
{
    strand it = strand_open(def);
    const double plucked = 1e-6;
    double limit, fastest = 0;
    assert_int_equal(ref_explicit_limit(&it.rod, &limit), SHEAF_OK);
    it.step = share_of_limit * limit;
    for (uint32_t i = 0; i < it.rod.vertex_count; i++)
        vec_set(it.rod.v[i], 0, plucked * sin(13 * i), plucked * cos(7 * i));
    ref_ends(&it.rod, 0);
    for (int k = 0; k < 2000 && fastest < 1; k++) {
        strand_run(&it, 1);
        fastest = 0;
        for (uint32_t i = 0; i < it.rod.vertex_count; i++)
            fastest = fmax(fastest, vec_length(it.rod.v[i]));
    }
    strand_close(&it);
    return fastest / plucked;
}

static void stable_below_the_limit_only(void **state)
{
    const sheaf_end_def ends[3] = {sheaf_end_free(), sheaf_end_pinned(), sheaf_end_clamped()};
    (void)state;
    for (uint32_t vertices = 17; vertices <= 65; vertices = 2 * vertices - 1)
        for (int k = 0; k < 3; k++) {
            const strand_def def = bar(vertices, ends[k], sheaf_end_free());
            assert_true(growth(&def, 0.8) < 10);
            assert_true(growth(&def, 1.25) > 1e5);
        }
}

// Damping shortens the stable step: each force it adds acts one step late.
static void damping_counts_towards_the_limit(void **state)
{
    strand_def def = bar(33, sheaf_end_clamped(), sheaf_end_free());
    double bare, limit;
    (void)state;
    strand it = strand_open(&def);
    assert_int_equal(ref_explicit_limit(&it.rod, &bare), SHEAF_OK);
    strand_close(&it);
    for (int k = 0; k < 2; k++) {
        def.material.damping = k == 0 ? 1e-3 : 0;
        def.material.drag = k == 1 ? 3000 : 0;
        it = strand_open(&def);
        assert_int_equal(ref_explicit_limit(&it.rod, &limit), SHEAF_OK);
        strand_close(&it);
        assert_true(limit < 0.5 * bare);
        assert_true(growth(&def, 0.8) < 10);
        assert_true(growth(&def, 1.25) > 1e5);
    }
}

// ---- courses

// A clamp that shakes, turns and twists: its vertices are on the course after any number of steps, and so are their
// speeds; all the rest keeps its length.
static void driven_ends_stay_on_their_course(void **state)
{
    const sheaf_integrator kinds[3] = {SHEAF_INTEGRATOR_EXPLICIT, SHEAF_INTEGRATOR_BDF2, SHEAF_INTEGRATOR_EULER};
    (void)state;
    for (int k = 0; k < 3; k++) {
        strand_def def = strand_def_swing();
        def.scene.integrator = kinds[k];
        def.scene.step = k == 0 ? 2e-4 : 1.0 / 240;
        def.motion.name = "hand";
        def.motion.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.5, .duration = 0.7};
        def.motion.move[1] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.2, .duration = 0.4};
        def.strand.root.motion = 0;
        def.strand.root.twist = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 3, .duration = 1};
        strand it = strand_open(&def);
        for (uint32_t burst = 0; burst < 5; burst++) {
            strand_run(&it, k == 0 ? 250 : 12);
            const double t = (double)it.steps * it.step, dt = 1e-6;
            for (uint32_t i = 0; i < 2; i++) {
                double place[3], before[3], after[3];
                const double *start = it.model->position[i];
                model_motion_point(&it.model->motions[0], t, start, place);
                model_motion_point(&it.model->motions[0], t - dt, start, before);
                model_motion_point(&it.model->motions[0], t + dt, start, after);
                for (int c = 0; c < 3; c++) {
                    assert_close(it.rod.x[i][c], place[c], 1e-14);
                    assert_close(it.rod.v[i][c], (after[c] - before[c]) / (2 * dt), 1e-8);
                }
            }
            assert_close(strand_strain(&it), 0, 1e-10);
        }
        strand_close(&it);
    }
}

// Pinned ends whose frames are held and turned against each other: the twist is the course's, shared evenly.
static void imposed_twist_at_pinned_ends(void **state)
{
    strand_def def = strand_def_swing();
    (void)state;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.strand.root = def.strand.tip = sheaf_end_pinned();
    def.strand.root.hold_angle = def.strand.tip.hold_angle = true;
    def.strand.tip.twist = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 4, .duration = 0.5};
    for (int k = 0; k < 2; k++) {
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.step = k ? 1.0 / 120 : 2e-4;
        strand it = strand_open(&def);
        strand_run(&it, (uint64_t)(0.25 / it.step + 0.5));
        for (uint32_t i = 1; i + 1 < it.rod.vertex_count; i++)
            assert_close(it.rod.m[i], 2.0 / 30, 1e-10);
        strand_close(&it);
    }
}

// A frame held in a clamp that turns about its own tangent takes the whole strand with it, in any number of turns.
static void many_turns_of_twist(void **state)
{
    strand_def def = strand_def_swing();
    (void)state;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.strand.root.twist = (sheaf_course){.kind = SHEAF_COURSE_RAMP, .value = 500, .duration = 1};
    def.strand.tip.hold_angle = true;
    strand it = strand_open(&def);
    it.step = 1e-3;
    strand_run(&it, 500);
    double twist = 0;
    for (uint32_t i = 1; i + 1 < it.rod.vertex_count; i++)
        twist += it.rod.m[i];
    assert_close(twist, -250, 1e-9);
    strand_close(&it);
}

static void sliding_tips_stay_on_their_rail(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = strand_def_swing();
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.step = k ? 1.0 / 240 : 2e-4;
        def.strand.tip = sheaf_end_pinned();
        def.strand.tip.slide = true;
        vec_set(def.strand.tip.slide_axis, 1, 0, 0);
        strand it = strand_open(&def);
        const uint32_t tip = it.rod.vertex_count - 1;
        const double start = it.rod.x[tip][0];
        strand_run(&it, (uint64_t)(0.2 / it.step));
        assert_close(it.rod.x[tip][1], 0, 1e-15);
        assert_close(it.rod.x[tip][2], 0, 1e-15);
        assert_true(it.rod.x[tip][0] < start - 0.01); // sagging draws it in
        assert_close(it.rod.v[tip][2], 0, 1e-12);
        assert_close(strand_strain(&it), 0, 1e-8); // held at both ends it gives way a little
        strand_close(&it);
    }
}

// An edge of held direction on an otherwise free strand: it falls as freely as anything, without turning.
static void held_tangents_fall_freely(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = strand_def_swing();
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.step = k ? 1.0 / 240 : 2e-4;
        def.strand.root = sheaf_end_free();
        def.strand.root.hold_tangent = true;
        strand it = strand_open(&def);
        const double start = it.rod.x[0][2];
        strand_run(&it, (uint64_t)(0.2 / it.step + 0.5));
        for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
            assert_close(it.rod.x[i][2] - start, -9.81 / 2 * 0.04, 3e-4);
            assert_close(it.rod.v[i][2], -9.81 * 0.2, 1e-9);
        }
        strand_close(&it);
    }
}

// ---- loads in motion

// A level strand sinking through thick air reaches the speed at which drag carries its weight.
static void drag_sets_the_speed_of_fall(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = strand_def_swing();
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.step = k ? 1.0 / 60 : 2e-4;
        def.strand.root = sheaf_end_free();
        def.material.drag = 2;
        vec_set(def.scene.wind, 0.5, 0, 0);
        const double line_mass = 1000 * pi * 1e-4, speed = line_mass * 9.81 / 2;
        strand it = strand_open(&def);
        strand_run(&it, (uint64_t)(4 / it.step));
        for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
            assert_close(it.rod.v[i][2], -speed, 1e-9 * speed);
            assert_close(it.rod.v[i][0], 0.5, 1e-6);
        }
        strand_close(&it);
    }
}

// A plucked free rod with internal damping comes to rest in itself, and keeps the momenta of its whole.
static void internal_damping_spares_rigid_motion(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = strand_def_swing();
        double momentum[3], angular[3], after[3], turned[3];
        vec_set(def.scene.gravity, 0, 0, 0);
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.gradients = SHEAF_GRADIENTS_START;
        def.scene.step = k ? 1.0 / 480 : 1e-4;
        def.material.damping = k ? 0.05 : 1e-3;
        def.strand.shape = SHEAF_SHAPE_HELIX;
        def.strand.radius = 0.3;
        def.strand.pitch = 0.4;
        def.strand.root = sheaf_end_free();
        strand it = strand_open(&def);
        for (uint32_t i = 0; i < it.rod.vertex_count; i++)
            vec_set(it.rod.v[i], 0.1, 0.2 * it.rod.x[i][2] + cos(0.6 * i), -0.2 * it.rod.x[i][1]);
        const double energy = ref_kinetic_energy(&it.rod);
        strand_run(&it, 1);
        strand_momentum(&it, momentum, angular);
        strand_run(&it, (uint64_t)(0.5 / it.step));
        const double left = strand_elastic_energy(&it) + ref_kinetic_energy(&it.rod);
        assert_true(left < 0.1 * energy);
        strand_momentum(&it, after, turned);
        for (int c = 0; c < 3; c++) {
            assert_close(after[c], momentum[c], 1e-9);
            if (k == 0)
                assert_close(turned[c], angular[c], 1e-9);
        }
        strand_close(&it);
    }
}

// ---- views

// Everything a step needs is in the state: a view that is aimed anew before every step does the same to the last bit.
static void views_carry_nothing_over(void **state)
{
    const sheaf_integrator kinds[3] = {SHEAF_INTEGRATOR_EXPLICIT, SHEAF_INTEGRATOR_BDF2, SHEAF_INTEGRATOR_EULER};
    const sheaf_course growing = {.kind = SHEAF_COURSE_RAMP, .value = 0.02, .duration = 0.1};
    (void)state;
    for (int k = 0; k < 3; k++) {
        strand_def def = strand_def_swing();
        def.scene.integrator = kinds[k];
        def.scene.step = k == 0 ? 1e-4 : 1.0 / 240;
        def.material.radius[1] = 0.012;
        def.material.drag = 0.1;
        def.material.damping = 1e-4;
        def.strand.shape = SHEAF_SHAPE_ARC;
        def.strand.radius = 0.5;
        def.strand.root.twist = growing;
        def.strand.tip.couple[0] = def.strand.tip.couple[1] = growing;
        strand kept = strand_open(&def), aimed = strand_open(&def);
        for (int step = 0; step < 50; step++) {
            assert_int_equal(rod_aim(aimed.state, 0, &aimed.rod), SHEAF_OK);
            strand_run(&kept, 1);
            strand_run(&aimed, 1);
        }
        assert_memory_equal(kept.rod.x, aimed.rod.x, 32 * sizeof *kept.rod.x);
        assert_memory_equal(kept.rod.v, aimed.rod.v, 32 * sizeof *kept.rod.v);
        assert_memory_equal(kept.rod.theta, aimed.rod.theta, 31 * sizeof *kept.rod.theta);
        strand_close(&kept);
        strand_close(&aimed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_gradients_keep_energy),
        cmocka_unit_test(iterate_gradients_lose_energy),
        cmocka_unit_test(explicit_limit_of_a_disc),
        cmocka_unit_test(nothing_free_has_no_limit),
        cmocka_unit_test(stable_below_the_limit_only),
        cmocka_unit_test(damping_counts_towards_the_limit),
        cmocka_unit_test(driven_ends_stay_on_their_course),
        cmocka_unit_test(imposed_twist_at_pinned_ends),
        cmocka_unit_test(many_turns_of_twist),
        cmocka_unit_test(sliding_tips_stay_on_their_rail),
        cmocka_unit_test(held_tangents_fall_freely),
        cmocka_unit_test(drag_sets_the_speed_of_fall),
        cmocka_unit_test(internal_damping_spares_rigid_motion),
        cmocka_unit_test(views_carry_nothing_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
