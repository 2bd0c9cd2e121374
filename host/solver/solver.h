// solver: what the command needs of a solver beyond the public functions.
#ifndef SHEAF_SOLVER_SOLVER_H
#define SHEAF_SOLVER_SOLVER_H

#include "sheaf/sheaf.h"

// Copies the positions of strands 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on.
sheaf_status solver_read_sample(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);

// Copies director 1 of every edge, unit vectors, [edge][3] in the model's order; an open strand's last entry means
// nothing.
sheaf_status solver_read_directors(sheaf_solver *solver, double (*directors)[3]);

// Time that a stage of the step took on the device.
typedef struct solver_stage {
    const char *name;
    uint64_t launches;
    double seconds;
} solver_stage;

enum { SOLVER_STAGES_MOST = 16 };

// As sheaf_solver_open, with one kernel per stage, so that stages can be timed: slower, with the same bits.
sheaf_status solver_open_staged(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver);

// Stages of all steps so far; none where the solver was not opened for it, or runs on the reference.
sheaf_status solver_stages(sheaf_solver *solver, solver_stage stages[SOLVER_STAGES_MOST], uint32_t *count);

#endif
