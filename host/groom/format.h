// format: what a format of grooms is. Each is described where it is read and written; tables list them.
#ifndef SHEAF_GROOM_FORMAT_H
#define SHEAF_GROOM_FORMAT_H

#include "groom/flow.h"

#include <stdio.h>

typedef struct groom_format {
    const char *name;      // as "hair"
    const char *extension; // as ".hair"
    const char *summary;   // what it is, for people
    const char *keeps;     // what survives in it, for people
    bool has_time;         // holds many frames
    bool says_space;       // says its unit and up axis

    // Whether a file starts as one of these does; NULL: only its name tells.
    bool (*recognise)(const unsigned char *start, size_t length);

    // Reads from an input that stays the source's: sets groom, frames and load. Returns SHEAF_OK,
    // SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY; the caller closes the source in any case.
    sheaf_status (*read)(groom_source *source);

    // Writes all frames, or in a format without time the one that is loaded. Failures to write are found by the caller
    // in the stream; returns SHEAF_OK, or what kept the source from being written.
    sheaf_status (*write)(groom_source *source, FILE *stream);

    // The same for strands that are made while they are written, of a format without time the frame `like` has loaded.
    // NULL: the format has to know them all first.
    sheaf_status (*write_flow)(const groom_flow *flow, FILE *stream);

    // Instead of read and write, for formats that are more than a stream of bytes: opening by path, and saving under a
    // path, whole or not at all.
    sheaf_status (*open)(const char *path, groom_source *source);
    sheaf_status (*save)(groom_source *source, const char *path, bool replace);
} groom_format;

static inline bool groom_is_read(const groom_format *format)
{
    return format->read != NULL || format->open != NULL;
}

static inline bool groom_is_written(const groom_format *format)
{
    return format->write != NULL || format->save != NULL;
}

extern const groom_format groom_format_hair;
extern const groom_format groom_format_data;
extern const groom_format groom_format_npy;
extern const groom_format groom_format_ply;
extern const groom_format groom_format_usda;
extern const groom_format groom_format_vtp; // written only
extern const groom_format groom_format_csv; // written only

// Calls the format's write, with numbers as the C locale writes them.
sheaf_status groom_write(const groom_format *format, groom_source *source, FILE *stream);

// Likewise write_flow, which the format must have.
sheaf_status groom_write_flow(const groom_format *format, const groom_flow *flow, FILE *stream);

// Writes vertices first .. end - 1 in single precision.
void groom_write_points(const groom *g, uint64_t first, uint64_t end, FILE *stream);

// Formats that hold strands for scenes; ended by NULL.
extern const groom_format *const groom_formats[];

// The format among `formats` that a file is in, by what it starts with, else by its name; NULL: none.
const groom_format *groom_recognise(const groom_format *const *formats, const unsigned char *start, size_t length,
                                    const char *path);

// The format whose extension a path ends in, or NULL.
const groom_format *groom_format_of(const groom_format *const *formats, const char *path);

// Opens a file in a format that is read, or bytes that stay the caller's; on failure the source is closed.
sheaf_status groom_open(const groom_format *format, const char *path, groom_source *source);
sheaf_status groom_open_memory(const groom_format *format, const void *bytes, size_t size, const char *name,
                               groom_source *source);

#endif
