// test_cable_holds: which loads a cable holds, by the rule of support/holds.h: the critical tension over steps,
// stiffness and numbers of segments, with a load and with a free tip; none with tension's inertia; a rope beside its
// small steps. labels: slow
#include "hoist.h"

#include <string.h>

#include "holds.h"
#include "unit.h"

// A cable that is kicked, or whose anchor goes aside.
typedef struct pull {
    hoist h;
    double force; // N, at a free tip
    double kick;  // m/s, of its middle
    double aside; // m, that its anchor goes
    double over;  // s, in which
    bool jerks;   // evenly, else smoothly
    double damping;
    cable_tension tension;
} pull;

static void open_pull(const void *what, double step, cable_group *group)
{
    const pull *p = what;
    hoist_open(&p->h, group);
    group->settings.step = step;
    group->settings.damping = p->damping * step;
    group->settings.tension = p->tension;
    if (p->h.load > 0)
        group->settings.gravity[2] = -9.81;
    group->bodies[p->h.segments / 2].velocity[0] = p->kick;
}

static void drive_pull(const void *what, double time, cable_group *group)
{
    const pull *p = what;
    cable_body *tip = &group->bodies[group->body_count - 1];
    const double arm[3] = {p->h.length / p->h.segments / 2, 0, 0}, force[3] = {0, 0, -p->force};
    double lever[3];
    const double share = p->over > 0 ? fmin(1, time / p->over) : 0;
    group->bodies[0].goal_place[0] = p->aside * (p->jerks ? share : share * share * (3 - 2 * share));
    if (p->h.load > 0)
        return;
    cable_turn(tip->pose, arm, lever);
    vec_copy(tip->force, force);
    vec_cross(tip->torque, lever, force);
}

static double swing_of(const void *what, double time, const cable_group *group)
{
    const pull *p = what;
    (void)time;
    return group->bodies[group->body_count - 1].place[0] - p->aside;
}

static holds_case case_of(const pull *p, double step, double seconds)
{
    const double tension = p->h.load > 0 ? (p->h.load + p->h.line_mass * p->h.length) * 9.81 : p->force;
    const double gap = tension * p->h.length / p->h.segments / p->h.ea;
    return (holds_case){p, open_pull, drive_pull, swing_of, step, seconds, gap, tension * gap * p->h.segments};
}

// ---- the critical tension

// k0 of a load on a ball joint by the length of its wave (docs/cables.md, from linear theory and measured).
static double factor_of(double wave)
{
    static const double at[] = {0, 0.3, 0.85, 1.4, 1.6, 2.3, 9}, k0[] = {0.95, 0.95, 0.86, 0.79, 0.71, 0.59, 0.59};
    int k = 1;
    while (wave > at[k])
        k++;
    return k0[k - 1] + (wave - at[k - 1]) / (at[k] - at[k - 1]) * (k0[k] - k0[k - 1]);
}

static bool holds_at(double share, uint32_t segments, double ei, double step, bool is_free, cable_tension tension)
{
    pull p = {.h = {.segments = segments,
                    .length = 10,
                    .line_mass = 1.6,
                    .ea = 1.8e7,
                    .ei = ei,
                    .gj = 0.7 * ei,
                    .radius = 0.01,
                    .direction = {0, 0, -1}},
              .kick = 1e-3,
              .damping = tension == CABLE_TENSION_NONE ? 0 : 1,
              .tension = tension};
    const double wave = pow(4 * p.h.line_mass / (step * step * ei), 0.25) * p.h.length / segments;
    const double limit = (is_free ? 0.49 : factor_of(wave)) * 4 / step * sqrt(p.h.line_mass * ei);
    if (is_free)
        p.force = share * limit;
    else
        p.h.load = share * limit / 9.81;
    const holds_case it = case_of(&p, step, 1500 * step);
    double swing;
    const holds_verdict verdict = holds_run(&it, step, true, &swing);
    return verdict == HOLDS;
}

static void test_critical_tension_over_steps_stiffness_and_segments(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        const uint32_t segments = k & 1 ? 48 : 24; // waves are longer than a segment
        const double step = k & 2 ? 1.0 / 120 : 1.0 / 60, ei = k & 4 ? 2000 : 100;
        const bool is_free = k & 8;
        const bool below = holds_at(0.8, segments, ei, step, is_free, CABLE_TENSION_NONE);
        const bool above = holds_at(1.2, segments, ei, step, is_free, CABLE_TENSION_NONE);
        print_message("%u segments, EI %4g, h 1/%g s, %s: %s at 0.8, %s at 1.2\n", segments, ei, 1 / step,
                      is_free ? "force" : "load", below ? "holds" : "breaks", above ? "holds" : "breaks");
        assert_true(below);
        assert_false(above);
    }
}

static void test_tension_inertia_has_no_critical_tension(void **state)
{
    (void)state;
    for (double share = 1; share <= 1000; share *= 10)
        for (int k = 0; k < 4; k++)
            assert_true(holds_at(share, k & 1 ? 24 : 12, k & 2 ? 2000 : 100, 1.0 / 60, false, CABLE_TENSION_INERTIA));
}

// ---- the rope

static const hoist rope = {.segments = 24,
                           .length = 10,
                           .line_mass = 1.6,
                           .ea = 1.8e7,
                           .ei = 100,
                           .gj = 70,
                           .radius = 0.01,
                           .direction = {0, 0, -1}};

