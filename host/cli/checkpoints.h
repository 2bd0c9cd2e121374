// checkpoints: when a run saves its whole state, and going on from what was saved.
#ifndef SHEAF_CLI_CHECKPOINTS_H
#define SHEAF_CLI_CHECKPOINTS_H

#include "cli/results.h"
#include "io/checkpoint.h"

// All zero: none are written.
typedef struct cli_checkpoints {
    char *path, *previous;   // of the two files
    double interval;         // s of real time
    double last;             // s, clock when one was written, or the run began
    double start;            // s, clock when this part of the run began
    io_checkpoint_note past; // of the parts before
    uint64_t saved;          // step of the last one
    bool any;                // one was written
} cli_checkpoints;

sheaf_status cli_checkpoints_start(cli_checkpoints *checkpoints, const char *folder, double interval);

// Writes one, after all that grows is on disk, unless the last one is of this step.
sheaf_status cli_checkpoints_save(cli_checkpoints *checkpoints, const cli_results *results);

// The same, but first of all: for a run that is told to end.
sheaf_status cli_checkpoints_save_first(cli_checkpoints *checkpoints, const cli_results *results);

// Writes one when the interval has passed.
sheaf_status cli_checkpoints_save_if_due(cli_checkpoints *checkpoints, const cli_results *results);

// Seconds that all parts of the run have taken.
double cli_checkpoints_wall(const cli_checkpoints *checkpoints);

void cli_checkpoints_free(cli_checkpoints *checkpoints);

// What the last sound checkpoint of a folder says, the previous one where the last is damaged or missing. `found`
// false, with SHEAF_OK: there is none, nor any trace that there was a whole run.
sheaf_status cli_checkpoints_find(const char *folder, io_checkpoint *facts, bool *found);

// Puts the last sound checkpoint of a folder into a solver; `facts` receives what it says.
sheaf_status cli_checkpoints_load(const char *folder, sheaf_solver *solver, io_checkpoint *facts);

#endif
