// test_files_usda: BasisCurves in USD text: what we write comes back, what others write is read, the rest is refused.
#include "grooms.h"

#include <string.h>

#include "groom/usda_write.h"
#include "unit.h"

static const groom_format *const usda = &groom_format_usda;
enum { ALL = GROOM_WIDTH | GROOM_COLOUR | GROOM_IDS };

static void strands_round_trip(void **state)
{
    (void)state;
    for (unsigned arrays = 0; arrays < 16; arrays++) {
        groom_source made = grooms_make(9, arrays & ALL, false);
        groom_set_point(&made.groom, 4, (const double[3]){1.0f / 3, 1.23456789e-7f, -9876543.21f});
        made.groom.metres_per_unit = 0.01;
        made.groom.up = GROOM_UP_Y;
        base_text bytes = grooms_write(usda, &made);
        groom_source read = grooms_read(usda, &bytes);
        grooms_assert_equal(&made.groom, &read.groom, arrays & ALL, 0);
        assert_close(read.groom.metres_per_unit, 0.01, 0);
        assert_int_equal(read.groom.up, GROOM_UP_Y);
        assert_int_equal(read.frame_count, 1);
        groom_close(&made);
        groom_close(&read);
        base_text_free(&bytes);
    }
}

static void frames_round_trip(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(5, 4, 6);
    base_text bytes = grooms_write(usda, &made);
    assert_non_null(strstr(bytes.bytes, "timeCodesPerSecond = 24\n"));
    assert_non_null(strstr(bytes.bytes, "endTimeCode = 5\n"));
    groom_source read = grooms_read(usda, &bytes);
    assert_int_equal(read.frame_count, 6);
    for (uint64_t k = 6; k-- > 0;) {
        assert_int_equal(groom_load(&made, k), SHEAF_OK);
        assert_int_equal(groom_load(&read, k), SHEAF_OK);
        assert_close(read.times[k], made.times[k], 1e-9);
        grooms_assert_equal(&made.groom, &read.groom, GROOM_WIDTH, 0);
    }
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static void uneven_times_are_kept(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(2, 3, 3);
    made.times[1] = 0.01;
    made.times[2] = 0.5;
    base_text bytes = grooms_write(usda, &made);
    groom_source read = grooms_read(usda, &bytes);
    for (int k = 0; k < 3; k++)
        assert_close(read.times[k], made.times[k], 1e-9);
    groom_close(&made);
    groom_close(&read);
    base_text_free(&bytes);
}

static groom_source read_text(const char *text)
{
    const base_text bytes = {.bytes = (char *)(size_t)text, .length = strlen(text)};
    return grooms_read(usda, &bytes);
}

static void assert_point(const groom *g, uint64_t k, double x, double y, double z)
{
    double point[3];
    groom_point(g, k, point);
    assert_close(point[0], x, 1e-6);
    assert_close(point[1], y, 1e-6);
    assert_close(point[2], z, 1e-6);
}

// As little as the format allows, in as many ways of writing as it allows.
static void texts_of_others_are_read(void **state)
{
    (void)state;
    groom_source read =
        read_text("#usda 1.0\ndef BasisCurves \"r\" { uniform token type = \"linear\"; "
                  "int[] curveVertexCounts = [2,2]; point3f[] points = [(0,0,0),(1,0,0),(2,0,0),(3,0,0)]; }");
    assert_int_equal(read.groom.strand_count, 2);
    assert_close(read.groom.metres_per_unit, 0, 0);
    groom_close(&read);
    read = read_text(
        "#usda 1.0\r\n(\r\n    \"a comment ) in quotes\"\r\n    customLayerData = {\r\n        string a = \"}\"\r\n"
        "    }\r\n    upAxis = \"Z\" # up\r\n    metersPerUnit = 1e-2\r\n    subLayers = [@a]b@]\r\n)\r\n\r\n"
        "def Xform \"world\" (\r\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\r\n)\r\n{\r\n"
        "    double3 xformOp:translate = (10, 0, 0)\r\n"
        "    float3 xformOp:rotateXYZ = (90, 0, 0)\r\n    float3 xformOp:scale = (2, 2, 2)\r\n"
        "    uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\", \"xformOp:scale\"]\r\n"
        "    custom string note = '''it's\n (fine'''\r\n"
        "    point3f[] unset\r\n"
        "    variantSet \"look\" = {\r\n        \"a\" {\r\n            def BasisCurves \"no\" {\r\n}\r\n        }\r\n  "
        "  }\r\n"
        "    def BasisCurves \"hair\"\r\n    {\r\n        uniform token basis = \"catmullRom\"\r\n"
        "        uniform token wrap = \"pinned\"\r\n        uniform token type = \"cubic\"\r\n"
        "        rel material:binding = </world/mat>\r\n        int[] curveVertexCounts = [3,]\r\n"
        "        point3f[] points = [(0, 0, 0),\r\n (0, 1, 0), # middle\r\n (0, 0, 1e0),]\r\n"
        "        float[] widths = [0.5] (\r\n            interpolation = \"constant\"\r\n        )\r\n"
        "        asset texture = @./a(b.png@\r\n        float3[] extent = None\r\n    }\r\n}\r\n");
    assert_int_equal(read.groom.strand_count, 1);
    assert_int_equal(read.groom.up, GROOM_UP_Z);
    assert_close(read.groom.metres_per_unit, 0.01, 1e-15);
    assert_point(&read.groom, 0, 10, 0, 0);
    assert_point(&read.groom, 1, 10, 0, 2); // scaled, then turned about x
    assert_point(&read.groom, 2, 10, -2, 0);
    assert_close((double)read.groom.width[2], 1, 1e-6);
    assert_non_null(strstr(base_text_get(&read.notes), "1 variant sets"));
    groom_close(&read);
}

#define CURVES(rest) "#usda 1.0\ndef BasisCurves \"r\"\n{\n" rest "\n}\n"
#define LINEAR "uniform token type = \"linear\"\nint[] curveVertexCounts = [3, 2]\n"
#define POINTS "point3f[] points = [(0,0,0), (1,0,0), (2,0,0), (3,0,0), (4,0,0)]\n"

static void phantom_points_are_left_out(void **state)
{
    (void)state;
    groom_source read = read_text(CURVES("uniform token basis = \"catmullRom\"\nint[] curveVertexCounts = [5]\n" POINTS
                                         "float[] widths = [1, 2, 3, 4, 5]\n"));
    assert_int_equal(read.groom.vertex_count, 3);
    assert_point(&read.groom, 0, 1, 0, 0);
    assert_close((double)read.groom.width[0], 2, 0);
    groom_close(&read);
}

// A parabola y = x^2 by the control points of each basis: its vertices are on it, at even x.
static void control_points_become_points_of_the_curve(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double x[7];
        int count;
    } cases[] = {
        {CURVES("uniform token basis = \"bspline\"\nint[] curveVertexCounts = [5]\n"
                "point3f[] points = [(0,-0.3333333333,0), (1,0.6666666667,0), (2,3.6666666667,0), "
                "(3,8.6666666667,0), (4,15.6666666667,0)]\nfloat[] widths = [0, 1, 2, 3, 4]"),
         {1, 2, 3},
         3},
        {CURVES("int[] curveVertexCounts = [7]\npoint3f[] points = [(0,0,0), (1,0,0), (2,3,0), (3,9,0), (4,15,0), "
                "(5,24,0), (6,36,0)]\nfloat[] widths = [0, 1, 2, 3, 4, 5, 6]"),
         {0, 1, 2, 3, 4, 5, 6},
         7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        groom_source read = read_text(cases[k].text);
        assert_int_equal(read.groom.vertex_count, cases[k].count);
        for (int i = 0; i < cases[k].count; i++) {
            const double x = cases[k].x[i];
            double point[3];
            groom_point(&read.groom, (uint64_t)i, point);
            assert_close(point[0], x, 1e-6);
            assert_close(point[1], x * x, 1e-5);
            assert_close((double)read.groom.width[i], x, 1e-6);
        }
        groom_close(&read);
    }
}

static void pinned_splines_end_at_their_control_points(void **state)
{
    (void)state;
    groom_source read = read_text(CURVES("uniform token basis = \"bspline\"\nuniform token wrap = \"pinned\"\n"
                                         "int[] curveVertexCounts = [2, 3]\n"
                                         "point3f[] points = [(0,0,0), (1,0,0), (2,0,0), (3,6,0), (4,0,0)]"));
    assert_int_equal(read.groom.vertex_count, 5);
    assert_point(&read.groom, 1, 1, 0, 0);
    assert_point(&read.groom, 2, 2, 0, 0);
    assert_point(&read.groom, 3, 3, 4, 0);
    assert_point(&read.groom, 4, 4, 0, 0);
    groom_close(&read);
}

static void values_spread_as_their_number_says(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float expected[5];
    } cases[] = {
        {CURVES(LINEAR POINTS "float[] widths = [7]"), {7, 7, 7, 7, 7}},
        {CURVES(LINEAR POINTS "float[] widths = [7, 8]"), {7, 7, 7, 8, 8}},
        {CURVES(LINEAR POINTS "float[] widths = [1, 2, 3, 4, 5]"), {1, 2, 3, 4, 5}},
        {CURVES(LINEAR POINTS "float[] widths = [7]\nfloat[] primvars:widths = [9]"), {9, 9, 9, 9, 9}},
        {CURVES(LINEAR POINTS "float[] widths.timeSamples = {3: [7], 4: [8]}"), {7, 7, 7, 7, 7}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        groom_source read = read_text(cases[k].text);
        for (int i = 0; i < 5; i++)
            assert_close((double)read.groom.width[i], (double)cases[k].expected[i], 0);
        groom_close(&read);
    }
}

static void several_prims_are_joined(void **state)
{
    (void)state;
    groom_source read =
        read_text("#usda 1.0\n(\ntimeCodesPerSecond = 10\n)\ndef BasisCurves \"a\"\n{\n" LINEAR
                  "point3f[] points.timeSamples = {\n1: [(0,0,0), (1,0,0), (2,0,0), (3,0,0), (4,0,0)],\n"
                  "2.5: [(5,0,0), (1,0,0), (2,0,0), (3,0,0), (4,0,0)]\n}\n}\ndef BasisCurves \"b\"\n{\n" LINEAR POINTS
                  "color3f[] primvars:displayColor = [(0, 0.5, 1)]\n}\n");
    assert_int_equal(read.groom.strand_count, 4);
    assert_int_equal(read.frame_count, 2);
    assert_close(read.times[1], 0.25, 1e-12);
    assert_int_equal(groom_load(&read, 1), SHEAF_OK);
    assert_point(&read.groom, 0, 5, 0, 0);
    assert_point(&read.groom, 9, 4, 0, 0);
    assert_close((double)read.groom.colour[0][1], 1, 0);
    assert_close((double)read.groom.colour[9][1], 0.5, 0);
    groom_close(&read);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "0 bytes do not start"},
        {"#usda 2.0\n", "do not start"},
        {"PXR-USDC........", "do not start"},
        {"#usda 1.0\n", "no BasisCurves"},
        {"#usda 1.0\ndef Xform \"a\"\n{\n", "ends inside a prim"},
        {"#usda 1.0\ndef Xform \"a\"\n{\nfloat[] a = [", "not closed"},
        {"#usda 1.0\ndef Xform\n{\n}\n", "without a name"},
        {"#usda 1.0\nfoo = 1\n", "'foo' outside any prim"},
        {"#usda 1.0\n(\nmetersPerUnit = 1\n", "damaged"},
        {"#usda 1.0\n(\nmetersPerUnit = -1\n)\n", "metersPerUnit"},
        {"#usda 1.0\n(\nupAxis = \"X\"\n)\n", "upAxis"},
        {CURVES(LINEAR), "no curveVertexCounts or no points"},
        {CURVES(POINTS), "no curveVertexCounts or no points"},
        {CURVES("int[] curveVertexCounts = [5]\n" POINTS), "curve 0 has 5 vertices; of basis bezier"},
        {CURVES("int[] curveVertexCounts = [4, 1]\n" POINTS), "curve 1 has 1 vertices; of basis bezier"},
        {CURVES("uniform token basis = \"hermite\"\nint[] curveVertexCounts = [5]\n" POINTS), "bezier, bspline and"},
        {CURVES("uniform token type = \"liner\"\nint[] curveVertexCounts = [5]\n" POINTS), "neither linear nor cubic"},
        {CURVES(LINEAR POINTS "uniform token wrap = \"periodic\""), "periodic"},
        {CURVES("uniform token type = \"linear\"\nint[] curveVertexCounts = [3, 3]\n" POINTS),
         "shorter than the 6 points"},
        {CURVES("uniform token type = \"linear\"\nint[] curveVertexCounts = [3, 1]\n" POINTS),
         "longer than the 4 points"},
        {CURVES("uniform token type = \"linear\"\nint[] curveVertexCounts = [3, 0]\n" POINTS),
         "curve 1 has 0 vertices"},
        {CURVES("uniform token type = \"linear\"\nint[] curveVertexCounts = [4294967295]\n" POINTS),
         "more than the file"},
        {CURVES("uniform token type = \"linear\"\nint[] curveVertexCounts = [-5]\n" POINTS), "has -5 vertices"},
        {CURVES(LINEAR "point3f[] points = [(0,0,0), (1,nan,0), (2,0,0), (3,0,0), (4,0,0)]"),
         "strand 0, vertex 1: y is nan"},
        {CURVES(LINEAR "point3f[] points = [(0,0), (1,0,0), (2,0,0), (3,0,0), (4,0,0)]"), "',' is missing"},
        {CURVES(LINEAR "point3f[] points = [(0,0,0) (1,0,0)]"), "',' is missing"},
        {CURVES(LINEAR POINTS "float[] widths = [1, 2, 3]"), "3 values, but 1, 2 (one for each curve) or 5"},
        {CURVES(LINEAR POINTS "float[] widths = [-1]"), "the width is -1"},
        {CURVES(LINEAR POINTS "int[] primvars:strand = [1]"), "fewer values"},
        {CURVES(LINEAR "point3f[] points.timeSamples = {2: [], 1: []}"), "time codes must increase"},
        {CURVES(LINEAR "point3f[] points.timeSamples = {1: [] 2: []}"), "',' is missing between time samples"},
        {CURVES(LINEAR "int[] curveVertexCounts.timeSamples = {1: [5], 2: [5]}\n" POINTS), "in time"},
        {CURVES(LINEAR POINTS "double3 xformOp:translate.timeSamples = {1: (0, 0, 0)}\nuniform token[] xformOpOrder = "
                              "[\"xformOp:translate\"]"),
         "moves in time"},
        {CURVES(LINEAR POINTS "uniform token[] xformOpOrder = [\"!invert!xformOp:translate\"]"),
         "not one that is read"},
        {CURVES(LINEAR POINTS "string s = \"unfinished"), "a string that does not end"},
        {CURVES(LINEAR POINTS "float[] a = [1, 2"), "'}' closes a bracket that '[' opened"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        grooms_refuse(usda, cases[k].text, strlen(cases[k].text), SHEAF_ERR_INPUT, cases[k].message);
}

static void nesting_is_limited(void **state)
{
    (void)state;
    base_text text = {0};
    base_text_add(&text, "#usda 1.0\n");
    for (int k = 0; k < 100000; k++)
        base_text_add(&text, "def \"a\"{");
    grooms_refuse(usda, text.bytes, text.length, SHEAF_ERR_LIMIT, "nested deeper than 64");
    base_text_free(&text);
    base_text_add(&text, "#usda 1.0\n");
    for (int k = 0; k < 70000; k++)
        base_text_add(&text, "def \"a\"{}");
    grooms_refuse(usda, text.bytes, text.length, SHEAF_ERR_LIMIT, "more than 65536 prims");
    base_text_free(&text);
    base_text_add(&text, "#usda 1.0\ndef \"a\"{float[] a = ");
    for (int k = 0; k < 100000; k++)
        base_text_add(&text, "[");
    grooms_refuse(usda, text.bytes, text.length, SHEAF_ERR_INPUT, "nested deeper than 64");
    base_text_free(&text);
}

static void sources_must_say_where_they_are(void **state)
{
    (void)state;
    groom_source made = grooms_make_moving(2, 3, 2);
    FILE *stream = tmpfile();
    made.groom.up = GROOM_UP_X;
    assert_int_equal(groom_write(usda, &made, stream), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "--to-up"));
    made.groom.up = GROOM_UP_UNKNOWN;
    assert_int_equal(groom_write(usda, &made, stream), SHEAF_ERR_INPUT);
    made.groom.up = GROOM_UP_Z;
    base_free(made.times);
    made.times = NULL;
    assert_int_equal(groom_write(usda, &made, stream), SHEAF_ERR_INPUT);
    assert_non_null(strstr(sheaf_last_error(), "when its frames are"));
    assert_int_equal(fclose(stream), 0);
    groom_close(&made);
}

static void damage_is_survived(void **state)
{
    (void)state;
    groom_source made = grooms_make(3, ALL, false);
    made.groom.metres_per_unit = 1;
    made.groom.up = GROOM_UP_Z;
    base_text bytes = grooms_write(usda, &made);
    grooms_refuse_cuts(usda, &bytes, bytes.length - 1); // all but the last line end
    grooms_survive_flips(usda, &bytes);
    groom_close(&made);
    base_text_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strands_round_trip),
        cmocka_unit_test(frames_round_trip),
        cmocka_unit_test(uneven_times_are_kept),
        cmocka_unit_test(texts_of_others_are_read),
        cmocka_unit_test(phantom_points_are_left_out),
        cmocka_unit_test(control_points_become_points_of_the_curve),
        cmocka_unit_test(pinned_splines_end_at_their_control_points),
        cmocka_unit_test(values_spread_as_their_number_says),
        cmocka_unit_test(several_prims_are_joined),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(nesting_is_limited),
        cmocka_unit_test(sources_must_say_where_they_are),
        cmocka_unit_test(damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
