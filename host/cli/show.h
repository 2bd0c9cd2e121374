// show: what is to be seen, whatever it comes in: a scene, the folder of a run, or a file of strands.
#ifndef SHEAF_CLI_SHOW_H
#define SHEAF_CLI_SHOW_H

#include "cli/command.h"
#include "cli/load.h"
#include "groom/source.h"
#include "view/reel.h"
#include "view/stage.h"

typedef struct cli_show {
    cli_loaded loaded;   // scene and model; of a folder only where its scene is still there
    groom_source source; // frames of a folder or file
    bool is_recorded;    // has frames; else it is a scene to be simulated
    const char *folder;  // of a run, where it was opened by one; else NULL
    view_stage stage;
} cli_show;

// Opens what is under a path, with so many children for each strand (CHILDREN_AS_SCENE: as the scene says); `scene`
// (may be NULL): the file that --scene names, which goes with a folder. Returns an exit code; what is wrong has been
// told.
int cli_show_open(const cli_command *command, const char *path, const char *scene, uint32_t children, cli_show *show);
void cli_show_close(cli_show *show);

// Moves rigid bodies of a run to where its files have them at a time, s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cli_show_place_bodies(cli_show *show, double time);

// A solver for the scene on what --device chose, with its stages timed if `is_timed`. Returns SHEAF_OK, or what opening
// it failed with.
sheaf_status cli_show_solver(const cli_show *show, int backend, bool is_timed, sheaf_solver **solver);

// Brings what a solver holds onto the stage.
sheaf_status cli_show_read(cli_show *show, sheaf_solver *solver, double time);

// Reads a size such as 1280x720, with sides from `least` to 8192 pixels; and refuses what is none.
bool cli_read_size(const char *word, uint32_t least, uint32_t *width, uint32_t *height);
int cli_refuse_size(const cli_command *command, const char *word, uint32_t least);

// Reads the number of children that --children gives, CHILDREN_AS_SCENE where `word` is NULL; and refuses what is none.
bool cli_read_children(const char *word, uint32_t *count);
int cli_refuse_children(const cli_command *command, const char *word);

#endif
