// clock: wall time and hashes.
#include "base/base.h"

#include <time.h>

#define TEXT_OF(number) TEXT_OF_VALUE(number)
#define TEXT_OF_VALUE(number) #number

const char *sheaf_version(void)
{
    return TEXT_OF(SHEAF_VERSION_MAJOR) "." TEXT_OF(SHEAF_VERSION_MINOR) "." TEXT_OF(SHEAF_VERSION_PATCH);
}

double base_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

uint64_t base_hash(const void *bytes, size_t size, uint64_t start)
{
    const unsigned char *byte = bytes;
    uint64_t hash = start ^ 0xcbf29ce484222325u;
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ byte[k]) * 0x100000001b3u;
    return hash;
}
