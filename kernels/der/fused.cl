// fused: whole time steps in one kernel, for populations whose strands do not touch each other.
//
// Launch: one dimension. LANE_WIDTH > 1: a work-item owns a bundle at a time and walks over the bundles first + gid,
// first + gid + gsize, ...; work-group size 1. LANE_WIDTH 1: a work-group of BUNDLE_WIDTH work-items owns a bundle, one
// strand each. No race: a bundle (or each of its lanes) is touched by one work-item, and so are its rows of a note;
// scratch belongs to the work-item.

#include "kernels/der/bundle.clh"
#include "kernels/der/figures.clh"
#include "kernels/der/figures_slots.clh"
#include "kernels/der/form.clh"
#include "kernels/der/notes.clh"
#include "kernels/der/slots.clh"
#include "kernels/der/step.clh"
#include "kernels/lib/lanes.clh"

ENTRY_POINT void step_fused(BUNDLE_PARAMETERS, const uint step_count, NOTE_PARAMETERS)
{
    ALIGN_STACK;
    KEEP_LAUNCH;
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0)) {
        uint note = note_first;
        for (uint ahead = 0; ahead < step_count; ahead++) {
#if INTEGRATOR == INTEGRATOR_EXPLICIT
            const bundle_chosen view = OPEN_BUNDLE(b, get_group_id(0), ahead, 0);
            step_explicit(BUNDLE_OF(&view));
#else
            step_parts(LAUNCH_ARGUMENTS, b, get_group_id(0), ahead, 0, STEP_PARTS - 1);
            const bundle_chosen view = OPEN_BUNDLE(b, get_group_id(0), ahead, 0);
#endif
            if ((noted >> ahead & 1) == 0)
                continue;
            const size_t places = (size_t)note * note_bundles;
            figures_store(BUNDLE_OF(&view), note_figures + places * FIGURE_SIZE * LANE_STRIDE, note_bundles, b);
            if (note_slots > 0)
                note_pose(BUNDLE_OF(&view), note_edges + (size_t)note * note_slots * 3 * LANE_STRIDE,
                          note_root_places + places * PLACE_SIZE * LANE_STRIDE, bundles[b].x, b);
            note++;
        }
    }
}
