// panel: the controls in the window, drawn by Dear ImGui; the one place that knows it. Calls between view_panel_begin
// and view_panel_end make the panel of one frame.
#ifndef SHEAF_VIEW_PANEL_H
#define SHEAF_VIEW_PANEL_H

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

struct GLFWwindow;

// Takes over the window's input; callbacks that were set before are still called. `scale`: of text and controls, in
// pixels. False: it cannot be started.
bool view_panel_open(struct GLFWwindow *window, float scale);
void view_panel_close(void);

void view_panel_begin(void);
void view_panel_end(void); // draws

// Whether mouse or keyboard are the panel's at the moment.
bool view_panel_has_mouse(void);
bool view_panel_has_keys(void);

// A window of controls, at a corner of the picture when it is first seen; numbers are of a screen of scale 1.
void view_panel_box(const char *title, float x, float y, float width);
void view_panel_box_end(void);

void view_panel_text(const char *text);
bool view_panel_button(const char *name);
void view_panel_beside(void); // the next control goes beside the last one
bool view_panel_group(const char *name, bool is_open);
bool view_panel_check(const char *name, bool *value); // true: it was changed
bool view_panel_number(const char *name, float *value, float least, float most, bool is_logarithmic);
bool view_panel_release(void); // the control before was let go after a change
bool view_panel_choice(const char *name, int *index, const char *const *names, int count);
bool view_panel_line_edit(const char *name, char *text, int size);
void view_panel_plot(const char *name, const float *values, int count, const char *latest);

// Lines, rectangles and text over the picture, in pixels; colour as 0xAABBGGRR. Text is centred about x.
void view_panel_line(float x0, float y0, float x1, float y1, unsigned colour, float width);
void view_panel_dot(float x, float y, float radius, unsigned colour);
void view_panel_band(float x0, float y0, float x1, float y1, unsigned colour);
void view_panel_label(float x, float y, unsigned colour, const char *text);

#ifdef __cplusplus
}
#endif

#endif