static void test_ropes_hold_what_they_are_made_for(void **state)
{
    (void)state;
    static const double loads[] = {100, 1000, 5000, 67000};
    for (int k = 0; k < 4; k++) {
        // gently: a segment that turns by w in a step opens its joint by l w^2 / 4, beside which the gap at rest is
        // small
        pull p = {.h = rope, .aside = 0.5, .over = 2, .damping = 1, .tension = CABLE_TENSION_INERTIA};
        p.h.load = loads[k];
        holds_case it = case_of(&p, 1.0 / 60, 10);
        const holds_verdict verdict = holds_judge(&it);
        p.tension = CABLE_TENSION_NONE;
        double swing;
        const holds_verdict without = holds_run(&it, it.step, true, &swing);
        print_message("%g kg: %s; without help: %s\n", loads[k], holds_name(verdict), holds_name(without));
        assert_int_equal(verdict, HOLDS);
        assert_true((without == HOLDS) == (loads[k] < 500));
    }
}

// 5 t at 1/60 s beside steps of 1/1920 s, after a jerk of 2 m.
static void test_rope_swings_as_in_small_steps(void **state)
{
    (void)state;
    pull p = {.h = rope, .aside = 2, .over = 0.3, .jerks = true, .damping = 1, .tension = CABLE_TENSION_INERTIA};
    cable_group coarse, fine;
    double worst = 0;
    p.h.load = 5000;
    open_pull(&p, 1.0 / 60, &coarse);
    open_pull(&p, 1.0 / 1920, &fine);
    for (int k = 0; k < 1200; k++) {
        drive_pull(&p, (k + 1) / 60.0, &coarse);
        assert_int_equal(cable_ref_step(&coarse).fault, CABLE_SOUND);
        for (int i = 0; i < 32; i++) {
            drive_pull(&p, k / 60.0 + (i + 1) / 1920.0, &fine);
            assert_int_equal(cable_ref_step(&fine).fault, CABLE_SOUND);
        }
        worst = fmax(worst,
                     fabs(coarse.bodies[coarse.body_count - 1].place[0] - fine.bodies[fine.body_count - 1].place[0]));
    }
    print_message("5 t, 20 s: at most %.1f mm from small steps\n", 1e3 * worst);
    assert_true(worst < 0.05);
    cable_ref_close(&coarse);
    cable_ref_close(&fine);
}

// ---- Gauss-Seidel, as the paper solves groups

// A load on a rope whose first joint is a block of its own, solved by sweeps; `heavy` makes the first segment as heavy
// as the load. How far the load is aside after 10 s, m; NAN: it broke.
static double swing_by_sweeps(double ratio, bool heavy, uint32_t sweeps)
{
    pull p = {.h = rope, .aside = 1, .over = 1, .damping = 1, .tension = CABLE_TENSION_INERTIA};
    cable_group group;
    double most = 0;
    p.h.segments = 12;
    p.h.load = ratio * p.h.line_mass * p.h.length / p.h.segments;
    open_pull(&p, 1.0 / 60, &group);
    group.settings.sweeps = sweeps;
    for (uint32_t j = 1; j < group.joint_count; j++)
        group.joints[j].block = 1;
    for (int c = 0; c < 3 && heavy; c++)
        group.bodies[1].inertia[c] *= ratio;
    group.bodies[1].mass *= heavy ? ratio : 1;
    assert_int_equal(cable_ref_prepare(&group), SHEAF_OK);
    for (uint32_t k = 0; k < 600 && isfinite(most); k++) {
        cable_rows rows;
        drive_pull(&p, (k + 1) / 60.0, &group);
        const bool is_sound = cable_ref_step(&group).fault == CABLE_SOUND;
        cable_ref_rows(&group.bodies[0], &group.bodies[1], &group.joints[0], group.settings.bend, &rows);
        if (!is_sound || vec_length(rows.value) > 0.1) // the top two come apart
            most = NAN;
        if (k > 300)
            most = fmax(most, fabs(swing_of(&p, 0, &group)));
    }
    cable_ref_close(&group);
    return most;
}

static bool sweeps_hold(double ratio, bool heavy, uint32_t sweeps)
{
    const double direct = swing_by_sweeps(ratio, heavy, 0), swept = swing_by_sweeps(ratio, heavy, sweeps);
    assert_true(isfinite(direct));
    return fabs(swept - direct) <= 0.2 * direct;
}

// With the first segment heavy a few sweeps do; with a light one ever more, and from 1e4 on no number of use.
static void test_sweeps_over_blocks_beside_the_direct_solution(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 10, 30, 100, 300}, none = UINT32_MAX;
    static const uint32_t most[2][5] = {{3, 10, 100, none, none}, {3, 3, 3, 3, 3}};
    static const double ratios[] = {1e1, 1e2, 1e3, 1e4, 1e5};
    assert_close(swing_by_sweeps(10, false, 300) / swing_by_sweeps(10, false, 0), 1, 1e-9); // the same answer
    for (int heavy = 0; heavy < 2; heavy++)
        for (int r = 0; r < 5; r++) {
            uint32_t k = 0, found = none;
            while (k < 7 && !sweeps_hold(ratios[r], heavy, counts[k]))
                k++;
            found = k < 7 ? counts[k] : none;
            print_message("first segment %s, ratio %g: sweeps that hold: %d\n", heavy ? "heavy" : "light", ratios[r],
                          found == none ? 0 : (int)found);
            assert_true(found <= most[heavy][r]);
            assert_true((found == none) == (most[heavy][r] == none));
            assert_true(heavy || r < 2 || found > 10);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_critical_tension_over_steps_stiffness_and_segments),
        cmocka_unit_test(test_tension_inertia_has_no_critical_tension),
        cmocka_unit_test(test_ropes_hold_what_they_are_made_for),
        cmocka_unit_test(test_rope_swings_as_in_small_steps),
        cmocka_unit_test(test_sweeps_over_blocks_beside_the_direct_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
