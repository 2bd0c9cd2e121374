// solver: what the command needs of a solver beyond the public functions.
#ifndef SHEAF_SOLVER_SOLVER_H
#define SHEAF_SOLVER_SOLVER_H

#include "sheaf/sheaf.h"

// Copies the positions of strands 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on.
sheaf_status solver_read_sample(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);

#endif
