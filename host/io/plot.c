// plot: curves, dots and maps of colours between two axes, with ticks, labels and a legend, as part of an SVG.
#include "io/plot.h"

#include <math.h>
#include <stdio.h>

enum { MOST_POINTS = 1500, MOST_TICKS = 40 }; // more points of a curve cannot be seen

#define TEXT_STYLE "fill='#333' font-size='13'"
#define GRID_STYLE "stroke='#e3e6ea' fill='none'"
#define AXIS_STYLE "stroke='#8a919a' fill='none'"

static const double margin_left = 78, margin_right = 18, margin_top = 58, margin_bottom = 48; // px
static const double legend_line = 18, scale_width = 92;                                       // px

typedef struct axis {
    double low, high; // in shown units; exponents of ten when logarithmic
    double step;      // between ticks
    double from, to;  // px
    bool logarithmic;
    bool fine; // ticks at 1, 2 and 5 times powers of ten
} axis;

typedef struct canvas {
    base_text *svg;
    const io_plot *plot;
    axis x, y;
    double scale; // shown y = scale * y
    const char *prefix;
} canvas;

double io_tick_step(double range, uint32_t most)
{
    const double least = range / most, power = pow(10, floor(log10(least)));
    static const double steps[] = {1, 2, 5, 10};
    for (int k = 0; k < 4; k++)
        if (steps[k] * power >= least * (1 - 1e-12))
            return steps[k] * power;
    return 10 * power;
}

