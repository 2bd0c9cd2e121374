// test_frames: Bishop frames stay adapted and free of twist, held frames keep their directions and count their turns,
// and the twist of a closed frame makes up for the writhe of its centreline.
#include "rods.h"

#include "base/vec.h"

#include <string.h>

#include "unit.h"

static const double pi = 3.14159265358979323846;

static void shake(ref_rod *rod, rods_random *random, double by)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        double direction[3];
        rods_direction(random, direction);
        vec_axpy(rod->x[i], by * rod->rest_length[0], direction);
    }
}

// Moves vertices back towards `home`, so that a long random walk does not fold the rod up.
static void draw_home(ref_rod *rod, const double (*home)[3])
{
    for (uint32_t i = 0; i < rod->vertex_count; i++)
        for (int c = 0; c < 3; c++)
            rod->x[i][c] += 0.02 * (home[i][c] - rod->x[i][c]);
}

// Largest departure from unit length, from being normal to the tangent, and from transport along the rod.
static double frame_error(const ref_rod *rod)
{
    double worst = 0;
    for (uint32_t j = 0; j < rod->edge_count; j++) {
        worst = rods_worse(worst, fabs(vec_length(rod->bishop[j]) - 1));
        worst = rods_worse(worst, fabs(vec_length(rod->tangent[j]) - 1));
        worst = rods_worse(worst, fabs(vec_dot(rod->bishop[j], rod->tangent[j])));
        if (j > 0) {
            double along[3], apart[3];
            vec_transport(along, rod->bishop[j - 1], rod->tangent[j - 1], rod->tangent[j]);
            vec_sub(apart, along, rod->bishop[j]);
            worst = rods_worse(worst, vec_length(apart));
        }
    }
    return worst;
}

static void frames_stay_orthonormal_and_twist_free(void **fixture)
{
    (void)fixture;
    for (int closed = 0; closed < 2; closed++) {
        const rods_recipe recipe = {.seed = 3, .vertices = 24, .closed = closed, .sharpness = 0.4, .uneven = true};
        rods_random random = {.seed = 5};
        rods_case it;
        double worst = 0;
        rods_set_up(&it, &recipe);
        for (int k = 0; k < 10000; k++) {
            shake(&it.rod, &random, 0.02);
            draw_home(&it.rod, (const double(*)[3])it.state->model->position);
            ref_frames(&it.rod);
            worst = rods_worse(worst, frame_error(&it.rod));
        }
        rods_tear_down(&it);
        print_message("worst error in 10,000 transports: %.1e\n", worst);
        assert_true(worst <= 1e-13);
    }
}

// Every free or held material frame follows its own edge; that of edge 0 is the Bishop frame's own rule.
static void material_frames_are_carried_in_time(void **fixture)
{
    (void)fixture;
    double worst = 0;
    for (uint32_t index = 0; index < RODS_VARIANTS; index += 7) {
        const rods_recipe recipe = rods_variant(index);
        rods_random random = {.seed = index};
        rods_case it;
        double tangent[64][3], director[64][3];
        rods_set_up(&it, &recipe);
        ref_curvature(&it.rod);
        memcpy(tangent, it.rod.tangent, it.rod.edge_count * sizeof *tangent);
        memcpy(director, it.rod.m1, it.rod.edge_count * sizeof *director);
        shake(&it.rod, &random, 0.1);
        ref_frames(&it.rod);
        ref_curvature(&it.rod);
        for (uint32_t j = 0; j < it.rod.edge_count; j++) {
            double carried[3], apart[3];
            vec_transport(carried, director[j], tangent[j], it.rod.tangent[j]);
            vec_sub(apart, carried, it.rod.m1[j]);
            if (!it.rod.tangent_is_held[j])
                worst = rods_worse(worst, vec_length(apart));
        }
        rods_tear_down(&it);
    }
    assert_true(worst <= 1e-13);
}

