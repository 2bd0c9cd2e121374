// controls: the panel of the window: what it shows, and what its buttons and sliders do.
#include "view/window_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char help[] = "left drag      look around\n"
                           "right drag     move the picture (or shift + left drag)\n"
                           "wheel          nearer, farther\n"
                           "click          pick a strand; click beside: none\n"
                           "ctrl + drag    pull the strand under the pointer\n"
                           "space          play, pause\n"
                           "right, left    one step (recorded: one frame) on, back; a running scene goes back\n"
                           "               through its last seconds\n"
                           "r              from the start\n"
                           "+ -            faster, slower\n"
                           "c              colour by the next quantity\n"
                           "f              frame the picked strand, or everything\n"
                           "home           the camera as at the start\n"
                           "v              copy the camera as a scene's view block; V: write it into the scene\n"
                           "1 2 3 4 5      show or hide ground, bodies, shadows, children, guides\n"
                           "p              save a picture (sheaf-view.png)\n"
                           "m              start or end a film (sheaf-view-1.mp4, -2, ...)\n"
                           "ctrl + z       undo the last change of a slider\n"
                           "tab            hide the panel\n"
                           "?              this help\n"
                           "q, escape      quit, let go\n"
                           "drop a scene, a run's folder or a file of strands on the window to open it";

static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    view_panel_text(text);
}

static void draw_figures(const view_window *w)
{
    const view_session *session = &w->session;
    const view_stage *stage = w->act->stage;
    tell("%u strands, %llu vertices", stage->strand_count,
         (unsigned long long)stage->first_vertex[stage->strand_count]);
    tell("t = %.3f s   step %llu", session->time, (unsigned long long)session->step);
    if (w->snapshot != NULL) {
        const sheaf_report *report = &w->snapshot->report;
        tell("%.0f steps/s on %s", w->snapshot->rate, w->act->device);
        tell("energy %.3g J, strain %.1e, Newton %.1f", report->kinetic + report->bending + report->twisting,
             report->worst_strain, report->mean_newton);
        if (report->frozen_strands > 0)
            tell("%u strands diverged and are frozen", report->frozen_strands);
    }
    tell("%.0f pictures/s", session->seconds > 0 ? (double)session->frames / session->seconds : 0);
}

// What a picture and the solver's steps are spent on.
static void draw_times(view_window *w)
{
    if (!view_panel_group("times", false))
        return;
    const view_painted painted = w->fine_part >= 0 ? view_painter_painted(w->fine) : view_rough_painted(w->rough);
    tell("picture: %u strands and %u children drawn", painted.strands_drawn - painted.crowd_drawn, painted.crowd_drawn);
    tell("  %.1f ms shadows, %.1f ms triangles", 1e3 * painted.light, 1e3 * painted.strands);
    if (w->act->live == NULL)
        return;
    if (view_panel_button(w->act->is_timed ? "run steps in one kernel" : "time the stages of steps"))
        view_do_wish(w, VIEW_WISH_TIME, NULL);
    const uint64_t steps = w->snapshot->report.step > 0 ? w->snapshot->report.step : 1;
    for (uint32_t k = 0; k < w->snapshot->stage_count; k++)
        tell("  %-12s %8.3f ms a step", w->snapshot->stages[k].name,
             1e3 * w->snapshot->stages[k].seconds / (double)steps);
    if (w->act->is_timed && w->snapshot->stage_count == 0)
        tell("  the reference has no stages to time");
}

static void draw_player(view_window *w)
{
    if (view_panel_button(w->session.playing ? "pause" : "play"))
        view_do_play(w, !w->session.playing);
    view_panel_beside();
    if (view_panel_button("step"))
        view_do_step(w, 1);
    view_panel_beside();
    if (view_panel_button("reset"))
        view_do_wish(w, VIEW_WISH_RESET, NULL);
    view_panel_beside();
    if (view_panel_button("frame"))
        view_do_frame(w);
    view_panel_beside();
    if (view_panel_button("?"))
        w->shows_help = !w->shows_help;
    float speed = (float)w->session.speed;
    if (view_panel_number("speed", &speed, 0.01f, 4, true))
        view_do_speed(w, (double)speed);
    if (w->act->reel == NULL)
        return;
    const double *times = w->act->reel->times;
    float time = (float)w->session.time;
    if (view_panel_number("time", &time, (float)times[0], (float)times[w->act->reel->frame_count - 1], false)) {
        w->frame_time = (double)time;
        view_do_play(w, false);
    }
}

static void draw_colours(view_window *w)
{
    int colour = (int)w->session.colour;
    if (view_panel_choice("colour", &colour, view_colour_names, VIEW_COLOUR_COUNT))
        w->session.colour = (view_colour)colour;
}

