// brood: a run with the children of its strands, written while they are made.
#ifndef SHEAF_CLI_BROOD_H
#define SHEAF_CLI_BROOD_H

#include "children/children.h"
#include "cli/load.h"
#include "groom/derive.h"
#include "groom/format.h"

typedef struct cli_brood {
    children_plan *plan; // NULL: there are none
    cli_loaded loaded;   // the run's scene
    groom_source *run;   // as it was written, in metres
    groom_source *to;    // frames, unit and axes of what is written
    double (*guides)[3]; // [vertex] m
    groom_axes axes;
    double scale; // units of `to` per metre
} cli_brood;

// Opens the children, so many for each strand or as the scene says (CHILDREN_AS_SCENE; there may be none then), of a
// run in folder `path`: `run` holds its frames, and `to` is what was derived of it; both must outlive the brood. Free
// by cli_brood_close in any case. Returns SHEAF_OK, SHEAF_ERR_USAGE (the format holds no strands that are made
// meanwhile), SHEAF_ERR_INPUT (no scene), or as children_open.
sheaf_status cli_brood_open(groom_source *run, groom_source *to, const groom_format *format, const char *path,
                            uint32_t count, cli_brood *brood);
void cli_brood_close(cli_brood *brood);

// Writes strands and children, whole or not at all. Returns as io_groom_save.
sheaf_status cli_brood_save(cli_brood *brood, const groom_format *format, const char *path, bool replace);

#endif
