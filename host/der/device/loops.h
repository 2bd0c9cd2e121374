// loops: closed strands on a device. The engine has them as open ones that go on over their first edge once more
// (strand/unroll.h); what is here keeps the copies of that edge's two vertices together, by a force between each pair
// of copies that the solve of an iteration finds along with the displacements.
#ifndef SHEAF_DER_DEVICE_LOOPS_H
#define SHEAF_DER_DEVICE_LOOPS_H

#include "cl/engine.h"

typedef struct der_loops der_loops;

// NULL where a model has no loops. `step` in s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status der_loops_open(const sheaf_model *model, double step, der_loops **out);
void der_loops_close(der_loops *loops);

// Solves with the factors that the device holds: displacements `answer`, m, under `push`, N, both [vertex]. The push
// may be changed.
typedef sheaf_status der_loops_solve(void *user, double (*push)[3], double (*answer)[3]);

// After the matrices of an iteration are there: what unit forces between copies do, and by how much copies are apart,
// from where vertices started and how far they went. `push` and `answer` are room.
sheaf_status der_loops_linearise(der_loops *loops, const double (*start)[3], const double (*moved)[3],
                                 der_loops_solve *solve, void *user, double (*push)[3], double (*answer)[3]);

// Adds to an answer what the forces between copies do that bring them together, and keeps the forces.
void der_loops_close_answer(der_loops *loops, double (*answer)[3]);

// Adds the forces of the last answer to what pushes on vertices.
void der_loops_add_forces(const der_loops *loops, double (*push)[3]);

#endif
