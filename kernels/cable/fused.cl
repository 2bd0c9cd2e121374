// fused: whole time steps of cables that share no body, in one kernel.
//
// Launch: one dimension. LANE_WIDTH > 1: a work-item owns a bundle at a time and walks over the bundles first + gid,
// first + gid + gsize, ...; work-group size 1. LANE_WIDTH 1: a work-group of BUNDLE_WIDTH work-items owns a bundle, one
// cable each. No race: a bundle (or each of its lanes) is touched by one work-item, and so are its rows of a note;
// scratch belongs to the work-item.

#include "kernels/cable/bundle.clh"
#include "kernels/cable/figures.clh"
#include "kernels/cable/figures_slots.clh"
#include "kernels/cable/slots.clh"
#include "kernels/cable/step.clh"
#include "kernels/lib/lanes.clh"
#include "kernels/lib/rows.clh"

// Parameters of a kernel that takes notes, after its others. A note is a step's figures and, on wish, its pose.
#define NOTE_PARAMETERS                                                                                                \
    const ulong noted,                        /* bit k: a note is taken after step k of the launch */                  \
        const uint note_first,                /* place of the first of them */                                         \
        const uint note_bundles,              /* bundles on the device */                                              \
        const uint note_slots,                /* and their slots; 0: poses are not wanted */                           \
        __global lane *restrict note_figures, /* [note][FIGURE_SIZE][bundle] */                                        \
        __global lane *restrict note_poses,   /* [note][slot][4] */                                                    \
        __global lane *restrict note_gaps,    /* [note][slot][3] m */                                                  \
        __global lane *restrict note_places   /* [note][bundle][PLACE_SIZE] m */

// Copies `size` numbers of `rows` rows, which begin at row `first` of the note's array.
INLINE void note_rows(__global const lane *from, __global lane *to, const size_t first, const int rows, const int size)
{
    const uint lane_index = LANE_WIDTH == 1 ? (uint)get_local_id(0) : 0;
    __global lane *at = to + first * (size_t)size * LANE_STRIDE + lane_index;
    for (int k = 0; k < rows * size; k++)
        at[(size_t)k * LANE_STRIDE] = from[(size_t)k * LANE_STRIDE];
}

ENTRY_POINT void step_fused(BUNDLE_PARAMETERS, const uint step_count, NOTE_PARAMETERS)
{
    ALIGN_STACK;
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0)) {
        uint note = note_first;
        for (uint ahead = 0; ahead < step_count; ahead++) {
            const cable_view view = bundle_open(BUNDLE_ARGUMENTS, b, get_group_id(0), ahead);
            step_cable(&view);
            if ((noted >> ahead & 1) == 0)
                continue;
            figures_store(&view, note_figures + (size_t)note * note_bundles * FIGURE_SIZE * LANE_STRIDE, note_bundles,
                          b);
            if (note_slots > 0) {
                const size_t slot = (size_t)note * note_slots + bundles[b].x;
                note_rows(view.pose, note_poses, slot, view.last + 1, 4);
                note_rows(view.gap, note_gaps, slot, view.last + 1, 3);
                note_rows(view.place, note_places, (size_t)note * note_bundles + b, 1, PLACE_SIZE);
            }
            note++;
        }
    }
}
