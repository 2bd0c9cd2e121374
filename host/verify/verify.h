// verify: what a method computes on a device, against its reference on the same numbers. Each method brings the rows
// (`verify` of its table); options, forms, statistics and verdicts are the same for all.
#ifndef SHEAF_VERIFY_VERIFY_H
#define SHEAF_VERIFY_VERIFY_H

#include "base/base.h"

// Which figure of a row has to stay below the bar.
typedef enum verify_judged { VERIFY_MAX, VERIFY_P99, VERIFY_MEDIAN } verify_judged;

// One comparison. Errors are shares of the strand's own largest value or of its length; not-a-number counts as
// infinite.
typedef struct verify_row {
    const char *stage;    // as in the method's stages
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

// A verification under way (verify/rows.h).
typedef struct verifier verifier;

// What a method has to verify.
typedef struct verify_part {
    const char *const *stages;           // names that no other method has, ended by NULL
    uint32_t (*work)(const verifier *v); // calls of verify_progress
    sheaf_status (*run)(verifier *v);    // makes the rows of all stages and forms that are wanted
} verify_part;

enum { VERIFY_STAGES_MAX = 96, VERIFY_VERTEX_MAX = 40 };

// Names of the stages of all methods, ended by NULL; there once verify_find_stages was called. Not thread safe.
extern const char *verify_stages[VERIFY_STAGES_MAX + 1];
void verify_find_stages(void);

// Names of all forms, ended by NULL.
extern const char *const verify_forms[];

// SHEAF_OK also when rows failed. SHEAF_ERR_USAGE: no such stage or form; SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status verify_run(const verify_options *options, const verify_hooks *hooks, verify_summary *summary);

#endif
