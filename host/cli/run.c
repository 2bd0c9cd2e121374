// run: `sheaf run`, which simulates a scene and leaves a folder of results.
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/load.h"
#include "cli/pocl.h"
#include "cli/probe.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "solver/solver.h"

typedef struct run_values {
    const char *scene;
    const char *output;
    int device;
    double time;
    uint64_t steps;
    uint64_t threads;
    bool without_trajectory;
    bool profile;
    bool overwrite;
    bool json;
    bool quiet;
} run_values;

static const cli_operand operands[] = {
    {"SCENE", CLI_FILE, NULL, true, "scene file", offsetof(run_values, scene)},
    {0},
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_FOLDER,
     .argument = "DIR",
     .doc = "folder for the results (default: the scene's name with .run instead of .yaml)",
     .offset = offsetof(run_values, output)},
    {.name = "device",
     .letter = 'd',
     .kind = CLI_CHOICE,
     .argument = "auto|ref|N",
     .choices = cli_backends,
     .preset = "auto",
     .doc = "what computes: the best OpenCL device, the fp64 reference on the CPU, or device number N",
     .offset = offsetof(run_values, device)},
    {.name = "time",
     .letter = 't',
     .kind = CLI_SECONDS,
     .argument = "T",
     .doc = "simulate to this time instead of the scene's end",
     .offset = offsetof(run_values, time)},
    {.name = "steps",
     .letter = 'n',
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "simulate so many steps instead",
     .offset = offsetof(run_values, steps)},
    {.name = "threads",
     .letter = 'j',
     .kind = CLI_COUNT,
     .argument = "N",
     .doc = "threads of the reference (default: one per core); results do not depend on it",
     .offset = offsetof(run_values, threads)},
    {.name = "no-trajectory",
     .doc = "keep no positions over time, only the last ones",
     .offset = offsetof(run_values, without_trajectory)},
    {.name = "profile",
     .doc =
         "run one kernel per stage of the step, and tell how long each took on the device; slower, with the same bits",
     .offset = offsetof(run_values, profile)},
    {.name = "overwrite",
     .doc = "replace the results of an earlier run in DIR",
     .offset = offsetof(run_values, overwrite)},
    {.name = "json", .doc = "write the run's record to standard output, too", .offset = offsetof(run_values, json)},
    {.name = "quiet", .letter = 'q', .doc = "no progress and no summary", .offset = offsetof(run_values, quiet)},
    {0},
};

static const cli_example examples[] = {
    {"sheaf run hair.yaml", "results in hair.run"},
    {"sheaf run hair.yaml --time 0.5 -o trial --overwrite", "the first half second, again and again"},
    {0},
};

enum { MOST_TOLD = 10 }; // incidents told one by one

// A run under way.
typedef struct run {
    const run_values *values;
    const cli_loaded *loaded;
    sheaf_solver *solver;
    io_folder folder;
    cli_progress progress;
    cli_results results;
    uint64_t total; // steps to take
    double step;    // s
    uint32_t told;  // incidents
} run;

// Tells which strands froze since the last time.
static sheaf_status tell_incidents(run *r, uint32_t frozen)
{
    if (frozen > r->told)
        cli_progress_clear(&r->progress);
    for (; r->told < frozen; r->told++) {
        sheaf_incident incident;
        SHEAF_TRY(sheaf_solver_incident(r->solver, r->told, &incident));
        SHEAF_TRY(cli_results_add_incident(&r->results, &incident));
        if (r->told < MOST_TOLD)
            cli_warn("strand %u diverged at step %llu: %s of vertex %u; it stays where it was", incident.strand,
                     (unsigned long long)incident.step, incident.quantity, incident.vertex);
        else if (r->told == MOST_TOLD)
            cli_warn("more strands diverged; " IO_RECORD_NAME " lists them");
    }
    return SHEAF_OK;
}

// Notes the figures of a frame.
static sheaf_status take_frame(run *r)
{
    sheaf_report report;
    SHEAF_TRY(sheaf_solver_report(r->solver, &report));
    SHEAF_TRY(tell_incidents(r, report.frozen_strands));
    return cli_results_add_frame(&r->results, &report);
}

// The step at which frame k is due: the first one not before its time.
static uint64_t frame_step(const run *r, uint64_t frame)
{
    return (uint64_t)ceil((double)frame / (r->loaded->model->def.frame_rate * r->step) - 1e-6);
}

static bool is_over(const run *r)
{
    const sheaf_report *last = cli_results_last(&r->results);
    return last->step >= r->total || cli_caught_signal() != 0 || last->frozen_strands == r->loaded->model->strand_count;
}

// Steps to `goal` in batches short enough to answer signals and show progress in between.
static sheaf_status step_to(run *r, uint64_t *done, uint64_t goal, uint32_t *batch)
{
    while (*done < goal && cli_caught_signal() == 0) {
        const uint32_t count = goal - *done < *batch ? (uint32_t)(goal - *done) : *batch;
        const double start = base_clock();
        SHEAF_TRY(sheaf_solver_step(r->solver, count));
        const double spent = base_clock() - start;
        *done += count;
        if (spent < 0.02 && *batch < 4096)
            *batch *= 2;
        else if (spent > 0.1 && *batch > 1)
            *batch /= 2;
        cli_progress_show(&r->progress, *done, cli_results_last(&r->results));
    }
    return SHEAF_OK;
}

static sheaf_status simulate(run *r)
{
    uint64_t done = 0, frame = 0;
    uint32_t batch = 1;
    SHEAF_TRY(take_frame(r));
    r->results.record.start_seconds = base_clock() - cli_start_time;
    while (!is_over(r)) {
        while (frame_step(r, frame) <= done)
            frame++;
        const uint64_t due = frame_step(r, frame);
        SHEAF_TRY(step_to(r, &done, due < r->total ? due : r->total, &batch));
        SHEAF_TRY(take_frame(r));
    }
    return SHEAF_OK;
}

