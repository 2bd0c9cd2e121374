// solver: the public face of a moving population, whatever backend moves it.
#include "scene/limits.h"
#include "solver/reference.h"

#include <string.h>

struct sheaf_solver {
    const sheaf_model *model;
    reference *reference;
};

sheaf_solver_def sheaf_solver_def_default(void)
{
    return (sheaf_solver_def){.cookie = BASE_COOKIE, .backend = SHEAF_BACKEND_AUTO};
}

static sheaf_status check_def(const sheaf_solver_def *def)
{
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_solver_def"));
    if ((unsigned)def->backend > SHEAF_BACKEND_REFERENCE)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_open: backend %d is not known", (int)def->backend);
    if (def->step != 0 && !scene_within(SCENE_LIMIT_STEP, def->step))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_open: a step of %g s; it must be from %g to %g s, or 0",
                         def->step, scene_limits[SCENE_LIMIT_STEP].least, scene_limits[SCENE_LIMIT_STEP].most);
    return SHEAF_OK;
}

sheaf_status sheaf_solver_open(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver)
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
    const double step = def->step > 0 ? def->step : model->def.step;
    const sheaf_status status = reference_open(model, step, def->threads, &made->reference);
    if (status != SHEAF_OK) {
        base_free(made);
        return status;
    }
    *solver = made;
    return SHEAF_OK;
}

void sheaf_solver_close(sheaf_solver *solver)
{
    if (solver == NULL)
        return;
    reference_close(solver->reference);
    base_free(solver);
}

sheaf_status sheaf_solver_step(sheaf_solver *solver, uint32_t count)
{
    if (solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_step: the solver is NULL");
    return reference_step(solver->reference, count);
}

// Copies one of the state's arrays over vertices.
static sheaf_status read_vectors(const sheaf_solver *solver, const double (*vectors)[3], double (*out)[3],
                                 uint64_t capacity, const char *function)
{
    if (out == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: the array is NULL", function);
    const uint64_t count = solver->model->vertex_count;
    if (capacity < count)
        return base_fail(SHEAF_ERR_USAGE, "%s: there is room for %llu vertices; %llu are needed", function,
                         (unsigned long long)capacity, (unsigned long long)count);
    memcpy(out, vectors, (size_t)count * sizeof *out);
    return SHEAF_OK;
}

sheaf_status sheaf_solver_read_positions(sheaf_solver *solver, double (*positions)[3], uint64_t capacity)
{
    const char *function = "sheaf_solver_read_positions";
    if (solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: the solver is NULL", function);
    const sheaf_state *state = reference_state(solver->reference);
    return read_vectors(solver, (const double(*)[3])state->position, positions, capacity, function);
}

sheaf_status sheaf_solver_read_velocities(sheaf_solver *solver, double (*velocities)[3], uint64_t capacity)
{
    const char *function = "sheaf_solver_read_velocities";
    if (solver == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: the solver is NULL", function);
    const sheaf_state *state = reference_state(solver->reference);
    return read_vectors(solver, (const double(*)[3])state->velocity, velocities, capacity, function);
}

sheaf_status sheaf_solver_report(sheaf_solver *solver, sheaf_report *report)
{
    if (solver == NULL || report == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_report: an argument is NULL");
    return reference_report(solver->reference, report);
}

sheaf_status sheaf_solver_incident(const sheaf_solver *solver, uint32_t index, sheaf_incident *incident)
{
    if (solver == NULL || incident == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_solver_incident: an argument is NULL");
    return reference_incident(solver->reference, index, incident);
}
