// test_integrate: symplectic Euler along what is free of a strand: its exact parabola, slides, and edges of held
// direction that move as one piece.
#include "strands.h"

#include <string.h>

#include "base/vec.h"

#include "unit.h"

static strand_def bar(void)
{
    strand_def def = strand_def_default();
    vec_set(def.strand.direction, 1, 1, 0);
    def.strand.vertex_count = 6;
    def.strand.clamp_mid_edge = false;
    def.strand.root = sheaf_end_free();
    return def;
}

// v_k = v_0 + k h a, x_k = x_0 + k h v_0 + k (k + 1) / 2 h^2 a.
static void free_vertices_fall_on_the_scheme_s_parabola(void **state)
{
    const strand_def def = bar();
    strand it = strand_open(&def);
    const double h = 0.01, start[3] = {1, 2, 3}, pull[3] = {0.5, -9, 4};
    double x[6][3];
    (void)state;
    memcpy(x, it.rod.x, sizeof x);
    for (uint32_t i = 0; i < 6; i++)
        vec_copy(it.rod.v[i], start);
    for (int k = 1; k <= 50; k++) {
        for (uint32_t i = 0; i < 6; i++)
            vec_scale(it.rod.force[i], pull, it.rod.mass[i]);
        assert_int_equal(ref_integrate(&it.rod, 0, h), SHEAF_OK);
        for (uint32_t i = 0; i < 6; i++)
            for (int c = 0; c < 3; c++) {
                assert_close(it.rod.v[i][c], start[c] + k * h * pull[c], 1e-13);
                assert_close(it.rod.x[i][c], x[i][c] + k * h * start[c] + k * (k + 1) / 2.0 * h * h * pull[c], 1e-13);
            }
    }
    strand_close(&it);
}

// One step with unlike forces on all vertices, returning how the root's two vertices moved.
static strand one_step(const strand_def *def, double (*moved)[3])
{
    strand it = strand_open(def);
    double x[6][3];
    memcpy(x, it.rod.x, sizeof x);
    for (uint32_t i = 0; i < 6; i++)
        vec_set(it.rod.force[i], 1 + i, 2, -3.5 * i);
    assert_int_equal(ref_integrate(&it.rod, 0, 0.1), SHEAF_OK);
    for (uint32_t i = 0; i < 2; i++)
        vec_sub(moved[i], it.rod.x[i], x[i]);
    return it;
}

static void held_directions_do_not_move(void **state)
{
    strand_def def = bar();
    double moved[2][3];
    (void)state;
    def.strand.root = sheaf_end_pinned();
    strand it = one_step(&def, moved);
    assert_close(vec_length(moved[0]), 0, 0);
    assert_close(vec_length(it.rod.v[0]), 0, 0);
    assert_close(moved[1][0], 0.01 * 2 / it.rod.mass[1], 1e-12 / it.rod.mass[1]);
    strand_close(&it);

    def.strand.root.slide = true;
    vec_set(def.strand.root.slide_axis, 0, 3, 0);
    it = one_step(&def, moved);
    const double along[3] = {0, 0.01 * 2 / it.rod.mass[0], 0};
    for (int c = 0; c < 3; c++)
        assert_close(moved[0][c], along[c], 1e-12 / it.rod.mass[0]);
    strand_close(&it);

    def.strand.root = sheaf_end_clamped();
    it = one_step(&def, moved);
    assert_close(vec_length(moved[0]) + vec_length(moved[1]), 0, 0);
    strand_close(&it);
}

static void edges_of_held_direction_move_as_one(void **state)
{
    strand_def def = bar();
    double moved[2][3];
    (void)state;
    def.strand.root.hold_tangent = true;
    strand it = one_step(&def, moved);
    const double mass = it.rod.mass[0] + it.rod.mass[1], force[3] = {3, 4, -3.5};
    for (uint32_t i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) {
            assert_close(moved[i][c], 0.01 * force[c] / mass, 1e-12 / mass);
            assert_close(it.rod.v[i][c], 0.1 * force[c] / mass, 1e-12 / mass);
        }
    strand_close(&it);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_vertices_fall_on_the_scheme_s_parabola),
        cmocka_unit_test(held_directions_do_not_move),
        cmocka_unit_test(edges_of_held_direction_move_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
