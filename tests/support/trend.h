// trend: a straight line through a course of numbers.
#ifndef SHEAF_TESTS_TREND_H
#define SHEAF_TESTS_TREND_H

#include <math.h>
#include <stdint.h>

typedef struct test_trend {
    double rise;    // of the line over all values, as a share of their mean
    double scatter; // rms about the line, as a share of the mean
} test_trend;

static inline test_trend trend_of(const double *values, uint32_t count)
{
    double mean = 0, slope = 0, weight = 0, scatter = 0;
    for (uint32_t k = 0; k < count; k++)
        mean += values[k] / count;
    for (uint32_t k = 0; k < count; k++) {
        const double x = (k + 0.5) / count - 0.5;
        slope += x * values[k];
        weight += x * x;
    }
    slope /= weight;
    for (uint32_t k = 0; k < count; k++)
        scatter += pow(values[k] - mean - slope * ((k + 0.5) / count - 0.5), 2);
    return (test_trend){.rise = slope / mean, .scatter = sqrt(scatter / count) / mean};
}

#endif
