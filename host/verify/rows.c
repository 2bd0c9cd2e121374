// rows: from single errors to rows of the table.
#include "verify/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const verify_form verify_form_list[VERIFY_FORM_COUNT] = {
    {"float1", 1, false}, {"float4", 4, false}, {"float8", 8, false}, {"float16", 16, false},
    {"double1", 1, true}, {"double4", 4, true}, {"double8", 8, true}, {"double16", 16, true},
};

bool verify_wants(const verifier *v, const char *stage)
{
    return !v->stopped && (v->options->stage == NULL || strcmp(v->options->stage, stage) == 0);
}

bool verify_wants_form(const verifier *v, const verify_form *form)
{
    const char *name = v->options->form;
    const bool wanted = name ? strcmp(name, form->name) == 0 : !v->options->few_forms || form->lane_width == 4;
    return !v->stopped && wanted && (v->has_fp64 || !form->is_double);
}

void verify_progress(verifier *v, const char *what)
{
    const double share = v->total > 0 ? (double)v->done / v->total : 0;
    v->done++;
    if (v->hooks->progress != NULL && !v->hooks->progress(v->form.name, what, fmin(share, 1), v->hooks->user))
        v->stopped = true;
}

// ---- filling

static open_row *find_row(verifier *v, const char *stage, const verify_quantity *quantity)
{
    open_row *row = v->rows;
    while (row != NULL && (strcmp(row->stage, stage) != 0 || strcmp(row->quantity.name, quantity->name) != 0))
        row = row->next;
    return row;
}

static open_row *make_row(verifier *v, const char *stage, const verify_quantity *quantity)
{
    open_row *row = base_alloc(1, sizeof *row), **last = &v->rows;
    if (row == NULL)
        return NULL;
    *row = (open_row){.stage = stage, .quantity = *quantity};
    while (*last != NULL)
        last = &(*last)->next;
    *last = row;
    return row;
}

static sheaf_status grow(open_row *row)
{
    const size_t capacity = row->capacity > 0 ? 2 * row->capacity : 1024;
    double *errors = base_realloc(row->errors, capacity, sizeof *errors);
    if (errors == NULL)
        return SHEAF_ERR_MEMORY;
    row->errors = errors;
    row->capacity = capacity;
    return SHEAF_OK;
}

sheaf_status rows_add(verifier *v, const char *stage, const verify_quantity *quantity, double error)
{
    open_row *row = find_row(v, stage, quantity);
    if (error < 0)
        return SHEAF_OK;
    if (row == NULL)
        row = make_row(v, stage, quantity);
    if (row == NULL)
        return SHEAF_ERR_MEMORY;
    if (row->count == row->capacity)
        SHEAF_TRY(grow(row));
    row->errors[row->count++] = isnan(error) ? INFINITY : error;
    return SHEAF_OK;
}

void rows_set_strands(verifier *v, const char *stage, const verify_quantity *quantity, uint32_t strands)
{
    open_row *row = find_row(v, stage, quantity);
    if (row != NULL)
        row->strands = strands;
}

// ---- handing out

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

// The least error that a share of all errors does not exceed.
static double quantile(const open_row *row, double share)
{
    const double rank = ceil(share * (double)row->count);
    return row->errors[rank > 1 ? (size_t)rank - 1 : 0];
}

static verify_row judge(const verifier *v, open_row *open)
{
    const verify_quantity *quantity = &open->quantity;
    qsort(open->errors, open->count, sizeof *open->errors, compare_numbers);
    verify_row row = {.stage = open->stage,
                      .quantity = quantity->name,
                      .form = v->form.name,
                      .schedule = v->schedule,
                      .is_double = v->form.is_double,
                      .strands = open->strands > 0 ? open->strands : (uint32_t)open->count,
                      .max_error = quantile(open, 1),
                      .p99_error = quantile(open, 0.99),
                      .median_error = quantile(open, 0.5),
                      .judged = quantity->judged,
                      .bar = v->form.is_double ? quantity->bar.double_bar : quantity->bar.single_bar};
    const double figures[] = {
        [VERIFY_MAX] = row.max_error, [VERIFY_P99] = row.p99_error, [VERIFY_MEDIAN] = row.median_error};
    row.pass = figures[row.judged] <= row.bar;
    return row;
}

void rows_emit(verifier *v)
{
    for (open_row *open = v->rows; open != NULL && !v->stopped; open = open->next) {
        const verify_row row = judge(v, open);
        v->summary->passed += row.pass;
        v->summary->failed += !row.pass;
        v->stopped = !v->hooks->row(&row, v->hooks->user);
    }
    rows_free(v);
}

void rows_free(verifier *v)
{
    while (v->rows != NULL) {
        open_row *row = v->rows;
        v->rows = row->next;
        base_free(row->errors);
        base_free(row);
    }
}
