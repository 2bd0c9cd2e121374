// reader: scene files in YAML. Everything wrong with a file is found in one reading and kept as data.
#ifndef SHEAF_SCENE_READER_H
#define SHEAF_SCENE_READER_H

#include "scene/files.h"

#include "base/text.h"

// One thing wrong with a scene file. Texts are valid UTF-8 on one line, safe to print.
typedef struct scene_diagnostic {
    uint32_t line, column; // from 1; a column is a character
    char *message;
    char *hint;     // what to do about it, or NULL
    char *source;   // the line, or the part of a long one around the place
    uint32_t caret; // characters of `source` before the place
    uint32_t width; // characters of `source` that the place covers, at least 1
} scene_diagnostic;

// All zero is an empty list.
typedef struct scene_diagnostics {
    char *file; // its name, made printable
    scene_diagnostic *items;
    uint32_t count;
    bool cut; // there was more than the list holds
} scene_diagnostics;

// Reads a scene and lists what is wrong with it; `list` is freed by the caller, whatever is returned.
// Returns SHEAF_OK with the scene and an empty list; SHEAF_ERR_INPUT or SHEAF_ERR_LIMIT with at least one diagnostic;
// SHEAF_ERR_IO when the file cannot be read, SHEAF_ERR_MEMORY.
sheaf_status scene_read_file(const char *path, scene_diagnostics *list, sheaf_scene **scene);

// The same for a scene whose files are not where it says: `places` (may be NULL) lists where they are.
sheaf_status scene_read_moved(const char *path, const scene_files *places, scene_diagnostics *list,
                              sheaf_scene **scene);

sheaf_status scene_read_text(const char *text, size_t length, const char *name, scene_diagnostics *list,
                             sheaf_scene **scene);

// Adds every diagnostic in the style of compilers: file:line:column: error: message, the line, a caret, the hint.
void scene_diagnostics_print(const scene_diagnostics *list, base_text *out);

void scene_diagnostics_free(scene_diagnostics *list);

// The reference of all keys for people, and a JSON Schema for editors, from the table that also drives reading.
void scene_schema_write_markdown(base_text *out);
void scene_schema_write_json(base_text *out);

#endif
