// outline: what files of strands that Sheaf writes but does not read say of themselves: .csv, .vtp and .pvd.
#ifndef SHEAF_IO_OUTLINE_H
#define SHEAF_IO_OUTLINE_H

#include "io/file.h"

typedef struct io_outline {
    const char *format;         // "csv", "vtp" or "pvd"
    uint64_t strands, vertices; // of one frame; 0: the file does not say it
    uint64_t frames;
    double first_time, last_time; // s; NAN: the file does not say it
} io_outline;

// Whether a file that starts so is one of them.
bool io_outline_recognise(const char *start);

// Reads what there is to tell; `problem` is empty, or says where the file is damaged. Returns SHEAF_OK, SHEAF_ERR_IO,
// SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY.
sheaf_status io_outline_read(const char *path, io_outline *outline, char *problem, size_t size);

#endif
