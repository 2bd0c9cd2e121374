// report: a run as one HTML page.
#include "io/report.h"

#include <math.h>
#include <string.h>

#include "io/html.h"
#include "io/plot.h"

// ---- pieces

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static void format_quantity(double value, const char *unit, char *text, size_t size)
{
    const char *prefix;
    const int exponent = base_si_exponent(fabs(value), &prefix);
    snprintf(text, size, "%.4g %s%s", value * pow(10, -exponent), prefix, unit);
}

static void add_card(base_text *html, const char *name, const char *value)
{
    base_text_add(html, "<div class='card'><b>");
    io_html_text(html, value);
    base_text_add(html, "</b><span>%s</span></div>\n", name);
}

static void add_quantity_card(base_text *html, const char *name, double value, const char *unit)
{
    char text[48];
    format_quantity(value, unit, text, sizeof text);
    add_card(html, name, text);
}

// ---- head

static void add_chip(base_text *html, const json_t *record)
{
    const json_t *code = json_object_get(record, "exit");
    if (!json_is_integer(code))
        base_text_add(html, "<span class='chip odd'>still running, or killed</span>");
    else if (json_integer_value(code) == 0)
        base_text_add(html, "<span class='chip good'>done</span>");
    else if (json_integer_value(code) == sheaf_status_exit_code(SHEAF_ERR_DIVERGED))
        base_text_add(html, "<span class='chip bad'>diverged</span>");
    else
        base_text_add(html, "<span class='chip odd'>stopped, exit code %lld</span>",
                      (long long)json_integer_value(code));
}

static void add_head(base_text *html, const json_t *record)
{
    const char *title = text_of(record, "title")[0] ? text_of(record, "title") : text_of(record, "scene");
    io_html_open(html, title);
    base_text_add(html, "<header><div><h1>");
    io_html_text(html, title);
    base_text_add(html, "</h1><p>");
    io_html_text(html, text_of(record, "scene"));
    base_text_add(html, " &middot; ");
    io_html_text(html, text_of(record, "device"));
    base_text_add(html, " &middot; ");
    io_html_text(html, text_of(record, "precision"));
    base_text_add(html, " precision</p></div>");
    add_chip(html, record);
    base_text_add(html, "</header>\n");
}

// The picture as an image: nothing that it may hold is run.
static void add_picture(base_text *html, const base_text *picture, bool is_png)
{
    base_text_add(html, "<div class='box'>");
    if (picture != NULL) {
        base_text_add(html, "<img alt='the strands at the end' src='data:image/%s;base64,", is_png ? "png" : "svg+xml");
        io_html_base64(html, base_text_get(picture), picture->length);
        base_text_add(html, "'>");
    } else {
        base_text_add(html, "<p>There is no picture: the run has not come to its end.</p>");
    }
    base_text_add(html, "</div>\n");
}

static void add_cards(base_text *html, const json_t *record)
{
    char text[48];
    base_text_add(html, "<div class='cards'>\n");
    add_quantity_card(html, "simulated", number_of(record, "time_s"), "s");
    add_quantity_card(html, "of real time", number_of(record, "wall_seconds"), "s");
    add_quantity_card(html, "vertex-steps per second", number_of(record, "vertex_steps_per_s"), "");
    add_quantity_card(html, "time step", number_of(json_object_get(record, "settings"), "step_s"), "s");
    snprintf(text, sizeof text, "%.0f", number_of(record, "strands"));
    add_card(html, "strands", text);
    snprintf(text, sizeof text, "%.0f", number_of(record, "vertices"));
    add_card(html, "vertices", text);
    snprintf(text, sizeof text, "%.1e", number_of(record, "worst_strain"));
    add_card(html, "worst stretch of an edge", text);
    snprintf(text, sizeof text, "%.0f", number_of(record, "frozen_strands"));
    add_card(html, "strands that diverged", text);
    if (json_object_get(record, "unmet_strands") != NULL) { // not in records of version 0.1
        snprintf(text, sizeof text, "%.0f", number_of(record, "unmet_strands"));
        add_card(html, "strands unmet in the end", text);
    }
    add_quantity_card(html, "most memory", number_of(record, "peak_memory_bytes"), "B");
    snprintf(text, sizeof text, "%.0f", number_of(record, "restarts"));
    add_card(html, "times gone on from a checkpoint", text);
    base_text_add(html, "</div>\n");
}

