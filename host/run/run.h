// run: takes a scene through its frames into a folder: positions, figures, checkpoints, results. The driver of
// `sheaf run`, and of any other program that wants a run's folder.
#ifndef SHEAF_RUN_RUN_H
#define SHEAF_RUN_RUN_H

#include "run/checkpoints.h"
#include "run/clock.h"

// What is to be run. All that it points to stays the caller's and outlives the run.
typedef struct run_def {
    const sheaf_scene *scene;
    const sheaf_model *model; // of the scene
    const char *scene_path;   // of the scene's file, as given
    const char *folder;       // of the results
    uint64_t steps;           // to take in all, those of earlier parts of the run among them
    double checkpoint_every;  // s of real time; negative: no checkpoints
    double start;             // s, base_clock() when the program started, for the record
    bool without_trajectory;  // whatever the scene says
    sheaf_balance balance;    // of strands that are to start at rest, and those that do not
    const sheaf_imbalance *imbalances;
    uint32_t imbalance_count;
    run_hooks hooks;
} run_def;

typedef struct run run;

// Returns SHEAF_OK, SHEAF_ERR_MEMORY. The run is closed in any case.
sheaf_status run_open(const run_def *def, run **r);
void run_close(run *r); // NULL is allowed

// ---- beginning: either of the two

// Whether run_start would be refused; touches nothing. A folder with a run in it is, unless `overwrite`.
sheaf_status run_check(const run *r, bool overwrite);

// Makes the folder, with a solver that has taken no step and stays the caller's, and records the start.
sheaf_status run_start(run *r, sheaf_solver *solver, bool overwrite);

// Finds the last sound checkpoint of the folder and locks the folder for this process. `found` false, with SHEAF_OK:
// there is none, nor a run that has come to its end; nothing is locked, and run_start is what is left.
sheaf_status run_find_checkpoint(run *r, io_checkpoint *facts, bool *found);

// Whether a folder without a checkpoint holds no more than the beginning of this scene's run: one that was cut off
// before it wrote its first checkpoint, or its record. Starting anew then loses nothing.
bool run_has_barely_begun(const run *r);

// After run_find_checkpoint: puts the checkpoint into a solver of the kind that it names, and cuts files back to it.
sheaf_status run_continue(run *r, sheaf_solver *solver);

// ---- going

// Takes all steps, or stops early because the hooks ask for it or all strands are frozen; a checkpoint is written then.
sheaf_status run_simulate(run *r);

uint64_t run_steps_done(const run *r);

// ---- ending

// Whether no strand and no body is frozen and the results can be trusted (see run_results_end_unmet).
bool run_is_sound(const run *r);

// Writes positions, pictures and the final record. `exit_code`: of the program, for the record.
sheaf_status run_finish(run *r, int exit_code);

const run_results *run_results_of(const run *r);

#endif
