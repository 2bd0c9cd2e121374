// memory: the library's only source of memory, behind the user's allocator.
#include "base/base.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void *default_allocate(size_t size, void *user)
{
    (void)user;
    return malloc(size);
}

static void *default_reallocate(void *memory, size_t size, void *user)
{
    (void)user;
    return realloc(memory, size);
}

static void default_release(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static const sheaf_allocator default_allocator = {default_allocate, default_reallocate, default_release, NULL};
static sheaf_allocator current = {default_allocate, default_reallocate, default_release, NULL};
static atomic_size_t live_blocks; // guards against releasing a block by an allocator that did not make it

sheaf_status sheaf_allocator_set(const sheaf_allocator *allocator)
{
    const size_t live = atomic_load(&live_blocks);
    if (live != 0)
        return base_fail(SHEAF_ERR_USAGE,
                         "sheaf_allocator_set: %zu blocks of the old allocator are in use; free all objects first",
                         live);
    if (allocator != NULL && (!allocator->allocate || !allocator->reallocate || !allocator->release))
        return base_fail(SHEAF_ERR_USAGE, "sheaf_allocator_set: all three functions are needed");
    current = allocator ? *allocator : default_allocator;
    return SHEAF_OK;
}

static bool byte_count(size_t count, size_t size, size_t *bytes)
{
    if (__builtin_mul_overflow(count, size, bytes)) {
        base_fail(SHEAF_ERR_MEMORY, "%zu objects of %zu bytes are more than this machine can address", count, size);
        return false;
    }
    *bytes += *bytes == 0;
    return true;
}

void *base_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!byte_count(count, size, &bytes))
        return NULL;
    void *memory = current.allocate(bytes, current.user);
    if (memory == NULL) {
        base_fail(SHEAF_ERR_MEMORY, "out of memory: %zu bytes asked for", bytes);
        return NULL;
    }
    atomic_fetch_add(&live_blocks, 1);
    return memset(memory, 0, bytes);
}

void *base_realloc(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (memory == NULL)
        return base_alloc(count, size);
    if (!byte_count(count, size, &bytes))
        return NULL;
    void *grown = current.reallocate(memory, bytes, current.user);
    if (grown == NULL)
        base_fail(SHEAF_ERR_MEMORY, "out of memory: %zu bytes asked for", bytes);
    return grown;
}

void base_free(void *memory)
{
    if (memory == NULL)
        return;
    current.release(memory, current.user);
    atomic_fetch_sub(&live_blocks, 1);
}

char *base_strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = base_alloc(size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}