static double to_pixel(const axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static bool shown_value(const axis *a, double scale, double raw, double *value)
{
    if (!isfinite(raw) || (a->logarithmic && raw <= 0))
        return false;
    *value = a->logarithmic ? log10(raw) : scale * raw;
    return true;
}

// ---- points of series

static size_t point_count(const canvas *c, const io_series *series)
{
    return series->x != NULL ? series->count : c->plot->count;
}

static bool shown_point(const canvas *c, const io_series *series, size_t k, double value[2])
{
    const double *x = series->x != NULL ? series->x : c->plot->x;
    return shown_value(&c->x, 1, x[k], &value[0]) && shown_value(&c->y, c->scale, series->y[k], &value[1]);
}

static bool place_point(const canvas *c, const io_series *series, size_t k, double pixel[2])
{
    double value[2];
    if (!shown_point(c, series, k, value))
        return false;
    const double slack_x = 1e-9 * (c->x.high - c->x.low), slack_y = 1e-9 * (c->y.high - c->y.low);
    if (value[0] < c->x.low - slack_x || value[0] > c->x.high + slack_x || value[1] < c->y.low - slack_y ||
        value[1] > c->y.high + slack_y)
        return false;
    pixel[0] = to_pixel(&c->x, value[0]);
    pixel[1] = to_pixel(&c->y, value[1]);
    return true;
}

// ---- axes

static void widen(double range[2], double value)
{
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

// Least and largest shown value of everything along both axes; false when there is nothing.
static bool data_range(const canvas *c, double x[2], double y[2])
{
    x[0] = y[0] = INFINITY;
    x[1] = y[1] = -INFINITY;
    for (size_t s = 0; s < c->plot->series_count; s++)
        for (size_t k = 0; k < point_count(c, &c->plot->series[s]); k++) {
            double value[2];
            if (!shown_point(c, &c->plot->series[s], k, value))
                continue;
            widen(x, value[0]);
            widen(y, value[1]);
        }
    for (int end = 0; c->plot->cells != NULL && end < 2; end++) {
        double value;
        if (shown_value(&c->x, 1, c->plot->cells->x[end], &value))
            widen(x, value);
        if (shown_value(&c->y, 1, c->plot->cells->y[end], &value))
            widen(y, value);
    }
    return x[0] <= x[1];
}

// Widens the range to whole steps; a curve that is constant still gets an axis.
static void round_axis(axis *a, double low, double high, uint32_t most)
{
    const double span = fmax(high - low, fmax(fabs(high), fabs(low)) * 1e-9);
    if (high - low < span || span == 0) {
        const double half = span > 0 ? fabs(high) / 2 : 0.5;
        low -= half;
        high += half;
    }
    a->step = io_tick_step(high - low, most);
    a->low = floor(low / a->step + 1e-9) * a->step;
    a->high = ceil(high / a->step - 1e-9) * a->step;
}

// A range that the caller has set, or one that holds the data and a little more.
static void fit_axis(axis *a, double low, double high, const double wish[2], uint32_t most)
{
    const bool wished = wish[0] != 0 || wish[1] != 0;
    if (wished) {
        low = a->logarithmic ? log10(wish[0]) : wish[0];
        high = a->logarithmic ? log10(wish[1]) : wish[1];
    } else if (a->logarithmic) {
        low -= 0.06;
        high += 0.06;
    }
    a->low = low;
    a->high = high > low ? high : low + 1;
    a->fine = a->logarithmic && a->high - a->low < 2.5;
    a->step = a->logarithmic ? fmax(ceil((a->high - a->low) / most), 1) : io_tick_step(a->high - a->low, most);
}

static void set_y_axis(canvas *c, double low, double high)
{
    const io_plot *plot = c->plot;
    if (plot->cells != NULL || plot->y_range[0] != 0 || plot->y_range[1] != 0) {
        fit_axis(&c->y, low, high, plot->y_range, 6);
    } else if (plot->logarithmic) {
        c->y.low = floor(low);
        c->y.high = fmax(ceil(high), floor(low) + 1);
        c->y.step = fmax(ceil((c->y.high - c->y.low) / 6), 1);
    } else {
        if (plot->y_unit != NULL && plot->y_unit[0] != 0)
            c->scale = pow(10, -base_si_exponent(fmax(fabs(low), fabs(high)), &c->prefix));
        round_axis(&c->y, fmin(low * c->scale, 0), fmax(high * c->scale, 0), 6);
    }
}

static size_t legend_lines(const canvas *c, const io_frame *frame);

static void set_axes(canvas *c, const io_frame *frame)
{
    const io_plot *plot = c->plot;
    double x[2], y[2];
    c->scale = 1;
    c->prefix = "";
    c->x.logarithmic = plot->x_logarithmic;
    c->y.logarithmic = plot->logarithmic;
    if (!data_range(c, x, y)) {
        x[0] = plot->count > 0 && plot->x != NULL && !plot->x_logarithmic ? plot->x[0] : 0;
        x[1] = plot->count > 0 && plot->x != NULL && !plot->x_logarithmic ? plot->x[plot->count - 1] : 1;
        y[0] = plot->logarithmic ? -1 : 0;
        y[1] = plot->logarithmic ? 0 : 1;
    }
    fit_axis(&c->x, x[0], x[1], plot->x_range, 8);
    set_y_axis(c, y[0], y[1]);
    c->x.from = frame->x + margin_left;
    c->x.to = frame->x + frame->width - margin_right - (plot->cells != NULL ? scale_width : 0);
    c->y.from = frame->y + frame->height - margin_bottom;
    c->y.to = frame->y + margin_top + legend_line * ((double)legend_lines(c, frame) - 1);
}

// Where ticks are, in shown units; returns how many.
static size_t list_ticks(const axis *a, double ticks[MOST_TICKS])
{
    static const double fine[] = {1, 2, 5};
    size_t count = 0;
    if (a->fine) {
        for (int64_t decade = (int64_t)floor(a->low); decade <= (int64_t)ceil(a->high); decade++)
            for (int k = 0; k < 3 && count < MOST_TICKS; k++) {
                const double value = (double)decade + log10(fine[k]);
                if (value >= a->low - 1e-9 && value <= a->high + 1e-9)
                    ticks[count++] = value;
            }
        return count;
    }
    const int64_t first = (int64_t)ceil(a->low / a->step - 1e-9), last = (int64_t)floor(a->high / a->step + 1e-9);
    for (int64_t k = first; k <= last && count < MOST_TICKS; k++)
        ticks[count++] = (double)k * a->step;
    return count;
}

static void format_tick(const axis *a, double tick, char *label, size_t size)
{
    if (a->logarithmic && !a->fine)
        snprintf(label, size, "1e%.0f", tick);
    else
        snprintf(label, size, "%.6g", a->logarithmic ? pow(10, tick) : tick);
}

static void draw_y_ticks(const canvas *c)
{
    double ticks[MOST_TICKS];
    const size_t count = list_ticks(&c->y, ticks);
    for (size_t k = 0; k < count; k++) {
        const double pixel = to_pixel(&c->y, ticks[k]);
        char label[32];
        format_tick(&c->y, ticks[k], label, sizeof label);
        io_svg_line(c->svg, c->x.from, pixel, c->x.to, pixel,
                    ticks[k] == 0 && !c->y.logarithmic ? AXIS_STYLE : GRID_STYLE);
        io_svg_label(c->svg, c->x.from - 8, pixel + 4.5, TEXT_STYLE " text-anchor='end'", label);
    }
}

static void draw_x_ticks(const canvas *c)
{
    double ticks[MOST_TICKS];
    const size_t count = list_ticks(&c->x, ticks);
    for (size_t k = 0; k < count; k++) {
        const double pixel = to_pixel(&c->x, ticks[k]);
        char label[32];
        format_tick(&c->x, ticks[k], label, sizeof label);
        io_svg_line(c->svg, pixel, c->y.from, pixel, c->y.to, GRID_STYLE);
        io_svg_line(c->svg, pixel, c->y.from, pixel, c->y.from + 5, AXIS_STYLE);
        io_svg_label(c->svg, pixel, c->y.from + 20, TEXT_STYLE " text-anchor='middle'", label);
    }
    io_svg_line(c->svg, c->x.from, c->y.from, c->x.to, c->y.from, AXIS_STYLE);
}

static void draw_turned(const canvas *c, double x, double y, const char *label)
{
    char style[160];
    snprintf(style, sizeof style, TEXT_STYLE " text-anchor='middle' transform='rotate(-90 %.0f %.0f)'", x, y);
    io_svg_label(c->svg, x, y, style, label);
}

static void draw_labels(const canvas *c, const io_frame *frame)
{
    const io_plot *plot = c->plot;
    char label[128];
    if (plot->y_unit != NULL && plot->y_unit[0] != 0)
        snprintf(label, sizeof label, "%s (%s%s)", plot->y_label, c->prefix, plot->y_unit);
    else
        snprintf(label, sizeof label, "%s", plot->y_label);
    draw_turned(c, frame->x + 20, (c->y.from + c->y.to) / 2, label);
    io_svg_label(c->svg, (c->x.from + c->x.to) / 2, c->y.from + 40, TEXT_STYLE " text-anchor='middle'", plot->x_label);
    io_svg_label(c->svg, c->x.from, frame->y + 22, "fill='#111' font-size='16' font-weight='bold'", plot->title);
}

// ---- legend

static double entry_width(const io_series *series)
{
    double letters = 0;
    for (const char *letter = series->name; *letter; letter++)
        letters += (*letter & 0xc0) != 0x80;
    return 28 + 6.6 * letters + 22; // 6.6 px: the mean width of a letter at this size
}

// Whether the next entry of the legend begins a new line.
static bool breaks_line(const io_series *series, const io_frame *frame, double x)
{
    return x > frame->x + margin_left && x + entry_width(series) > frame->x + frame->width - margin_right + 22;
}

static size_t legend_lines(const canvas *c, const io_frame *frame)
{
    const double left = frame->x + margin_left;
    double x = left;
    size_t lines = 1;
    for (size_t s = 0; s < c->plot->series_count; s++) {
        const io_series *series = &c->plot->series[s];
        if (series->name[0] == 0)
            continue;
        if (breaks_line(series, frame, x)) {
            lines++;
            x = left;
        }
        x += entry_width(series);
    }
    return lines;
}

static void curve_style(const io_series *series, char *style, size_t size)
{
    snprintf(style, size, "fill='none' stroke='%s' stroke-width='2' stroke-linejoin='round'%s", series->colour,
             series->dashed ? " stroke-dasharray='6 4'" : "");
}

static void dot_style(const io_series *series, char *style, size_t size)
{
    snprintf(style, size, "fill='%s' stroke='#fff' stroke-width='0.6'", series->colour);
}

// Many dots are small ones.
static double dot_radius(size_t count)
{
    return count <= 40 ? 4 : count <= 400 ? 3.2 : 2.6;
}

// Names over the plot, each after a sample of its line or dots.
static void draw_legend(const canvas *c, const io_frame *frame)
{
    double x = c->x.from, y = frame->y + 44;
    for (size_t s = 0; s < c->plot->series_count; s++) {
        const io_series *series = &c->plot->series[s];
        char style[160];
        if (series->name[0] == 0)
            continue;
        if (breaks_line(series, frame, x)) {
            x = c->x.from;
            y += legend_line;
        }
        curve_style(series, style, sizeof style);
        if (series->mark != IO_MARK_DOTS)
            io_svg_line(c->svg, x, y - 4.5, x + 22, y - 4.5, style);
        dot_style(series, style, sizeof style);
        if (series->mark != IO_MARK_LINE)
            io_svg_circle(c->svg, x + 11, y - 4.5, 4, style);
        io_svg_label(c->svg, x + 28, y, TEXT_STYLE, series->name);
        x += entry_width(series);
    }
}

// ---- curves and dots

// Draws a stretch of a curve without gaps, thinned to what can be seen. Returns the index after the stretch.
static size_t draw_stretch(const canvas *c, const io_series *series, size_t start, const char *style)
{
    double points[MOST_POINTS + 2][2], pixel[2];
    const size_t total = point_count(c, series), stride = total / MOST_POINTS + 1;
    size_t count = 0, k = start;
    while (k < total && place_point(c, series, k, pixel)) {
        if ((k - start) % stride == 0 || k + 1 == total) {
            points[count][0] = pixel[0];
            points[count][1] = pixel[1];
            count++;
        }
        k++;
    }
    if (count == 1)
        io_svg_circle(c->svg, points[0][0], points[0][1], 1.5, style);
    else if (count > 1)
        io_svg_polyline(c->svg, (const double(*)[2])points, count, false, style);
    return k;
}

static void draw_curve(const canvas *c, const io_series *series)
{
    char style[160];
    double pixel[2];
    curve_style(series, style, sizeof style);
    for (size_t k = 0; k < point_count(c, series);)
        k = place_point(c, series, k, pixel) ? draw_stretch(c, series, k, style) : k + 1;
}

static void draw_dots(const canvas *c, const io_series *series)
{
    char style[160];
    double pixel[2];
    dot_style(series, style, sizeof style);
    for (size_t k = 0; k < point_count(c, series); k++)
        if (place_point(c, series, k, pixel))
            io_svg_circle(c->svg, pixel[0], pixel[1], dot_radius(point_count(c, series)), style);
}

// ---- maps

// From dark blue over green to yellow, so that brightness alone orders the values.
static void scale_style(double share, char *style, size_t size)
{
    static const double stops[5][3] = {{56, 20, 86}, {52, 84, 139}, {33, 145, 140}, {112, 200, 92}, {250, 226, 60}};
    const double place = 4 * fmin(fmax(share, 0), 1);
    const int stop = place < 4 ? (int)place : 3;
    int rgb[3];
    for (int k = 0; k < 3; k++)
        rgb[k] = (int)lrint(stops[stop][k] + (place - stop) * (stops[stop + 1][k] - stops[stop][k]));
    snprintf(style, size, "fill='#%02x%02x%02x'", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static double cell_edge(const axis *a, const double range[2], size_t k, size_t count)
{
    const double raw = range[0] + (range[1] - range[0]) * (double)k / (double)count;
    return to_pixel(a, a->logarithmic ? log10(range[0]) + log10(range[1] / range[0]) * (double)k / (double)count : raw);
}

static void draw_cells(const canvas *c)
{
    const io_cells *cells = c->plot->cells;
    for (size_t row = 0; row < cells->rows; row++)
        for (size_t column = 0; column < cells->columns; column++) {
            const double value = cells->values[row * cells->columns + column];
            const double left = cell_edge(&c->x, cells->x, column, cells->columns);
            const double right = cell_edge(&c->x, cells->x, column + 1, cells->columns);
            const double bottom = cell_edge(&c->y, cells->y, row, cells->rows);
            const double top = cell_edge(&c->y, cells->y, row + 1, cells->rows);
            char style[32] = "fill='#c8ccd2'";
            if (isfinite(value))
                scale_style((value - cells->low) / (cells->high - cells->low), style, sizeof style);
            io_svg_rect(c->svg, left, top, right - left + 0.4, bottom - top + 0.4, style); // overlapping: no seams
        }
}

static void draw_scale(const canvas *c)
{
    enum { PARTS = 48 };
    const io_cells *cells = c->plot->cells;
    const double left = c->x.to + 16, width = 14, height = (c->y.from - c->y.to) / PARTS;
    for (int k = 0; k < PARTS; k++) {
        char style[32];
        scale_style((k + 0.5) / PARTS, style, sizeof style);
        io_svg_rect(c->svg, left, c->y.from - (k + 1) * height, width, height + 0.4, style);
    }
    for (int k = 0; k <= 4; k++) {
        char label[32];
        snprintf(label, sizeof label, "%.2g", cells->low + (cells->high - cells->low) * k / 4);
        io_svg_label(c->svg, left + width + 5, c->y.from - PARTS * height * k / 4 + 4.5, TEXT_STYLE, label);
    }
    draw_turned(c, left + width + 66, (c->y.from + c->y.to) / 2, cells->label);
}

void io_plot_draw(base_text *svg, const io_plot *plot, const io_frame *frame)
{
    canvas c = {.svg = svg, .plot = plot};
    set_axes(&c, frame);
    draw_y_ticks(&c);
    draw_x_ticks(&c);
    if (plot->cells != NULL)
        draw_cells(&c); // over the lines of the ticks
    draw_labels(&c, frame);
    for (size_t s = 0; s < plot->series_count; s++) {
        if (plot->series[s].mark != IO_MARK_DOTS)
            draw_curve(&c, &plot->series[s]);
        if (plot->series[s].mark != IO_MARK_LINE)
            draw_dots(&c, &plot->series[s]);
    }
    draw_legend(&c, frame);
    if (plot->cells != NULL)
        draw_scale(&c);
}
