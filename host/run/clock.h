// clock: when frames are due, and stepping towards them.
#ifndef SHEAF_RUN_CLOCK_H
#define SHEAF_RUN_CLOCK_H

#include "run/hooks.h"
#include "solver/solver.h"

// Frame k is at k times the frame's length, whatever the step is.
typedef struct run_clock {
    double step;   // s
    double length; // s, of a frame, at least a step: more than one frame for each step would tell nothing new
} run_clock;

run_clock run_clock_of(double step, double frame_rate);

double run_frame_time(const run_clock *clock, uint64_t frame); // s

// The first step that is not before frame k; frames within a millionth of a step of it count as being there.
uint64_t run_frame_step(const run_clock *clock, uint64_t frame);
bool run_is_between_steps(const run_clock *clock, uint64_t frame);

// Frames that a batch of steps passes, whose snapshots the solver takes on the way.
typedef struct run_passing {
    uint32_t after[SOLVER_NOTES_MOST]; // steps of the batch, rising
    uint32_t count;
} run_passing;

// Frames from `frame` on that come at most `batch` steps after step `done` and not after step `end`, at most `most` of
// them.
run_passing run_find_passing(const run_clock *clock, uint64_t frame, uint64_t done, uint64_t end, uint32_t batch,
                             uint32_t most);

// How many steps are taken at once, between two looks at the hooks.
typedef struct run_batch {
    uint32_t steps;
    bool adapts; // grows and shrinks so that a batch takes 0.1 to 0.3 s
} run_batch;

// Changes an adapting batch by the clock time at which the last one started, s.
void run_batch_adapt(run_batch *batch, double start);

// Takes a solver to step `goal`, or until the hooks ask to stop; then it is at an earlier step. Does nothing where the
// solver is there already. Returns what stepping failed with.
sheaf_status run_advance(sheaf_solver *solver, uint64_t goal, run_batch *batch, const run_hooks *hooks);

// Steps that take a solver to `end` or beyond it, at least one; both in s.
uint64_t run_step_count(double end, double step);

#endif
