// file: files that appear under their names only when they are complete, and folders of results.
#ifndef SHEAF_IO_FILE_H
#define SHEAF_IO_FILE_H

#include "base/text.h"

#include <stdio.h>

// A file being written: under a temporary name in the same folder until it is committed.
typedef struct io_file {
    FILE *stream;    // for the caller to write to; errors are found at commit
    char *path;      // the final name
    char *folder;    // that it is in
    char *temporary; // the name until then
    bool replace;    // an existing file may be replaced
} io_file;

// Starts a file. Without `replace` an existing file of that name is an error, now and at commit.
// Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status io_file_create(const char *path, bool replace, io_file *file);

// Waits until all that was written is on disk, still under the temporary name; nothing can be added after that.
sheaf_status io_file_settle(io_file *file);

// Completes the file: data on disk, then the name. Nothing is left behind on failure. Returns SHEAF_OK, SHEAF_ERR_IO.
sheaf_status io_file_commit(io_file *file);

// Gives the file up; nothing appears. Does nothing after commit.
void io_file_abandon(io_file *file);

// A whole file at once.
sheaf_status io_file_write(const char *path, bool replace, const char *bytes, size_t length);

// Reads a regular file of at most `limit` bytes into `text`. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_LIMIT,
// SHEAF_ERR_MEMORY.
sheaf_status io_file_read(const char *path, size_t limit, base_text *text);

// The first bytes of a regular file, at most size - 1, with a 0 after them. Returns SHEAF_OK, SHEAF_ERR_IO.
sheaf_status io_file_peek(const char *path, char *start, size_t size);

// "folder/name" in memory of base_alloc, or NULL with the last error set.
char *io_path_join(const char *folder, const char *name);

// The part of a path after the last slash.
const char *io_path_name(const char *path);

// SHEAF_ERR_IO with "cannot <verb> '<path>': <reason of errno>".
sheaf_status io_fail(const char *verb, const char *path);

#endif
