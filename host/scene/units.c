// units: quantities as people write them, with their dimensions checked.
#include "scene/units.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

enum {
    LONGEST_NUMBER = 60, // bytes; twice what tells any two doubles apart
    LONGEST_SYMBOL = 8,
    DEEPEST_PARENTHESES = 4,
    LARGEST_POWER = 9,
};

#define PI 3.14159265358979323846

// ---- tables

typedef struct unit_row {
    const char *symbol;
    double scale; // SI units in one of these
    bool prefixes;
    scene_dimension dimension;
} unit_row;

static const unit_row unit_rows[] = {
    {"m", 1, true, {.metre = 1}},
    {"g", 1e-3, true, {.kilogram = 1}},
    {"s", 1, true, {.second = 1}},
    {"min", 60, false, {.second = 1}},
    {"h", 3600, false, {.second = 1}},
    {"Hz", 1, true, {.second = -1}},
    {"N", 1, true, {1, 1, -2, 0}},
    {"Pa", 1, true, {-1, 1, -2, 0}},
    {"J", 1, true, {2, 1, -2, 0}},
    {"W", 1, true, {2, 1, -3, 0}},
    {"rad", 1, true, {.radian = 1}},
    {"deg", PI / 180, false, {.radian = 1}},
    {"turn", 2 * PI, false, {.radian = 1}},
    {"turns", 2 * PI, false, {.radian = 1}},
    {"%", 0.01, false, {0}},
};

typedef struct prefix_row {
    const char *symbol;
    double scale;
} prefix_row;

static const prefix_row prefix_rows[] = {
    {"n", 1e-9}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"m", 1e-3}, {"c", 1e-2},
    {"d", 1e-1}, {"k", 1e3},  {"M", 1e6},       {"G", 1e9},       {"T", 1e12},
};

// Common units, to guess what a misspelt one was meant to be.
static const char *const common_units[] = {
    "m", "cm", "mm", "um", "nm", "km",  "kg",  "g",   "mg",  "s",   "ms",    "us", "min", "Hz", "kHz",
    "N", "mN", "uN", "kN", "Pa", "kPa", "MPa", "GPa", "rad", "deg", "turns", "J",  "W",   "%",
};

// Names of dimensions, by their SI unit as in the table of limits.
static const scene_dimension_name dimension_names[] = {
    {"", "a number", "numbers", "0.5"},
    {"m", "a length", "lengths", "20 cm"},
    {"s", "a time", "times", "1.5 s"},
    {"Hz", "a frequency", "frequencies", "60 Hz"},
    {"1/s", "a rate", "rates", "10 1/s"},
    {"rad", "an angle", "angles", "40 deg"},
    {"m/s", "a velocity", "velocities", "2 m/s"},
    {"m/s^2", "an acceleration", "accelerations", "9.81 m/s^2"},
    {"kg/m^3", "a density", "densities", "1300 kg/m^3"},
    {"kg/m", "a mass per length", "masses per length", "6.5 mg/m"},
    {"Pa", "a modulus", "moduli", "3.5 GPa"},
    {"N m^2", "a stiffness", "stiffnesses", "0.02 N*m^2"},
    {"Pa s", "a drag coefficient", "drag coefficients", "0.2 mPa*s"},
    {"1/m", "a curvature", "curvatures", "50 1/m"},
    {"1/m^2", "a number per area", "numbers per area", "200 1/cm^2"},
    {"rad/m", "a twist per length", "twists per length", "90 deg/m"},
    {"N", "a force", "forces", "20 uN"},
    {"N m", "a couple", "couples", "5 uN*m"},
    {"kg", "a mass", "masses", "250 g"},
    {"kg m^2", "an inertia", "inertias", "30 g*cm^2"},
    {"rad/s", "an angular velocity", "angular velocities", "3 rad/s"},
    {"N s/m", "a drag coefficient", "drag coefficients", "0.1 N*s/m"},
    {"N/m", "a stiffness of a joint", "stiffnesses of joints", "5 MN/m"},
    {"N m/rad", "a stiffness of a joint", "stiffnesses of joints", "1 kN*m/rad"},
    {"N m s", "a friction coefficient of an axle", "friction coefficients of axles", "1 mN*m*s"},
};

