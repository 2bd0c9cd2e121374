// test_scene_units: quantities, good and bad, and the dimensions they have.
#include "scene/units.h"

#include "scene/limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define PI 3.14159265358979323846

static bool parse(const char *text, scene_quantity *quantity, scene_fault *fault)
{
    return scene_parse_quantity(text, strlen(text), quantity, fault);
}

typedef struct good_row {
    const char *text;
    double value;
    const char *unit; // one of the same dimension; NULL: bare
} good_row;

static const good_row good_rows[] = {
    {"0", 0, NULL},
    {"-0", -0.0, NULL},
    {"+3", 3, NULL},
    {".5", 0.5, NULL},
    {"5.", 5, NULL},
    {"-1.25e-3", -1.25e-3, NULL},
    {"1E+2", 100, NULL},
    {"1/240", 1.0 / 240, NULL},
    {"3 / 4", 0.75, NULL},
    {"1.7976931348623157e308", 1.7976931348623157e308, NULL},
    {"4.9406564584124654e-324", 4.9406564584124654e-324, NULL},
    {"3.9 GPa", 3.9e9, "Pa"},
    {"3.9GPa", 3.9e9, "Pa"},
    {"80 um", 80e-6, "m"},
    {"80 \u00b5m", 80e-6, "m"},
    {"80 \u03bcm", 80e-6, "m"},
    {"12 nm", 12e-9, "m"},
    {"2 dm", 0.2, "m"},
    {"5e3m", 5e3, "m"},
    {"2 Tm", 2e12, "m"},
    {"40 deg", 40 * PI / 180, "rad"},
    {"1 turn", 2 * PI, "rad"},
    {"3 turns", 6 * PI, "rad"},
    {"20 mrad", 20e-3, "rad"},
    {"1/240 s", 1.0 / 240, "s"},
    {"2 min", 120, "s"},
    {"1.5 h", 5400, "s"},
    {"3 ms", 3e-3, "s"},
    {"60 Hz", 60, "Hz"},
    {"1 kHz", 1000, "1/s"},
    {"9.81 m/s^2", 9.81, "m/s^2"},
    {"9.81 m s^-2", 9.81, "m/s^2"},
    {"9.81 m/s/s", 9.81, "m/s^2"},
    {"9.81 m/(s*s)", 9.81, "m/s^2"},
    {"9.81 m/s\u00b2", 9.81, "m/s^2"},
    {"36 km/h", 10, "m/s"},
    {"1300 kg/m^3", 1300, "kg/m^3"},
    {"1.3 g/cm^3", 1300, "kg/m^3"},
    {"1.3 g/cm\u00b3", 1300, "kg/m^3"},
    {"10 %", 0.1, ""},
    {"10%", 0.1, ""},
    {"0.02 N*m^2", 0.02, "N m^2"},
    {"0.02 N m^2", 0.02, "N m^2"},
    {"0.02 N\u00b7m^2", 0.02, "N m^2"},
    {"20 kN*mm^2", 0.02, "N m^2"},
    {"1 Pa*m^4", 1, "N m^2"},
    {"0.2 mPa*s", 0.2e-3, "Pa s"},
    {"6.5 mg/m", 6.5e-6, "kg/m"},
    {"5 1/m", 5, "1/m"},
    {"5 /m", 5, "1/m"},
    {"5/m", 5, "1/m"},
    {"1/2 1/m", 0.5, "1/m"},
    {"90 deg/m", PI / 2, "rad/m"},
    {"2 J/m", 2, "N"},
    {"3 W*s/m", 3, "N"},
    {"3 kg*m/s^2", 3, "N"},
    {"7 m/m", 7, ""},
};

static void good_quantities_have_value_and_dimension(void **fixture)
{
    (void)fixture;
    for (size_t k = 0; k < sizeof good_rows / sizeof good_rows[0]; k++) {
        const good_row *row = &good_rows[k];
        scene_quantity quantity;
        scene_fault fault;
        if (!parse(row->text, &quantity, &fault))
            fail_msg("'%s': %s", row->text, fault.text);
        if (fabs(quantity.value - row->value) > 1e-15 * fabs(row->value))
            fail_msg("'%s' is %.17g", row->text, quantity.value);
        assert_int_equal(quantity.bare, row->unit == NULL);
        if (row->unit == NULL)
            continue;
        const scene_dimension expected = scene_unit_dimension(row->unit);
        if (memcmp(&quantity.dimension, &expected, sizeof expected) != 0)
            fail_msg("'%s' has not the dimension of %s", row->text, row->unit);
    }
}

typedef struct bad_row {
    const char *text;
    size_t offset; // where the fault is
    const char *message;
} bad_row;

