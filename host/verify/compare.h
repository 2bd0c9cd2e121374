// compare: the largest of several differences, beside the largest of the numbers they are measured by.
#ifndef SHEAF_VERIFY_COMPARE_H
#define SHEAF_VERIFY_COMPARE_H

#include "base/vec.h"

// Errors of several numbers and the largest of the numbers they are measured by. Not-a-number stays what it is.
typedef struct comparison {
    double error, scale;
} comparison;

static inline double compare_larger(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

static inline void compare_number(comparison *c, double measured, double expected)
{
    c->error = compare_larger(c->error, fabs(measured - expected));
    c->scale = compare_larger(c->scale, fabs(expected));
}

static inline void compare_vector(comparison *c, const double measured[3], const double expected[3])
{
    double difference[3];
    vec_sub(difference, measured, expected);
    c->error = compare_larger(c->error, vec_length(difference));
    c->scale = compare_larger(c->scale, vec_length(expected));
}

static inline double compare_relative(const comparison *c)
{
    return c->error == 0 ? 0 : c->error / c->scale;
}

#endif
