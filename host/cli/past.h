// past: the scene of a run that has been, as its folder has it or as another file tells it.
#ifndef SHEAF_CLI_PAST_H
#define SHEAF_CLI_PAST_H

#include "cli/load.h"

// Loads the scene of a run by its folder, or with `other` (may be NULL) another file of the same scene. Tells what is
// missing or has changed. Returns an exit code; CLI_EXIT_OK also where the folder's scene cannot be found, and `loaded`
// is empty then.
int cli_past_load(const char *folder, const char *other, cli_loaded *loaded);

// Tells when a file of the scene of a run's record has changed since the run.
void cli_past_tell_changed(const json_t *record, bool has_other);

#endif
