// functions: the kernels' own functions as C, in the precision that PRECISION_DOUBLE says, each against long double.
#include <math.h>
#include <stdio.h>

#include "unit.h"

#if PRECISION_DOUBLE
#define REAL double
#define DIGITS 53
#else
#define REAL float
#define DIGITS 24
#define fma fmaf
#define sqrt sqrtf
#define fabs fabsf
#endif
#define LANE_WIDTH 1
#define INLINE static inline
typedef REAL lane;
typedef int lane_mask;
#define lane_select(m, yes, no) ((m) ? (yes) : (no))
#include "kernels/lib/functions.clh"

typedef struct function_row {
    const char *name;
    lane (*ours)(lane);
    long double (*exact)(long double);
    double low, high;
} function_row;

static const function_row function_rows[] = {
    {"atan", lane_atan, atanl, -50, 50},  {"exp", lane_exp, expl, -80, 80},     {"log", lane_log, logl, 1e-9, 1e6},
    {"log", lane_log, logl, 0.5, 2},      {"tanh", lane_tanh, tanhl, -9, 9},    {"tanh", lane_tanh, tanhl, -0.7, 0.7},
    {"sin", lane_sin, sinl, -9000, 9000}, {"cos", lane_cos, cosl, -9000, 9000}, {"sin", lane_sin, sinl, -2, 2},
    {"cos", lane_cos, cosl, -2, 2},       {"atan", lane_atan, atanl, -2, 2},
};

// Units of the last place that `value` is off.
static double units_off(lane value, long double exact)
{
    int exponent;
    (void)frexpl(exact, &exponent);
    return (double)(fabsl((long double)value - exact) / ldexpl(1, exponent - DIGITS));
}

static void functions_are_within_two_units(void **state)
{
    enum { POINTS = 60001 };
    (void)state;
    for (size_t k = 0; k < sizeof function_rows / sizeof function_rows[0]; k++) {
        const function_row *row = &function_rows[k];
        double worst = 0, where = 0;
        for (int i = 0; i < POINTS; i++) {
            const lane x = (lane)(row->low + (row->high - row->low) * i / (POINTS - 1));
            const double off = units_off(row->ours(x), row->exact((long double)x));
            if (!(off <= worst))
                worst = off, where = (double)x;
        }
        if (!(worst <= 2))
            fail_msg("%s is %.3g units off at %.9g", row->name, worst, where);
    }
}

// The arctangent's slope, which comes from the same division, far beyond any range, too.
static void slopes_of_arctangents_are_within_three_units(void **state)
{
    (void)state;
    for (int i = -60000; i <= 60000; i++) {
        const lane x = (lane)(i * exp(i / 3000.0) / 1000.0);
        lane slope;
        const lane value = lane_atan_slope(x, &slope);
        const long double wide = (long double)x;
        if (!(units_off(slope, 1 / (1 + wide * wide)) <= 3 || fabsl(wide) > 1e12L) ||
            !(units_off(value, atanl(wide)) <= 2))
            fail_msg("at %.9g: %.9g, slope %.9g", (double)x, (double)value, (double)slope);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_within_two_units),
        cmocka_unit_test(slopes_of_arctangents_are_within_three_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
