// edit: a scene file's text with some values changed, the rest of it as it was.
#ifndef SHEAF_SCENE_EDIT_H
#define SHEAF_SCENE_EDIT_H

#include "base/text.h"

// `key: value` in the map at `map`, as "/materials/hair"; a map that is not there is made where its parent is.
typedef struct scene_edit {
    char map[300];
    char key[64];
    char value[200];
} scene_edit;

// Reads a scene file, makes the changes, and adds the text to `out`. Returns SHEAF_OK, SHEAF_ERR_IO (no such file, or
// no YAML), SHEAF_ERR_INPUT (an edit does not fit), SHEAF_ERR_MEMORY.
sheaf_status scene_edit_file(const char *path, const scene_edit *edits, uint32_t count, base_text *out);

#endif
