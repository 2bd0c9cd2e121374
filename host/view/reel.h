// reel: frames to be drawn, one at a time: of a file of strands, or kept in a temporary file while something simulates.
#ifndef SHEAF_VIEW_REEL_H
#define SHEAF_VIEW_REEL_H

#include "groom/source.h"
#include "view/stage.h"

#include <stdio.h>

typedef struct view_reel {
    uint64_t frame_count;
    double *times;        // [frame_count] s
    groom_source *source; // of a file that stays the caller's; NULL: kept
    FILE *kept;
    uint64_t time_room;
    double origin[3];     // m, what kept positions are measured from
    float *buffer;        // [vertex][3]
    double (*placed)[12]; // [frame][solid thing of the stage] kept: centre and axes
} view_reel;

// Frames of an open file. Times that it does not say are counted in steps of 1/60 s.
sheaf_status view_reel_open(groom_source *source, view_reel *reel);

// An empty reel to add frames to.
sheaf_status view_reel_start(const view_stage *stage, view_reel *reel);

// Keeps what the stage holds. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status view_reel_add(view_reel *reel, const view_stage *stage, double time);

// Brings a frame onto the stage.
sheaf_status view_reel_load(const view_reel *reel, uint64_t frame, view_stage *stage);

// The frame that is nearest to a time.
uint64_t view_reel_find(const view_reel *reel, double time);

void view_reel_close(view_reel *reel);

#endif