static void draw_knobs(view_window *w)
{
    bool changed = false;
    if (w->act->knob_count == 0 || !view_panel_group("scene", false))
        return;
    for (uint32_t k = 0; k < w->act->knob_count; k++) {
        view_knob *knob = &w->act->knobs[k];
        float value = (float)knob->value;
        if (view_panel_number(knob->name, &value, (float)knob->least, (float)knob->most, knob->is_logarithmic))
            knob->value = (double)value;
        changed = view_panel_release() || changed;
    }
    if (changed)
        view_do_wish(w, VIEW_WISH_CHANGE, NULL);
    if (view_panel_button("undo"))
        view_do_wish(w, VIEW_WISH_UNDO, NULL);
    const bool entered = view_panel_line_edit("file", w->save_path, sizeof w->save_path);
    if (view_panel_button("save scene as") || entered)
        view_do_wish(w, VIEW_WISH_SAVE, w->save_path);
}

enum { PLOT_DEVIATION, PLOT_ENERGY, PLOT_TWIST, PLOT_WRITHE, PLOT_LINKING, PLOT_COUNT };

static double plotted(const view_shadow_row *row, int which)
{
    const double values[PLOT_COUNT] = {[PLOT_DEVIATION] = row->deviation,
                                       [PLOT_ENERGY] = row->kinetic + row->bending + row->twisting,
                                       [PLOT_TWIST] = row->twist,
                                       [PLOT_WRITHE] = row->writhe,
                                       [PLOT_LINKING] = row->twist + row->writhe};
    return values[which];
}

static void draw_plots(const view_window *w)
{
    static const char *const names[PLOT_COUNT] = {"deviation, m", "energy, J", "twist, turns", "writhe, turns",
                                                  "linking, turns"};
    static float values[VIEW_SHADOW_ROWS];
    for (int p = 0; p < PLOT_COUNT; p++) {
        char latest[32] = "";
        for (uint32_t k = 0; k < w->shadow_count; k++)
            values[k] = (float)plotted(&w->shadow_rows[k], p);
        if (w->shadow_count > 0)
            snprintf(latest, sizeof latest, "%.3g", plotted(&w->shadow_rows[w->shadow_count - 1], p));
        view_panel_plot(names[p], values, (int)w->shadow_count, latest);
    }
}

static void draw_picked(view_window *w)
{
    if (w->session.picked == UINT32_MAX || !view_panel_group("picked strand", true))
        return;
    const view_stage *stage = w->act->stage;
    const uint32_t s = w->session.picked;
    tell("strand %u, %llu vertices", stage->ids != NULL ? stage->ids[s] : s,
         (unsigned long long)(stage->first_vertex[s + 1] - stage->first_vertex[s]));
    if (w->shadow == NULL)
        return;
    tell("red: the same strand by the reference");
    draw_plots(w);
    if (view_panel_button("save plots as CSV")) {
        const sheaf_status status = view_shadow_save(w->shadow, "sheaf-shadow.csv");
        view_window_tell(w, status == SHEAF_OK ? "plots are in sheaf-shadow.csv" : sheaf_last_error());
    }
}

static void draw_parts(view_window *w)
{
    if (!view_panel_group("show", false))
        return;
    for (int k = 0; k < VIEW_PART_COUNT; k++) {
        bool shown = !w->session.hidden[k];
        if (k == VIEW_PART_CHILDREN && w->act->stage->maker == NULL)
            return; // nor guides
        if (view_panel_check(view_part_names[k], &shown))
            view_do_show(w, (view_part)k);
    }
}

// Camera and film; and how far back a running scene is looked at.
static void draw_camera(view_window *w)
{
    if (!view_panel_group("camera and film", false))
        return;
    if (view_panel_button("copy"))
        view_do_camera(w, false);
    view_panel_beside();
    if (view_panel_button("into the scene"))
        view_do_camera(w, true);
    view_panel_beside();
    if (view_panel_button("start"))
        view_do_home(w);
    if (view_panel_button(w->is_filming ? "end film" : "record film"))
        view_do_film(w);
    if (w->is_filming)
        tell("%.1f s of film", (double)w->session.film_frames / 30);
}

static void draw_past(view_window *w)
{
    const uint32_t count = w->history != NULL ? view_history_count(w->history) : 0;
    if (count < 2 || !view_panel_group("last seconds", true))
        return;
    float time = (float)w->session.time;
    const double newest = view_history_time(w->history, 0);
    if (!view_panel_number("time, s", &time, (float)w->session.oldest, (float)newest, false))
        return;
    uint32_t back = 0;
    while (back + 1 < count && view_history_time(w->history, back) > (double)time)
        back++;
    view_do_play(w, false);
    view_do_back(w, back);
}

void view_draw_controls(view_window *w)
{
    if (w->shows_help) {
        view_panel_box("Mouse and keys", 340, 60, 420);
        view_panel_text(help);
        view_panel_box_end();
    }
    if (w->hides_panel)
        return;
    view_panel_box("Sheaf", 12, 12, 300);
    draw_figures(w);
    draw_player(w);
    draw_times(w);
    draw_colours(w);
    draw_knobs(w);
    draw_parts(w);
    draw_camera(w);
    draw_past(w);
    draw_picked(w);
    if (w->note[0] != 0)
        view_panel_text(w->note);
    view_panel_box_end();
}
