// roots: places of roots on a surface: random, but apart (blue noise).
#ifndef SHEAF_GROW_ROOTS_H
#define SHEAF_GROW_ROOTS_H

#include "grow/surface.h"

// Streams of random numbers, one for each thing drawn. Middles of groups take those of their level on top.
enum {
    GROW_STREAM_AREA = 1,
    GROW_STREAM_ROOT,
    GROW_STREAM_LENGTH,
    GROW_STREAM_CURL_RADIUS,
    GROW_STREAM_CURL_PITCH,
    GROW_STREAM_TILT,
    GROW_STREAM_LAY,
    GROW_STREAM_TURN,
    GROW_STREAM_RADIUS,
    GROW_STREAM_STIFFNESS,
    GROW_STREAM_MORE,
    GROW_STREAMS_OF_LEVEL = 32,
};

static inline uint32_t roots_stream(int level, uint32_t stream)
{
    return stream + GROW_STREAMS_OF_LEVEL * (uint32_t)(level + 1);
}

// Area in which strands grow, weighed by density, m^2. Returns SHEAF_OK, SHEAF_ERR_INPUT (next to none).
sheaf_status roots_measure(const grow_def *def, double *area);

// `count` places, with the random numbers of a stream. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status roots_place(const grow_def *def, double area, uint32_t stream, uint32_t count, grow_root *roots);

// `more` further places between `roots`, on the same surface and by its densities, each as far from all before as their
// growing number allows: any first part of them lies evenly. `seed` chooses them; `roots` do not depend on them.
sheaf_status roots_add(const grow_def *def, double area, const grow_root *roots, uint32_t count, uint64_t seed,
                       uint32_t more, grow_spot *spots);

// Notes for every root which of the middles is nearest, as its group of a level.
sheaf_status roots_group(const grow_def *def, double area, const grow_root *middles, uint32_t middle_count, int level,
                         grow_root *roots, uint32_t count);

#endif
