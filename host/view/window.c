// window: strands in a window: opening it, and what mouse and keys do.
#include "view/window_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "view/gl.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

static char glfw_reason[256]; // what GLFW said last; it calls back with no place to put it

static void note_reason(int code, const char *text)
{
    snprintf(glfw_reason, sizeof glfw_reason, "%s (0x%x)", text, (unsigned)code);
}

static view_window *window_of(GLFWwindow *handle)
{
    return glfwGetWindowUserPointer(handle);
}

// ---- mouse

static void find_pointer(view_window *w, GLFWwindow *handle)
{
    int width, height, drawn_width, drawn_height; // a screen's units and pixels may differ
    glfwGetWindowSize(handle, &width, &height);
    glfwGetFramebufferSize(handle, &drawn_width, &drawn_height);
    glfwGetCursorPos(handle, &w->mouse[0], &w->mouse[1]);
    w->mouse[0] *= width > 0 ? (double)drawn_width / width : 1;
    w->mouse[1] *= height > 0 ? (double)drawn_height / height : 1;
}

static void start_grab(view_window *w)
{
    uint32_t strand, vertex;
    double pixel[2];
    if (w->act->live == NULL)
        return;
    view_do_back(w, 0); // what is over cannot be pulled
    if (!view_find_strand(w, w->mouse, &strand, &vertex))
        return;
    const uint64_t k = w->act->stage->first_vertex[strand] + vertex;
    view_do_pick(w, strand, vertex);
    if (!view_eye_project(&w->eye, w->act->stage->positions[k], pixel, &w->grab_depth))
        return;
    w->is_grab = true;
    view_eye_lift(&w->eye, w->mouse, w->grab_depth, w->target);
    view_live_grab(w->act->live, strand, vertex, w->target);
}

static void let_go(view_window *w)
{
    if (w->is_grab && w->act->live != NULL)
        view_live_grab(w->act->live, UINT32_MAX, 0, NULL);
    w->is_grab = false;
}

static void on_button(GLFWwindow *handle, int button, int action, int modifiers)
{
    view_window *w = window_of(handle);
    w->touched = base_clock();
    if (w->act == NULL || (view_panel_has_mouse() && action == GLFW_PRESS))
        return;
    find_pointer(w, handle);
    if (action == GLFW_PRESS) {
        const bool shifted = (modifiers & GLFW_MOD_SHIFT) != 0;
        w->button = button == GLFW_MOUSE_BUTTON_LEFT && shifted ? GLFW_MOUSE_BUTTON_RIGHT : button;
        w->is_drag = false;
        w->pressed_at[0] = w->mouse[0], w->pressed_at[1] = w->mouse[1];
        if (button == GLFW_MOUSE_BUTTON_LEFT && (modifiers & GLFW_MOD_CONTROL) != 0)
            start_grab(w);
        return;
    }
    uint32_t strand, vertex;
    if (w->button == GLFW_MOUSE_BUTTON_LEFT && !w->is_drag && !w->is_grab) {
        if (view_find_strand(w, w->mouse, &strand, &vertex))
            view_do_pick(w, strand, vertex);
        else
            view_do_pick(w, UINT32_MAX, 0);
    }
    let_go(w);
    w->button = VIEW_NO_BUTTON;
}

static void on_move(GLFWwindow *handle, double x, double y)
{
    view_window *w = window_of(handle);
    const double last[2] = {w->mouse[0], w->mouse[1]};
    (void)x, (void)y;
    find_pointer(w, handle);
    w->touched = base_clock();
    if (w->act == NULL || w->button == VIEW_NO_BUTTON)
        return;
    const double right = w->mouse[0] - last[0], down = w->mouse[1] - last[1];
    w->is_drag = w->is_drag || hypot(w->mouse[0] - w->pressed_at[0], w->mouse[1] - w->pressed_at[1]) > 3;
    if (w->is_grab) {
        view_eye_lift(&w->eye, w->mouse, w->grab_depth, w->target);
        view_live_grab(w->act->live, w->session.picked, w->vertex, w->target);
    } else if (w->button == GLFW_MOUSE_BUTTON_LEFT && w->is_drag) {
        view_camera_turn(&w->camera, -0.008 * right, 0.008 * down);
        view_wake(w);
    } else if (w->is_drag) {
        view_camera_pan(&w->camera, &w->eye, right, down);
        view_wake(w);
    }
}

static void on_wheel(GLFWwindow *handle, double x, double y)
{
    view_window *w = window_of(handle);
    (void)x;
    w->touched = base_clock();
    if (w->act == NULL || view_panel_has_mouse())
        return;
    view_camera_zoom(&w->camera, pow(1.12, y));
    view_wake(w);
}

// ---- keys

