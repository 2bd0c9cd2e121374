// bench: `sheaf bench`, which measures how fast steps are, as a share of what the machine can do.
#include "cli/bench.h"

#include "bench/laws.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/probe.h"
#include "cli/signals.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_values {
    uint64_t names; // a bit for each of `names`
    const char *save, *page, *compare, *peers;
    int device;
    bool json;
    bool quick;
    bool gpus;
    bool worker;
} bench_values;

#define SET(name) (1u << BENCH_SET_##name)

// What can be asked for: groups of sets, sets, and the workloads that have bars.
enum { NAME_ALL, NAME_PAPER = 14, NAME_WORKLOADS };
static const char *names[NAME_WORKLOADS + BENCH_CASES_MOST + 1] = {
    "all",   "engine",  "stages",   "scaling",    "populations", "forms",  "schedules", "threads",
    "twist", "strands", "vertices", "projectors", "laws",        "limits", "paper"};
static const uint32_t name_sets[] = {
    (1u << BENCH_SET_COUNT) - 1,
    SET(WORKLOADS) | SET(FORMS) | SET(SCHEDULES) | SET(THREADS),
    SET(STAGES) | SET(TWIST) | SET(PROJECTORS),
    SET(STRANDS) | SET(VERTICES),
    SET(POPULATIONS),
    SET(FORMS),
    SET(SCHEDULES),
    SET(THREADS),
    SET(TWIST),
    SET(STRANDS),
    SET(VERTICES),
    SET(PROJECTORS),
    SET(LAWS),
    0, // limits of the device, which are measured in any case
    0, // the paper's table, which is no set
};

static const cli_operand operands[] = {
    {"WORKLOAD", CLI_CHOICES, (const char *const *)names, false, "what to measure (default: all)",
     offsetof(bench_values, names)},
    {0},
};

static const cli_option options[] = {
    {.name = "device",
     .letter = 'd',
     .kind = CLI_CHOICE,
     .argument = "auto|N",
     .choices = cli_devices,
     .preset = "auto",
     .doc = "what computes: the best OpenCL device, or device number N",
     .offset = offsetof(bench_values, device)},
    {.name = "json", .doc = "write JSON instead of a table", .offset = offsetof(bench_values, json)},
    {.name = "save",
     .letter = 'o',
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "keep the figures as JSON in a file, too",
     .offset = offsetof(bench_values, save)},
    {.name = "page",
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "write one HTML page, too: roofline, scaling, stages, peers",
     .offset = offsetof(bench_values, page)},
    {.name = "compare",
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "compare with figures that were saved before; exit code 5 where anything is slower",
     .offset = offsetof(bench_values, compare)},
    {.name = "peers",
     .kind = CLI_FILE,
     .argument = "FILE",
     .doc = "figures of other programs, to be kept and shown beside ours",
     .offset = offsetof(bench_values, peers)},
    {.name = "quick",
     .doc = "small populations and few repeats, to see that it works; the figures mean little",
     .offset = offsetof(bench_values, quick)},
    {.name = "gpus",
     .doc = "measure nothing: say what a model expects of GPUs (docs/gpus.md)",
     .offset = offsetof(bench_values, gpus)},
    {.name = "worker",
     .doc = "measure on a device that was tried before",
     .offset = offsetof(bench_values, worker),
     .hidden = true},
    {0},
};

static const cli_example examples[] = {
    {"sheaf bench --save figures.json --page figures.html", "everything, which takes about nine minutes"},
    {"sheaf bench bdf2 explicit --json > figures.json", "two workloads, for a script"},
    {"sheaf bench engine --save before.json", "what the engine does today"},
    {"sheaf bench engine --compare before.json", "and whether it got slower since"},
    {"sheaf bench --gpus", "what GPUs should do, by their public figures"},
    {0},
};

// ---- measuring

enum { REVISIT_EVERY = 3 }; // sets between visits to the workloads

static bool is_stopped(void)
{
    return cli_caught_signal() != 0;
}

