// map: numbers over a rectangle, from pictures (.pgm) or arrays (.npy): heights of ground, densities of growth.
#ifndef SHEAF_GROW_MAP_H
#define SHEAF_GROW_MAP_H

#include "base/base.h"

// All zero is no map.
typedef struct grow_map {
    uint32_t width, height; // at least 2
    float *values;          // [height][width], the first row at the top: v = 1
} grow_map;

enum { GROW_MAP_MOST = 1 << 15 }; // numbers to a side

// Reads a picture of grey values (.pgm, as shares of white) or an array of reals of two axes (.npy). Returns SHEAF_OK,
// SHEAF_ERR_INPUT, SHEAF_ERR_IO, SHEAF_ERR_MEMORY; the map is none on failure.
sheaf_status grow_map_open(const char *path, grow_map *map);

// The same from bytes that stay the caller's; `name` is for messages.
sheaf_status grow_map_open_memory(const void *bytes, size_t size, const char *name, grow_map *map);
void grow_map_free(grow_map *map);

// Least and largest value.
void grow_map_range(const grow_map *map, double *least, double *most);

// Value at (u, v), straight between the numbers, the corner ones lying at 0 and 1; beyond those as at the border.
// `slope` (may be NULL) receives its change per u and per v.
double grow_map_at(const grow_map *map, double u, double v, double slope[2]);

#endif
