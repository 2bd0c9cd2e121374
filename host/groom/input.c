// input: buffered bytes of a file or of memory.
#include "groom/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "binary files are read and written as they lie in memory");

enum { BUFFER_SIZE = 1 << 18 };

static sheaf_status fail_reading(groom_input *input, const char *reason)
{
    input->status = base_fail(SHEAF_ERR_IO, "cannot read '%s': %s", input->name, reason);
    return input->status;
}

static const char *irregular(mode_t mode)
{
    return S_ISDIR(mode)    ? "it is a folder; a file is needed"
           : S_ISFIFO(mode) ? "it is a pipe; only regular files are read"
           : S_ISSOCK(mode) ? "it is a socket; only regular files are read"
                            : "it is a device; only regular files are read";
}

sheaf_status groom_input_open(const char *path, groom_input *input)
{
    struct stat found;
    *input = (groom_input){.descriptor = -1};
    base_printable(path, input->name, sizeof input->name);
    // a pipe or device could make a reader wait for ever
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &found) != 0)
        fail_reading(input, strerror(errno));
    else if (!S_ISREG(found.st_mode))
        fail_reading(input, irregular(found.st_mode));
    else if ((input->buffer = base_alloc(BUFFER_SIZE, 1)) == NULL)
        input->status = SHEAF_ERR_MEMORY;
    if (input->status != SHEAF_OK) {
        if (descriptor >= 0)
            close(descriptor);
        return input->status;
    }
    input->descriptor = descriptor;
    input->size = (uint64_t)found.st_size;
    return SHEAF_OK;
}

void groom_input_memory(const void *bytes, size_t size, const char *name, groom_input *input)
{
    *input = (groom_input){.descriptor = -1, .size = size, .after = size, .next = bytes};
    input->end = input->next + size;
    base_printable(name, input->name, sizeof input->name);
}

void groom_input_close(groom_input *input)
{
    if (input->buffer != NULL)
        close(input->descriptor);
    base_free(input->buffer);
    *input = (groom_input){.descriptor = -1};
}

// Reads what there is at an offset; 0 at the end or on failure.
static size_t read_some(groom_input *input, void *out, uint64_t size, uint64_t offset)
{
    for (;;) {
        const ssize_t got = pread(input->descriptor, out, size, (off_t)offset);
        if (got >= 0)
            return (size_t)got;
        if (errno != EINTR) {
            fail_reading(input, strerror(errno));
            return 0;
        }
    }
}

bool groom_fill(groom_input *input)
{
    if (input->descriptor < 0 || input->after >= input->size || input->status != SHEAF_OK)
        return false;
    const size_t kept = (size_t)(input->end - input->next), room = BUFFER_SIZE - kept;
    const uint64_t left = input->size - input->after;
    if (kept > 0)
        memmove(input->buffer, input->next, kept);
    const size_t got = read_some(input, input->buffer + kept, left < room ? left : room, input->after);
    input->next = input->buffer;
    input->end = input->buffer + kept + got;
    input->after += got;
    return got > 0;
}

int groom_peek_second(groom_input *input)
{
    return input->end - input->next > 1 || (groom_peek(input) >= 0 && groom_fill(input) && input->end - input->next > 1)
               ? input->next[1]
               : -1;
}

static sheaf_status fail_short(const groom_input *input, uint64_t missing)
{
    return input->status != SHEAF_OK
               ? input->status
               : groom_fail(input, "the file ends here, %llu bytes too early", (unsigned long long)missing);
}

sheaf_status groom_read(groom_input *input, void *out, uint64_t size)
{
    unsigned char *to = out;
    while (size > 0) {
        const uint64_t at_hand = (uint64_t)(input->end - input->next), part = size < at_hand ? size : at_hand;
        if (part > 0) {
            memcpy(to, input->next, part);
            input->next += part;
        } else if (input->descriptor >= 0 && size >= BUFFER_SIZE && input->after < input->size) {
            const uint64_t left = input->size - input->after;
            const size_t got = read_some(input, to, size < left ? size : left, input->after); // past the buffer
            if (got == 0)
                return fail_short(input, size);
            input->after += got;
            to += got;
            size -= got;
            continue;
        } else if (!groom_fill(input)) {
            return fail_short(input, size);
        }
        to += part;
        size -= part;
    }
    return SHEAF_OK;
}

sheaf_status groom_seek(groom_input *input, uint64_t offset)
{
    if (offset > input->size)
        return fail_short(input, offset - input->size);
    if (input->descriptor < 0) {
        input->next = input->end - (input->size - offset);
    } else {
        input->next = input->end = input->buffer;
        input->after = offset;
    }
    return SHEAF_OK;
}

sheaf_status groom_read_line(groom_input *input, char *line, size_t capacity)
{
    size_t length = 0;
    for (int byte; (byte = groom_take(input)) != '\n';) {
        if (byte < 0)
            return input->status != SHEAF_OK ? input->status : groom_fail(input, "the file ends inside a line");
        if (length + 1 >= capacity)
            return groom_fail(input, "a line of more than %zu bytes", capacity - 1);
        line[length++] = (char)byte;
    }
    if (length > 0 && line[length - 1] == '\r')
        length--;
    line[length] = 0;
    return SHEAF_OK;
}

sheaf_status groom_need(const groom_input *input, uint64_t needed, const char *what)
{
    if (needed <= groom_left(input))
        return SHEAF_OK;
    return groom_fail(input, "%s need %llu bytes%s, but %llu of the file's %llu bytes are left", what,
                      (unsigned long long)needed, needed == UINT64_MAX ? " or more" : "",
                      (unsigned long long)groom_left(input), (unsigned long long)input->size);
}

sheaf_status groom_fail(const groom_input *input, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return base_fail(SHEAF_ERR_INPUT, "%s: byte %llu: %s", input->name, (unsigned long long)groom_offset(input), text);
}
