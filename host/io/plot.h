// plot: curves over a common axis, with axes, ticks, labels and a legend, as part of an SVG.
#ifndef SHEAF_IO_PLOT_H
#define SHEAF_IO_PLOT_H

#include "io/svg.h"

// One curve. Points with a value that is not finite, or not positive on a logarithmic axis, are left out.
typedef struct io_series {
    const char *name;
    const char *colour; // as "#1b9e77"
    bool dashed;
    const double *y; // [count of the plot]
} io_series;

typedef struct io_plot {
    const char *title;
    const char *x_label;
    const char *y_label; // without a unit; the unit is added with a prefix that suits the values
    const char *y_unit;  // as "J"; "" for pure numbers
    bool logarithmic;    // y axis
    const double *x;     // [count]
    size_t count;
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

// A power of ten (-15 to 12, a multiple of 3) that brings `largest` between 1 and 1000, and its prefix ("k", "m",
// "\u00b5").
int io_si_exponent(double largest, const char **prefix);

#endif
