// run: takes a scene through its frames into a folder.
#include "run/run.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST_TOLD = 10 }; // incidents told one by one

struct run {
    run_def def;
    run_clock clock;
    run_batch batch;
    run_hooks between; // of batches: hooks of our own around the caller's
    sheaf_solver *solver;
    io_folder folder;
    io_checkpoint facts; // of the checkpoint that was found
    run_past past;       // what is kept of an earlier part
    run_results results;
    run_checkpoints checkpoints;
    uint64_t done;       // steps taken
    uint64_t frame;      // next frame
    uint32_t told;       // incidents
    bool told_unmet;     // that strands do not meet what they are asked for
    sheaf_status status; // of what was done between batches
};

// ---- rows of figures

// Tells which strands froze since the last time.
static sheaf_status tell_incidents(run *r, uint32_t frozen)
{
    for (; r->told < frozen; r->told++) {
        sheaf_incident incident;
        SHEAF_TRY(sheaf_solver_incident(r->solver, r->told, &incident));
        SHEAF_TRY(run_results_add_incident(&r->results, &incident));
        if (r->told < MOST_TOLD)
            run_tell(&r->def.hooks, RUN_WARNING,
                     "strand %u diverged at step %llu: %s of vertex %u; it stays where it was", incident.strand,
                     (unsigned long long)incident.step, incident.quantity, incident.vertex);
        else if (r->told == MOST_TOLD)
            run_tell(&r->def.hooks, RUN_WARNING, "more strands diverged; " IO_RECORD_NAME " lists them");
    }
    return SHEAF_OK;
}

// Tells once, as soon as it is so; the end of the run says how often it was.
static void tell_unmet(run *r, const sheaf_report *report)
{
    if (r->told_unmet || report->worst_strain <= 0.01 || !run_results_is_unmet(&r->results, report))
        return;
    r->told_unmet = true;
    run_tell(&r->def.hooks, RUN_WARNING,
             "at %.4g s %u of %u strands do not meet what they are asked for: an edge is off its length by %.3g %%",
             report->time, report->unmet_strands, r->def.model->strand_count, 100 * report->worst_strain);
}

static sheaf_status add_row(run *r, const sheaf_report *report, const method_figure *figures)
{
    SHEAF_TRY(tell_incidents(r, report->frozen_strands));
    tell_unmet(r, report);
    return run_results_add_row(&r->results, report, figures);
}

// Notes the figures of the step that the solver is at.
static sheaf_status take_row(run *r)
{
    sheaf_report report;
    method_figure figures[SOLVER_FIGURES_MOST];
    uint32_t count;
    SHEAF_TRY(sheaf_solver_report(r->solver, &report));
    SHEAF_TRY(solver_figures(r->solver, figures, &count));
    SHEAF_TRY(run_probes_add(&r->results.probes, r->solver, report.time));
    SHEAF_TRY(run_laws_look(&r->results.laws, r->solver, report.time, &r->results.record.beyond));
    return add_row(r, &report, figures);
}

// ---- frames

static bool has_trajectory(const run *r)
{
    return r->results.frames.file != NULL;
}

// Whether a frame is in the trajectory: the first, and then one in so many.
static bool is_kept(const run *r, uint64_t frame)
{
    return has_trajectory(r) && frame % r->def.model->def.trajectory_every == 0;
}

static bool is_between(const run *r, uint64_t frame)
{
    return run_is_between_steps(&r->clock, frame);
}

// Adds the frames that lie in the step that was taken last, and its row of figures.
static sheaf_status take_frames(run *r)
{
    bool has_after = false;
    for (; run_frame_step(&r->clock, r->frame) <= r->done; r->frame++) {
        const double time = run_frame_time(&r->clock, r->frame), step = r->clock.step;
        if (!is_kept(r, r->frame))
            continue;
        if (!is_between(r, r->frame)) {
            SHEAF_TRY(run_frames_add(&r->results.frames, r->solver, time));
            continue;
        }
        if (!has_after)
            SHEAF_TRY(run_frames_after(&r->results.frames, r->solver));
        has_after = true;
        SHEAF_TRY(run_frames_add_between(&r->results.frames, time / step - (double)(r->done - 1), step, time));
    }
    return take_row(r);
}

// Whether the last step has reached a frame that is not taken yet. A checkpoint now would lose it: a run that goes on
// takes all frames up to its checkpoint as written.
static bool owes_frame(const run *r)
{
    return run_frame_step(&r->clock, r->frame) <= r->done;
}

// ---- steps

static bool is_stopped(const run *r)
{
    return run_is_stopped(&r->def.hooks);
}

static void show_progress(const run *r)
{
    run_progress(&r->def.hooks, r->done, run_results_last(&r->results));
}

static bool is_stopped_between(void *user)
{
    const run *r = user;
    return r->status != SHEAF_OK || is_stopped(r);
}

static void pass_between(void *user, uint64_t done, const sheaf_report *row)
{
    run *r = user;
    (void)row;
    r->done = done;
    if (!owes_frame(r))
        r->status = run_checkpoints_save_if_due(&r->checkpoints, &r->results);
    show_progress(r);
}

