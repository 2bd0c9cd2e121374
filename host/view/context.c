// context: OpenGL without a window or a display.
#include "view/context.h"

#include <dlfcn.h>
#include <stdio.h>

#include "view/gl.h"

#include <epoxy/egl.h>

struct view_context {
    EGLDisplay display;
    EGLContext context;
    char name[160];
};

static const char advice[] = "install Mesa's software renderer (packages libegl1 and libgl1-mesa-dri)";

// libepoxy ends the process when a library is not there: look for them first.
static sheaf_status find_libraries(void)
{
    static const char *const names[] = {"libEGL.so.1", "libGL.so.1"};
    for (int k = 0; k < 2; k++) {
        void *library = dlopen(names[k], RTLD_LAZY | RTLD_LOCAL);
        if (library == NULL)
            return base_fail(SHEAF_ERR_DEVICE, "no pictures without %s: %s", names[k], advice);
        dlclose(library);
    }
    return SHEAF_OK;
}

static sheaf_status open_display(view_context *context)
{
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_base"))
        return base_fail(SHEAF_ERR_DEVICE, "EGL cannot draw without a display (EGL_MESA_platform_surfaceless): %s",
                         advice);
    context->display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (context->display == EGL_NO_DISPLAY || !eglInitialize(context->display, NULL, NULL)) {
        context->display = EGL_NO_DISPLAY;
        return base_fail(SHEAF_ERR_DEVICE, "EGL finds no graphics driver (0x%04x): %s", eglGetError(), advice);
    }
    return SHEAF_OK;
}

static sheaf_status open_context(view_context *context)
{
    static const EGLint wish[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    if (eglBindAPI(EGL_OPENGL_API))
        context->context = eglCreateContext(context->display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, wish);
    if (context->context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context))
        return base_fail(SHEAF_ERR_DEVICE, "the graphics driver has no OpenGL 3.3 (0x%04x): %s", eglGetError(), advice);
    SHEAF_TRY(view_gl_check_version());
    snprintf(context->name, sizeof context->name, "OpenGL %s, %s", (const char *)glGetString(GL_VERSION),
             (const char *)glGetString(GL_RENDERER));
    return SHEAF_OK;
}

sheaf_status view_context_open(view_context **context)
{
    *context = NULL;
    SHEAF_TRY(find_libraries());
    view_context *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->display = EGL_NO_DISPLAY;
    made->context = EGL_NO_CONTEXT;
    sheaf_status status = open_display(made);
    if (status == SHEAF_OK)
        status = open_context(made);
    if (status == SHEAF_OK)
        *context = made;
    else
        view_context_close(made);
    return status;
}

void view_context_close(view_context *context)
{
    if (context == NULL)
        return;
    if (context->display != EGL_NO_DISPLAY) {
        eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context->context != EGL_NO_CONTEXT)
            eglDestroyContext(context->display, context->context);
        eglTerminate(context->display);
        eglReleaseThread();
    }
    base_free(context);
}

const char *view_context_name(const view_context *context)
{
    return context->name;
}
