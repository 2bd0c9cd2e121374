// solver: the public face of a moving population, whatever backend moves it.
#include "solver/solver.h"

#include "scene/limits.h"
#include "solver/accelerated.h"
#include "solver/reference.h"

#include <string.h>

struct sheaf_solver {
    const sheaf_model *model;
    reference *reference; // one of the two is NULL
    accelerated *accelerated;
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

static sheaf_status open_backend(sheaf_solver *solver, const sheaf_solver_def *def, bool is_staged)
{
    const sheaf_model *model = solver->model;
    const accelerated_def device = {.step = def->step > 0 ? def->step : model->def.step,
                                    .device = def->device,
                                    .is_staged = is_staged,
                                    .precision = def->is_double ? SHEAF_PRECISION_DOUBLE : model->def.precision};
    solver->step = device.step;
    if (def->backend != SHEAF_BACKEND_REFERENCE) {
        const sheaf_status status = accelerated_open(model, &device, &solver->accelerated);
        if (status != SHEAF_ERR_DEVICE || def->backend == SHEAF_BACKEND_DEVICE)
            return status;
        tell_fall_back();
    }
    return reference_open(model, device.step, def->threads, &solver->reference);
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
    const sheaf_status status = open_backend(made, def, is_staged);
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
    *count = 0;
    return solver->accelerated ? accelerated_stages(solver->accelerated, stages, count) : SHEAF_OK;
}

void sheaf_solver_close(sheaf_solver *solver)
{
    if (solver == NULL)
        return;
    reference_close(solver->reference);
    accelerated_close(solver->accelerated);
    base_free(solver);
}

sheaf_status sheaf_solver_step(sheaf_solver *solver, uint32_t count)
{
    if (solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_step: the solver is NULL");
    return solver->accelerated ? accelerated_step(solver->accelerated, count)
                               : reference_step(solver->reference, count);
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

sheaf_status sheaf_solver_read_positions(sheaf_solver *solver, double (*positions)[3], uint64_t capacity)
{
    SHEAF_TRY(check_read(solver, positions, capacity, "sheaf_solver_read_positions"));
    if (solver->accelerated)
        return accelerated_read(solver->accelerated, positions, NULL);
    memcpy(positions, reference_state(solver->reference)->position, solver->model->vertex_count * sizeof *positions);
    return SHEAF_OK;
}

static void pick_strands(const sheaf_model *model, uint32_t stride, const uint64_t *first_vertex,
                         const double (*vectors)[3], double (*out)[3])
{
    for (uint32_t s = 0; s < model->strand_count; s += stride)
        memcpy(out + first_vertex[s / stride], vectors + model->first_vertex[s],
               model_vertex_count(model, s) * sizeof *out);
}

sheaf_status solver_read_sample(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3])
{
    if (solver->accelerated)
        return accelerated_read_sample(solver->accelerated, stride, first_vertex, positions);
    pick_strands(solver->model, stride, first_vertex, (const double(*)[3])reference_state(solver->reference)->position,
                 positions);
    return SHEAF_OK;
}

sheaf_status solver_read_sample_velocities(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                           double (*velocities)[3])
{
    if (solver->accelerated)
        return accelerated_read_sample_velocities(solver->accelerated, stride, first_vertex, velocities);
    pick_strands(solver->model, stride, first_vertex, (const double(*)[3])reference_state(solver->reference)->velocity,
                 velocities);
    return SHEAF_OK;
}

sheaf_status solver_read_directors(sheaf_solver *solver, double (*directors)[3])
{
    if (solver->accelerated)
        return accelerated_read_directors(solver->accelerated, directors);
    reference_directors(solver->reference, directors);
    return SHEAF_OK;
}

sheaf_status solver_push(sheaf_solver *solver, uint32_t strand, uint32_t vertex, const double change[3])
{
    if (solver->accelerated)
        return accelerated_push(solver->accelerated, strand, vertex, change);
    reference_push(solver->reference, strand, vertex, change);
    return SHEAF_OK;
}

sheaf_status sheaf_solver_read_velocities(sheaf_solver *solver, double (*velocities)[3], uint64_t capacity)
{
    SHEAF_TRY(check_read(solver, velocities, capacity, "sheaf_solver_read_velocities"));
    if (solver->accelerated)
        return accelerated_read(solver->accelerated, NULL, velocities);
    memcpy(velocities, reference_state(solver->reference)->velocity, solver->model->vertex_count * sizeof *velocities);
    return SHEAF_OK;
}

// ---- notes

_Static_assert((int)SOLVER_NOTES_MOST == (int)ENGINE_NOTES_MOST, "there is room for every note");

uint32_t solver_notes_most(const sheaf_solver *solver)
{
    return solver->accelerated ? accelerated_notes_most(solver->accelerated) : 0;
}

static sheaf_status check_notes(const sheaf_solver *solver)
{
    return solver->accelerated ? SHEAF_OK : base_fail(SHEAF_ERR_USAGE, "the reference takes no notes");
}

sheaf_status solver_step_noting(sheaf_solver *solver, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses)
{
    SHEAF_TRY(check_notes(solver));
    return accelerated_step_noting(solver->accelerated, count, after, note_count, with_poses);
}

sheaf_status solver_note_report(sheaf_solver *solver, uint32_t note, sheaf_report *report)
{
    SHEAF_TRY(check_notes(solver));
    return accelerated_note_report(solver->accelerated, note, report);
}

sheaf_status solver_note_sample(sheaf_solver *solver, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3])
{
    SHEAF_TRY(check_notes(solver));
    return accelerated_note_sample(solver->accelerated, note, stride, first_vertex, positions);
}

// ---- the whole state as arrays

uint32_t solver_arrays(const sheaf_solver *solver, solver_array arrays[SOLVER_ARRAYS_MOST])
{
    return solver->accelerated ? accelerated_arrays(solver->accelerated, arrays)
                               : reference_arrays(solver->reference, arrays);
}

sheaf_status solver_read_array(sheaf_solver *solver, uint32_t index, void *values)
{
    return solver->accelerated ? accelerated_read_array(solver->accelerated, index, values)
                               : reference_read_array(solver->reference, index, values);
}

sheaf_status solver_write_array(sheaf_solver *solver, uint32_t index, const void *values)
{
    return solver->accelerated ? accelerated_write_array(solver->accelerated, index, values)
                               : reference_write_array(solver->reference, index, values);
}

uint64_t solver_steps(const sheaf_solver *solver)
{
    return solver->accelerated ? accelerated_steps(solver->accelerated) : reference_state(solver->reference)->step;
}

void solver_set_steps(sheaf_solver *solver, uint64_t steps)
{
    if (solver->accelerated)
        accelerated_set_steps(solver->accelerated, steps);
    else
        reference_set_steps(solver->reference, steps);
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
    return solver->reference != NULL;
}

sheaf_status solver_identity(sheaf_solver *solver, uint64_t *identity)
{
    if (solver->identity == 0)
        SHEAF_TRY(model_identity(solver->model, &solver->identity));
    *identity = solver->identity;
    return SHEAF_OK;
}

// ---- what it runs on

const char *sheaf_solver_device(const sheaf_solver *solver)
{
    if (solver == NULL)
        return "";
    return solver->accelerated ? accelerated_device(solver->accelerated) : "reference";
}

const char *sheaf_solver_form(const sheaf_solver *solver)
{
    if (solver == NULL)
        return "";
    return solver->accelerated ? accelerated_form(solver->accelerated) : "scalar";
}

const char *sheaf_solver_precision(const sheaf_solver *solver)
{
    if (solver == NULL)
        return "";
    const bool is_single = solver->accelerated && !accelerated_is_double(solver->accelerated);
    return is_single ? "single" : "double";
}

sheaf_status sheaf_solver_report(sheaf_solver *solver, sheaf_report *report)
{
    if (solver == NULL || report == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_report: an argument is NULL");
    return solver->accelerated ? accelerated_report(solver->accelerated, report)
                               : reference_report(solver->reference, report);
}

sheaf_status sheaf_solver_incident(const sheaf_solver *solver, uint32_t index, sheaf_incident *incident)
{
    if (solver == NULL || incident == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_incident: an argument is NULL");
    return solver->accelerated ? accelerated_incident(solver->accelerated, index, incident)
                               : reference_incident(solver->reference, index, incident);
}
