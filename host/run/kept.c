// kept: the scene of a run in the run's folder.
#include "run/kept.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/scene.h"

enum { BLOCK = 1 << 16 }; // bytes; the hash of a file is that of its blocks, each starting from the one before

// ---- single files

// Bytes and hash of a file, copied to `out` where there is one.
typedef struct digest {
    uint64_t bytes, hash;
} digest;

static sheaf_status take_digest(const char *path, FILE *out, digest *found)
{
    struct stat about;
    char *block = base_alloc(BLOCK, 1);
    *found = (digest){0};
    if (block == NULL)
        return SHEAF_ERR_MEMORY;
    FILE *in = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "re") : NULL;
    for (size_t size; in != NULL && (size = fread(block, 1, BLOCK, in)) > 0;) {
        found->hash = base_hash(block, size, found->hash);
        found->bytes += size;
        if (out != NULL)
            (void)fwrite(block, 1, size, out); // an error stays in the stream until commit
    }
    const sheaf_status status = in == NULL || ferror(in) ? io_fail("read", path) : SHEAF_OK;
    if (in != NULL)
        (void)fclose(in);
    base_free(block);
    return status;
}

static sheaf_status copy_file(const char *from, const char *to, digest *found)
{
    io_file file;
    SHEAF_TRY(io_file_create(to, true, &file));
    const sheaf_status status = take_digest(from, file.stream, found);
    if (status == SHEAF_OK)
        return io_file_commit(&file);
    io_file_abandon(&file);
    return status;
}

// ---- keeping

// Paths and names as they are where that is text, else made printable.
static json_t *path_json(const char *path)
{
    json_t *value = json_string(path);
    return value != NULL ? value : io_json_text(path);
}

static json_t *file_json(const char *written, const char *path, const digest *found, const char *kept)
{
    char hash[20], *whole = realpath(path, NULL);
    snprintf(hash, sizeof hash, "%016" PRIx64, found->hash);
    json_t *value = json_pack("{s:o, s:o, s:I, s:s, s:o}", "name", path_json(written), "path",
                              path_json(whole != NULL ? whole : path), "bytes", (json_int_t)found->bytes, "hash", hash,
                              "kept", kept != NULL ? path_json(kept) : json_null());
    free(whole);
    return value;
}

// "001-head.obj": a name that no other file of the scene has, of letters that any file system takes.
static void name_file(uint32_t number, const char *path, char *name, size_t size)
{
    const char *last = io_path_name(path);
    const size_t length = strlen(last), most = size - 16;
    snprintf(name, size, "%03" PRIu32 "-%s", number, length > most ? last + (length - most) : last);
    for (char *c = name; *c != 0; c++)
        if (!(*c == '.' || *c == '-' || *c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
              (*c >= 'A' && *c <= 'Z')))
            *c = '_';
}

typedef struct keeping {
    char *folder; // of the scene in the run's
    uint64_t room;
    const run_hooks *hooks;
} keeping;

// Copies a file under a name, or with NULL only takes its digest; NULL: failed, with the status.
static json_t *keep_file(const keeping *it, const char *written, const char *path, const char *name, digest *found,
                         sheaf_status *status)
{
    char *to = name != NULL ? io_path_join(it->folder, name) : NULL;
    *status = name != NULL && to == NULL ? SHEAF_ERR_MEMORY
              : name != NULL             ? copy_file(path, to, found)
                                         : take_digest(path, NULL, found);
    base_free(to);
    json_t *value = *status == SHEAF_OK ? file_json(written, path, found, name) : NULL;
    if (*status == SHEAF_OK && value == NULL)
        *status = base_fail(SHEAF_ERR_MEMORY, "out of memory for " IO_RECORD_NAME);
    return value;
}

static sheaf_status keep_named(keeping *it, const scene_files *files, json_t *list)
{
    for (uint32_t k = 0; k < files->count; k++) {
        const scene_file *file = &files->items[k];
        char name[96], shown[256];
        struct stat about;
        digest found = {0};
        sheaf_status status;
        const bool fits = stat(file->path, &about) == 0 && (uint64_t)about.st_size <= it->room;
        name_file(k + 1, file->path, name, sizeof name);
        json_t *value = keep_file(it, file->written, file->path, fits ? name : NULL, &found, &status);
        SHEAF_TRY(status);
        if (json_array_append_new(list, value) != 0)
            return base_fail(SHEAF_ERR_MEMORY, "out of memory for " IO_RECORD_NAME);
        it->room -= fits ? (found.bytes < it->room ? found.bytes : it->room) : 0;
        if (!fits)
            run_tell(it->hooks, RUN_NOTE,
                     "'%s' is not kept in the folder, which holds 64 MiB of a scene's files: bodies and colours are "
                     "shown only while it stays where it is",
                     base_printable(file->written, shown, sizeof shown));
    }
    return SHEAF_OK;
}

// A link in its place is not followed: it could lead out of the run's folder.
static sheaf_status make_folder(const char *path)
{
    struct stat about;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return io_fail("make folder", path);
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return SHEAF_OK;
    errno = ENOTDIR;
    return io_fail("make folder", path);
}

