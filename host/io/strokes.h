// strokes: strands as lines of a picture: thinned to what can be seen, cut into pieces, sorted by depth, shaded.
#ifndef SHEAF_IO_STROKES_H
#define SHEAF_IO_STROKES_H

#include "io/camera.h"
#include "io/picture.h"
#include "io/svg.h"

// How strands are drawn: which of them and of their vertices, and how wide.
typedef struct io_strokes {
    const io_picture *picture;
    io_camera camera;
    bool tubes;
    uint32_t strand_step; // every how many-th strand is drawn
    uint32_t vertex_step; // every how many-th vertex of it
    uint32_t longest;     // most points of a drawn line, with a guide point at either end
    double line;          // px, width of a line in the middle of the picture
} io_strokes;

// Chooses what is drawn so that a picture of any model stays small; the camera is the caller's to set.
io_strokes io_strokes_choose(const io_picture *picture);

// Sets the width of lines for the camera: as wide as the strands are, but never too thin to see.
void io_strokes_set_line(io_strokes *strokes);

// Points of a strand's line at `positions`, with one more before its start and after its end; returns how many, at most
// `longest`.
uint32_t io_strokes_line(const io_strokes *strokes, const double (*positions)[3], uint32_t strand, double (*line)[3]);

// Draws a line as one smooth curve.
void io_strokes_draw_line(const io_strokes *strokes, const double (*line)[3], uint32_t count, base_text *svg);

// Draws all strands, and the picture's balls, from far to near. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status io_strokes_draw(const io_strokes *strokes, base_text *svg);

#endif
