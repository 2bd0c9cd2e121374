// test_files_derive: chosen strands and frames, other units and axes, resampling and what it loses.
#include "groom/derive.h"

#include <string.h>

#include "grooms.h"
#include "unit.h"

static groom_source derive(groom_source *from, groom_changes changes, groom_loss *loss)
{
    groom_source to;
    if (groom_derive(from, &changes, loss, &to) != SHEAF_OK)
        fail_msg("%s", sheaf_last_error());
    return to;
}

static void assert_point(const groom *g, uint64_t k, double x, double y, double z, double tolerance)
{
    double point[3];
    groom_point(g, k, point);
    assert_close(point[0], x, tolerance);
    assert_close(point[1], y, tolerance);
    assert_close(point[2], z, tolerance);
}

static void nothing_changes_by_default(void **state)
{
    (void)state;
    const unsigned all = GROOM_WIDTH | GROOM_TRANSPARENCY | GROOM_COLOUR | GROOM_IDS;
    groom_source made = grooms_make(7, all, true);
    groom_source same = derive(&made, (groom_changes){0}, NULL);
    grooms_assert_equal(&made.groom, &same.groom, all, 0);
    groom_close(&same);
    groom_close(&made);
}

static void axes_turn_as_agreed(void **state)
{
    (void)state;
    static const struct {
        groom_up from, to;
        double expected[3];
    } cases[] = {
        {GROOM_UP_Y, GROOM_UP_Z, {1, -3, 2}}, {GROOM_UP_Z, GROOM_UP_Y, {1, 3, -2}}, {GROOM_UP_X, GROOM_UP_Z, {2, 3, 1}},
        {GROOM_UP_Z, GROOM_UP_X, {3, 1, 2}},  {GROOM_UP_X, GROOM_UP_Y, {3, 1, 2}},  {GROOM_UP_Y, GROOM_UP_X, {2, 3, 1}},
        {GROOM_UP_Z, GROOM_UP_Z, {1, 2, 3}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        groom_source made = grooms_make(1, 0, true);
        groom_set_point(&made.groom, 0, (const double[3]){1, 2, 3});
        groom_source turned = derive(&made, (groom_changes){.from_up = cases[k].from, .to_up = cases[k].to}, NULL);
        assert_point(&turned.groom, 0, cases[k].expected[0], cases[k].expected[1], cases[k].expected[2], 0);
        assert_int_equal(turned.groom.up, cases[k].to);
        groom_close(&turned);
        groom_close(&made);
    }
}

static void units_scale_points_and_widths(void **state)
{
    (void)state;
    groom_source made = grooms_make(2, GROOM_WIDTH, true);
    groom_source scaled = derive(&made, (groom_changes){.from_metres = 0.01, .to_metres = 1}, NULL);
    double point[3];
    groom_point(&made.groom, 3, point);
    assert_point(&scaled.groom, 3, point[0] / 100, point[1] / 100, point[2] / 100, 1e-15);
    assert_close((double)scaled.groom.width[3], (double)made.groom.width[3] / 100, 1e-9);
    assert_close(scaled.groom.metres_per_unit, 1, 0);
    groom_close(&scaled);
    const groom_changes unknown_unit = {.to_metres = 1}, unknown_axis = {.to_up = GROOM_UP_Y};
    assert_int_equal(groom_derive(&made, &unknown_unit, NULL, &scaled), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "--unit"));
    assert_int_equal(groom_derive(&made, &unknown_axis, NULL, &scaled), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "--up"));
    groom_close(&made);
}

static void strands_and_frames_are_chosen(void **state)
{
    (void)state;
    const uint64_t strands[] = {5, 0, 5}, missing[] = {8};
    groom_source made = grooms_make_moving(8, 4, 10);
    groom_source some =
        derive(&made, (groom_changes){.every = 4, .first = 1, .strands = strands, .strand_count = 3}, NULL);
    assert_int_equal(some.frame_count, 3); // 1, 5, 9
    assert_close(some.times[2], 9.0 / 24, 1e-15);
    assert_int_equal(some.groom.ids[2], 5);
    assert_int_equal(groom_load(&some, 2), SHEAF_OK);
    assert_point(&some.groom, 0, 5 + 9, 0, -1, 0);
    assert_point(&some.groom, 4, 0 + 9, 0, -1, 0);
    groom_close(&some);
    some = derive(&made, (groom_changes){.one_frame = true, .first = 3}, NULL);
    assert_int_equal(some.frame_count, 1);
    assert_point(&some.groom, 0, 3, 0, -1, 0);
    groom_close(&some);
    const groom_changes wrong = {.strands = missing, .strand_count = 1};
    assert_int_equal(groom_derive(&made, &wrong, NULL, &some), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "strands 0 to 7"));
    groom_close(&made);
}

