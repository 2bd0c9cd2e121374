// pace: how many pictures a second the window's way of drawing makes while everything moves, measured without a window.
#ifndef SHEAF_VIEW_PACE_H
#define SHEAF_VIEW_PACE_H

#include "view/stage.h"

typedef struct view_pace {
    char name[160];                  // what draws, as "OpenGL 4.5 ..., llvmpipe"
    uint64_t frames;                 // measured
    double frame;                    // s, median time of a picture
    double light, strands, graphics; // s of a picture: shadows, triangles, and what the graphics take
    uint32_t strands_drawn, children_drawn;
} view_pace;

// Draws `frames` pictures, each from a place farther around. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status view_pace_measure(const view_stage *stage, const view_camera *camera, uint32_t width, uint32_t height,
                               uint64_t frames, view_pace *pace);

#endif