// ---- plots

static void add_plot(base_text *html, const io_plot *plot)
{
    base_text_add(html, "<div class='box'>");
    io_svg_open(html, 640, 360, plot->title);
    io_plot_draw(html, plot, &(io_frame){0, 0, 640, 360});
    io_svg_close(html);
    base_text_add(html, "</div>\n");
}

static sheaf_status add_plots(base_text *html, const io_thermo *thermo)
{
    const size_t n = thermo->count;
    double *values = io_thermo_curves(thermo);
    if (values == NULL)
        return SHEAF_ERR_MEMORY;
    const io_series energies[] = {
        {.name = "kinetic", .colour = "#d95f02", .y = values + IO_CURVE_KINETIC * n},
        {.name = "bending", .colour = "#1f78b4", .y = values + IO_CURVE_BENDING * n},
        {.name = "twisting", .colour = "#1b9e77", .y = values + IO_CURVE_TWISTING * n},
        {.name = "height", .colour = "#7570b3", .y = values + IO_CURVE_GRAVITATIONAL * n},
        {.name = "total", .colour = "#333333", .dashed = true, .y = values + IO_CURVE_TOTAL * n},
    };
    const io_series strain = {.name = "worst of all edges", .colour = "#c2185b", .y = values + IO_CURVE_STRAIN * n};
    const io_series residual = {
        .name = "worst of all frames", .colour = "#6a3d9a", .y = values + IO_CURVE_RESIDUAL * n};
    const io_series work[] = {
        {.name = "Newton iterations", .colour = "#1f78b4", .y = values + IO_CURVE_NEWTON * n},
        {.name = "projections", .colour = "#d95f02", .dashed = true, .y = values + IO_CURVE_PROJECTIONS * n},
    };
    io_plot plots[] = {
        {.title = "Energies; height and total from the start",
         .y_label = "energy",
         .y_unit = "J",
         .series = energies,
         .series_count = 5},
        {.title = "Stretch of edges", .y_label = "strain", .logarithmic = true, .series = &strain, .series_count = 1},
        {.title = "Twist that is not in balance, in GJ / length",
         .y_label = "residual",
         .logarithmic = true,
         .series = &residual,
         .series_count = 1},
        {.title = "Work of a step, mean of all strands", .y_label = "iterations", .series = work, .series_count = 2},
    };
    base_text_add(html, "<div class='grid'>\n");
    for (size_t k = 0; k < sizeof plots / sizeof plots[0]; k++) {
        plots[k].x_label = "time (s)";
        plots[k].x = values + IO_CURVE_TIME * n;
        plots[k].count = n;
        add_plot(html, &plots[k]);
    }
    base_text_add(html, "</div>\n");
    base_free(values);
    return SHEAF_OK;
}

// ---- tables

static void add_bar(base_text *html, const char *name, double seconds, double whole, const char *note)
{
    base_text_add(html, "<tr><td style='white-space:nowrap'>");
    io_html_text(html, name);
    base_text_add(html,
                  "</td><td style='width:50%%'><div class='bar'><i style='width:%.1f%%'></i></div></td>"
                  "<td class='n'>%.3g s</td><td class='n'>%s</td></tr>\n",
                  whole > 0 ? 100 * seconds / whole : 0, seconds, note);
}

