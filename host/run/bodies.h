// bodies: where rigid bodies are over time, in bodies.csv of a run's folder.
#ifndef SHEAF_RUN_BODIES_H
#define SHEAF_RUN_BODIES_H

#include <stdio.h>

#include "io/folder.h"
#include "model/model.h"

#define RUN_BODIES_NAME "bodies.csv"

typedef struct run_bodies {
    FILE *file; // NULL: the scene has no bodies
    const sheaf_model *model;
    sheaf_body_pose *poses; // [body]
} run_bodies;

// Starts the file; with `last_time` not below 0 it goes on after the rows up to that time, s. A scene without bodies
// has none. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status run_bodies_start(run_bodies *bodies, const io_folder *folder, const sheaf_model *model, double last_time);

// Adds a row for every body.
sheaf_status run_bodies_add(run_bodies *bodies, sheaf_solver *solver, double time);

// How many of them were frozen in the last row.
uint32_t run_bodies_frozen(const run_bodies *bodies);

void run_bodies_close(run_bodies *bodies);

// Poses of all bodies in a run's file at the row nearest to a time, s; false: there is no such file, or not of this
// model.
bool run_bodies_read(const char *folder, const sheaf_model *model, double time, sheaf_body_pose *poses);

#endif
