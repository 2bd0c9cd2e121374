// window_parts: what the files of the window share.
#ifndef SHEAF_VIEW_WINDOW_PARTS_H
#define SHEAF_VIEW_WINDOW_PARTS_H

#include "view/context.h"
#include "view/history.h"
#include "view/panel.h"
#include "view/rough.h"
#include "view/window.h"

struct GLFWwindow;

enum { VIEW_NO_BUTTON = -1, VIEW_NOT_BEGUN = -1 };

struct view_window {
    struct GLFWwindow *handle;
    bool has_panel;
    bool is_software;    // the processor draws: smooth edges only when nothing moves
    float scale;         // of text and controls
    view_canvas *canvas; // of fine pictures; NULL: none yet
    uint32_t canvas_width, canvas_height;
    view_session session;
    char note[512]; // at the bottom of the panel

    // what is looked at, while an act runs
    const view_act *act;
    view_rough *rough;  // pictures while anything moves
    view_painter *fine; // and once nothing does; NULL: not yet
    double fine_part;   // of the children that the fine picture has; VIEW_NOT_BEGUN: there is none
    bool has_rough;     // a picture
    view_camera camera;
    view_eye eye; // of the last frame
    bool has_camera;
    view_camera start_camera;      // that the act started with
    bool is_new;                   // strands are others than in the last picture
    bool is_still;                 // drawn in full, as nothing moves
    bool is_counted;               // a number of pictures is wanted: it never sleeps, and draws all of them alike
    double woken;                  // s, clock when the picture last changed
    double touched;                // s, clock at the last input
    const view_snapshot *snapshot; // NULL: recorded
    view_history *history;         // of a scene that runs; NULL: recorded
    uint32_t back;                 // moments before the newest that are shown; 0: now
    bool is_moved_back;            // another moment than in the last picture
    const double (*velocities)[3]; // [vertex] m/s, of what is shown; NULL: recorded
    bool has_frame;                // of a reel is on the stage
    uint64_t frame;                // of a reel
    double frame_time;             // s, played to; recorded
    double last_clock;
    float *values; // [vertex] that colours show
    float *errors; // [vertex] m, from the shadow
    double most;   // value of the last colour of the scale

    // hands
    double mouse[2], pressed_at[2]; // px
    int button;                     // that is down; -1: none
    bool is_drag;                   // moved since it went down
    bool is_grab;                   // pulls the picked strand
    bool shows_help, hides_panel;
    bool wants_picture;
    bool is_filming;
    uint32_t film_width, film_height;          // px; 0: not started
    double film_length, film_time, film_clock; // s: of film, shown last, clock then
    uint32_t vertex;                           // picked, in its strand
    double grab_depth;                         // m
    double target[3];                          // m, where the hand is
    view_shadow *shadow;                       // of the picked strand; NULL: none
    double (*shadow_points)[3];
    view_shadow_row *shadow_rows; // [VIEW_SHADOW_ROWS]
    uint32_t shadow_count;        // rows
    char save_path[512];

    bool has_outcome;
    view_outcome outcome;
};

// ---- doing things

void view_do_play(view_window *w, bool playing);
void view_do_step(view_window *w, int direction);
void view_do_speed(view_window *w, double speed);
void view_do_pick(view_window *w, uint32_t strand, uint32_t vertex); // UINT32_MAX: none
void view_do_frame(view_window *w);                                  // everything, or the picked strand
void view_do_wish(view_window *w, view_wish wish, const char *path);
void view_do_picture(view_window *w);
void view_do_film(view_window *w); // starts or ends one
void view_do_show(view_window *w, view_part part);
void view_do_back(view_window *w, uint32_t back);
void view_do_camera(view_window *w, bool is_kept); // copies where it is, or writes it into the scene
void view_do_home(view_window *w);                 // the camera that the act started with

// The picture has changed: it is drawn anew, roughly at first.
void view_wake(view_window *w);

// ---- pictures

sheaf_status view_draw_scene(view_window *w, const view_subject *subject, uint32_t width, uint32_t height);
void view_forget_pictures(view_window *w);
void view_save_picture(view_window *w, uint32_t width, uint32_t height);
void view_film_picture(view_window *w, uint32_t width, uint32_t height);
void view_end_film(view_window *w);

// The strand whose drawn edge is nearest to a pixel, and its vertex there; false: none is within a few pixels.
bool view_find_strand(const view_window *w, const double pixel[2], uint32_t *strand, uint32_t *vertex);

// ---- what is drawn over the picture

void view_draw_overlay(view_window *w);
void view_draw_scale(const view_window *w); // of colours
void view_draw_controls(view_window *w);

#endif