// A helix of `count` vertices, radius 1, three turns.
static groom_source make_helix(uint64_t count)
{
    groom_source made = {.frame_count = 1, .input.descriptor = -1, .groom.is_double = true};
    assert_int_equal(groom_allocate(&made.groom, 1, count, GROOM_WIDTH), SHEAF_OK);
    made.groom.first_vertex[1] = count;
    for (uint64_t k = 0; k < count; k++) {
        const double t = 6 * 3.14159265358979323846 * (double)k / (double)(count - 1);
        groom_set_point(&made.groom, k, (const double[3]){cos(t), sin(t), 0.2 * t});
        made.groom.width[k] = (float)k;
    }
    return made;
}

static void straight_strands_lose_nothing(void **state)
{
    (void)state;
    groom_source made = make_helix(5);
    for (uint64_t k = 0; k < 5; k++)
        groom_set_point(&made.groom, k, (const double[3]){(double)(k * k), 0, 2});
    groom_loss loss = {0};
    groom_source more = derive(&made, (groom_changes){.vertices = 17}, &loss);
    assert_point(&more.groom, 0, 0, 0, 2, 0);
    assert_point(&more.groom, 8, 8, 0, 2, 1e-9);
    assert_point(&more.groom, 16, 16, 0, 2, 0);
    assert_close(loss.worst_length, 0, 1e-12);
    assert_close(loss.worst_turning, 0, 1e-6);
    assert_close((double)more.groom.width[16], 4, 0);
    groom_close(&more);
    groom_close(&made);
}

// On a smooth curve the error falls with the fourth power of the spacing that was there.
static void curves_stay_smooth(void **state)
{
    (void)state;
    double errors[2];
    for (int k = 0; k < 2; k++) {
        groom_source made = make_helix(k == 0 ? 37 : 73);
        groom_loss loss = {0};
        groom_source more = derive(&made, (groom_changes){.vertices = 400}, &loss);
        errors[k] = 0;
        for (uint64_t v = 20; v < 380; v++) {
            double p[3];
            groom_point(&more.groom, v, p);
            errors[k] = fmax(errors[k], fabs(hypot(p[0], p[1]) - 1));
        }
        assert_int_equal(loss.strands, 1);
        assert_true(loss.worst_length > 0 && loss.worst_length < (k == 0 ? 0.012 : 0.003));
        groom_close(&more);
        groom_close(&made);
    }
    assert_true(errors[0] < 2e-3 && errors[1] < errors[0] / 10);
}

static void losses_are_reported(void **state)
{
    (void)state;
    groom_source made = make_helix(200);
    groom_loss fine = {0}, coarse = {0};
    groom_source result = derive(&made, (groom_changes){.vertices = 100}, &fine);
    groom_close(&result);
    result = derive(&made, (groom_changes){.vertices = 4}, &coarse); // a vertex per turn: hardly a helix any more
    assert_true(fine.worst_length < 0.01 && fine.worst_turning < 0.3);
    assert_true(coarse.worst_length > 0.5 && coarse.worst_turning > 10);
    groom_close(&result);
    groom_close(&made);
}

static void single_points_become_strands(void **state)
{
    (void)state;
    groom_source made = grooms_make(3, GROOM_WIDTH, false);
    groom_source result = derive(&made, (groom_changes){.vertices = 4}, NULL);
    assert_int_equal(result.groom.vertex_count, 12);
    for (uint64_t k = 8; k < 12; k++)
        assert_point(&result.groom, k, 2, 0, -1, 0);
    groom_close(&result);
    groom_close(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes_by_default),    cmocka_unit_test(axes_turn_as_agreed),
        cmocka_unit_test(units_scale_points_and_widths), cmocka_unit_test(strands_and_frames_are_chosen),
        cmocka_unit_test(straight_strands_lose_nothing), cmocka_unit_test(curves_stay_smooth),
        cmocka_unit_test(losses_are_reported),           cmocka_unit_test(single_points_become_strands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