static sheaf_status step_to(run *r, uint64_t goal)
{
    SHEAF_TRY(run_advance(r->solver, goal, &r->batch, &r->between));
    return r->status;
}

// To the step of the next frame; where strands are before it is noted when frames lie in between.
static sheaf_status step_to_frame(run *r)
{
    const uint64_t due = run_frame_step(&r->clock, r->frame), goal = due < r->def.steps ? due : r->def.steps;
    if (goal == due && is_between(r, r->frame) && is_kept(r, r->frame)) {
        SHEAF_TRY(step_to(r, goal - 1));
        if (r->done == goal - 1)
            SHEAF_TRY(run_frames_before(&r->results.frames, r->solver));
    }
    SHEAF_TRY(step_to(r, goal));
    if (is_stopped(r) && !owes_frame(r)) // before anything else that takes time
        SHEAF_TRY(run_checkpoints_save_first(&r->checkpoints, &r->results));
    return take_frames(r);
}

// ---- several frames in one batch, from the notes that the solver takes of them

// One between two steps takes velocities, too, which are not noted, and neither are directors, what probes read and
// laws are strained by.
static run_passing find_passing(const run *r)
{
    run_passing it =
        run_find_passing(&r->clock, r->frame, r->done, r->def.steps, r->batch.steps, solver_notes_most(r->solver));
    if (run_probes_are_there(&r->results.probes) || run_laws_are_there(&r->results.laws))
        it.count = 0;
    for (uint32_t k = 0; k < it.count; k++)
        if (is_kept(r, r->frame + k) && (is_between(r, r->frame + k) || run_frames_need_state(&r->results.frames)))
            it.count = k;
    return it;
}

static sheaf_status take_noted_frame(run *r, uint32_t note)
{
    sheaf_report report;
    method_figure figures[SOLVER_FIGURES_MOST];
    uint32_t count;
    const double time = run_frame_time(&r->clock, r->frame);
    if (is_kept(r, r->frame))
        SHEAF_TRY(run_frames_add_noted(&r->results.frames, r->solver, note, time));
    SHEAF_TRY(solver_note_report(r->solver, note, &report));
    SHEAF_TRY(solver_note_figures(r->solver, note, figures, &count));
    r->frame++;
    return add_row(r, &report, figures);
}

static sheaf_status step_over_frames(run *r, const run_passing *frames)
{
    const uint32_t count = frames->after[frames->count - 1];
    const double start = base_clock();
    SHEAF_TRY(solver_step_noting(r->solver, count, frames->after, frames->count, has_trajectory(r)));
    r->done += count;
    for (uint32_t note = 0; note < frames->count; note++)
        SHEAF_TRY(take_noted_frame(r, note));
    run_batch_adapt(&r->batch, start);
    show_progress(r);
    return SHEAF_OK;
}

// ---- from start to end

static bool is_over(const run *r)
{
    const sheaf_report *last = run_results_last(&r->results);
    return r->done >= r->def.steps || is_stopped(r) || last->frozen_strands == r->def.model->strand_count;
}

// The last step is kept, too, where it is no frame's, or that of a frame that is left out.
static sheaf_status keep_end(run *r)
{
    const uint64_t last = r->frame - 1;
    const bool is_frame = run_frame_step(&r->clock, last) == r->done && !is_between(r, last) && is_kept(r, last);
    if (run_results_last(&r->results)->step != r->done)
        SHEAF_TRY(take_row(r));
    return is_frame ? SHEAF_OK : run_frames_add(&r->results.frames, r->solver, (double)r->done * r->clock.step);
}

sheaf_status run_simulate(run *r)
{
    r->checkpoints.start = r->checkpoints.last = base_clock();
    r->batch = (run_batch){.steps = 1, .adapts = true};
    if (r->results.thermo.count == 0)
        SHEAF_TRY(take_frames(r));
    r->results.record.start_seconds = base_clock() - r->def.start;
    while (!is_over(r)) {
        const run_passing frames = find_passing(r);
        SHEAF_TRY(frames.count > 1 ? step_over_frames(r, &frames) : step_to_frame(r));
        SHEAF_TRY(is_stopped(r) ? run_checkpoints_save_first(&r->checkpoints, &r->results)
                                : run_checkpoints_save_if_due(&r->checkpoints, &r->results));
    }
    SHEAF_TRY(keep_end(r));
    return run_checkpoints_save(&r->checkpoints, &r->results);
}

bool run_is_sound(const run *r)
{
    return run_results_last(&r->results)->frozen_strands == 0 && r->results.record.frozen_bodies == 0 &&
           !run_results_end_unmet(&r->results);
}

sheaf_status run_finish(run *r, int exit_code)
{
    return run_results_finish(&r->results, run_checkpoints_wall(&r->checkpoints), exit_code);
}

uint64_t run_steps_done(const run *r)
{
    return r->done;
}

const run_results *run_results_of(const run *r)
{
    return &r->results;
}

// ---- beginning

