// reproduce: `sheaf reproduce`, which runs the papers' experiments and makes one page of them.
#include "reproduce/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "cli/probe.h"
#include "cli/signals.h"

typedef struct reproduce_values {
    uint64_t names;
    bool list;
    int device;
    int precision;
    bool is_short;
    const char *output;
    bool overwrite;
    bool json;
} reproduce_values;

static const cli_operand operands[] = {
    {"NAME", CLI_CHOICES, reproduce_names, false, "experiment to run, or all", offsetof(reproduce_values, names)},
    {0},
};

static const char *const precisions[] = {"auto", "single", "double", NULL};

static const cli_option options[] = {
    {.name = "list", .letter = 'l', .doc = "list the experiments", .offset = offsetof(reproduce_values, list)},
    {.name = "device",
     .letter = 'd',
     .kind = CLI_CHOICE,
     .argument = "auto|ref|N",
     .choices = cli_backends,
     .preset = "auto",
     .doc = "what computes: the best OpenCL device, the fp64 reference, or device number N",
     .offset = offsetof(reproduce_values, device)},
    {.name = "precision",
     .kind = CLI_CHOICE,
     .argument = "auto|single|double",
     .choices = precisions,
     .preset = "auto",
     .doc = "of numbers on the device",
     .offset = offsetof(reproduce_values, precision)},
    {.name = "short",
     .doc = "small forms of the experiments, in seconds: fewer strands, coarser ones, wider bars",
     .offset = offsetof(reproduce_values, is_short)},
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FOLDER,
     .argument = "DIR",
     .preset = "reproduce.run",
     .doc = "folder for the page, plots, pictures and data",
     .offset = offsetof(reproduce_values, output)},
    {.name = "overwrite", .doc = "replace files of an earlier time", .offset = offsetof(reproduce_values, overwrite)},
    {.name = "json", .doc = "write JSON", .offset = offsetof(reproduce_values, json)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf reproduce --list", "what there is"},
    {"sheaf reproduce all", "everything, in a quarter of an hour; see reproduce.run/index.html"},
    {"sheaf reproduce helix michell --device ref -o check", "two of them on the reference"},
    {0},
};

// ---- listing

static json_t *experiment_json(const reproduce_experiment *e)
{
    return json_pack("{s:s, s:s, s:s, s:s}", "name", e->name, "title", e->title, "figure", e->figure, "about",
                     e->about);
}

static int list_experiments(bool json)
{
    if (json) {
        json_t *all = json_array();
        for (size_t k = 0; reproduce_experiments[k] != NULL; k++)
            json_array_append_new(all, experiment_json(reproduce_experiments[k]));
        return cli_print_json(json_pack("{s:o}", "experiments", all));
    }
    base_text text = {0};
    for (size_t k = 0; reproduce_experiments[k] != NULL; k++) {
        const reproduce_experiment *e = reproduce_experiments[k];
        base_text_add(&text, "%-12s %-10s %s\n", e->name, e->figure[0] != 0 ? e->figure : "-", e->about);
    }
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

// ---- running

typedef struct showing {
    bool json;
    bool has_line;  // progress is on the terminal
    char last[160]; // notice; many batches have the same to tell
} showing;

static void clear_line(showing *it)
{
    if (it->has_line)
        fprintf(stderr, "\r\x1b[K");
    it->has_line = false;
}

static void show_notice(sheaf_log_level level, const char *message, void *user)
{
    showing *it = user;
    if (strncmp(it->last, message, sizeof it->last - 1) == 0)
        return;
    snprintf(it->last, sizeof it->last, "%s", message);
    clear_line(it);
    if (level == SHEAF_LOG_WARNING)
        cli_warn("%s", message);
    else
        cli_note("%s", message);
}

static void show_verdict(const reproduce_row *row, void *user)
{
    showing *it = user;
    clear_line(it);
    if (it->json)
        return;
    base_text text = {0};
    base_text_add(&text, "%s: %s: measured %.6g, expected %.6g, error %.2g, bar %.2g: %s\n", row->experiment,
                  row->quantity, row->measured, row->expected, row->error, row->bar, row->pass ? "pass" : "fail");
    cli_print(&text);
    base_text_free(&text);
}

static bool show_progress(const char *experiment, const char *what, void *user)
{
    showing *it = user;
    if (cli_terminal()) {
        fprintf(stderr, "\r\x1b[K%s: %.60s", experiment, what);
        (void)fflush(stderr);
        it->has_line = true;
    }
    return cli_caught_signal() == 0;
}

// JSON has no infinity: what is not a number is null.
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const reproduce_row *row)
{
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:b}", "experiment", row->experiment, "quantity", row->quantity,
                     "measured", number(row->measured), "expected", number(row->expected), "error", number(row->error),
                     "bar", number(row->bar), "pass", row->pass);
}