// ---- reading

typedef struct cursor {
    const char *start, *at, *end;
    scene_fault *fault;
} cursor;

// Complains about `length` bytes from `from`; always false.
__attribute__((format(printf, 4, 5))) static bool fail_at(cursor *c, const char *from, size_t length,
                                                          const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(c->fault->text, sizeof c->fault->text, format, values);
    va_end(values);
    c->fault->offset = (size_t)(from - c->start);
    c->fault->length = length;
    return false;
}

static void skip_spaces(cursor *c)
{
    while (c->at < c->end && *c->at == ' ')
        c->at++;
}

static bool looks_at(const cursor *c, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(c->end - c->at) >= length && memcmp(c->at, word, length) == 0;
}

static bool take(cursor *c, const char *word)
{
    if (!looks_at(c, word))
        return false;
    c->at += strlen(word);
    return true;
}

static bool is_digit_at(const cursor *c, size_t ahead)
{
    return (size_t)(c->end - c->at) > ahead && c->at[ahead] >= '0' && c->at[ahead] <= '9';
}

static size_t skip_digits(cursor *c)
{
    const char *from = c->at;
    while (is_digit_at(c, 0))
        c->at++;
    return (size_t)(c->at - from);
}

static void skip_exponent(cursor *c)
{
    if (c->at >= c->end || (*c->at != 'e' && *c->at != 'E'))
        return;
    const size_t sign = c->end - c->at > 1 && (c->at[1] == '-' || c->at[1] == '+');
    if (!is_digit_at(c, 1 + sign))
        return;
    c->at += 1 + sign;
    skip_digits(c);
}

// Forms of numbers that other languages have and this one does not, each with its own advice.
static bool refuse_foreign_number(cursor *c, const char *from)
{
    if (c->at < c->end && (*c->at == '_' || *c->at == ','))
        return fail_at(c, c->at, 1, "'%c' inside a number\nwrite digits without separators, and '.' for the decimals",
                       *c->at);
    const bool lone_zero = c->at - from == 1 && *from == '0' && c->end - c->at > 1;
    if (lone_zero && strchr("xXoObB", *c->at) != NULL && isalnum((unsigned char)c->at[1]))
        return fail_at(c, from, (size_t)(c->end - from), "not a decimal number\nwrite it with the digits 0 to 9");
    return true;
}

static bool refuse_word(cursor *c)
{
    static const char *const not_finite[] = {".nan", ".inf", "nan", "inf"};
    char word[5] = {0};
    const char *from = c->at + (c->at < c->end && (*c->at == '-' || *c->at == '+'));
    for (size_t k = 0; k < 4 && from + k < c->end; k++)
        word[k] = (char)tolower((unsigned char)from[k]);
    for (size_t k = 0; k < COUNT_OF(not_finite); k++)
        if (strncmp(word, not_finite[k], strlen(not_finite[k])) == 0)
            return fail_at(c, c->start, (size_t)(c->end - c->start), "not a finite number");
    return fail_at(c, c->at, (size_t)(c->end - c->at), "not a number");
}

static bool convert(cursor *c, const char *from, double *value)
{
    char digits[LONGEST_NUMBER + 1] = {0};
    const size_t length = (size_t)(c->at - from);
    if (length > LONGEST_NUMBER)
        return fail_at(c, from, length, "number of more than %d characters", LONGEST_NUMBER);
    memcpy(digits, from, length);
    errno = 0;
    *value = strtod(digits, NULL);
    if (!isfinite(*value))
        return fail_at(c, from, length, "number too large\nthe largest is about 1e308");
    if (errno == ERANGE && *value == 0)
        return fail_at(c, from, length, "number too small\nthe smallest above 0 is about 1e-308");
    return true;
}

static bool read_number(cursor *c, double *value)
{
    const char *from = c->at;
    const char *sign_end = from + (c->at < c->end && (*c->at == '-' || *c->at == '+'));
    c->at = sign_end;
    size_t digits = skip_digits(c);
    if (c->at < c->end && *c->at == '.' && (digits > 0 || is_digit_at(c, 1))) {
        c->at++;
        digits += skip_digits(c);
    }
    if (digits == 0) {
        c->at = from;
        return refuse_word(c);
    }
    skip_exponent(c);
    return refuse_foreign_number(c, sign_end) && convert(c, from, value);
}

