// ribbons: strands as bands of triangles that turn towards the eye, or lie as flat sections do; made on the processor,
// which costs software graphics less than any other way to draw wide lines.
#ifndef SHEAF_VIEW_RIBBONS_H
#define SHEAF_VIEW_RIBBONS_H

#include "view/camera.h"
#include "view/light.h"

// A corner as the graphics take it. Vectors are packed, 10 bits for each component.
typedef struct view_corner {
    float position[3]; // m, from the eye, so that single precision does anywhere
    uint32_t tangent, normal, director;
    uint8_t colour[4]; // square roots of red, green, blue; then view_kind
    uint8_t light[4];  // direct, ambient, how far along the strand, whether the colour is to be read off as it is
} view_corner;

// Which strands are drawn, how finely and how wide.
typedef struct view_ribbons {
    uint32_t strand_step; // every how many-th strand
    uint32_t vertex_step; // every how many-th vertex of hair, besides its last
    uint32_t parts;       // pieces that an edge is drawn in, along a smooth curve
    double line;          // px, least width of strands
    double thinnest;      // px, that no strand's tip is below
    uint64_t corner_count, index_count;
    uint64_t hair_index_count; // of them, those of hair, which come first
    uint64_t *first_corner;    // [drawn strand + 1]
    uint32_t drawn;            // strands
    view_cell *light;          // [vertex] scratch
} view_ribbons;

typedef struct view_fineness {
    uint64_t most_corners; // that may be drawn
    uint32_t parts;        // most pieces of an edge
    double piece;          // px, length of a piece that is short enough
    uint32_t vertex_step;  // every how many-th vertex of hair; 0: all of them
    double thinnest;       // px, of strands; 0: as fine as samples show
} view_fineness;

// Plans the ribbons of a subject; may be called again for another. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_ribbons_plan(view_ribbons *ribbons, const view_subject *subject, view_fineness fineness);
void view_ribbons_free(view_ribbons *ribbons);

// Sets the least width of strands so that many of them cover a good part of the picture, and few are easy to see.
// `length` (m): of all strands together.
void view_ribbons_set_line(view_ribbons *ribbons, const view_subject *subject, double length, const view_eye *eye,
                           double distance);

// Writes the triangles' corner numbers, [index_count], which hold as long as the plan; and the corners, [corner_count].
void view_ribbons_index(const view_ribbons *ribbons, const view_subject *subject, uint32_t *indices);
sheaf_status view_ribbons_fill(view_ribbons *ribbons, const view_subject *subject, const view_eye *eye,
                               const view_light *light, view_corner *corners);

#endif
