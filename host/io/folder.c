// folder: the folder a run leaves: its names, and who may write to it.
#include "io/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const own_names[] = {IO_RECORD_NAME,  IO_THERMO_NAME,   IO_TRAJECTORY_NAME, IO_STRANDS_NAME,
                                        IO_PICTURE_NAME, IO_ENERGY_NAME,   IO_CHECKPOINT_NAME, IO_PREVIOUS_NAME,
                                        IO_REPORT_NAME,  IO_UNSTABLE_NAME, IO_STIFFENED_NAME,  IO_PROBES_NAME};
enum { OWN_COUNT = sizeof own_names / sizeof own_names[0] };

typedef enum content { CONTENT_NONE, CONTENT_RUN, CONTENT_OTHER } content;

static bool is_own(const char *name)
{
    for (int k = 0; k < OWN_COUNT; k++)
        if (strcmp(name, own_names[k]) == 0)
            return true;
    if (strcmp(name, IO_SCENE_FOLDER) == 0)
        return true;
    return strncmp(name, ".sheaf-", 7) == 0; // what a killed run leaves of an unfinished file
}

// A folder is a run's when it holds a record, or nothing but files of a run that was killed before it wrote one.
static content look_inside(DIR *open)
{
    bool any = false, other = false, record = false;
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        any = true;
        record = record || strcmp(entry->d_name, IO_RECORD_NAME) == 0;
        other = other || !is_own(entry->d_name);
    }
    return !any ? CONTENT_NONE : (record || !other ? CONTENT_RUN : CONTENT_OTHER);
}

sheaf_status io_folder_check(const char *path, bool overwrite)
{
    char shown[512];
    DIR *open = opendir(path);
    if (open == NULL)
        return errno == ENOENT ? SHEAF_OK : io_fail("write to folder", path);
    const content found = look_inside(open);
    closedir(open);
    base_printable(path, shown, sizeof shown);
    if (found == CONTENT_OTHER)
        return base_fail(SHEAF_ERR_IO,
                         "folder '%s' holds other files and no run of Sheaf; it is left alone. Name another by -o",
                         shown);
    if (found == CONTENT_RUN && !overwrite)
        return base_fail(SHEAF_ERR_IO, "folder '%s' already holds a run; --overwrite replaces it, -o names another",
                         shown);
    return SHEAF_OK;
}

// Opens thermo.csv for this process alone. The lock is gone as soon as any descriptor of the file is closed: it must
// not be opened again.
static sheaf_status lock_thermo(const io_folder *folder, const char *path, int flags, int *descriptor)
{
    *descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    if (*descriptor < 0)
        return io_fail("write", path);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(*descriptor, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        close(*descriptor);
        char shown[512];
        return base_fail(SHEAF_ERR_IO, "another run is writing to '%s'; name another folder by -o",
                         base_printable(folder->path, shown, sizeof shown));
    }
    return SHEAF_OK;
}

// Makes thermo.csv anew, with nothing but its header.
static sheaf_status make_thermo(io_folder *folder, const char *path)
{
    int descriptor;
    SHEAF_TRY(lock_thermo(folder, path, O_CREAT, &descriptor));
    if (ftruncate(descriptor, 0) == 0)
        folder->thermo = fdopen(descriptor, "w");
    if (folder->thermo != NULL && io_thermo_write_header(folder->thermo, &(io_thermo){0}))
        return SHEAF_OK;
    const sheaf_status status = io_fail("write", path);
    if (folder->thermo == NULL)
        close(descriptor);
    return status;
}

// Whether a name is that of an unfinished file (see file.c) whose process is gone.
static bool is_left_over(const char *name)
{
    static const char before[] = ".sheaf-";
    char *end;
    if (strncmp(name, before, sizeof before - 1) != 0)
        return false;
    const long process = strtol(name + sizeof before - 1, &end, 10);
    if (process <= 0 || *end != '-')
        return false;
    (void)strtol(end + 1, &end, 10);
    return strcmp(end, ".tmp") == 0 && kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

// Removes what killed runs left of unfinished files. The lock of thermo.csv is held: no other run writes here.
static void sweep(const io_folder *folder)
{
    DIR *open = opendir(folder->path);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;)
        if (is_left_over(entry->d_name))
            (void)unlinkat(dirfd(open), entry->d_name, 0);
    if (open != NULL)
        closedir(open);
}

// Whether a name in the folder of the scene is one that a run gives: others' files stay.
static bool is_kept_name(const char *name)
{
    const size_t digits = strspn(name, "0123456789");
    return strcmp(name, IO_SCENE_NAME) == 0 || (digits >= 3 && name[digits] == '-') || strncmp(name, ".sheaf-", 7) == 0;
}