static bool has_name(const bench_values *values, uint32_t name)
{
    return (values->names >> name & 1) != 0;
}

void cli_bench_find_names(void)
{
    bench_case cases[BENCH_CASES_MOST];
    const uint32_t count = bench_plan(BENCH_SET_WORKLOADS, 1, true, cases);
    for (uint32_t k = 0; k < count; k++)
        names[NAME_WORKLOADS + k] = cases[k].workload->name;
}

// The case of a set that is number k of it.
static bool is_wanted(const bench_values *values, bench_set set, uint32_t k)
{
    if (values->names == 0)
        return true;
    for (uint32_t name = 0; name < NAME_WORKLOADS; name++)
        if (has_name(values, name) && (name_sets[name] >> set & 1))
            return true;
    return set == BENCH_SET_WORKLOADS && has_name(values, NAME_WORKLOADS + k);
}

static uint32_t choose_cases(const bench_values *values, bench_set set, uint32_t width,
                             bench_case cases[BENCH_CASES_MOST])
{
    const uint32_t planned = bench_plan(set, width, values->quick, cases);
    uint32_t count = 0;
    for (uint32_t k = 0; k < planned; k++)
        if (is_wanted(values, set, k))
            cases[count++] = cases[k];
    return count;
}

static sheaf_status measure_cases(const bench_values *values, uint32_t device, const bench_case *cases,
                                  peak_probe *probe, bench_section *section)
{
    bench_effort effort = bench_effort_of(section->set, values->quick);
    effort.stop = is_stopped;
    if (section->set == BENCH_SET_THREADS)
        return cli_bench_threads(&(bench_threads){device, cases[0].lane_width, values->quick}, section);
    return bench_measure(device, cases, section->count, effort, probe, section->rows);
}

// A set that fails is told of and left out; the others go on.
static sheaf_status measure_set(const bench_values *values, uint32_t device, uint32_t width, peak_probe *probe,
                                bench_set set, bench_results *results)
{
    bench_section *section = &results->sections[results->count];
    bench_case cases[BENCH_CASES_MOST];
    *section = (bench_section){.set = set, .count = choose_cases(values, set, width, cases)};
    if (section->count == 0 || (set == BENCH_SET_THREADS && !cli_bench_has_threads(&results->device)))
        return SHEAF_OK;
    if (cli_terminal())
        cli_note("measuring %s", bench_set_name(set));
    const sheaf_status status = measure_cases(values, device, cases, probe, section);
    if (status != SHEAF_OK && is_stopped())
        return SHEAF_ERR_INTERRUPTED;
    if (status != SHEAF_OK) {
        section->count = 0;
        snprintf(section->failure, sizeof section->failure, "%s", sheaf_last_error());
    }
    section->verdict_count = bench_judge(set, section->rows, section->count, section->verdicts);
    if (set == BENCH_SET_LAWS && section->count > 0 &&
        bench_judge_evaluation(probe, &section->verdicts[section->verdict_count]) == SHEAF_OK)
        section->verdict_count++;
    for (uint32_t k = 0; k < section->count && set != BENCH_SET_THREADS; k++)
        results->limits.peak = fmax(results->limits.peak, section->rows[k].peak);
    results->count++;
    return SHEAF_OK;
}

// The workloads that have bars are visited again between other sets: what makes a machine busy may last for minutes,
// and their best round is to meet it quiet.
static void revisit_workloads(const bench_values *values, uint32_t device, uint32_t width, peak_probe *probe,
                              bench_results *results)
{
    bench_section *section = &results->sections[0], again = {.set = BENCH_SET_WORKLOADS};
    bench_case cases[BENCH_CASES_MOST];
    if (results->count < 2 || section->set != BENCH_SET_WORKLOADS || section->count == 0)
        return;
    again.count = choose_cases(values, again.set, width, cases);
    const sheaf_status status = measure_cases(values, device, cases, probe, &again);
    if (status != SHEAF_OK && !is_stopped())
        snprintf(section->failure, sizeof section->failure, "%s", sheaf_last_error());
    if (status != SHEAF_OK)
        return;
    for (uint32_t k = 0; k < section->count; k++)
        bench_join(&section->rows[k], &again.rows[k]);
    section->verdict_count = bench_judge(section->set, section->rows, section->count, section->verdicts);
}

