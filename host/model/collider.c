// collider: solid things in the scene, and where their motions take them.
#include "model/model.h"

#include "base/vec.h"

static double reach_of(const sheaf_collider_def *def)
{
    switch (def->kind) {
    case SHEAF_COLLIDER_SPHERE:
        return def->size[0];
    case SHEAF_COLLIDER_CAPSULE:
        return def->size[0] + def->size[1];
    case SHEAF_COLLIDER_CYLINDER:
        return hypot(def->size[0], def->size[1]);
    case SHEAF_COLLIDER_BOX:
        return vec_length(def->size);
    case SHEAF_COLLIDER_ELLIPSOID:
        return fmax(def->size[0], fmax(def->size[1], def->size[2]));
    default:
        return INFINITY;
    }
}

// The side that is given, made normal to the axis; else x, or z where the axis lies along x.
static void make_axes(const sheaf_collider_def *def, double axes[3][3])
{
    vec_unit(axes[2], def->axis);
    const bool along_x = fabs(axes[2][0]) > 0.999;
    vec_set(axes[0], along_x ? 0 : 1, 0, along_x ? 1 : 0);
    if (vec_length(def->side) > 0)
        vec_copy(axes[0], def->side);
    vec_axpy(axes[0], -vec_dot(axes[0], axes[2]), axes[2]);
    vec_unit(axes[0], axes[0]);
    vec_cross(axes[1], axes[2], axes[0]);
}

void model_free_colliders(sheaf_model *model)
{
    for (uint32_t k = 0; k < model->collider_count; k++)
        mesh_grid_release(model->colliders[k].grid);
    base_free(model->colliders);
}

sheaf_status model_make_colliders(const sheaf_scene *scene, sheaf_model *model)
{
    model->colliders = base_alloc(scene->collider_count, sizeof *model->colliders);
    if (model->colliders == NULL)
        return SHEAF_ERR_MEMORY;
    model->collider_count = scene->collider_count;
    for (uint32_t k = 0; k < scene->collider_count; k++) {
        const sheaf_collider_def *def = &scene->colliders[k];
        model_collider *collider = &model->colliders[k];
        *collider = (model_collider){.grid = mesh_grid_share(scene->grids[k]),
                                     .kind = def->kind,
                                     .friction = def->friction,
                                     .reach = reach_of(def),
                                     .motion = def->motion};
        vec_copy(collider->half, def->size);
        vec_copy(collider->center, def->center);
        make_axes(def, collider->axes);
    }
    return SHEAF_OK;
}

void model_collider_pose(const sheaf_model *model, const model_collider *collider, double time, double center[3],
                         double axes[3][3])
{
    vec_copy(center, collider->center);
    for (int c = 0; c < 3; c++)
        vec_copy(axes[c], collider->axes[c]);
    if (collider->motion < 0)
        return;
    const sheaf_motion_def *motion = &model->motions[collider->motion];
    model_motion_point(motion, time, collider->center, center);
    for (int c = 0; c < 3; c++)
        model_motion_turn(motion, time, collider->axes[c], axes[c]);
}

void model_collider_before(const sheaf_model *model, const model_collider *collider, double t0, double t1,
                           double center[3], double axes[3][3])
{
    model_jump jump;
    model_collider_pose(model, collider, t0, center, axes);
    if (collider->motion < 0 || !model_motion_jump(&model->motions[collider->motion], t0, t1, &jump))
        return;
    model_jump_point(&jump, center, center);
    for (int c = 0; c < 3; c++)
        model_jump_vector(&jump, axes[c], axes[c]);
}
