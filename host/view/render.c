// render: pictures of a stage without a window.
#include "view/render.h"

#include "view/context.h"
#include "view/painter.h"

struct view_render {
    view_context *context;
    view_canvas *canvas;
    view_painter *painter;
    bool is_new; // nothing was drawn yet
};

sheaf_status view_render_open(const view_style *style, uint32_t width, uint32_t height, view_render **render)
{
    *render = NULL;
    view_render *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->is_new = true;
    sheaf_status status = view_context_open(&made->context);
    if (status == SHEAF_OK)
        status = view_canvas_open(width, height, VIEW_CANVAS_SMOOTH, &made->canvas);
    if (status == SHEAF_OK)
        status = view_painter_open(style, view_quality_best, &made->painter);
    if (status == SHEAF_OK)
        *render = made;
    else
        view_render_close(made);
    return status;
}

void view_render_close(view_render *render)
{
    if (render == NULL)
        return;
    view_painter_close(render->painter);
    view_canvas_close(render->canvas);
    view_context_close(render->context);
    base_free(render);
}

const char *view_render_name(const view_render *render)
{
    return view_context_name(render->context);
}

sheaf_status view_render_draw(view_render *render, const view_subject *subject, const view_camera *camera,
                              const uint8_t **pixels)
{
    uint32_t width, height;
    view_canvas_bind(render->canvas, &width, &height);
    SHEAF_TRY(view_painter_draw(render->painter, subject, camera, width, height, render->is_new));
    render->is_new = false;
    return view_canvas_read(render->canvas, pixels);
}
