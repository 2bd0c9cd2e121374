// knobs: numbers of a scene that `sheaf view` lets its user turn.
#ifndef SHEAF_CLI_KNOBS_H
#define SHEAF_CLI_KNOBS_H

#include "scene/scene.h"
#include "view/window.h"

enum { CLI_KNOBS_MOST = 24 };

typedef struct cli_knobs {
    view_knob list[CLI_KNOBS_MOST];
    uint32_t count;
    double start[CLI_KNOBS_MOST];  // values of the file
    sheaf_scene_def def;           // of the file; borrows its strings
    sheaf_material_def *materials; // [material_count] likewise
    uint32_t material_count;
    double (*past)[CLI_KNOBS_MOST]; // [past_count] values before each change
    uint32_t past_count;
    double last[CLI_KNOBS_MOST]; // values applied last
} cli_knobs;

// Knobs of a scene, where its file has them. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cli_knobs_open(const sheaf_scene *scene, cli_knobs *knobs);
void cli_knobs_close(cli_knobs *knobs);

// Puts the knobs' values into the scene; the values before can be had again by cli_knobs_undo.
sheaf_status cli_knobs_apply(cli_knobs *knobs, sheaf_scene *scene);

// Turns the knobs back by one change; false: there was none.
bool cli_knobs_undo(cli_knobs *knobs, sheaf_scene *scene);

// Writes the scene file `from` with the knobs' values to `to`; neither an existing file nor `from` is replaced.
sheaf_status cli_knobs_save(const cli_knobs *knobs, const char *from, const char *to);

#endif
