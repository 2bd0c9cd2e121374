// run: `sheaf run`, which simulates a scene and leaves a folder of results.
#include "cli/command.h"

#include <math.h>
#include <string.h>

#include "cli/balance.h"
#include "cli/doubts.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/pocl.h"
#include "cli/probe.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/summary.h"
#include "run/run.h"
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
    bool restart;
    double checkpoint;
    bool without_checkpoint;
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
    CLI_OPTION_BACKEND(run_values),
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
     .doc = "keep no positions over time, only the last ones, whatever the scene says",
     .offset = offsetof(run_values, without_trajectory)},
    {.name = "profile",
     .doc =
         "run one kernel per stage of the step, and tell how long each took on the device; slower, with the same bits",
     .offset = offsetof(run_values, profile)},
    {.name = "overwrite",
     .doc = "replace the results of an earlier run in DIR",
     .offset = offsetof(run_values, overwrite)},
    {.name = "restart",
     .doc = "go on with the run in DIR from its last checkpoint, or start it where there is none yet",
     .offset = offsetof(run_values, restart)},
    {.name = "checkpoint",
     .kind = CLI_SECONDS,
     .argument = "T",
     .doc = "real time between checkpoints, instead of the scene's",
     .offset = offsetof(run_values, checkpoint)},
    {.name = "no-checkpoint",
     .doc = "write no checkpoints; the run cannot go on after it has ended",
     .offset = offsetof(run_values, without_checkpoint)},
    {.name = "json", .doc = "write the run's record to standard output, too", .offset = offsetof(run_values, json)},
    CLI_OPTION_QUIET(run_values),
    {0},
};

static const cli_example examples[] = {
    {"sheaf run hair.yaml", "results in hair.run"},
    {"sheaf run hair.yaml --time 0.5 -o trial --overwrite", "the first half second, again and again"},
    {"sheaf run hair.yaml --restart --time 8", "go on from where it stopped, to 8 s"},
    {0},
};

// A run under way.
typedef struct running {
    const run_values *values;
    const cli_loaded *loaded;
    cli_progress progress;
    sheaf_solver *solver;
    run *run;
} running;

// ---- what the run asks and tells

static bool is_stopped(void *user)
{
    (void)user;
    return cli_caught_signal() != 0;
}

static void show_progress(void *user, uint64_t done, const sheaf_report *row)
{
    running *r = user;
    cli_progress_show(&r->progress, done, row, run_results_last_energy(run_results_of(r->run)));
}

static void tell(void *user, run_tone tone, const char *text)
{
    const running *r = user;
    cli_progress_clear(&r->progress);
    if (tone == RUN_WARNING)
        cli_warn("%s", text);
    else
        cli_note("%s", text);
}

// ---- from start to end

static int exit_code(const running *r)
{
    if (cli_caught_signal() != 0)
        return 128 + cli_caught_signal();
    return run_is_sound(r->run) ? CLI_EXIT_OK : sheaf_status_exit_code(SHEAF_ERR_DIVERGED);
}

static int conclude(const running *r)
{
    const int code = exit_code(r);
    const run_results *results = run_results_of(r->run);
    cli_progress_clear(&r->progress);
    const sheaf_status status = run_finish(r->run, code);
    if (status != SHEAF_OK)
        return cli_fail(status);
    if (!r->values->quiet)
        cli_tell_results(results);
    if (r->values->profile && !r->values->json)
        cli_print_profile(&results->record);
    const int printed = r->values->json ? cli_print_json(io_record_json(&results->record)) : CLI_EXIT_OK;
    return code != CLI_EXIT_OK ? code : printed;
}

// Simulates what has been started, with that result.
static int simulate(running *r, sheaf_status status, uint64_t steps)
{
    if (status != SHEAF_OK)
        return cli_fail(status);
    r->progress = cli_progress_start(steps, (double)steps * r->loaded->model->def.step, r->values->quiet);
    r->progress.first = run_steps_done(r->run);
    status = run_simulate(r->run);
    if (status == SHEAF_OK)
        return conclude(r);
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

// Opens what was asked for. A run that goes on needs the kind of numbers that its checkpoint has; NULL: it starts.
static sheaf_status open_solver(running *r, const io_checkpoint *checkpoint)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    const bool was_reference = checkpoint != NULL && strcmp(checkpoint->backend, "reference") == 0;
    cli_set_backend(r->values->device == CLI_BACKEND_AUTO && was_reference ? CLI_BACKEND_REFERENCE : r->values->device,
                    &def);
    def.is_double = checkpoint != NULL && !was_reference && strcmp(checkpoint->precision, "double") == 0;
    def.threads = (uint32_t)fmin((double)r->values->threads, 1024);
    cli_catch_signals();
    SHEAF_TRY(cli_pick_device(&def, r->values->quiet));
    SHEAF_TRY(r->values->profile ? solver_open_staged(r->loaded->model, &def, &r->solver)
                                 : sheaf_solver_open(r->loaded->model, &def, &r->solver));
    cli_pocl_seal(); // a run that is killed later shall not cost what was compiled
    return SHEAF_OK;
}

