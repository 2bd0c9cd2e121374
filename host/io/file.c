// file: files that appear under their names only when they are complete, and folders of results.
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_PATH = 512, TEMPORARY_TRIES = 100 };

sheaf_status io_fail(const char *verb, const char *path)
{
    const char *reason = strerror(errno);
    char shown[SHOWN_PATH];
    return base_fail(SHEAF_ERR_IO, "cannot %s '%s': %s", verb, base_printable(path, shown, sizeof shown), reason);
}

const char *io_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *io_path_join(const char *folder, const char *name)
{
    const size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = base_alloc(size, 1);
    if (path != NULL)
        snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

// The folder that holds `path`.
static char *folder_of(const char *path)
{
    const size_t length = (size_t)(io_path_name(path) - path);
    char *folder = base_alloc(length + 3, 1);
    if (folder != NULL)
        memcpy(folder, length > 0 ? path : "./", length > 0 ? length : 2);
    return folder;
}

static sheaf_status refuse_existing(const char *path)
{
    struct stat found;
    if (lstat(path, &found) != 0)
        return errno == ENOENT ? SHEAF_OK : io_fail("write", path);
    errno = EEXIST;
    return io_fail("write", path);
}

// Opens a new file beside the final one. O_EXCL neither follows a link planted at the name nor opens what is there.
static int open_temporary(io_file *file)
{
    for (int k = 0; k < TEMPORARY_TRIES; k++) {
        char name[64];
        snprintf(name, sizeof name, ".sheaf-%ld-%d.tmp", (long)getpid(), k);
        file->temporary = io_path_join(file->folder, name);
        if (file->temporary == NULL) {
            errno = ENOMEM;
            return -1;
        }
        const int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
        base_free(file->temporary);
        file->temporary = NULL;
    }
    return -1;
}

static void forget(io_file *file)
{
    base_free(file->path);
    base_free(file->folder);
    base_free(file->temporary);
    *file = (io_file){0};
}

sheaf_status io_file_create(const char *path, bool replace, io_file *file)
{
    *file = (io_file){.replace = replace};
    if (!replace)
        SHEAF_TRY(refuse_existing(path));
    file->folder = folder_of(path);
    file->path = base_strdup(path);
    if (file->folder == NULL || file->path == NULL) {
        forget(file);
        return SHEAF_ERR_MEMORY;
    }
    const int descriptor = open_temporary(file);
    file->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (file->stream != NULL)
        return SHEAF_OK;
    const sheaf_status status = descriptor < 0 && errno == ENOMEM ? SHEAF_ERR_MEMORY : io_fail("write", path);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(file->temporary);
    }
    forget(file);
    return status;
}

// Makes the name itself durable; file systems that cannot sync a folder are no reason to fail.
static void sync_folder(const char *folder)
{
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

static bool give_name(const io_file *file)
{
    if (file->replace)
        return rename(file->temporary, file->path) == 0;
    // unlike rename, link never replaces a file that has appeared in the meantime
    if (link(file->temporary, file->path) == 0)
        return unlink(file->temporary) == 0;
    if (errno == EEXIST)
        return false;
    return access(file->path, F_OK) != 0 && rename(file->temporary, file->path) == 0;
}

sheaf_status io_file_settle(io_file *file)
{
    const bool written = fflush(file->stream) == 0 && !ferror(file->stream) && fsync(fileno(file->stream)) == 0;
    const int reason = errno;
    const bool closed = fclose(file->stream) == 0;
    file->stream = NULL;
    if (!written)
        errno = reason;
    return written && closed ? SHEAF_OK : io_fail("write", file->path);
}

sheaf_status io_file_commit(io_file *file)
{
    sheaf_status status = file->stream != NULL ? io_file_settle(file) : SHEAF_OK;
    if (status == SHEAF_OK && !give_name(file))
        status = io_fail("write", file->path);
    if (status != SHEAF_OK) {
        io_file_abandon(file);
        return status;
    }
    sync_folder(file->folder);
    forget(file);
    return SHEAF_OK;
}

void io_file_abandon(io_file *file)
{
    if (file->stream != NULL)
        (void)fclose(file->stream);
    if (file->temporary != NULL)
        unlink(file->temporary);
    forget(file);
}

sheaf_status io_file_write(const char *path, bool replace, const char *bytes, size_t length)
{
    io_file file;
    SHEAF_TRY(io_file_create(path, replace, &file));
    (void)fwrite(bytes, 1, length, file.stream); // an error stays in the stream until commit
    return io_file_commit(&file);
}

static sheaf_status refuse_size(const char *path, size_t limit)
{
    char shown[SHOWN_PATH];
    return base_fail(SHEAF_ERR_LIMIT, "'%s' is larger than %zu bytes, the most that is read of such a file",
                     base_printable(path, shown, sizeof shown), limit);
}

static sheaf_status read_stream(FILE *stream, const char *path, size_t limit, base_text *text)
{
    char block[16384];
    size_t size;
    while ((size = fread(block, 1, sizeof block, stream)) > 0) {
        if (text->length + size > limit) // it grows, or the system does not tell its size
            return refuse_size(path, limit);
        base_text_add_bytes(text, block, size);
        SHEAF_TRY(base_text_status(text));
    }
    return ferror(stream) ? io_fail("read", path) : SHEAF_OK;
}

// Opens a regular file of at most `limit` bytes; anything else could make a reader wait for ever.
static sheaf_status open_regular(const char *path, size_t limit, FILE **stream)
{
    struct stat found;
    char shown[SHOWN_PATH];
    *stream = NULL;
    if (stat(path, &found) != 0)
        return io_fail("read", path);
    if (!S_ISREG(found.st_mode))
        return base_fail(SHEAF_ERR_IO, "cannot read '%s': not a regular file",
                         base_printable(path, shown, sizeof shown));
    if ((uint64_t)found.st_size > limit)
        return refuse_size(path, limit);
    *stream = fopen(path, "re");
    return *stream != NULL ? SHEAF_OK : io_fail("read", path);
}

sheaf_status io_file_read(const char *path, size_t limit, base_text *text)
{
    FILE *stream;
    *text = (base_text){0};
    SHEAF_TRY(open_regular(path, limit, &stream));
    const sheaf_status status = read_stream(stream, path, limit, text);
    (void)fclose(stream);
    if (status != SHEAF_OK)
        base_text_free(text);
    return status;
}

sheaf_status io_file_peek(const char *path, char *start, size_t size)
{
    FILE *stream;
    SHEAF_TRY(open_regular(path, SIZE_MAX, &stream));
    start[fread(start, 1, size - 1, stream)] = 0;
    const sheaf_status status = ferror(stream) ? io_fail("read", path) : SHEAF_OK;
    (void)fclose(stream);
    return status;
}
