// test_files_ply: strands in .ply files of every encoding, and headers that promise too much.
#include "grooms.h"

#include <string.h>

#include "unit.h"

static const groom_format *const ply = &groom_format_ply;
enum { ALL = GROOM_WIDTH | GROOM_TRANSPARENCY | GROOM_COLOUR | GROOM_IDS };

static void round_trip(void **state)
{
    (void)state;
    for (int is_double = 0; is_double < 2; is_double++) {
        groom_source made = grooms_make(9, ALL, is_double != 0);
        made.groom.metres_per_unit = 0.001;
        made.groom.up = GROOM_UP_Y;
        base_text bytes = grooms_write(ply, &made);
        groom_source read = grooms_read(ply, &bytes);
        assert_int_equal(read.groom.is_double, is_double);
        grooms_assert_equal(&made.groom, &read.groom, ALL, 0);
        assert_close(read.groom.metres_per_unit, 0.001, 1e-15);
        assert_int_equal(read.groom.up, GROOM_UP_Y);
        groom_close(&made);
        groom_close(&read);
        base_text_free(&bytes);
    }
}

static groom_source read_text(const char *text)
{
    const base_text bytes = {.bytes = (char *)(size_t)text, .length = strlen(text)};
    return grooms_read(ply, &bytes);
}

static void assert_x(const groom *g, const double *x)
{
    for (uint64_t k = 0; k < g->vertex_count; k++) {
        double point[3];
        groom_point(g, k, point);
        assert_close(point[0], x[k], 0);
    }
}

static void texts_are_read(void **state)
{
    (void)state;
    groom_source read =
        read_text("ply\r\nformat ascii 1.0\r\ncomment anything\r\nelement vertex 5\r\nproperty float x\r\n"
                  "property float y\r\nproperty double z\r\nproperty float radius\r\n"
                  "element face 1\r\nproperty list uchar int vertex_indices\r\nelement strand 2\r\n"
                  "property int nsegs\r\nend_header\r\n0 0 0 1\r\n1.5e0 0 0 1\r\n2 0 0 1\r\n-3 0 0 1\r\n"
                  "+4. 0 0 1\r\n3 0 1 2\r\n2\r\n1\r\n");
    assert_int_equal(read.groom.strand_count, 2);
    assert_int_equal(groom_strand_vertices(&read.groom, 1), 2);
    assert_x(&read.groom, (const double[]){0, 1.5, 2, -3, 4});
    assert_close((double)read.groom.width[0], 2, 0);
    groom_close(&read);
}

static void lists_choose_vertices(void **state)
{
    (void)state;
    groom_source read = read_text("ply\nformat ascii 1.0\nelement strand 2\nproperty list int uint vertex_indices\n"
                                  "element vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
                                  "3 2 0 1\n2 1 2\n10 0 0\n11 0 0\n12 0 0");
    assert_int_equal(read.groom.vertex_count, 5);
    assert_x(&read.groom, (const double[]){12, 10, 11, 11, 12});
    groom_close(&read);
}

static void big_endian_is_read(void **state)
{
    (void)state;
    static const char text[] =
        "ply\nformat binary_big_endian 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
        "element strand 1\nproperty ushort nsegs\nend_header\n"
        "\x3f\x80\0\0\0\0\0\0\0\0\0\0"
        "\x40\0\0\0\0\0\0\0\0\0\0\0"
        "\0\1";
    const base_text bytes = {.bytes = (char *)(size_t)text, .length = sizeof text - 1};
    groom_source read = grooms_read(ply, &bytes);
    assert_x(&read.groom, (const double[]){1, 2});
    groom_close(&read);
}

