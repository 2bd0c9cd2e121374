// test_cable_statics: stretch, twist and bend of three materials with 3 to 24 segments against their formulas, buckling
// under twist, closed rings, loads on three and four cables and on a branch, energy at rest. labels: slow
#include "hoist.h"

#include "lift.h"

#include <stdio.h>

static const double pi = 3.14159265358979323846;

// Bars of 10 m and 1e-2 m^2, round: modulus Pa, Poisson's ratio.
typedef struct bar {
    const char *name;
    double young, poisson, density;
} bar;
static const bar bars[] = {{"steel", 2.1e11, 0.3, 7850}, {"nylon", 3e9, 0.4, 1150}, {"rubber", 1e7, 0.49, 1100}};

static hoist bar_hoist(const bar *b, uint32_t segments)
{
    const double area = 1e-2, radius = sqrt(area / pi), second = pi * pow(radius, 4) / 4;
    return (hoist){.segments = segments,
                   .length = 10,
                   .line_mass = b->density * area,
                   .ea = b->young * area,
                   .ei = b->young * second,
                   .gj = b->young / (2 * (1 + b->poisson)) * 2 * second,
                   .radius = radius,
                   .clamped = true,
                   .direction = {1, 0, 0}};
}

// Steps with drag until nothing moves by more than rounding; the load grows over the first half.
static void settle(cable_group *group, uint32_t steps, double drag, const double force[3], const double torque[3])
{
    cable_body *tip = &group->bodies[group->body_count - 1];
    for (uint32_t k = 1; k < group->body_count; k++)
        group->bodies[k].drag = drag;
    for (uint32_t k = 0; k < steps; k++) {
        const double share = fmin(1, 2.0 * (k + 1) / steps);
        vec_scale(tip->force, force, share);
        vec_scale(tip->torque, torque, share);
        assert_int_equal(cable_ref_step(group).fault, CABLE_SOUND);
    }
}

static void test_bars_stretch_as_hooke_says(void **state)
{
    (void)state;
    static const double none[3] = {0};
    for (int m = 0; m < 3; m++)
        for (uint32_t n = 3; n <= 24; n *= 2) {
            const hoist h = bar_hoist(&bars[m], n);
            const double force[3] = {1e-2 * h.ea, 0, 0}, reach = h.length * (n - 0.5) / n; // of the last centre
            cable_group group;
            hoist_open(&h, &group);
            settle(&group, 3000, 5, force, none);
            assert_close((group.bodies[n].place[0] / reach - 1) / 1e-2, 1, 1e-9);
            cable_ref_close(&group);
        }
}

static void test_bars_twist_by_many_turns(void **state)
{
    (void)state;
    static const double none[3] = {0};
    for (int m = 0; m < 3; m++)
        for (uint32_t n = 3; n <= 24; n *= 2) {
            const hoist h = bar_hoist(&bars[m], n);
            const double reach = h.length * (n - 0.5) / n, torque[3] = {233 * h.gj / reach, 0, 0};
            double twist = 0;
            cable_group group;
            hoist_open(&h, &group);
            settle(&group, 3000, 20, none, torque);
            for (uint32_t k = 0; k < group.joint_count; k++)
                twist += group.joints[k].turn;
            assert_close(twist / 233, 1, 1e-8);
            assert_close(hypot(group.bodies[n].place[1], group.bodies[n].place[2]), 0, 1e-9); // straight
            cable_ref_close(&group);
        }
}

// The radius of the circle through the first three centres.
static double radius_of(const cable_group *group)
{
    double a[3], b[3], c[3], cross[3];
    vec_sub(a, group->bodies[2].place, group->bodies[1].place);
    vec_sub(b, group->bodies[3].place, group->bodies[2].place);
    vec_sub(c, group->bodies[3].place, group->bodies[1].place);
    vec_cross(cross, a, b);
    return vec_length(a) * vec_length(b) * vec_length(c) / (2 * vec_length(cross));
}

static void test_bars_bend_to_circles(void **state)
{
    (void)state;
    static const double none[3] = {0};
    for (int m = 0; m < 3; m++)
        for (uint32_t n = 3; n <= 24; n *= 2)
            for (int bend = 0; bend < 2; bend++) {
                const hoist h = bar_hoist(&bars[m], n);
                const double torque[3] = {0, 0, 0.4 * 2 * pi * h.ei / h.length}, l = h.length / n;
                const double exact = bend == 0 ? h.ei / torque[2] : l / 2 / tan(torque[2] * l / (2 * h.ei));
                cable_group group;
                const double frequency = 3.516 * sqrt(h.ei / h.line_mass) / (h.length * h.length);
                hoist_open(&h, &group);
                group.settings.step = group.settings.damping = 0.08 / frequency; // of the bar's slowest swing
                group.settings.bend = bend == 0 ? CABLE_BEND_ARC : CABLE_BEND_ANGLE;
                settle(&group, 2000, 2 * frequency, none, torque);
                assert_close(radius_of(&group) / exact, 1, 1e-9);
                cable_ref_close(&group);
            }
}

