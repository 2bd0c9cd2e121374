// frames: the trajectory of a run: where its strands are at every frame, in the file that grows while it goes.
#ifndef SHEAF_CLI_FRAMES_H
#define SHEAF_CLI_FRAMES_H

#include "io/folder.h"
#include "io/trajectory.h"

// All zero: no trajectory is kept.
typedef struct cli_frames {
    io_trajectory *file;
    uint32_t stride;        // every how many-th strand is kept; 1 unless there are very many
    uint32_t strand_count;  // that are kept
    uint64_t *first_vertex; // [strand_count + 1] in the file, without the ghosts that clamped strands of a file have
    uint64_t *first_read;   // [strand_count + 1] as the solver gives them
    double (*positions)[3]; // m, [vertex]
    double last_time;       // s, of the last frame; negative: none
} cli_frames;

// Starts the file in a run's folder.
sheaf_status cli_frames_start(cli_frames *frames, const io_folder *folder, const sheaf_model *model);

// Adds what the solver holds now, unless that is the last frame already.
sheaf_status cli_frames_add(cli_frames *frames, sheaf_solver *solver, double time);

// Closes the file and frees the rest. May be called twice.
sheaf_status cli_frames_close(cli_frames *frames);

#endif
