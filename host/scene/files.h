// files: the files that a scene names, and where they are.
#ifndef SHEAF_SCENE_FILES_H
#define SHEAF_SCENE_FILES_H

#include "base/base.h"

typedef struct scene_file {
    char *written; // as the scene names it; of numbered frames each by itself
    char *path;    // where it was read
} scene_file;

// All zero is an empty list.
typedef struct scene_files {
    scene_file *items;
    uint32_t count;
} scene_files;

// The path of what a scene names, or NULL where the list does not say.
const char *scene_files_find(const scene_files *files, const char *written);

// Adds copies of both, unless the name is there already. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status scene_files_add(scene_files *files, const char *written, const char *path);

void scene_files_free(scene_files *files);

#endif