// ---- units

typedef struct unit_value {
    double scale;
    scene_dimension dimension;
} unit_value;

static void multiply(unit_value *product, const unit_value *factor, int power)
{
    product->scale *= pow(factor->scale, power);
    product->dimension.metre += power * factor->dimension.metre;
    product->dimension.kilogram += power * factor->dimension.kilogram;
    product->dimension.second += power * factor->dimension.second;
    product->dimension.radian += power * factor->dimension.radian;
}

static bool find_unit(const char *symbol, unit_value *unit)
{
    for (size_t k = 0; k < COUNT_OF(unit_rows); k++)
        if (strcmp(symbol, unit_rows[k].symbol) == 0) {
            *unit = (unit_value){unit_rows[k].scale, unit_rows[k].dimension};
            return true;
        }
    return false;
}

static bool find_prefixed(const char *symbol, unit_value *unit)
{
    for (size_t p = 0; p < COUNT_OF(prefix_rows); p++) {
        const size_t length = strlen(prefix_rows[p].symbol);
        if (strncmp(symbol, prefix_rows[p].symbol, length) != 0)
            continue;
        for (size_t k = 0; k < COUNT_OF(unit_rows); k++)
            if (unit_rows[k].prefixes && strcmp(symbol + length, unit_rows[k].symbol) == 0) {
                *unit = (unit_value){prefix_rows[p].scale * unit_rows[k].scale, unit_rows[k].dimension};
                return true;
            }
    }
    return false;
}

// Letters, and what else a symbol may hold.
static size_t symbol_length(const cursor *c)
{
    const char *at = c->at;
    while (at < c->end && (isalpha((unsigned char)*at) || *at == '%' || (unsigned char)*at >= 0x80)) {
        const bool operator_follows = (unsigned char)*at == 0xc2 && c->end - at > 1 && strchr("\xb7\xb2\xb3", at[1]);
        if (operator_follows)
            break;
        at++;
    }
    return (size_t)(at - c->at);
}

static bool read_symbol(cursor *c, unit_value *unit)
{
    char symbol[LONGEST_SYMBOL + 1] = {0}, shown[4 * LONGEST_SYMBOL + 8];
    const size_t length = symbol_length(c);
    if (length == 0)
        return fail_at(c, c->at, 1, c->at < c->end ? "this does not belong to a unit" : "a unit is missing here");
    memcpy(symbol, c->at, length < LONGEST_SYMBOL ? length : LONGEST_SYMBOL);
    c->at += length;
    if (length <= LONGEST_SYMBOL && (find_unit(symbol, unit) || find_prefixed(symbol, unit)))
        return true;
    const char *nearest = length == 1 ? NULL : base_nearest(symbol, common_units, COUNT_OF(common_units));
    base_printable(symbol, shown, sizeof shown);
    return fail_at(c, c->at - length, length, "unknown unit '%s%s'\n%s%s%s", shown,
                   length > LONGEST_SYMBOL ? "..." : "",
                   nearest ? "did you mean '" : "units are like m, kg, s, N, Pa, deg", nearest ? nearest : "",
                   nearest ? "'?" : "");
}

static bool read_power(cursor *c, int *power)
{
    *power = 1;
    if (take(c, "\u00b2") || take(c, "\u00b3")) {
        *power = c->at[-1] == '\xb2' ? 2 : 3;
        return true;
    }
    if (!take(c, "^"))
        return true;
    const char *from = c->at;
    const int sign = take(c, "-") ? -1 : 1;
    if (!is_digit_at(c, 0) || is_digit_at(c, 1))
        return fail_at(c, from, 1, "a power is a whole number from -%d to %d", LARGEST_POWER, LARGEST_POWER);
    *power = sign * (*c->at++ - '0');
    return true;
}

static bool read_product(cursor *c, int depth, unit_value *product);

