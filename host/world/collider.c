// collider: solid things in the scene, and where their motions take them.
#include "world/world.h"

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
void model_collider_axes(const sheaf_collider_def *def, double axes[3][3])
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
        model_collider_axes(def, collider->axes);
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

// ---- distances in a collider's own axes: negative inside; `normal` points out

static double gap_of_segment(const double p[3], double radius, double half, double normal[3])
{
    const double beyond = p[2] - fmax(fmin(p[2], half), -half), away[3] = {p[0], p[1], beyond};
    const double distance = vec_length(away);
    vec_set(normal, 0, 0, 1);
    if (distance > 0)
        vec_scale(normal, away, 1 / distance);
    return distance - radius;
}

// Where a point is against a product of intervals: q_c < 0 within interval c. out_c: share of the way out by each.
static double gap_of_block(const double *q, int count, double *out)
{
    double square = 0;
    int nearest = 0;
    for (int c = 0; c < count; c++) {
        out[c] = fmax(q[c], 0);
        square += out[c] * out[c];
        nearest = q[c] > q[nearest] ? c : nearest;
    }
    const double distance = sqrt(square);
    for (int c = 0; c < count; c++)
        out[c] = distance > 0 ? out[c] / distance : c == nearest;
    return distance > 0 ? distance : q[nearest];
}

static double gap_of_box(const double p[3], const double half[3], double normal[3])
{
    const double q[3] = {fabs(p[0]) - half[0], fabs(p[1]) - half[1], fabs(p[2]) - half[2]};
    const double gap = gap_of_block(q, 3, normal);
    for (int c = 0; c < 3; c++)
        normal[c] = copysign(normal[c], p[c]);
    return gap;
}

static double gap_of_cylinder(const double p[3], double radius, double half, double normal[3])
{
    const double from_axis = hypot(p[0], p[1]), q[2] = {from_axis - radius, fabs(p[2]) - half};
    double out[2];
    const double gap = gap_of_block(q, 2, out);
    const double x = from_axis > 0 ? p[0] / from_axis : 0, y = from_axis > 0 ? p[1] / from_axis : 0;
    vec_set(normal, out[0] * x, out[0] * y, copysign(out[1], p[2]));
    return gap;
}

// Of first order: exact on the surface, and no farther off than the square of the distance.
static double gap_of_ellipsoid(const double p[3], const double half[3], double normal[3])
{
    double scaled[3], slope[3];
    for (int c = 0; c < 3; c++) {
        scaled[c] = p[c] / half[c];
        slope[c] = scaled[c] / half[c];
    }
    const double size = vec_length(scaled), steepness = fmax(vec_length(slope), 1e-20);
    vec_scale(normal, slope, 1 / steepness);
    return size * (size - 1) / steepness;
}

// A mesh is known by samples around the box's centre.
static double gap_in_grid(const model_collider *collider, const double p[3], double normal[3])
{
    double place[3];
    for (int c = 0; c < 3; c++)
        place[c] = collider->grid->low[c] + collider->half[c] + p[c];
    return mesh_grid_distance(collider->grid, place, normal);
}

double model_collider_gap(const model_collider *collider, const double p[3], double normal[3])
{
    const double *half = collider->half;
    if (collider->grid != NULL)
        return gap_in_grid(collider, p, normal);
    switch (collider->kind) {
    case SHEAF_COLLIDER_SPHERE:
        return gap_of_segment(p, half[0], 0, normal);
    case SHEAF_COLLIDER_CAPSULE:
        return gap_of_segment(p, half[0], half[1], normal);
    case SHEAF_COLLIDER_BOX:
        return gap_of_box(p, half, normal);
    case SHEAF_COLLIDER_ELLIPSOID:
        return gap_of_ellipsoid(p, half, normal);
    case SHEAF_COLLIDER_CYLINDER:
        return gap_of_cylinder(p, half[0], half[1], normal);
    default:
        vec_set(normal, 0, 0, 1);
        return p[2];
    }
}
