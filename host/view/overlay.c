// overlay: lines over the picture: the picked strand with its material frames, the reference's strand, the hand's
// spring.
#include "view/window_parts.h"

#include <math.h>

#include "base/vec.h"

enum { FRAMES_MOST = 24 };

static const unsigned highlight = 0xFF20B4FFu, reference_red = 0xFF2020E0u, frame_green = 0xC040A020u,
                      force_violet = 0xFFC02090u;

static void draw_line(const view_window *w, const double a[3], const double b[3], unsigned colour, float width)
{
    double from[2], to[2], depth;
    if (view_eye_project(&w->eye, a, from, &depth) && view_eye_project(&w->eye, b, to, &depth))
        view_panel_line((float)from[0], (float)from[1], (float)to[0], (float)to[1], colour, width);
}

static void draw_polyline(const view_window *w, const double (*points)[3], uint64_t count, unsigned colour, float width)
{
    for (uint64_t k = 0; k + 1 < count; k++)
        draw_line(w, points[k], points[k + 1], colour, width);
}

// Director 1 of some edges, as long as an edge.
static void draw_frames(const view_window *w, uint64_t first, uint64_t count)
{
    const view_stage *stage = w->act->stage;
    const uint64_t stride = count / FRAMES_MOST + 1;
    for (uint64_t k = first; stage->directors != NULL && k + 1 < first + count; k += stride) {
        double middle[3], end[3], edge[3];
        vec_sub(edge, stage->positions[k + 1], stage->positions[k]);
        vec_copy(middle, stage->positions[k]);
        vec_axpy(middle, 0.5, edge);
        vec_copy(end, middle);
        vec_axpy(end, fmax(vec_length(edge), 14 * w->eye.pixel * w->camera.distance), stage->directors[k]);
        draw_line(w, middle, end, frame_green, 1.5f);
    }
}

static void draw_dot(const view_window *w, const double point[3], float radius, unsigned colour)
{
    double pixel[2], depth;
    if (view_eye_project(&w->eye, point, pixel, &depth))
        view_panel_dot((float)pixel[0], (float)pixel[1], radius, colour);
}

void view_draw_overlay(view_window *w)
{
    const view_stage *stage = w->act->stage;
    const uint32_t s = w->session.picked;
    if (s == UINT32_MAX)
        return;
    const uint64_t first = stage->first_vertex[s], count = stage->first_vertex[s + 1] - first;
    draw_polyline(w, (const double(*)[3])stage->positions + first, count, highlight, 2.5f);
    draw_frames(w, first, count);
    if (w->shadow != NULL && w->shadow_count > 0)
        draw_polyline(w, (const double(*)[3])w->shadow_points, count, reference_red, 1.2f);
    draw_dot(w, stage->positions[first + w->vertex], 4, highlight);
    if (!w->is_grab)
        return;
    draw_line(w, stage->positions[first + w->vertex], w->target, force_violet, 2);
    draw_dot(w, w->target, 5, force_violet);
}

// Square of the distance of a pixel from a line on the picture.
static double distance_to(const double pixel[2], const double a[2], const double b[2], double *part)
{
    const double x = b[0] - a[0], y = b[1] - a[1], length = fmax(x * x + y * y, 1e-12);
    *part = fmin(fmax(((pixel[0] - a[0]) * x + (pixel[1] - a[1]) * y) / length, 0), 1);
    return pow(pixel[0] - a[0] - *part * x, 2) + pow(pixel[1] - a[1] - *part * y, 2);
}

bool view_find_strand(const view_window *w, const double pixel[2], uint32_t *strand, uint32_t *vertex)
{
    static const double reach = 12; // px
    const view_stage *stage = w->act->stage;
    double best = reach * reach;
    bool found = false;
    for (uint32_t s = 0; s < stage->strand_count; s++) {
        double last[2] = {0, 0}, here[2] = {0, 0}, depth, part = 0;
        bool seen = false;
        for (uint64_t k = stage->first_vertex[s]; k < stage->first_vertex[s + 1]; k++) {
            const bool sees = view_eye_project(&w->eye, stage->positions[k], here, &depth);
            // what is nearer to the eye wins among lines under the pointer
            const double apart = seen && sees ? distance_to(pixel, last, here, &part) : INFINITY;
            const double score = apart < reach * reach ? apart + 4 * depth / w->camera.distance : INFINITY;
            if (score < best) {
                best = score;
                found = true;
                *strand = s;
                *vertex = (uint32_t)(k - stage->first_vertex[s]) - (part < 0.5);
            }
            seen = sees;
            last[0] = here[0], last[1] = here[1];
        }
    }
    return found;
}
