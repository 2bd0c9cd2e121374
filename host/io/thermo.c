// thermo: the course of a run in figures: thermo.csv, one row per frame, and the plot of it.
#include "io/thermo.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "io/plot.h"

// One table makes the file's header, writes its rows and reads them.
typedef enum column_kind { COLUMN_REAL, COLUMN_COUNT64, COLUMN_COUNT32, COLUMN_TOTAL } column_kind;

typedef struct column {
    const char *name; // with its unit
    column_kind kind;
    size_t offset; // in sheaf_report
} column;

#define REAL(name, field)                                                                                              \
    {                                                                                                                  \
        name, COLUMN_REAL, offsetof(sheaf_report, field)                                                               \
    }
static const column columns[] = {
    REAL("time_s", time),
    {"step", COLUMN_COUNT64, offsetof(sheaf_report, step)},
    REAL("kinetic_J", kinetic),
    REAL("bending_J", bending),
    REAL("twisting_J", twisting),
    REAL("gravitational_J", gravitational),
    {"total_J", COLUMN_TOTAL, 0},
    REAL("worst_strain", worst_strain),
    REAL("newton", mean_newton),
    REAL("projections", mean_projections),
    REAL("twist_residual", twist_residual),
    {"frozen", COLUMN_COUNT32, offsetof(sheaf_report, frozen_strands)},
    {"unmet", COLUMN_COUNT32, offsetof(sheaf_report, unmet_strands)},
    REAL("squeeze_J", squeeze),
    REAL("filled_mean", filled_mean),
    REAL("filled_q99", filled_q99),
    REAL("pressure_max_Pa", pressure_max),
    REAL("wind_fraction", wind_fraction),
    {"contacts", COLUMN_COUNT32, offsetof(sheaf_report, contacts)},
    {"sweeps", COLUMN_COUNT32, offsetof(sheaf_report, sweeps)},
    REAL("worst_overlap", worst_overlap),
    REAL("mean_overlap", mean_overlap),
    {"pass_through", COLUMN_COUNT64, offsetof(sheaf_report, pass_through)},
    REAL("touch_force_N", touch_force),
};
#undef REAL
enum {
    COLUMN_COUNT = sizeof columns / sizeof columns[0],
    COLUMNS_LEAST = 12 // files of version 0.1 end with "frozen"
};

double io_total_energy(const sheaf_report *report)
{
    return report->kinetic + report->bending + report->twisting + report->gravitational + report->squeeze;
}

sheaf_status io_thermo_add(io_thermo *thermo, const sheaf_report *row)
{
    if (thermo->count == thermo->capacity) {
        const size_t capacity = 2 * thermo->capacity + 64;
        sheaf_report *grown = base_realloc(thermo->rows, capacity, sizeof *grown);
        if (grown == NULL)
            return SHEAF_ERR_MEMORY;
        thermo->rows = grown;
        thermo->capacity = capacity;
    }
    thermo->rows[thermo->count++] = *row;
    return SHEAF_OK;
}

void io_thermo_free(io_thermo *thermo)
{
    base_free(thermo->rows);
    *thermo = (io_thermo){0};
}

bool io_thermo_write_header(FILE *stream)
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        fprintf(stream, "%s%s", columns[k].name, k + 1 < COLUMN_COUNT ? "," : "\n");
    return fflush(stream) == 0;
}

static void write_field(FILE *stream, const column *c, const sheaf_report *row)
{
    const char *field = (const char *)row + c->offset;
    if (c->kind == COLUMN_REAL)
        fprintf(stream, "%.9g", *(const double *)(const void *)field);
    else if (c->kind == COLUMN_TOTAL)
        fprintf(stream, "%.9g", io_total_energy(row));
    else if (c->kind == COLUMN_COUNT64)
        fprintf(stream, "%llu", (unsigned long long)*(const uint64_t *)(const void *)field);
    else
        fprintf(stream, "%lu", (unsigned long)*(const uint32_t *)(const void *)field);
}