// ---- buckling under twist

// A bar clamped at both ends, one turned by `twist` against the other, and pushed: the square of the rate at which its
// small deflection grows, 1/s^2, and the largest deflection, m.
static double push_bar(uint32_t joints, double twist, double *most)
{
    hoist h = bar_hoist(&bars[1], joints);
    const double l = h.length / joints;
    cable_group open, group;
    double first = 0, last = 0;
    *most = 0;
    h.ei = 100;
    h.gj = 130;
    h.ea = 1e6;
    h.line_mass = 1;
    h.radius = 0.01;
    hoist_open(&h, &open);
    assert_int_equal(cable_ref_open(joints + 2, joints + 1, &group), SHEAF_OK);
    group.settings = open.settings;
    group.settings.step = group.settings.damping = 1.0 / 240;
    for (uint32_t k = 0; k <= joints; k++)
        group.bodies[k] = open.bodies[k];
    for (uint32_t k = 0; k < joints; k++)
        group.joints[k] = open.joints[k];
    cable_body *end = &group.bodies[joints + 1];
    *end = group.bodies[0];
    vec_set(end->place, h.length, 0, 0);
    vec_copy(end->goal_place, end->place);
    cable_joint *joint = &group.joints[joints];
    *joint = group.joints[0];
    joint->a = (int32_t)joints;
    joint->b = (int32_t)joints + 1;
    joint->arm_a[0] = l / 2;
    joint->arm_b[0] = 0;
    for (uint32_t k = 1; k <= joints + 1; k++) { // twisted evenly: nothing but the push moves it
        const double turn[3] = {twist * fmin((k - 0.5) / joints, 1), 0, 0};
        cable_rotate_by(group.bodies[k].pose, turn);
        memcpy(group.bodies[k].goal_pose, group.bodies[k].pose, sizeof group.bodies[k].pose);
        group.bodies[k].velocity[1] = k <= joints ? 1e-10 * sin(pi * (k - 0.5) / joints) : 0;
    }
    assert_int_equal(cable_ref_prepare(&group), SHEAF_OK);
    cable_ref_wind(&group);
    enum { SETTLED = 2400, MORE = 240 };
    for (int k = 0; k < SETTLED + MORE; k++) {
        assert_int_equal(cable_ref_step(&group).fault, CABLE_SOUND);
        const double *middle = group.bodies[joints / 2].place;
        if (k == SETTLED - 1)
            first = hypot(middle[1], middle[2]);
        last = hypot(middle[1], middle[2]);
        *most = fmax(*most, last);
    }
    cable_ref_close(&open);
    cable_ref_close(&group);
    const double rate = log(last / first) / (MORE / 240.0);
    return rate * fabs(rate);
}

// The twist, times GJ / EI, from which on it grows, by two above it: near it the rate's square is linear in the twist's
// square. The first two are not near yet.
static double threshold(uint32_t joints)
{
    const double scale = 100.0 / 130;
    double from = 9.4, to = 9.6;
    for (int k = 0; k < 2; k++) {
        double most;
        const double low = push_bar(joints, from * scale, &most), high = push_bar(joints, to * scale, &most);
        assert_true(low > 0 && high > low);
        const double at = sqrt(from * from - low * (to * to - from * from) / (high - low));
        from = k == 0 ? at + 0.06 : at;
        to = at + 0.12;
    }
    return from;
}

static void test_twist_buckles_bars_at_its_threshold(void **state)
{
    (void)state;
    const double exact = 8.9868, coarse = threshold(16), fine = threshold(32), scale = 100.0 / 130;
    double most;
    print_message("GJ twist / EI: %.3f with 16, %.3f with 32 segments\n", coarse, fine);
    assert_true(coarse > exact && coarse < 9.3);
    assert_true(fine > exact && fine < coarse);
    assert_close(log2((coarse - exact) / (fine - exact)), 2, 0.4); // order
    push_bar(32, 0.97 * fine * scale, &most);
    assert_true(most < 2e-9); // it swings
    push_bar(32, 1.05 * fine * scale, &most);
    assert_true(most > 2e-8); // it leaves
}

