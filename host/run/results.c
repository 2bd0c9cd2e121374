// results: what a run leaves: figures while it goes, files when it ends.
#include "run/results.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/picture.h"
#include "io/positions.h"
#include "io/stiffened.h"
#include "io/unstable.h"
#include "solver/solver.h"
#include "strand/strand.h"
#include "world/world.h"

enum {
    MOST_INCIDENTS = 1000,  // kept in the record
    MOST_VERTICES = 1 << 20 // written to the file of positions: 60 MB
};

// What is known before the first step.
static sheaf_status write_start(run_results *results)
{
    io_record *record = &results->record;
    if (results->scene != NULL && record->scene != NULL)
        SHEAF_TRY(run_keep_scene(results->folder, results->scene, record->scene, results->hooks, &results->scene_kept));
    record->scene_kept = results->scene_kept;
    SHEAF_TRY(solver_identity(results->solver, &record->identity));
    record->has_identity = true;
    SHEAF_TRY(io_unstable_write(results->folder, results->record.imbalances, results->record.imbalance_count));
    SHEAF_TRY(io_stiffened_write(results->folder, record->model));
    return io_record_write(results->folder, &results->record);
}

// Columns of the figures that this solver has beyond the report.
static sheaf_status name_columns(run_results *results)
{
    method_figure figures[SOLVER_FIGURES_MOST];
    uint32_t count;
    SHEAF_TRY(solver_figures(results->solver, figures, &count));
    SHEAF_TRY(io_thermo_name_figures(&results->thermo, figures, count));
    return io_folder_keep_rows(results->folder, &results->thermo);
}

sheaf_status run_results_start(run_results *results, uint64_t frames)
{
    results->record.exit_code = -1;
    SHEAF_TRY(name_columns(results));
    SHEAF_TRY(run_laws_start(&results->laws, results->record.model));
    SHEAF_TRY(run_probes_start(&results->probes, results->folder, results->scene, results->record.model));
    if (!results->without_trajectory)
        SHEAF_TRY(run_frames_start(&results->frames, results->folder, results->record.model, results->solver, frames));
    SHEAF_TRY(run_bodies_start(&results->bodies, results->folder, results->record.model, -1));
    return write_start(results);
}

bool run_results_is_unmet(const run_results *results, const sheaf_report *report)
{
    return report->unmet_strands > results->record.model->strand_count / 100;
}

bool run_results_end_unmet(const run_results *results)
{
    const io_record *record = &results->record;
    return run_results_is_unmet(results, run_results_last(results)) || 10 * record->unmet_frames > record->frames;
}

static void note_row(run_results *results, const sheaf_report *report)
{
    results->record.steps = report->step;
    results->record.time = report->time;
    results->record.frozen_strands = report->frozen_strands;
    results->record.unmet_strands = report->unmet_strands;
    results->record.unmet_frames += run_results_is_unmet(results, report);
    results->record.worst_strain = fmax(results->record.worst_strain, report->worst_strain);
}

static sheaf_status continue_frames(run_results *results, const run_past *past)
{
    uint64_t kept;
    SHEAF_TRY(run_frames_continue(&results->frames, results->folder, results->record.model, results->solver, &kept,
                                  past->last_time));
    if (kept < past->frames)
        run_tell(results->hooks, RUN_WARNING,
                 IO_TRAJECTORY_NAME " holds %llu frames up to the checkpoint, not %llu: some are lost",
                 (unsigned long long)kept, (unsigned long long)past->frames);
    return SHEAF_OK;
}