// A clamped edge's director is set by its course; here it makes three turns about its tangent in small steps.
static void held_frame_counts_turns_of_its_director(void **fixture)
{
    (void)fixture;
    const rods_recipe recipe = {.seed = 8, .vertices = 8, .tip = RODS_HELD, .tip_tangent_held = true, .sharpness = 0.3};
    rods_case it;
    rods_set_up(&it, &recipe);
    const uint32_t tip = it.rod.edge_count - 1;
    double start[3];
    const double first = it.rod.held_angle[tip];
    vec_copy(start, it.rod.held[tip]);
    for (int k = 1; k <= 60; k++) {
        const double turned = 6 * pi * k / 60;
        vec_rotate(it.rod.held[tip], start, it.rod.tangent[tip], turned);
        ref_frames(&it.rod);
        assert_true(fabs(it.rod.held_angle[tip] - first - turned) <= 1e-12);
        assert_true(fabs(it.rod.theta[tip] - it.rod.held_angle[tip] - it.rod.imposed[tip]) <= 1e-15);
    }
    rods_tear_down(&it);
}

// Writhing a rod back and forth changes the angle of a held tip by many turns of holonomy, past +-pi and back.
static void held_angle_is_continuous_over_half_turns(void **fixture)
{
    (void)fixture;
    const uint32_t n = 40;
    const rods_recipe recipe = {.seed = 9, .vertices = n, .tip = RODS_HELD, .sharpness = 0.3};
    rods_case it;
    rods_set_up(&it, &recipe);
    const uint32_t tip = n - 2;
    double last = it.rod.held_angle[tip], low = last, high = last;
    for (int k = 0; k <= 2000; k++) { // helices of three turns, slope from 0 (flat coil) to steep and beyond
        const double slope = 0.02 + 1.5 * pow(sin(2 * pi * k / 1000), 2);
        for (uint32_t i = 0; i < n; i++) {
            const double a = 6 * pi * i / (n - 1);
            vec_set(it.rod.x[i], cos(a), sin(a), slope * a);
        }
        ref_frames(&it.rod);
        if (k > 0)
            assert_true(fabs(it.rod.held_angle[tip] - last) < 0.3);
        last = it.rod.held_angle[tip];
        low = fmin(low, last);
        high = fmax(high, last);
        double expected[3], m1[3];
        vec_rotate(expected, it.rod.held[tip], it.rod.tangent[tip], it.rod.imposed[tip]);
        vec_rotate(m1, it.rod.bishop[tip], it.rod.tangent[tip], it.rod.theta[tip]);
        vec_sub(m1, m1, expected);
        assert_true(vec_length(m1) <= 1e-12);
    }
    assert_true(high - low > 2 * pi);
    rods_tear_down(&it);
}

static void a_million_turns_keep_their_accuracy(void **fixture)
{
    (void)fixture;
    const ref_twist_options options = ref_twist_converged();
    for (uint32_t section = 0; section < 2; section++) {
        const rods_recipe recipe = {.seed = 10 + section,
                                    .vertices = 17,
                                    .root = RODS_HELD,
                                    .tip = RODS_HELD,
                                    .anisotropic = section,
                                    .uneven = true,
                                    .sharpness = 0.3};
        rods_random random = {.seed = 11};
        rods_case it;
        rods_set_up(&it, &recipe);
        const uint32_t tip = it.rod.edge_count - 1;
        it.rod.imposed[0] = 0;
        for (int k = 1; k <= 100; k++) {
            it.rod.imposed[tip] = 2e6 * pi * k / 100;
            shake(&it.rod, &random, 0.02);
            ref_frames(&it.rod);
            assert_int_equal(ref_twist(&it.rod, &options), SHEAF_OK);
            const double between = it.rod.held_angle[tip] - it.rod.held_angle[0], imposed = it.rod.imposed[tip];
            double total = 0;
            for (uint32_t i = 1; i <= tip; i++)
                total += it.rod.m[i];
            assert_true(fabs(between) < 100);
            assert_true(fabs(total - imposed - between) <= 1e-12 * imposed);
            assert_true(it.state->strands[0].twist_residual <= 1e-12 * imposed * rods_twist_unit(&it.rod));
        }
        rods_tear_down(&it);
    }
}

// ---- linking number

