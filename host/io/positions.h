// positions: strands.csv, where vertices are: one row per vertex with strand, vertex, x, y, z.
#ifndef SHEAF_IO_POSITIONS_H
#define SHEAF_IO_POSITIONS_H

#include "model/model.h"

// Writes the positions of a model's strands under `path`, replacing an older file; they are numbered 0, stride, 2
// stride,
// ... Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status io_positions_write(const char *path, const sheaf_model *model, uint32_t stride,
                                const double (*positions)[3]);

// Whether single precision loses something that matters: half a step of it at the farthest of the points, or at
// `farthest` (m) where strands will come, is more than 1e-5 of the shortest edge. Then trajectories hold double, and
// strands.csv all digits.
bool io_positions_need_double(const uint64_t *first_vertex, uint32_t strand_count, const double (*positions)[3],
                              double farthest);

// What a file of positions holds.
typedef struct io_positions_summary {
    uint64_t strands;
    uint64_t vertices;
    double low[3], high[3]; // m; low above high: no vertex
} io_positions_summary;

// Adds a point to the bounds; start with io_bounds_none.
void io_bounds_none(double low[3], double high[3]);
void io_bounds_add(double low[3], double high[3], const double point[3]);

// Reads a file of positions. Rows up to the first bad one count; `problem` (size bytes) says what is wrong with the
// rest, or is empty. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT (not such a file).
sheaf_status io_positions_scan(const char *path, io_positions_summary *summary, char *problem, size_t size);

// Whether a file starts as one of these does.
bool io_positions_recognise(const char *start);

#endif