// Everything that can be refused is, before the folder is touched.
static sheaf_status start(running *r, bool overwrite)
{
    SHEAF_TRY(run_check(r->run, overwrite));
    SHEAF_TRY(open_solver(r, NULL));
    return run_start(r->run, r->solver, overwrite);
}

// The same for a run that goes on: first the folder is locked, then read, and changed only when all fits together.
static sheaf_status go_on(running *r)
{
    io_checkpoint facts;
    bool found;
    SHEAF_TRY(run_find_checkpoint(r->run, &facts, &found));
    if (!found)
        return start(r, run_has_barely_begun(r->run));
    SHEAF_TRY(open_solver(r, &facts));
    return run_continue(r->run, r->solver);
}

static int run_model(running *r, const cli_balance *balance, const char *path)
{
    const run_values *values = r->values;
    const sheaf_scene_def *def = &r->loaded->model->def;
    const double interval = values->checkpoint > 0 ? values->checkpoint : def->checkpoint_interval;
    const run_def what = {.scene = r->loaded->scene,
                          .model = r->loaded->model,
                          .scene_path = values->scene,
                          .folder = path,
                          .steps = values->steps > 0
                                       ? values->steps
                                       : run_step_count(values->time > 0 ? values->time : def->end, def->step),
                          .checkpoint_every = values->without_checkpoint ? -1 : interval,
                          .start = cli_start_time,
                          .without_trajectory = values->without_trajectory,
                          .balance = balance->found,
                          .imbalances = balance->list,
                          .imbalance_count = balance->count,
                          .hooks = {r, is_stopped, show_progress, tell}};
    sheaf_status status = run_open(&what, &r->run);
    if (status == SHEAF_OK)
        status = values->restart ? go_on(r) : start(r, values->overwrite);
    const int code = simulate(r, status, what.steps);
    run_close(r->run);
    sheaf_solver_close(r->solver);
    return code;
}

static int run_loaded(const cli_loaded *loaded, const run_values *values, const char *path)
{
    running r = {.values = values, .loaded = loaded};
    cli_balance balance;
    cli_doubts doubts;
    sheaf_status status = cli_balance_find(loaded->model, &balance);
    if (status == SHEAF_OK)
        status = cli_doubts_find(loaded, &doubts);
    if (!values->quiet && status == SHEAF_OK) {
        cli_tell_wind(loaded->scene);
        cli_doubts_tell(&doubts);
        cli_balance_tell(&balance);
    }
    const int code = status == SHEAF_OK ? run_model(&r, &balance, path) : cli_fail(status);
    cli_balance_free(&balance);
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
    if (values->restart && values->overwrite)
        return cli_refuse(&cli_command_run, "--restart and --overwrite exclude each other");
    if (values->checkpoint > 0 && values->without_checkpoint)
        return cli_refuse(&cli_command_run, "--checkpoint and --no-checkpoint exclude each other");
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
        "(the strands at the end), energy.svg (energies and strain over time), and checkpoint.h5 with "
        "checkpoint_prev.h5 (the whole state, now and one interval before).\n\n"
        "Ctrl-C or SIGTERM ends a run early with a checkpoint and all results so far; a second one ends it at once. "
        "`--restart` goes on from the last checkpoint, after an early end, after a kill, or to a later time: the "
        "results are those of a run that was never interrupted, to the last bit.\n\n"
        "Frames lie at even times, between steps where need be; how many there are does not change the motion. A "
        "strand that diverges, or a body that runs away, is "
        "frozen and reported, the others go on, and the exit code is 4. So it is, with a warning, where more than 1 % "
        "of the strands do not meet what they are asked for in the last frame or in more than a tenth of all: an edge "
        "is off its length by more than 1 %, or the iterations of a step came to no end.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(run_values),
    .run = run_run,
};
