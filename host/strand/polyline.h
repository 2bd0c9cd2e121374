// polyline: a strand's shape as edges with frames; what rest quantities are measured on.
#ifndef SHEAF_STRAND_POLYLINE_H
#define SHEAF_STRAND_POLYLINE_H

#include "base/base.h"

typedef struct polyline {
    uint32_t vertex_count;
    uint32_t edge_count; // vertex_count when closed, else one less
    const double (*point)[3];
    double *length;        // [edge] m
    double (*tangent)[3];  // [edge] unit
    double (*director)[3]; // [edge] unit, material director 1
    double closing_angle;  // rad, closed: from the last Bishop vector, transported over vertex 0, to the first
    double closing_turn;   // rad, closed: the same between material frames; the discrete twist at vertex 0
} polyline;

// Fills lengths and tangents. SHEAF_ERR_INPUT when neighbouring vertices coincide or edges fold back on each other;
// the message starts with `where` and names the vertex.
sheaf_status polyline_measure(polyline *line, const char *where);

// Fills directors: `first` (unit, normal to edge 0) carried along by parallel transport and turned about the tangent by
// `twist` rad/m. Sets the closing angles.
void polyline_frame(polyline *line, const double first[3], double twist);

// Material curvature at interior vertex i, on the edge before and the edge after: w_i^j = (kb.m2^j, -kb.m1^j), rad.
void polyline_curvature(const polyline *line, uint32_t i, double w[2][2]);

static inline bool polyline_is_closed(const polyline *line)
{
    return line->edge_count == line->vertex_count;
}

static inline uint32_t polyline_edge_before(const polyline *line, uint32_t i)
{
    return i > 0 ? i - 1 : line->edge_count - 1;
}

// Interior vertices are first .. end - 1.
static inline uint32_t polyline_interior_first(const polyline *line)
{
    return polyline_is_closed(line) ? 0 : 1;
}

static inline uint32_t polyline_interior_end(const polyline *line)
{
    return polyline_is_closed(line) ? line->vertex_count : line->vertex_count - 1;
}

#endif
