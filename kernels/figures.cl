// figures: figures of all strands, and of the whole population.

// Launch: as the fused kernel. No race: a bundle's figures (or a lane's) are written by the work-item that owns it.
// `bundle_count`: bundles on the device.
ENTRY_POINT void figures(BUNDLE_PARAMETERS, __global lane *restrict figures_all, const uint bundle_count)
{
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0)) {
        const bundle_view view = bundle_open(BUNDLE_ARGUMENTS, b, 0, 0);
        figures_store(&view, figures_all, bundle_count, b);
    }
}

// Launch: one work-item per row and segment of `segment` strands; work-group size 1. No race: each writes its own
// number. Sums are compensated (Neumaier), so that they hardly depend on how many strands there are.
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void figures_reduce(
    __global const REAL *restrict figures_all, // [note][FIGURE_SIZE][place_count]
    __global const REAL *restrict weights,     // [place_count] 0: lanes that only fill a bundle
    __global REAL *restrict partials,          // [note][FIGURE_SIZE][segment_count]
    const uint place_count, const uint segment, const uint segment_count)
{
    const uint row = (uint)get_global_id(0) / segment_count, index = (uint)get_global_id(0) % segment_count;
    const size_t first = (size_t)index * segment, most = min(first + segment, (size_t)place_count);
    __global const REAL *values = figures_all + (size_t)row * place_count;
    REAL sum = 0, rest = 0, largest = 0;
    for (size_t k = first; k < most; k++) {
        const REAL value = weights[k] * values[k], next = sum + value;
        rest += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
        sum = next;
        largest = value > largest ? value : largest;
    }
    partials[get_global_id(0)] = row % FIGURE_SIZE < FIGURE_SUMS ? sum + rest : largest;
}
