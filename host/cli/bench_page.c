// bench_page: results of `sheaf bench` as one HTML page that needs no other file.
#include "cli/bench.h"

#include "bench/plan.h"
#include "io/html.h"
#include "io/plot.h"

#include <math.h>
#include <stdio.h>

enum { PLOT_WIDTH = 640, PLOT_HEIGHT = 420, ROOF_POINTS = 61, DOTS_MOST = BENCH_SET_COUNT * BENCH_CASES_MOST };

// ---- pieces

static void add_card(base_text *html, const char *name, double value, const char *unit)
{
    base_text_add(html, "<div class='card'><b>%.4g %s</b><span>%s</span></div>\n", value, unit, name);
}

static void add_cards(base_text *html, const bench_limits *limits)
{
    base_text_add(html, "<div class='cards'>\n");
    add_card(html, "peak of multiply-adds, single precision", 1e-9 * limits->peak, "GFLOP/s");
    add_card(html, "the same in double precision", 1e-9 * limits->peak_double, "GFLOP/s");
    add_card(html, "copy through memory", 1e-9 * limits->copy, "GB/s");
    add_card(html, "copy through the last cache", 1e-9 * limits->cache_copy, "GB/s");
    add_card(html, "launch of a kernel", 1e6 * limits->launch, "\xc2\xb5s");
    add_card(html, "tridiagonal systems solved, as a share of the copy", 100 * limits->tridiagonal / limits->copy, "%");
    base_text_add(html, "</div>\n");
}

static void add_plot(base_text *html, const io_plot *plot)
{
    base_text_add(html, "<div class='box'>");
    io_svg_open(html, PLOT_WIDTH, PLOT_HEIGHT, plot->title);
    io_plot_draw(html, plot, &(io_frame){0, 0, PLOT_WIDTH, PLOT_HEIGHT});
    io_svg_close(html);
    base_text_add(html, "</div>\n");
}

static const bench_section *find_section(const bench_results *results, bench_set set)
{
    for (uint32_t s = 0; s < results->count; s++)
        if (results->sections[s].set == set && results->sections[s].count > 0)
            return &results->sections[s];
    return NULL;
}

static void add_verdict(base_text *html, const bench_verdict *verdict)
{
    const bool met = bench_is_met(verdict);
    const char *format = verdict->bar > 100 ? "</td><td class='n'>%.0f</td><td class='n'>%s %.0f</td>"
                                            : "</td><td class='n'>%.2f</td><td class='n'>%s %.2f</td>";
    base_text_add(html, "<tr><td>");
    io_html_text(html, verdict->what);
    base_text_add(html, format, verdict->measured, verdict->is_least ? "&ge;" : "&le;", verdict->bar);
    base_text_add(html, "<td><span class='chip %s'>%s</span></td></tr>\n", met ? "good" : "bad",
                  met ? "met" : "missed");
}

static void add_verdicts(base_text *html, const bench_results *results)
{
    base_text_add(html, "<div class='box'><h2>Bars</h2><table><tr><th>figure</th><th>measured</th><th>bar</th>"
                        "<th></th></tr>\n");
    for (uint32_t s = 0; s < results->count; s++)
        for (uint32_t k = 0; k < results->sections[s].verdict_count; k++)
            add_verdict(html, &results->sections[s].verdicts[k]);
    if (results->limits.tridiagonal > 0) {
        const bench_verdict solve = bench_judge_limits(&results->limits);
        add_verdict(html, &solve);
    }
    base_text_add(html, "</table></div>\n");
}

// ---- roofline

// Dots of one kind.
typedef struct cloud {
    double x[DOTS_MOST], y[DOTS_MOST];
    size_t count;
} cloud;

// Intensity in flop/byte, speed in GFLOP/s.
static void add_dot(cloud *dots, const bench_row *row, const bench_limits *limits)
{
    const bench_use use = bench_use_of(row, limits);
    if (use.flops > 1 && use.bytes > 0) {
        dots->x[dots->count] = use.flops / use.bytes;
        dots->y[dots->count++] = 1e-9 * use.flops * row->rate;
    }
}

// Whole steps, stages, populations.
static void fill_clouds(const bench_results *results, cloud clouds[3])
{
    for (uint32_t s = 0; s < results->count; s++) {
        const bench_section *section = &results->sections[s];
        if (section->set == BENCH_SET_FORMS || section->set == BENCH_SET_THREADS)
            continue; // other limits than those drawn
        for (uint32_t k = 0; k < section->count; k++)
            add_dot(&clouds[section->rows[k].what.is_stage          ? 1
                            : section->set == BENCH_SET_POPULATIONS ? 2
                                                                    : 0],
                    &section->rows[k], &results->limits);
    }
}

