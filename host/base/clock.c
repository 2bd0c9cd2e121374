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

// Tables for eight bytes at a time: entry [k][b] is what byte b does when k bytes follow it.
static void fill_crc_tables(uint32_t tables[8][256])
{
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
        tables[0][b] = crc;
    }
    for (int k = 1; k < 8; k++)
        for (uint32_t b = 0; b < 256; b++)
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
}

uint32_t base_crc32c(const void *bytes, size_t size, uint32_t start)
{
    uint32_t tables[8][256], crc = ~start;
    const unsigned char *byte = bytes;
    fill_crc_tables(tables);
    for (; size >= 8; size -= 8, byte += 8) {
        const uint32_t low =
            crc ^ ((uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24);
        crc = tables[7][low & 0xff] ^ tables[6][low >> 8 & 0xff] ^ tables[5][low >> 16 & 0xff] ^ tables[4][low >> 24] ^
              tables[3][byte[4]] ^ tables[2][byte[5]] ^ tables[1][byte[6]] ^ tables[0][byte[7]];
    }
    for (; size > 0; size--, byte++)
        crc = (crc >> 8) ^ tables[0][(crc ^ *byte) & 0xff];
    return ~crc;
}