bool io_thermo_write_row(FILE *stream, const sheaf_report *row)
{
    for (int k = 0; k < COLUMN_COUNT; k++) {
        write_field(stream, &columns[k], row);
        fputc(k + 1 < COLUMN_COUNT ? ',' : '\n', stream);
    }
    return fflush(stream) == 0;
}

static bool read_count(const char *text, unsigned long long most, char **end, unsigned long long *value)
{
    errno = 0;
    *value = strtoull(text, end, 10);
    return *text >= '0' && *text <= '9' && errno == 0 && *value <= most;
}

// Reads one field that ends at `stop`; moves `cursor` past it.
static bool read_field(const column *c, char **cursor, char stop, sheaf_report *row)
{
    char *field = (char *)row + c->offset, *end = NULL;
    unsigned long long count = 0;
    double real = 0;
    if (c->kind == COLUMN_COUNT64 || c->kind == COLUMN_COUNT32) {
        if (!read_count(*cursor, c->kind == COLUMN_COUNT32 ? UINT32_MAX : UINT64_MAX, &end, &count))
            return false;
    } else {
        real = strtod(*cursor, &end);
        if (end == *cursor || !isfinite(real))
            return false;
    }
    if (*end != stop)
        return false;
    *cursor = end + 1;
    if (c->kind == COLUMN_REAL)
        *(double *)(void *)field = real;
    else if (c->kind == COLUMN_COUNT64)
        *(uint64_t *)(void *)field = count;
    else if (c->kind == COLUMN_COUNT32)
        *(uint32_t *)(void *)field = (uint32_t)count;
    return true;
}

// Bytes of the header line at `start`, or 0 when that is not one; sets how many columns it names.
static size_t header_length(const char *start, int *count)
{
    const char *cursor = start;
    for (int k = 0; k < COLUMN_COUNT; k++) {
        const size_t length = strlen(columns[k].name);
        if (strncmp(cursor, columns[k].name, length) != 0 || (cursor[length] != ',' && cursor[length] != '\n'))
            return 0;
        cursor += length + 1;
        *count = k + 1;
        if (cursor[-1] == '\n')
            return *count >= COLUMNS_LEAST ? (size_t)(cursor - start) : 0;
    }
    return 0;
}

bool io_thermo_recognise(const char *start)
{
    int count;
    return header_length(start, &count) > 0;
}

static bool read_row(char **cursor, int count, sheaf_report *row)
{
    for (int k = 0; k < count; k++)
        if (!read_field(&columns[k], cursor, k + 1 < count ? ',' : '\n', row))
            return false;
    return true;
}

static sheaf_status read_rows(char *cursor, int columns_read, io_thermo *thermo, char *problem, size_t size)
{
    while (*cursor != 0) {
        sheaf_report row = {0};
        if (!read_row(&cursor, columns_read, &row)) {
            snprintf(problem, size, "line %zu is damaged or cut short; %zu rows before it are good", thermo->count + 2,
                     thermo->count);
            return SHEAF_OK;
        }
        SHEAF_TRY(io_thermo_add(thermo, &row));
    }
    return SHEAF_OK;
}

sheaf_status io_thermo_parse(const base_text *text, const char *path, io_thermo *thermo, char *problem, size_t size)
{
    *thermo = (io_thermo){0};
    problem[0] = 0;
    int count = 0;
    const size_t header = header_length(base_text_get(text), &count);
    char shown[512];
    sheaf_status status;
    if (header == 0)
        status =
            base_fail(SHEAF_ERR_INPUT, "'%s' is not a thermo.csv: its first line must name the columns %s, %s, ...",
                      base_printable(path, shown, sizeof shown), columns[0].name, columns[1].name);
    else
        status = read_rows(text->bytes + header, count, thermo, problem, size);
    if (status != SHEAF_OK)
        io_thermo_free(thermo);
    return status;
}

