// peak: what a device does at best: multiply-adds in registers, copies through memory, and tridiagonal systems, which
// should be solved as fast as they can be copied. Benchmarks state the cost of a step in units of the first.
//
// Launch: one dimension, work-groups as of the fused kernel. No race: a work-item writes places of its own.

#include "kernels/lib/lanes.clh"

#define PEAK_CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define PEAK_START(k) lane x##k = start + (lane)(k);
#define PEAK_STEP(k) x##k = fma(x##k, shrink, shift);
#define PEAK_SUM(k) sum = sum + x##k;

// `rounds` multiply-adds in each of twelve chains that do not wait for each other, all in registers of their own names
// (a loop over an array would run from memory).
ENTRY_POINT void peak_multiply(__global lane *restrict results, const uint rounds)
{
    const lane start = (lane)((REAL)get_group_id(0)), shrink = C(0.999), shift = C(0.01);
    PEAK_CHAINS(PEAK_START)
    for (uint k = 0; k < rounds; k++) {
        PEAK_CHAINS(PEAK_STEP)
    }
    lane sum = C(0.0);
    PEAK_CHAINS(PEAK_SUM)
    results[LANE_WIDTH == 1 ? get_global_id(0) : get_group_id(0)] = sum;
}

// The stretch of `count` things that belongs to this work-group.
INLINE uint stretch_first(const uint count)
{
    const uint stretch = (count + get_num_groups(0) - 1) / get_num_groups(0);
    return min((uint)get_group_id(0) * stretch, count);
}

INLINE uint stretch_end(const uint count)
{
    const uint stretch = (count + get_num_groups(0) - 1) / get_num_groups(0);
    return min((uint)get_group_id(0) * stretch + stretch, count);
}

// Copies `count` lane values, `rounds` times. A vector work-item copies a stretch of its own, scalar ones take
// neighbouring words.
ENTRY_POINT void peak_copy(__global const lane *restrict from, __global lane *restrict to, const uint count,
                           const uint rounds)
{
    for (uint round = 0; round < rounds; round++) {
#if LANE_WIDTH == 1
        for (uint k = get_global_id(0); k < count; k += get_global_size(0))
            to[k] = from[k];
#else
        for (uint k = stretch_first(count); k < stretch_end(count); k++)
            to[k] = from[k];
#endif
    }
}

// ---- tridiagonal systems

// Stores what is not read again soon: past the caches where the compiler can, as a cache would fetch the line first.
#if __has_builtin(__builtin_nontemporal_store) && !defined(PLAIN_WORDS)
#define STORE_PAST_CACHE(place, value) __builtin_nontemporal_store(value, place)
#else
#define STORE_PAST_CACHE(place, value) (*(place) = (value))
#endif

// Solves symmetric tridiagonal systems of an even number of rows, one per lane; arrays are [bundle][row][lane],
// coupling k joins rows k and k + 1. Rows are eliminated in pairs: with p the pivot of the first, d and c the diagonal
// of the second and the coupling between them, the second's pivot is (p d - c^2) / p, so that a division follows
// another only once in two rows. One bundle follows the other, so that devices fetch ahead: two bundles side by side,
// or rows taken from both ends, hide divisions better and are slower.
ENTRY_POINT void peak_tridiagonal(__global const lane *restrict diagonal, __global const lane *restrict coupling,
                                  __global const lane *restrict right, __global lane *restrict solution,
                                  __global lane *restrict scratch, /* [owner][2][row][lane] */
                                  const uint bundle_count, const uint row_count)
{
    const size_t lane_index = LANE_WIDTH == 1 ? get_local_id(0) : 0, size = (size_t)row_count * LANE_STRIDE;
    const size_t last = size - LANE_STRIDE;
    __global lane *restrict upper = scratch + get_group_id(0) * 2 * size + lane_index; // couplings over pivots
    __global lane *restrict share = upper + size;                                      // right sides over pivots
    for (uint bundle = stretch_first(bundle_count); bundle < stretch_end(bundle_count); bundle++) {
        const size_t first = bundle * size + lane_index;
        lane inverse = C(0.0), square = C(0.0), link = C(0.0), side = C(0.0); // of the row before
        for (size_t k = 0; k < size; k += 2 * LANE_STRIDE) {
            const size_t row = first + k, next = row + LANE_STRIDE;
            const lane pivot = fma(-square, inverse, diagonal[row]), above = fma(-link, side, right[row]);
            const lane across = coupling[row], product = fma(pivot, diagonal[next], -across * across);
            const lane pivot_inverse = C(1.0) / pivot, ratio = across * pivot_inverse;
            upper[k] = ratio;
            share[k] = above * pivot_inverse;
            inverse = pivot / product;
            square = coupling[next] * coupling[next];
            link = coupling[next] * inverse;
            side = fma(-ratio, above, right[next]);
            upper[k + LANE_STRIDE] = link;
            share[k + LANE_STRIDE] = side * inverse;
        }
        lane x = share[last];
        STORE_PAST_CACHE(solution + first + last, x);
        for (size_t k = last; k > 0; k -= LANE_STRIDE) {
            x = fma(-upper[k - LANE_STRIDE], x, share[k - LANE_STRIDE]);
            STORE_PAST_CACHE(solution + first + k - LANE_STRIDE, x);
        }
    }
}
