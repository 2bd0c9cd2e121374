// grooms: files of strands: the one table of formats, and saving in any of them.
#ifndef SHEAF_IO_GROOMS_H
#define SHEAF_IO_GROOMS_H

#include "groom/format.h"

// Every format, ended by NULL. Commands, their help and docs/files.md follow it.
extern const groom_format *const io_formats[];

// Writes a source under a path, whole or not at all, in a format that is written. Returns SHEAF_OK, SHEAF_ERR_IO,
// SHEAF_ERR_LIMIT or SHEAF_ERR_INPUT (the format cannot hold it), SHEAF_ERR_MEMORY.
sheaf_status io_groom_save(const groom_format *format, groom_source *source, const char *path, bool replace);

// The formats as a table in Markdown.
void io_formats_write_markdown(base_text *out);

#endif
