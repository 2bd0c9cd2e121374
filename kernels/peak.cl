// peak: what a device does at best: multiply-adds in registers, and copies through memory. Benchmarks state the cost of a
// step in units of the first.
//
// Launch: one dimension, work-groups as of the fused kernel. No race: a work-item writes places of its own.

#define PEAK_CHAINS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define PEAK_START(k) lane x##k = start + (lane)(k);
#define PEAK_STEP(k) x##k = fma(x##k, shrink, shift);
#define PEAK_SUM(k) sum = sum + x##k;

// `rounds` multiply-adds in each of twelve chains that do not wait for each other, all in registers of their own names (a
// loop over an array would run from memory).
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

// Copies `count` lane values. A vector work-item copies a stretch of its own, scalar ones take neighbouring words.
ENTRY_POINT void peak_copy(__global const lane *restrict from, __global lane *restrict to, const uint count)
{
#if LANE_WIDTH == 1
    for (uint k = get_global_id(0); k < count; k += get_global_size(0))
        to[k] = from[k];
#else
    const uint stretch = (count + get_num_groups(0) - 1) / get_num_groups(0), first = get_group_id(0) * stretch;
    const uint end = min(first + stretch, count);
    for (uint k = first; k < end; k++)
        to[k] = from[k];
#endif
}
