// session: one act in the window: the loop that draws, and what can be done to it.
#include "view/window_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "view/gl.h"
#include "view/render.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

enum { SAMPLE = 1 << 16 };

static const double still_after = 0.4; // s without anything moving

// ---- doing things

void view_do_play(view_window *w, bool playing)
{
    w->session.playing = playing;
    if (w->act->live != NULL)
        view_live_play(w->act->live, playing);
    else if (playing && w->frame + 1 == w->act->reel->frame_count)
        w->frame_time = w->act->reel->times[0];
}

void view_do_step(view_window *w, int direction)
{
    view_do_play(w, false);
    if (w->act->live != NULL) {
        if (direction > 0)
            view_live_step(w->act->live, 1);
        return;
    }
    const uint64_t last = w->act->reel->frame_count - 1, here = view_reel_find(w->act->reel, w->frame_time);
    const uint64_t next = direction > 0 ? (here < last ? here + 1 : last) : here > 0 ? here - 1 : 0;
    w->frame_time = w->act->reel->times[next];
}

void view_do_speed(view_window *w, double speed)
{
    w->session.speed = fmin(fmax(speed, 0.01), 4);
    if (w->act->live != NULL)
        view_live_set_speed(w->act->live, w->session.speed);
}

static void end_shadow(view_window *w)
{
    view_shadow_close(w->shadow);
    base_free(w->shadow_points);
    w->shadow = NULL;
    w->shadow_points = NULL;
    w->shadow_count = 0;
}

// A scene that runs on a device gets the reference's strand beside the picked one.
static void start_shadow(view_window *w, uint32_t strand)
{
    const view_act *act = w->act;
    if (act->live == NULL || act->is_continued)
        return;
    const sheaf_model *model = act->stage->model;
    sheaf_status status = SHEAF_ERR_MEMORY;
    w->shadow_points = base_alloc(model_vertex_count(model, strand), sizeof *w->shadow_points);
    if (w->shadow_points != NULL)
        status = view_shadow_open(model, strand, model->def.step, act->live, &w->shadow);
    if (status != SHEAF_OK) {
        view_window_tell(w, sheaf_last_error());
        end_shadow(w);
    }
}

void view_do_pick(view_window *w, uint32_t strand, uint32_t vertex)
{
    w->vertex = vertex;
    if (strand == w->session.picked)
        return;
    end_shadow(w);
    w->session.picked = strand;
    w->session.deviation = -1;
    if (strand != UINT32_MAX)
        start_shadow(w, strand);
}

void view_do_frame(view_window *w)
{
    const view_stage *stage = w->act->stage;
    int width, height;
    glfwGetFramebufferSize(w->handle, &width, &height);
    double(*points)[3] = base_alloc(SAMPLE, sizeof *points);
    if (points == NULL)
        return;
    view_subject subject = view_stage_subject(stage);
    const uint32_t s = w->session.picked;
    uint64_t count = 0;
    for (uint64_t k = 0; s != UINT32_MAX && k < stage->first_vertex[s + 1] - stage->first_vertex[s]; k++)
        vec_copy(points[count++], stage->positions[stage->first_vertex[s] + k]);
    if (count == 0)
        count = view_subject_sample(&subject, points, SAMPLE);
    const double aspect = height > 0 ? (double)width / height : 1;
    if (w->has_camera)
        view_camera_frame(&w->camera, (const double(*)[3])points, count, aspect);
    else
        w->camera = view_stage_camera(stage, (const double(*)[3])points, count, aspect);
    w->has_camera = true;
    base_free(points);
}

void view_do_wish(view_window *w, view_wish wish, const char *path)
{
    w->has_outcome = true;
    w->outcome.wish = wish;
    snprintf(w->outcome.path, sizeof w->outcome.path, "%s", path != NULL ? path : "");
}

void view_do_picture(view_window *w)
{
    w->wants_picture = true;
}

// ---- one frame

// Positions go from the snapshot to the graphics without a copy: the stage lends its arrays' places.
static sheaf_status show_snapshot(view_window *w)
{
    bool is_new;
    view_stage *stage = w->act->stage;
    w->snapshot = view_live_take(w->act->live, &is_new);
    if (is_new)
        w->woken = base_clock();
    stage->positions = w->snapshot->positions;
    if (stage->directors != NULL)
        stage->directors = w->snapshot->directors;
    w->session.time = w->snapshot->report.time;
    w->session.step = w->snapshot->report.step;
    w->session.stage_count = w->snapshot->stage_count;
    memcpy(w->session.stages, w->snapshot->stages, sizeof w->session.stages);
    SHEAF_TRY(view_stage_set_time(stage, w->session.time));
    if (stage->model != NULL)
        view_props_set_bodies(&stage->props, stage->model, w->snapshot->poses);
    const uint32_t s = w->session.picked;
    if (w->shadow == NULL)
        return SHEAF_OK;
    view_shadow_follow(w->shadow, w->session.step, w->session.time,
                       (const double(*)[3])stage->positions + stage->first_vertex[s]);
    w->shadow_count = view_shadow_take(w->shadow, w->shadow_points, w->shadow_rows);
    if (w->shadow_count > 0)
        w->session.deviation = w->shadow_rows[w->shadow_count - 1].deviation;
    return SHEAF_OK;
}