static const bad_row bad_rows[] = {
    {"", 0, "not a number"},
    {"abc", 0, "not a number"},
    {"GPa", 0, "not a number"},
    {"- 5", 0, "not a number"},
    {"--5", 0, "not a number"},
    {".", 0, "not a number"},
    {"e5", 0, "not a number"},
    {"true", 0, "not a number"},
    {".nan", 0, "finite"},
    {".NaN", 0, "finite"},
    {"nan", 0, "finite"},
    {".inf", 0, "finite"},
    {"-.inf", 0, "finite"},
    {"+Inf", 0, "finite"},
    {"infinity m", 0, "finite"},
    {"1e400", 0, "too large"},
    {"-1e999999999", 0, "too large"},
    {"1e-400", 0, "too small"},
    {"1e308 GPa", 6, "too large"},
    {"0 Tm^9*Tm^9*Tm^9", 2, "too large"},
    {"1_000", 1, "inside a number"},
    {"1,5", 1, "inside a number"},
    {"1,5 cm", 1, "inside a number"},
    {"0x10", 0, "decimal"},
    {"-0x10", 1, "decimal"},
    {"0b1", 0, "decimal"},
    {"0o17", 0, "decimal"},
    {"1/0 s", 2, "zero"},
    {"1e300/1e-300", 6, "too small"},
    {"1 2", 2, "unit"},
    {"1 1", 2, "unit"},
    {"1.2.3", 3, "unit"},
    {"5 cm x", 5, "unknown unit 'x'"},
    {"5 cm;", 4, "unit"},
    {"5 parsec", 2, "unknown unit 'parsec'"},
    {"5 furlongsss", 2, "unknown unit 'furlongs...'"},
    {"3.9 Gpa", 4, "unknown unit 'Gpa'\ndid you mean 'GPa'?"},
    {"3.9 gpa", 4, "did you mean 'GPa'?"},
    {"3 kmin", 2, "unknown unit"},
    {"3 mdeg", 2, "unknown unit"},
    {"3 k", 2, "unknown unit"},
    {"3 m/", 4, "missing"},
    {"3 m*", 4, "missing"},
    {"3 m/*s", 4, "unit"},
    {"3 *m", 2, "unit"},
    {"3 m^", 4, "power"},
    {"3 m^x", 4, "power"},
    {"3 m^10", 4, "power"},
    {"3 m^0.5", 5, "unit"},
    {"3 (m", 4, "')' is missing"},
    {"3 m)", 3, "unit"},
    {"3 ()", 3, "unit"},
    {"3 (((((m)))))", 6, "nested"},
    {"1e5e5", 3, "unknown unit 'e'"},
    {"5 \xc2\xb2", 2, "unit"},
    {"1000000000000000000000000000000000000000000000000000000000000000000000", 0, "more than"},
};

static void bad_quantities_say_what_is_wrong_and_where(void **fixture)
{
    (void)fixture;
    for (size_t k = 0; k < sizeof bad_rows / sizeof bad_rows[0]; k++) {
        const bad_row *row = &bad_rows[k];
        scene_quantity quantity;
        scene_fault fault = {0};
        if (parse(row->text, &quantity, &fault))
            fail_msg("'%s' was taken for %g", row->text, quantity.value);
        if (strstr(fault.text, row->message) == NULL || fault.offset != row->offset)
            fail_msg("'%s': at %zu: %s", row->text, fault.offset, fault.text);
    }
}

// Cut at every length, a quantity must neither be read beyond its end nor crash the reader.
static void a_quantity_ends_where_its_length_says(void **fixture)
{
    (void)fixture;
    const char text[] = "-12.5e-3/4 \u00b5N*(m/s)^2";
    for (size_t length = 0; length < sizeof text; length++) {
        char exact[sizeof text];
        scene_quantity quantity, again;
        scene_fault fault;
        memset(exact, '9', sizeof exact);
        memcpy(exact, text, length);
        const bool read = scene_parse_quantity(text, length, &quantity, &fault);
        assert_int_equal(scene_parse_quantity(exact, length, &again, &fault), read);
        if (read)
            assert_true(quantity.value == again.value);
    }
}

static bool fits(const char *given, const char *expected)
{
    return scene_dimension_fits(scene_unit_dimension(given), scene_unit_dimension(expected));
}

static void radians_may_be_left_out_of_compound_units_only(void **fixture)
{
    (void)fixture;
    assert_true(fits("deg", "rad"));
    assert_true(fits("1/m", "rad/m"));
    assert_true(fits("deg/m", "rad/m"));
    assert_false(fits("%", "rad"));
    assert_false(fits("rad", ""));
    assert_false(fits("turns/s", "Hz"));
    assert_false(fits("m", "s"));
    assert_false(fits("N", "N m"));
}

// The table of limits names the unit of every range: each must be one that quantities can have, or a count.
static void units_of_all_limits_are_known(void **fixture)
{
    (void)fixture;
    for (int k = 0; k < SCENE_LIMIT_COUNT; k++) {
        const char *unit = scene_limits[k].unit;
        const bool counts = k == SCENE_LIMIT_VERTICES || k == SCENE_LIMIT_STRANDS || k == SCENE_LIMIT_KEYS;
        if (counts)
            continue;
        char text[40];
        scene_quantity quantity;
        scene_fault fault;
        snprintf(text, sizeof text, "1 %s", unit);
        if (!parse(text, &quantity, &fault))
            fail_msg("%s: %s", unit, fault.text);
        assert_true(quantity.value == 1);
        assert_string_equal(scene_name_dimension(unit).unit, unit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_quantities_have_value_and_dimension),
        cmocka_unit_test(bad_quantities_say_what_is_wrong_and_where),
        cmocka_unit_test(a_quantity_ends_where_its_length_says),
        cmocka_unit_test(radians_may_be_left_out_of_compound_units_only),
        cmocka_unit_test(units_of_all_limits_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
