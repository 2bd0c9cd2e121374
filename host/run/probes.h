// probes: readings along strands over time, in probes.csv: one row per frame, some columns per probe of the scene.
#ifndef SHEAF_RUN_PROBES_H
#define SHEAF_RUN_PROBES_H

#include "io/folder.h"

// All zero: the scene has no probes.
typedef struct run_probes {
    FILE *file;
    const sheaf_scene *scene;
    sheaf_model *strands;   // [probe] of this model's strands is the k-th probe's
    uint32_t *vertices;     // [probe] the vertex that it reads
    double (*positions)[3]; // [vertex of the model]
    double (*directors)[3]; // likewise
    double *tensions;       // likewise
    bool told;              // that some of them are not known
} run_probes;

bool run_probes_are_there(const run_probes *probes);

// Starts the file of a new run, or goes on with the first `rows` rows of an earlier one. Nothing happens in a scene
// without probes. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status run_probes_start(run_probes *probes, const io_folder *folder, const sheaf_scene *scene,
                              const sheaf_model *model);
sheaf_status run_probes_continue(run_probes *probes, const io_folder *folder, const sheaf_scene *scene,
                                 const sheaf_model *model, size_t rows);

// Adds a row of what the solver holds now.
sheaf_status run_probes_add(run_probes *probes, sheaf_solver *solver, double time);

// Waits until all rows are on disk.
sheaf_status run_probes_sync(const run_probes *probes);

void run_probes_free(run_probes *probes);

#endif