// Solid angle, over 4 pi, under which two edges see each other, signed: Gauss's double integral over two segments.
static double gauss_integral(const double a0[3], const double a1[3], const double b0[3], const double b1[3])
{
    double r[4][3], n[4][3], along[2][3], side[3], sum = 0;
    vec_sub(r[0], b0, a0);
    vec_sub(r[1], b1, a0);
    vec_sub(r[2], b1, a1);
    vec_sub(r[3], b0, a1);
    for (int k = 0; k < 4; k++) {
        vec_cross(n[k], r[k], r[(k + 1) % 4]);
        if (vec_length(n[k]) < 1e-14 * vec_dot(r[k], r[k]))
            return 0;
        vec_unit(n[k], n[k]);
    }
    for (int k = 0; k < 4; k++) { // arcsine of n_k . n_{k+1}, accurate for parallel normals too
        vec_cross(side, n[k], n[(k + 1) % 4]);
        sum += pi / 2 - atan2(vec_length(side), vec_dot(n[k], n[(k + 1) % 4]));
    }
    vec_sub(along[0], a1, a0);
    vec_sub(along[1], b1, b0);
    vec_cross(side, along[1], along[0]);
    return copysign(sum, vec_dot(side, r[0])) / (4 * pi);
}

static double writhe(const ref_rod *rod)
{
    double sum = 0;
    for (uint32_t i = 0; i < rod->edge_count; i++)
        for (uint32_t j = i + 2; j < rod->edge_count; j++)
            if (rod_next_vertex(rod, j) != i)
                sum += 2 * gauss_integral(rod->x[i], rod->x[i + 1], rod->x[j], rod->x[rod_next_vertex(rod, j)]);
    return sum;
}

static void shape_ring(ref_rod *rod, double t)
{
    for (uint32_t i = 0; i < rod->vertex_count; i++) {
        const double a = 2 * pi * i / rod->vertex_count, fold = 1 + 0.6 * sin(t) * cos(2 * a);
        vec_set(rod->x[i], fold * cos(a), fold * sin(a) * (0.7 + 0.3 * cos(t)),
                0.8 * sin(t) * sin(2 * a + t) + 0.3 * sin(3 * a - t));
    }
}

// Lk = Tw + Wr: the Bishop frame of a closed rod fails to close by minus its writhe, up to whole turns, and the count
// of whole turns never changes while the ring moves without crossing itself.
static void twist_and_writhe_make_a_whole_number(void **fixture)
{
    (void)fixture;
    const rods_recipe recipe = {.seed = 12, .vertices = 60, .closed = true, .sharpness = 0.1};
    const ref_twist_options options = ref_twist_converged();
    rods_case it;
    rods_set_up(&it, &recipe);
    shape_ring(&it.rod, 0);
    ref_frames(&it.rod);
    const double first = *it.rod.closing_angle / (2 * pi) + writhe(&it.rod);
    double most_writhe = 0, worst = fabs(first - round(first));
    for (int k = 1; k <= 300; k++) {
        shape_ring(&it.rod, 2 * pi * k / 300);
        ref_frames(&it.rod);
        assert_int_equal(ref_twist(&it.rod, &options), SHEAF_OK);
        double twist = -it.rod.closing_twist;
        for (uint32_t i = 0; i < it.rod.vertex_count; i++)
            twist += it.rod.m[i];
        most_writhe = fmax(most_writhe, fabs(writhe(&it.rod)));
        worst = rods_worse(worst, fabs(twist / (2 * pi) + writhe(&it.rod) - first));
        worst = rods_worse(worst, fabs(*it.rod.closing_angle / (2 * pi) + writhe(&it.rod) - first));
    }
    rods_tear_down(&it);
    print_message("largest writhe %.3f, worst error of the linking number %.1e\n", most_writhe, worst);
    assert_true(most_writhe > 0.3);
    assert_true(worst <= 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_stay_orthonormal_and_twist_free),
        cmocka_unit_test(material_frames_are_carried_in_time),
        cmocka_unit_test(held_frame_counts_turns_of_its_director),
        cmocka_unit_test(held_angle_is_continuous_over_half_turns),
        cmocka_unit_test(a_million_turns_keep_their_accuracy),
        cmocka_unit_test(twist_and_writhe_make_a_whole_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
