// kept: the scene of a run in the run's folder, so that the folder can be shown anywhere: the scene's file and the
// files that it names, as they were when the run began.
#ifndef SHEAF_RUN_KEPT_H
#define SHEAF_RUN_KEPT_H

#include "io/folder.h"
#include "run/hooks.h"
#include "scene/files.h"

#define RUN_KEPT_MOST ((uint64_t)64 << 20) // bytes of all files; of what does not fit, path and hash are recorded

// Copies the file of a scene, under `path`, and the files that it names into the folder; `kept` receives what the
// record says of them: the caller releases it. Tells of files that are too large. Returns SHEAF_OK, SHEAF_ERR_IO,
// SHEAF_ERR_MEMORY.
sheaf_status run_keep_scene(const io_folder *folder, const sheaf_scene *scene, const char *path, const run_hooks *hooks,
                            json_t **kept);

// The scene of a run as its folder has it.
typedef struct run_kept {
    char *path;         // of the scene's file; NULL: the folder has none, as those of version 0.1
    scene_files places; // of the files that it names: in the folder, or where they were
    base_text missing;  // a line for each file that is not there; the scene cannot be read without it
    base_text changed;  // likewise for each that was not kept and is another now
} run_kept;

// Finds it by a folder's record. Returns SHEAF_OK, SHEAF_ERR_INPUT (the record is damaged), SHEAF_ERR_MEMORY.
sheaf_status run_kept_find(const char *folder, const json_t *record, run_kept *kept);
void run_kept_free(run_kept *kept);

// The first file of a run's scene that is where it was when the run began, and has changed since; NULL: none. The
// record's own text.
const char *run_kept_find_changed(const json_t *record);

// The identity of the model that was run; false: the record does not say.
bool run_kept_identity(const json_t *record, uint64_t *identity);

#endif