static int exit_code(const run *r)
{
    if (cli_caught_signal() != 0)
        return 128 + cli_caught_signal();
    return cli_results_last(&r->results)->frozen_strands > 0 ? sheaf_status_exit_code(SHEAF_ERR_DIVERGED) : CLI_EXIT_OK;
}

static int conclude(run *r, double seconds)
{
    const int code = exit_code(r);
    cli_progress_clear(&r->progress);
    const sheaf_status status = cli_results_finish(&r->results, seconds, code);
    if (status != SHEAF_OK)
        return cli_fail(status);
    if (!r->values->quiet)
        cli_results_tell(&r->results);
    if (r->values->profile && !r->values->json)
        cli_results_print_profile(&r->results);
    const int printed = r->values->json ? cli_results_print(&r->results) : CLI_EXIT_OK;
    return code != CLI_EXIT_OK ? code : printed;
}

// Simulates into an open folder.
static int run_in_folder(run *r)
{
    cli_catch_signals();
    r->results.record = (io_record){.scene = r->values->scene,
                                    .model = r->loaded->model,
                                    .device = sheaf_solver_device(r->solver),
                                    .form = sheaf_solver_form(r->solver),
                                    .precision = sheaf_solver_precision(r->solver),
                                    .step = r->step};
    r->results.scene = r->loaded->scene;
    r->results.folder = &r->folder;
    r->results.solver = r->solver;
    r->results.without_trajectory = r->values->without_trajectory;
    sheaf_status status = cli_results_start(&r->results);
    if (status != SHEAF_OK)
        return cli_fail(status);
    r->progress = cli_progress_start(r->total, (double)r->total * r->step, r->values->quiet);
    const double start = base_clock();
    status = simulate(r);
    if (status == SHEAF_OK)
        return conclude(r, base_clock() - start);
    cli_progress_clear(&r->progress);
    return cli_fail(status);
}

// The scene's name without its folder and ending, and ".run".
static char *default_folder(const char *scene)
{
    const char *name = io_path_name(scene), *dot = strrchr(name, '.');
    const bool yaml = dot != NULL && dot > name && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
    const size_t length = yaml ? (size_t)(dot - name) : strlen(name);
    base_text text = {0};
    base_text_add_bytes(&text, name, length);
    base_text_add(&text, ".run");
    if (base_text_status(&text) == SHEAF_OK)
        return text.bytes;
    base_text_free(&text);
    return NULL;
}

static sheaf_status open_solver(run *r)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    cli_set_backend(r->values->device, &def);
    def.threads = (uint32_t)fmin((double)r->values->threads, 1024);
    SHEAF_TRY(cli_pick_device(&def));
    SHEAF_TRY(r->values->profile ? solver_open_staged(r->loaded->model, &def, &r->solver)
                                 : sheaf_solver_open(r->loaded->model, &def, &r->solver));
    cli_pocl_seal(); // a run that is killed later shall not cost what was compiled
    return SHEAF_OK;
}

// Everything that can be refused is, before the folder is touched.
static int run_loaded(const cli_loaded *loaded, const run_values *values, const char *path)
{
    run r = {.values = values, .loaded = loaded, .step = loaded->model->def.step};
    r.total = values->steps > 0 ? values->steps
                                : cli_step_count(values->time > 0 ? values->time : loaded->model->def.end, r.step);
    sheaf_status status = io_folder_check(path, values->overwrite);
    if (status == SHEAF_OK)
        status = open_solver(&r);
    if (status == SHEAF_OK)
        status = io_folder_open(path, values->overwrite, &r.folder);
    const int code = status == SHEAF_OK ? run_in_folder(&r) : cli_fail(status);
    cli_results_free(&r.results);
    io_folder_close(&r.folder);
    sheaf_solver_close(r.solver);
    return code;
}

static int run_scene(const run_values *values)
{
    char *path = values->output ? base_strdup(values->output) : default_folder(values->scene);
    if (path == NULL)
        return cli_fail(SHEAF_ERR_MEMORY);
    cli_loaded loaded = cli_load(values->scene);
    const int code =
        loaded.status == SHEAF_OK ? run_loaded(&loaded, values, path) : cli_tell_load(&loaded, values->scene);
    cli_loaded_free(&loaded);
    base_free(path);
    return code;
}

static int run_run(const void *given)
{
    const run_values *values = given;
    if (values->time > 0 && values->steps > 0)
        return cli_refuse(&cli_command_run, "--time and --steps exclude each other");
    if (values->profile && values->device == CLI_BACKEND_REFERENCE)
        return cli_refuse(&cli_command_run, "--profile tells of kernels; the reference has none");
    return run_scene(values);
}

const cli_command cli_command_run = {
    .name = "run",
    .summary = "simulates a scene and leaves a folder of results",
    .description =
        "Simulates a scene and leaves a folder with run.json (what was run, by what, how it ended), thermo.csv "
        "(energies, strain and solver figures over time), trajectory.vtkhdf (where every vertex is at each frame; "
        "ParaView "
        "reads it, sheaf convert takes it to other programs), strands.csv (where every vertex is at the end), "
        "picture.svg "
        "(the strands at the end) and energy.svg (energies and strain over time).\n\n"
        "Ctrl-C ends a run early and keeps what there is; a second one ends it at once. A strand that diverges is "
        "frozen and reported, the others go on, and the exit code is 4.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(run_values),
    .run = run_run,
};
