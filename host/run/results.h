// results: what a run leaves: figures while it goes, files when it ends.
#ifndef SHEAF_RUN_RESULTS_H
#define SHEAF_RUN_RESULTS_H

#include "io/thermo.h"
#include "run/bodies.h"
#include "run/frames.h"
#include "run/kept.h"
#include "run/laws.h"
#include "run/probes.h"

// All zero but record, scene, solver, folder and hooks, which the caller sets before run_results_start.
typedef struct run_results {
    io_record record;
    const sheaf_scene *scene;
    const io_folder *folder;
    sheaf_solver *solver;
    const run_hooks *hooks;
    bool without_trajectory;
    io_thermo thermo;
    run_probes probes;
    run_laws laws;
    run_frames frames;
    run_bodies bodies;
    sheaf_incident *incidents; // [record.incident_count]
    json_t *scene_kept;        // what the record says of the scene's files
} run_results;

// Starts the files that grow, and leaves a record that says "running"; about `frames` frames will come.
sheaf_status run_results_start(run_results *results, uint64_t frames);

// What of an earlier run's files is kept when it goes on.
typedef struct run_past {
    io_thermo thermo; // rows that were found; taken over
    size_t rows;      // of these are kept
    uint64_t frames;  // that the trajectory should have
    double last_time; // s, of the last of them: later ones are not kept
} run_past;

// The same for a run that goes on: what lies after the checkpoint is cut off, to be made again.
sheaf_status run_results_continue(run_results *results, run_past *past);

// Notes the figures of a step, and those that the solver has beyond the report. Frames of the trajectory are the
// caller's to add.
sheaf_status run_results_add_row(run_results *results, const sheaf_report *report, const method_figure *figures);

// Waits until rows and frames are on disk.
sheaf_status run_results_sync(const run_results *results);

sheaf_status run_results_add_incident(run_results *results, const sheaf_incident *incident);

// Whether more than 1 % of the strands, at least one, were unmet in a frame (see sheaf_report).
bool run_results_is_unmet(const run_results *results, const sheaf_report *report);

// Whether a run is not to be trusted: they were so in the last frame, or in more than a tenth of all.
bool run_results_end_unmet(const run_results *results);

// The figures of the last frame.
const sheaf_report *run_results_last(const run_results *results);
double run_results_last_energy(const run_results *results); // J, all energies summed

// Writes positions, pictures and the final record.
sheaf_status run_results_finish(run_results *results, double wall_seconds, int exit_code);

void run_results_free(run_results *results);

#endif
