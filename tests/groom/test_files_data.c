// test_files_data: .data files keep every point, and damaged ones are refused.
#include "grooms.h"

#include <string.h>

#include "unit.h"

static const groom_format *const data = &groom_format_data;

static void round_trip(void **state)
{
    (void)state;
    groom_source made = grooms_make(11, 0, false);
    base_text bytes = grooms_write(data, &made);
    assert_int_equal(bytes.length, 4 + 4 * 11 + 12 * made.groom.vertex_count);
    groom_source read = grooms_read(data, &bytes);
    grooms_assert_equal(&made.groom, &read.groom, 0, 0);
    base_text_add(&bytes, "more");
    groom_close(&read);
    read = grooms_read(data, &bytes);
    grooms_assert_equal(&made.groom, &read.groom, 0, 0);
    assert_string_equal(base_text_get(&read.notes), "4 bytes after the last strand are ignored\n");
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void counts_are_checked(void **state)
{
    (void)state;
    const uint32_t many[] = {0x7fffffff, 1}, negative[] = {0xffffffff, 1}, long_strand[] = {1, 0x7fffffff, 0},
                   negative_strand[] = {1, 0x80000000, 0};
    grooms_refuse(data, "abc", 3, SHEAF_ERR_INPUT, "this file has 3");
    grooms_refuse(data, many, sizeof many, SHEAF_ERR_INPUT, "need");
    grooms_refuse(data, negative, sizeof negative, SHEAF_ERR_INPUT, "negative");
    grooms_refuse(data, long_strand, sizeof long_strand, SHEAF_ERR_INPUT, "need");
    grooms_refuse(data, negative_strand, sizeof negative_strand, SHEAF_ERR_INPUT, "negative");
}

// Empty strands, as databases have them where nothing grew, are kept.
static void empty_strands_are_kept(void **state)
{
    (void)state;
    const uint32_t counts[] = {2, 0, 0};
    base_text bytes = {0};
    base_text_add_bytes(&bytes, (const char *)counts, sizeof counts);
    groom_source read = grooms_read(data, &bytes);
    assert_int_equal(read.groom.strand_count, 2);
    assert_int_equal(read.groom.vertex_count, 0);
    base_text again = grooms_write(data, &read);
    assert_int_equal(again.length, sizeof counts);
    groom_close(&read);
    base_text_free(&bytes);
    base_text_free(&again);
}

static void damage_is_survived(void **state)
{
    (void)state;
    groom_source made = grooms_make(5, 0, false);
    base_text bytes = grooms_write(data, &made);
    grooms_refuse_cuts(data, &bytes, 0);
    grooms_survive_flips(data, &bytes);
    groom_close(&made);
    base_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(counts_are_checked),
        cmocka_unit_test(empty_strands_are_kept),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
