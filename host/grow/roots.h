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
    GROW_STREAM_LAYER,
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

// Roots by the cell of a grid that they lie in: cells are found by their hash, and roots of all cells of one hash are a
// chain. All zero may be closed.
typedef struct roots_near {
    double cell; // m
    uint32_t mask;
    uint32_t *heads;  // [mask + 1]
    uint32_t *next;   // [root]
    grow_spot *spots; // [root]
} roots_near;

enum { ROOTS_MOST_NEAR = 256 };

// Takes roots in, to look for those near a point. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status roots_near_open(const grow_spot *spots, uint32_t count, double cell, roots_near *near);
void roots_near_close(roots_near *near);

// Roots nearer than `reach` (m) to a point, each once, in no order; at most ROOTS_MOST_NEAR. Returns how many.
uint32_t roots_near_find(const roots_near *near, const double point[3], double reach, uint32_t found[ROOTS_MOST_NEAR]);

#endif