// ---- rings

// N segments joined end to end without twist: a regular polygon at rest, of the energy that its formula says.
static void test_rings_rest_as_regular_polygons(void **state)
{
    (void)state;
    for (uint32_t n = 6; n <= 24; n *= 2) {
        const double l = 0.5, ei = 40, radius = l / (2 * tan(pi / n)); // of the centres
        cable_group group;
        assert_int_equal(cable_ref_open(n, n, &group), SHEAF_OK);
        group.settings = (cable_settings){.step = 1.0 / 60, .damping = 1.0 / 60, .stiffening = 1};
        for (uint32_t k = 0; k < n; k++) {
            cable_body *body = &group.bodies[k];
            cable_joint *joint = &group.joints[k];
            const double at = 2 * pi * k / n, turn[3] = {0, 0, at + pi / 2};
            body->mass = 1;
            vec_set(body->inertia, 1e-3, 0.02, 0.02);
            body->pose[0] = 1;
            body->drag = 3;
            cable_rotate_by(body->pose, turn);
            vec_set(body->place, 1.1 * radius * cos(at), 0.9 * radius * sin(at), 0.01 * sin(3 * at)); // not yet at rest
            joint->a = (int32_t)k;
            joint->b = (int32_t)((k + 1) % n);
            joint->arm_a[0] = l / 2;
            joint->arm_b[0] = -l / 2;
            joint->rest_a[0] = joint->rest_b[0] = 1;
            for (int r = 0; r < 6; r++)
                joint->compliance[r] = r < 3 ? 0 : r == 3 ? l / 30 : l / ei;
        }
        assert_int_equal(cable_ref_prepare(&group), SHEAF_OK);
        cable_ref_wind(&group);
        for (int k = 0; k < 4000; k++)
            assert_int_equal(cable_ref_step(&group).fault, CABLE_SOUND);
        const cable_energy e = cable_ref_energy(&group);
        double middle[3] = {0, 0, 0};
        for (uint32_t k = 0; k < n; k++)
            vec_axpy(middle, 1.0 / n, group.bodies[k].place);
        assert_close((e.bend + e.twist) / (n * ei / (2 * l) * -8 * log(cos(pi / n))), 1, 1e-9);
        for (uint32_t k = 0; k < n; k++) {
            double arm[3];
            vec_sub(arm, group.bodies[k].place, middle);
            assert_close(vec_length(arm), radius, 1e-6);
        }
        cable_ref_close(&group);
    }
}

// ---- several cables on a body

#define BODY(name, mass, at) name ": { mass: " mass ", drag: 2 kN*s/m, at: " at ", box: { size: [1 m, 1 m, 20 cm] } }"

// Steps a scene until it rests and gives its one group.
static void rest(const char *text, cable_groups *groups, sheaf_model **model)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "sheaf: 1\ntime: { step: 1/60 s, end: 99 s }\n" LIFT_ROPE "%s", text);
    *model = lift_model(whole);
    assert_int_equal(cable_groups_open(*model, 1.0 / 60, groups), SHEAF_OK);
    assert_int_equal(groups->count, 1);
    for (uint32_t k = 0; k < groups->groups[0].body_count; k++)
        groups->groups[0].bodies[k].drag = fmax(groups->groups[0].bodies[k].drag, 3);
    lift_steps(groups, 0, 6000);
}

// Every free body of the scene is in balance.
static void check_balance(const cable_groups *groups)
{
    const cable_group *group = &groups->groups[0];
    for (uint32_t b = 0; b < groups->model->body_count; b++) {
        const uint32_t place = groups->body_place[b];
        const double weight = group->bodies[place].mass * 9.81;
        double force[3], torque[3];
        cable_ref_load(group, place, force, torque);
        assert_close(force[0], 0, 1e-6 * weight);
        assert_close(force[1], 0, 1e-6 * weight);
        assert_close(force[2], weight, 1e-6 * weight);
        assert_close(vec_length(torque), 0, 1e-6 * weight);
    }
}

// Pull on the load at the tip of cable s.
static double tip_pull(const cable_groups *groups, uint32_t s)
{
    const cable_spot *spot = &groups->spots[s];
    const uint32_t n = cable_segment_count(groups->model, s);
    return vec_length(groups->groups[spot->group].joints[spot->joint + n].load);
}

