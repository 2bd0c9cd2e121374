// grid: signed distances of a closed mesh on a regular grid, for what has to stay outside of it.
#ifndef SHEAF_MESH_GRID_H
#define SHEAF_MESH_GRID_H

#include "mesh/mesh.h"

#include <stdatomic.h>

// Never changes once baked; shared by all that hold it.
typedef struct mesh_grid {
    atomic_uint owners;
    uint32_t count[3]; // samples along x, y, z; at least 2 each
    double low[3];     // m, place of the first sample
    double cell;       // m, between samples
    float *distance;   // [z][y][x] m, negative inside
} mesh_grid;

enum { MESH_GRID_MOST = 1 << 24 }; // samples; single precision counts them exactly

// Works out the distances of a mesh whose points are in metres, with samples `cell` metres apart (0: a 48th of its
// longest side) and two cells of room around it. What the grid says is outside is outside the mesh; edges and corners
// stand out by up to half a cell. The mesh must be closed; it may consist of several pieces. Returns SHEAF_OK,
// SHEAF_ERR_INPUT (it is not closed), SHEAF_ERR_LIMIT (too many samples), SHEAF_ERR_MEMORY.
sheaf_status mesh_grid_bake(const mesh *m, double cell, mesh_grid **grid);

// Another owner of a grid, which may be NULL; and one owner less.
mesh_grid *mesh_grid_share(mesh_grid *grid);
void mesh_grid_release(mesh_grid *grid);

// Samples of a grid.
size_t mesh_grid_size(const mesh_grid *grid);

// Distance at a point, between the eight samples around it, and the direction in which it grows. Infinite outside the
// grid.
double mesh_grid_distance(const mesh_grid *grid, const double point[3], double direction[3]);

#endif
