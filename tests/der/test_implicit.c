// test_implicit: the implicit step: its equations against differences of an energy, its matrix by what one Newton
// iteration achieves, its order in time, and strands shaken hard.
#include "rods.h"
#include "strands.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"

enum { MOST = 40 };

// ---- equations

// Bits of an end condition.
enum { POSITION = 1, TANGENT = 2, SLIDE = 4, CONDITIONS = 8 };

static bool is_possible(uint32_t condition)
{
    return (condition & POSITION) || !(condition & SLIDE);
}

static sheaf_end_def end_of(uint32_t condition)
{
    sheaf_end_def end = sheaf_end_free();
    end.hold_position = condition & POSITION;
    end.hold_tangent = condition & TANGENT;
    end.hold_angle = condition & TANGENT;
    end.slide = condition & SLIDE;
    vec_set(end.slide_axis, 0.5, 1, 0.3);
    return end;
}

// A springy helix (or ring) in gravity.
static strand_def spring(bool closed)
{
    strand_def def = strand_def_swing();
    def.strand.shape = closed ? SHEAF_SHAPE_CIRCLE : SHEAF_SHAPE_HELIX;
    def.strand.closed = closed;
    def.strand.vertex_count = 12;
    def.strand.radius = 0.2;
    def.strand.pitch = 0.3;
    def.strand.clamp_mid_edge = false;
    def.strand.root = sheaf_end_free();
    def.material.radius[1] = 0.014;
    def.material.drag = 20;
    return def;
}

static void kick(ref_rod *rod, double speed)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        vec_set(rod->v[i], speed * sin(1 + 2 * i), speed * cos(3 * i), speed * sin(5 * i));
        vec_set(rod->displacement[i], 0.004 * rod->v[i][1], 0.004 * rod->v[i][2], 0.004 * rod->v[i][0]);
        vec_set(rod->last_velocity[i], rod->v[i][2], rod->v[i][0], rod->v[i][1]);
    }
    rod->record->has_history = true;
}

// What a step's equations make stationary: inertia about the target, elastic energy, weight, the tensions' pull, and
// drag by the velocities slope (x - still).
typedef struct potential {
    strand *it;
    double inertia; // 1/s^2
    double slope;   // 1/s
    double target[MOST][3], still[MOST][3];
    double tension[MOST]; // N
} potential;

// Of the present positions, with frames brought along.
static double potential_now(const potential *p)
{
    const ref_twist_options options = ref_twist_converged();
    ref_rod *rod = &p->it->rod;
    double sum = 0;
    ref_frames(rod);
    assert_int_equal(ref_twist(rod, &options), SHEAF_OK);
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double away[3];
        vec_sub(away, rod->x[i], p->target[i]);
        sum += p->inertia / 2 * rod->mass[i] * vec_dot(away, away);
        vec_sub(away, rod->x[i], p->still[i]);
        sum += p->slope / 2 * ref_drag(rod, i) * vec_dot(away, away);
    }
    for (uint32_t j = 0; j < rod->edge_count; j++)
        sum += p->tension[j] * rod->length[j];
    return sum + ref_bending_energy(rod) + ref_twisting_energy(rod) +
           ref_gravitational_energy(rod, p->it->model->def.gravity);
}

// With one freedom moved, from the pose `base`: held frames depend on the way to a pose.
static double potential_along(const potential *p, const sheaf_state *base, const ref_freedom *freedom, double by)
{
    rods_copy(p->it->state, base);
    for (uint32_t i = freedom->first; i <= freedom->second; i++)
        vec_axpy(p->it->rod.x[i], by, freedom->direction);
    return potential_now(p);
}

// Largest derivative of the potential along the freedoms at the present pose, by fourth-order differences.
static double largest_slope(const potential *p)
{
    ref_freedom freedoms[3 * MOST];
    sheaf_state *base;
    double largest = 0;
    const double by = 1e-5;
    assert_int_equal(state_create(p->it->model, &base), SHEAF_OK);
    rods_copy(base, p->it->state);
    const uint32_t count = ref_freedoms(&p->it->rod, 0, freedoms);
    for (uint32_t k = 0; k < count; k++) {
        const ref_freedom *freedom = &freedoms[k];
        const double near = potential_along(p, base, freedom, by) - potential_along(p, base, freedom, -by);
        const double far = potential_along(p, base, freedom, 2 * by) - potential_along(p, base, freedom, -2 * by);
        largest = fmax(largest, fabs(8 * near - far) / (12 * by));
    }
    rods_copy(p->it->state, base);
    state_free(base);
    return largest;
}

