// overlay: lines over the picture: the picked strand with its material frames, the reference's strand, the hand's
// spring.
#include "view/window_parts.h"

#include <math.h>
#include <stdio.h>

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

// ---- the scale of colours

static unsigned screen_colour(double value)
{
    float colour[3];
    unsigned packed = 0xFF000000u;
    view_scale_colour(value, colour);
    for (int c = 0; c < 3; c++)
        packed |= (unsigned)lrint(255 * pow((double)colour[c], 1 / 2.2)) << (8 * c);
    return packed;
}

// A bar from the least value to the largest, at the bottom of the picture.
void view_draw_scale(const view_window *w)
{
    enum { BANDS = 64 };
    static const struct {
        const char *name, *unit;
    } shown[VIEW_COLOUR_COUNT] = {
        [VIEW_COLOUR_STRAIN] = {"strain", ""},     [VIEW_COLOUR_CURVATURE] = {"curvature", " 1/m"},
        [VIEW_COLOUR_TWIST] = {"twist", " rad/m"}, [VIEW_COLOUR_SPEED] = {"speed", " m/s"},
        [VIEW_COLOUR_FROZEN] = {"frozen", ""},     [VIEW_COLOUR_ERROR] = {"distance from the reference", " m"}};
    static const unsigned ink = 0xFF202020u, paper = 0xD0FFFFFFu;
    const float scale = w->scale, wide = 320 * scale, high = 12 * scale;
    const float left = ((float)w->eye.width - wide) / 2, top = (float)w->eye.height - 48 * scale;
    if (shown[w->session.colour].name == NULL)
        return;
    view_panel_band(left - 44 * scale, top - 20 * scale, left + wide + 44 * scale, top + 34 * scale, paper);
    for (int k = 0; k < BANDS; k++)
        view_panel_band(left + wide * (float)k / BANDS, top, left + wide * (float)(k + 1) / BANDS, top + high,
                        screen_colour((k + 0.5) / BANDS));
    view_panel_label(left + wide / 2, top - 17 * scale, ink, shown[w->session.colour].name);
    for (int k = 0; k <= 2; k++) {
        char text[48];
        snprintf(text, sizeof text, "%.3g%s", w->most * k / 2, shown[w->session.colour].unit);
        view_panel_label(left + wide * (float)k / 2, top + high + 3 * scale, ink, text);
    }
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
