// cache: files of the kernel cache. An entry says which key it belongs to, how long it is, and the hash of its content.
#include "cl/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRY_MOST = 1 << 28 }; // bytes; a program of ours has less than 10 MB

// Start of an entry's file; the key and the content follow.
typedef struct entry_head {
    char magic[8];
    uint64_t key_length;
    uint64_t content_length;
    uint64_t hash; // of key and content
} entry_head;

static const char entry_magic[8] = "sheafc1";

// ---- the folder

static void tell_once(const char *path, const char *reason)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&told))
        base_log(SHEAF_LOG_NOTICE, "running without a kernel cache (%s: %s): kernels are built anew in every run", path,
                 reason);
}

// Programs from the cache run as part of this process: nobody else may be able to put one there.
static const char *why_unfit(const char *path, bool follows)
{
    struct stat facts;
    if ((follows ? stat : lstat)(path, &facts) != 0)
        return strerror(errno);
    if (S_ISLNK(facts.st_mode))
        return "a symbolic link";
    if (!S_ISDIR(facts.st_mode))
        return "not a folder";
    if (facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return "others can write to it";
    return access(path, W_OK | X_OK) == 0 ? NULL : strerror(errno);
}

static bool find_base(char path[CACHE_PATH_SIZE])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (cache != NULL && cache[0] == '/')
        length = snprintf(path, CACHE_PATH_SIZE, "%s", cache);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, CACHE_PATH_SIZE, "%s/.cache", home);
    return length > 0 && length < CACHE_PATH_SIZE - 128; // leaves room for the names of entries
}

bool cache_folder(char path[CACHE_PATH_SIZE])
{
    if (!find_base(path)) {
        tell_once("no folder", "neither XDG_CACHE_HOME nor HOME names one");
        return false;
    }
    (void)mkdir(path, 0700);
    const size_t length = strlen(path); // find_base left room
    snprintf(path + length, CACHE_PATH_SIZE - length, "/sheaf");
    (void)mkdir(path, 0700);
    const char *reason = why_unfit(path, true);
    if (reason != NULL)
        tell_once(path, reason);
    return reason == NULL;
}

bool cache_has_folder(const char *path)
{
    (void)mkdir(path, 0700);
    const char *reason = why_unfit(path, false);
    if (reason != NULL)
        tell_once(path, reason);
    return reason == NULL;
}

static bool entry_path(const char *kind, const char *key, char path[CACHE_PATH_SIZE])
{
    const size_t length = strlen(key);
    const uint64_t first = base_hash(key, length, 0), second = base_hash(key, length, first);
    if (!cache_folder(path))
        return false;
    const size_t used = strlen(path);
    snprintf(path + used, CACHE_PATH_SIZE - used, "/%s-%016llx%016llx", kind, (unsigned long long)first,
             (unsigned long long)second);
    return true;
}

// ---- entries

static uint64_t entry_hash(const char *key, size_t key_length, const void *content, size_t content_length)
{
    return base_hash(content, content_length, base_hash(key, key_length, 1));
}

static bool read_file(const char *path, base_text *text)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    char block[65536];
    ssize_t got = -1;
    if (file < 0)
        return false;
    while ((got = read(file, block, sizeof block)) > 0 && text->length < ENTRY_MOST)
        base_text_add_bytes(text, block, (size_t)got);
    close(file);
    return got == 0 && base_text_status(text) == SHEAF_OK;
}

// Whether the file's text is a whole entry of this key.
static bool is_sound(const base_text *file, const char *key, entry_head *head)
{
    const size_t key_length = strlen(key);
    if (file->length < sizeof *head)
        return false;
    memcpy(head, file->bytes, sizeof *head);
    const size_t rest = file->length - sizeof *head;
    if (memcmp(head->magic, entry_magic, sizeof entry_magic) != 0 || head->key_length != key_length ||
        rest < key_length || head->content_length != rest - key_length)
        return false;
    const char *stored = file->bytes + sizeof *head;
    return memcmp(stored, key, key_length) == 0 &&
           entry_hash(key, key_length, stored + key_length, rest - key_length) == head->hash;
}

bool cache_load(const char *kind, const char *key, base_text *content)
{
    char path[CACHE_PATH_SIZE];
    base_text file = {0};
    entry_head head;
    if (!entry_path(kind, key, path))
        return false;
    const bool found = read_file(path, &file), sound = found && is_sound(&file, key, &head);
    if (sound)
        base_text_add_bytes(content, file.bytes + sizeof head + head.key_length, head.content_length);
    else if (found)
        (void)unlink(path);
    base_text_free(&file);
    return sound && base_text_status(content) == SHEAF_OK;
}

static bool write_all(int file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        const ssize_t done = write(file, next, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        next += done;
        size -= (size_t)done;
    }
    return true;
}

void cache_store(const char *kind, const char *key, const void *bytes, size_t size)
{
    char path[CACHE_PATH_SIZE], temporary[CACHE_PATH_SIZE];
    const size_t key_length = strlen(key);
    entry_head head = {.key_length = key_length, .content_length = size};
    head.hash = entry_hash(key, key_length, bytes, size);
    memcpy(head.magic, entry_magic, sizeof entry_magic);
    if (!entry_path(kind, key, path))
        return;
    if (snprintf(temporary, sizeof temporary, "%s.XXXXXX", path) >= (int)sizeof temporary)
        return;
    const int file = mkstemp(temporary);
    if (file < 0)
        return;
    bool written =
        write_all(file, &head, sizeof head) && write_all(file, key, key_length) && write_all(file, bytes, size);
    written = close(file) == 0 && written;
    if (!written || rename(temporary, path) != 0)
        (void)unlink(temporary);
}