static void add_roofline(base_text *html, const bench_results *results)
{
    const bench_limits *limits = &results->limits;
    double x[ROOF_POINTS], roofs[2][ROOF_POINTS];
    cloud clouds[3] = {0};
    fill_clouds(results, clouds);
    for (int k = 0; k < ROOF_POINTS; k++) {
        x[k] = pow(10, -1 + 5.0 * k / (ROOF_POINTS - 1));
        roofs[0][k] = 1e-9 * fmin(limits->peak, x[k] * limits->copy);
        roofs[1][k] = 1e-9 * fmin(limits->peak, x[k] * limits->cache_copy);
    }
    const io_series series[] = {
        {.name = "memory", .colour = "#333333", .x = x, .y = roofs[0], .count = ROOF_POINTS},
        {.name = "cache", .colour = "#8a919a", .dashed = true, .x = x, .y = roofs[1], .count = ROOF_POINTS},
        {"steps", "#d95f02", false, IO_MARK_DOTS, clouds[0].x, clouds[0].y, clouds[0].count},
        {"stages by themselves", "#1f78b4", false, IO_MARK_DOTS, clouds[1].x, clouds[1].y, clouds[1].count},
        {"populations", "#1b9e77", false, IO_MARK_DOTS, clouds[2].x, clouds[2].y, clouds[2].count},
    };
    add_plot(html, &(io_plot){.title = "Roofline: what is done under what could be",
                              .x_label = "flops per byte moved, both counted in the kernels",
                              .y_label = "GFLOP/s",
                              .logarithmic = true,
                              .x_logarithmic = true,
                              .series = series,
                              .series_count = sizeof series / sizeof *series});
}

// ---- scaling

static void add_growth(base_text *html, const bench_results *results, bool in_vertices)
{
    const bench_section *section = find_section(results, in_vertices ? BENCH_SET_VERTICES : BENCH_SET_STRANDS);
    double fit[BENCH_CASES_MOST];
    char title[96];
    if (section == NULL || section->count < 2)
        return;
    const bench_growth growth = bench_fit_growth(section->rows, section->count, in_vertices);
    for (uint32_t k = 0; k < growth.count; k++)
        fit[k] = growth.is_fitted[k] ? growth.factor * pow(growth.x[k], growth.exponent) : NAN;
    snprintf(title, sizeof title, "Cost grows like %s to the power of %.3f", in_vertices ? "free vertices" : "strands",
             growth.exponent);
    const io_series series[] = {
        {"measured", "#d95f02", false, IO_MARK_BOTH, growth.x, growth.y, growth.count},
        {"fitted", "#333333", true, IO_MARK_LINE, growth.x, fit, growth.count},
    };
    add_plot(html, &(io_plot){.title = title,
                              .x_label = in_vertices ? "free vertices of a strand" : "strands of 32 vertices",
                              .y_label = in_vertices ? "seconds per step and strand" : "seconds per step",
                              .logarithmic = true,
                              .x_logarithmic = true,
                              .series = series,
                              .series_count = 2});
}

// ---- stages

static void add_stage(base_text *html, const bench_row *row, double dearest, const bench_limits *limits)
{
    const bench_use use = bench_use_of(row, limits);
    const double cost = bench_cost(row);
    base_text_add(html,
                  "<tr><td>%s</td><td>%s</td><td style='width:40%%'><div class='bar'><i style='width:%.1f%%'></i></div>"
                  "</td><td class='n'>%.0f</td><td class='n'>%.0f</td><td class='n'>%.0f</td><td class='n'>%.0f %% %s"
                  "</td></tr>\n",
                  row->what.workload->name, bench_stage_name(&row->what), 100 * cost / dearest, cost, use.flops,
                  use.bytes, 100 * use.share, use.is_memory ? "memory" : "compute");
}

static void add_stages(base_text *html, const bench_results *results)
{
    const bench_section *section = find_section(results, BENCH_SET_STAGES);
    double dearest = 0;
    if (section == NULL)
        return;
    for (uint32_t k = 0; k < section->count; k++)
        dearest = fmax(dearest, bench_cost(&section->rows[k]));
    base_text_add(html,
                  "<div class='box' style='margin-bottom:18px'><h2>Stages of a step, each a kernel of its own</h2>"
                  "<table><tr><th>workload</th><th>stage</th><th></th><th>peak flops per vertex-step</th>"
                  "<th>flops</th><th>bytes</th><th>of its limit</th></tr>\n");
    for (uint32_t k = 0; k < section->count; k++)
        add_stage(html, &section->rows[k], dearest, &results->limits);
    base_text_add(html, "</table></div>\n");
}

// ---- tables

