// pace: how many pictures a second the window's way of drawing makes while everything moves.
#include "view/pace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "view/context.h"
#include "view/rough.h"

enum { WARM_UP = 12 };           // pictures before the first that counts: it is found out how much can be drawn
static const double turn = 0.01; // rad, from one picture to the next

typedef struct pacing {
    view_context *context;
    view_rough *rough;
    double *seconds; // [frames]
} pacing;

static sheaf_status open_all(pacing *p, const view_style *style, uint64_t frames)
{
    p->seconds = base_alloc(frames, sizeof *p->seconds);
    if (p->seconds == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(view_context_open(&p->context));
    return view_rough_open(style, strstr(view_context_name(p->context), "llvmpipe") != NULL, &p->rough);
}

static void close_all(pacing *p)
{
    view_rough_close(p->rough);
    view_context_close(p->context);
    base_free(p->seconds);
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sheaf_status draw_all(pacing *p, const view_subject *subject, view_camera camera, uint32_t width,
                             uint32_t height, view_pace *pace)
{
    for (uint64_t k = 0; k < WARM_UP + pace->frames; k++) {
        const double start = base_clock();
        SHEAF_TRY(view_rough_draw(p->rough, subject, &camera, width, height, k == 0));
        view_camera_turn(&camera, turn, 0);
        if (k < WARM_UP)
            continue;
        const view_painted painted = view_rough_painted(p->rough);
        p->seconds[k - WARM_UP] = base_clock() - start;
        pace->light += painted.light / (double)pace->frames;
        pace->strands += painted.strands / (double)pace->frames;
        pace->strands_drawn = painted.strands_drawn - painted.crowd_drawn;
        pace->children_drawn = painted.crowd_drawn;
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
    sheaf_status status = open_all(&p, &style, frames);
    if (status == SHEAF_OK) {
        snprintf(pace->name, sizeof pace->name, "%s", view_context_name(p.context));
        status = draw_all(&p, &subject, *camera, width, height, pace);
    }
    close_all(&p);
    return status;
}
