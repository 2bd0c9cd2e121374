// svg: drawing primitives that add to a text. Lengths in pixels, y downwards. A style is the attribute text of an
// element, as in "stroke='#456' fill='none'".
#ifndef SHEAF_IO_SVG_H
#define SHEAF_IO_SVG_H

#include "base/text.h"

// The whole picture: everything else goes between. The title is what a reader without eyes gets.
void io_svg_open(base_text *svg, double width, double height, const char *title);
void io_svg_close(base_text *svg);

void io_svg_rect(base_text *svg, double x, double y, double width, double height, const char *style);
void io_svg_line(base_text *svg, double x1, double y1, double x2, double y2, const char *style);
void io_svg_circle(base_text *svg, double x, double y, double radius, const char *style);

// A line through points; `closed` joins the last to the first.
void io_svg_polyline(base_text *svg, const double (*points)[2], size_t count, bool closed, const char *style);

// A smooth curve (Catmull-Rom) through all points but the first and last, which only give its directions at the ends.
// At least 4 points.
void io_svg_curve(base_text *svg, const double (*points)[2], size_t count, const char *style);

// One line of text; any bytes are allowed and escaped.
void io_svg_label(base_text *svg, double x, double y, const char *style, const char *label);

#endif
