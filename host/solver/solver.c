// solver: the public face of a moving population, whatever backend moves it.
#include "solver/solver.h"

#include "scene/limits.h"
#include "solver/parts.h"
#include "strand/strand.h"

#include <string.h>

struct sheaf_solver {
    const sheaf_model *model;
    solver_parts parts;
    bool is_reference;
    double step;       // s
    uint64_t identity; // 0: not worked out yet
};

sheaf_solver_def sheaf_solver_def_default(void)
{
    return (sheaf_solver_def){.cookie = BASE_COOKIE, .backend = SHEAF_BACKEND_AUTO, .device = SHEAF_DEVICE_BEST};
}

static sheaf_status check_def(const sheaf_solver_def *def)
{
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_solver_def"));
    if ((unsigned)def->backend > SHEAF_BACKEND_DEVICE)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_open: backend %d is not known", (int)def->backend);
    if (def->step != 0 && !scene_within(SCENE_LIMIT_STEP, def->step))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_open: a step of %g s; it must be from %g to %g s, or 0",
                         def->step, scene_limits[SCENE_LIMIT_STEP].least, scene_limits[SCENE_LIMIT_STEP].most);
    return SHEAF_OK;
}

// Tells why the reference has to do, in one line: what follows in the last error is detail, such as a compiler's log.
static void tell_fall_back(void)
{
    const char *reason = sheaf_last_error();
    base_log(SHEAF_LOG_NOTICE, "running on the reference: %.*s", (int)strcspn(reason, "\n"), reason);
}

static sheaf_status open_parts(sheaf_solver *solver, const sheaf_solver_def *def, bool is_staged)
{
    const sheaf_model *model = solver->model;
    const method_open how = {.step = def->step > 0 ? def->step : model->def.step,
                             .threads = def->threads,
                             .device = def->device,
                             .is_staged = is_staged,
                             .precision = def->is_double ? SHEAF_PRECISION_DOUBLE : model->def.precision};
    solver->step = how.step;
    if (def->backend != SHEAF_BACKEND_REFERENCE) {
        const sheaf_status status = parts_open(model, &how, PARTS_ON_DEVICE, &solver->parts);
        if (status != SHEAF_ERR_DEVICE || def->backend == SHEAF_BACKEND_DEVICE)
            return status;
        tell_fall_back();
    }
    solver->is_reference = true;
    return parts_open(model, &how, PARTS_ON_REFERENCE, &solver->parts);
}

static sheaf_status open_solver(const sheaf_model *model, const sheaf_solver_def *def, bool is_staged,
                                sheaf_solver **solver)
{
    if (solver != NULL)
        *solver = NULL;
    if (model == NULL || def == NULL || solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_open: an argument is NULL");
    SHEAF_TRY(check_def(def));
    sheaf_solver *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->model = model;
    const sheaf_status status = open_parts(made, def, is_staged);
    if (status != SHEAF_OK) {
        base_free(made);
        return status;
    }
    *solver = made;
    return SHEAF_OK;
}

sheaf_status sheaf_solver_open(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver)
{
    return open_solver(model, def, false, solver);
}

sheaf_status solver_open_staged(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver)
{
    return open_solver(model, def, true, solver);
}

sheaf_status solver_stages(sheaf_solver *solver, solver_stage stages[SOLVER_STAGES_MOST], uint32_t *count)
{
    return parts_stages(&solver->parts, stages, count);
}

sheaf_status solver_read_tensions(sheaf_solver *solver, double *tensions)
{
    return parts_read_tensions(&solver->parts, tensions);
}

sheaf_status solver_check(const sheaf_model *model)
{
    return parts_check(model);
}

void sheaf_solver_close(sheaf_solver *solver)
{
    if (solver == NULL)
        return;
    parts_close(&solver->parts);
    base_free(solver);
}

sheaf_status sheaf_solver_step(sheaf_solver *solver, uint32_t count)
{
    if (solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_step: the solver is NULL");
    return parts_step(&solver->parts, count);
}

static sheaf_status check_read(const sheaf_solver *solver, const void *out, uint64_t capacity, const char *function)
{
    if (solver == NULL || out == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: the %s is NULL", function, solver == NULL ? "solver" : "array");
    const uint64_t count = solver->model->vertex_count;
    if (capacity < count)
        return base_fail(SHEAF_ERR_USAGE, "%s: there is room for %llu vertices; %llu are needed", function,
                         (unsigned long long)capacity, (unsigned long long)count);
    return SHEAF_OK;
}

// All strands, in the model's order.
static method_sample everything(const sheaf_solver *solver)
{
    return (method_sample){1, solver->model->first_vertex};
}

sheaf_status sheaf_solver_read_positions(sheaf_solver *solver, double (*positions)[3], uint64_t capacity)
{
    SHEAF_TRY(check_read(solver, positions, capacity, "sheaf_solver_read_positions"));
    return parts_read_positions(&solver->parts, everything(solver), positions);
}

sheaf_status sheaf_solver_read_velocities(sheaf_solver *solver, double (*velocities)[3], uint64_t capacity)
{
    SHEAF_TRY(check_read(solver, velocities, capacity, "sheaf_solver_read_velocities"));
    return parts_read_velocities(&solver->parts, everything(solver), velocities);
}

sheaf_status sheaf_solver_read_bodies(sheaf_solver *solver, sheaf_body_pose *poses, uint32_t capacity)
{
    if (solver == NULL || (poses == NULL && solver->model->body_count > 0))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_read_bodies: an argument is NULL");
    if (capacity < solver->model->body_count)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_read_bodies: room for %u bodies, and there are %u", capacity,
                         solver->model->body_count);
    return parts_read_bodies(&solver->parts, poses);
}

sheaf_status solver_read_sample(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3])
{
    return parts_read_positions(&solver->parts, (method_sample){stride, first_vertex}, positions);
}

sheaf_status solver_read_sample_velocities(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                           double (*velocities)[3])
{
    return parts_read_velocities(&solver->parts, (method_sample){stride, first_vertex}, velocities);
}

sheaf_status solver_read_directors(sheaf_solver *solver, double (*directors)[3])
{
    return parts_read_directors(&solver->parts, directors);
}

sheaf_status solver_push(sheaf_solver *solver, uint32_t strand, uint32_t vertex, const double change[3])
{
    return parts_push(&solver->parts, strand, vertex, change);
}

// ---- notes

uint32_t solver_notes_most(const sheaf_solver *solver)
{
    return parts_notes_most(&solver->parts);
}

static sheaf_status check_notes(const sheaf_solver *solver)
{
    return solver_notes_most(solver) > 0 ? SHEAF_OK : base_fail(SHEAF_ERR_USAGE, "this solver takes no notes");
}

sheaf_status solver_step_noting(sheaf_solver *solver, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    SHEAF_TRY(check_notes(solver));
    return parts_step_noting(&solver->parts, count, after, note_count, with_poses);
}

sheaf_status solver_note_report(sheaf_solver *solver, uint32_t note, sheaf_report *report)
{
    SHEAF_TRY(check_notes(solver));
    return parts_note_report(&solver->parts, note, report);
}

sheaf_status solver_note_figures(sheaf_solver *solver, uint32_t note, method_figure figures[SOLVER_FIGURES_MOST],
                                 uint32_t *count)
{
    SHEAF_TRY(check_notes(solver));
    return parts_figures(&solver->parts, &note, figures, count);
}

sheaf_status solver_note_sample(sheaf_solver *solver, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3])
{
    SHEAF_TRY(check_notes(solver));
    return parts_note_positions(&solver->parts, note, (method_sample){stride, first_vertex}, positions);
}

