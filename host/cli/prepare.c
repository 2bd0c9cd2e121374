// prepare: `sheaf devices --prepare`, which compiles kernels ahead of their first use. Drivers keep what they compile
// by its text and options, so that a step of a scene is all it takes.
#include "cli/prepare.h"

#include "cli/load.h"
#include "cli/pocl.h"
#include "cli/probe.h"
#include "cli/signals.h"
#include "cli/starts.h"

// Scenes that refer to files are prepared by those that do not: their programs are the same.
static bool stands_alone(const cli_start *start)
{
    return start->meshes->name == NULL;
}

static sheaf_status step_once(const sheaf_model *model, const sheaf_solver_def *def)
{
    sheaf_solver *solver = NULL;
    SHEAF_TRY(sheaf_solver_open(model, def, &solver));
    const sheaf_status status = sheaf_solver_step(solver, 1);
    sheaf_solver_close(solver);
    cli_pocl_seal();
    return status;
}

static sheaf_status prepare_start(const cli_start *start, const sheaf_solver_def *def)
{
    scene_diagnostics problems = {0};
    sheaf_scene *scene = NULL;
    sheaf_model *model = NULL;
    sheaf_status status = scene_read_text((const char *)start->bytes, start->size, start->name, &problems, &scene);
    if (status == SHEAF_OK)
        status = sheaf_model_create(scene, &model);
    if (status == SHEAF_OK)
        status = step_once(model, def);
    sheaf_model_free(model);
    sheaf_scene_free(scene);
    scene_diagnostics_free(&problems);
    return status;
}

static sheaf_status prepare_all(const sheaf_solver_def *def, uint32_t *count)
{
    for (const cli_start *start = cli_starts; start->name != NULL; start++) {
        if (!stands_alone(start))
            continue;
        if (cli_caught_signal() != 0)
            return base_fail(SHEAF_ERR_INTERRUPTED, "stopped; what was compiled so far is kept");
        cli_note("compiling kernels of %s", start->name);
        SHEAF_TRY(prepare_start(start, def));
        ++*count;
    }
    return SHEAF_OK;
}

int cli_prepare(void)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    uint32_t count = 0;
    def.backend = SHEAF_BACKEND_DEVICE;
    cli_catch_signals();
    cli_note("trying the device");
    sheaf_status status = cli_pick_device(&def, true);
    def.backend = SHEAF_BACKEND_AUTO; // scenes that devices cannot have need no kernels
    if (status == SHEAF_OK)
        status = prepare_all(&def, &count);
    if (status != SHEAF_OK)
        return cli_fail(status);
    cli_note("kernels of %u kinds of scenes are compiled and kept", count);
    return CLI_EXIT_OK;
}
