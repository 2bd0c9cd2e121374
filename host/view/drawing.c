// drawing: the picture of an act in the window: rough while anything moves; once nothing does, fine and with all
// children, a little more of them each round, so that the window never stops answering. Pictures and films of it.
#include "view/window_parts.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "view/gl.h"
#include "view/render.h"

static const double refine_for = 0.05, refine_long = 0.3; // s, of a round: while someone is at it, and else
static const double shown_from = 0.25;   // part of the children from which the fine picture is shown while it grows
static const uint32_t film_rate = 30;    // pictures per second of film
static const uint32_t held_longest = 60; // pictures of a film that one in the window may stand for

// ---- fine pictures

static sheaf_status open_fine(view_window *w, uint32_t width, uint32_t height)
{
    const view_style style = view_stage_style(w->act->stage);
    if (w->fine == NULL)
        SHEAF_TRY(view_painter_open(&style, view_quality_best, &w->fine));
    if (w->canvas != NULL && w->canvas_width == width && w->canvas_height == height)
        return SHEAF_OK;
    view_canvas_close(w->canvas);
    w->canvas = NULL;
    w->canvas_width = width;
    w->canvas_height = height;
    return view_canvas_open(width, height, VIEW_CANVAS_SMOOTH, &w->canvas);
}

// More of the fine picture, for so many seconds.
static sheaf_status refine(view_window *w, const view_subject *subject, uint32_t width, uint32_t height, double seconds)
{
    uint32_t large_width, large_height;
    if (w->canvas_width != width || w->canvas_height != height)
        w->fine_part = VIEW_NOT_BEGUN;
    if (w->fine_part >= 1)
        return SHEAF_OK;
    SHEAF_TRY(open_fine(w, width, height));
    view_canvas_bind(w->canvas, &large_width, &large_height);
    if (w->fine_part < 0) {
        w->fine_part = 0;
        SHEAF_TRY(view_painter_begin(w->fine, subject, &w->camera, large_width, large_height, true));
    }
    return view_painter_more(w->fine, seconds, &w->fine_part);
}

static sheaf_status draw_rough(view_window *w, const view_subject *subject, uint32_t width, uint32_t height)
{
    w->fine_part = VIEW_NOT_BEGUN;
    SHEAF_TRY(view_rough_draw(w->rough, subject, &w->camera, width, height, w->is_new));
    w->is_new = false;
    w->has_rough = true;
    return SHEAF_OK;
}

sheaf_status view_draw_scene(view_window *w, const view_subject *subject, uint32_t width, uint32_t height)
{
    if (w->wants_picture)
        SHEAF_TRY(refine(w, subject, width, height, INFINITY));
    else if (w->is_still)
        SHEAF_TRY(refine(w, subject, width, height, base_clock() - w->touched > 1 ? refine_long : refine_for));
    else
        SHEAF_TRY(draw_rough(w, subject, width, height));
    const bool is_fine = w->fine_part >= shown_from || (w->fine_part >= 0 && !w->has_rough);
    return is_fine ? view_canvas_show(w->canvas, width, height) : view_rough_show(w->rough, width, height);
}

void view_forget_pictures(view_window *w)
{
    view_rough_close(w->rough);
    view_painter_close(w->fine);
    w->rough = NULL;
    w->fine = NULL;
    w->has_rough = false;
    w->fine_part = VIEW_NOT_BEGUN;
}

// ---- what was drawn, before the panel covers it

