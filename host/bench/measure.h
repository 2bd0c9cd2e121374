// measure: timing of workloads on a device, in turn with each other and with probes of the device's peak, so that all
// of them meet the same machine.
#ifndef SHEAF_BENCH_MEASURE_H
#define SHEAF_BENCH_MEASURE_H

#include "bench/bench.h"
#include "cl/peak.h"

enum { BENCH_WARM_UP = 3 }; // rounds that are not timed: launches find their pace, memory is touched

// How thorough to be.
typedef struct bench_effort {
    uint32_t rounds;
    double work;        // vertex-steps of a round, at least
    bool (*stop)(void); // asked often: whether to end now; NULL: never
} bench_effort;

// Measures all cases, one round of each in turn, a probe of the peak before each. When it is stopped, rows tell of the
// rounds so far. Returns SHEAF_OK, SHEAF_ERR_INTERRUPTED (before the first round was timed), SHEAF_ERR_DEVICE,
// SHEAF_ERR_MEMORY.
sheaf_status bench_measure(uint32_t device, const bench_case *cases, uint32_t count, bench_effort effort,
                           peak_probe *probe, bench_row *rows);

// Takes up what a later visit to the same case found: the best round and the best probe of all visits, and the
// quartiles of the faster visit.
void bench_join(bench_row *row, const bench_row *again);

// Peak flops that a vertex-step costs.
double bench_cost(const bench_row *row);

// Distance of the quartiles as a share of the median.
double bench_spread(const bench_row *row);

// Strand-seconds simulated per second.
double bench_strand_seconds(const bench_row *row);

// Lower quartile, median and upper quartile; sorts the values.
void bench_quartiles(double *values, uint32_t count, double quartiles[3]);

// The exponent p of the power law y = c x^p that fits best, by least squares of the logarithms.
double bench_exponent(const double *x, const double *y, uint32_t count);

#endif
