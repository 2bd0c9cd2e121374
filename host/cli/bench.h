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
    char failure[256]; // why there are no rows; "": there are
} bench_section;

typedef struct bench_results {
    char machine[360];
    device_info device;
    bench_limits limits;
    bench_section sections[BENCH_SET_COUNT];
    uint32_t count;
    bool is_complete; // false: stopped by a signal
    json_t *peers;    // rows of other programs, or NULL; not owned
    json_t *paper;    // the paper's table and ours, or NULL
    char paper_failure[256];
} bench_results;

// Makes the names of all workloads that have bars words of the command. Called once, before words are read.
void cli_bench_find_names(void);

// How threads are compared: every child is `sheaf bench` once more, with so many threads for the driver.
typedef struct bench_threads {
    uint32_t device;
    uint32_t width; // lanes, the same for any number of threads
    bool quick;
} bench_threads;

// Runs the case of BENCH_SET_THREADS with one thread and with two, in turn.
sheaf_status cli_bench_threads(const bench_threads *how, bench_section *section);

// Runs `sheaf bench WHAT` as a child with so many threads for the driver; `root` receives its JSON, or NULL.
sheaf_status cli_bench_worker(const char *what, const bench_threads *how, uint32_t threads, json_t **root);

// The paper's table of times beside ours, on one core where the driver allows it; `worker`: in this process.
sheaf_status cli_bench_paper(const device_info *info, uint32_t device, bool quick, bool worker, json_t **paper);
void cli_bench_paper_table(const json_t *paper, base_text *text);

// Whether the driver lets itself be told its number of threads.
bool cli_bench_has_threads(const device_info *device);

// "AMD EPYC, family 25 model 17, 2 cores" and the like.
void cli_bench_machine(char *name, size_t size);

// "float8" and the like; what of a step was measured, "fused", "staged", or the name of a stage.
void cli_bench_form(const bench_case *what, char form[16]);
const char *cli_bench_kernels(const bench_case *what);

// The model of GPUs (bench/gpu.h): of all that are known; beside what was measured on one of them, nothing on a CPU;
// the same as JSON, null where the device is none of them.
void cli_bench_gpu_table(base_text *text);
void cli_bench_gpu_compare(const bench_results *results, base_text *text);
json_t *cli_bench_gpu_json(const bench_results *results);

json_t *cli_bench_json(const bench_results *results);
void cli_bench_table(const bench_results *results, base_text *text);

// Adds one HTML page that needs no other file: roofline, scaling, stages, all rows, peers. Returns SHEAF_OK,
// SHEAF_ERR_MEMORY.
sheaf_status cli_bench_page(const bench_results *results, base_text *html);

// One row of cli_bench_json, read back; false when it is not one.
bool cli_bench_read_row(const json_t *json, bench_row *row);

// Compares results with those that were saved in a file, as lines of text; `slower` receives how many rows are. Returns
// SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status cli_bench_compare(const bench_results *results, const char *path, base_text *text, uint32_t *slower);

// Reads a JSON file; `key` names an array that it must have. Returns as cli_bench_compare.
sheaf_status cli_bench_load(const char *path, const char *key, json_t **root);

#endif
