// test_files_hair: .hair files come out as they went in, and what is wrong with one is named.
#include "grooms.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static const groom_format *const hair = &groom_format_hair;
enum { ALL = GROOM_WIDTH | GROOM_TRANSPARENCY | GROOM_COLOUR };

static void put(base_text *bytes, size_t offset, uint32_t value)
{
    memcpy(bytes->bytes + offset, &value, sizeof value);
}

// Strands of every kind of file survive a round trip, and the second file is the first, bit for bit.
static void round_trip_is_identical(void **state)
{
    (void)state;
    for (unsigned arrays = 0; arrays <= ALL; arrays++) {
        groom_source made = grooms_make(12, arrays, false);
        base_text first = grooms_write(hair, &made);
        groom_source read = grooms_read(hair, &first);
        grooms_assert_equal(&made.groom, &read.groom, arrays, 0);
        base_text second = grooms_write(hair, &read);
        assert_int_equal(first.length, second.length);
        assert_memory_equal(first.bytes, second.bytes, first.length);
        groom_close(&made);
        groom_close(&read);
        base_text_free(&first);
        base_text_free(&second);
    }
}

// Files of others: no array of segments, or one that says the same for all; any default and any text in the header.
static void foreign_headers_survive(void **state)
{
    (void)state;
    for (int with_segments = 0; with_segments < 2; with_segments++) {
        struct {
            char magic[4];
            uint32_t counts[4];
            float defaults[5];
            char note[88];
        } header = {
            {'h', 'a', 'i', 'r'}, {2, 6, with_segments ? 3 : 2, 2}, {0.25f, 0.5f, 1, 0, 0.125f}, "\xff by others"};
        const uint16_t segments[2] = {2, 2};
        float points[18];
        base_text bytes = {0};
        for (int k = 0; k < 18; k++)
            points[k] = (float)k;
        base_text_add_bytes(&bytes, (const char *)&header, sizeof header);
        base_text_add_bytes(&bytes, (const char *)segments, with_segments ? sizeof segments : 0);
        base_text_add_bytes(&bytes, (const char *)points, sizeof points);
        groom_source read = grooms_read(hair, &bytes);
        assert_int_equal(groom_strand_vertices(&read.groom, 1), 3);
        base_text again = grooms_write(hair, &read);
        assert_int_equal(again.length, bytes.length);
        assert_memory_equal(again.bytes, bytes.bytes, bytes.length);
        groom_close(&read);
        base_text_free(&bytes);
        base_text_free(&again);
    }
}

static void unit_and_axis_are_kept_in_the_note(void **state)
{
    (void)state;
    groom_source made = grooms_make(3, 0, false);
    made.groom.metres_per_unit = 0.01;
    made.groom.up = GROOM_UP_Y;
    base_text bytes = grooms_write(hair, &made);
    groom_source read = grooms_read(hair, &bytes);
    assert_close(read.groom.metres_per_unit, 0.01, 1e-15);
    assert_int_equal(read.groom.up, GROOM_UP_Y);
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void bad_headers_are_refused(void **state)
{
    (void)state;
    groom_source made = grooms_make(4, ALL, false);
    base_text bytes = grooms_write(hair, &made);
    grooms_refuse(hair, bytes.bytes, 0, SHEAF_ERR_INPUT, "this file has 0 bytes");
    grooms_refuse(hair, bytes.bytes, 127, SHEAF_ERR_INPUT, "this file has 127 bytes");
    memcpy(bytes.bytes, "RIAH", 4);
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "does not start with HAIR");
    memcpy(bytes.bytes, "HAIR", 4);
    put(&bytes, 12, 31 | 32);
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "0x20");
    put(&bytes, 12, 29);
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "no points");
    put(&bytes, 12, 31);
    grooms_refuse(hair, bytes.bytes, bytes.length - 1, SHEAF_ERR_INPUT, "need");
    groom_close(&made);
    base_text_free(&bytes);
}

static size_t largest_asked;

static void *note_size(size_t size, void *user)
{
    (void)user;
    largest_asked = size > largest_asked ? size : largest_asked;
    return malloc(size);
}

static void *note_growth(void *memory, size_t size, void *user)
{
    (void)user;
    largest_asked = size > largest_asked ? size : largest_asked;
    return realloc(memory, size);
}

static void release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