static potential potential_of_step(strand *it, double step, bool bdf2)
{
    potential p = {.it = it, .inertia = (bdf2 ? 2.25 : 1) / (step * step), .slope = (bdf2 ? 1.5 : 1) / step};
    for (uint32_t i = 0; i < it->rod.vertex_count; i++) {
        vec_copy(p.target[i], it->rod.x[i]);
        vec_copy(p.still[i], it->rod.x[i]);
        if (bdf2)
            vec_axpy(p.still[i], 1.0 / 3, it->rod.displacement[i]);
        vec_axpy(p.target[i], bdf2 ? 8 * step / 9 : step, it->rod.v[i]);
        if (bdf2) {
            vec_axpy(p.target[i], -2 * step / 9, it->rod.last_velocity[i]);
            vec_axpy(p.target[i], 1.0 / 3, it->rod.displacement[i]);
        }
    }
    return p;
}

// Many iterations without projection end where lengths are kept and the potential is stationary.
static void check_equations(const strand_def *def, bool bdf2)
{
    const double step = 0.01;
    strand it = strand_open(def);
    kick(&it.rod, 0.5);
    ref_ends(&it.rod, 0);
    ref_schedule schedule = ref_schedule_default(&it.rod, step);
    schedule.bdf2 = bdf2;
    schedule.newton = 100;
    schedule.project.iterations = schedule.project.least = 0;
    potential p = potential_of_step(&it, step, bdf2);
    const double before = largest_slope(&p);
    assert_int_equal(ref_implicit_step(&it.rod, 0, step, &schedule), SHEAF_OK);
    memcpy(p.tension, it.rod.tension, it.rod.edge_count * sizeof *p.tension);
    const double after = largest_slope(&p);
    assert_close(strand_strain(&it), 0, 1e-8);
    if (before > 0) // something can move
        assert_close(after / before, 0, 1e-6);
    strand_close(&it);
}

static void converged_steps_solve_their_equations(void **state)
{
    (void)state;
    for (uint32_t root = 0; root < CONDITIONS; root++)
        for (uint32_t tip = 0; tip < CONDITIONS; tip++) {
            strand_def def = spring(false);
            def.strand.root = end_of(root);
            def.strand.tip = end_of(tip);
            if (is_possible(root) && is_possible(tip))
                check_equations(&def, (root + tip) % 2);
        }
    for (uint32_t vertices = 3; vertices < 16; vertices++) {
        strand_def def = spring(true);
        def.strand.vertex_count = vertices;
        def.strand.closing_twist = 1;
        check_equations(&def, vertices % 2);
    }
}

// With every frame held the matrix is the exact one about a natural shape, so that for small motions one iteration is
// enough: what is left of the slope is of second order in the motion.
static void check_one_iteration(strand_def *def, bool bdf2)
{
    sheaf_hold_def holds[MOST];
    const double step = 0.01;
    def->strand.holds = holds;
    vec_set(def->scene.gravity, 0, 0, 0);
    def->strand.root.hold_angle = def->strand.tip.hold_angle = true;
    for (uint32_t j = 1; j + 2 < def->strand.vertex_count; j++)
        holds[def->strand.hold_count++] = (sheaf_hold_def){.edge = j};
    strand it = strand_open(def);
    kick(&it.rod, 1e-6);
    ref_ends(&it.rod, 0);
    ref_schedule schedule = ref_schedule_default(&it.rod, step);
    schedule.bdf2 = bdf2;
    schedule.newton = 1;
    schedule.project.iterations = schedule.project.least = 0;
    potential p = potential_of_step(&it, step, bdf2);
    const double before = largest_slope(&p);
    assert_int_equal(ref_implicit_step(&it.rod, 0, step, &schedule), SHEAF_OK);
    assert_int_equal(it.rod.record->newton, 1);
    memcpy(p.tension, it.rod.tension, it.rod.edge_count * sizeof *p.tension);
    const double after = largest_slope(&p);
    if (before > 0)
        assert_close(after / before, 0, 1e-3);
    strand_close(&it);
}

static void matrix_is_exact_about_a_natural_shape(void **state)
{
    (void)state;
    for (uint32_t root = 0; root < CONDITIONS; root++)
        for (uint32_t tip = 0; tip < CONDITIONS; tip++) {
            strand_def def = spring(false);
            def.strand.root = end_of(root);
            def.strand.tip = end_of(tip);
            if (is_possible(root) && is_possible(tip))
                check_one_iteration(&def, (root + tip) % 2);
        }
}

