// launch: a step of Discrete Elastic Rods as a sequence of stages.
#include "der/device/device_parts.h"

const char *engine_stage_name(engine_stage stage)
{
    return der_device.stages[stage];
}

static sheaf_status launch_stages(sheaf_engine *engine, const bundle_range *range, const engine_stage *stages,
                                  int count, cl_uint ahead, cl_int iteration)
{
    for (int k = 0; k < count; k++)
        SHEAF_TRY(engine_launch_stage(engine, range, stages[k], ahead, iteration));
    return SHEAF_OK;
}

enum { COLLIDE_PASSES = 8 }; // CONTACT_PASSES of the kernels

static sheaf_status launch_projections(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    const engine_stage project = STAGE_project;
    if (der_own(engine)->has_colliders)
        SHEAF_TRY(engine_launch_stage(engine, range, STAGE_collide, ahead, 0));
    for (cl_int k = 0; k < (cl_int)engine->model->def.projection_iterations; k++)
        SHEAF_TRY(launch_stages(engine, range, &project, 1, ahead, k));
    for (cl_int k = 1; der_own(engine)->has_colliders && k <= COLLIDE_PASSES; k++)
        SHEAF_TRY(engine_launch_stage(engine, range, STAGE_collide, ahead, k));
    return SHEAF_OK;
}

static sheaf_status launch_wind(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    return der_own(engine)->has_air ? engine_launch_stage(engine, range, STAGE_wind, ahead, 0) : SHEAF_OK;
}

static sheaf_status launch_implicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage before[] = {STAGE_newton, STAGE_frames, STAGE_curvature, STAGE_twist};
    static const engine_stage after[] = {STAGE_assemble, STAGE_solve};
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_guess, ahead, 0));
    SHEAF_TRY(launch_wind(engine, range, ahead));
    for (cl_int k = 0; k < (cl_int)engine->options.tuning[DER_NEWTON_MAX]; k++) {
        SHEAF_TRY(launch_stages(engine, range, before, 4, ahead, k));
        if (der_own(engine)->has_colliders)
            SHEAF_TRY(engine_launch_stage(engine, range, STAGE_contact, ahead, k));
        SHEAF_TRY(launch_stages(engine, range, after, 2, ahead, k));
    }
    SHEAF_TRY(launch_projections(engine, range, ahead));
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_finish, ahead, 0));
    return der_own(engine)->retakes ? engine_launch_stage(engine, range, STAGE_retake, ahead, 0) : SHEAF_OK;
}

static sheaf_status launch_explicit(sheaf_engine *engine, const bundle_range *range, cl_uint ahead)
{
    static const engine_stage forces[] = {STAGE_curvature, STAGE_twist, STAGE_bend_twist, STAGE_integrate};
    SHEAF_TRY(engine_launch_stage(engine, range, STAGE_start, ahead, 0));
    SHEAF_TRY(launch_wind(engine, range, ahead));
    SHEAF_TRY(launch_stages(engine, range, forces, 4, ahead, 0));
    SHEAF_TRY(launch_projections(engine, range, ahead));
    return engine_launch_stage(engine, range, STAGE_finish, ahead, 0);
}

sheaf_status der_launch_stages(sheaf_engine *engine, const bundle_range *range, uint32_t ahead)
{
    return engine->model->def.integrator == SHEAF_INTEGRATOR_EXPLICIT ? launch_explicit(engine, range, ahead)
                                                                      : launch_implicit(engine, range, ahead);
}
