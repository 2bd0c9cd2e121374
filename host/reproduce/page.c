// page: what experiments leave on disk and on the page: paragraphs, plots, pictures, data, tables of verdicts.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "io/file.h"
#include "io/html.h"
#include "reproduce/run.h"
#include "view/render.h"

enum { PLOT_WIDTH = 640, PLOT_HEIGHT = 400, PICTURE_LIMIT = 64 << 20 }; // px, px, bytes

// ---- paragraphs

static void add_paragraph(base_text *html, const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    base_text_add(html, "<p>");
    io_html_text(html, text);
    base_text_add(html, "</p>\n");
}

void reproduce_paper(reproduce_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_paragraph(&run->paper, format, arguments);
    va_end(arguments);
}

void reproduce_here(reproduce_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_paragraph(&run->here, format, arguments);
    va_end(arguments);
}

// ---- files

// Path of "<name><ending>" in the experiment's folder, or NULL.
static char *path_of(const reproduce_run *run, const char *name, const char *ending)
{
    char file[128];
    snprintf(file, sizeof file, "%s%s", name, ending);
    return io_path_join(run->folder, file);
}

static void add_link(reproduce_run *run, const char *name, const char *ending)
{
    base_text_add(&run->files, "%s<a href='%s/%s%s'>%s%s</a>", run->files.length > 0 ? " &middot; " : "",
                  run->experiment->name, name, ending, name, ending);
}

static sheaf_status write_file(reproduce_run *run, const char *name, const char *ending, const base_text *text)
{
    SHEAF_TRY(base_text_status(text));
    char *path = path_of(run, name, ending);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = io_file_write(path, run->options->overwrite, base_text_get(text), text->length);
    base_free(path);
    add_link(run, name, ending);
    return status;
}

sheaf_status reproduce_csv(reproduce_run *run, const char *name, const char *head, const double *values, size_t rows,
                           size_t columns)
{
    base_text text = {0};
    base_text_add(&text, "%s\n", head);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            base_text_add(&text, "%.9g%s", values[row * columns + column], column + 1 < columns ? "," : "\n");
    const sheaf_status status = write_file(run, name, ".csv", &text);
    base_text_free(&text);
    return status;
}

// ---- figures

static void open_figure(reproduce_run *run, bool is_wide)
{
    base_text_add(&run->figures, "<figure class='box%s'>", is_wide ? " wide" : "");
}

static void close_figure(reproduce_run *run, const char *caption)
{
    base_text_add(&run->figures, "<figcaption>");
    io_html_text(&run->figures, caption);
    base_text_add(&run->figures, "</figcaption></figure>\n");
}

sheaf_status reproduce_plot(reproduce_run *run, const char *name, const io_plot *plot, const char *caption)
{
    base_text svg = {0};
    io_svg_open(&svg, PLOT_WIDTH, PLOT_HEIGHT, plot->title);
    io_svg_rect(&svg, 0, 0, PLOT_WIDTH, PLOT_HEIGHT, "fill='#fff'");
    io_plot_draw(&svg, plot, &(io_frame){0, 0, PLOT_WIDTH, PLOT_HEIGHT});
    io_svg_close(&svg);
    const sheaf_status status = write_file(run, name, ".svg", &svg);
    open_figure(run, false);
    base_text_add_bytes(&run->figures, base_text_get(&svg), svg.length);
    close_figure(run, caption);
    base_text_free(&svg);
    return status;
}

// ---- pictures

typedef struct drawing {
    uint64_t *first_vertex;
    view_strand *strands;
    double (*positions)[3];
    double (*directors)[3];
} drawing;

static void free_drawing(drawing *d)
{
    base_free(d->first_vertex);
    base_free(d->strands);
    base_free(d->positions);
    base_free(d->directors);
}

static void set_look(const reproduce_curve *curve, view_strand *look)
{
    static const double blue[3] = {0.16, 0.42, 0.72};
    const bool is_coloured = curve->colour[0] + curve->colour[1] + curve->colour[2] > 0;
    const double *colour = is_coloured ? curve->colour : blue;
    const double wide = fmax(curve->half[0], curve->half[1]), narrow = fmin(curve->half[0], curve->half[1]);
    look->kind = wide >= 2.5 * narrow && narrow > 0 ? VIEW_BLADE : VIEW_TUBE;
    look->blunt = true;
    for (int k = 0; k < 2; k++)
        look->half[k] = curve->half[k];
    for (int k = 0; k < 3; k++)
        look->colour[k] = (float)view_linear(colour[k]);
}

