// run: `sheaf run`, which simulates a scene and leaves a folder of results.
#include "cli/command.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/balance.h"
#include "cli/checkpoints.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/pocl.h"
#include "cli/probe.h"
#include "cli/progress.h"
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

enum { MOST_TOLD = 10 }; // incidents told one by one

// A run under way.
typedef struct run {
    const run_values *values;
    const cli_loaded *loaded;
    sheaf_solver *solver;
    io_folder folder;
    cli_progress progress;
    cli_results results;
    cli_checkpoints checkpoints;
    cli_balance balance;
    uint64_t total;  // steps to take
    uint64_t done;   // steps taken
    uint64_t frame;  // next frame
    uint32_t batch;  // steps to take at once
    double step;     // s
    uint32_t told;   // incidents
    bool told_unmet; // that strands do not meet what they are asked for
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

// Tells once, as soon as it is so; the end of the run says how often it was.
static void tell_unmet(run *r, const sheaf_report *report)
{
    if (r->told_unmet || report->worst_strain <= 0.01 || !cli_results_is_unmet(&r->results, report))
        return;
    r->told_unmet = true;
    cli_progress_clear(&r->progress);
    cli_warn("at %.4g s %u of %u strands do not meet what they are asked for: an edge is off its length by %.3g %%",
             report->time, report->unmet_strands, r->loaded->model->strand_count, 100 * report->worst_strain);
}

static sheaf_status add_row(run *r, const sheaf_report *report)
{
    SHEAF_TRY(tell_incidents(r, report->frozen_strands));
    tell_unmet(r, report);
    return cli_results_add_row(&r->results, report);
}

// Notes the figures of the step that the solver is at.
static sheaf_status take_row(run *r)
{
    sheaf_report report;
    SHEAF_TRY(sheaf_solver_report(r->solver, &report));
    return add_row(r, &report);
}

// ---- frames: their times are multiples of the frame's length, whatever the step is

static double frame_time(const run *r, uint64_t frame)
{
    const double length = 1 / r->loaded->model->def.frame_rate;
    return (double)frame * fmax(length, r->step); // more than one for each step would tell nothing new
}

// The first step that is not before frame k; frames within a millionth of a step of it count as being there.
static uint64_t frame_step(const run *r, uint64_t frame)
{
    return (uint64_t)ceil(frame_time(r, frame) / r->step - 1e-6);
}

static bool is_between_steps(const run *r, uint64_t frame)
{
    return (double)frame_step(r, frame) - frame_time(r, frame) / r->step > 1e-6;
}

static bool has_trajectory(const run *r)
{
    return r->results.frames.file != NULL;
}

// Whether a frame is in the trajectory: the first, and then one in so many.
static bool is_kept(const run *r, uint64_t frame)
{
    return has_trajectory(r) && frame % r->loaded->model->def.trajectory_every == 0;
}

// Adds the frames that lie in the step that was taken last, and its row of figures.
static sheaf_status take_frames(run *r)
{
    bool has_after = false;
    for (; frame_step(r, r->frame) <= r->done; r->frame++) {
        if (!is_kept(r, r->frame))
            continue;
        if (!is_between_steps(r, r->frame)) {
            SHEAF_TRY(cli_frames_add(&r->results.frames, r->solver, frame_time(r, r->frame)));
            continue;
        }
        if (!has_after)
            SHEAF_TRY(cli_frames_after(&r->results.frames, r->solver));
        has_after = true;
        const double share = frame_time(r, r->frame) / r->step - (double)(r->done - 1);
        SHEAF_TRY(cli_frames_add_between(&r->results.frames, share, r->step, frame_time(r, r->frame)));
    }
    return take_row(r);
}

static bool is_over(const run *r)
{
    const sheaf_report *last = cli_results_last(&r->results);
    return r->done >= r->total || cli_caught_signal() != 0 || last->frozen_strands == r->loaded->model->strand_count;
}

// Whether the last step has reached a frame that is not taken yet. A checkpoint now would lose it: a run that goes on
// takes all frames up to its checkpoint as written.
static bool owes_frame(const run *r)
{
    return frame_step(r, r->frame) <= r->done;
}

// Batches are short enough to answer signals and show progress in between. `start`: of the last one.
static void adapt_batch(run *r, double start)
{
    const double spent = base_clock() - start;
    if (spent < 0.1 && r->batch < 4096)
        r->batch *= 2;
    else if (spent > 0.3 && r->batch > 1)
        r->batch /= 2;
}

static sheaf_status step_to(run *r, uint64_t goal)
{
    while (r->done < goal && cli_caught_signal() == 0) {
        const uint32_t count = goal - r->done < r->batch ? (uint32_t)(goal - r->done) : r->batch;
        const double start = base_clock();
        SHEAF_TRY(sheaf_solver_step(r->solver, count));
        r->done += count;
        adapt_batch(r, start);
        if (!owes_frame(r))
            SHEAF_TRY(cli_checkpoints_save_if_due(&r->checkpoints, &r->results));
        cli_progress_show(&r->progress, r->done, cli_results_last(&r->results));
    }
    return SHEAF_OK;
}

// To the step of the next frame; where strands are before it is noted when frames lie in between.
static sheaf_status step_to_frame(run *r)
{
    const uint64_t due = frame_step(r, r->frame), goal = due < r->total ? due : r->total;
    if (goal == due && is_between_steps(r, r->frame) && is_kept(r, r->frame)) {
        SHEAF_TRY(step_to(r, goal - 1));
        if (r->done == goal - 1)
            SHEAF_TRY(cli_frames_before(&r->results.frames, r->solver));
    }
    SHEAF_TRY(step_to(r, goal));
    if (cli_caught_signal() != 0 && !owes_frame(r)) // before anything else that takes time
        SHEAF_TRY(cli_checkpoints_save_first(&r->checkpoints, &r->results));
    return take_frames(r);
}

// ---- several frames in one batch, from the notes that the solver takes of them

typedef struct passing {
    uint32_t after[SOLVER_NOTES_MOST]; // steps of the batch
    uint32_t count;
} passing;

// Frames that a batch passes. One between two steps takes velocities, too, which are not noted.
static passing find_passing(const run *r)
{
    const uint32_t most = solver_notes_most(r->solver);
    uint64_t last = r->done;
    passing it = {.count = 0};
    for (uint64_t frame = r->frame; it.count < most; frame++) {
        const uint64_t step = frame_step(r, frame);
        if (step <= last || step > r->total || step - r->done > r->batch ||
            (is_kept(r, frame) && is_between_steps(r, frame)))
            break;
        it.after[it.count++] = (uint32_t)(step - r->done);
        last = step;
    }
    return it;
}

static sheaf_status take_noted_frame(run *r, uint32_t note)
{
    sheaf_report report;
    if (is_kept(r, r->frame))
        SHEAF_TRY(cli_frames_add_noted(&r->results.frames, r->solver, note, frame_time(r, r->frame)));
    SHEAF_TRY(solver_note_report(r->solver, note, &report));
    r->frame++;
    return add_row(r, &report);
}

static sheaf_status step_over_frames(run *r, const passing *frames)
{
    const uint32_t count = frames->after[frames->count - 1];
    const double start = base_clock();
    SHEAF_TRY(solver_step_noting(r->solver, count, frames->after, frames->count, has_trajectory(r)));
    r->done += count;
    for (uint32_t note = 0; note < frames->count; note++)
        SHEAF_TRY(take_noted_frame(r, note));
    adapt_batch(r, start);
    cli_progress_show(&r->progress, r->done, cli_results_last(&r->results));
    return SHEAF_OK;
}

// The last step is kept, too, where it is no frame's, or that of a frame that is left out.
static sheaf_status keep_end(run *r)
{
    const uint64_t last = r->frame - 1;
    const bool is_frame = frame_step(r, last) == r->done && !is_between_steps(r, last) && is_kept(r, last);
    if (cli_results_last(&r->results)->step != r->done)
        SHEAF_TRY(take_row(r));
    return is_frame ? SHEAF_OK : cli_frames_add(&r->results.frames, r->solver, (double)r->done * r->step);
}

static sheaf_status simulate(run *r)
{
    r->batch = 1;
    if (r->results.thermo.count == 0)
        SHEAF_TRY(take_frames(r));
    r->results.record.start_seconds = base_clock() - cli_start_time;
    while (!is_over(r)) {
        const passing frames = find_passing(r);
        SHEAF_TRY(frames.count > 1 ? step_over_frames(r, &frames) : step_to_frame(r));
        SHEAF_TRY(cli_caught_signal() != 0 ? cli_checkpoints_save_first(&r->checkpoints, &r->results)
                                           : cli_checkpoints_save_if_due(&r->checkpoints, &r->results));
    }
    SHEAF_TRY(keep_end(r));
    return cli_checkpoints_save(&r->checkpoints, &r->results);
}

static int exit_code(const run *r)
{
    if (cli_caught_signal() != 0)
        return 128 + cli_caught_signal();
    const bool is_wrong = cli_results_last(&r->results)->frozen_strands > 0 || cli_results_end_unmet(&r->results);
    return is_wrong ? sheaf_status_exit_code(SHEAF_ERR_DIVERGED) : CLI_EXIT_OK;
}

static int conclude(run *r)
{
    const int code = exit_code(r);
    cli_progress_clear(&r->progress);
    const sheaf_status status = cli_results_finish(&r->results, cli_checkpoints_wall(&r->checkpoints), code);
    if (status != SHEAF_OK)
        return cli_fail(status);
    if (!r->values->quiet)
        cli_results_tell(&r->results);
    if (r->values->profile && !r->values->json)
        cli_results_print_profile(&r->results);
    const int printed = r->values->json ? cli_results_print(&r->results) : CLI_EXIT_OK;
    return code != CLI_EXIT_OK ? code : printed;
}

// Rows and frames that lie before the checkpoint or at it. What an earlier end left between frames is not among them.
static void count_past(run *r, cli_past *past)
{
    uint64_t last_step = UINT64_MAX;
    for (; frame_step(r, r->frame) <= r->done; r->frame++) {
        past->rows += frame_step(r, r->frame) != last_step;
        last_step = frame_step(r, r->frame);
    }
    const uint64_t every = r->loaded->model->def.trajectory_every;
    const uint64_t last = every > 0 ? (r->frame - 1) / every : 0; // of those that are kept
    past->frames = last + 1;
    past->last_time = frame_time(r, last * every);
}

// Frames that a run will keep, about.
static uint64_t count_frames(const run *r)
{
    const sheaf_scene_def *def = &r->loaded->model->def;
    return 2 + (uint64_t)((double)r->total * r->step * def->frame_rate / fmax(1, def->trajectory_every));
}

// Starts the files of results, or goes on with them.
static sheaf_status open_results(run *r, cli_past *past)
{
    if (past == NULL)
        return cli_results_start(&r->results, count_frames(r));
    count_past(r, past);
    cli_note("going on from step %llu, %.6g s", (unsigned long long)r->done, (double)r->done * r->step);
    return cli_results_continue(&r->results, past);
}

// Simulates into an open folder; `past` is NULL in a run that starts.
static int run_in_folder(run *r, cli_past *past)
{
    r->results.record = (io_record){.scene = r->values->scene,
                                    .model = r->loaded->model,
                                    .device = sheaf_solver_device(r->solver),
                                    .form = sheaf_solver_form(r->solver),
                                    .precision = sheaf_solver_precision(r->solver),
                                    .step = r->step,
                                    .restarts = r->checkpoints.past.restarts,
                                    .balance = r->balance.found,
                                    .imbalances = r->balance.list,
                                    .imbalance_count = r->balance.count};
    r->results.scene = r->loaded->scene;
    r->results.folder = &r->folder;
    r->results.solver = r->solver;
    r->results.without_trajectory = r->values->without_trajectory || r->loaded->model->def.trajectory_every == 0;
    sheaf_status status = open_results(r, past);
    if (status != SHEAF_OK)
        return cli_fail(status);
    r->progress = cli_progress_start(r->total, (double)r->total * r->step, r->values->quiet);
    r->progress.first = r->done;
    r->checkpoints.start = r->checkpoints.last = base_clock();
    status = simulate(r);
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
static sheaf_status open_solver(run *r, const io_checkpoint *checkpoint)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    const bool was_reference = checkpoint != NULL && strcmp(checkpoint->backend, "reference") == 0;
    cli_set_backend(r->values->device == CLI_BACKEND_AUTO && was_reference ? CLI_BACKEND_REFERENCE : r->values->device,
                    &def);
    def.is_double = checkpoint != NULL && !was_reference && strcmp(checkpoint->precision, "double") == 0;
    def.threads = (uint32_t)fmin((double)r->values->threads, 1024);
    cli_catch_signals();
    SHEAF_TRY(cli_pick_device(&def));
    SHEAF_TRY(r->values->profile ? solver_open_staged(r->loaded->model, &def, &r->solver)
                                 : sheaf_solver_open(r->loaded->model, &def, &r->solver));
    cli_pocl_seal(); // a run that is killed later shall not cost what was compiled
    return SHEAF_OK;
}

// Everything that can be refused is, before the folder is touched.
static int start_run(run *r, const char *path, bool overwrite)
{
    sheaf_status status = io_folder_check(path, overwrite);
    if (status == SHEAF_OK)
        status = open_solver(r, NULL);
    if (status == SHEAF_OK)
        status = io_folder_open(path, overwrite, &r->folder);
    return status == SHEAF_OK ? run_in_folder(r, NULL) : cli_fail(status);
}

// Whether a folder without a checkpoint holds no more than the beginning of this scene's run: one that was cut off
// before it wrote its first checkpoint, or its record. Starting anew then loses nothing.
static bool has_barely_begun(const run *r, const char *path)
{
    static const char *const results[] = {IO_STRANDS_NAME, IO_PICTURE_NAME, IO_ENERGY_NAME, IO_REPORT_NAME};
    json_t *record = NULL;
    struct stat found;
    bool is_young = true;
    char *file = io_path_join(path, IO_RECORD_NAME);
    if (file != NULL && stat(file, &found) == 0) {
        const bool is_read = io_record_read(file, &record) == SHEAF_OK;
        const char *scene = json_string_value(json_object_get(record, "scene"));
        is_young = is_read && json_is_null(json_object_get(record, "exit")) && scene != NULL &&
                   strcmp(scene, r->values->scene) == 0;
    }
    json_decref(record);
    base_free(file);
    for (size_t k = 0; is_young && k < sizeof results / sizeof results[0]; k++) {
        file = io_path_join(path, results[k]);
        is_young = file != NULL && stat(file, &found) != 0;
        base_free(file);
    }
    return is_young;
}

// The same for a run that goes on: first the folder is locked, then read, and changed only when all fits together.
static int continue_run(run *r, const char *path)
{
    cli_past past = {0};
    io_checkpoint facts;
    bool found;
    sheaf_status status = cli_checkpoints_find(path, &facts, &found);
    if (status == SHEAF_OK && !found)
        return start_run(r, path, has_barely_begun(r, path));
    if (status == SHEAF_OK)
        status = io_folder_reopen(path, &r->folder, &past.thermo);
    if (status == SHEAF_OK)
        status = open_solver(r, &facts);
    if (status == SHEAF_OK)
        status = cli_checkpoints_load(path, r->solver, &facts);
    r->done = facts.steps;
    r->checkpoints.past = (io_checkpoint_note){facts.wall_seconds, facts.restarts + 1};
    const int code = status == SHEAF_OK ? run_in_folder(r, &past) : cli_fail(status);
    io_thermo_free(&past.thermo);
    return code;
}

static int run_loaded(const cli_loaded *loaded, const run_values *values, const char *path)
{
    const sheaf_scene_def *def = &loaded->model->def;
    run r = {.values = values, .loaded = loaded, .step = def->step};
    r.total = values->steps > 0 ? values->steps : cli_step_count(values->time > 0 ? values->time : def->end, r.step);
    const double interval = values->checkpoint > 0 ? values->checkpoint : def->checkpoint_interval;
    sheaf_status status = values->without_checkpoint ? SHEAF_OK : cli_checkpoints_start(&r.checkpoints, path, interval);
    if (status == SHEAF_OK)
        status = cli_balance_find(loaded->model, &r.balance);
    if (!values->quiet) {
        cli_tell_wind(loaded->scene);
        cli_balance_tell(&r.balance);
    }
    int code;
    if (status != SHEAF_OK)
        code = cli_fail(status);
    else if (values->restart)
        code = continue_run(&r, path);
    else
        code = start_run(&r, path, values->overwrite);
    cli_results_free(&r.results);
    cli_checkpoints_free(&r.checkpoints);
    cli_balance_free(&r.balance);
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
        "strand that diverges is "
        "frozen and reported, the others go on, and the exit code is 4. So it is, with a warning, where more than 1 % "
        "of the strands do not meet what they are asked for in the last frame or in more than a tenth of all: an edge "
        "is off its length by more than 1 %, or the iterations of a step came to no end.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(run_values),
    .run = run_run,
};
