// comb: which way hair is combed at a place.
#ifndef SHEAF_GROW_COMB_H
#define SHEAF_GROW_COMB_H

#include "grow/surface.h"

// The way at a root, or at a point near it, of any length; 0 where nothing is said. Not yet along the surface.
void comb_way(const grow_def *def, const grow_root *root, const double point[3], double out[3]);

// The way that a mesh's vertices say, between those of a triangle.
void comb_of_triangle(const mesh *m, uint32_t triangle, const double weights[3], double out[3]);

// Takes from `vector` what it has along the unit vector `normal`, and makes it a unit vector; false: nothing is left to
// go by.
bool comb_take_across(double vector[3], const double normal[3]);

#endif
