// camera: an eye that goes around what it looks at.
#ifndef SHEAF_VIEW_CAMERA_H
#define SHEAF_VIEW_CAMERA_H

#include "base/base.h"

typedef struct view_camera {
    double at[3];     // m, what is looked at
    double up[3];     // unit vector that points up in the picture
    double azimuth;   // rad, about up; 0: looking along the horizontal direction nearest to +y
    double elevation; // rad, of the eye above the horizon
    double distance;  // m, from eye to `at`
    double angle;     // rad, of view from top to bottom
} view_camera;

// A camera placed for a picture of one size.
typedef struct view_eye {
    double place[3];                    // m
    double right[3], up[3], forward[3]; // unit vectors
    double width, height;               // px
    double pixel;                       // m, size of a pixel at a depth of 1 m
    double near, far;                   // m
    float matrix[16];                   // vectors from the eye to clip space, column by column
} view_eye;

// Looks at `points` from the side that shows most of them, and takes them in whole.
view_camera view_camera_choose(const double (*points)[3], uint64_t count, const double up[3], double aspect);

// Moves the camera along and across its direction until `points` fill a picture of this width over height.
void view_camera_frame(view_camera *camera, const double (*points)[3], uint64_t count, double aspect);

// Turns the camera so that it looks from `from` towards its point.
void view_camera_look_from(view_camera *camera, const double from[3]);

// Slides along the picture by pixels, as a hand that has hold of what is looked at; turns by angles; goes nearer.
void view_camera_pan(view_camera *camera, const view_eye *eye, double x, double y);
void view_camera_turn(view_camera *camera, double azimuth, double elevation);
void view_camera_zoom(view_camera *camera, double factor);

// As the value of a scene's view: camera.
void view_camera_text(const view_camera *camera, char *text, size_t size);

view_eye view_camera_eye(const view_camera *camera, double width, double height);

// Pixel (from the upper left corner) and depth of a point; false: it is behind the eye.
bool view_eye_project(const view_eye *eye, const double point[3], double pixel[2], double *depth);

// The point under a pixel at a depth along the view.
void view_eye_lift(const view_eye *eye, const double pixel[2], double depth, double point[3]);

#endif
