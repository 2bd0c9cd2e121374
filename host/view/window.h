// window: strands in a window, with mouse, keys and a panel.
#ifndef SHEAF_VIEW_WINDOW_H
#define SHEAF_VIEW_WINDOW_H

#include "view/live.h"
#include "view/measure.h"
#include "view/reel.h"
#include "view/shadow.h"
#include "view/stage.h"

typedef struct view_window view_window;

// A number of the scene that can be changed while it runs.
typedef struct view_knob {
    char name[64];
    double value, least, most;
    bool is_logarithmic;
} view_knob;

// What is shown: a scene that runs, or frames that were recorded.
typedef struct view_act {
    const char *name; // for the window's title
    view_stage *stage;
    view_live *live;    // NULL: recorded
    view_reel *reel;    // NULL: live
    const char *device; // what computes
    view_knob *knobs;   // [knob_count], to be changed in place
    uint32_t knob_count;
    bool is_continued; // the act before with other numbers: camera and picks stay
    bool is_playing;   // from the start
    bool is_timed;     // the solver times its stages
} view_act;

typedef enum view_wish {
    VIEW_WISH_QUIT,
    VIEW_WISH_RESET,  // the same from the start
    VIEW_WISH_CHANGE, // knobs were turned
    VIEW_WISH_UNDO,   // the last change taken back
    VIEW_WISH_SAVE,   // the scene as it is now, under `path`
    VIEW_WISH_OPEN,   // what lies under `path`
    VIEW_WISH_TIME,   // stages timed, or no longer
} view_wish;

// Why a window came back.
typedef struct view_outcome {
    view_wish wish;
    char path[1024];
} view_outcome;

// What a window has done so far.
typedef struct view_session {
    uint64_t frames;
    double seconds; // spent on them
    double time;    // s, shown last
    uint64_t step;
    bool playing;
    double speed;
    view_colour colour;
    uint32_t picked;                         // strand; UINT32_MAX: none
    double tip[3];                           // m, last vertex of the picked strand
    solver_stage stages[SOLVER_STAGES_MOST]; // [stage_count] times of all steps, where they were asked for
    uint32_t stage_count;
    double deviation; // m, of the picked strand from its shadow; negative: they were not compared
} view_session;

// Opens a window. Returns SHEAF_OK, SHEAF_ERR_DEVICE (no display, no OpenGL 3.3), SHEAF_ERR_MEMORY.
sheaf_status view_window_open(uint32_t width, uint32_t height, view_window **window);
void view_window_close(view_window *window);

// Shows an act until something is wished for that the window cannot do itself, or `most` frames were drawn (0: no
// limit), or `stop` does not return 0.
sheaf_status view_window_run(view_window *window, const view_act *act, uint64_t most, int (*stop)(void),
                             view_outcome *outcome);

// A line at the bottom of the panel, such as an error, until the next one.
void view_window_tell(view_window *window, const char *text);

const view_session *view_window_session(const view_window *window);

#endif
