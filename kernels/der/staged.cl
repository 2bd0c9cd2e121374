// staged: the same step, one kernel per stage, for tests, profiles and scenes whose stages need other strands.
//
// Launch: one dimension, one work-item (LANE_WIDTH > 1, work-group size 1) or one work-group of BUNDLE_WIDTH work-items
// (LANE_WIDTH 1) per bundle of first .. end - 1. No race: a bundle (or each of its lanes) is touched by one work-item,
// and its scratch, which carries the step from stage to stage, belongs to it. `ahead`: step of this launch's motions;
// `iteration`: Newton iteration or projection; bundles none of whose lanes take part in it are left alone.

#include "kernels/der/bundle.clh"
#include "kernels/der/integrate.clh"
#include "kernels/der/step.clh"
#include "kernels/lib/lanes.clh"

// A stage, as a part of its own for the same reason as those of the fused kernel (lanes.clh).
#define STAGE(name, part)                                                                                              \
    BUNDLE_PART void name##_part(PART_BUNDLE, const int iteration)                                                     \
    {                                                                                                                  \
        OPEN_VIEW(view);                                                                                               \
        part;                                                                                                          \
    }                                                                                                                  \
    ENTRY_POINT void name(BUNDLE_PARAMETERS, const uint ahead, const int iteration)                                    \
    {                                                                                                                  \
        KEEP_LAUNCH;                                                                                                   \
        const uint owner = get_group_id(0);                                                                            \
        if (bundle_first + owner >= bundle_end)                                                                        \
            return;                                                                                                    \
        const bundle_chosen view = OPEN_BUNDLE(bundle_first + owner, owner, ahead, 0);                                 \
        name##_part(BUNDLE_OF(&view), iteration);                                                                      \
    }

// A stage inside the Newton loop: unmasked in the first iteration.
#define ITERATED_STAGE(name, unmasked_part, masked_part)                                                               \
    STAGE(name, if (iteration == 0) unmasked_part; else if (mask_any(step_wants(view))) masked_part)

// Target of every free vertex; root to its place.
STAGE(stage_guess, step_guess(BUNDLE_OF(view)))

// Air at every vertex.
STAGE(stage_wind, step_wind(BUNDLE_OF(view)))

// Which lanes take part in this Newton iteration.
STAGE(stage_newton, step_newton_goes_on(BUNDLE_OF(view), iteration))

ITERATED_STAGE(stage_frames, step_frames(BUNDLE_OF(view), false), step_frames(BUNDLE_OF(view), true))
ITERATED_STAGE(stage_curvature, step_curvature(BUNDLE_OF(view), false), step_curvature(BUNDLE_OF(view), true))
ITERATED_STAGE(stage_twist, step_twist(BUNDLE_OF(view), false), step_twist(BUNDLE_OF(view), true))
ITERATED_STAGE(stage_contact, step_contact(BUNDLE_OF(view), true, false), step_contact(BUNDLE_OF(view), false, true))
ITERATED_STAGE(stage_assemble, step_assemble(BUNDLE_OF(view)), step_assemble(BUNDLE_OF(view)))
ITERATED_STAGE(stage_solve, step_solve(view, false), step_solve(view, true))

// One projection, after finding which lanes take part in it.
INLINE void project_by_itself(const bundle_view *view, const int iteration)
{
    const bool goes_on = step_projection_goes_on(BUNDLE_OF(view), iteration);
    if (iteration < view->plan.project_least)
        step_project(view, false);
    else if (goes_on)
        step_project(view, true);
}
STAGE(stage_project, project_by_itself(view, iteration))

// Pass `iteration` of pushing strands out of colliders.
STAGE(stage_collide, if (iteration <= 1 || mask_any(step_wants(view))) step_collide(BUNDLE_OF(view), iteration))

// Pose of the state, for an explicit step.
STAGE(stage_start, integrate_start(view->state, view->scratch, view->vertex_count))

// Elastic forces of an explicit step.
STAGE(stage_bend_twist, step_forces(BUNDLE_OF(view)))

// Displacements of an explicit step.
STAGE(stage_integrate, step_kick(BUNDLE_OF(view)))

// Guard and commit.
STAGE(stage_finish, step_finish(BUNDLE_OF(view)))

// The quarters of steps that did not come out well, whole.
ENTRY_POINT void stage_retake(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    KEEP_LAUNCH;
    const uint owner = get_group_id(0);
    if (bundle_first + owner < bundle_end)
        step_parts(LAUNCH_ARGUMENTS, bundle_first + owner, owner, ahead, 1, STEP_PARTS - 1);
}
