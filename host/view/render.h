// render: pictures of a stage without a window.
#ifndef SHEAF_VIEW_RENDER_H
#define SHEAF_VIEW_RENDER_H

#include "view/stage.h"

typedef struct view_render view_render;

// Opens graphics for pictures of one size. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status view_render_open(const view_style *style, uint32_t width, uint32_t height, view_render **render);
void view_render_close(view_render *render);

// What draws, as "OpenGL 4.5 ..., llvmpipe"; lives as long as the renderer.
const char *view_render_name(const view_render *render);

// Draws a picture; the pixels, [height][width][3], stay the renderer's until the next call. Strands must have as many
// vertices as in the picture before. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status view_render_draw(view_render *render, const view_subject *subject, const view_camera *camera,
                              const uint8_t **pixels);

// Writes a picture as PNG, whole or not at all; the same pixels make the same bytes. Returns SHEAF_OK, SHEAF_ERR_IO,
// SHEAF_ERR_MEMORY.
sheaf_status view_image_write(const char *path, bool replace, const uint8_t *pixels, uint32_t width, uint32_t height);

#endif
