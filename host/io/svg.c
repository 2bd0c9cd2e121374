// svg: drawing primitives that add to a text.
#include "io/svg.h"

#include <math.h>
#include <string.h>

// A tenth of a pixel is finer than an eye sees; whole numbers drop the point.
static void add_number(base_text *svg, double value)
{
    base_text_add_real(svg, rint(10 * value) / 10 + 0.0);
}

static void add_pair(base_text *svg, double x, double y)
{
    add_number(svg, x);
    base_text_add(svg, " ");
    add_number(svg, y);
}

static void add_escaped(base_text *svg, const char *label)
{
    base_text plain = {0};
    base_text_add_printable(&plain, label, strlen(label));
    for (const char *c = base_text_get(&plain); *c; c++) {
        const char *entity = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : NULL;
        base_text_add_bytes(svg, entity ? entity : c, entity ? strlen(entity) : 1);
    }
    svg->failed = svg->failed || plain.failed;
    base_text_free(&plain);
}

static void add_attribute(base_text *svg, const char *name, double value)
{
    base_text_add(svg, " %s='", name);
    add_number(svg, value);
    base_text_add(svg, "'");
}

void io_svg_open(base_text *svg, double width, double height, const char *title)
{
    base_text_add(svg,
                  "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' height='%.0f' viewBox='0 0 %.0f %.0f' "
                  "font-family='Helvetica, Arial, sans-serif'>\n<title>",
                  width, height, width, height);
    add_escaped(svg, title);
    base_text_add(svg, "</title>\n");
}

void io_svg_close(base_text *svg)
{
    base_text_add(svg, "</svg>\n");
}

void io_svg_rect(base_text *svg, double x, double y, double width, double height, const char *style)
{
    base_text_add(svg, "<rect");
    add_attribute(svg, "x", x);
    add_attribute(svg, "y", y);
    add_attribute(svg, "width", width);
    add_attribute(svg, "height", height);
    base_text_add(svg, " %s/>\n", style);
}

void io_svg_line(base_text *svg, double x1, double y1, double x2, double y2, const char *style)
{
    const double points[2][2] = {{x1, y1}, {x2, y2}};
    io_svg_polyline(svg, points, 2, false, style);
}

void io_svg_circle(base_text *svg, double x, double y, double radius, const char *style)
{
    base_text_add(svg, "<circle");
    add_attribute(svg, "cx", x);
    add_attribute(svg, "cy", y);
    add_attribute(svg, "r", radius);
    base_text_add(svg, " %s/>\n", style);
}

void io_svg_polyline(base_text *svg, const double (*points)[2], size_t count, bool closed, const char *style)
{
    base_text_add(svg, "<path d='");
    for (size_t k = 0; k < count; k++) {
        base_text_add(svg, k == 0 ? "M" : (k == 1 ? "L" : " "));
        add_pair(svg, points[k][0], points[k][1]);
    }
    base_text_add(svg, "%s' %s/>\n", closed ? "Z" : "", style);
}

void io_svg_curve(base_text *svg, const double (*points)[2], size_t count, const char *style)
{
    base_text_add(svg, "<path d='M");
    add_pair(svg, points[1][0], points[1][1]);
    for (size_t k = 1; k + 2 < count; k++) {
        double near[2], far[2]; // control points of the cubic from point k to k + 1
        for (int c = 0; c < 2; c++) {
            near[c] = points[k][c] + (points[k + 1][c] - points[k - 1][c]) / 6;
            far[c] = points[k + 1][c] - (points[k + 2][c] - points[k][c]) / 6;
        }
        base_text_add(svg, k == 1 ? "C" : " ");
        add_pair(svg, near[0], near[1]);
        base_text_add(svg, " ");
        add_pair(svg, far[0], far[1]);
        base_text_add(svg, " ");
        add_pair(svg, points[k + 1][0], points[k + 1][1]);
    }
    base_text_add(svg, "' %s/>\n", style);
}

void io_svg_label(base_text *svg, double x, double y, const char *style, const char *label)
{
    base_text_add(svg, "<text");
    add_attribute(svg, "x", x);
    add_attribute(svg, "y", y);
    base_text_add(svg, " %s>", style);
    add_escaped(svg, label);
    base_text_add(svg, "</text>\n");
}
