// status: names of statuses, and the last error of each thread.
#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

typedef struct status_row {
    const char *name;
    int exit_code;
    const char *meaning;
} status_row;

static const status_row status_rows[] = {
#define STATUS_ROW(name, exit_code, meaning) {"SHEAF_" #name, exit_code, meaning},
    SHEAF_STATUS_LIST(STATUS_ROW)
#undef STATUS_ROW
};

// A short text lives in the thread itself, so that running out of memory can still be told; a long one on the heap.
static _Thread_local char short_text[1024];
static _Thread_local char *long_text;
static tss_t long_text_owner; // frees the long text of a thread that ends
static once_flag owner_made = ONCE_FLAG_INIT;

static void make_owner(void)
{
    if (tss_create(&long_text_owner, free) != thrd_success)
        long_text_owner = (tss_t)-1; // not a key: tss_set refuses it, and long texts are cut
}

// Takes over a text from malloc; NULL: none. False when the thread cannot own it.
static bool keep_long_text(char *text)
{
    call_once(&owner_made, make_owner);
    if (tss_set(long_text_owner, text) != thrd_success)
        return false;
    free(long_text);
    long_text = text;
    return true;
}

static const status_row *find_row(sheaf_status status)
{
    static const status_row unknown = {"SHEAF_UNKNOWN", 1, "not a status of this library"};
    return (unsigned)status < SHEAF_STATUS_COUNT ? &status_rows[status] : &unknown;
}

const char *sheaf_status_name(sheaf_status status)
{
    return find_row(status)->name;
}

const char *sheaf_status_meaning(sheaf_status status)
{
    return find_row(status)->meaning;
}

int sheaf_status_exit_code(sheaf_status status)
{
    return find_row(status)->exit_code;
}

const char *sheaf_last_error(void)
{
    return long_text ? long_text : short_text;
}

sheaf_status(base_fail)(sheaf_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char text[sizeof short_text]; // the arguments may point into the old text
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (long_text != NULL)
        keep_long_text(NULL);
    memcpy(short_text, text, sizeof text);
    return status;
}

sheaf_status base_fail_text(sheaf_status status, const char *text)
{
    const size_t size = strlen(text) + 1;
    if (size <= sizeof short_text)
        return base_fail(status, "%s", text);
    char *copy = malloc(size); // not the user's allocator: the text outlives every object
    if (copy != NULL)
        memcpy(copy, text, size);
    if (copy != NULL && keep_long_text(copy))
        return status;
    free(copy);
    return base_fail(status, "%.*s", (int)sizeof short_text - 1, text);
}

sheaf_status base_check_cookie(uint32_t cookie, const char *def_name)
{
    if (cookie == BASE_COOKIE)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_USAGE, "%s was not filled by %s_default(): call that first, then change fields",
                     def_name, def_name);
}