#define XYZ "property float x\nproperty float y\nproperty float z\n"

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "ends inside a line"},
        {"plx\n", "do not start"},
        {"ply\nformat ascii 2.0\n", "format"},
        {"ply\nformat ascii 1.0\nelement vertex\n", "a name and a number"},
        {"ply\nformat ascii 1.0\nelement vertex -1\n", "a name and a number"},
        {"ply\nformat ascii 1.0\nproperty float x\n", "before any element"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\n", "type"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n", "type"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float x\n", "twice"},
        {"ply\nformat ascii 1.0\nelement vertex 1\nelement vertex 1\n", "twice"},
        {"ply\nformat ascii 1.0\nfoo\n", "header line"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" XYZ "end_header\n0 0 0\n", "no element strand"},
        {"ply\nformat ascii 1.0\nelement strand 1\nproperty int nsegs\nend_header\n0\n", "no element vertex"},
        {"ply\nformat ascii 1.0\nelement vertex 20\n" XYZ "element strand 1\nproperty int nsegs\nend_header\n0 0 0\n",
         "need"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ "element strand 1\nproperty int nsegs\nend_header\n"
         "0.125 0.125 0.125\n1\n",
         "expected a number"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ
         "element strand 1\nproperty int nsegs\nend_header\n0 0 0 1 0 0 7\n",
         "make 8 vertices, but the file has 2"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ
         "element strand 1\nproperty int nsegs\nend_header\n0 0 0 1 0 0 -1\n",
         "-1 segments"},
        {"ply\nformat ascii 1.0\nelement vertex 2\n" XYZ
         "element strand 1\nproperty int nsegs\nend_header\n0 0 0 1 nan 0 1\n",
         "strand 0, vertex 1: y is nan"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" XYZ
         "element strand 1\nproperty list uint int vertex_indices\nend_header\n0 0 0 1 1\n",
         "a vertex of a strand"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" XYZ
         "element strand 1\nproperty list uint int vertex_indices\nend_header\n0 0 0 4294967295 0\n",
         "need"},
        {"ply\nformat ascii 1.0\nelement vertex 1\n" XYZ
         "element strand 1\nproperty int nsegs\nend_header\n0x1 0 0 0\n",
         "not a number"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 999999999999999999\n" XYZ
         "element strand 1\nproperty int nsegs\nend_header\n",
         "need"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        grooms_refuse(ply, cases[k].text, strlen(cases[k].text), SHEAF_ERR_INPUT, cases[k].message);
}

// Rows without bytes could be announced in any number; a list of many values could be announced in a few bytes.
static void promises_cost_nothing(void **state)
{
    (void)state;
    groom_source read = read_text("ply\nformat ascii 1.0\nelement nothing 999999999999999999\nelement vertex 1\n" XYZ
                                  "element strand 1\nproperty int nsegs\nend_header\n1 0 0 0\n");
    assert_int_equal(read.groom.strand_count, 1);
    groom_close(&read);
    static const char list[] = "ply\nformat binary_little_endian 1.0\nelement vertex 0\n" XYZ
                               "element strand 1\nproperty list uint int vertex_indices\nend_header\n\xff\xff\xff\xff";
    grooms_refuse(ply, list, sizeof list - 1, SHEAF_ERR_INPUT, "a list's values need 17179869180 bytes");
}

static void long_lines_are_refused(void **state)
{
    (void)state;
    base_text bytes = {0};
    base_text_add(&bytes, "ply\nformat ascii 1.0\ncomment ");
    for (int k = 0; k < 100000; k++)
        base_text_add(&bytes, "0123456789");
    grooms_refuse(ply, bytes.bytes, bytes.length, SHEAF_ERR_INPUT, "a line of more than 4096 bytes");
    base_text_free(&bytes);
}

static void damage_is_survived(void **state)
{
    (void)state;
    groom_source made = grooms_make(4, ALL, false);
    base_text bytes = grooms_write(ply, &made);
    grooms_refuse_cuts(ply, &bytes, 0);
    grooms_survive_flips(ply, &bytes);
    groom_close(&made);
    base_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(lists_choose_vertices),
        cmocka_unit_test(big_endian_is_read),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(promises_cost_nothing),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