// ---- order

static const double swing_tip[2] = {0.21827, -0.87091}; // m, x and z at 0.5 s

static void run_swing(sheaf_integrator integrator, uint32_t steps_per_second, double tip[2])
{
    strand_def def = strand_def_swing();
    def.scene.integrator = integrator;
    def.scene.step = 1.0 / steps_per_second;
    strand it = strand_open(&def);
    strand_run(&it, steps_per_second / 2);
    tip[0] = it.rod.x[31][0];
    tip[1] = it.rod.x[31][2];
    assert_close(it.rod.x[31][1], 0, 1e-12);
    assert_close(strand_strain(&it), 0, 1e-9);
    strand_close(&it);
}

static double distance(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

static void swing_is_of_second_order_by_bdf2(void **state)
{
    double reference[2], tip[2], before = 0;
    (void)state;
    run_swing(SHEAF_INTEGRATOR_EXPLICIT, 50000, reference);
    assert_close(distance(reference, swing_tip), 0, 1e-4);
    for (uint32_t rate = 120; rate <= 960; rate *= 2) {
        run_swing(SHEAF_INTEGRATOR_BDF2, rate, tip);
        const double error = distance(tip, reference);
        if (rate == 120)
            assert_true(error < 0.01);
        if (rate == 480)
            assert_true(error < 0.002);
        if (before > 0 && rate <= 480)
            assert_true(before / error > 3.2);
        before = error;
    }
}

static void swing_is_of_first_order_by_euler(void **state)
{
    double reference[2], tip[2], before = 0;
    (void)state;
    run_swing(SHEAF_INTEGRATOR_BDF2, 1920, reference);
    for (uint32_t rate = 120; rate <= 960; rate *= 2) {
        run_swing(SHEAF_INTEGRATOR_EULER, rate, tip);
        const double error = distance(tip, reference);
        if (before > 0)
            assert_close(before / error, 2, 0.3);
        before = error;
    }
}

// A ring that vibrates while it spins: implicit and explicit steps come to the same place.
static void rings_agree_with_the_explicit_step(void **state)
{
    double poses[2][MOST][3];
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = spring(true);
        def.strand.vertex_count = 24;
        def.strand.closing_twist = 0.1;
        def.material.drag = 0;
        def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
        def.scene.step = k ? 2.5e-4 : 1e-5;
        strand it = strand_open(&def);
        for (uint32_t i = 0; i < 24; i++)
            vec_set(it.rod.v[i], -it.rod.x[i][1], it.rod.x[i][0] + it.rod.x[i][2], 4 * it.rod.x[i][0] * it.rod.x[i][1]);
        strand_run(&it, (uint64_t)(0.1 / it.step + 0.5));
        memcpy(poses[k], it.rod.x, 24 * sizeof *it.rod.x);
        strand_close(&it);
    }
    for (uint32_t i = 0; i < 24; i++)
        for (int c = 0; c < 3; c++)
            assert_close(poses[1][i][c], poses[0][i][c], 1e-4);
}

// Every pair of end conditions, driven: implicit and explicit agree to what their steps allow.
static void driven_ends_agree_with_the_explicit_step(void **state)
{
    (void)state;
    for (uint32_t root = 0; root < CONDITIONS; root++) {
        double poses[2][MOST][3];
        for (int k = 0; k < 2 && is_possible(root); k++) {
            strand_def def = spring(false);
            def.strand.root = end_of(root);
            def.strand.tip = end_of(root ^ TANGENT);
            def.strand.root.move[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.02, .duration = 0.2};
            def.strand.root.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.1, .duration = 0.3};
            def.material.drag = 0.1;
            def.material.damping = 1e-3;
            def.scene.integrator = k ? SHEAF_INTEGRATOR_BDF2 : SHEAF_INTEGRATOR_EXPLICIT;
            def.scene.step = k ? 5e-4 : 2e-5;
            strand it = strand_open(&def);
            strand_run(&it, (uint64_t)(0.1 / it.step + 0.5));
            memcpy(poses[k], it.rod.x, it.rod.vertex_count * sizeof *it.rod.x);
            strand_close(&it);
        }
        for (uint32_t i = 0; i < 12 && is_possible(root); i++)
            for (int c = 0; c < 3; c++)
                assert_close(poses[1][i][c], poses[0][i][c], 2e-4);
    }
}