// Counts that would take gigabytes, or that overflow 32 bits, are refused by the size of the file, before memory is
// taken.
static void huge_counts_are_refused(void **state)
{
    (void)state;
    const sheaf_allocator watched = {note_size, note_growth, release, NULL};
    largest_asked = 0;
    assert_int_equal(sheaf_allocator_set(&watched), SHEAF_OK);
    char header[128] = "HAIR";
    const uint32_t counts[][4] = {
        {0xffffffff, 0xffffffff, 31, 0}, {0xffffffff, 0xffffffff, 2, 0}, {1, 357913942, 2, 357913941},
        {0xffffffff, 0, 2, 0},           {0, 0xffffffff, 2, 0},          {0x80000000, 0, 3, 0},
    };
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        memcpy(header + 4, counts[k], sizeof counts[k]);
        grooms_refuse(hair, header, sizeof header, SHEAF_ERR_INPUT, "byte 128");
    }
    assert_int_equal(sheaf_allocator_set(NULL), SHEAF_OK);
    assert_true(largest_asked < 1 << 20);
}

static void totals_must_agree(void **state)
{
    (void)state;
    groom_source made = grooms_make(4, 0, false); // 3 + 2 + 1 + 5 points
    base_text bytes = grooms_write(hair, &made);
    bytes.bytes[128] = 3;
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "make 12 points, but the header says 11");
    bytes.bytes[128] = 1;
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "make 10 points, but the header says 11");
    put(&bytes, 12, 2);
    put(&bytes, 16, 4);
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "4 strands of 4 segments make 20 points");
    groom_close(&made);
    base_text_free(&bytes);
}

static void bad_numbers_are_named(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY, 1e38f, 1e-42f};
    groom_source made = grooms_make(4, ALL, false);
    base_text bytes = grooms_write(hair, &made);
    const size_t y = 128 + 8 + 12 * (3 + 2 + 1 + 2) + 4; // strand 3, vertex 2
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        float kept;
        memcpy(&kept, bytes.bytes + y, sizeof kept);
        memcpy(bytes.bytes + y, &bad[k], sizeof bad[k]);
        grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "strand 3, vertex 2: y is");
        memcpy(bytes.bytes + y, &kept, sizeof kept);
    }
    const size_t width = 128 + 8 + 12 * 11;
    memcpy(bytes.bytes + width, &bad[0], sizeof bad[0]);
    grooms_refuse(hair, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "strand 0, vertex 0: the width");
    groom_close(&made);
    base_text_free(&bytes);
}

static void odd_strands_and_garbage_are_noted(void **state)
{
    (void)state;
    groom_source made = grooms_make(5, 0, false);
    base_text bytes = grooms_write(hair, &made);
    base_text_add(&bytes, "garbage");
    groom_source read = grooms_read(hair, &bytes);
    grooms_assert_equal(&made.groom, &read.groom, 0, 0);
    assert_string_equal(base_text_get(&read.notes), "7 bytes after the last array are ignored\n");
    const groom_survey survey = groom_measure(&read.groom);
    assert_int_equal(survey.tiny, 2);
    assert_int_equal(survey.first_tiny, 1);
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void longest_strand_fits(void **state)
{
    (void)state;
    groom_source made = grooms_make(0, 0, false);
    groom_free(&made.groom);
    assert_int_equal(groom_allocate(&made.groom, 1, 65537, 0), SHEAF_OK);
    made.groom.first_vertex[1] = 65537;
    FILE *stream = tmpfile();
    assert_int_equal(hair->write(&made, stream), SHEAF_ERR_LIMIT);
    assert_int_equal(fclose(stream), 0);
    made.groom.first_vertex[1] = made.groom.vertex_count = 65536;
    base_text bytes = grooms_write(hair, &made);
    groom_source read = grooms_read(hair, &bytes);
    assert_int_equal(groom_measure(&read.groom).huge, 1);
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void damage_is_survived(void **state)
{
    (void)state;
    groom_source made = grooms_make(5, ALL, false);
    base_text bytes = grooms_write(hair, &made);
    grooms_refuse_cuts(hair, &bytes, 0);
    grooms_survive_flips(hair, &bytes);
    groom_close(&made);
    base_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_is_identical),
        cmocka_unit_test(foreign_headers_survive),
        cmocka_unit_test(unit_and_axis_are_kept_in_the_note),
        cmocka_unit_test(bad_headers_are_refused),
        cmocka_unit_test(huge_counts_are_refused),
        cmocka_unit_test(totals_must_agree),
        cmocka_unit_test(bad_numbers_are_named),
        cmocka_unit_test(odd_strands_and_garbage_are_noted),
        cmocka_unit_test(longest_strand_fits),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
