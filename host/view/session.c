// session: one act in the window: the loop that draws, and what can be done to it.
#include "view/window_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "view/gl.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

enum { SAMPLE = 1 << 16 };

static const double still_after = 0.4;       // s without anything moving
static const double moment_every = 1.0 / 30; // s, of the scene's time, between moments that are kept
static const uint64_t history_bytes = 1u << 28;

const char *const view_part_names[VIEW_PART_COUNT] = {"ground", "bodies", "shadows", "children", "guides"};

// ---- doing things

void view_do_play(view_window *w, bool playing)
{
    w->session.playing = playing;
    if (playing)
        view_do_back(w, 0);
    if (w->act->live != NULL)
        view_live_play(w->act->live, playing);
    else if (playing && w->frame + 1 == w->act->reel->frame_count)
        w->frame_time = w->act->reel->times[0];
}

void view_do_step(view_window *w, int direction)
{
    view_do_play(w, false);
    if (w->act->live != NULL) {
        if (direction > 0 && w->back == 0)
            view_live_step(w->act->live, 1);
        else
            view_do_back(w, direction < 0 ? w->back + 1 : w->back - 1);
        return;
    }
    const uint64_t last = w->act->reel->frame_count - 1, here = view_reel_find(w->act->reel, w->frame_time);
    const uint64_t next = direction > 0 ? (here < last ? here + 1 : last) : here > 0 ? here - 1 : 0;
    w->frame_time = w->act->reel->times[next];
}

void view_wake(view_window *w)
{
    w->woken = w->touched = base_clock();
}

void view_do_back(view_window *w, uint32_t back)
{
    const uint32_t count = w->history != NULL ? view_history_count(w->history) : 0;
    const uint32_t oldest = count > 0 ? count - 1 : 0, wanted = back < oldest ? back : oldest;
    if (wanted == w->back)
        return;
    w->back = wanted;
    w->is_moved_back = true;
    view_wake(w);
}

void view_do_show(view_window *w, view_part part)
{
    w->session.hidden[part] = !w->session.hidden[part];
    w->is_new = true;
    view_wake(w);
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
    view_wake(w);
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
    w->touched = base_clock();
}

void view_do_home(view_window *w)
{
    w->camera = w->start_camera;
    view_wake(w);
}

void view_do_camera(view_window *w, bool is_kept)
{
    char entry[300];
    view_camera_text(&w->camera, w->session.camera, sizeof w->session.camera);
    snprintf(entry, sizeof entry, "view: { camera: %s }", w->session.camera);
    glfwSetClipboardString(w->handle, entry);
    if (!is_kept) {
        view_window_tell(w, "the camera is on the clipboard, as a scene's view: camera");
        return;
    }
    const view_helper *helper = w->act->helper;
    const sheaf_status status = helper != NULL ? helper->keep_camera(helper->user, w->session.camera) : SHEAF_ERR_USAGE;
    view_window_tell(w, status == SHEAF_OK ? "the scene has the camera now" : sheaf_last_error());
}

// ---- one frame

static sheaf_status show_moment(view_window *w, const view_moment *moment)
{
    view_stage *stage = w->act->stage;
    stage->positions = moment->positions;
    if (stage->directors != NULL)
        stage->directors = moment->directors;
    w->velocities = (const double(*)[3])moment->velocities;
    w->session.time = moment->time;
    w->session.step = moment->step;
    return view_stage_set_time(stage, moment->time);
}

// Positions go from the snapshot to the graphics without a copy: the stage lends its arrays' places.
static view_moment moment_of(const view_snapshot *snapshot)
{
    return (view_moment){.time = snapshot->report.time,
                         .step = snapshot->report.step,
                         .positions = snapshot->positions,
                         .velocities = snapshot->velocities,
                         .directors = snapshot->directors};
}

// A moment now and then; every one while single steps are taken.
static void keep_moment(view_window *w, const view_moment *moment)
{
    const uint32_t count = view_history_count(w->history);
    const double last = count > 0 ? view_history_time(w->history, 0) : -INFINITY;
    if (moment->time >= last + moment_every - 1e-9 || (!w->session.playing && moment->time > last))
        view_history_add(w->history, moment);
    w->session.oldest = view_history_time(w->history, view_history_count(w->history) - 1);
}

