// pace: how many pictures a second the window's way of drawing makes while everything moves.
#include "view/pace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "view/context.h"
#include "view/gl.h"
#include "view/painter.h"

enum { WARM_UP = 3 };            // pictures before the first that counts
static const double turn = 0.01; // rad, from one picture to the next

typedef struct pacing {
    view_context *context;
    view_canvas *canvas;
    view_painter *painter;
    double *seconds; // [frames]
} pacing;

static sheaf_status open_all(pacing *p, const view_style *style, uint32_t width, uint32_t height, uint64_t frames)
{
    p->seconds = base_alloc(frames, sizeof *p->seconds);
    if (p->seconds == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(view_context_open(&p->context));
    SHEAF_TRY(view_canvas_open(width, height, VIEW_CANVAS_PLAIN, &p->canvas));
    return view_painter_open(style, view_quality_live, &p->painter);
}

static void close_all(pacing *p)
{
    view_painter_close(p->painter);
    view_canvas_close(p->canvas);
    view_context_close(p->context);
    base_free(p->seconds);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sheaf_status draw_all(pacing *p, const view_subject *subject, view_camera camera, view_pace *pace)
{
    uint32_t width, height;
    for (uint64_t k = 0; k < WARM_UP + pace->frames; k++) {
        const double start = base_clock();
        view_canvas_bind(p->canvas, &width, &height);
        SHEAF_TRY(view_painter_draw(p->painter, subject, &camera, width, height, k == 0));
        glFinish();
        view_camera_turn(&camera, turn, 0);
        if (k < WARM_UP)
            continue;
        const view_painted painted = view_painter_painted(p->painter);
        p->seconds[k - WARM_UP] = base_clock() - start;
        pace->light += painted.light / (double)pace->frames;
        pace->strands += painted.strands / (double)pace->frames;
        pace->strands_drawn = painted.strands_drawn;
    }
    qsort(p->seconds, pace->frames, sizeof *p->seconds, compare);
    pace->frame = p->seconds[pace->frames / 2];
    pace->graphics = fmax(pace->frame - pace->light - pace->strands, 0);
    return SHEAF_OK;
}

sheaf_status view_pace_measure(const view_stage *stage, const view_camera *camera, uint32_t width, uint32_t height,
                               uint64_t frames, view_pace *pace)
{
    const view_style style = view_stage_style(stage);
    const view_subject subject = view_stage_subject(stage);
    pacing p = {0};
    *pace = (view_pace){.frames = frames};
    sheaf_status status = open_all(&p, &style, width, height, frames);
    if (status == SHEAF_OK) {
        snprintf(pace->name, sizeof pace->name, "%s", view_context_name(p.context));
        status = draw_all(&p, &subject, *camera, pace);
    }
    close_all(&p);
    return status;
}
