// folder: the folder a run leaves: its names, who may write to it, and the record of the run in it.
#ifndef SHEAF_IO_FOLDER_H
#define SHEAF_IO_FOLDER_H

#include "io/file.h"
#include "io/thermo.h"
#include "model/model.h"
#include "solver/solver.h"

#include <jansson.h>

#define IO_RECORD_NAME "run.json"
#define IO_THERMO_NAME "thermo.csv"
#define IO_TRAJECTORY_NAME "trajectory.vtkhdf"
#define IO_CHECKPOINT_NAME "checkpoint.h5"
#define IO_PREVIOUS_NAME "checkpoint_prev.h5"
#define IO_STRANDS_NAME "strands.csv"
#define IO_PICTURE_NAME "picture.svg"
#define IO_ENERGY_NAME "energy.svg"
#define IO_REPORT_NAME "report.html"
#define IO_UNSTABLE_NAME "unstable.csv"
#define IO_STIFFENED_NAME "stiffened.csv"
#define IO_PROBES_NAME "probes.csv"
#define IO_SCENE_FOLDER "scene"    // the scene of the run, and what it names
#define IO_SCENE_NAME "scene.yaml" // in that folder; other files have names such as 001-head.obj

// A folder that this process alone writes to.
typedef struct io_folder {
    char *path;
    FILE *thermo; // thermo.csv, open at its end; its lock keeps other runs out
} io_folder;

// Whether io_folder_open would accept the path, without touching anything. A folder that holds files of others, and a
// run's folder without `overwrite`, are refused. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status io_folder_check(const char *path, bool overwrite);

// Makes the folder, or empties it of an earlier run's files. Returns as io_folder_check.
sheaf_status io_folder_open(const char *path, bool overwrite, io_folder *folder);

// Opens the folder of an earlier run to go on with it, and reads the rows of its thermo.csv. Changes nothing yet.
// Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status io_folder_reopen(const char *path, io_folder *folder, io_thermo *rows);

// Cuts thermo.csv back to these rows, the first ones of it. Where it has not just their columns, as of an earlier
// version, or where they have figures beyond the report, it is written anew.
sheaf_status io_folder_keep_rows(const io_folder *folder, const io_thermo *rows);

// Writes a file of the folder, replacing an older one.
sheaf_status io_folder_write(const io_folder *folder, const char *name, const base_text *text);

void io_folder_close(io_folder *folder);

// ---- the record of a run: run.json

// Vertices whose strain was beyond the range of their material's law, most at once in a frame, and the first of them.
typedef struct io_beyond {
    uint64_t vertices;
    uint32_t strand, vertex;
    double time;   // s
    double strain; // 1/m
} io_beyond;

typedef struct io_record {
    const char *scene; // path as given
    const sheaf_model *model;
    const char *device;    // what computed it
    const char *form;      // lane form
    const char *precision; // "double" or "single"
    double step;           // s
    double time;           // s, simulated
    uint64_t steps;
    uint64_t frames;
    double start_seconds; // from the start of the command to the first step
    double wall_seconds;  // of all parts of the run
    uint64_t restarts;    // times that the run went on from a checkpoint
    uint64_t peak_memory; // bytes that the process has held at most
    uint32_t stride;      // every how many-th strand is written; 0: none yet
    uint32_t frozen_strands, frozen_bodies;
    uint32_t unmet_strands; // in the last frame: see sheaf_report
    uint64_t unmet_frames;  // in which more than 1 % of the strands were unmet
    double worst_strain;
    io_beyond beyond;
    int exit_code; // -1: still running
    const sheaf_incident *incidents;
    uint32_t incident_count;
    sheaf_balance balance; // of strands that are to start at rest
    const sheaf_imbalance *imbalances;
    uint32_t imbalance_count;
    solver_stage stages[SOLVER_STAGES_MOST]; // of a run that was profiled
    uint32_t stage_count;                    // 0: it was not
    bool has_identity;
    uint64_t identity;        // of the model
    const json_t *scene_kept; // what of the scene is in the folder; NULL: nothing
} io_record;

// The processor's name as the system tells it, with family and model where there are such: on virtual machines kinds of
// different speed may have one name.
void io_processor(char *name, size_t size);

// The record as JSON, with settings, versions and the machine; NULL when out of memory.
json_t *io_record_json(const io_record *record);

sheaf_status io_record_write(const io_folder *folder, const io_record *record);

// Reads a run.json. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT (not such a file), SHEAF_ERR_LIMIT,
// SHEAF_ERR_MEMORY.
sheaf_status io_record_read(const char *path, json_t **record);

// A string as JSON, whatever bytes it holds.
json_t *io_json_text(const char *text);

#endif