static sheaf_status show_snapshot(view_window *w)
{
    bool is_new;
    view_stage *stage = w->act->stage;
    w->snapshot = view_live_take(w->act->live, &is_new);
    const view_moment now = moment_of(w->snapshot);
    if (is_new) {
        view_wake(w);
        keep_moment(w, &now);
    }
    w->session.stage_count = w->snapshot->stage_count;
    memcpy(w->session.stages, w->snapshot->stages, sizeof w->session.stages);
    if (w->back > 0) {
        if (w->is_moved_back)
            SHEAF_TRY(show_moment(w, view_history_at(w->history, w->back)));
        w->is_moved_back = false;
        return SHEAF_OK;
    }
    SHEAF_TRY(show_moment(w, &now));
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
    if (frame != w->frame || !w->has_frame) {
        SHEAF_TRY(view_reel_load(reel, frame, w->act->stage));
        view_wake(w);
    }
    w->frame = frame;
    w->has_frame = true;
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
        measured.velocities = w->velocities;
        measured.frozen = w->snapshot->frozen;
    }
    if (w->shadow_count > 0 && w->back == 0) {
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
    w->is_still = !w->is_counted && !w->is_filming && base_clock() - w->woken > still_after;
}

// What is hidden stays out of the subject; guides without children around them are always drawn.
static void hide_parts(const view_window *w, view_subject *subject)
{
    const bool *hidden = w->session.hidden;
    subject->hides_strands =
        hidden[VIEW_PART_GUIDES] && subject->crowd != NULL && !hidden[VIEW_PART_CHILDREN] && subject->values == NULL;
    subject->has_no_shadows = hidden[VIEW_PART_SHADOWS];
    if (hidden[VIEW_PART_GROUND])
        subject->has_ground = false;
    if (hidden[VIEW_PART_BODIES])
        subject->body_count = 0;
    if (hidden[VIEW_PART_CHILDREN])
        subject->crowd = NULL;
}

static void note_tip(view_window *w)
{
    const view_stage *stage = w->act->stage;
    if (w->session.picked != UINT32_MAX)
        vec_copy(w->session.tip, stage->positions[stage->first_vertex[w->session.picked + 1] - 1]);
}

static void draw_panel(view_window *w)
{
    const view_colour colour = w->session.colour;
    view_panel_begin();
    view_draw_overlay(w);
    if (w->session.colour != VIEW_COLOUR_NATURAL)
        view_draw_scale(w);
    view_draw_controls(w);
    view_panel_end();
    if (w->session.colour != colour)
        view_wake(w);
}

static void note_drawn(view_window *w)
{
    const bool is_fine = w->fine_part >= 0;
    const view_painted painted = is_fine ? view_painter_painted(w->fine) : view_rough_painted(w->rough);
    w->session.strands_drawn = painted.strands_drawn;
    w->session.children_drawn = painted.crowd_drawn;
    w->session.fine = is_fine ? w->fine_part : 0;
    view_camera_text(&w->camera, w->session.camera, sizeof w->session.camera);
    note_tip(w);
}

static sheaf_status draw(view_window *w)
{
    int width, height;
    glfwGetFramebufferSize(w->handle, &width, &height);
    if (width <= 0 || height <= 0)
        return SHEAF_OK; // minimised
    view_subject subject = view_stage_subject(w->act->stage);
    fill_values(w, &subject);
    hide_parts(w, &subject);
    w->eye = view_camera_eye(&w->camera, width, height);
    SHEAF_TRY(view_draw_scene(w, &subject, (uint32_t)width, (uint32_t)height));
    note_drawn(w);
    if (w->wants_picture)
        view_save_picture(w, (uint32_t)width, (uint32_t)height);
    view_film_picture(w, (uint32_t)width, (uint32_t)height);
    draw_panel(w);
    glfwSwapBuffers(w->handle);
    w->session.frames++;
    return view_gl_status("drawing");
}

// Whether a picture would differ from the last one: neither it nor the panel has changed, and nothing is to be added.
static bool is_asleep(const view_window *w)
{
    return w->is_still && w->fine_part >= 1 && !w->wants_picture && base_clock() - w->touched > 2 * still_after;
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
    SHEAF_TRY(view_rough_open(&style, w->is_software, &w->rough));
    if (act->live != NULL)
        SHEAF_TRY(view_history_open(vertices, act->stage->directors != NULL, history_bytes, &w->history));
    w->fine_part = VIEW_NOT_BEGUN;
    w->is_new = true;
    w->is_still = w->has_rough = w->has_frame = w->has_outcome = false;
    w->back = 0;
    w->last_clock = base_clock();
    view_wake(w);
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
    w->start_camera = w->camera;
    view_do_speed(w, w->session.speed);
    view_do_play(w, act->is_playing);
    return SHEAF_OK;
}

static void end_act(view_window *w, double (*positions)[3], double (*directors)[3])
{
    end_shadow(w);
    view_forget_pictures(w);
    view_history_close(w->history);
    base_free(w->values);
    base_free(w->errors);
    w->act->stage->positions = positions;
    w->act->stage->directors = directors;
    w->history = NULL;
    w->velocities = NULL;
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
    if (outcome->wish == VIEW_WISH_QUIT || outcome->wish == VIEW_WISH_OPEN || status != SHEAF_OK)
        view_end_film(window);
    end_act(window, positions, directors);
    return status;
}
