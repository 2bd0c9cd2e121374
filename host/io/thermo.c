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
};
#undef REAL
enum {
    COLUMN_COUNT = sizeof columns / sizeof columns[0],
    COLUMNS_LEAST = 12 // files of version 0.1 end with "frozen"
};

static double total_energy(const sheaf_report *report, const method_figure *figures, uint32_t count)
{
    double total = report->kinetic + report->bending + report->twisting + report->gravitational;
    for (uint32_t k = 0; k < count; k++)
        total += figures[k].is_energy ? figures[k].value : 0;
    return total;
}

// ---- rows in memory

static sheaf_status make_room(io_thermo *thermo)
{
    if (thermo->count < thermo->capacity)
        return SHEAF_OK;
    const size_t capacity = 2 * thermo->capacity + 64;
    sheaf_report *rows = base_realloc(thermo->rows, capacity, sizeof *rows);
    thermo->rows = rows != NULL ? rows : thermo->rows;
    double *totals = rows ? base_realloc(thermo->totals, capacity, sizeof *totals) : NULL;
    thermo->totals = totals != NULL ? totals : thermo->totals;
    double *figures =
        totals ? base_realloc(thermo->figures, capacity, (thermo->figure_count + 1) * sizeof *figures) : NULL;
    if (figures == NULL)
        return SHEAF_ERR_MEMORY;
    thermo->figures = figures;
    thermo->capacity = capacity;
    return SHEAF_OK;
}

static uint32_t find_name(const io_thermo *thermo, const char *name)
{
    uint32_t k = 0;
    while (k < thermo->figure_count && strcmp(thermo->names[k], name) != 0)
        k++;
    return k;
}

// The figures of all rows in another order.
static void reorder_figures(const io_thermo *thermo, const method_figure *figures, uint32_t count, double *to)
{
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t from = find_name(thermo, figures[k].name);
        for (size_t n = 0; n < thermo->count; n++)
            to[n * count + k] = from < thermo->figure_count ? thermo->figures[n * thermo->figure_count + from] : 0;
    }
}

sheaf_status io_thermo_name_figures(io_thermo *thermo, const method_figure *figures, uint32_t count)
{
    double *moved = base_alloc(thermo->capacity + 1, (count + 1) * sizeof *moved);
    if (moved == NULL)
        return SHEAF_ERR_MEMORY;
    reorder_figures(thermo, figures, count, moved);
    base_free(thermo->figures);
    thermo->figures = moved;
    thermo->figure_count = count;
    for (uint32_t k = 0; k < count; k++)
        snprintf(thermo->names[k], sizeof thermo->names[k], "%s", figures[k].name);
    return SHEAF_OK;
}

sheaf_status io_thermo_add(io_thermo *thermo, const sheaf_report *row, const method_figure *figures)
{
    SHEAF_TRY(make_room(thermo));
    thermo->rows[thermo->count] = *row;
    thermo->totals[thermo->count] = total_energy(row, figures, thermo->figure_count);
    for (uint32_t k = 0; k < thermo->figure_count; k++)
        thermo->figures[thermo->count * thermo->figure_count + k] = figures[k].value;
    thermo->count++;
    return SHEAF_OK;
}

void io_thermo_free(io_thermo *thermo)
{
    base_free(thermo->rows);
    base_free(thermo->totals);
    base_free(thermo->figures);
    *thermo = (io_thermo){0};
}

// ---- writing

bool io_thermo_write_header(FILE *stream, const io_thermo *thermo)
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        fprintf(stream, "%s%s", k > 0 ? "," : "", columns[k].name);
    for (uint32_t k = 0; k < thermo->figure_count; k++)
        fprintf(stream, ",%s", thermo->names[k]);
    fputc('\n', stream);
    return fflush(stream) == 0;
}

static void write_field(FILE *stream, const column *c, const sheaf_report *row, double total)
{
    const char *field = (const char *)row + c->offset;
    if (c->kind == COLUMN_REAL)
        fprintf(stream, "%.9g", *(const double *)(const void *)field);
    else if (c->kind == COLUMN_TOTAL)
        fprintf(stream, "%.9g", total);
    else if (c->kind == COLUMN_COUNT64)
        fprintf(stream, "%llu", (unsigned long long)*(const uint64_t *)(const void *)field);
    else
        fprintf(stream, "%lu", (unsigned long)*(const uint32_t *)(const void *)field);
}

bool io_thermo_write_row(FILE *stream, const io_thermo *thermo, size_t row)
{
    for (int k = 0; k < COLUMN_COUNT; k++) {
        if (k > 0)
            fputc(',', stream);
        write_field(stream, &columns[k], &thermo->rows[row], thermo->totals[row]);
    }
    for (uint32_t k = 0; k < thermo->figure_count; k++)
        fprintf(stream, ",%.9g", thermo->figures[row * thermo->figure_count + k]);
    fputc('\n', stream);
    return fflush(stream) == 0;
}

// ---- reading

static bool read_count(const char *text, unsigned long long most, char **end, unsigned long long *value)
{
    errno = 0;
    *value = strtoull(text, end, 10);
    return *text >= '0' && *text <= '9' && errno == 0 && *value <= most;
}

