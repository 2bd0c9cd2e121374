// bench: `sheaf bench`, which measures how fast steps are, as a share of what the machine can do.
#include "cli/bench.h"

#include "cl/width.h"
#include "cli/command.h"
#include "cli/message.h"
#include "cli/probe.h"

#include <math.h>

typedef struct bench_values {
    uint64_t workloads; // a bit for each of `names`
    int device;
    bool json;
    bool quick;
    bool worker;
} bench_values;

// The group, the workloads as in bench_workload, then all sets but that of the workloads as in bench_set.
enum { NAME_ENGINE, NAME_WORKLOADS, NAME_SETS = NAME_WORKLOADS + BENCH_WORKLOAD_COUNT };
static const char *const names[] = {"engine",    "bdf2",    "bdf2-2newton", "explicit", "forms",
                                    "schedules", "threads", "strands",      "vertices", NULL};

static const cli_operand operands[] = {
    {"WORKLOAD", CLI_CHOICES, names, false, "what to measure (default: engine, which is all of them)",
     offsetof(bench_values, workloads)},
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
    {.name = "json", .doc = "write JSON", .offset = offsetof(bench_values, json)},
    {.name = "quick",
     .doc = "small populations and few repeats, to see that it works; the figures mean little",
     .offset = offsetof(bench_values, quick)},
    {.name = "worker",
     .doc = "measure on a device that was tried before",
     .offset = offsetof(bench_values, worker),
     .hidden = true},
    {0},
};

static const cli_example examples[] = {
    {"sheaf bench", "everything, which takes about two minutes"},
    {"sheaf bench bdf2 explicit --json > figures.json", "two workloads, for a script"},
    {0},
};

// ---- measuring

static bool is_wanted(const bench_values *values, int name)
{
    return values->workloads == 0 || (values->workloads & 1u << NAME_ENGINE) || (values->workloads >> name & 1);
}

// The cases of a set that are wanted.
static uint32_t choose_cases(const bench_values *values, bench_set set, uint32_t width,
                             bench_case cases[BENCH_CASES_MOST])
{
    const uint32_t planned = bench_plan(set, width, values->quick, cases);
    uint32_t count = 0;
    for (uint32_t k = 0; k < planned; k++)
        if (is_wanted(values, set == BENCH_SET_WORKLOADS ? NAME_WORKLOADS + (int)k : NAME_SETS + (int)set - 1))
            cases[count++] = cases[k];
    return count;
}

static sheaf_status measure_set(const bench_values *values, uint32_t device, uint32_t width, peak_probe *probe,
                                bench_set set, bench_results *results)
{
    bench_section *section = &results->sections[results->count];
    bench_case cases[BENCH_CASES_MOST];
    const uint32_t count = choose_cases(values, set, width, cases);
    *section = (bench_section){.set = set, .count = count};
    if (count == 0 || (set == BENCH_SET_THREADS && !cli_bench_has_threads(&results->device)))
        return SHEAF_OK;
    if (cli_terminal())
        cli_note("measuring %s", bench_set_name(set));
    if (set == BENCH_SET_THREADS)
        SHEAF_TRY(cli_bench_threads(&(bench_threads){device, values->quick}, section));
    else
        SHEAF_TRY(bench_measure(device, cases, count, bench_effort_of(set, values->quick), probe, section->rows));
    section->verdict_count = bench_judge(set, section->rows, section->count, section->verdicts);
    for (uint32_t k = 0; k < section->count && set != BENCH_SET_THREADS; k++)
        results->peak = fmax(results->peak, section->rows[k].peak);
    results->count++;
    return SHEAF_OK;
}

static sheaf_status measure_sets(const bench_values *values, uint32_t device, peak_probe *probe, bench_results *results)
{
    uint32_t width;
    SHEAF_TRY(width_choose(device, &results->device, false, &width));
    SHEAF_TRY(peak_flops(probe, &results->peak));
    SHEAF_TRY(peak_copy(probe, &results->copy));
    for (bench_set set = 0; set < BENCH_SET_COUNT; set++)
        SHEAF_TRY(measure_set(values, device, width, probe, set, results));
    return SHEAF_OK;
}

static sheaf_status measure_double_peak(bench_results *results)
{
    peak_probe *probe;
    if (!results->device.has_fp64)
        return SHEAF_OK;
    SHEAF_TRY(peak_open(&results->device, true, &probe));
    const sheaf_status status = peak_flops(probe, &results->peak_double);
    peak_close(probe);
    return status;
}

static sheaf_status pick_device(const bench_values *values, uint32_t *device)
{
    sheaf_solver_def solver = sheaf_solver_def_default();
    solver.backend = SHEAF_BACKEND_DEVICE;
    solver.device = cli_device_number(values->device);
    if (!values->worker)
        SHEAF_TRY(cli_pick_device(&solver));
    *device = solver.device;
    return SHEAF_OK;
}

static sheaf_status measure(const bench_values *values, bench_results *results)
{
    uint32_t device;
    peak_probe *probe;
    SHEAF_TRY(pick_device(values, &device));
    SHEAF_TRY(device_find(device, &results->device));
    cli_bench_machine(results->machine, sizeof results->machine);
    if (!values->worker)
        SHEAF_TRY(measure_double_peak(results));
    SHEAF_TRY(peak_open(&results->device, false, &probe));
    const sheaf_status status = measure_sets(values, device, probe, results);
    peak_close(probe);
    return status;
}

static int show(const bench_results *results, bool json)
{
    base_text text = {0};
    if (json)
        return cli_print_json(cli_bench_json(results));
    cli_bench_table(results, &text);
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

static int run_bench(const void *given)
{
    const bench_values *values = given;
    bench_results *results = base_alloc(1, sizeof *results);
    const sheaf_status status = results ? measure(values, results) : SHEAF_ERR_MEMORY;
    const int code = status == SHEAF_OK ? show(results, values->json) : cli_fail(status);
    base_free(results);
    return code;
}

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "measures how fast steps are on a device",
    .description =
        "Measures steps of populations of hair, 20000 strands of 32 vertices, in turn with the device's peak of "
        "multiply-adds. The cost of a step is told in peak flops per vertex-step: how many multiply-adds (counted "
        "twice) the device could have done in the time that one vertex takes for one step. It depends little on the "
        "machine; lower is better. A busy machine makes it higher by up to 1.4 times: measure when nothing else "
        "runs.\n\n"
        "bdf2 is the default schedule on calm, naturally straight hair, bdf2-2newton makes two Newton iterations in "
        "each step on curled hair, explicit is the explicit integrator. forms compares lane widths, schedules whole "
        "steps in one kernel with one kernel per stage, threads two threads with one (on PoCL), strands and vertices "
        "how cost grows with their number.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(bench_values),
    .run = run_bench,
};
