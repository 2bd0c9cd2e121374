// fault_gl: preloaded into the command, makes the graphics lose their context: once FAULT_GL_AFTER questions for errors
// were answered, they say so for good.
#include <stdlib.h>

#include <epoxy/gl.h>

static long left; // answers that are still good

static GLenum answer(void)
{
    return left-- > 0 ? GL_NO_ERROR : GL_CONTEXT_LOST;
}

__attribute__((constructor)) static void take_over(void)
{
    const char *after = getenv("FAULT_GL_AFTER");
    left = after != NULL ? strtol(after, NULL, 10) : 0;
    if (after != NULL)
        epoxy_glGetError = answer;
    unsetenv("LD_PRELOAD"); // what the command starts is left alone
}
