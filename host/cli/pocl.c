// pocl: the folder of PoCL's cache: chosen, checked, sealed.
#define _XOPEN_SOURCE 700
#include "cli/pocl.h"

#include "cl/cache.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MOST = 256 << 20 }; // bytes; kernels of old versions pile up until then

static const char variable[] = "POCL_CACHE_DIR";
static const char seal_key[] = "pocl folder";

static char folder[CACHE_PATH_SIZE]; // empty: none of ours
static bool is_temporary, is_foreign;
static int lock = -1; // held as long as the folder is used; removal needs it alone

bool cli_pocl_is_foreign(void)
{
    return is_foreign;
}

// ---- content

typedef struct contents {
    uint64_t digest; // the same in any order of the files
    uint64_t size;   // bytes
} contents;

static contents seen; // nftw has no argument for it

static uint64_t hash_file(const char *path, uint64_t start)
{
    static unsigned char block[65536];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t hash = start;
    ssize_t got;
    while (file >= 0 && (got = read(file, block, sizeof block)) > 0)
        hash = base_hash(block, (size_t)got, hash);
    if (file >= 0)
        close(file);
    return hash;
}

// Empty files only mark times and claim names.
static int see_file(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_F && facts->st_size > 0) {
        seen.digest += hash_file(path, base_hash(path + strlen(folder), strlen(path + strlen(folder)), 0));
        seen.size += (uint64_t)facts->st_size;
    }
    return 0;
}

static contents look(void)
{
    seen = (contents){0};
    (void)nftw(folder, see_file, 16, FTW_PHYS);
    return seen;
}

static bool is_sealed(void)
{
    const contents now = look();
    base_text seal = {0};
    uint64_t digest = 0;
    if (cache_load("seal", seal_key, &seal) && seal.length == sizeof digest)
        memcpy(&digest, seal.bytes, sizeof digest);
    base_text_free(&seal);
    return now.digest == digest && now.size <= FOLDER_MOST;
}

void cli_pocl_seal(void)
{
    if (folder[0] == 0 || is_temporary)
        return;
    const contents now = look();
    cache_store("seal", seal_key, &now.digest, sizeof now.digest);
}

// ---- folders

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    (void)nftw(folder, remove_entry, 16, FTW_PHYS | FTW_DEPTH);
}

static bool use(void)
{
    return setenv(variable, folder, 1) == 0;
}

void cli_pocl_start_afresh(void)
{
    const char *base = getenv("TMPDIR");
    if (is_temporary)
        remove_folder();
    const int length = snprintf(folder, sizeof folder, "%s/sheaf-pocl-XXXXXX", base && base[0] == '/' ? base : "/tmp");
    is_temporary = length < (int)sizeof folder && mkdtemp(folder) != NULL && use();
    is_foreign = false;
    if (!is_temporary)
        folder[0] = 0;
}

// The lock is taken alone when nobody else has the folder in use; then it can be emptied.
static bool take_lock(bool *is_alone)
{
    char path[CACHE_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s.lock", folder);
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    *is_alone = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    return lock >= 0 && (*is_alone || flock(lock, LOCK_SH) == 0);
}

static bool find_folder(void)
{
    bool is_alone;
    if (!cache_folder(folder) || strlen(folder) + sizeof "/pocl.lock" > sizeof folder)
        return false;
    strcat(folder, "/pocl");
    if (!take_lock(&is_alone))
        return false;
    bool is_sound = is_sealed();
    if (!is_sound && is_alone) {
        remove_folder();
        const uint64_t nothing = 0;
        cache_store("seal", seal_key, &nothing, sizeof nothing);
        is_sound = true;
    }
    (void)mkdir(folder, 0700);
    return flock(lock, LOCK_SH) == 0 && is_sound && access(folder, W_OK | X_OK) == 0;
}

void cli_pocl_open(void)
{
    const char *given = getenv(variable);
    is_foreign = given != NULL && given[0] != 0;
    if (is_foreign)
        return;
    if (!find_folder() || !use())
        cli_pocl_start_afresh();
}

void cli_pocl_close(void)
{
    cli_pocl_seal();
    if (is_temporary)
        remove_folder();
    if (lock >= 0)
        close(lock);
    lock = -1;
    folder[0] = 0;
}
