// random: Philox4x32-10 by Random123: a number is a function of (seed, stream, index), not of what was drawn before.
#include "base/base.h"

#include <Random123/philox.h>
#include <math.h>

void base_random4(uint64_t seed, uint32_t stream, uint64_t index, uint32_t words[4])
{
    const philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t counter = {{(uint32_t)index, (uint32_t)(index >> 32), stream, 0}};
    const philox4x32_ctr_t drawn = philox4x32(counter, key);
    for (int k = 0; k < 4; k++)
        words[k] = drawn.v[k];
}

void base_uniform4(uint64_t seed, uint32_t stream, uint64_t index, double numbers[4])
{
    uint32_t words[4];
    base_random4(seed, stream, index, words);
    for (int k = 0; k < 4; k++)
        numbers[k] = words[k] * 0x1p-32;
}

void base_normal2(uint64_t seed, uint32_t stream, uint64_t index, double numbers[2])
{
    uint32_t words[4];
    base_random4(seed, stream, index, words);
    const double radius = sqrt(-2 * log((words[0] + 0.5) * 0x1p-32)); // the half keeps the logarithm finite
    const double angle = 2 * 3.14159265358979323846 * (words[1] * 0x1p-32);
    numbers[0] = radius * cos(angle);
    numbers[1] = radius * sin(angle);
}