sheaf_status run_results_continue(run_results *results, run_past *past)
{
    results->record.exit_code = -1;
    results->thermo = past->thermo;
    past->thermo = (io_thermo){0};
    if (results->thermo.count < past->rows)
        run_tell(results->hooks, RUN_WARNING,
                 IO_THERMO_NAME " holds %zu rows up to the checkpoint, not %zu: some are lost", results->thermo.count,
                 past->rows);
    else
        results->thermo.count = past->rows;
    for (size_t k = 0; k < results->thermo.count; k++)
        note_row(results, &results->thermo.rows[k]);
    results->record.frames = results->thermo.count;
    SHEAF_TRY(name_columns(results));
    SHEAF_TRY(run_laws_start(&results->laws, results->record.model));
    SHEAF_TRY(run_probes_continue(&results->probes, results->folder, results->scene, results->record.model,
                                  results->thermo.count));
    const size_t rows = results->thermo.count;
    SHEAF_TRY(run_bodies_start(&results->bodies, results->folder, results->record.model,
                               rows > 0 ? results->thermo.rows[rows - 1].time : -1));
    if (!results->without_trajectory)
        SHEAF_TRY(continue_frames(results, past));
    return write_start(results);
}

sheaf_status run_results_add_row(run_results *results, const sheaf_report *report, const method_figure *figures)
{
    SHEAF_TRY(io_thermo_add(&results->thermo, report, figures));
    results->record.frames++;
    note_row(results, report);
    SHEAF_TRY(run_bodies_add(&results->bodies, results->solver, report->time));
    results->record.frozen_bodies = run_bodies_frozen(&results->bodies);
    return io_thermo_write_row(results->folder->thermo, &results->thermo, results->thermo.count - 1)
               ? SHEAF_OK
               : io_fail("write", IO_THERMO_NAME);
}

sheaf_status run_results_sync(const run_results *results)
{
    if (fsync(fileno(results->folder->thermo)) != 0)
        return io_fail("write", IO_THERMO_NAME);
    SHEAF_TRY(run_probes_sync(&results->probes));
    return io_trajectory_sync(results->frames.file);
}

sheaf_status run_results_add_incident(run_results *results, const sheaf_incident *incident)
{
    const uint32_t count = results->record.incident_count;
    if (count == MOST_INCIDENTS)
        return SHEAF_OK;
    sheaf_incident *grown = base_realloc(results->incidents, count + 1, sizeof *grown);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    grown[count] = *incident;
    results->record.incidents = results->incidents = grown;
    results->record.incident_count++;
    return SHEAF_OK;
}

const sheaf_report *run_results_last(const run_results *results)
{
    return &results->thermo.rows[results->thermo.count - 1];
}

double run_results_last_energy(const run_results *results)
{
    return results->thermo.totals[results->thermo.count - 1];
}

// ---- strands that are written: all, or of very many a spread-out part

typedef struct sample {
    uint32_t stride;          // every how many-th strand
    const sheaf_model *model; // of these strands
    sheaf_model *part;        // NULL: the run's own model
    double (*positions)[3];   // [vertex of the model] m
} sample;

static void free_sample(sample *it)
{
    sheaf_model_free(it->part);
    base_free(it->positions);
}

static sheaf_status choose_strands(const sheaf_model *model, sample *it)
{
    const uint64_t stride = (model->vertex_count + MOST_VERTICES - 1) / MOST_VERTICES;
    it->stride = (uint32_t)(stride < model->strand_count ? stride : model->strand_count);
    it->model = model;
    if (it->stride == 1)
        return SHEAF_OK;
    const uint32_t count = (model->strand_count + it->stride - 1) / it->stride;
    uint32_t *strands = base_alloc(count, sizeof *strands);
    if (strands == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++)
        strands[k] = k * it->stride;
    const sheaf_status status = model_part(model, strands, count, &it->part);
    base_free(strands);
    it->model = it->part;
    return status;
}

static sheaf_status take_sample(const sheaf_model *model, sheaf_solver *solver, sample *it)
{
    SHEAF_TRY(choose_strands(model, it));
    it->positions = base_alloc(it->model->vertex_count, sizeof *it->positions);
    if (it->positions == NULL)
        return SHEAF_ERR_MEMORY;
    return solver_read_sample(solver, it->stride, it->model->first_vertex, it->positions);
}

// ---- files