sheaf_status run_open(const run_def *def, run **r)
{
    run *made = *r = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->def = *def;
    made->clock = run_clock_of(def->model->def.step, def->model->def.frame_rate);
    made->between = (run_hooks){.user = made, .is_stopped = is_stopped_between, .progress = pass_between};
    return def->checkpoint_every < 0 ? SHEAF_OK
                                     : run_checkpoints_start(&made->checkpoints, def->folder, def->checkpoint_every);
}

void run_close(run *r)
{
    if (r == NULL)
        return;
    run_results_free(&r->results);
    run_checkpoints_free(&r->checkpoints);
    io_thermo_free(&r->past.thermo);
    io_folder_close(&r->folder);
    base_free(r);
}

// What is known of the run before its first step.
static void begin_record(run *r, sheaf_solver *solver)
{
    const run_def *def = &r->def;
    r->solver = solver;
    r->results.record = (io_record){.scene = def->scene_path,
                                    .model = def->model,
                                    .device = sheaf_solver_device(solver),
                                    .form = sheaf_solver_form(solver),
                                    .precision = sheaf_solver_precision(solver),
                                    .step = r->clock.step,
                                    .restarts = r->checkpoints.past.restarts,
                                    .balance = def->balance,
                                    .imbalances = def->imbalances,
                                    .imbalance_count = def->imbalance_count};
    r->results.scene = def->scene;
    r->results.folder = &r->folder;
    r->results.solver = solver;
    r->results.hooks = &r->def.hooks;
    r->results.without_trajectory = def->without_trajectory || def->model->def.trajectory_every == 0;
}

sheaf_status run_check(const run *r, bool overwrite)
{
    return io_folder_check(r->def.folder, overwrite);
}

// Frames that a run will keep, about.
static uint64_t count_frames(const run *r)
{
    const sheaf_scene_def *def = &r->def.model->def;
    const double every = def->trajectory_every > 1 ? def->trajectory_every : 1;
    return 2 + (uint64_t)((double)r->def.steps * r->clock.step * def->frame_rate / every);
}

sheaf_status run_start(run *r, sheaf_solver *solver, bool overwrite)
{
    SHEAF_TRY(io_folder_open(r->def.folder, overwrite, &r->folder));
    begin_record(r, solver);
    return run_results_start(&r->results, count_frames(r));
}

// ---- going on

bool run_has_barely_begun(const run *r)
{
    static const char *const results[] = {IO_STRANDS_NAME, IO_PICTURE_NAME, IO_ENERGY_NAME, IO_REPORT_NAME};
    json_t *record = NULL;
    struct stat found;
    bool is_young = true;
    char *file = io_path_join(r->def.folder, IO_RECORD_NAME);
    if (file != NULL && stat(file, &found) == 0) {
        const bool is_read = io_record_read(file, &record) == SHEAF_OK;
        const char *scene = json_string_value(json_object_get(record, "scene"));
        is_young = is_read && json_is_null(json_object_get(record, "exit")) && scene != NULL &&
                   strcmp(scene, r->def.scene_path) == 0;
    }
    json_decref(record);
    base_free(file);
    for (size_t k = 0; is_young && k < sizeof results / sizeof results[0]; k++) {
        file = io_path_join(r->def.folder, results[k]);
        is_young = file != NULL && stat(file, &found) != 0;
        base_free(file);
    }
    return is_young;
}

sheaf_status run_find_checkpoint(run *r, io_checkpoint *facts, bool *found)
{
    SHEAF_TRY(run_checkpoints_find(r->def.folder, &r->def.hooks, &r->facts, found));
    *facts = r->facts;
    return *found ? io_folder_reopen(r->def.folder, &r->folder, &r->past.thermo) : SHEAF_OK;
}

// Rows and frames that lie before the checkpoint or at it. What an earlier end left between frames is not among them.
static void count_past(run *r)
{
    uint64_t last_step = UINT64_MAX;
    for (; run_frame_step(&r->clock, r->frame) <= r->done; r->frame++) {
        r->past.rows += run_frame_step(&r->clock, r->frame) != last_step;
        last_step = run_frame_step(&r->clock, r->frame);
    }
    const uint64_t every = r->def.model->def.trajectory_every;
    const uint64_t last = every > 0 ? (r->frame - 1) / every : 0; // of those that are kept
    r->past.frames = last + 1;
    r->past.last_time = run_frame_time(&r->clock, last * every);
}

sheaf_status run_continue(run *r, sheaf_solver *solver)
{
    SHEAF_TRY(run_checkpoints_load(r->def.folder, &r->def.hooks, solver, &r->facts));
    r->done = r->facts.steps;
    r->checkpoints.past = (io_checkpoint_note){r->facts.wall_seconds, r->facts.restarts + 1};
    begin_record(r, solver);
    count_past(r);
    run_tell(&r->def.hooks, RUN_NOTE, "going on from step %llu, %.6g s", (unsigned long long)r->done,
             (double)r->done * r->clock.step);
    return run_results_continue(&r->results, &r->past);
}
