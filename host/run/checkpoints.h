// checkpoints: when a run saves its whole state, and going on from what was saved.
#ifndef SHEAF_RUN_CHECKPOINTS_H
#define SHEAF_RUN_CHECKPOINTS_H

#include "io/checkpoint.h"
#include "run/results.h"

// All zero: none are written.
typedef struct run_checkpoints {
    char *path, *previous;   // of the two files
    double interval;         // s of real time
    double last;             // s, clock when one was written, or the run began
    double start;            // s, clock when this part of the run began
    io_checkpoint_note past; // of the parts before
    uint64_t saved;          // step of the last one
    bool any;                // one was written
} run_checkpoints;

sheaf_status run_checkpoints_start(run_checkpoints *checkpoints, const char *folder, double interval);

// Writes one, after all that grows is on disk, unless the last one is of this step.
sheaf_status run_checkpoints_save(run_checkpoints *checkpoints, const run_results *results);

// The same, but first of all: for a run that is told to end.
sheaf_status run_checkpoints_save_first(run_checkpoints *checkpoints, const run_results *results);

// Writes one when the interval has passed.
sheaf_status run_checkpoints_save_if_due(run_checkpoints *checkpoints, const run_results *results);

// Seconds that all parts of the run have taken.
double run_checkpoints_wall(const run_checkpoints *checkpoints);

void run_checkpoints_free(run_checkpoints *checkpoints);

// What the last sound checkpoint of a folder says, the previous one where the last is damaged or missing. `found`
// false, with SHEAF_OK: there is none, nor any trace that there was a whole run.
sheaf_status run_checkpoints_find(const char *folder, const run_hooks *hooks, io_checkpoint *facts, bool *found);

// Puts the last sound checkpoint of a folder into a solver; `facts` receives what it says.
sheaf_status run_checkpoints_load(const char *folder, const run_hooks *hooks, sheaf_solver *solver,
                                  io_checkpoint *facts);

#endif