sheaf_status io_thermo_read(const char *path, io_thermo *thermo, char *problem, size_t size)
{
    base_text text;
    *thermo = (io_thermo){0};
    SHEAF_TRY(io_file_read(path, IO_THERMO_LIMIT, &text));
    const sheaf_status status = io_thermo_parse(&text, path, thermo, problem, size);
    base_text_free(&text);
    return status;
}

bool io_thermo_has_all_columns(const base_text *text)
{
    int count;
    return header_length(base_text_get(text), &count) > 0 && count == COLUMN_COUNT;
}

size_t io_thermo_length(const base_text *text, size_t rows)
{
    int count;
    size_t length = header_length(base_text_get(text), &count);
    for (; rows > 0; rows--) {
        const char *end = memchr(text->bytes + length, '\n', text->length - length);
        if (end == NULL)
            break;
        length = (size_t)(end - text->bytes) + 1;
    }
    return length;
}

double *io_thermo_curves(const io_thermo *thermo)
{
    const size_t n = thermo->count;
    const sheaf_report *rows = thermo->rows;
    double *values = base_alloc(IO_CURVE_COUNT * n, sizeof *values);
    for (size_t k = 0; values != NULL && k < n; k++) {
        values[IO_CURVE_KINETIC * n + k] = rows[k].kinetic;
        values[IO_CURVE_BENDING * n + k] = rows[k].bending;
        values[IO_CURVE_TWISTING * n + k] = rows[k].twisting;
        values[IO_CURVE_GRAVITATIONAL * n + k] = rows[k].gravitational - rows[0].gravitational;
        values[IO_CURVE_TOTAL * n + k] = io_total_energy(&rows[k]) - io_total_energy(&rows[0]);
        values[IO_CURVE_STRAIN * n + k] = rows[k].worst_strain;
        values[IO_CURVE_RESIDUAL * n + k] = rows[k].twist_residual;
        values[IO_CURVE_NEWTON * n + k] = rows[k].mean_newton;
        values[IO_CURVE_PROJECTIONS * n + k] = rows[k].mean_projections;
        values[IO_CURVE_TIME * n + k] = rows[k].time;
    }
    return values;
}

sheaf_status io_thermo_plot(const io_thermo *thermo, const char *title, base_text *svg)
{
    const size_t n = thermo->count;
    double *values = io_thermo_curves(thermo);
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    const io_series energies[] = {
        {.name = "kinetic", .colour = "#d95f02", .y = values + IO_CURVE_KINETIC * n},
        {.name = "bending", .colour = "#1f78b4", .y = values + IO_CURVE_BENDING * n},
        {.name = "twisting", .colour = "#1b9e77", .y = values + IO_CURVE_TWISTING * n},
        {.name = "gravitational, from start", .colour = "#7570b3", .y = values + IO_CURVE_GRAVITATIONAL * n},
        {.name = "total, from start", .colour = "#333333", .dashed = true, .y = values + IO_CURVE_TOTAL * n},
    };
    const io_series strain = {
        .name = "worst stretch of an edge", .colour = "#c2185b", .y = values + IO_CURVE_STRAIN * n};
    const io_plot upper = {.title = title,
                           .x_label = "time (s)",
                           .y_label = "energy",
                           .y_unit = "J",
                           .x = values + IO_CURVE_TIME * n,
                           .count = n,
                           .series = energies,
                           .series_count = 5};
    const io_plot lower = {.title = "Strain: how far edges are from their rest length",
                           .x_label = "time (s)",
                           .y_label = "strain",
                           .logarithmic = true,
                           .x = values + IO_CURVE_TIME * n,
                           .count = n,
                           .series = &strain,
                           .series_count = 1};
    io_svg_open(svg, 960, 760, title);
    io_svg_rect(svg, 0, 0, 960, 760, "fill='#fff'");
    io_plot_draw(svg, &upper, &(io_frame){0, 8, 960, 450});
    io_plot_draw(svg, &lower, &(io_frame){0, 466, 960, 290});
    io_svg_close(svg);
    base_free(values);
    return base_text_status(svg);
}