// An end couple across the strand bends it into a circular arc: 2 B / lb 2 tan(phi/2) / cos^2(phi/2) = M at every
// vertex.
static void end_couple_bends_an_arc(void **state)
{
    strand_def def = strand_def_swing();
    const double moment = 0.4;
    (void)state;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.scene.integrator = SHEAF_INTEGRATOR_EULER;
    def.scene.step = 0.1;
    def.material.drag = 5;
    def.strand.tip.couple[1] = (sheaf_course){.kind = SHEAF_COURSE_CONSTANT, .value = moment};
    strand it = strand_open(&def);
    strand_run(&it, 1000);
    const double scale = 2 * it.rod.bend[0][0] / rod_voronoi(&it.rod, 1);
    for (uint32_t i = 1; i < 31; i++) {
        const double half = acos(fmin(1, vec_dot(it.rod.tangent[i - 1], it.rod.tangent[i]))) / 2;
        assert_close(scale * 2 * tan(half) / pow(cos(half), 2), moment, 1e-6 * moment);
    }
    assert_true(it.rod.x[31][2] < -0.3); // a couple about +y turns x towards -z
    strand_close(&it);
}

// ---- schedule

static void counts_follow_the_schedule(void **state)
{
    strand_def def = strand_def_swing();
    (void)state;
    strand it = strand_open(&def);
    ref_schedule schedule = ref_schedule_default(&it.rod, 0.01);
    assert_true(schedule.bdf2 && schedule.newton_least == 1 && schedule.newton_most == 40);
    assert_int_equal(ref_implicit_step(&it.rod, 0, 0.01, &schedule), SHEAF_OK);
    assert_int_equal(it.rod.record->newton, 2); // the first one makes it fall, the second finds it done
    assert_true(it.rod.record->projections >= 2);
    schedule.newton = 3;
    assert_int_equal(ref_implicit_step(&it.rod, 0.01, 0.01, &schedule), SHEAF_OK);
    assert_int_equal(it.rod.record->newton, 3);
    schedule.newton = 0;
    schedule.newton_tolerance = 0;
    schedule.newton_most = 8;
    schedule.project.least = schedule.project.iterations = 5;
    assert_int_equal(ref_implicit_step(&it.rod, 0.02, 0.01, &schedule), SHEAF_OK);
    assert_int_equal(it.rod.record->newton, 8);
    assert_int_equal(it.rod.record->projections, 5);
    strand_close(&it);

    def.strand.shape = SHEAF_SHAPE_ARC;
    def.strand.radius = 1;
    it = strand_open(&def);
    assert_int_equal(ref_schedule_default(&it.rod, 0.01).newton_least, 2);
    strand_close(&it);

    def = strand_def_swing();
    def.strand.tip.hold_angle = true; // can be twisted
    it = strand_open(&def);
    assert_int_equal(ref_schedule_default(&it.rod, 0.01).newton_least, 2);
    strand_close(&it);
}

// A jump that is not motion: without history the step is one of Euler, and the jump leaves no speed behind.
static void history_may_be_dropped(void **state)
{
    strand_def def = strand_def_swing();
    (void)state;
    vec_set(def.scene.gravity, 0, 0, 0);
    def.strand.root = sheaf_end_free();
    strand it = strand_open(&def);
    strand_run(&it, 5);
    for (uint32_t i = 0; i < it.rod.vertex_count; i++) {
        it.rod.x[i][1] += 3;
        it.rod.displacement[i][1] = 1e3; // must not be looked at
    }
    it.rod.record->has_history = false;
    strand_run(&it, 1);
    for (uint32_t i = 0; i < it.rod.vertex_count; i++)
        assert_close(it.rod.v[i][1], 0, 1e-9);
    assert_true(it.rod.record->has_history);
    strand_close(&it);
}

// ---- robustness

typedef enum kind { HAIR, CURL, BLADE, COIL, KINDS } kind;