// Removes what an earlier run kept of its scene. A link in its place is not followed.
static sheaf_status remove_scene(const io_folder *folder)
{
    char *path = io_path_join(folder->path, IO_SCENE_FOLDER);
    const int descriptor = path != NULL ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    DIR *inside = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (descriptor >= 0 && inside == NULL)
        close(descriptor);
    for (struct dirent *entry; inside != NULL && (entry = readdir(inside)) != NULL;)
        if (is_kept_name(entry->d_name))
            (void)unlinkat(descriptor, entry->d_name, 0); // what stays is replaced, or told then
    if (inside != NULL) {
        closedir(inside);
        (void)rmdir(path); // only where nothing of others is in it
    }
    base_free(path);
    return path != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status remove_results(const io_folder *folder)
{
    for (int k = 0; k < OWN_COUNT; k++) {
        if (strcmp(own_names[k], IO_THERMO_NAME) == 0)
            continue;
        char *path = io_path_join(folder->path, own_names[k]);
        if (path == NULL)
            return SHEAF_ERR_MEMORY;
        const bool gone = unlink(path) == 0 || errno == ENOENT;
        const sheaf_status status = gone ? SHEAF_OK : io_fail("remove", path);
        base_free(path);
        SHEAF_TRY(status);
    }
    return remove_scene(folder);
}

sheaf_status io_folder_open(const char *path, bool overwrite, io_folder *folder)
{
    *folder = (io_folder){0};
    SHEAF_TRY(io_folder_check(path, overwrite));
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return io_fail("make folder", path);
    folder->path = base_strdup(path);
    char *thermo = folder->path ? io_path_join(path, IO_THERMO_NAME) : NULL;
    sheaf_status status = thermo != NULL ? make_thermo(folder, thermo) : SHEAF_ERR_MEMORY;
    base_free(thermo);
    if (status == SHEAF_OK)
        sweep(folder);
    if (status == SHEAF_OK)
        status = remove_results(folder);
    if (status != SHEAF_OK)
        io_folder_close(folder);
    return status;
}

// ---- going on

static sheaf_status read_descriptor(int descriptor, const char *path, base_text *text)
{
    char block[16384];
    ssize_t size;
    off_t at = 0;
    *text = (base_text){0};
    while ((size = pread(descriptor, block, sizeof block, at)) > 0 && at < IO_THERMO_LIMIT) {
        base_text_add_bytes(text, block, (size_t)size);
        at += size;
    }
    return size < 0 ? io_fail("read", path) : base_text_status(text);
}

static sheaf_status reopen_thermo(io_folder *folder, const char *path, io_thermo *rows)
{
    int descriptor;
    char problem[128]; // rows that were cut short by a kill are told later, by what is missing
    base_text text = {0};
    SHEAF_TRY(lock_thermo(folder, path, 0, &descriptor));
    folder->thermo = fdopen(descriptor, "r+");
    sheaf_status status = folder->thermo ? read_descriptor(descriptor, path, &text) : io_fail("write", path);
    if (folder->thermo == NULL)
        close(descriptor);
    if (status == SHEAF_OK)
        status = io_thermo_parse(&text, path, rows, problem, sizeof problem);
    base_text_free(&text);
    return status;
}

sheaf_status io_folder_reopen(const char *path, io_folder *folder, io_thermo *rows)
{
    *folder = (io_folder){.path = base_strdup(path)};
    *rows = (io_thermo){0};
    char *thermo = folder->path ? io_path_join(path, IO_THERMO_NAME) : NULL;
    const sheaf_status status = thermo ? reopen_thermo(folder, thermo, rows) : SHEAF_ERR_MEMORY;
    base_free(thermo);
    if (status == SHEAF_OK)
        sweep(folder);
    else
        io_folder_close(folder);
    return status;
}

// Writes the file anew, with the columns of these rows, so that more of them can follow.
static sheaf_status renew_rows(FILE *stream, const io_thermo *rows)
{
    bool good =
        ftruncate(fileno(stream), 0) == 0 && fseek(stream, 0, SEEK_SET) == 0 && io_thermo_write_header(stream, rows);
    for (size_t k = 0; good && k < rows->count; k++)
        good = io_thermo_write_row(stream, rows, k);
    return good ? SHEAF_OK : io_fail("write", IO_THERMO_NAME);
}

sheaf_status io_folder_keep_rows(const io_folder *folder, const io_thermo *rows)
{
    base_text text;
    const int descriptor = fileno(folder->thermo);
    sheaf_status status = read_descriptor(descriptor, IO_THERMO_NAME, &text);
    if (status == SHEAF_OK && !io_thermo_has_columns(&text, rows))
        status = renew_rows(folder->thermo, rows);
    else if (status == SHEAF_OK && (ftruncate(descriptor, (off_t)io_thermo_length(&text, rows->count)) != 0 ||
                                    fseek(folder->thermo, 0, SEEK_END) != 0))
        status = io_fail("write", IO_THERMO_NAME);
    base_text_free(&text);
    return status;
}

// ---- files of the folder

sheaf_status io_folder_write(const io_folder *folder, const char *name, const base_text *text)
{
    char *path = io_path_join(folder->path, name);
    if (path == NULL)
        return SHEAF_ERR_MEMORY;
    const sheaf_status status = io_file_write(path, true, base_text_get(text), text->length);
    base_free(path);
    return status;
}

void io_folder_close(io_folder *folder)
{
    if (folder->thermo != NULL)
        (void)fclose(folder->thermo);
    base_free(folder->path);
    *folder = (io_folder){0};
}
