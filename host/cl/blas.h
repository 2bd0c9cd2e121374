// blas: dot products and largest elements of vectors on a device, by CLBlast or clBLAS, whichever the build found.
// Nothing else knows of either.
#ifndef SHEAF_CL_BLAS_H
#define SHEAF_CL_BLAS_H

#include "cl/device.h"

// "CLBlast", "clBLAS", or NULL: the build found none.
const char *blas_name(void);

// Buffers for results and scratch, and what the library's self-check told of it.
typedef struct blas {
    cl_command_queue queue;
    bool is_double;
    cl_mem result;  // one number
    cl_mem index;   // one unsigned int
    cl_mem scratch; // clBLAS: two numbers per element
    cl_mem vector;  // a copy of the vector whose largest element is sought: CLBlast before 1.6 adds offsets to indices
    cl_uint first;  // index of a vector's first element, as the library counts
    bool is_open;   //
} blas;

// Opens the library for vectors of up to `count` numbers and lets it show that it computes right; SHEAF_ERR_DEVICE when
// it does not, or there is none.
sheaf_status blas_open(cl_context context, cl_command_queue queue, bool is_double, size_t count, blas *it);
void blas_close(blas *it);

// x . y and max |x_i| of `count` numbers from element x_first of x on. Both wait.
sheaf_status blas_dot(const blas *it, size_t count, cl_mem x, size_t x_first, cl_mem y, double *result);
sheaf_status blas_largest(const blas *it, size_t count, cl_mem x, size_t x_first, double *result);

#endif
