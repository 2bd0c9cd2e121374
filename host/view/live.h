// live: a solver on a thread of its own. The window asks for things and takes the latest snapshot; neither waits for
// the other.
#ifndef SHEAF_VIEW_LIVE_H
#define SHEAF_VIEW_LIVE_H

#include "model/model.h"
#include "solver/solver.h"

typedef struct view_live view_live;

// A population at one time. Arrays are in the model's order.
typedef struct view_snapshot {
    double (*positions)[3];  // m
    double (*directors)[3];  // unit vectors
    double (*velocities)[3]; // m/s
    bool *frozen;            // [strand]
    sheaf_body_pose *poses;  // [body]
    sheaf_report report;
    double rate;                             // steps per second of late
    solver_stage stages[SOLVER_STAGES_MOST]; // [stage_count] times of all steps, where the solver takes them
    uint32_t stage_count;
} view_snapshot;

// Starts a paused thread that steps `solver`, which is the thread's until the live is closed. All functions are for the
// thread that opened it. Returns SHEAF_OK, SHEAF_ERR_MEMORY, or what reading the solver failed with.
sheaf_status view_live_open(sheaf_solver *solver, const sheaf_model *model, double step, view_live **live);
void view_live_close(view_live *live);

void view_live_play(view_live *live, bool playing);
void view_live_set_speed(view_live *live, double speed); // simulated seconds per second, at most
void view_live_step(view_live *live, uint32_t count);    // takes steps although it is paused

// Holds a vertex by a spring whose other end is at `target`; strand UINT32_MAX: lets go.
void view_live_grab(view_live *live, uint32_t strand, uint32_t vertex, const double target[3]);

// The newest snapshot; lives until the next call. `is_new`: another one than last time.
const view_snapshot *view_live_take(view_live *live, bool *is_new);

// What the thread failed with; SHEAF_OK: it goes on. The last error is set.
sheaf_status view_live_status(view_live *live);

// A push that was given, for whoever follows the solver step by step.
typedef struct view_push {
    uint64_t step; // after which it was given
    uint32_t strand, vertex;
    double change[3]; // m/s
} view_push;

// Copies pushes from number `first` on, at most `room` of them; returns how many.
uint32_t view_live_pushes(view_live *live, uint32_t first, view_push *pushes, uint32_t room);

#endif
