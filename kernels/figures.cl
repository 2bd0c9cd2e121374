// figures: figures of all strands, and of the whole population.

// Launch: as the fused kernel. No race: a bundle's figures (or a lane's) are written by the work-item that owns it.
// `bundle_count`: bundles on the device; `mass_scale`: mass of a vertex over its inertia.
ENTRY_POINT void figures(BUNDLE_PARAMETERS, __global lane *restrict figures_all, const uint bundle_count,
                         const REAL mass_scale)
{
    const uint lane_index = LANE_WIDTH == 1 ? (uint)get_local_id(0) : 0;
    const vec3 gravity = make3((lane)(settings[SETTING_GRAVITY]), (lane)(settings[SETTING_GRAVITY + 1]),
                               (lane)(settings[SETTING_GRAVITY + 2]));
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0)) {
        const bundle_view view = bundle_open(BUNDLE_ARGUMENTS, b, 0, 0);
        const strand_figures of = figures_measure(view, gravity, (lane)(mass_scale));
        for (int k = 0; k < FIGURE_SIZE; k++)
            figures_all[((size_t)k * bundle_count + b) * LANE_STRIDE + lane_index] = of.values[k];
    }
}

// Launch: one work-item per figure and segment of `segment` strands; work-group size 1. No race: each writes its own
// number. Sums are compensated (Neumaier), so that they hardly depend on how many strands there are.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void figures_reduce(
    __global const REAL *restrict figures_all, // [FIGURE_SIZE][place_count]
    __global const REAL *restrict weights,     // [place_count] 0: lanes that only fill a bundle
    __global REAL *restrict partials,          // [FIGURE_SIZE][segment_count]
    const uint place_count, const uint segment, const uint segment_count)
{
    const uint figure = (uint)get_global_id(0) / segment_count, index = (uint)get_global_id(0) % segment_count;
    const size_t first = (size_t)index * segment, most = min(first + segment, (size_t)place_count);
    __global const REAL *values = figures_all + (size_t)figure * place_count;
    REAL sum = 0, rest = 0, largest = 0;
    for (size_t k = first; k < most; k++) {
        const REAL value = weights[k] * values[k], next = sum + value;
        rest += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
        largest = value > largest ? value : largest;
    }
    partials[get_global_id(0)] = figure < FIGURE_SUMS ? sum + rest : largest;
}
