// verify: every stage of the engine, in every form and both schedules, against the reference on the same numbers.
#ifndef SHEAF_VERIFY_VERIFY_H
#define SHEAF_VERIFY_VERIFY_H

#include "base/base.h"

// Which figure of a row has to stay below the bar.
typedef enum verify_judged { VERIFY_MAX, VERIFY_P99, VERIFY_MEDIAN } verify_judged;

// One comparison. Errors are shares of the strand's own largest value or of its length; not-a-number counts as
// infinite.
typedef struct verify_row {
    const char *stage;    // as in verify_stages
    const char *quantity; // what of it
    const char *form;     // "float8"
    const char *schedule; // "staged", "fused"
    bool is_double;
    uint32_t strands;
    double max_error, p99_error, median_error;
    verify_judged judged;
    double bar;
    bool pass;
} verify_row;

typedef struct verify_options {
    uint32_t device;      // index in device_list
    uint32_t strands;     // per stage; 0: 1000
    uint32_t first;       // leaves out so many strands of the random population
    uint32_t vertex_most; // of a strand; 0: 40
    uint32_t steps;       // whole steps are compared after 1, 10, 100, 1000 of them, up to so many; 0: 100
    const char *stage;    // this one alone; NULL: all
    const char *form;     // this one alone; NULL: all the device has
    bool few_forms;       // one of each precision
    uint64_t seed;
    const char *staged_text, *fused_text; // kernels to verify instead of the embedded ones; NULL: those
} verify_options;

// Who is told; either function may end the verification by returning false.
typedef struct verify_hooks {
    bool (*row)(const verify_row *row, void *user);
    bool (*progress)(const char *form, const char *what, double share, void *user); // share: of all that is to be done
    void *user;
} verify_hooks;

typedef struct verify_summary {
    uint32_t passed, failed; // rows
} verify_summary;

// Names of all stages and of all forms, ended by NULL.
extern const char *const verify_stages[];
extern const char *const verify_forms[];

// SHEAF_OK also when rows failed. SHEAF_ERR_USAGE: no such stage or form; SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status verify_run(const verify_options *options, const verify_hooks *hooks, verify_summary *summary);

#endif
