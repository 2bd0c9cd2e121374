// study: a convergence study, as a table in the test's log and as a test of error and order.
#ifndef SHEAF_TESTS_STUDY_H
#define SHEAF_TESTS_STUDY_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "unit.h"

enum { STUDY_ROWS = 8 };

typedef struct test_study {
    double scale; // errors are shares of this; 0: of the expected value
    uint32_t count;
    double edges[STUDY_ROWS];
    double error[STUDY_ROWS];
} test_study;

static inline test_study study_begin(const char *title, double scale)
{
    printf("\n%s\n%8s %14s %14s %12s %7s\n", title, "edges", "measured", "expected", "error", "order");
    return (test_study){.scale = scale};
}

// How fast the error falls with the number of edges, from row k - 1 to row k.
static inline double study_order(const test_study *study, uint32_t k)
{
    return log(fabs(study->error[k - 1] / study->error[k])) / log(study->edges[k] / study->edges[k - 1]);
}

static inline void study_add(test_study *study, double edges, double measured, double expected)
{
    const uint32_t k = study->count++;
    study->edges[k] = edges;
    study->error[k] = (measured - expected) / (study->scale > 0 ? study->scale : expected);
    printf("%8.0f %14.8f %14.8f %11.6f%%", edges, measured, expected, 100 * study->error[k]);
    if (k > 0)
        printf(" %7.3f", study_order(study, k));
    printf("\n");
    fflush(stdout);
}

// The last row's error is small enough, and the error fell with the given order to row `k` from the one before.
static inline void study_expect_order(const test_study *study, double most_error, double order, uint32_t k)
{
    const double last = study->error[study->count - 1];
    if (!(fabs(last) <= most_error))
        fail_msg("error %.3g is above %.3g", last, most_error);
    if (!(fabs(study_order(study, k) - order) <= 0.15))
        fail_msg("order %.3g is not %.3g", study_order(study, k), order);
}

// The same with the order of the last two rows.
static inline void study_expect(const test_study *study, double most_error, double order)
{
    study_expect_order(study, most_error, order, study->count - 1);
}

#endif
