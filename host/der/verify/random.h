// random: numbers that make up test strands; the same on every machine.
#ifndef SHEAF_DER_VERIFY_RANDOM_H
#define SHEAF_DER_VERIFY_RANDOM_H

#include "base/base.h"
#include "base/vec.h"

// One stream of the library's generator.
typedef struct verify_random {
    uint64_t seed;
    uint32_t stream;
    uint64_t next;
} verify_random;

static inline double random_between(verify_random *random, double low, double high)
{
    double numbers[4];
    base_uniform4(random->seed, random->stream, random->next++, numbers);
    return low + (high - low) * numbers[0];
}

// 0 .. count - 1
static inline uint32_t random_below(verify_random *random, uint32_t count)
{
    return (uint32_t)random_between(random, 0, count);
}

static inline bool random_bool(verify_random *random)
{
    return random_below(random, 2) == 1;
}

// Each component between -size and size.
static inline void random_vector(verify_random *random, double size, double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = random_between(random, -size, size);
}

static inline void random_direction(verify_random *random, double out[3])
{
    do
        random_vector(random, 1, out);
    while (vec_length(out) > 1 || vec_length(out) < 0.1);
    vec_unit(out, out);
}

#endif
