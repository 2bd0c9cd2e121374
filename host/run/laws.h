// laws: watches strands whose material has a law for strains beyond its range, where it goes on as a straight line.
#ifndef SHEAF_RUN_LAWS_H
#define SHEAF_RUN_LAWS_H

#include "io/folder.h"

// All zero: no material has a law, and nothing is watched.
typedef struct run_laws {
    const sheaf_model *model;
    double (*positions)[3], (*directors)[3]; // [vertex of the model]
} run_laws;

bool run_laws_are_there(const run_laws *laws);

sheaf_status run_laws_start(run_laws *laws, const sheaf_model *model);

// Looks at what the solver holds now, and raises what the record says. Returns SHEAF_OK, SHEAF_ERR_DEVICE,
// SHEAF_ERR_MEMORY.
sheaf_status run_laws_look(run_laws *laws, sheaf_solver *solver, double time, io_beyond *beyond);

void run_laws_free(run_laws *laws);

#endif