static void add_row(base_text *html, const bench_section *section, const bench_row *row, const bench_limits *limits)
{
    char form[16];
    const bench_use use = bench_use_of(row, limits);
    cli_bench_form(&row->what, form);
    base_text_add(
        html,
        "<tr style='white-space:nowrap'><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td class='n'>%u</td>"
        "<td class='n'>%u</td><td class='n'>%u</td><td class='n'>%.2f</td><td class='n'>%.0f</td><td "
        "class='n'>%.0f</td>"
        "<td class='n'>%.0f</td><td class='n'>%.0f %% %s</td><td class='n'>%.4g</td><td class='n'>%.1f %%</td>"
        "<td class='n'>%.2f</td><td class='n'>%.2f</td></tr>\n",
        bench_set_name(section->set), row->what.workload->name, form, cli_bench_kernels(&row->what), row->what.strands,
        row->what.vertices, row->threads, 1e-6 * row->rate, bench_cost(row), use.flops, use.bytes, 100 * use.share,
        use.is_memory ? "memory" : "compute", bench_strand_seconds(row), 100 * bench_spread(row), row->newton,
        row->projections);
}

static void add_rows(base_text *html, const bench_results *results)
{
    base_text_add(
        html,
        "<div class='box' style='overflow-x:auto;margin-bottom:18px;font-size:13px'><h2>All measurements</h2><table>"
        "<tr><th>set</th><th>workload</th><th>form</th><th>kernels</th><th>strands</th><th>vertices"
        "</th><th>threads</th><th>M vertex-steps/s</th><th>peak flops per vertex-step</th><th>flops"
        "</th><th>bytes</th><th>of its limit</th><th>strand-s per s</th><th>spread</th><th>Newton"
        "</th><th>projections</th></tr>\n");
    for (uint32_t s = 0; s < results->count; s++)
        for (uint32_t k = 0; k < results->sections[s].count; k++)
            add_row(html, &results->sections[s], &results->sections[s].rows[k], &results->limits);
    base_text_add(html, "</table></div>\n");
}

static void add_number(base_text *html, const json_t *peer, const char *key, double factor, const char *format)
{
    const json_t *value = json_object_get(peer, key);
    char text[48] = "-";
    if (json_is_number(value))
        snprintf(text, sizeof text, "%.4g%s", factor * json_number_value(value), format);
    base_text_add(html, "<td class='n'>%s</td>", text);
}

static void add_peers(base_text *html, const json_t *peers)
{
    if (json_array_size(peers) == 0)
        return;
    base_text_add(html,
                  "<div class='box'><h2>Other programs, at the largest step with at most 1 %% error in motion</h2>"
                  "<table><tr><th>program</th><th>strands</th><th>tip error</th><th>its strand-s per s</th>"
                  "<th>Sheaf's</th><th>Sheaf / it</th></tr>\n");
    for (size_t k = 0; k < json_array_size(peers); k++) {
        const json_t *peer = json_array_get(peers, k);
        const char *name = json_string_value(json_object_get(peer, "peer"));
        base_text_add(html, "<tr><td>");
        io_html_text(html, name != NULL ? name : "?");
        base_text_add(html, "</td>");
        add_number(html, peer, "strands", 1, "");
        add_number(html, peer, "tip_error", 100, " %");
        add_number(html, peer, "strand_seconds_per_s", 1, "");
        add_number(html, peer, "ours_strand_seconds_per_s", 1, "");
        add_number(html, peer, "ratio", 1, "");
        base_text_add(html, "</tr>\n");
    }
    base_text_add(html, "</table></div>\n");
}

// ---- the page

static void add_head(base_text *html, const bench_results *results)
{
    base_text_add(html, "<header><div><h1>How fast Sheaf steps on ");
    io_html_text(html, results->machine);
    base_text_add(html, "</h1><p>");
    io_html_text(html, results->device.name);
    base_text_add(html, " &middot; ");
    io_html_text(html, results->device.platform);
    base_text_add(html, " ");
    io_html_text(html, results->device.driver);
    base_text_add(html, " &middot; best round of each, after %d that are not timed</p></div>", BENCH_WARM_UP);
    base_text_add(html, "<span class='chip %s'>%s</span></header>\n", results->is_complete ? "good" : "odd",
                  results->is_complete ? "complete" : "stopped early");
}

sheaf_status cli_bench_page(const bench_results *results, base_text *html)
{
    io_html_open(html, "How fast Sheaf steps");
    add_head(html, results);
    base_text_add(html, "<div class='grid'>\n");
    add_cards(html, &results->limits);
    add_verdicts(html, results);
    add_roofline(html, results);
    add_growth(html, results, false);
    add_growth(html, results, true);
    base_text_add(html, "</div>\n");
    add_stages(html, results);
    add_rows(html, results);
    add_peers(html, results->peers);
    io_html_close(html);
    return base_text_status(html);
}
