// absent: stands in for drawing where Sheaf was built without the libraries it needs.
#include "view/pace.h"
#include "view/render.h"
#include "view/window.h"

const char *const view_part_names[VIEW_PART_COUNT] = {"ground", "bodies", "shadows", "children", "guides"};

static sheaf_status fail(void)
{
    return base_fail(SHEAF_ERR_DEVICE, "this Sheaf was built without pictures: install libepoxy-dev, libegl-dev, "
                                       "libpng-dev, libglfw3-dev, libimgui-dev and g++, configure with "
                                       "-DSHEAF_VIEW=ON, and build again");
}

sheaf_status view_render_open(const view_style *style, uint32_t width, uint32_t height, view_render **render)
{
    (void)style, (void)width, (void)height;
    *render = NULL;
    return fail();
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

sheaf_status view_pace_measure(const view_stage *stage, const view_camera *camera, uint32_t width, uint32_t height,
                               uint64_t frames, view_pace *pace)
{
    (void)stage, (void)camera, (void)width, (void)height, (void)frames;
    *pace = (view_pace){0};
    return fail();
}

sheaf_status view_image_write(const char *path, bool replace, const uint8_t *pixels, uint32_t width, uint32_t height)
{
    (void)path, (void)replace, (void)pixels, (void)width, (void)height;
    return SHEAF_ERR_DEVICE;
}

sheaf_status view_window_open(uint32_t width, uint32_t height, view_window **window)
{
    (void)width, (void)height;
    *window = NULL;
    return fail();
}

void view_window_close(view_window *window)
{
    (void)window;
}

sheaf_status view_window_run(view_window *window, const view_act *act, uint64_t most, int (*stop)(void),
                             view_outcome *outcome)
{
    (void)window, (void)act, (void)most, (void)stop;
    *outcome = (view_outcome){.wish = VIEW_WISH_QUIT};
    return SHEAF_ERR_DEVICE;
}

void view_window_tell(view_window *window, const char *text)
{
    (void)window, (void)text;
}

const view_session *view_window_session(const view_window *window)
{
    static const view_session nothing;
    (void)window;
    return &nothing;
}
