// light: how much light reaches each place among the strands. A grid of cells, aligned with the light, holds what
// strands and bodies take away; sweeps along its axes sum that up. No pixel is spent on it, so that shadows are soft
// and cheap where graphics run on the processor.
#ifndef SHEAF_VIEW_LIGHT_H
#define SHEAF_VIEW_LIGHT_H

#include "view/subject.h"

typedef struct view_cell {
    float direct;  // share of the light's rays that arrive
    float ambient; // share of the light from all around
} view_cell;

typedef struct view_light {
    double toward[3];   // unit vector, to the light
    double axes[3][3];  // of the grid, the last one along `toward`
    double low[3];      // m, lowest corner in the axes' directions
    double cell;        // m
    uint32_t size[3];   // cells along the axes
    uint32_t most;      // cells along the longest axis
    float *taken;       // [z][y][x] optical depth of a cell
    view_cell *cells;   // [z][y][x]
    bool is_everywhere; // nothing casts a shadow

    // the ground around the strands
    double plane[2][3];   // axes along it
    double plane_low[2];  // m
    double texel;         // m
    uint32_t texels;      // along either axis
    float *ground, *blur; // [y][x] share of the light's rays that arrive, and scratch
} view_light;

// Room for grids of `cells` along the longest axis. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_light_open(view_light *light, uint32_t cells, uint32_t texels);
void view_light_close(view_light *light);

// Casts the shadows of a subject of this extent, whose strands are drawn at least 2 `half` (m) wide; `crowd`: strands
// of its crowd, as chosen last, that cast their own, 0: strands stand for those around them. Returns SHEAF_OK,
// SHEAF_ERR_MEMORY (no thread).
sheaf_status view_light_cast(view_light *light, const view_subject *subject, const view_extent *extent,
                             const double toward[3], double half, uint64_t crowd);

view_cell view_light_at(const view_light *light, const double point[3]);

#endif
