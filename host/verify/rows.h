// rows: from single errors to rows of the table.
#ifndef SHEAF_VERIFY_ROWS_H
#define SHEAF_VERIFY_ROWS_H

#include "verify/verify.h"

// Lane width and precision of the kernels.
typedef struct verify_form {
    const char *name;
    uint32_t lane_width;
    bool is_double;
} verify_form;

enum { VERIFY_FORM_COUNT = 8 };
extern const verify_form verify_form_list[VERIFY_FORM_COUNT];

// A bar for both precisions.
typedef struct verify_bar {
    double single_bar, double_bar;
} verify_bar;

typedef struct verify_quantity {
    const char *name;
    verify_bar bar;
    verify_judged judged;
} verify_quantity;

// A row that is being filled.
typedef struct open_row {
    const char *stage;
    verify_quantity quantity;
    double *errors;
    size_t count, capacity;
    uint32_t strands;
    struct open_row *next;
} open_row;

// A verification under way.
struct verifier {
    const verify_options *options;
    const verify_hooks *hooks;
    verify_summary *summary;
    bool stopped;         // the caller wants no more
    bool has_fp64;        // the device
    uint32_t done, total; // pieces of work

    // now
    verify_form form;
    const char *schedule;
    open_row *rows; // in the order they were opened
};

// Whether rows of a stage, of a form are wanted; a form also has to be one the device can run.
bool verify_wants(const verifier *v, const char *stage);
bool verify_wants_form(const verifier *v, const verify_form *form);

// The next piece of work begins.
void verify_progress(verifier *v, const char *what);

// Adds one error, of a strand or of one of its vertices, to the row of this stage and quantity. Negative errors stand
// for "does not apply" and are left out.
sheaf_status rows_add(verifier *v, const char *stage, const verify_quantity *quantity, double error);

// Says how many strands the errors of a row are from, where that is not one each.
void rows_set_strands(verifier *v, const char *stage, const verify_quantity *quantity, uint32_t strands);

// Hands out all rows and forgets them: they are of the present form and schedule.
void rows_emit(verifier *v);
void rows_free(verifier *v);

#endif
