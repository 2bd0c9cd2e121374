// input: the bytes of a file, or of memory, read from front to back or from any place, and never past their end.
#ifndef SHEAF_GROOM_INPUT_H
#define SHEAF_GROOM_INPUT_H

#include "base/text.h"

typedef struct groom_input {
    char name[256];            // printable, for messages
    uint64_t size;             // bytes in all
    uint64_t after;            // offset in the file of `end`
    const unsigned char *next; // the bytes at hand are next .. end
    const unsigned char *end;
    int descriptor;        // -1: all bytes are at hand
    unsigned char *buffer; // of files
    sheaf_status status;   // of the first failure to read
} groom_input;

// Opens a regular file. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status groom_input_open(const char *path, groom_input *input);

// Takes bytes that stay the caller's.
void groom_input_memory(const void *bytes, size_t size, const char *name, groom_input *input);
void groom_input_close(groom_input *input);

// Offset of the next byte, and how many follow.
static inline uint64_t groom_offset(const groom_input *input)
{
    return input->after - (uint64_t)(input->end - input->next);
}

static inline uint64_t groom_left(const groom_input *input)
{
    return input->size - groom_offset(input);
}

// Fetches more bytes after those at hand; false at the end, or when reading failed.
bool groom_fill(groom_input *input);

// The next byte, or -1.
static inline int groom_peek(groom_input *input)
{
    return input->next < input->end || groom_fill(input) ? *input->next : -1;
}

// The byte after the next, or -1.
int groom_peek_second(groom_input *input);

static inline int groom_take(groom_input *input)
{
    const int byte = groom_peek(input);
    input->next += byte >= 0;
    return byte;
}

// Exactly `size` bytes. Returns SHEAF_OK, SHEAF_ERR_INPUT (there are not so many), SHEAF_ERR_IO.
sheaf_status groom_read(groom_input *input, void *out, uint64_t size);

// Goes to a byte of the file, at most its size.
sheaf_status groom_seek(groom_input *input, uint64_t offset);

// One line without its end, which is "\n" or "\r\n"; SHEAF_ERR_INPUT when it takes `capacity` bytes or more, or when
// there is none.
sheaf_status groom_read_line(groom_input *input, char *line, size_t capacity);

// SHEAF_ERR_INPUT unless `needed` bytes follow; says what for. Takes counts that a file states before they are used.
sheaf_status groom_need(const groom_input *input, uint64_t needed, const char *what);

// a * b, or UINT64_MAX when that is too large: compare it before use.
static inline uint64_t groom_times(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

// SHEAF_ERR_INPUT with "NAME: byte N: ..."
__attribute__((format(printf, 2, 3))) sheaf_status groom_fail(const groom_input *input, const char *format, ...);

#endif
