// words: words of OpenCL C for host compilers, so that the text of the kernels compiles as C11 and as C++17. Whoever
// includes this has defined the form's macros (kernels/*.clh ask for them) and then gives the lane type and its
// functions.
#ifndef SHEAF_TWIN_WORDS_H
#define SHEAF_TWIN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#define __global
#define ENTRY_POINT static __attribute__((unused))
#define INLINE static inline __attribute__((unused))
#define PART INLINE
#define BUNDLE_PART INLINE
#define VERB INLINE
#define OPENS_ANEW 0
#define ALIGN_STACK (void)0
#ifdef __cplusplus
#define restrict __restrict
#endif

typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct {
    uint x, y, z, w;
} uint4;

// One work-item at a time, as on a device with one strand per work-item; lanes of a bundle are run one after the other.
#define LANE_WIDTH 1
#define BUNDLE_WIDTH work_item.width
#define LANE_STRIDE BUNDLE_WIDTH
#define PRECISION_DOUBLE 0
#define REAL float

static struct {
    uint width; // strands of a bundle
    uint lane;
} work_item;

#define get_group_id(dimension) 0u
#define get_num_groups(dimension) 1u
#define get_local_id(dimension) work_item.lane

static inline int min(const int a, const int b)
{
    return a < b ? a : b;
}

static inline int max(const int a, const int b)
{
    return a > b ? a : b;
}

#endif
