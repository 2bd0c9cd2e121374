// doubts: what in a scene is allowed and yet likely to be a mistake. `check` and `run` tell of it, each with its
// reason.
#ifndef SHEAF_CLI_DOUBTS_H
#define SHEAF_CLI_DOUBTS_H

#include "cli/load.h"

enum { CLI_DOUBTS_MAX = 16 };

// Texts without a full stop at their end; what comes after the last is counted only.
typedef struct cli_doubts {
    char text[CLI_DOUBTS_MAX][320];
    uint32_t count; // also of those that had no room
} cli_doubts;

// Looks at all materials, and at the first strand of every entry of `strands`. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cli_doubts_find(const cli_loaded *loaded, cli_doubts *doubts);

// Each of them as a warning on stderr.
void cli_doubts_tell(const cli_doubts *doubts);

// The same as a JSON array of texts; NULL: out of memory.
json_t *cli_doubts_json(const cli_doubts *doubts);

#endif