static sheaf_status fill_drawing(const reproduce_picture *picture, drawing *d)
{
    uint64_t total = 0;
    for (uint32_t c = 0; c < picture->curve_count; c++)
        total += picture->curves[c].count;
    d->first_vertex = base_alloc(picture->curve_count + 1u, sizeof *d->first_vertex);
    d->strands = base_alloc(picture->curve_count, sizeof *d->strands);
    d->positions = base_alloc(total, sizeof *d->positions);
    if (d->first_vertex == NULL || d->strands == NULL || d->positions == NULL)
        return SHEAF_ERR_MEMORY;
    if (picture->curves[0].directors != NULL)
        d->directors = base_alloc(total, sizeof *d->directors);
    if (picture->curves[0].directors != NULL && d->directors == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t c = 0; c < picture->curve_count; c++) {
        const reproduce_curve *curve = &picture->curves[c];
        const uint64_t first = d->first_vertex[c];
        d->first_vertex[c + 1] = first + curve->count;
        set_look(curve, &d->strands[c]);
        for (uint32_t i = 0; i < curve->count; i++)
            vec_add(d->positions[first + i], curve->x[i], curve->shift);
        if (d->directors != NULL)
            memcpy(d->directors[first], curve->directors[0], curve->count * sizeof *d->directors);
    }
    return SHEAF_OK;
}

static sheaf_status draw_pixels(view_render *render, const reproduce_picture *picture, const drawing *d,
                                const uint8_t **pixels)
{
    static const double degree = 3.14159265358979323846 / 180;
    const view_subject subject = {.strand_count = picture->curve_count,
                                  .first_vertex = d->first_vertex,
                                  .strands = d->strands,
                                  .positions = (const double(*)[3])d->positions,
                                  .directors = (const double(*)[3])d->directors,
                                  .up = {0, 0, 1}};
    const double aspect = (double)picture->width / picture->height;
    const uint64_t count = view_vertex_count(&subject);
    view_camera camera = view_camera_choose(subject.positions, count, subject.up, aspect);
    camera.azimuth = -picture->azimuth * degree;
    camera.elevation = picture->elevation * degree;
    view_camera_frame(&camera, subject.positions, count, aspect);
    return view_render_draw(render, &subject, &camera, pixels);
}

static sheaf_status write_picture(const reproduce_run *run, const reproduce_picture *picture, view_render *render,
                                  const char *path)
{
    drawing d = {0};
    const uint8_t *pixels;
    sheaf_status status = fill_drawing(picture, &d);
    if (status == SHEAF_OK)
        status = draw_pixels(render, picture, &d, &pixels);
    if (status == SHEAF_OK)
        status = view_image_write(path, run->options->overwrite, pixels, picture->width, picture->height);
    free_drawing(&d);
    return status;
}

static sheaf_status show_picture(reproduce_run *run, const char *name, bool is_wide, const char *path,
                                 const char *caption)
{
    base_text png = {0};
    SHEAF_TRY(io_file_read(path, PICTURE_LIMIT, &png));
    open_figure(run, is_wide);
    base_text_add(&run->figures, "<img alt='%s' src='data:image/png;base64,", name);
    io_html_base64(&run->figures, base_text_get(&png), png.length);
    base_text_add(&run->figures, "'>");
    close_figure(run, caption);
    add_link(run, name, ".png");
    base_text_free(&png);
    return SHEAF_OK;
}

sheaf_status reproduce_draw(reproduce_run *run, const char *name, const reproduce_picture *picture, const char *caption)
{
    const view_style paper = {
        .sky_high = {4, 4, 4}, .sky_low = {4, 4, 4}, .ground = {4, 4, 4}, .behind = {4, 4, 4}, .exposure = 1};
    view_render *render;
    if (view_render_open(&paper, picture->width, picture->height, &render) != SHEAF_OK) {
        base_log(SHEAF_LOG_NOTICE, "%s: %s is left out: %.200s", run->experiment->name, name, sheaf_last_error());
        return SHEAF_OK;
    }
    char *path = path_of(run, name, ".png");
    sheaf_status status = path != NULL ? write_picture(run, picture, render, path) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = show_picture(run, name, picture->width > 2 * picture->height, path, caption);
    base_free(path);
    view_render_close(render);
    return status;
}

// ---- the page

static const char page_style[] =
    "<style>\n"
    "main{max-width:1080px}section{margin-top:44px}section h2{font-size:22px;margin:0 0 4px}\n"
    ".figure{color:var(--soft);margin:0 0 12px}.box h3{margin:0 0 6px;font-size:14px;color:var(--soft);"
    "text-transform:uppercase;letter-spacing:.05em}.box p{margin:0 0 8px}\n"
    "figure{margin:0}figcaption{font-size:14px;color:var(--soft);margin-top:8px}\n"
    ".figures{display:flex;flex-wrap:wrap;gap:18px;justify-content:center;margin-bottom:18px}\n"
    ".figures figure{flex:0 0 calc(50% - 9px)}.figures .wide{flex-basis:100%}\n"
    "@media(max-width:860px){.figures figure{flex-basis:100%}}\n"
    ".verdicts td.n{white-space:nowrap}.files{font-size:13px;margin:10px 0 0}.chip{font-size:13px;padding:2px 10px}\n"
    "</style>\n";

