// plot: curves over a common axis, with axes, ticks, labels and a legend, as part of an SVG.
#include "io/plot.h"

#include <math.h>
#include <stdio.h>

enum { MOST_POINTS = 1500 }; // per curve; more cannot be seen

#define TEXT_STYLE "fill='#333' font-size='13'"
#define GRID_STYLE "stroke='#e3e6ea' fill='none'"
#define AXIS_STYLE "stroke='#8a919a' fill='none'"

static const double margin_left = 78, margin_right = 18, margin_top = 58, margin_bottom = 48; // px

typedef struct axis {
    double low, high; // in shown units; exponents of ten when logarithmic
    double step;
    double from, to; // px
} axis;

typedef struct canvas {
    base_text *svg;
    const io_plot *plot;
    axis x, y;
    double scale; // shown y = scale * y
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

int io_si_exponent(double largest, const char **prefix)
{
    static const char *const prefixes[] = {"f", "p", "n", "\xc2\xb5", "m", "", "k", "M", "G", "T"};
    const double thousands = largest > 0 && isfinite(largest) ? floor(log10(largest * 1.0000001) / 3) : 0;
    const int index = (int)fmin(fmax(thousands + 5, 0), 9);
    *prefix = prefixes[index];
    return 3 * (index - 5);
}

static double to_pixel(const axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static bool shown_value(const canvas *c, double y, double *value)
{
    if (!isfinite(y) || (c->plot->logarithmic && y <= 0))
        return false;
    *value = c->plot->logarithmic ? log10(y) : c->scale * y;
    return true;
}

// Least and largest shown value of all curves; false when there is none.
static bool value_range(const canvas *c, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t s = 0; s < c->plot->series_count; s++)
        for (size_t k = 0; k < c->plot->count; k++) {
            double value;
            if (!shown_value(c, c->plot->series[s].y[k], &value))
                continue;
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    return *low <= *high;
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

static void set_axes(canvas *c, const io_frame *frame, const char **prefix)
{
    const io_plot *plot = c->plot;
    double low = 0, high = 1;
    *prefix = "";
    c->scale = 1;
    if (!value_range(c, &low, &high))
        low = plot->logarithmic ? -1 : 0, high = plot->logarithmic ? 0 : 1;
    if (plot->logarithmic) {
        c->y = (axis){.low = floor(low), .high = fmax(ceil(high), floor(low) + 1)};
        c->y.step = fmax(ceil((c->y.high - c->y.low) / 6), 1);
    } else {
        if (plot->y_unit[0] != 0)
            c->scale = pow(10, -io_si_exponent(fmax(fabs(low), fabs(high)), prefix));
        round_axis(&c->y, fmin(low * c->scale, 0), fmax(high * c->scale, 0), 6);
    }
    const double first = plot->count > 0 ? plot->x[0] : 0, last = plot->count > 0 ? plot->x[plot->count - 1] : 1;
    c->x = (axis){.low = first, .high = last > first ? last : first + 1};
    c->x.step = io_tick_step(c->x.high - c->x.low, 8);
    c->x.from = frame->x + margin_left;
    c->x.to = frame->x + frame->width - margin_right;
    c->y.from = frame->y + frame->height - margin_bottom;
    c->y.to = frame->y + margin_top;
}

// Ticks are whole multiples of the step.
static int64_t first_tick(const axis *a)
{
    return (int64_t)ceil(a->low / a->step - 1e-9);
}

static int64_t last_tick(const axis *a)
{
    return (int64_t)floor(a->high / a->step + 1e-9);
}

static void draw_y_ticks(const canvas *c)
{
    for (int64_t k = first_tick(&c->y); k <= last_tick(&c->y); k++) {
        const double value = (double)k * c->y.step, pixel = to_pixel(&c->y, value);
        char label[32];
        if (c->plot->logarithmic)
            snprintf(label, sizeof label, "1e%.0f", value);
        else
            snprintf(label, sizeof label, "%.6g", value);
        io_svg_line(c->svg, c->x.from, pixel, c->x.to, pixel, k == 0 ? AXIS_STYLE : GRID_STYLE);
        io_svg_label(c->svg, c->x.from - 8, pixel + 4.5, TEXT_STYLE " text-anchor='end'", label);
    }
}

static void draw_x_ticks(const canvas *c)
{
    for (int64_t k = first_tick(&c->x); k <= last_tick(&c->x); k++) {
        const double value = (double)k * c->x.step, pixel = to_pixel(&c->x, value);
        char label[32];
        snprintf(label, sizeof label, "%.6g", value);
        io_svg_line(c->svg, pixel, c->y.from, pixel, c->y.to, GRID_STYLE);
        io_svg_line(c->svg, pixel, c->y.from, pixel, c->y.from + 5, AXIS_STYLE);
        io_svg_label(c->svg, pixel, c->y.from + 20, TEXT_STYLE " text-anchor='middle'", label);
    }
    io_svg_line(c->svg, c->x.from, c->y.from, c->x.to, c->y.from, AXIS_STYLE);
}

static void draw_labels(const canvas *c, const io_frame *frame, const char *prefix)
{
    const io_plot *plot = c->plot;
    char label[128], style[160];
    if (plot->y_unit[0] != 0)
        snprintf(label, sizeof label, "%s (%s%s)", plot->y_label, prefix, plot->y_unit);
    else
        snprintf(label, sizeof label, "%s", plot->y_label);
    const double x = frame->x + 20, y = (c->y.from + c->y.to) / 2;
    snprintf(style, sizeof style, TEXT_STYLE " text-anchor='middle' transform='rotate(-90 %.0f %.0f)'", x, y);
    io_svg_label(c->svg, x, y, style, label);
    io_svg_label(c->svg, (c->x.from + c->x.to) / 2, c->y.from + 40, TEXT_STYLE " text-anchor='middle'", plot->x_label);
    io_svg_label(c->svg, c->x.from, frame->y + 22, "fill='#111' font-size='16' font-weight='bold'", plot->title);
}

static void curve_style(const io_series *series, char *style, size_t size)
{
    snprintf(style, size, "fill='none' stroke='%s' stroke-width='2' stroke-linejoin='round'%s", series->colour,
             series->dashed ? " stroke-dasharray='6 4'" : "");
}

// Names over the plot, each after a sample of its line.
static void draw_legend(const canvas *c, const io_frame *frame)
{
    double x = c->x.from;
    const double y = frame->y + 44;
    for (size_t s = 0; s < c->plot->series_count; s++) {
        const io_series *series = &c->plot->series[s];
        char style[160];
        curve_style(series, style, sizeof style);
        io_svg_line(c->svg, x, y - 4.5, x + 22, y - 4.5, style);
        io_svg_label(c->svg, x + 28, y, TEXT_STYLE, series->name);
        double letters = 0;
        for (const char *letter = series->name; *letter; letter++)
            letters += (*letter & 0xc0) != 0x80;
        x += 28 + 6.6 * letters + 22; // 6.6 px: the mean width of a letter at this size
    }
}

// Draws a stretch of a curve without gaps, thinned to what can be seen. Returns the index after the stretch.
static size_t draw_stretch(const canvas *c, const io_series *series, size_t start, const char *style)
{
    double points[MOST_POINTS + 2][2], value;
    const size_t stride = c->plot->count / MOST_POINTS + 1;
    size_t count = 0, k = start;
    while (k < c->plot->count && shown_value(c, series->y[k], &value)) {
        const bool last = k + 1 == c->plot->count;
        if ((k - start) % stride == 0 || last) {
            points[count][0] = to_pixel(&c->x, c->plot->x[k]);
            points[count][1] = to_pixel(&c->y, value);
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
    double value;
    curve_style(series, style, sizeof style);
    for (size_t k = 0; k < c->plot->count;)
        k = shown_value(c, series->y[k], &value) ? draw_stretch(c, series, k, style) : k + 1;
}

void io_plot_draw(base_text *svg, const io_plot *plot, const io_frame *frame)
{
    canvas c = {.svg = svg, .plot = plot};
    const char *prefix;
    set_axes(&c, frame, &prefix);
    draw_y_ticks(&c);
    draw_x_ticks(&c);
    draw_labels(&c, frame, prefix);
    for (size_t s = 0; s < plot->series_count; s++)
        draw_curve(&c, &plot->series[s]);
    draw_legend(&c, frame);
}
