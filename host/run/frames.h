// frames: the trajectory of a run: where its strands are at every frame, in the file that grows while it goes.
#ifndef SHEAF_RUN_FRAMES_H
#define SHEAF_RUN_FRAMES_H

#include "io/folder.h"
#include "io/trajectory.h"

// Strands at one time.
typedef struct run_moment {
    double (*positions)[3];  // m, [vertex]
    double (*velocities)[3]; // m/s
    double (*directors)[3];  // [vertex of the model] NULL where the file holds none
} run_moment;

// All zero: no trajectory is kept.
typedef struct run_frames {
    io_trajectory *file;
    const sheaf_model *model;
    uint32_t stride;        // every how many-th strand is kept; 1 unless there are very many
    uint32_t strand_count;  // that are kept
    uint64_t *first_vertex; // [strand_count + 1] in the file, without the ghosts that clamped strands of a file have
    uint64_t *first_read;   // [strand_count + 1] as the solver gives them
    double (*positions)[3]; // m, [vertex]
    bool is_double;         // precision of positions in the file
    double (*directors)[3]; // [vertex of the model] director 1 of the edges; NULL: the file holds no angles of them
    float *angles;          // [vertex] in the file, rad; NULL likewise
    run_moment before;      // where strands were before the last step; NULL until needed
    run_moment after;
    double last_time; // s, of the last frame; negative: none
} run_frames;

// Starts the file in a run's folder, with strands where the solver has them; about `expected` frames will come. Points
// are in double precision where single would lose something, and directors are there where they can be seen.
sheaf_status run_frames_start(run_frames *frames, const io_folder *folder, const sheaf_model *model,
                              sheaf_solver *solver, uint64_t expected);

// Whether frames hold what notes of steps do not, so that steps have to stop for them.
bool run_frames_need_state(const run_frames *frames);

// Goes on with the file of an earlier run after its frames up to `last_time`, s; `kept` receives how many these are.
sheaf_status run_frames_continue(run_frames *frames, const io_folder *folder, const sheaf_model *model,
                                 sheaf_solver *solver, uint64_t *kept, double last_time);

// Adds what the solver holds now, unless that is the last frame already.
sheaf_status run_frames_add(run_frames *frames, sheaf_solver *solver, double time);

// The same for a step that the solver took a note of.
sheaf_status run_frames_add_noted(run_frames *frames, sheaf_solver *solver, uint32_t note, double time);

// Frames that lie between two steps: the first function before the step, the second after it for each of them, at a
// share (0 to 1) of the step's length, s. Cubic in time through positions and velocities of both, as seen from motions
// that jump in between.
sheaf_status run_frames_before(run_frames *frames, sheaf_solver *solver);
sheaf_status run_frames_after(run_frames *frames, sheaf_solver *solver);
sheaf_status run_frames_add_between(run_frames *frames, double share, double step, double time);

// Closes the file and frees the rest. May be called twice.
sheaf_status run_frames_close(run_frames *frames);

#endif
