// assist: what the window leaves to the command: cameras written into scenes, films.
#ifndef SHEAF_CLI_ASSIST_H
#define SHEAF_CLI_ASSIST_H

#include "cli/film.h"
#include "view/window.h"

typedef struct cli_assist {
    const char *path; // of what is shown
    bool is_scene;    // it is a scene's file
    cli_film film;
    bool has_film;
} cli_assist;

// The window's helper; the assist must outlive it.
view_helper cli_assist_helper(cli_assist *assist);

// Gives up a film that was not ended.
void cli_assist_close(cli_assist *assist);

#endif