static sheaf_status keep_all(keeping *it, const sheaf_scene *scene, const char *path, json_t **kept)
{
    digest found = {0};
    sheaf_status status;
    SHEAF_TRY(make_folder(it->folder));
    json_t *value = keep_file(it, io_path_name(path), path, IO_SCENE_NAME, &found, &status), *files = json_array();
    if (status == SHEAF_OK && json_object_set(value, "files", files) != 0)
        status = base_fail(SHEAF_ERR_MEMORY, "out of memory for " IO_RECORD_NAME);
    it->room -= found.bytes < it->room ? found.bytes : it->room;
    if (status == SHEAF_OK)
        status = keep_named(it, &scene->files, files);
    json_decref(files);
    if (status == SHEAF_OK)
        *kept = value;
    else
        json_decref(value);
    return status;
}

sheaf_status run_keep_scene(const io_folder *folder, const sheaf_scene *scene, const char *path, const run_hooks *hooks,
                            json_t **kept)
{
    keeping it = {.folder = io_path_join(folder->path, IO_SCENE_FOLDER), .room = RUN_KEPT_MOST, .hooks = hooks};
    *kept = NULL;
    const sheaf_status status = it.folder != NULL ? keep_all(&it, scene, path, kept) : SHEAF_ERR_MEMORY;
    base_free(it.folder);
    return status;
}

// ---- finding

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

// A name in the folder of the scene; others could lead out of it.
static bool is_plain(const char *name)
{
    return name[0] != 0 && name[0] != '.' && strchr(name, '/') == NULL;
}

static bool is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

// Whether a file is there and is another than the record says.
static bool has_changed(const json_t *file)
{
    const char *path = text_of(file, "path"), *hash = text_of(file, "hash");
    struct stat about;
    digest found;
    char now[20];
    if (path == NULL || hash == NULL || stat(path, &about) != 0)
        return false;
    if ((json_int_t)about.st_size != json_integer_value(json_object_get(file, "bytes")))
        return true;
    if (take_digest(path, NULL, &found) != SHEAF_OK)
        return false;
    snprintf(now, sizeof now, "%016" PRIx64, found.hash);
    return strcmp(now, hash) != 0;
}

static void note_absent(run_kept *kept, const json_t *file, const char *path)
{
    char name[256], where[512];
    base_printable(text_of(file, "name"), name, sizeof name);
    base_printable(path, where, sizeof where);
    if (!is_there(path))
        base_text_add(&kept->missing, "'%s', which the run's scene names, is not at '%s' (%lld bytes, hash %s)\n", name,
                      where, (long long)json_integer_value(json_object_get(file, "bytes")),
                      text_of(file, "hash") != NULL ? text_of(file, "hash") : "unknown");
    else if (json_is_null(json_object_get(file, "kept")) && has_changed(file))
        base_text_add(&kept->changed, "'%s', which the run's scene names, has changed since the run\n", where);
}

// Where one of the files is.
static sheaf_status place_file(run_kept *kept, const char *folder, const json_t *file)
{
    const char *name = text_of(file, "name"), *own = text_of(file, "kept"), *was = text_of(file, "path");
    if (name == NULL || (own != NULL ? !is_plain(own) : was == NULL))
        return base_fail(SHEAF_ERR_INPUT, IO_RECORD_NAME ": a file of 'scene_kept' has no name or no place");
    char *path = own != NULL ? io_path_join(folder, own) : base_strdup(was);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    note_absent(kept, file, path);
    const sheaf_status status = scene_files_add(&kept->places, name, path);
    base_free(path);
    return status;
}

static sheaf_status place_all(run_kept *kept, const char *folder, const json_t *scene)
{
    const json_t *files = json_object_get(scene, "files");
    kept->path = io_path_join(folder, IO_SCENE_NAME);
    if (kept->path == NULL)
        return SHEAF_ERR_MEMORY;
    if (!is_there(kept->path))
        base_text_add(&kept->missing, "'" IO_SCENE_FOLDER "/" IO_SCENE_NAME "' is missing from the run's folder\n");
    for (size_t k = 0; k < json_array_size(files); k++)
        SHEAF_TRY(place_file(kept, folder, json_array_get(files, k)));
    SHEAF_TRY(base_text_status(&kept->changed));
    return base_text_status(&kept->missing);
}

sheaf_status run_kept_find(const char *folder, const json_t *record, run_kept *kept)
{
    const json_t *scene = json_object_get(record, "scene_kept");
    *kept = (run_kept){0};
    if (!json_is_object(scene))
        return SHEAF_OK;
    char *inside = io_path_join(folder, IO_SCENE_FOLDER);
    const sheaf_status status = inside != NULL ? place_all(kept, inside, scene) : SHEAF_ERR_MEMORY;
    base_free(inside);
    if (status != SHEAF_OK)
        run_kept_free(kept);
    return status;
}

void run_kept_free(run_kept *kept)
{
    base_free(kept->path);
    scene_files_free(&kept->places);
    base_text_free(&kept->missing);
    base_text_free(&kept->changed);
    *kept = (run_kept){0};
}

const char *run_kept_find_changed(const json_t *record)
{
    const json_t *scene = json_object_get(record, "scene_kept"), *files = json_object_get(scene, "files");
    if (has_changed(scene))
        return text_of(scene, "path");
    for (size_t k = 0; k < json_array_size(files); k++) {
        const json_t *file = json_array_get(files, k);
        if (text_of(file, "kept") != NULL && has_changed(file))
            return text_of(file, "path");
    }
    return NULL;
}

bool run_kept_identity(const json_t *record, uint64_t *identity)
{
    const char *text = text_of(record, "identity");
    char *end = NULL;
    if (text == NULL || strlen(text) != 16)
        return false;
    *identity = strtoull(text, &end, 16);
    return *end == 0;
}
