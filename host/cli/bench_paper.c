// bench_paper: the paper's own table of times beside ours, on one core: a process of its own with one thread, where the
// driver lets itself be told.
#include "cli/bench.h"

#include "cli/message.h"
#include "cli/signals.h"
#include "der/bench/paper.h"

#include <stdio.h>
#include <string.h>

// ---- measuring

static bool is_stopped(void)
{
    return cli_caught_signal() != 0;
}

// Clock of the first processor in Hz, as the system tells it; 0: it does not.
static double machine_clock(void)
{
    char line[256];
    double megahertz = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && megahertz == 0 && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "cpu MHz", 7) == 0 && strchr(line, ':') != NULL)
            megahertz = strtod(strchr(line, ':') + 1, NULL);
    if (file != NULL)
        (void)fclose(file);
    return 1e6 * megahertz;
}

static json_t *times_json(const bench_paper_row *row, const bench_paper_times *times)
{
    return json_pack(
        "{s:f, s:f, s:f, s:f, s:o, s:f, s:f, s:f, s:f, s:f, s:f}", "forces_ms", 1e3 * times->forces, "twist_ms",
        1e3 * times->twist, "projection_ms", 1e3 * times->projection, "one_ms", 1e3 * times->one, "one_double_ms",
        times->one_double > 0 ? json_real(1e3 * times->one_double) : json_null(), "batch_ms", 1e3 * times->batch,
        "reference_ms", 1e3 * times->reference, "projections", times->projections, "strain", times->strain,
        "ratio_of_one", bench_paper_ratio(row, times->one), "ratio_of_batch", bench_paper_ratio(row, times->batch));
}

// `ours` is stolen.
static json_t *row_json(const bench_paper_row *row, json_t *ours)
{
    json_t *contact = row->contact > 0 ? json_real(1e3 * row->contact) : json_null();
    return json_pack("{s:s, s:s, s:i, s:f, s:{s:f, s:o, s:f, s:f, s:f}, s:o}", "figure", row->figure, "what", row->what,
                     "vertices", (int)row->vertices, "step_ms", 1e3 * row->step, "paper", "forces_ms",
                     1e3 * row->forces, "contact_ms", contact, "twist_ms", 1e3 * row->twist, "projection_ms",
                     1e3 * row->projection, "total_ms", 1e3 * row->total, "ours", ours);
}

static sheaf_status measure_here(uint32_t device, bool quick, json_t **paper)
{
    json_t *rows = json_array();
    device_info info;
    *paper = NULL;
    sheaf_status status = device_find(device, &info);
    for (int k = 0; k < BENCH_PAPER_ROWS && status == SHEAF_OK; k++) {
        const bench_paper_row *row = &bench_paper_table[k];
        bench_paper_times times;
        if (row->scene != NULL)
            status = bench_paper_measure(device, row, quick, is_stopped, &times);
        if (status == SHEAF_OK)
            json_array_append_new(rows, row_json(row, row->scene ? times_json(row, &times) : json_null()));
    }
    if (status == SHEAF_OK)
        *paper = json_pack("{s:f, s:f, s:i, s:i, s:O}", "paper_clock_ghz", 1e-9 * bench_paper_clock, "clock_ghz",
                           1e-9 * machine_clock(), "threads", (int)info.compute_units, "batch", BENCH_PAPER_BATCH,
                           "rows", rows);
    json_decref(rows);
    return status;
}

static sheaf_status measure_in_child(uint32_t device, bool quick, json_t **paper)
{
    json_t *root;
    *paper = NULL;
    SHEAF_TRY(cli_bench_worker("paper", &(bench_threads){.device = device, .quick = quick}, 1, &root));
    *paper = json_incref(json_object_get(root, "paper"));
    json_decref(root);
    if (json_is_object(*paper))
        return SHEAF_OK;
    json_decref(*paper);
    *paper = NULL;
    return base_fail(SHEAF_ERR_DEVICE, "a measurement with one thread told nothing");
}

sheaf_status cli_bench_paper(const device_info *info, uint32_t device, bool quick, bool worker, json_t **paper)
{
    if (!worker && cli_terminal())
        cli_note("measuring the paper's scenes");
    return worker || !cli_bench_has_threads(info) ? measure_here(device, quick, paper)
                                                  : measure_in_child(device, quick, paper);
}

// ---- table

static void add_number(base_text *text, const json_t *times, const char *key, int width)
{
    const json_t *value = json_object_get(times, key);
    if (json_is_number(value))
        base_text_add(text, " %*.*f", width, json_number_value(value) < 0.1 ? 4 : 2, json_number_value(value));
    else
        base_text_add(text, " %*s", width, "-");
}

static void add_row(base_text *text, const json_t *row)
{
    static const char *const theirs[] = {"forces_ms", "contact_ms", "twist_ms", "projection_ms", "total_ms"};
    static const char *const mine[] = {"forces_ms",     "twist_ms", "projection_ms", "one_ms",
                                       "one_double_ms", "batch_ms", "reference_ms"};
    const json_t *paper = json_object_get(row, "paper"), *ours = json_object_get(row, "ours");
    base_text_add(text, "%-4s %5d %5.1f", json_string_value(json_object_get(row, "figure")),
                  (int)json_integer_value(json_object_get(row, "vertices")),
                  json_real_value(json_object_get(row, "step_ms")));
    for (size_t k = 0; k < sizeof theirs / sizeof *theirs; k++)
        add_number(text, paper, theirs[k], 7);
    base_text_add(text, "  |");
    for (size_t k = 0; k < sizeof mine / sizeof *mine && json_is_object(ours); k++)
        add_number(text, ours, mine[k], 7);
    if (json_is_object(ours))
        base_text_add(text, "  | %6.1f %6.0f\n", json_real_value(json_object_get(ours, "ratio_of_one")),
                      json_real_value(json_object_get(ours, "ratio_of_batch")));
    else
        base_text_add(text, " not yet: %s\n", json_string_value(json_object_get(row, "what")));
}

void cli_bench_paper_table(const json_t *paper, base_text *text)
{
    const json_t *rows = json_object_get(paper, "rows");
    base_text_add(
        text,
        "\npaper: Table 1 of Discrete Elastic Rods (%.2f GHz, one thread) and ours (%.2f GHz, %d thread%s), ms "
        "per step\n",
        json_real_value(json_object_get(paper, "paper_clock_ghz")),
        json_real_value(json_object_get(paper, "clock_ghz")),
        (int)json_integer_value(json_object_get(paper, "threads")),
        json_integer_value(json_object_get(paper, "threads")) == 1 ? "" : "s");
    base_text_add(text, "%-4s %5s %5s %7s %7s %7s %7s %7s  | %7s %7s %7s %7s %7s %7s %7s  | %s\n", "fig.", "vert.",
                  "step", "forces", "contact", "twist", "proj.", "total", "forces", "twist", "proj.", "total", "double",
                  "batch", "ref.", "faster: one, batch");
    for (size_t k = 0; k < json_array_size(rows); k++)
        add_row(text, json_array_get(rows, k));
    base_text_add(
        text,
        "total, double, ref.: one strand in single and double precision and on the reference; batch: each of %d "
        "strands; faster: than the paper's total without contact, single precision\n",
        (int)json_integer_value(json_object_get(paper, "batch")));
}
