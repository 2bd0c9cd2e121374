// rough: pictures of things that move, as fine as the time for one allows.
#ifndef SHEAF_VIEW_ROUGH_H
#define SHEAF_VIEW_ROUGH_H

#include "view/budget.h"

typedef struct view_rough view_rough;

// Needs a current OpenGL context, here and in every call; `is_software`: the processor draws. Returns SHEAF_OK,
// SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status view_rough_open(const view_style *style, bool is_software, view_rough **rough);
void view_rough_close(view_rough *rough);

// Draws a picture for a window of width x height pixels; `is_new` as for view_painter_draw.
sheaf_status view_rough_draw(view_rough *rough, const view_subject *subject, const view_camera *camera, uint32_t width,
                             uint32_t height, bool is_new);

// Puts the last picture into the window's framebuffer, which is bound afterwards.
sheaf_status view_rough_show(view_rough *rough, uint32_t width, uint32_t height);

view_painted view_rough_painted(const view_rough *rough);

#endif
