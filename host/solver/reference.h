// reference: a population on the fp64 reference, strand by strand on several threads. Strands do not know of each
// other, so neither their order nor the number of threads changes a bit of the result.
#ifndef SHEAF_SOLVER_REFERENCE_H
#define SHEAF_SOLVER_REFERENCE_H

#include "der/ref/ref.h"
#include "solver/solver.h"

typedef struct reference reference;

// At time 0, ends where their courses start, material frames in equilibrium.
sheaf_status reference_open(const sheaf_model *model, double step, uint32_t threads, reference **opened);
void reference_close(reference *r);

sheaf_status reference_step(reference *r, uint32_t count);
const sheaf_state *reference_state(const reference *r);

// Changes the velocity of one vertex, m/s.
void reference_push(reference *r, uint32_t strand, uint32_t vertex, const double change[3]);

// Director 1 of every edge, unit vectors.
void reference_directors(const reference *r, double (*directors)[3]);
sheaf_status reference_report(reference *r, sheaf_report *report);

// The whole state as arrays, in the model's order; all numbers are doubles. solver.h says how they are used.
uint32_t reference_arrays(const reference *r, solver_array *arrays);
sheaf_status reference_read_array(const reference *r, uint32_t index, void *values);
sheaf_status reference_write_array(reference *r, uint32_t index, const void *values);
void reference_set_steps(reference *r, uint64_t steps);

sheaf_status reference_incident(const reference *r, uint32_t index, sheaf_incident *incident);

#endif
