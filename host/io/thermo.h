// thermo: the course of a run in figures: thermo.csv, one row per frame, and the plot of it.
#ifndef SHEAF_IO_THERMO_H
#define SHEAF_IO_THERMO_H

#include "base/text.h"
#include "method/method.h"

#include <stdio.h>

enum { IO_FIGURES_MOST = METHOD_PARTS_MAX * METHOD_FIGURES_MAX };

typedef char io_figure_name[32];

// Rows, in memory. All zero: there are none, and no figures beyond the report.
typedef struct io_thermo {
    sheaf_report *rows; // [count]
    double *totals;     // [count] J, all energies summed
    double *figures;    // [count][figure_count] beyond the report
    io_figure_name names[IO_FIGURES_MOST];
    uint32_t figure_count;
    size_t count;
    size_t capacity;
} io_thermo;

// Says which figures beyond the report rows have. Rows that are there keep those of the same name, and get 0 for
// others.
sheaf_status io_thermo_name_figures(io_thermo *thermo, const method_figure *figures, uint32_t count);

// Adds a row; `figures` [figure_count] are those that were named, in that order.
sheaf_status io_thermo_add(io_thermo *thermo, const sheaf_report *row, const method_figure *figures);
void io_thermo_free(io_thermo *thermo);

// Writes the header line (names with units: those of all runs, then figures that rows have), or one row, and hands it
// to the system at once; false when that failed (errno).
bool io_thermo_write_header(FILE *stream, const io_thermo *thermo);
bool io_thermo_write_row(FILE *stream, const io_thermo *thermo, size_t row);

enum { IO_THERMO_LIMIT = 1 << 30 }; // bytes of a file that is read

// Whether a file starts as a thermo.csv does.
bool io_thermo_recognise(const char *start);

// Rows of a file's text, with the messages of io_thermo_read. Columns after those of all runs are figures, whatever
// their names.
sheaf_status io_thermo_parse(const base_text *text, const char *path, io_thermo *thermo, char *problem, size_t size);

// Whether a file's text names just the columns that these rows are written with; files of version 0.1 lack some.
bool io_thermo_has_columns(const base_text *text, const io_thermo *thermo);

// Bytes of the header and the first `rows` rows of a file's text; all of it when there are not so many.
size_t io_thermo_length(const base_text *text, size_t rows);

// Reads what io_thermo_write_* wrote. Rows up to the first bad one are kept; `problem` (size bytes) says what is wrong
// with the rest, or is empty. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT (not such a file), SHEAF_ERR_LIMIT,
// SHEAF_ERR_MEMORY.
sheaf_status io_thermo_read(const char *path, io_thermo *thermo, char *problem, size_t size);

// What is drawn over time. Where an energy's zero is arbitrary it is the change since the start.
typedef enum io_curve {
    IO_CURVE_KINETIC,
    IO_CURVE_BENDING,
    IO_CURVE_TWISTING,
    IO_CURVE_GRAVITATIONAL,
    IO_CURVE_TOTAL,
    IO_CURVE_STRAIN,
    IO_CURVE_RESIDUAL,
    IO_CURVE_NEWTON,
    IO_CURVE_PROJECTIONS,
    IO_CURVE_TIME,
    IO_CURVE_COUNT
} io_curve;

// All curves, [curve][row], to be freed by base_free; NULL when there is no memory.
double *io_thermo_curves(const io_thermo *thermo);

// Energies and strain over time as one SVG.
sheaf_status io_thermo_plot(const io_thermo *thermo, const char *title, base_text *svg);

#endif