// ---- the whole state as arrays

uint32_t solver_arrays(const sheaf_solver *solver, solver_array arrays[SOLVER_ARRAYS_MOST])
{
    return parts_arrays(&solver->parts, arrays);
}

sheaf_status solver_read_array(sheaf_solver *solver, uint32_t index, void *values)
{
    const solver_part *part = parts_of_array(&solver->parts, &index);
    return part->backend->read_array(part->instance, index, values);
}

sheaf_status solver_write_array(sheaf_solver *solver, uint32_t index, const void *values)
{
    const solver_part *part = parts_of_array(&solver->parts, &index);
    return part->backend->write_array(part->instance, index, values);
}

sheaf_status solver_write_rows(sheaf_solver *solver, uint32_t index, uint64_t rows, const void *values)
{
    const solver_part *part = parts_of_array(&solver->parts, &index);
    return part->backend->write_rows(part->instance, index, rows, values);
}

// All methods have taken as many.
uint64_t solver_steps(const sheaf_solver *solver)
{
    return solver->parts.part[0].backend->steps(solver->parts.part[0].instance);
}

void solver_set_steps(sheaf_solver *solver, uint64_t steps)
{
    for (uint32_t k = 0; k < solver->parts.count; k++)
        solver->parts.part[k].backend->set_steps(solver->parts.part[k].instance, steps);
}

double solver_step(const sheaf_solver *solver)
{
    return solver->step;
}

const sheaf_model *solver_model(const sheaf_solver *solver)
{
    return solver->model;
}

bool solver_is_reference(const sheaf_solver *solver)
{
    return solver->is_reference;
}

sheaf_status solver_identity(sheaf_solver *solver, uint64_t *identity)
{
    if (solver->identity == 0)
        SHEAF_TRY(model_identity(solver->model, &solver->identity));
    *identity = solver->identity;
    return SHEAF_OK;
}

// ---- what it runs on

// Of its first method.
static method_place place_of(const sheaf_solver *solver)
{
    return solver->parts.part[0].backend->place(solver->parts.part[0].instance);
}

const char *sheaf_solver_device(const sheaf_solver *solver)
{
    return solver != NULL ? place_of(solver).device : "";
}

const char *sheaf_solver_form(const sheaf_solver *solver)
{
    return solver != NULL ? place_of(solver).form : "";
}

const char *sheaf_solver_precision(const sheaf_solver *solver)
{
    return solver != NULL ? parts_precision(&solver->parts) : "";
}

sheaf_status sheaf_solver_report(sheaf_solver *solver, sheaf_report *report)
{
    if (solver == NULL || report == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_report: an argument is NULL");
    return parts_report(&solver->parts, report);
}

sheaf_status solver_figures(sheaf_solver *solver, method_figure figures[SOLVER_FIGURES_MOST], uint32_t *count)
{
    return parts_figures(&solver->parts, NULL, figures, count);
}

sheaf_status sheaf_solver_figures(sheaf_solver *solver, sheaf_figure *figures, uint32_t capacity, uint32_t *count)
{
    method_figure all[SOLVER_FIGURES_MOST];
    if (solver == NULL || count == NULL || (figures == NULL && capacity > 0))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_figures: an argument is NULL");
    SHEAF_TRY(solver_figures(solver, all, count));
    for (uint32_t k = 0; k < *count && k < capacity; k++)
        figures[k] = (sheaf_figure){all[k].name, all[k].value};
    return SHEAF_OK;
}

sheaf_status sheaf_solver_incident(const sheaf_solver *solver, uint32_t index, sheaf_incident *incident)
{
    if (solver == NULL || incident == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_incident: an argument is NULL");
    return parts_incident(&solver->parts, index, incident);
}
