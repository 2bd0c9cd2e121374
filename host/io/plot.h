// plot: curves, dots and maps of colours between two axes, with ticks, labels and a legend, as part of an SVG.
#ifndef SHEAF_IO_PLOT_H
#define SHEAF_IO_PLOT_H

#include "io/svg.h"

typedef enum io_mark { IO_MARK_LINE, IO_MARK_DOTS, IO_MARK_BOTH } io_mark;

// One curve, or a cloud of dots. Points that are not finite, not positive on a logarithmic axis, or off the axes are
// left out.
typedef struct io_series {
    const char *name;   // "": not in the legend
    const char *colour; // as "#1b9e77"
    bool dashed;
    io_mark mark;
    const double *x; // [count]; NULL: those of the plot, as many as there
    const double *y; // [count]
    size_t count;    // with x only
} io_series;

// Values shown as colours, the cells of a grid that fills a rectangle.
typedef struct io_cells {
    size_t columns, rows;
    const double *values; // [row][column]; what is not finite stays grey
    double x[2], y[2];    // outer edges
    double low, high;     // values at the ends of the scale
    const char *label;    // of the scale
} io_cells;

typedef struct io_plot {
    const char *title;
    const char *x_label;
    const char *y_label;   // without a unit; the unit is added with a prefix that suits the values
    const char *y_unit;    // as "J"; "" or NULL for pure numbers
    bool logarithmic;      // y axis
    bool x_logarithmic;    // x axis
    double x_range[2];     // both 0: from the data
    double y_range[2];     // both 0: from the data and, on an even axis, 0
    const double *x;       // [count]; NULL: every series has its own
    size_t count;          //
    const io_cells *cells; // under the curves, or NULL
    const io_series *series;
    size_t series_count;
} io_plot;

// Where a plot goes in its picture, in pixels, with room for title, labels and legend.
typedef struct io_frame {
    double x, y, width, height;
} io_frame;

void io_plot_draw(base_text *svg, const io_plot *plot, const io_frame *frame);

// A round distance between ticks, 1, 2 or 5 times a power of ten, that divides `range` into at most `most` parts.
double io_tick_step(double range, uint32_t most);

#endif