static sheaf_status show_frame(view_window *w, double elapsed)
{
    view_reel *reel = w->act->reel;
    const double end = reel->times[reel->frame_count - 1];
    if (w->session.playing)
        w->frame_time += elapsed * w->session.speed;
    if (w->frame_time > end) {
        w->frame_time = end;
        w->session.playing = false;
    }
    const uint64_t frame = view_reel_find(reel, w->frame_time);
    if (frame != w->frame || w->is_new) {
        SHEAF_TRY(view_reel_load(reel, frame, w->act->stage));
        w->woken = base_clock();
    }
    w->frame = frame;
    w->session.step = frame;
    w->session.time = reel->times[frame];
    return SHEAF_OK;
}

static void fill_values(view_window *w, view_subject *subject)
{
    if (w->session.colour == VIEW_COLOUR_NATURAL)
        return;
    view_measured measured = {0};
    if (w->snapshot != NULL) {
        measured.velocities = (const double(*)[3])w->snapshot->velocities;
        measured.frozen = w->snapshot->frozen;
    }
    if (w->shadow_count > 0) {
        const view_stage *stage = w->act->stage;
        const uint64_t first = stage->first_vertex[w->session.picked];
        memset(w->errors, 0, stage->first_vertex[stage->strand_count] * sizeof *w->errors);
        for (uint64_t k = first; k < stage->first_vertex[w->session.picked + 1]; k++) {
            double apart[3];
            vec_sub(apart, stage->positions[k], w->shadow_points[k - first]);
            w->errors[k] = (float)vec_length(apart);
        }
        measured.errors = w->errors;
    }
    w->most = view_measure(w->act->stage, w->session.colour, &measured, w->values);
    subject->values = w->values;
}

// While anything moves no more is drawn than keeps up; once nothing does, everything.
static void choose_quality(view_window *w)
{
    const bool still = base_clock() - w->woken > still_after;
    if (still == w->is_still)
        return;
    w->is_still = still;
    w->is_new = true;
    view_painter_set_quality(w->painter, still ? view_quality_still : view_quality_live);
}

// Draws with smooth edges, by way of a canvas of the window's size.
static sheaf_status draw_smooth(view_window *w, const view_subject *subject, int width, int height)
{
    uint32_t large_width, large_height;
    if (w->canvas == NULL || w->canvas_width != width || w->canvas_height != height) {
        view_canvas_close(w->canvas);
        w->canvas = NULL;
        SHEAF_TRY(view_canvas_open((uint32_t)width, (uint32_t)height, VIEW_CANVAS_SMOOTH, &w->canvas));
        w->canvas_width = width;
        w->canvas_height = height;
    }
    view_canvas_bind(w->canvas, &large_width, &large_height);
    SHEAF_TRY(view_painter_draw(w->painter, subject, &w->camera, large_width, large_height, w->is_new));
    return view_canvas_show(w->canvas);
}

