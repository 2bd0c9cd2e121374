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

// What the window leaves to whoever opened it.
typedef struct view_helper {
    void *user;

    // Writes where the camera is, as the value of the scene's view: camera, into the scene's file.
    sheaf_status (*keep_camera)(void *user, const char *camera);

    // Starts a film, whose name is returned; adds a picture, red, green, blue from the upper left corner on; ends it.
    sheaf_status (*start_film)(void *user, uint32_t width, uint32_t height, uint32_t rate, char *name, size_t size);
    sheaf_status (*add_film)(void *user, const uint8_t *pixels, size_t size);
    sheaf_status (*finish_film)(void *user);
} view_helper;

// What is shown: a scene that runs, or frames that were recorded.
typedef struct view_act {
    const char *name; // for the window's title
    view_stage *stage;
    view_live *live;    // NULL: recorded
    view_reel *reel;    // NULL: live
    const char *device; // what computes
    const view_helper *helper;
    view_knob *knobs; // [knob_count], to be changed in place
    uint32_t knob_count;
    bool is_continued; // the act before with other numbers: camera and picks stay
    bool is_playing;   // from the start
    bool is_timed;     // the solver times its stages
} view_act;

// What can be left out of the picture.
typedef enum view_part {
    VIEW_PART_GROUND,
    VIEW_PART_BODIES,
    VIEW_PART_SHADOWS,
    VIEW_PART_CHILDREN,
    VIEW_PART_GUIDES, // simulated strands, where they have children
    VIEW_PART_COUNT
} view_part;

extern const char *const view_part_names[VIEW_PART_COUNT];

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
    bool hidden[VIEW_PART_COUNT];
    uint32_t strands_drawn, children_drawn; // of the last picture; the first: with children
    double fine;                            // part of all children that the picture has, where nothing moves
    double oldest;                          // s, time that one can go back to
    uint64_t film_frames;                   // of the film recorded last
    char camera[200];                       // as a scene has it in view: camera
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
