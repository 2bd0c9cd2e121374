// reduce: sums and largest numbers of long rows.
#ifndef SHEAF_KERNELS_LIB_REDUCE_CL
#define SHEAF_KERNELS_LIB_REDUCE_CL

#include "kernels/lib/lanes.clh"

// Launch: one work-item per row and segment of `segment` strands; work-group size 1. No race: each writes its own
// number. Sums are compensated (Neumaier), so that they hardly depend on how many strands there are.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void reduce_rows(
    __global const REAL *restrict values_all, // [row][place_count]
    __global const REAL *restrict weights,    // [place_count] 0: lanes that only fill a bundle
    __global REAL *restrict partials,         // [row][segment_count]
    const uint place_count, const uint segment, const uint segment_count, const uint period,
    const uint sums) // of every `period` rows the first `sums` are summed, of the others the largest is taken
{
    const uint row = (uint)get_global_id(0) / segment_count, index = (uint)get_global_id(0) % segment_count;
    const size_t first = (size_t)index * segment, most = min(first + segment, (size_t)place_count);
    __global const REAL *values = values_all + (size_t)row * place_count;
    REAL sum = 0, rest = 0, largest = 0;
    for (size_t k = first; k < most; k++) {
        const REAL value = weights[k] * values[k], next = sum + value;
        rest += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
        largest = value > largest ? value : largest;
    }
    partials[get_global_id(0)] = row % period < sums ? sum + rest : largest;
}

#endif
