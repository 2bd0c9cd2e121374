// surface: points of what strands grow on, drawn evenly.
#ifndef SHEAF_GROW_SURFACE_H
#define SHEAF_GROW_SURFACE_H

#include "grow/grow.h"

// A point of a surface, m, and its unit normal.
typedef struct grow_spot {
    double point[3], normal[3];
} grow_spot;

// Fills the derived fields. Returns SHEAF_OK, SHEAF_ERR_INPUT (a mesh without area), SHEAF_ERR_MEMORY.
sheaf_status surface_prepare(grow_surface *surface);
void surface_free(grow_surface *surface);

grow_spot surface_spot(const grow_surface *surface, const grow_root *root);

// m^2 that weights of 1 everywhere would stand for.
double surface_measure(const grow_surface *surface);

// The candidate of an index: a place, and a number uniform in [0, 1) to hold its weight against.
double surface_draw(const grow_surface *surface, uint64_t seed, uint32_t stream, uint64_t index, grow_root *root);

// How likely a candidate is kept so that those kept lie evenly, weighed by density and region; `*density` receives the
// part of it that is density. Without region, density and curvature 1 everywhere, which surface_is_even tells.
double surface_weight(const grow_def *def, const grow_root *root, const grow_spot *spot, double *density);
bool surface_is_even(const grow_def *def);

#endif