// The heads that hair grows on, where their motions have taken them.
static io_ball *find_balls(const run_results *results, double time, uint32_t *count)
{
    const sheaf_scene *scene = results->scene;
    io_ball *balls = base_alloc(scene->group_count, sizeof *balls);
    *count = 0;
    for (uint32_t k = 0; k < scene->group_count && balls != NULL; k++) {
        const scene_group *group = &scene->groups[k];
        const grow_surface *head = group->grown != NULL ? &group->grown->def.surface : NULL;
        if (head == NULL || head->kind != GROW_ELLIPSOID)
            continue;
        io_ball *ball = &balls[(*count)++];
        const int32_t motion = group->strand.root.motion;
        ball->radius = fmin(head->radii[0], fmin(head->radii[1], head->radii[2]));
        for (int c = 0; c < 3; c++)
            ball->center[c] = head->center[c];
        if (motion >= 0)
            model_motion_point(&scene->motions[motion], time, head->center, ball->center);
    }
    return balls;
}

static sheaf_status write_picture(const run_results *results, const sample *it)
{
    const double time = run_results_last(results)->time;
    uint32_t count;
    io_ball *balls = find_balls(results, time, &count);
    if (balls == NULL)
        return SHEAF_ERR_MEMORY;
    base_text svg = {0};
    const io_picture picture = {.model = it->model,
                                .positions = (const double(*)[3])it->positions,
                                .time = time,
                                .balls = balls,
                                .ball_count = count,
                                .population = results->record.model};
    sheaf_status status = io_picture_draw(&picture, &svg);
    if (status == SHEAF_OK)
        status = io_folder_write(results->folder, IO_PICTURE_NAME, &svg);
    base_text_free(&svg);
    base_free(balls);
    return status;
}

static sheaf_status write_plot(const run_results *results)
{
    const char *title = results->record.model->def.title;
    base_text svg = {0};
    sheaf_status status = io_thermo_plot(&results->thermo, title && title[0] ? title : "Energies", &svg);
    if (status == SHEAF_OK)
        status = io_folder_write(results->folder, IO_ENERGY_NAME, &svg);
    base_text_free(&svg);
    return status;
}

static sheaf_status write_positions(const run_results *results, const sample *it)
{
    char *path = io_path_join(results->folder->path, IO_STRANDS_NAME);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = io_positions_write(path, it->model, it->stride, (const double(*)[3])it->positions);
    base_free(path);
    return status;
}

static sheaf_status write_strands(run_results *results)
{
    sample it = {0};
    sheaf_status status = take_sample(results->record.model, results->solver, &it);
    if (status == SHEAF_OK)
        status = write_positions(results, &it);
    if (status == SHEAF_OK)
        status = write_picture(results, &it);
    results->record.stride = it.stride;
    free_sample(&it);
    return status;
}

// Most memory the process has held, bytes, as the system tells it; 0: it does not.
static uint64_t read_peak_memory(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? 1024 * (uint64_t)use.ru_maxrss : 0;
}

sheaf_status run_results_finish(run_results *results, double wall_seconds, int exit_code)
{
    SHEAF_TRY(run_frames_close(&results->frames));
    SHEAF_TRY(write_strands(results));
    SHEAF_TRY(write_plot(results));
    results->record.wall_seconds = wall_seconds;
    results->record.peak_memory = read_peak_memory();
    SHEAF_TRY(solver_stages(results->solver, results->record.stages, &results->record.stage_count));
    results->record.exit_code = exit_code;
    return io_record_write(results->folder, &results->record);
}

void run_results_free(run_results *results)
{
    (void)run_frames_close(&results->frames); // open only when something else has failed
    run_bodies_close(&results->bodies);
    io_thermo_free(&results->thermo);
    run_probes_free(&results->probes);
    run_laws_free(&results->laws);
    base_free(results->incidents);
    results->incidents = NULL;
    json_decref(results->scene_kept);
    results->scene_kept = NULL;
}
