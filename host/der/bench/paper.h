// paper: Table 1 of "Discrete Elastic Rods" (Bergou et al. 2008), and the same scenes measured here: explicit steps of
// the paper's size, lengths kept to its 1e-8.
#ifndef SHEAF_DER_BENCH_PAPER_H
#define SHEAF_DER_BENCH_PAPER_H

#include "base/base.h"

enum { BENCH_PAPER_ROWS = 9, BENCH_PAPER_BATCH = 256 };

// A row of the table. Times are the paper's, s per step.
typedef struct bench_paper_row {
    const char *figure, *what;
    uint32_t vertices;
    double step;                               // s
    double forces, contact, twist, projection; // contact 0: there was none
    double total;
    const char *scene, *strand; // text of the scene up to its strands, and of one of them; NULL: cannot be built here
    uint32_t lead_steps;        // after which the scene does what its figure shows
} bench_paper_row;

extern const bench_paper_row bench_paper_table[BENCH_PAPER_ROWS];
extern const double bench_paper_clock; // Hz, of the paper's machine

// The same here, s per step and strand.
typedef struct bench_paper_times {
    double forces, twist, projection; // one strand, kernels of single stages
    double one;                       // one strand, whole steps
    double one_double;                // the same in double precision; 0: the device has none
    double batch;                     // each of BENCH_PAPER_BATCH strands
    double reference;                 // one strand on the reference
    double projections;               // per step
    double strain;                    // largest of any edge at the end, in single precision
} bench_paper_times;

// How many times as fast a step of `seconds` is as the paper's, which is spared the time of its contacts.
double bench_paper_ratio(const bench_paper_row *row, double seconds);

// Measures a row that has a scene on a device, median of five rounds after the lead; `quick`: only that it works.
// Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY, SHEAF_ERR_INTERRUPTED when `stop` (or NULL) says so.
sheaf_status bench_paper_measure(uint32_t device, const bench_paper_row *row, bool quick, bool (*stop)(void),
                                 bench_paper_times *times);

#endif