static sheaf_status draw_scene(view_window *w, const view_subject *subject, int width, int height)
{
    if (w->is_still || !w->is_software)
        return draw_smooth(w, subject, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return view_painter_draw(w->painter, subject, &w->camera, (uint32_t)width, (uint32_t)height, w->is_new);
}

// Saves what was drawn, before the panel covers it; rows of a framebuffer lie from bottom to top.
static void save_picture(view_window *w, int width, int height)
{
    const size_t row = 3 * (size_t)width;
    uint8_t *pixels = base_alloc((size_t)height, 2 * row);
    if (pixels == NULL)
        return;
    uint8_t *flipped = pixels + row * (size_t)height;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    for (int y = 0; y < height; y++)
        memcpy(flipped + row * (size_t)y, pixels + row * (size_t)(height - 1 - y), row);
    const sheaf_status status = view_image_write("sheaf-view.png", true, flipped, (uint32_t)width, (uint32_t)height);
    view_window_tell(w, status == SHEAF_OK ? "the picture is in sheaf-view.png" : sheaf_last_error());
    base_free(pixels);
    w->wants_picture = false;
}

static void note_tip(view_window *w)
{
    const view_stage *stage = w->act->stage;
    if (w->session.picked != UINT32_MAX)
        vec_copy(w->session.tip, stage->positions[stage->first_vertex[w->session.picked + 1] - 1]);
}

static sheaf_status draw(view_window *w)
{
    int width, height;
    glfwGetFramebufferSize(w->handle, &width, &height);
    if (width <= 0 || height <= 0)
        return SHEAF_OK; // minimised
    view_subject subject = view_stage_subject(w->act->stage);
    fill_values(w, &subject);
    note_tip(w);
    w->eye = view_camera_eye(&w->camera, width, height);
    SHEAF_TRY(draw_scene(w, &subject, width, height));
    w->is_new = false;
    if (w->wants_picture)
        save_picture(w, width, height);
    view_panel_begin();
    view_draw_overlay(w);
    view_draw_controls(w);
    view_panel_end();
    glfwSwapBuffers(w->handle);
    w->session.frames++;
    return view_gl_status("drawing");
}

// Whether a picture would differ from the last one.
static bool is_asleep(const view_window *w)
{
    return !w->is_counted && w->is_still && !w->is_new && base_clock() - w->woken > 2 * still_after;
}

static sheaf_status one_round(view_window *w)
{
    const double start = base_clock(), elapsed = fmin(start - w->last_clock, 0.1);
    w->last_clock = start;
    if (w->act->live != NULL) {
        SHEAF_TRY(show_snapshot(w));
        if (view_live_status(w->act->live) != SHEAF_OK)
            view_window_tell(w, sheaf_last_error());
    } else {
        SHEAF_TRY(show_frame(w, elapsed));
    }
    if (!w->is_counted)
        choose_quality(w);
    if (is_asleep(w)) {
        glfwWaitEventsTimeout(0.03);
        return SHEAF_OK;
    }
    SHEAF_TRY(draw(w));
    w->session.seconds += base_clock() - start;
    glfwPollEvents();
    return SHEAF_OK;
}

// ---- an act

static sheaf_status start_act(view_window *w)
{
    const view_act *act = w->act;
    const view_style style = view_stage_style(act->stage);
    const uint64_t vertices = act->stage->first_vertex[act->stage->strand_count];
    view_subject subject = view_stage_subject(act->stage);
    const view_extent extent = view_subject_measure(&subject);
    char title[300];
    view_stage_place_ground(act->stage, extent.lowest, extent.size);
    snprintf(title, sizeof title, "%.250s - Sheaf", act->name);
    glfwSetWindowTitle(w->handle, title);
    w->values = base_alloc(vertices, sizeof *w->values);
    w->errors = base_alloc(vertices, sizeof *w->errors);
    if (w->values == NULL || w->errors == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(view_painter_open(&style, view_quality_live, &w->painter));
    w->is_new = true;
    w->is_still = false;
    w->has_outcome = false;
    w->last_clock = w->woken = base_clock();
    if (act->is_continued) {
        const uint32_t picked = w->session.picked;
        w->session.picked = UINT32_MAX;
        if (picked < act->stage->strand_count)
            view_do_pick(w, picked, w->vertex);
        view_do_speed(w, w->session.speed);
        view_do_play(w, w->session.playing);
        return SHEAF_OK;
    }
    w->has_camera = false;
    w->session.picked = UINT32_MAX;
    w->frame_time = act->reel != NULL ? act->reel->times[0] : 0;
    view_do_frame(w);
    view_do_speed(w, w->session.speed);
    view_do_play(w, act->is_playing);
    return SHEAF_OK;
}

static void end_act(view_window *w, double (*positions)[3], double (*directors)[3])
{
    end_shadow(w);
    view_painter_close(w->painter);
    base_free(w->values);
    base_free(w->errors);
    w->act->stage->positions = positions;
    w->act->stage->directors = directors;
    w->painter = NULL;
    w->values = w->errors = NULL;
    w->snapshot = NULL;
    w->is_grab = false;
    w->act = NULL;
}

static bool goes_on(const view_window *w, uint64_t most, int (*stop)(void))
{
    return !w->has_outcome && !glfwWindowShouldClose(w->handle) && (most == 0 || w->session.frames < most) &&
           stop() == 0;
}

sheaf_status view_window_run(view_window *window, const view_act *act, uint64_t most, int (*stop)(void),
                             view_outcome *outcome)
{
    double(*positions)[3] = act->stage->positions, (*directors)[3] = act->stage->directors;
    window->act = act;
    window->is_counted = most > 0;
    sheaf_status status = start_act(window);
    while (status == SHEAF_OK && goes_on(window, most, stop))
        status = one_round(window);
    *outcome = window->has_outcome ? window->outcome : (view_outcome){.wish = VIEW_WISH_QUIT};
    end_act(window, positions, directors);
    return status;
}
