// absent: stands in for drawing where Sheaf was built without the libraries it needs.
#include "view/render.h"

sheaf_status view_render_open(const view_style *style, uint32_t width, uint32_t height, view_render **render)
{
    (void)style, (void)width, (void)height;
    *render = NULL;
    return base_fail(SHEAF_ERR_DEVICE, "this Sheaf was built without pictures: install libepoxy-dev, libegl-dev and "
                                       "libpng-dev, configure with -DSHEAF_VIEW=ON, and build again");
}

void view_render_close(view_render *render)
{
    (void)render;
}

const char *view_render_name(const view_render *render)
{
    (void)render;
    return "none";
}

sheaf_status view_render_draw(view_render *render, const view_subject *subject, const view_camera *camera,
                              const uint8_t **pixels)
{
    (void)render, (void)subject, (void)camera;
    *pixels = NULL;
    return SHEAF_ERR_DEVICE;
}

sheaf_status view_image_write(const char *path, bool replace, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    (void)path, (void)replace, (void)pixels, (void)width, (void)height;
    return SHEAF_ERR_DEVICE;
}
