// show: what is to be seen, whatever it comes in.
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/grooms.h"
#include "cli/past.h"
#include "cli/pocl.h"
#include "cli/probe.h"
#include "io/folder.h"
#include "io/grooms.h"
#include "run/bodies.h"
#include "solver/solver.h"

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static sheaf_status open_frames(const char *path, cli_show *show)
{
    sheaf_status status;
    const groom_format *format = cli_groom_format(path, &status);
    if (format == NULL)
        return status;
    SHEAF_TRY(groom_open(format, path, &show->source));
    show->is_recorded = true;
    return SHEAF_OK;
}

static sheaf_status open_folder(const char *path, cli_show *show)
{
    char *frames = io_path_join(path, IO_TRAJECTORY_NAME);
    const sheaf_status status = frames != NULL ? open_frames(frames, show) : SHEAF_ERR_MEMORY;
    base_free(frames);
    return status;
}

// Strands of a run's folder with its scene, or of a file alone.
static int open_recorded(const char *path, const char *scene, cli_show *show)
{
    sheaf_status status = is_folder(path) ? open_folder(path, show) : open_frames(path, show);
    show->folder = is_folder(path) ? path : NULL;
    const int code = status == SHEAF_OK && is_folder(path) ? cli_past_load(path, scene, &show->loaded) : CLI_EXIT_OK;
    if (code != CLI_EXIT_OK)
        return code;
    if (status == SHEAF_OK)
        status = view_stage_open_groom(&show->source.groom, show->loaded.scene, show->loaded.model, &show->stage);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

static int open_scene(const char *path, cli_show *show)
{
    show->loaded = cli_load(path);
    if (show->loaded.status != SHEAF_OK)
        return cli_tell_load(&show->loaded, path);
    const sheaf_status status = view_stage_open(show->loaded.scene, show->loaded.model, &show->stage);
    return status == SHEAF_OK ? CLI_EXIT_OK : cli_fail(status);
}

// Strands out of a file have no scene that children could be made by.
static void note_no_children(const cli_show *show, uint32_t children)
{
    if (children != CHILDREN_AS_SCENE && children > 0 && show->stage.maker == NULL)
        cli_note("there are no strands of a groom or file, with a scene, that could have children");
}

int cli_show_open(const cli_command *command, const char *path, const char *scene, uint32_t children, cli_show *show)
{
    *show = (cli_show){0};
    if (scene != NULL && !is_folder(path) && access(path, F_OK) == 0)
        return cli_refuse(command, "--scene goes with the folder of a run");
    const bool is_recorded = is_folder(path) || groom_format_of(io_formats, path) != NULL;
    const int code = is_recorded ? open_recorded(path, scene, show) : open_scene(path, show);
    if (code != CLI_EXIT_OK)
        return code;
    const sheaf_status status = view_stage_add_children(&show->stage, children);
    if (status != SHEAF_OK)
        return cli_fail(status);
    note_no_children(show, children);
    return CLI_EXIT_OK;
}

void cli_show_close(cli_show *show)
{
    view_stage_close(&show->stage);
    if (show->is_recorded)
        groom_close(&show->source);
    cli_loaded_free(&show->loaded);
    *show = (cli_show){0};
}

sheaf_status cli_show_solver(const cli_show *show, int backend, bool is_timed, sheaf_solver **solver)
{
    sheaf_solver_def def = sheaf_solver_def_default();
    cli_set_backend(backend, &def);
    SHEAF_TRY(cli_pick_device(&def, false));
    SHEAF_TRY(is_timed ? solver_open_staged(show->loaded.model, &def, solver)
                       : sheaf_solver_open(show->loaded.model, &def, solver));
    cli_pocl_seal();
    return SHEAF_OK;
}

static sheaf_status read_bodies(cli_show *show, sheaf_solver *solver)
{
    const sheaf_model *model = show->loaded.model;
    if (model->body_count == 0)
        return SHEAF_OK;
    sheaf_body_pose *poses = base_alloc(model->body_count, sizeof *poses);
    sheaf_status status = poses != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        status = sheaf_solver_read_bodies(solver, poses, model->body_count);
    if (status == SHEAF_OK)
        view_props_set_bodies(&show->stage.props, model, poses);
    base_free(poses);
    return status;
}

sheaf_status cli_show_place_bodies(cli_show *show, double time)
{
    const sheaf_model *model = show->loaded.model;
    if (show->folder == NULL || model == NULL || model->body_count == 0)
        return SHEAF_OK;
    sheaf_body_pose *poses = base_alloc(model->body_count, sizeof *poses);
    if (poses == NULL)
        return SHEAF_ERR_MEMORY;
    if (run_bodies_read(show->folder, model, time, poses))
        view_props_set_bodies(&show->stage.props, model, poses);
    base_free(poses);
    return SHEAF_OK;
}

sheaf_status cli_show_read(cli_show *show, sheaf_solver *solver, double time)
{
    view_stage *stage = &show->stage;
    SHEAF_TRY(sheaf_solver_read_positions(solver, stage->positions, show->loaded.model->vertex_count));
    if (stage->directors != NULL)
        SHEAF_TRY(solver_read_directors(solver, stage->directors));
    SHEAF_TRY(view_stage_set_time(stage, time));
    return read_bodies(show, solver);
}

// ---- sizes

enum { LARGEST = 8192 }; // px

bool cli_read_size(const char *word, uint32_t least, uint32_t *width, uint32_t *height)
{
    char *end;
    const unsigned long across = strtoul(word, &end, 10);
    if (*end != 'x')
        return false;
    const unsigned long down = strtoul(end + 1, &end, 10);
    *width = (uint32_t)across;
    *height = (uint32_t)down;
    return *end == 0 && word[0] != '-' && across >= least && down >= least && across <= LARGEST && down <= LARGEST;
}

int cli_refuse_size(const cli_command *command, const char *word, uint32_t least)
{
    char shown[80];
    return cli_refuse(command, "--size: '%s' is no size such as 1280x720, from %u to %d",
                      base_printable(word, shown, sizeof shown), least, LARGEST);
}

// ---- children

bool cli_read_children(const char *word, uint32_t *count)
{
    char *end;
    *count = CHILDREN_AS_SCENE;
    if (word == NULL)
        return true;
    const unsigned long number = strtoul(word, &end, 10);
    *count = (uint32_t)number;
    return word[0] >= '0' && word[0] <= '9' && *end == 0 && number <= SCENE_MOST_CHILDREN;
}

int cli_refuse_children(const cli_command *command, const char *word)
{
    char shown[80];
    return cli_refuse(command, "--children: '%s' is no number from 0 to %d", base_printable(word, shown, sizeof shown),
                      SCENE_MOST_CHILDREN);
}