static void add_timing(base_text *html, const json_t *record)
{
    const double start = number_of(record, "start_seconds"), wall = number_of(record, "wall_seconds");
    const json_t *stages = json_object_get(record, "profile");
    double longest = fmax(start, wall);
    base_text_add(html, "<div class='box'><h2>Timing</h2><table>\n");
    add_bar(html, "before the first step", start, longest, "");
    add_bar(html, "steps and files", wall, longest, "");
    longest = 0;
    for (size_t k = 0; k < json_array_size(stages); k++)
        longest = fmax(longest, number_of(json_array_get(stages, k), "seconds"));
    for (size_t k = 0; k < json_array_size(stages); k++) {
        const json_t *stage = json_array_get(stages, k);
        char note[48];
        snprintf(note, sizeof note, "%.0f launches", number_of(stage, "launches"));
        add_bar(html, text_of(stage, "stage"), number_of(stage, "seconds"), longest, note);
    }
    base_text_add(html, "</table>");
    if (!json_is_array(stages))
        base_text_add(html, "<p style='color:var(--soft);margin:10px 0 0'><code>sheaf run --profile</code> times every "
                            "stage of a step.</p>");
    base_text_add(html, "</div>\n");
}

static void add_value(base_text *html, const json_t *value)
{
    if (json_is_string(value))
        io_html_text(html, json_string_value(value));
    else if (json_is_integer(value))
        base_text_add(html, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        base_text_add(html, "%.6g", json_real_value(value));
    for (size_t k = 0; k < json_array_size(value); k++) {
        base_text_add(html, "%s", k ? ", " : "");
        add_value(html, json_array_get(value, k));
    }
}

static void add_object(base_text *html, const char *title, json_t *object)
{
    const char *name;
    json_t *value;
    base_text_add(html, "<div class='box'><h2>%s</h2><table>\n", title);
    json_object_foreach(object, name, value)
    {
        base_text_add(html, "<tr><td>");
        io_html_text(html, name);
        base_text_add(html, "</td><td class='n' style='white-space:normal'>");
        add_value(html, value);
        base_text_add(html, "</td></tr>\n");
    }
    base_text_add(html, "</table></div>\n");
}

static void add_strands(base_text *html, const io_report *report)
{
    base_text_add(html, "<div class='box'><h2>Strands to look at</h2>");
    if (report->strand_count == 0)
        base_text_add(html, "<p>None stands out.</p>");
    else
        base_text_add(html, "<table><tr><th>strand</th><th>why</th></tr>\n");
    for (size_t k = 0; k < report->strand_count; k++) {
        base_text_add(html, "<tr><td class='n'>%llu</td><td>", (unsigned long long)report->strands[k].strand);
        io_html_text(html, report->strands[k].reason);
        base_text_add(html, "</td></tr>\n");
    }
    base_text_add(html, "%s</div>\n", report->strand_count > 0 ? "</table>" : "");
}

static void add_files(base_text *html, const io_report *report)
{
    base_text_add(html, "<div class='box'><h2>Files</h2><table>\n");
    for (size_t k = 0; k < report->file_count; k++) {
        char size[48];
        const io_report_file *file = &report->files[k];
        format_quantity((double)file->size, "B", size, sizeof size);
        base_text_add(html, "<tr><td><a href='%s'>%s</a></td><td>%s</td><td class='n'>%s</td></tr>\n", file->name,
                      file->name, file->doc, size);
    }
    base_text_add(html, "</table></div>\n");
}

sheaf_status io_report_write(const io_report *report, base_text *html)
{
    const json_t *record = report->record;
    add_head(html, record);
    base_text_add(html, "<div class='grid'>\n");
    add_picture(html, report->picture, report->picture_is_png);
    add_cards(html, record);
    base_text_add(html, "</div>\n");
    SHEAF_TRY(add_plots(html, report->thermo));
    base_text_add(html, "<div class='grid'>\n");
    add_timing(html, record);
    add_strands(html, report);
    add_object(html, "Settings", json_object_get(record, "settings"));
    add_object(html, "Machine", json_object_get(record, "machine"));
    add_files(html, report);
    add_object(html, "Versions", json_object_get(record, "versions"));
    base_text_add(html, "</div>\n");
    io_html_close(html);
    return base_text_status(html);
}
