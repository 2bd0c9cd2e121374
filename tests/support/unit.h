// unit: what every test program includes: cmocka with the headers it needs, in the order it needs them.
#ifndef SHEAF_TESTS_UNIT_H
#define SHEAF_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

// |value - expected| <= tolerance, all doubles; NaN fails.
#define assert_close(value, expected, tolerance)                                                                       \
    do {                                                                                                               \
        const double value_ = (value), expected_ = (expected);                                                         \
        if (!(fabs(value_ - expected_) <= (tolerance)))                                                                \
            fail_msg("%s is %.17g, expected %.17g", #value, value_, expected_);                                        \
    } while (0)

// Whether a test with the label `tiers` is to take its full form.
static inline bool is_second_tier(void)
{
    return getenv("SHEAF_TEST_ALL") != NULL;
}

#endif