static void on_key(GLFWwindow *handle, int key, int code, int action, int modifiers)
{
    view_window *w = window_of(handle);
    (void)code;
    w->touched = base_clock();
    if (w->act == NULL || action == GLFW_RELEASE || view_panel_has_keys())
        return;
    switch (key) {
    case GLFW_KEY_SPACE:
        view_do_play(w, !w->session.playing);
        break;
    case GLFW_KEY_RIGHT:
    case GLFW_KEY_LEFT:
        view_do_step(w, key == GLFW_KEY_RIGHT ? 1 : -1);
        break;
    case GLFW_KEY_HOME:
        view_do_home(w);
        break;
    case GLFW_KEY_TAB:
        w->hides_panel = !w->hides_panel;
        break;
    case GLFW_KEY_ESCAPE:
        view_do_pick(w, UINT32_MAX, 0);
        break;
    case GLFW_KEY_Z:
        if ((modifiers & GLFW_MOD_CONTROL) != 0)
            view_do_wish(w, VIEW_WISH_UNDO, NULL);
        break;
    default:
        break;
    }
}

// Letters come as characters, so that they are where the keyboard has them.
static void on_character(GLFWwindow *handle, unsigned character)
{
    view_window *w = window_of(handle);
    w->touched = base_clock();
    if (w->act == NULL || view_panel_has_keys())
        return;
    if (character > '0' && character <= '0' + VIEW_PART_COUNT)
        view_do_show(w, (view_part)(character - '1'));
    switch (character) {
    case '?':
        w->shows_help = !w->shows_help;
        break;
    case 'r':
        view_do_wish(w, VIEW_WISH_RESET, NULL);
        break;
    case 'f':
        view_do_frame(w);
        break;
    case 'c':
        w->session.colour = (view_colour)((w->session.colour + 1) % VIEW_COLOUR_COUNT);
        view_wake(w);
        break;
    case 'v':
    case 'V':
        view_do_camera(w, character == 'V');
        break;
    case 'm':
        view_do_film(w);
        break;
    case 'p':
        view_do_picture(w);
        break;
    case 'q':
        view_do_wish(w, VIEW_WISH_QUIT, NULL);
        break;
    case '+':
    case '-':
        view_do_speed(w, w->session.speed * (character == '+' ? 2 : 0.5));
        break;
    default:
        break;
    }
}

static void on_drop(GLFWwindow *handle, int count, const char **paths)
{
    view_window *w = window_of(handle);
    if (w->act != NULL && count > 0)
        view_do_wish(w, VIEW_WISH_OPEN, paths[0]);
}

// ---- opening

static sheaf_status open_handle(view_window *w, uint32_t width, uint32_t height)
{
    glfwSetErrorCallback(note_reason);
    if (!glfwInit())
        return base_fail(SHEAF_ERR_DEVICE, "no window can be opened: %s; `sheaf render` makes pictures without one",
                         glfw_reason);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    w->handle = glfwCreateWindow((int)width, (int)height, "Sheaf", NULL, NULL);
    if (w->handle == NULL)
        return base_fail(SHEAF_ERR_DEVICE,
                         "no window with OpenGL 3.3 can be opened: %s; LIBGL_ALWAYS_SOFTWARE=1 takes Mesa's software "
                         "renderer, `sheaf render` makes pictures without a window",
                         glfw_reason);
    glfwMakeContextCurrent(w->handle);
    glfwSwapInterval(0);
    glfwSetWindowUserPointer(w->handle, w);
    SHEAF_TRY(view_gl_check_version());
    w->is_software = strstr((const char *)glGetString(GL_RENDERER), "llvmpipe") != NULL;
    glfwSetMouseButtonCallback(w->handle, on_button);
    glfwSetCursorPosCallback(w->handle, on_move);
    glfwSetScrollCallback(w->handle, on_wheel);
    glfwSetKeyCallback(w->handle, on_key);
    glfwSetCharCallback(w->handle, on_character);
    glfwSetDropCallback(w->handle, on_drop);
    // text is as large as the screen asks for; where its units are larger than pixels, they are already
    float across = 1, down = 1;
    glfwGetWindowContentScale(w->handle, &across, &down);
    w->scale = fminf(fmaxf(across, 1), 4);
    if (!view_panel_open(w->handle, w->scale))
        return base_fail(SHEAF_ERR_DEVICE, "the window's panel cannot be opened");
    w->has_panel = true;
    return SHEAF_OK;
}

sheaf_status view_window_open(uint32_t width, uint32_t height, view_window **window)
{
    *window = NULL;
    view_window *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->button = VIEW_NO_BUTTON;
    made->session.picked = UINT32_MAX;
    made->session.deviation = -1;
    made->session.speed = 1;
    made->shadow_rows = base_alloc(VIEW_SHADOW_ROWS, sizeof *made->shadow_rows);
    const sheaf_status status = made->shadow_rows != NULL ? open_handle(made, width, height) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        *window = made;
    else
        view_window_close(made);
    return status;
}

void view_window_close(view_window *window)
{
    if (window == NULL)
        return;
    view_canvas_close(window->canvas);
    if (window->has_panel)
        view_panel_close();
    if (window->handle != NULL)
        glfwDestroyWindow(window->handle);
    glfwTerminate();
    base_free(window->shadow_rows);
    base_free(window);
}

void view_window_tell(view_window *window, const char *text)
{
    snprintf(window->note, sizeof window->note, "%s", text);
}

const view_session *view_window_session(const view_window *window)
{
    return &window->session;
}