// Columns that a file's header names.
typedef struct header {
    size_t length;  // bytes of the line; 0: it is none
    int count;      // columns of all runs
    uint32_t extra; // figures after them
    io_figure_name names[IO_FIGURES_MOST];
} header;

static bool read_real(char **cursor, char stop, double *value)
{
    char *end = NULL;
    *value = strtod(*cursor, &end);
    if (end == *cursor || !isfinite(*value) || *end != stop)
        return false;
    *cursor = end + 1;
    return true;
}

// Reads one field that ends at `stop`; moves `cursor` past it.
static bool read_field(const column *c, char **cursor, char stop, sheaf_report *row, double *total)
{
    char *field = (char *)row + c->offset, *end = NULL;
    unsigned long long count = 0;
    if (c->kind == COLUMN_REAL || c->kind == COLUMN_TOTAL)
        return read_real(cursor, stop, c->kind == COLUMN_TOTAL ? total : (double *)(void *)field);
    if (!read_count(*cursor, c->kind == COLUMN_COUNT32 ? UINT32_MAX : UINT64_MAX, &end, &count) || *end != stop)
        return false;
    *cursor = end + 1;
    if (c->kind == COLUMN_COUNT64)
        *(uint64_t *)(void *)field = count;
    else
        *(uint32_t *)(void *)field = (uint32_t)count;
    return true;
}

// Names of figures up to the end of the line; the place after it, or NULL where one of them cannot be.
static const char *read_names(const char *cursor, header *found)
{
    for (;;) {
        const size_t length = strspn(cursor, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        if (length == 0 || length >= sizeof(io_figure_name) || found->extra == IO_FIGURES_MOST ||
            (cursor[length] != ',' && cursor[length] != '\n'))
            return NULL;
        memcpy(found->names[found->extra++], cursor, length);
        cursor += length + 1;
        if (cursor[-1] == '\n')
            return cursor;
    }
}

// The header line at `start`.
static header read_header(const char *start)
{
    header found = {0};
    const char *cursor = start;
    while (found.count < COLUMN_COUNT) {
        const char *name = columns[found.count].name;
        const size_t length = strlen(name);
        if (strncmp(cursor, name, length) != 0 || (cursor[length] != ',' && cursor[length] != '\n'))
            return found;
        cursor += length + 1;
        found.count++;
        if (cursor[-1] == '\n') {
            found.length = found.count >= COLUMNS_LEAST ? (size_t)(cursor - start) : 0;
            return found;
        }
    }
    cursor = read_names(cursor, &found);
    found.length = cursor != NULL ? (size_t)(cursor - start) : 0;
    return found;
}

bool io_thermo_recognise(const char *start)
{
    return read_header(start).length > 0;
}

// Reads a row behind those that are there, where there is room for it.
static bool read_row(char **cursor, const header *head, io_thermo *thermo)
{
    sheaf_report *row = &thermo->rows[thermo->count];
    double *figures = &thermo->figures[thermo->count * thermo->figure_count];
    const int last = head->count + (int)head->extra - 1;
    *row = (sheaf_report){0};
    for (int k = 0; k <= last; k++) {
        const char stop = k < last ? ',' : '\n';
        const bool good = k < head->count ? read_field(&columns[k], cursor, stop, row, &thermo->totals[thermo->count])
                                          : read_real(cursor, stop, &figures[k - head->count]);
        if (!good)
            return false;
    }
    return true;
}

static sheaf_status read_rows(char *cursor, const header *head, io_thermo *thermo, char *problem, size_t size)
{
    thermo->figure_count = head->extra;
    memcpy(thermo->names, head->names, sizeof thermo->names);
    for (; *cursor != 0; thermo->count++) {
        SHEAF_TRY(make_room(thermo));
        if (!read_row(&cursor, head, thermo)) {
            snprintf(problem, size, "line %zu is damaged or cut short; %zu rows before it are good", thermo->count + 2,
                     thermo->count);
            return SHEAF_OK;
        }
    }
    return SHEAF_OK;
}

sheaf_status io_thermo_parse(const base_text *text, const char *path, io_thermo *thermo, char *problem, size_t size)
{
    *thermo = (io_thermo){0};
    problem[0] = 0;
    const header head = read_header(base_text_get(text));
    char shown[512];
    sheaf_status status;
    if (head.length == 0)
        status =
            base_fail(SHEAF_ERR_INPUT, "'%s' is not a thermo.csv: its first line must name the columns %s, %s, ...",
                      base_printable(path, shown, sizeof shown), columns[0].name, columns[1].name);
    else
        status = read_rows(text->bytes + head.length, &head, thermo, problem, size);
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

bool io_thermo_has_columns(const base_text *text, const io_thermo *thermo)
{
    const header head = read_header(base_text_get(text));
    bool same = head.length > 0 && head.count == COLUMN_COUNT && head.extra == thermo->figure_count;
    for (uint32_t k = 0; same && k < head.extra; k++)
        same = strcmp(head.names[k], thermo->names[k]) == 0;
    return same;
}

size_t io_thermo_length(const base_text *text, size_t rows)
{
    size_t length = read_header(base_text_get(text)).length;
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
        values[IO_CURVE_TOTAL * n + k] = thermo->totals[k] - thermo->totals[0];
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
