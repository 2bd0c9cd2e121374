// staged: the same step, one kernel per stage, for tests, profiles and scenes whose stages need other strands.
//
// Launch: one dimension, one work-item (LANE_WIDTH > 1, work-group size 1) or one work-group of BUNDLE_WIDTH work-items
// (LANE_WIDTH 1) per bundle of first .. end - 1. No race: a bundle (or each of its lanes) is touched by one work-item,
// and its scratch, which carries the step from stage to stage, belongs to it. `ahead`: step of this launch's motions;
// `iteration`: Newton iteration or projection; bundles none of whose lanes take part in it are left alone.

#define STAGE_BUNDLE                                                                                                   \
    ALIGN_STACK;                                                                                                       \
    const uint owner = get_group_id(0);                                                                                \
    if (bundle_first + owner >= bundle_end)                                                                            \
        return;                                                                                                        \
    const bundle_view view = bundle_open(BUNDLE_ARGUMENTS, bundle_first + owner, owner, ahead)

// A stage inside the Newton loop: unmasked in the first iteration.
#define ITERATED_STAGE(name, unmasked_call, masked_call)                                                               \
    ENTRY_POINT void name(BUNDLE_PARAMETERS, const uint ahead, const int iteration)                                    \
    {                                                                                                                  \
        STAGE_BUNDLE;                                                                                                  \
        if (iteration == 0)                                                                                            \
            unmasked_call;                                                                                             \
        else if (mask_any(step_wants(view)))                                                                           \
            masked_call;                                                                                               \
    }

// Target of every free vertex; root to its place.
ENTRY_POINT void stage_guess(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_guess(view);
}

// Air at every vertex.
ENTRY_POINT void stage_wind(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_wind(view);
}

// Which lanes take part in this Newton iteration.
ENTRY_POINT void stage_newton(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_newton_goes_on(view, iteration);
}

ITERATED_STAGE(stage_frames, step_frames(view, false), step_frames(view, true))
ITERATED_STAGE(stage_curvature, step_curvature(view, false), step_curvature(view, true))
ITERATED_STAGE(stage_twist, step_twist(view, false), step_twist(view, true))
ITERATED_STAGE(stage_contact, step_contact(view, true, false), step_contact(view, false, true))
ITERATED_STAGE(stage_assemble, step_assemble(view), step_assemble(view))
ITERATED_STAGE(stage_solve, step_solve(view, false), step_solve(view, true))

// One projection, after finding which lanes take part in it.
ENTRY_POINT void stage_project(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    const bool goes_on = step_projection_goes_on(view, iteration);
    if (iteration < view.plan.project_least)
        step_project(view, false);
    else if (goes_on)
        step_project(view, true);
}

// Pass `iteration` of pushing strands out of colliders.
ENTRY_POINT void stage_collide(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    if (iteration <= 1 || mask_any(step_wants(view)))
        step_collide(view, iteration);
}

// Pose of the state, for an explicit step.
ENTRY_POINT void stage_start(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    integrate_start(view.state, view.scratch, view.vertex_count);
}

// Elastic forces of an explicit step.
ENTRY_POINT void stage_bend_twist(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_forces(view);
}

// Displacements of an explicit step.
ENTRY_POINT void stage_integrate(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_kick(view);
}

// Guard and commit.
ENTRY_POINT void stage_finish(BUNDLE_PARAMETERS, const uint ahead, const int iteration)
{
    STAGE_BUNDLE;
    step_finish(view);
}
