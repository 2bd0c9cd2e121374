// context: OpenGL without a window or a display, and pictures in memory.
#ifndef SHEAF_VIEW_CONTEXT_H
#define SHEAF_VIEW_CONTEXT_H

#include "base/base.h"

typedef struct view_context view_context;

// Opens EGL's surfaceless platform and makes its context the calling thread's. Returns SHEAF_OK, SHEAF_ERR_DEVICE (no
// EGL, no driver, no OpenGL 3.3), SHEAF_ERR_MEMORY.
sheaf_status view_context_open(view_context **context);
void view_context_close(view_context *context);

// "Mesa 22.3.6 llvmpipe" or the like; lives as long as the context.
const char *view_context_name(const view_context *context);

// A picture in memory: smooth ones are drawn twice as large and with several samples per pixel, and then reduced; plain
// ones as a window is.
typedef struct view_canvas view_canvas;
typedef enum view_canvas_kind { VIEW_CANVAS_PLAIN, VIEW_CANVAS_SMOOTH } view_canvas_kind;

sheaf_status view_canvas_open(uint32_t width, uint32_t height, view_canvas_kind kind, view_canvas **canvas);
void view_canvas_close(view_canvas *canvas);

// Makes the canvas the framebuffer that is drawn to; sets the size to draw at.
void view_canvas_bind(const view_canvas *canvas, uint32_t *width, uint32_t *height);

// Takes the picture: red, green, blue for every pixel, [height][width][3], rows from top to bottom. The bytes stay the
// canvas's, until the next call.
sheaf_status view_canvas_read(view_canvas *canvas, const uint8_t **pixels);

// Puts the picture, reduced or enlarged to so many pixels, into the window's framebuffer, which is bound afterwards.
sheaf_status view_canvas_show(view_canvas *canvas, uint32_t width, uint32_t height);

#endif