static void add_verdict(base_text *html, const reproduce_row *row)
{
    base_text_add(html, "<tr><td>");
    io_html_text(html, row->quantity);
    base_text_add(html,
                  "</td><td class='n'>%.6g</td><td class='n'>%.6g</td><td class='n'>%.2g</td>"
                  "<td class='n'>%.2g</td><td class='n'><span class='chip %s'>%s</span></td></tr>\n",
                  row->measured, row->expected, row->error, row->bar, row->pass ? "good" : "bad",
                  row->pass ? "pass" : "fail");
}

static void add_verdicts(base_text *html, const reproduce_summary *summary, uint32_t first)
{
    base_text_add(html, "<table class='verdicts'><tr><th>quantity</th><th>measured</th><th>expected</th><th>error</th>"
                        "<th>bar</th><th></th></tr>\n");
    for (uint32_t k = first; k < summary->row_count; k++)
        add_verdict(html, &summary->rows[k]);
    base_text_add(html, "</table>\n");
}

// One line for an experiment: what it shows, and how many of its verdicts pass.
static void add_line(base_text *html, const reproduce_experiment *experiment, const reproduce_summary *summary)
{
    uint32_t count = 0, passed = 0;
    for (uint32_t k = 0; k < summary->row_count; k++)
        if (summary->rows[k].experiment == experiment->name) {
            count++;
            passed += summary->rows[k].pass;
        }
    if (count == 0)
        return;
    base_text_add(html,
                  "<tr><td><a href='#%s'>%s</a></td><td>%s</td><td>%s</td><td class='n'><span class='chip %s'>%u of %u "
                  "pass</span></td></tr>\n",
                  experiment->name, experiment->title, experiment->figure, experiment->about,
                  passed == count ? "good" : "bad", passed, count);
}

void reproduce_add_head(const reproduce_options *options, const reproduce_summary *summary, base_text *html)
{
    const uint32_t passed = summary->row_count - summary->failed;
    base_text_add(html, "%s<header><div><h1>Elastic rods: the papers' experiments</h1><p>", page_style);
    base_text_add(html,
                  "Figures of Bergou, Wardetzky, Robinson, Audoly and Grinspun, <i>Discrete Elastic Rods</i> "
                  "(2008), and of Fatehiboroujeni, Palanthandalam-Madapusi and Goyal, <i>Computational Rod Model With "
                  "User-Defined Nonlinear Constitutive Laws</i> (2018), simulated by Sheaf and held against theory%s",
                  options->is_short ? "; short forms of the experiments" : "");
    base_text_add(html, "</p></div><span class='chip %s'>%u of %u pass</span></header>\n",
                  summary->failed > 0 ? "bad" : "good", passed, summary->row_count);
    base_text_add(html, "<div class='box'><table class='verdicts'><tr><th>experiment</th><th>of the paper</th>"
                        "<th></th><th></th></tr>\n");
    for (uint32_t k = 0; reproduce_experiments[k] != NULL; k++)
        add_line(html, reproduce_experiments[k], summary);
    base_text_add(html, "</table></div>\n");
}

void reproduce_add_section(const reproduce_run *run, base_text *html)
{
    const reproduce_experiment *experiment = run->experiment;
    base_text_add(html, "<section id='%s'><h2>%s</h2><p class='figure'>%s", experiment->name, experiment->title,
                  experiment->figure);
    if (experiment->figure[0] != 0)
        base_text_add(html, " of %s &middot; ", experiment->paper != NULL ? experiment->paper : "the paper");
    base_text_add(html, "<code>sheaf reproduce %s</code></p>\n", experiment->name);
    base_text_add(html, "<div class='grid'><div class='box'><h3>The paper</h3>\n%s</div>\n",
                  base_text_get(&run->paper));
    base_text_add(html, "<div class='box'><h3>Here</h3>\n%s</div></div>\n", base_text_get(&run->here));
    base_text_add(html, "<div class='figures'>\n");
    base_text_add_bytes(html, base_text_get(&run->figures), run->figures.length);
    base_text_add(html, "</div>\n<div class='box'>");
    add_verdicts(html, run->summary, run->first_row);
    base_text_add(html, "<p class='files'>%s</p></div></section>\n", base_text_get(&run->files));
    const base_text *parts[] = {&run->paper, &run->here, &run->figures, &run->files};
    for (int k = 0; k < 4; k++)
        html->failed = html->failed || parts[k]->failed;
}