static void test_loads_on_several_cables_balance(void **state)
{
    (void)state;
    cable_groups groups;
    sheaf_model *model;
    static const double at[4][2] = {{40, 40}, {-40, 40}, {-40, -40}, {40, -40}};
    char text[2048];
    int end = snprintf(text, sizeof text, "bodies: { " BODY("load", "800 kg", "[0, 0, 2 m]") " }\ncables:\n");
    for (int k = 0; k < 4; k++)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - { segments: 4, from: { at: [%g cm, %g cm, 5 m] }, to: { body: load, at: [%g cm, %g cm, 10 "
                        "cm] } }\n",
                        at[k][0], at[k][1], at[k][0], at[k][1]);
    rest(text, &groups, &model);
    check_balance(&groups);
    for (uint32_t s = 0; s < 4; s++)
        assert_close(tip_pull(&groups, s), 800 * 9.81 / 4, 800 * 9.81 * 1e-6);
    cable_groups_close(&groups);
    sheaf_model_free(model);
    // three that lean outwards alike
    end = snprintf(text, sizeof text, "bodies: { " BODY("load", "800 kg", "[0, 0, 2 m]") " }\ncables:\n");
    for (int k = 0; k < 3; k++)
        end += snprintf(text + end, sizeof text - (size_t)end,
                        "  - { segments: 4, from: { at: [%.12g m, %.12g m, 5 m] }, to: { body: load } }\n",
                        2 * cos(2 * pi * k / 3), 2 * sin(2 * pi * k / 3));
    rest(text, &groups, &model);
    check_balance(&groups);
    assert_close(tip_pull(&groups, 1), tip_pull(&groups, 0), 800 * 9.81 * 1e-6);
    assert_close(tip_pull(&groups, 2), tip_pull(&groups, 0), 800 * 9.81 * 1e-6);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

static void test_branches_balance(void **state)
{
    (void)state;
    cable_groups groups;
    sheaf_model *model;
    rest("bodies:\n  " BODY("ring", "2 kg", "[0, 0, 4 m]") "\n  " BODY(
             "load", "600 kg",
             "[0, 0, 0]") "\n"
                          "cables:\n  - { segments: 4, from: { at: [-2 m, 0, 7 m] }, to: { body: ring } }\n"
                          "  - { segments: 4, from: { at: [3 m, 0, 7 m] }, to: { body: ring } }\n"
                          "  - { segments: 4, from: { body: ring }, to: { body: load } }\n",
         &groups, &model);
    check_balance(&groups);
    assert_close(tip_pull(&groups, 2), 600 * 9.81, 600 * 9.81 * 1e-6);
    cable_groups_close(&groups);
    sheaf_model_free(model);
}

// ---- at rest

static void test_nothing_gains_energy_at_rest(void **state)
{
    (void)state;
    static const double loads[] = {0, 100, 5000};
    for (int k = 0; k < 3; k++) {
        const hoist h = {.segments = 12,
                         .length = 10,
                         .line_mass = 1.6,
                         .ea = 1.8e7,
                         .ei = 100,
                         .gj = 70,
                         .radius = 0.01,
                         .load = loads[k],
                         .direction = {0, 0, -1}};
        cable_group group;
        hoist_open(&h, &group);
        group.settings.gravity[2] = -9.81;
        for (int n = 0; n < 600; n++)
            assert_int_equal(cable_ref_step(&group).fault, CABLE_SOUND);
        const cable_energy start = cable_ref_energy(&group);
        for (int n = 0; n < 10000; n++)
            assert_int_equal(cable_ref_step(&group).fault, CABLE_SOUND);
        const cable_energy end = cable_ref_energy(&group);
        const double scale = (h.load + 16) * 9.81 * h.length;
        const double gain = end.kinetic + end.gravity + end.stretch + end.bend + end.twist - start.kinetic -
                            start.gravity - start.stretch - start.bend - start.twist;
        print_message("load %g kg: gains %.2g of its weight times length, moves with %.2g\n", h.load, gain / scale,
                      end.kinetic / scale);
        assert_true(gain < 1e-13 * scale);
        assert_true(end.kinetic < 1e-13 * scale);
        cable_ref_close(&group);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars_stretch_as_hooke_says),
        cmocka_unit_test(test_bars_twist_by_many_turns),
        cmocka_unit_test(test_bars_bend_to_circles),
        cmocka_unit_test(test_twist_buckles_bars_at_its_threshold),
        cmocka_unit_test(test_rings_rest_as_regular_polygons),
        cmocka_unit_test(test_loads_on_several_cables_balance),
        cmocka_unit_test(test_branches_balance),
        cmocka_unit_test(test_nothing_gains_energy_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
