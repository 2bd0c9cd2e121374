// files: the files that a scene names, and where they are.
#include "scene/files.h"

#include <string.h>

const char *scene_files_find(const scene_files *files, const char *written)
{
    for (uint32_t k = 0; k < files->count; k++)
        if (strcmp(files->items[k].written, written) == 0)
            return files->items[k].path;
    return NULL;
}

sheaf_status scene_files_add(scene_files *files, const char *written, const char *path)
{
    if (scene_files_find(files, written) != NULL)
        return SHEAF_OK;
    scene_file *grown = base_realloc(files->items, (size_t)files->count + 1, sizeof *grown);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    files->items = grown;
    const scene_file item = {base_strdup(written), base_strdup(path)};
    if (item.written != NULL && item.path != NULL) {
        grown[files->count++] = item;
        return SHEAF_OK;
    }
    base_free(item.written);
    base_free(item.path);
    return SHEAF_ERR_MEMORY;
}

void scene_files_free(scene_files *files)
{
    for (uint32_t k = 0; k < files->count; k++) {
        base_free(files->items[k].written);
        base_free(files->items[k].path);
    }
    base_free(files->items);
    *files = (scene_files){0};
}
