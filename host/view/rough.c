// rough: pictures of things that move.
#include "view/rough.h"

#include <math.h>

#include "view/context.h"
#include "view/gl.h"

struct view_rough {
    view_painter *painter;
    view_canvas *canvas;
    uint32_t width, height; // of the canvas
    view_canvas_kind kind;
    view_budget budget;
    view_quality quality; // that strands were planned for
    bool is_planned;
};

sheaf_status view_rough_open(const view_style *style, bool is_software, view_rough **rough)
{
    *rough = base_alloc(1, sizeof **rough);
    if (*rough == NULL)
        return SHEAF_ERR_MEMORY;
    (*rough)->budget = view_budget_start(is_software);
    (*rough)->kind = is_software ? VIEW_CANVAS_PLAIN : VIEW_CANVAS_SMOOTH;
    const sheaf_status status = view_painter_open(style, view_quality_live, &(*rough)->painter);
    if (status == SHEAF_OK)
        return SHEAF_OK;
    view_rough_close(*rough);
    *rough = NULL;
    return status;
}

void view_rough_close(view_rough *rough)
{
    if (rough == NULL)
        return;
    view_canvas_close(rough->canvas);
    view_painter_close(rough->painter);
    base_free(rough);
}

static sheaf_status fit_canvas(view_rough *rough, uint32_t width, uint32_t height)
{
    if (rough->canvas != NULL && rough->width == width && rough->height == height)
        return SHEAF_OK;
    view_canvas_close(rough->canvas);
    rough->canvas = NULL;
    rough->width = width;
    rough->height = height;
    return view_canvas_open(width, height, rough->kind, &rough->canvas);
}

// Whether strands are to be planned anew: a budget that only changes how much of the crowd is drawn needs no plan.
static bool is_replanned(const view_rough *rough, const view_quality *wish, uint64_t vertices)
{
    const view_fineness *a = &rough->quality.fineness, *b = &wish->fineness;
    const double had = (double)a->most_corners, has = (double)b->most_corners;
    const double own = 2.0 * (double)vertices / b->vertex_step;
    return a->vertex_step != b->vertex_step || a->parts != b->parts ||
           (own > fmin(had, has) && fabs(has - had) > 0.3 * had);
}

sheaf_status view_rough_draw(view_rough *rough, const view_subject *subject, const view_camera *camera, uint32_t width,
                             uint32_t height, bool is_new)
{
    const double start = base_clock();
    const uint64_t vertices = view_vertex_count(subject);
    const uint32_t divisor = rough->budget.is_half ? 2 : 1;
    const view_quality quality = view_budget_quality(&rough->budget, vertices, subject->crowd != NULL);
    uint32_t drawn_width, drawn_height;
    is_new = is_new || !rough->is_planned || is_replanned(rough, &quality, vertices);
    SHEAF_TRY(fit_canvas(rough, (width + divisor - 1) / divisor, (height + divisor - 1) / divisor));
    view_canvas_bind(rough->canvas, &drawn_width, &drawn_height);
    view_painter_set_quality(rough->painter, quality);
    SHEAF_TRY(view_painter_draw(rough->painter, subject, camera, drawn_width, drawn_height, is_new));
    glFinish(); // so that it is known how long it takes
    if (is_new)
        rough->quality = quality;
    rough->is_planned = true;
    view_budget_note(&rough->budget, base_clock() - start, view_painter_painted(rough->painter).corners);
    return SHEAF_OK;
}

sheaf_status view_rough_show(view_rough *rough, uint32_t width, uint32_t height)
{
    return rough->canvas != NULL ? view_canvas_show(rough->canvas, width, height) : SHEAF_OK;
}

view_painted view_rough_painted(const view_rough *rough)
{
    return view_painter_painted(rough->painter);
}
