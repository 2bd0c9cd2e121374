// defaults: definitions as a user starts from: a straight human hair that hangs from a clamp in still air.
#include "scene/scene.h"

sheaf_scene_def sheaf_scene_def_default(void)
{
    return (sheaf_scene_def){
        .cookie = BASE_COOKIE,
        .title = "",
        .step = 1.0 / 120,
        .end = 1,
        .frame_rate = 60,
        .gravity = {0, 0, -9.81},
        .gust_scale = 1,
        .gust_seed = 1,
        .integrator = SHEAF_INTEGRATOR_BDF2,
        .gradients = SHEAF_GRADIENTS_AUTO,
        .projection_tolerance = 1e-10,
        .projection_iterations = 100,
        .seed = 1,
        .checkpoint_interval = 30,
        .trajectory_every = 1,
    };
}

sheaf_motion_def sheaf_motion_def_default(void)
{
    return (sheaf_motion_def){.cookie = BASE_COOKIE, .name = "", .axis = {0, 0, 1}};
}

sheaf_material_def sheaf_material_def_default(void)
{
    return (sheaf_material_def){
        .cookie = BASE_COOKIE,
        .name = "",
        .density = 1300,
        .young = 3.5e9,
        .shear = 1.3e9,
        .radius = {40e-6, 40e-6},
    };
}

sheaf_strand_def sheaf_strand_def_default(void)
{
    return (sheaf_strand_def){
        .cookie = BASE_COOKIE,
        .shape = SHEAF_SHAPE_STRAIGHT,
        .vertex_count = 32,
        .direction = {0, 0, -1},
        .length = 0.2,
        .radius = 0.01,
        .pitch = 0.02,
        .clamp_mid_edge = true,
        .natural = SHEAF_NATURAL_SHAPE,
        .taper = 1,
        .root = sheaf_end_clamped(),
        .tip = sheaf_end_free(),
    };
}

sheaf_collider_def sheaf_collider_def_default(void)
{
    return (sheaf_collider_def){
        .cookie = BASE_COOKIE,
        .kind = SHEAF_COLLIDER_SPHERE,
        .axis = {0, 0, 1},
        .size = {0.1, 0.1, 0.1},
        .friction = 0.3,
        .motion = -1,
    };
}

sheaf_body_def sheaf_body_def_default(void)
{
    return (sheaf_body_def){
        .cookie = BASE_COOKIE,
        .name = "",
        .turn_axis = {0, 0, 1},
        .shape = sheaf_collider_def_default(),
        .motion = -1,
        .axle = {.axis = {0, 0, 1}},
    };
}

sheaf_reeving_def sheaf_reeving_def_default(void)
{
    return (sheaf_reeving_def){.cookie = BASE_COOKIE};
}

sheaf_touch_def sheaf_touch_def_default(void)
{
    return (sheaf_touch_def){.cookie = BASE_COOKIE, .self = true, .tolerance = 0.01, .sweeps = 60, .separate = 0.02};
}

sheaf_end_def sheaf_end_free(void)
{
    return (sheaf_end_def){.slide_axis = {0, 0, 1}, .motion = -1, .turn_axis = {0, 0, 1}};
}

sheaf_end_def sheaf_end_pinned(void)
{
    sheaf_end_def end = sheaf_end_free();
    end.hold_position = true;
    return end;
}

sheaf_end_def sheaf_end_clamped(void)
{
    sheaf_end_def end = sheaf_end_pinned();
    end.hold_tangent = true;
    end.hold_angle = true;
    return end;
}
