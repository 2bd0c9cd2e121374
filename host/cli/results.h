// results: what a run leaves: figures while it goes, files and a summary when it ends.
#ifndef SHEAF_CLI_RESULTS_H
#define SHEAF_CLI_RESULTS_H

#include "cli/frames.h"
#include "io/thermo.h"

// All zero but record, scene, solver and folder, which the caller sets before cli_results_start.
typedef struct cli_results {
    io_record record;
    const sheaf_scene *scene;
    const io_folder *folder;
    sheaf_solver *solver;
    bool without_trajectory;
    io_thermo thermo;
    cli_frames frames;
    sheaf_incident *incidents; // [record.incident_count]
} cli_results;

// Starts the files that grow, and leaves a record that says "running"; about `frames` frames will come.
sheaf_status cli_results_start(cli_results *results, uint64_t frames);

// What of an earlier run's files is kept when it goes on.
typedef struct cli_past {
    io_thermo thermo; // rows that were found; taken over
    size_t rows;      // of these are kept
    uint64_t frames;  // that the trajectory should have
    double last_time; // s, of the last of them: later ones are not kept
} cli_past;

// The same for a run that goes on: what lies after the checkpoint is cut off, to be made again.
sheaf_status cli_results_continue(cli_results *results, cli_past *past);

// Notes the figures of a step. Frames of the trajectory are the caller's to add.
sheaf_status cli_results_add_row(cli_results *results, const sheaf_report *report);

// Waits until rows and frames are on disk.
sheaf_status cli_results_sync(const cli_results *results);

sheaf_status cli_results_add_incident(cli_results *results, const sheaf_incident *incident);

// The figures of the last frame.
// Whether more than 1 % of the strands, at least one, were unmet in a frame (see sheaf_report).
bool cli_results_is_unmet(const cli_results *results, const sheaf_report *report);

// Whether a run is not to be trusted: they were so in the last frame, or in more than a tenth of all.
bool cli_results_end_unmet(const cli_results *results);

const sheaf_report *cli_results_last(const cli_results *results);

// Writes positions, pictures and the final record.
sheaf_status cli_results_finish(cli_results *results, double wall_seconds, int exit_code);

// Tells on stderr how the run went, and where its files are.
void cli_results_tell(const cli_results *results);

// Writes the times of stages to stdout.
void cli_results_print_profile(const cli_results *results);

// Writes the record to stdout; returns the exit code of that.
int cli_results_print(const cli_results *results);

void cli_results_free(cli_results *results);

#endif
