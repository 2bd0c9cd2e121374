// pushed: whole time steps in one kernel, one step per launch, of strands that something pushes at every vertex: an
// acceleration, and a share of the wind. Pushes are worked out between the steps by what couples strands loosely, such
// as a volume on a grid (kernels/couple/volume.cl). With no push and all of the wind it gives the bits of step_fused.
//
// Launch: as step_fused. No race: a bundle (or each of its lanes) is touched by one work-item; scratch, which keeps the
// pushes during the step, belongs to the work-item.

#define Z_KEPT 4 // PUSH_SIZE
#define PUSHED_BY(rule, i, push) fma3((rule).load, z_load3(i, Z_OWN + PUSH_ACCELERATION), push)
#define SHIELD_AIR(v) push_shield(v->scratch, v->vertex_count)

#include "kernels/der/form.clh"
#include "kernels/der/layout.clh"
#include "kernels/der/slots.clh"
#include "kernels/lib/lanes.clh"
#include "kernels/lib/rows.clh"
#include "kernels/lib/vectors.clh"

// Leaves every vertex its share of the air that was measured there.
INLINE void push_shield(__global lane *scratch, const int vertex_count)
{
    for (int i = 0; i < vertex_count; i++)
        z_store3(i, Z_AIR, scale3(Z1(i, Z_OWN + PUSH_SHARE), z_load3(i, Z_AIR)));
}

#include "kernels/der/bundle.clh"
#include "kernels/der/notes.clh"
#include "kernels/der/step.clh"

// Takes the pushes of a bundle to its scratch.
VERB void push_load(PART_BUNDLE, __global const lane *push)
{
    OPEN_VIEW(v);
    __global lane *scratch = v->scratch;
    for (int i = 0; i < v->vertex_count; i++)
        for (int c = 0; c < PUSH_SIZE; c++)
            Z1(i, Z_OWN + c) = AT(push, PUSH_SIZE, i, c);
}

// `push_all`: [slot][PUSH_SIZE] of all bundles, PUSH_*. Steps beyond the first would have the same pushes; notes are
// not taken.
ENTRY_POINT void step_pushed(BUNDLE_PARAMETERS, const uint step_count, NOTE_PARAMETERS,
                             __global const lane *restrict push_all)
{
    ALIGN_STACK;
    KEEP_LAUNCH;
    const uint lane_index = LANE_WIDTH == 1 ? (uint)get_local_id(0) : 0;
    for (uint b = bundle_first + get_group_id(0); b < bundle_end; b += get_num_groups(0))
        for (uint ahead = 0; ahead < step_count; ahead++) {
            const bundle_chosen view = OPEN_BUNDLE(b, get_group_id(0), ahead, 0);
            push_load(BUNDLE_OF(&view), push_all + (size_t)bundles[b].x * PUSH_SIZE * LANE_STRIDE + lane_index);
            step_implicit(BUNDLE_OF(&view));
        }
}
