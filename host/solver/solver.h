// solver: what the command needs of a solver beyond the public functions.
#ifndef SHEAF_SOLVER_SOLVER_H
#define SHEAF_SOLVER_SOLVER_H

#include "method/method.h"
#include "model/model.h"

// Copies the positions of strands 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on.
sheaf_status solver_read_sample(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);
sheaf_status solver_read_sample_velocities(sheaf_solver *solver, uint32_t stride, const uint64_t *first_vertex,
                                           double (*velocities)[3]);

// Pulls of all edges, N, [vertex] in the model's order, entry j that of edge j; not a number where a method does not
// know them on what it runs on.
sheaf_status solver_read_tensions(sheaf_solver *solver, double *tensions);

// Whether a model can be simulated, on anything: what opening a solver would refuse. SHEAF_OK, SHEAF_ERR_INPUT with the
// reason, SHEAF_ERR_MEMORY.
sheaf_status solver_check(const sheaf_model *model);

// Bytes that a solver on the reference takes for this model, besides the model itself.
uint64_t solver_state_bytes(const sheaf_model *model);

// ---- figures beyond the report

enum { SOLVER_FIGURES_MOST = METHOD_PARTS_MAX * METHOD_FIGURES_MAX };

// As sheaf_solver_figures, with what they are. Which ones there are stays as long as the solver lives.
sheaf_status solver_figures(sheaf_solver *solver, method_figure figures[SOLVER_FIGURES_MOST], uint32_t *count);

// ---- notes of steps on the way, so that steps are not cut into short batches where they are looked at often

enum { SOLVER_NOTES_MOST = METHOD_NOTES_MAX };

// Notes that a batch of steps can leave; 0: it must end where something is to be known, as on the reference.
uint32_t solver_notes_most(const sheaf_solver *solver);

// As sheaf_solver_step; notes figures, and with `with_poses` where the strands are, after some of the steps: after the
// after[0]-th, after[1]-th, ..., rising, from 1 to `count`, at most solver_notes_most of them. Waits.
sheaf_status solver_step_noting(sheaf_solver *solver, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses);

// Notes of the last such batch, bit by bit what sheaf_solver_report and solver_read_sample would have said then.
sheaf_status solver_note_report(sheaf_solver *solver, uint32_t note, sheaf_report *report);
sheaf_status solver_note_figures(sheaf_solver *solver, uint32_t note, method_figure figures[SOLVER_FIGURES_MOST],
                                 uint32_t *count);
sheaf_status solver_note_sample(sheaf_solver *solver, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);

// ---- the whole state as arrays, for files

typedef method_array solver_array;

enum { SOLVER_ARRAYS_MOST = METHOD_PARTS_MAX * METHOD_ARRAYS_MAX };

// All arrays; what a solver does next depends on them and on its steps alone. Which ones there are depends on what it
// runs on, not on the form of its numbers.
uint32_t solver_arrays(const sheaf_solver *solver, solver_array arrays[SOLVER_ARRAYS_MOST]);

// Copies array `index` of these, or replaces it. When replacing fails, the solver can only be closed.
sheaf_status solver_read_array(sheaf_solver *solver, uint32_t index, void *values);
sheaf_status solver_write_array(sheaf_solver *solver, uint32_t index, const void *values);

// Replaces an array that varies by one of so many rows.
sheaf_status solver_write_rows(sheaf_solver *solver, uint32_t index, uint64_t rows, const void *values);

// Steps behind the state. They are set after all arrays.
uint64_t solver_steps(const sheaf_solver *solver);
void solver_set_steps(sheaf_solver *solver, uint64_t steps);

double solver_step(const sheaf_solver *solver); // s
const sheaf_model *solver_model(const sheaf_solver *solver);
bool solver_is_reference(const sheaf_solver *solver);

// As model_identity, worked out once.
sheaf_status solver_identity(sheaf_solver *solver, uint64_t *identity);

// ---- stages

// Copies director 1 of every edge, unit vectors, [edge][3] in the model's order; an open strand's last entry means
// nothing.
sheaf_status solver_read_directors(sheaf_solver *solver, double (*directors)[3]);

// Changes the velocity of one vertex between two steps, m/s: an impulse from outside, as of a hand that drags a strand.
// A held vertex stays held.
sheaf_status solver_push(sheaf_solver *solver, uint32_t strand, uint32_t vertex, const double change[3]);

typedef method_stage solver_stage;

enum { SOLVER_STAGES_MOST = METHOD_PARTS_MAX * METHOD_STAGES_MAX };

// As sheaf_solver_open, with one kernel per stage, so that stages can be timed: slower, with the same bits.
sheaf_status solver_open_staged(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver);

// Stages of all steps so far; none where the solver was not opened for it, or runs on the reference.
sheaf_status solver_stages(sheaf_solver *solver, solver_stage stages[SOLVER_STAGES_MOST], uint32_t *count);

#endif