// Rows of a framebuffer lie from bottom to top. NULL: no memory.
static uint8_t *read_pixels(uint32_t width, uint32_t height)
{
    const size_t row = 3 * (size_t)width;
    uint8_t *pixels = base_alloc(height, row), *line = base_alloc(1, row);
    if (pixels != NULL && line != NULL) {
        glPixelStorei(GL_PACK_ALIGNMENT, 1);
        glReadPixels(0, 0, (GLsizei)width, (GLsizei)height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
        for (uint32_t y = 0; y < height / 2; y++) {
            uint8_t *a = pixels + row * y, *b = pixels + row * (height - 1 - y);
            memcpy(line, a, row);
            memcpy(a, b, row);
            memcpy(b, line, row);
        }
    }
    base_free(line);
    return pixels;
}

void view_save_picture(view_window *w, uint32_t width, uint32_t height)
{
    uint8_t *pixels = read_pixels(width, height);
    w->wants_picture = false;
    if (pixels == NULL)
        return;
    const sheaf_status status = view_image_write("sheaf-view.png", true, pixels, width, height);
    view_window_tell(w, status == SHEAF_OK ? "the picture is in sheaf-view.png" : sheaf_last_error());
    base_free(pixels);
}

// ---- films

static void end_film(view_window *w, bool is_told)
{
    const view_helper *helper = w->act->helper;
    const sheaf_status status = helper->finish_film(helper->user);
    w->is_filming = false;
    if (status != SHEAF_OK)
        view_window_tell(w, sheaf_last_error());
    else if (is_told)
        view_window_tell(w, "the film is written");
}

void view_do_film(view_window *w)
{
    const view_helper *helper = w->act->helper;
    if (helper == NULL)
        return;
    if (w->is_filming) {
        end_film(w, true);
        return;
    }
    w->film_width = w->film_height = 0; // known with the first picture
    w->film_length = 0;
    w->session.film_frames = 0;
    w->film_time = w->session.time;
    w->film_clock = base_clock();
    w->is_filming = true;
}

// Pictures of film that the last one in the window stands for. While a scene plays a film goes by its time, so that it
// is as fast as life however slowly it is computed; else by the clock, for the camera may move.
static uint32_t count_held(view_window *w)
{
    const double now = base_clock(), passed = w->session.time - w->film_time;
    w->film_length += w->session.playing ? fmax(passed, 0) / w->session.speed : now - w->film_clock;
    w->film_clock = now;
    w->film_time = w->session.time;
    const double due = floor(w->film_length * film_rate) + 1 - (double)w->session.film_frames;
    if (due > held_longest)
        w->film_length -= (due - held_longest) / film_rate;
    return due < 0 ? 0 : due > held_longest ? held_longest : (uint32_t)due;
}

static sheaf_status film_pixels(view_window *w, uint32_t width, uint32_t height, uint32_t held)
{
    const view_helper *helper = w->act->helper;
    if (w->film_width == 0) {
        char name[300];
        SHEAF_TRY(helper->start_film(helper->user, width, height, film_rate, name, sizeof name));
        w->film_width = width;
        w->film_height = height;
        snprintf(w->note, sizeof w->note, "recording %.200s; m ends it", name);
    }
    uint8_t *pixels = held > 0 ? read_pixels(width, height) : NULL;
    sheaf_status status = held > 0 && pixels == NULL ? SHEAF_ERR_MEMORY : SHEAF_OK;
    for (uint32_t k = 0; k < held && status == SHEAF_OK; k++)
        status = helper->add_film(helper->user, pixels, 3 * (size_t)width * height);
    base_free(pixels);
    w->session.film_frames += held;
    return status;
}

void view_film_picture(view_window *w, uint32_t width, uint32_t height)
{
    const bool is_resized = w->film_width != 0 && (w->film_width != width || w->film_height != height);
    if (!w->is_filming)
        return;
    if (is_resized) {
        end_film(w, false);
        view_window_tell(w, "the film ended: the window has another size");
        return;
    }
    if (film_pixels(w, width, height, count_held(w)) == SHEAF_OK)
        return;
    char reason[300];
    snprintf(reason, sizeof reason, "%.299s", sheaf_last_error());
    (void)w->act->helper->finish_film(w->act->helper->user);
    w->is_filming = false;
    view_window_tell(w, reason);
}

void view_end_film(view_window *w)
{
    if (w->is_filming && w->act != NULL)
        end_film(w, false);
}
