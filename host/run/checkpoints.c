// checkpoints: when a run saves its whole state, and going on from what was saved.
#include "run/checkpoints.h"

#include <stdlib.h>
#include <unistd.h>

// ---- writing

sheaf_status run_checkpoints_start(run_checkpoints *checkpoints, const char *folder, double interval)
{
    checkpoints->path = io_path_join(folder, IO_CHECKPOINT_NAME);
    checkpoints->previous = io_path_join(folder, IO_PREVIOUS_NAME);
    checkpoints->interval = interval;
    return checkpoints->path && checkpoints->previous ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

double run_checkpoints_wall(const run_checkpoints *checkpoints)
{
    return checkpoints->past.wall_seconds + base_clock() - checkpoints->start;
}

static bool has_news(const run_checkpoints *checkpoints, const run_results *results)
{
    return checkpoints->path != NULL && !(checkpoints->any && checkpoints->saved == solver_steps(results->solver));
}

static sheaf_status write_state(run_checkpoints *checkpoints, const run_results *results)
{
    const io_checkpoint_note note = {.wall_seconds = run_checkpoints_wall(checkpoints),
                                     .restarts = checkpoints->past.restarts};
    SHEAF_TRY(io_checkpoint_write(results->solver, &note, checkpoints->path, checkpoints->previous));
    checkpoints->saved = solver_steps(results->solver);
    checkpoints->any = true;
    checkpoints->last = base_clock();
    return SHEAF_OK;
}

sheaf_status run_checkpoints_save(run_checkpoints *checkpoints, const run_results *results)
{
    if (!has_news(checkpoints, results))
        return SHEAF_OK;
    SHEAF_TRY(run_results_sync(results));
    return write_state(checkpoints, results);
}

sheaf_status run_checkpoints_save_first(run_checkpoints *checkpoints, const run_results *results)
{
    if (!has_news(checkpoints, results))
        return SHEAF_OK;
    SHEAF_TRY(write_state(checkpoints, results));
    return run_results_sync(results);
}

sheaf_status run_checkpoints_save_if_due(run_checkpoints *checkpoints, const run_results *results)
{
    const bool is_due = base_clock() - checkpoints->last >= checkpoints->interval;
    return is_due ? run_checkpoints_save(checkpoints, results) : SHEAF_OK;
}

void run_checkpoints_free(run_checkpoints *checkpoints)
{
    base_free(checkpoints->path);
    base_free(checkpoints->previous);
    *checkpoints = (run_checkpoints){0};
}

// ---- going on

// The two files of a folder, in the order they are tried.
static const char *const names[] = {IO_CHECKPOINT_NAME, IO_PREVIOUS_NAME};

typedef sheaf_status try_fn(const char *path, void *user);

static sheaf_status try_file(const char *folder, const char *name, try_fn *fn, void *user, bool *exists)
{
    char *path = io_path_join(folder, name);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    *exists = access(path, F_OK) == 0;
    const sheaf_status status = fn(path, user);
    base_free(path);
    return status;
}

// Calls fn for the last checkpoint, and when that fails for the previous one; fails with the first error.
static sheaf_status try_both(const char *folder, const run_hooks *hooks, try_fn *fn, void *user, bool *exists)
{
    bool has_first = false, has_second = false;
    sheaf_status status = try_file(folder, names[0], fn, user, &has_first);
    *exists = has_first;
    if (status == SHEAF_OK || status == SHEAF_ERR_MEMORY || status == SHEAF_ERR_DEVICE)
        return status;
    char *first_error = base_strdup(sheaf_last_error());
    if (first_error == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status second = try_file(folder, names[1], fn, user, &has_second);
    *exists = has_first || has_second;
    if (second == SHEAF_OK) {
        run_tell(hooks, RUN_WARNING, "%s; the one before it, %s, is taken", first_error, names[1]);
        status = SHEAF_OK;
    } else if (has_first || !has_second) {
        (void)base_fail_text(status, first_error);
    } else {
        status = second;
    }
    base_free(first_error);
    return status;
}

static sheaf_status read_facts(const char *path, void *user)
{
    return io_checkpoint_read(path, user);
}

// Whether a folder's record says that its run has come to an end.
static bool has_ended(const char *folder)
{
    char *path = io_path_join(folder, IO_RECORD_NAME);
    json_t *record = NULL;
    const bool ended =
        path != NULL && io_record_read(path, &record) == SHEAF_OK && !json_is_null(json_object_get(record, "exit"));
    json_decref(record);
    base_free(path);
    return ended;
}

sheaf_status run_checkpoints_find(const char *folder, const run_hooks *hooks, io_checkpoint *facts, bool *found)
{
    bool exists;
    const sheaf_status status = try_both(folder, hooks, read_facts, facts, &exists);
    *found = status == SHEAF_OK;
    if (exists || status == SHEAF_ERR_MEMORY)
        return status;
    if (!has_ended(folder))
        return SHEAF_OK;
    char shown[512];
    return base_fail(SHEAF_ERR_INPUT, "folder '%s' holds a run without a checkpoint; --overwrite starts it again",
                     base_printable(folder, shown, sizeof shown));
}

typedef struct loading {
    sheaf_solver *solver;
    io_checkpoint *facts;
} loading;

static sheaf_status load(const char *path, void *user)
{
    const loading *it = user;
    SHEAF_TRY(io_checkpoint_read(path, it->facts));
    return sheaf_solver_load(it->solver, path);
}

sheaf_status run_checkpoints_load(const char *folder, const run_hooks *hooks, sheaf_solver *solver,
                                  io_checkpoint *facts)
{
    bool exists;
    loading it = {solver, facts};
    return try_both(folder, hooks, load, &it, &exists);
}
