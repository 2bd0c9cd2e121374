// npy: the header of NumPy arrays of reals.
#ifndef SHEAF_GROOM_NPY_H
#define SHEAF_GROOM_NPY_H

#include "groom/input.h"

enum { NPY_MOST_AXES = 4 };

typedef struct npy_shape {
    uint64_t size[NPY_MOST_AXES]; // of the axes; too large ones end as the largest, which no file holds
    int axes;
    bool is_double;
} npy_shape;

// Reads up to the first number. Takes little-endian reals of 4 or 8 bytes in C order.
sheaf_status npy_read_header(groom_input *input, npy_shape *shape);

#endif
