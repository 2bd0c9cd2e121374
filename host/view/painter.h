// painter: draws a subject into the framebuffer that is bound: sky, ground, bodies, strands.
#ifndef SHEAF_VIEW_PAINTER_H
#define SHEAF_VIEW_PAINTER_H

#include "view/camera.h"
#include "view/ribbons.h"
#include "view/style.h"

typedef struct view_quality {
    view_fineness fineness;
    uint64_t crowd_corners; // that may be drawn of the crowd; 0: what strands leave over of the fineness's
    uint32_t light_cells;   // of the grid of light, along its longest axis
    uint32_t light_texels;  // of the shadow on the ground
    uint32_t light_every;   // pictures that shadows are cast for once; 0: for each
    bool is_quick;          // shadows on bodies are read at one place, and strands stand for the crowd's shadows
} view_quality;

extern const view_quality view_quality_best, view_quality_live;

typedef struct view_painter view_painter;

// Needs a current OpenGL context, here and in every call. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status view_painter_open(const view_style *style, view_quality quality, view_painter **painter);
void view_painter_close(view_painter *painter);

// Draws a picture of width x height pixels. The subject may be another every time; when strands or bodies have
// come, gone or changed their numbers of vertices, `is_new` must be true.
sheaf_status view_painter_draw(view_painter *painter, const view_subject *subject, const view_camera *camera,
                               uint32_t width, uint32_t height, bool is_new);

// The same in parts: all but the crowd, then more of the crowd for about so many seconds a call, until `part` of it
// that is drawn is 1. The framebuffer must be the same in all calls, and nothing else may be drawn by the painter
// between.
sheaf_status view_painter_begin(view_painter *painter, const view_subject *subject, const view_camera *camera,
                                uint32_t width, uint32_t height, bool is_new);
sheaf_status view_painter_more(view_painter *painter, double seconds, double *part);

// What the last picture took of the processor, and what of it was drawn.
typedef struct view_painted {
    double light, strands;               // s, for shadows and for the strands' triangles
    uint64_t corners;                    // of all strands
    uint32_t strands_drawn, crowd_drawn; // the first: with the crowd
} view_painted;

view_painted view_painter_painted(const view_painter *painter);

// Other numbers of strands and pieces from the next picture on, for which `is_new` must be true. Cells and texels stay.
void view_painter_set_quality(view_painter *painter, view_quality quality);

#endif
