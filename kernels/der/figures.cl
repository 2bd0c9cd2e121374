// figures: figures of all strands, and of the whole population.

#include "kernels/der/bundle.clh"
#include "kernels/der/figures.clh"
#include "kernels/lib/lanes.clh"
#include "kernels/lib/reduce.cl"

// Launch: as the fused kernel. No race: a bundle's figures (or a lane's) are written by the work-item that owns it.
// `bundle_count`: bundles on the device.
ENTRY_POINT void figures(BUNDLE_PARAMETERS, __global lane *restrict figures_all, const uint bundle_count)
{
    KEEP_LAUNCH;
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0)) {
        const bundle_chosen view = OPEN_BUNDLE(b, 0, 0, 0);
        figures_store(BUNDLE_OF(&view), figures_all, bundle_count, b);
    }
}
