// bench: what the files of `sheaf bench` share: results and how they are shown.
#ifndef SHEAF_CLI_BENCH_H
#define SHEAF_CLI_BENCH_H

#include "base/text.h"
#include "bench/plan.h"

#include <jansson.h>

// What one set of cases gave.
typedef struct bench_section {
    bench_set set;
    bench_row rows[BENCH_CASES_MOST];
    uint32_t count;
    bench_verdict verdicts[BENCH_CASES_MOST];
    uint32_t verdict_count;
} bench_section;

typedef struct bench_results {
    char machine[160];
    device_info device;
    double peak, peak_double; // flop/s; double: 0 where there is none
    double copy;              // bytes/s, read and written
    bench_section sections[BENCH_SET_COUNT];
    uint32_t count;
} bench_results;

// How threads are compared: every child is `sheaf bench` once more, with so many threads for the driver.
typedef struct bench_threads {
    uint32_t device;
    bool quick;
} bench_threads;

// Runs the case of BENCH_SET_THREADS with one thread and with two, in turn.
sheaf_status cli_bench_threads(const bench_threads *how, bench_section *section);

// Whether the driver lets itself be told its number of threads.
bool cli_bench_has_threads(const device_info *device);

// "AMD EPYC 7B13, 2 cores" and the like.
void cli_bench_machine(char *name, size_t size);

json_t *cli_bench_json(const bench_results *results);
void cli_bench_table(const bench_results *results, base_text *text);

// One row of cli_bench_json, read back; false when it is not one.
bool cli_bench_read_row(json_t *json, bench_row *row);

#endif
