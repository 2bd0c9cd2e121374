// pocl: the folder of PoCL's cache: chosen, checked, sealed.
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
static bool is_temporary;
static int lock = -1; // held as long as the folder is used; removal needs it alone

// ---- content

// A file, by the hashes of its path and of its content.
typedef struct mark {
    uint64_t path, content;
} mark;

// What the folder holds; nftw has no argument for it.
static struct {
    base_text marks; // array of mark
    uint64_t size;   // bytes
    uint64_t facts;  // of names, sizes and times; the same in any order of the files
} seen;

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

// Eight bytes at a time: all files are read at every start.
static uint64_t hash_block(const unsigned char *block, size_t size, uint64_t hash)
{
    uint64_t word;
    size_t k = 0;
    for (; k + sizeof word <= size; k += sizeof word) {
        memcpy(&word, block + k, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, block + k, size - k);
    return mix(mix(hash, word), size);
}

static uint64_t hash_file(const char *path)
{
    static unsigned char block[1 << 18];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    uint64_t hash = 0;
    ssize_t got;
    while (file >= 0 && (got = read(file, block, sizeof block)) > 0)
        hash = hash_block(block, (size_t)got, hash);
    if (file >= 0)
        close(file);
    return hash;
}

static uint64_t hash_facts(const char *path, const struct stat *facts)
{
    const int64_t numbers[] = {facts->st_size, facts->st_mtim.tv_sec, facts->st_mtim.tv_nsec};
    return base_hash(numbers, sizeof numbers, base_hash(path, strlen(path), 0));
}

// Empty files only mark times and claim names.
static int see_file(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_F && facts->st_size > 0) {
        const char *name = path + strlen(folder);
        const mark it = {base_hash(name, strlen(name), 0), hash_file(path)};
        base_text_add_bytes(&seen.marks, (const char *)&it, sizeof it);
        seen.size += (uint64_t)facts->st_size;
        seen.facts += hash_facts(path, facts);
    }
    return 0;
}

static void look(void)
{
    base_text_free(&seen.marks);
    seen.size = seen.facts = 0;
    (void)nftw(folder, see_file, 16, FTW_PHYS);
}

static uint64_t facts_now;

static int see_facts(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)place;
    if (kind == FTW_F && facts->st_size > 0)
        facts_now += hash_facts(path, facts);
    return 0;
}

// Whether a file came, went or was written since the last look.
static bool has_changed(void)
{
    facts_now = 0;
    (void)nftw(folder, see_facts, 16, FTW_PHYS);
    return facts_now != seen.facts;
}

static mark mark_at(const base_text *marks, size_t index)
{
    mark it;
    memcpy(&it, marks->bytes + index * sizeof it, sizeof it);
    return it;
}

// Whether a file is as it was when sealed. One that came later is another process's, which will seal it.
static bool is_as_sealed(const base_text *seal, mark now)
{
    for (size_t k = 0; k < seal->length / sizeof now; k++) {
        const mark then = mark_at(seal, k);
        if (then.path == now.path)
            return then.content == now.content;
    }
    return true;
}

static bool is_sound(void)
{
    base_text seal = {0};
    look();
    bool sound = cache_load("seal", seal_key, &seal) && seen.size <= FOLDER_MOST;
    for (size_t k = 0; sound && k < seen.marks.length / sizeof(mark); k++)
        sound = is_as_sealed(&seal, mark_at(&seen.marks, k));
    base_text_free(&seal);
    return sound;
}

void cli_pocl_seal(void)
{
    if (folder[0] == 0 || is_temporary || !has_changed())
        return;
    look();
    if (base_text_status(&seen.marks) == SHEAF_OK)
        cache_store("seal", seal_key, base_text_get(&seen.marks), seen.marks.length);
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
    if (!is_temporary)
        folder[0] = 0;
}

// The lock is taken alone when nobody else has the folder in use; then it can be emptied.
static bool take_lock(bool *is_alone)
{
    char path[CACHE_PATH_SIZE + 8];
    snprintf(path, sizeof path, "%s.lock", folder);
    lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    *is_alone = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0;
    return lock >= 0 && (*is_alone || flock(lock, LOCK_SH) == 0);
}

// What is in the folder is run as part of this process: a folder that others may write to, or a link that leads out of
// the cache, is not even looked into.
static bool find_folder(void)
{
    bool is_alone;
    if (!cache_folder(folder) || strlen(folder) + sizeof "/pocl.lock" > sizeof folder)
        return false;
    memcpy(folder + strlen(folder), "/pocl", sizeof "/pocl");
    if (!cache_has_folder(folder) || !take_lock(&is_alone))
        return false;
    bool sound = is_sound();
    if (!sound && is_alone) {
        remove_folder();
        cache_store("seal", seal_key, "", 0);
        sound = true;
    }
    return cache_has_folder(folder) && flock(lock, LOCK_SH) == 0 && sound;
}

void cli_pocl_open(void)
{
    if (!find_folder() || !use())
        cli_pocl_start_afresh();
}

void cli_pocl_close(void)
{
    cli_pocl_seal();
    base_text_free(&seen.marks);
    if (is_temporary)
        remove_folder();
    if (lock >= 0)
        close(lock);
    lock = -1;
    folder[0] = 0;
}
