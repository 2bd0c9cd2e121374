// camera: a perspective view of points that chooses its own direction and framing.
#ifndef SHEAF_IO_CAMERA_H
#define SHEAF_IO_CAMERA_H

#include "base/base.h"

typedef struct io_camera {
    double eye[3];                      // m
    double right[3], up[3], forward[3]; // unit vectors
    double center[3], size;             // m, of what is looked at: middle of its bounds, half their diagonal
    double scale, shift_x, shift_y;     // px
    double width, height;               // px
} io_camera;

typedef struct io_pixel {
    double x, y;  // px
    double depth; // m, along the view
} io_pixel;

// Looks at `points` from the side that shows most of them, `up` (a unit vector) pointing up in the picture.
io_camera io_camera_choose(const double (*points)[3], uint64_t count, const double up[3]);

// Scales and shifts so that `points` fill a picture `width` px wide within its margins; sets a fitting height.
void io_camera_fit(io_camera *camera, const double (*points)[3], uint64_t count, double width, double margin);

io_pixel io_camera_project(const io_camera *camera, const double point[3]);

// Pixels per metre at the middle of what is looked at.
double io_camera_resolution(const io_camera *camera);

#endif
