// law_probe: evaluations of a material law and of nothing else, to be timed.
//
// Launch: one dimension, work-groups as of the fused kernel. No race: a work-item writes a place of its own.

#include "kernels/der/law.clh"
#include "kernels/lib/lanes.clh"

#if LAW_SIZE
// `rounds` times the first curve of the first law at four strains, 1/m, value and slope. Each
// strain depends a little on what came before, so that no evaluation can be left out; the four chains do not wait for
// each other.
ENTRY_POINT void law_probe(__global lane *restrict results, const uint rounds)
{
    const lane start = (lane)((REAL)get_group_id(0)), s = C(0.0);
    lane x0 = start, x1 = start + C(10.0), x2 = start + C(20.0), x3 = start + C(30.0);
    for (uint k = 0; k < rounds; k++) {
        const law_line a = law_1_0(x0, s), b = law_1_0(x1, s), c = law_1_0(x2, s), d = law_1_0(x3, s);
        x0 = fma(a.slope, C(0.5), a.value);
        x1 = fma(b.slope, C(0.5), b.value);
        x2 = fma(c.slope, C(0.5), c.value);
        x3 = fma(d.slope, C(0.5), d.value);
    }
    results[LANE_WIDTH == 1 ? get_global_id(0) : get_group_id(0)] = x0 + x1 + x2 + x3;
}
#endif