static int conclude(const reproduce_values *values, const reproduce_summary *summary, double seconds)
{
    int printed = CLI_EXIT_OK;
    char shown[512];
    if (values->json) {
        json_t *rows = json_array();
        for (uint32_t k = 0; k < summary->row_count; k++)
            json_array_append_new(rows, row_json(&summary->rows[k]));
        printed = cli_print_json(json_pack("{s:o, s:i, s:i, s:f}", "rows", rows, "passed",
                                           (int)(summary->row_count - summary->failed), "failed", (int)summary->failed,
                                           "seconds", seconds));
    }
    cli_note("%u of %u verdicts pass, after %.0f s; open %s/index.html in a browser",
             summary->row_count - summary->failed, summary->row_count, seconds,
             base_printable(values->output, shown, sizeof shown));
    return summary->failed > 0 ? sheaf_status_exit_code(SHEAF_ERR_MISMATCH) : printed;
}

static uint64_t chosen_of(uint64_t names)
{
    uint32_t count = 0;
    while (reproduce_experiments[count] != NULL)
        count++;
    return names >> count & 1 ? (1ull << count) - 1 : names;
}

static int run_reproduce(const void *given)
{
    const reproduce_values *values = given;
    showing it = {.json = values->json};
    reproduce_summary summary = {0};
    reproduce_options wish = {.folder = values->output,
                              .overwrite = values->overwrite,
                              .chosen = chosen_of(values->names),
                              .is_short = values->is_short,
                              .precision = (sheaf_precision)values->precision,
                              .solver = sheaf_solver_def_default()};
    if (values->list)
        return list_experiments(values->json);
    if (wish.chosen == 0)
        return cli_refuse(&cli_command_reproduce, "which experiment? --list shows them; all runs all");
    const double start = base_clock();
    sheaf_log_set(show_notice, &it);
    cli_set_backend(values->device, &wish.solver);
    sheaf_status status = cli_pick_device(&wish.solver, false);
    cli_catch_signals();
    if (status == SHEAF_OK)
        status = reproduce_all(&wish, &(reproduce_hooks){show_verdict, show_progress, &it}, &summary);
    clear_line(&it);
    sheaf_log_set(NULL, NULL); // `it` ends with this call
    const int code = status == SHEAF_OK         ? conclude(values, &summary, base_clock() - start)
                     : cli_caught_signal() != 0 ? 128 + cli_caught_signal()
                                                : cli_fail(status);
    base_free(summary.rows);
    return code;
}

const cli_command cli_command_reproduce = {
    .name = "reproduce",
    .summary = "runs the papers' experiments, with plots and verdicts",
    .description =
        "Runs experiments of the paper Discrete Elastic Rods (Bergou and others, 2008) and of the theory of rods, and "
        "holds what is measured against what is known. Every experiment is one or several scenes of scenes/papers/, "
        "run as they are or as many variants at once.\n\n"
        "Each leaves a line for every verdict, data (CSV), plots (SVG) and pictures (PNG) in a folder of its own, and "
        "all of them together one page, index.html, that needs no other file. The exit code is 5 when a verdict "
        "fails.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(reproduce_values),
    .run = run_reproduce,
};