// A strand whose root is shaken by a tenth of its length twice a second while it rocks.
static strand_def shaken(kind which)
{
    strand_def def = strand_def_default();
    double edge = 5e-3;
    vec_set(def.scene.gravity, 0, 0, -9.81);
    def.scene.projection_tolerance = 2e-5;
    def.scene.projection_iterations = 32;
    def.strand.vertex_count = 32;
    def.strand.shape = which == HAIR ? SHEAF_SHAPE_STRAIGHT : SHEAF_SHAPE_HELIX;
    def.strand.radius = 5e-3;
    def.strand.pitch = 0.04;
    def.material.young = 3.9e9;
    def.material.shear = 0.89e9;
    def.material.radius[0] = 45e-6;
    def.material.radius[1] = 35e-6;
    if (which == BLADE) {
        edge = 0.02;
        def.strand.radius = 0.3;
        def.strand.pitch = 0.63;
        def.material = (sheaf_material_def){.cookie = def.material.cookie,
                                            .name = "grass",
                                            .density = 800,
                                            .young = 3e8,
                                            .shear = 1.1e8,
                                            .radius = {1.5e-3, 0.2e-3}};
    }
    if (which == COIL) {
        edge = 0.01;
        def.strand.radius = 0.05;
        def.strand.pitch = 0.0628;
        def.material = (sheaf_material_def){.cookie = def.material.cookie,
                                            .name = "steel",
                                            .density = 7850,
                                            .young = 2e11,
                                            .shear = 8e10,
                                            .radius = {1e-3, 1e-3}};
    }
    def.strand.length = 31 * edge;
    def.motion.name = "head";
    vec_set(def.motion.axis, 1, 0, 0);
    def.motion.turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.7, .duration = 1 / 0.7};
    def.motion.move[0] = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = 0.1 * def.strand.length, .duration = 0.5};
    def.strand.root.motion = 0;
    return def;
}

static void shaken_strands_hold_together(void **state)
{
    (void)state;
    for (int which = 0; which < KINDS; which++)
        for (uint32_t rate = 60; rate <= 240; rate *= 2) {
            strand_def def = shaken((kind)which);
            def.scene.step = 1.0 / rate;
            strand it = strand_open(&def);
            for (uint32_t k = 0; k < 5 * rate; k++) {
                strand_run(&it, 1);
                const double strain = strand_strain(&it);
                assert_true(strain <= (5 * k > rate ? 1e-4 : 0.1));
                for (uint32_t i = 0; i < 32; i++)
                    assert_true(vec_length(it.rod.v[i]) < 50);
            }
            strand_close(&it);
        }
}

// Let go from straight, a curl whips back into shape.
static void released_curls_hold_together(void **state)
{
    (void)state;
    for (uint32_t rate = 60; rate <= 240; rate *= 2) {
        strand_def def = shaken(CURL);
        def.scene.step = 1.0 / rate;
        def.strand.shape = SHEAF_SHAPE_STRAIGHT;
        def.strand.natural = SHEAF_NATURAL_CURVATURE;
        def.strand.natural_curvature[0] = 100;
        def.strand.natural_twist = 30;
        strand it = strand_open(&def);
        for (uint32_t k = 0; k < 2 * rate; k++) {
            strand_run(&it, 1);
            assert_true(strand_strain(&it) <= (5 * k > rate ? 1e-4 : 0.5));
        }
        strand_close(&it);
    }
}

// Held at both ends and pulled further than it is long, then let back: finite all the time, whole again at the end.
static void pulled_too_far_and_back(void **state)
{
    const double keys[] = {0, 0, 0.5, 0.01, 1, 0.01, 1.5, -0.05};
    (void)state;
    for (int k = 0; k < 2; k++) {
        strand_def def = strand_def_swing();
        def.strand.tip = k ? sheaf_end_pinned() : sheaf_end_clamped();
        def.strand.tip.move[0] = (sheaf_course){.kind = SHEAF_COURSE_KEYS, .keys = keys, .key_count = 4};
        def.material.drag = 1;
        strand it = strand_open(&def);
        double worst = 0;
        for (int s = 0; s < 240; s++) {
            strand_run(&it, 1);
            worst = fmax(worst, strand_strain(&it));
            assert_true(isfinite(strand_strain(&it)));
            for (uint32_t i = 0; i < it.rod.vertex_count; i++)
                assert_true(fabs(it.rod.x[i][2]) < 0.5 && vec_length(it.rod.v[i]) < 20);
        }
        assert_true(worst > 0.009 && worst < 0.1);
        assert_close(strand_strain(&it), 0, 1e-6);
        strand_close(&it);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converged_steps_solve_their_equations),
        cmocka_unit_test(matrix_is_exact_about_a_natural_shape),
        cmocka_unit_test(swing_is_of_second_order_by_bdf2),
        cmocka_unit_test(swing_is_of_first_order_by_euler),
        cmocka_unit_test(rings_agree_with_the_explicit_step),
        cmocka_unit_test(driven_ends_agree_with_the_explicit_step),
        cmocka_unit_test(end_couple_bends_an_arc),
        cmocka_unit_test(counts_follow_the_schedule),
        cmocka_unit_test(history_may_be_dropped),
        cmocka_unit_test(shaken_strands_hold_together),
        cmocka_unit_test(released_curls_hold_together),
        cmocka_unit_test(pulled_too_far_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