static sheaf_status measure_sets(const bench_values *values, uint32_t device, peak_probe *probe, bench_results *results)
{
    uint32_t width;
    SHEAF_TRY(bench_choose_width(device, &results->device, &width));
    if (values->worker)
        SHEAF_TRY(peak_flops(probe, &results->limits.peak));
    else
        SHEAF_TRY(bench_probe_limits(&results->device, probe, &results->limits));
    for (bench_set set = 0; set < BENCH_SET_COUNT && !is_stopped(); set++) {
        SHEAF_TRY(measure_set(values, device, width, probe, set, results));
        if (set % REVISIT_EVERY == 0 && !is_stopped())
            revisit_workloads(values, device, width, probe, results);
    }
    return SHEAF_OK;
}

// Like a set that fails, it does not end the others.
static void measure_paper(const bench_values *values, uint32_t device, bench_results *results)
{
    if (is_stopped() || !(values->names == 0 || has_name(values, NAME_ALL) || has_name(values, NAME_PAPER)))
        return;
    if (cli_bench_paper(&results->device, device, values->quick, values->worker, &results->paper) != SHEAF_OK &&
        !is_stopped())
        snprintf(results->paper_failure, sizeof results->paper_failure, "%s", sheaf_last_error());
}

static sheaf_status pick_device(const bench_values *values, uint32_t *device)
{
    sheaf_solver_def solver = sheaf_solver_def_default();
    solver.backend = SHEAF_BACKEND_DEVICE;
    solver.device = cli_device_number(values->device);
    if (!values->worker)
        SHEAF_TRY(cli_pick_device(&solver, false));
    *device = solver.device;
    return SHEAF_OK;
}

static sheaf_status measure_all(const bench_values *values, bench_results *results)
{
    uint32_t device;
    peak_probe *probe;
    SHEAF_TRY(pick_device(values, &device));
    SHEAF_TRY(device_find(device, &results->device));
    cli_bench_machine(results->machine, sizeof results->machine);
    SHEAF_TRY(peak_open(&results->device, false, 0, &probe));
    const sheaf_status status = measure_sets(values, device, probe, results);
    peak_close(probe);
    if (status == SHEAF_OK)
        measure_paper(values, device, results);
    return status;
}

// A signal ends the measuring, not the results so far.
static sheaf_status measure(const bench_values *values, bench_results *results)
{
    const sheaf_status status = measure_all(values, results);
    results->is_complete = !is_stopped();
    return is_stopped() ? SHEAF_OK : status;
}

// ---- results

static sheaf_status save(const bench_results *results, const char *path)
{
    json_t *json = cli_bench_json(results);
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    const sheaf_status status =
        text ? io_file_write(path, true, text, strlen(text)) : base_fail(SHEAF_ERR_MEMORY, "out of memory");
    free(text);
    json_decref(json);
    return status;
}

static sheaf_status write_page(const bench_results *results, const char *path)
{
    base_text html = {0};
    sheaf_status status = cli_bench_page(results, &html);
    if (status == SHEAF_OK)
        status = io_file_write(path, true, base_text_get(&html), html.length);
    base_text_free(&html);
    return status;
}

// The table with the comparison; or JSON, and the comparison as messages.
static sheaf_status show(const bench_values *values, const bench_results *results, uint32_t *slower)
{
    base_text text = {0};
    sheaf_status status = SHEAF_OK;
    if (values->json)
        (void)cli_print_json(cli_bench_json(results));
    else
        cli_bench_table(results, &text);
    if (values->compare != NULL)
        status = cli_bench_compare(results, values->compare, &text, slower);
    if (values->json)
        (void)fputs(base_text_get(&text), stderr);
    else
        cli_print(&text);
    base_text_free(&text);
    return status;
}

