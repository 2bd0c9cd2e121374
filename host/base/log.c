// log: messages to the user's callback; silence without one.
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>

static sheaf_log_fn *log_fn;
static void *log_user;

void sheaf_log_set(sheaf_log_fn *fn, void *user)
{
    log_fn = fn;
    log_user = user;
}

void base_log(sheaf_log_level level, const char *format, ...)
{
    if (log_fn == NULL)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log_fn(level, text, log_user);
}
