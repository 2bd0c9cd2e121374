// test_files_npy: arrays of NumPy, with and without frames, and headers that lie.
#include "grooms.h"

#include <string.h>

#include "unit.h"

static const groom_format *const npy = &groom_format_npy;

static void frames_round_trip(void **state)
{
    (void)state;
    for (uint64_t frames = 1; frames <= 3; frames++) {
        groom_source made = grooms_make_moving(4, 5, frames);
        base_text bytes = grooms_write(npy, &made);
        assert_int_equal((bytes.length - frames * 20 * 12) % 64, 0);
        groom_source read = grooms_read(npy, &bytes);
        assert_int_equal(read.frame_count, frames);
        for (uint64_t k = frames; k-- > 0;) {
            assert_int_equal(groom_load(&made, k), SHEAF_OK);
            assert_int_equal(groom_load(&read, k), SHEAF_OK);
            grooms_assert_equal(&made.groom, &read.groom, 0, 0);
        }
        groom_close(&made);
        groom_close(&read);
        base_text_free(&bytes);
    }
}

static void double_precision_is_kept(void **state)
{
    (void)state;
    groom_source made = grooms_make(1, 0, true);
    groom_set_point(&made.groom, 1, (const double[3]){1.0 / 3, 2.0 / 7, -1e-9});
    base_text bytes = grooms_write(npy, &made);
    groom_source read = grooms_read(npy, &bytes);
    assert_true(read.groom.is_double);
    grooms_assert_equal(&made.groom, &read.groom, 0, 0);
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void ragged_strands_are_refused(void **state)
{
    (void)state;
    groom_source made = grooms_make(3, 0, false);
    FILE *stream = tmpfile();
    assert_int_equal(groom_write(npy, &made, stream), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "--resample"));
    assert_int_equal(fclose(stream), 0);
    groom_close(&made);
}

static void refuse_header(const char *header, const char *message)
{
    base_text bytes = {0};
    base_text_add_bytes(&bytes, "\x93NUMPY\x01\x00", 8);
    const unsigned char length[2] = {(unsigned char)(strlen(header) & 255), (unsigned char)(strlen(header) >> 8)};
    base_text_add_bytes(&bytes, (const char *)length, 2);
    base_text_add(&bytes, "%s%100s", header, "");
    grooms_refuse(npy, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, message);
    base_text_free(&bytes);
}

static void bad_headers_are_refused(void **state)
{
    (void)state;
    grooms_refuse(npy, "\x93NUMPY\x01", 7, SHEAF_ERR_INPUT, "this file has 7");
    grooms_refuse(npy, "\x93NUMPX\x01\x00\x01\x00 ", 11, SHEAF_ERR_INPUT, "do not start");
    grooms_refuse(npy, "\x93NUMPY\x07\x00\x01\x00 ", 11, SHEAF_ERR_INPUT, "version 7");
    grooms_refuse(npy, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12, SHEAF_ERR_INPUT, "4294967295 bytes");
    refuse_header("{}", "'descr'");
    refuse_header("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2, 3)}", "little-endian");
    refuse_header("{'descr': '<i4', 'fortran_order': False, 'shape': (1, 2, 3)}", "little-endian");
    refuse_header("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2, 3)}", "Fortran");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 3)}", "shape");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 4)}", "shape");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 3)}", "axes");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2, 3)}", "empty");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3, 3)}", "need 108 bytes");
    refuse_header("{'descr': '<f8', 'fortran_order': False, 'shape': (6148914691236517205, 3, 3)}", "need");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999, 1, 3)}", "need");
    refuse_header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296, 3)}", "need");
}

static void damage_is_survived(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(2, 3, 2);
    base_text bytes = grooms_write(npy, &made);
    grooms_refuse_cuts(npy, &bytes, 0);
    grooms_survive_flips(npy, &bytes);
    groom_close(&made);
    base_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_round_trip),          cmocka_unit_test(double_precision_is_kept),
        cmocka_unit_test(ragged_strands_are_refused), cmocka_unit_test(bad_headers_are_refused),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