static bool read_factor(cursor *c, int depth, unit_value *factor)
{
    if (take(c, "(")) {
        if (depth >= DEEPEST_PARENTHESES)
            return fail_at(c, c->at - 1, 1, "parentheses nested deeper than %d", DEEPEST_PARENTHESES);
        if (!read_product(c, depth + 1, factor))
            return false;
        return take(c, ")") || fail_at(c, c->at, 1, "')' is missing here");
    }
    if (looks_at(c, "1/") || looks_at(c, "1 /")) { // as in 1/m
        c->at++;
        *factor = (unit_value){.scale = 1};
        return true;
    }
    const char *from = c->at;
    if (!read_symbol(c, factor))
        return false;
    const int length = (int)(c->at - from);
    if (is_digit_at(c, 0)) // as in cm3
        return fail_at(c, from, (size_t)length + 1, "unknown unit '%.*s'\nwrite powers as %.*s^%c", length + 1, from,
                       length, from, *c->at);
    return true;
}

// Factors until the end or a closing parenthesis; a slash divides by the one factor after it.
static bool read_product(cursor *c, int depth, unit_value *product)
{
    *product = (unit_value){.scale = 1};
    bool first = true;
    for (skip_spaces(c); first || (c->at < c->end && *c->at != ')'); skip_spaces(c)) {
        unit_value factor = {.scale = 1};
        int power = 1;
        const bool divides = take(c, "/");
        if (!divides && !first && !take(c, "*"))
            take(c, "\u00b7");
        skip_spaces(c);
        if (!read_factor(c, depth, &factor) || !read_power(c, &power))
            return false;
        multiply(product, &factor, divides ? -power : power);
        first = false;
    }
    return true;
}

static bool read_unit(cursor *c, scene_quantity *quantity)
{
    unit_value unit;
    const char *from = c->at;
    if (!read_product(c, 0, &unit))
        return false;
    if (c->at < c->end)
        return fail_at(c, c->at, 1, "this does not belong to a unit");
    const double value = quantity->value * unit.scale;
    if (!isfinite(value) || !isnormal(unit.scale))
        return fail_at(c, from, (size_t)(c->end - from), "this unit makes the number too large or too small");
    *quantity = (scene_quantity){.value = value, .dimension = unit.dimension};
    return true;
}

// The divisor of "1/240", if there is one.
static bool read_divisor(cursor *c, double *value)
{
    const char *from = c->at;
    skip_spaces(c);
    const bool slash = take(c, "/");
    skip_spaces(c);
    if (!slash || !is_digit_at(c, 0)) {
        c->at = from;
        return true;
    }
    double divisor = 0;
    from = c->at;
    if (!read_number(c, &divisor))
        return false;
    if (!isfinite(*value / divisor))
        return fail_at(c, from, (size_t)(c->at - from), "division by %s", divisor == 0 ? "zero" : "a number too small");
    *value /= divisor;
    return true;
}

bool scene_parse_quantity(const char *text, size_t length, scene_quantity *quantity, scene_fault *fault)
{
    cursor c = {text, text, text + length, fault};
    *quantity = (scene_quantity){.bare = true};
    if (!read_number(&c, &quantity->value) || !read_divisor(&c, &quantity->value))
        return false;
    skip_spaces(&c);
    return c.at == c.end || read_unit(&c, quantity);
}

// ---- dimensions

scene_dimension scene_unit_dimension(const char *unit)
{
    unit_value value;
    scene_fault fault;
    cursor c = {unit, unit, unit + strlen(unit), &fault};
    if (unit[0] == 0 || !read_product(&c, 0, &value))
        return (scene_dimension){0};
    return value.dimension;
}

bool scene_dimension_fits(scene_dimension given, scene_dimension expected)
{
    const bool compound = expected.metre != 0 || expected.kilogram != 0 || expected.second != 0;
    return given.metre == expected.metre && given.kilogram == expected.kilogram && given.second == expected.second &&
           (given.radian == expected.radian || (given.radian == 0 && compound));
}

scene_dimension_name scene_name_dimension(const char *unit)
{
    for (size_t k = 0; k < COUNT_OF(dimension_names); k++)
        if (strcmp(unit, dimension_names[k].unit) == 0)
            return dimension_names[k];
    return dimension_names[0];
}