static int conclude(const bench_values *values, const bench_results *results)
{
    uint32_t slower = 0;
    const sheaf_status shown = show(values, results, &slower);
    sheaf_status saved = values->save ? save(results, values->save) : SHEAF_OK;
    if (values->page != NULL && saved == SHEAF_OK)
        saved = write_page(results, values->page);
    if (saved != SHEAF_OK || shown != SHEAF_OK)
        return cli_fail(saved != SHEAF_OK ? saved : shown);
    if (is_stopped())
        return 128 + cli_caught_signal();
    for (uint32_t s = 0; s < results->count; s++)
        if (results->sections[s].failure[0] != 0)
            return sheaf_status_exit_code(SHEAF_ERR_FAILED);
    if (results->paper_failure[0] != 0)
        return sheaf_status_exit_code(SHEAF_ERR_FAILED);
    return slower > 0 ? sheaf_status_exit_code(SHEAF_ERR_MISMATCH) : CLI_EXIT_OK;
}

// What is read later is looked at first: minutes of measuring are not to end in a wrong file name.
static sheaf_status load_files(const bench_values *values, json_t **peers)
{
    json_t *before = NULL;
    *peers = NULL;
    if (values->compare != NULL)
        SHEAF_TRY(cli_bench_load(values->compare, "rows", &before));
    json_decref(before);
    return values->peers ? cli_bench_load(values->peers, "peers", peers) : SHEAF_OK;
}

static int show_gpus(void)
{
    base_text text = {0};
    cli_bench_gpu_table(&text);
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

static int run_bench(const void *given)
{
    const bench_values *values = given;
    if (values->gpus)
        return show_gpus();
    json_t *peers = NULL, *none = json_array();
    bench_results *results = base_alloc(1, sizeof *results);
    cli_catch_signals();
    sheaf_status status = results ? load_files(values, &peers) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK) {
        results->peers = peers ? json_object_get(peers, "peers") : none;
        status = measure(values, results);
    }
    const int code = status == SHEAF_OK ? conclude(values, results) : cli_fail(status);
    json_decref(peers);
    json_decref(none);
    json_decref(results ? results->paper : NULL);
    base_free(results);
    return code;
}

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "measures how fast steps are on a device",
    .description =
        "Measures what the device can do at best (multiply-adds, copies, launches), then steps of populations, in turn "
        "with the device's peak of multiply-adds. The cost of a step is told in peak flops per vertex-step: how many "
        "multiply-adds (counted twice) the device could have done in the time that one vertex takes for one step. It "
        "depends little on the machine; lower is better. A busy machine makes it higher by up to 1.4 times: measure "
        "when nothing else runs. Ctrl-C ends it with the results so far.\n\n"
        "bdf2 is the default schedule on calm, naturally straight hair, bdf2-2newton makes two Newton iterations in "
        "each step on curled hair, explicit is the explicit integrator; all with 20000 strands of 32 vertices. forms "
        "compares lane widths, schedules whole steps in one kernel with one kernel per stage, threads two threads with "
        "one (on PoCL): together with the workloads these are the group engine. The group stages has every stage of a "
        "step by itself, twist (frames by closed form and by Newton iterations) and projectors (each until strain is "
        "at most 1e-4). laws compares curled hair of a material with a law, and with its polynomial, with linear hair, "
        "and "
        "times the law itself as kernels have it and as a tree that is differentiated at every call. populations are "
        "heads of hair and lawns, bare, and with gusts and colliders, and a blown head "
        "of curls that is filmed with 60 frames a second. scaling is strands, 64 to 1048576 of them as far as memory "
        "goes, and vertices, 8 to 512. limits measures no workload. "
        "paper times the scenes of Table 1 of Discrete Elastic Rods that can be built "
        "here, on one core, beside the paper's own times.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(bench_values),
    .run = run_bench,
};
