// identity: one number for all that decides how the strands of a model move.
#include "strand/strand.h"

enum { SAMPLE = 4096 }; // strands of a model without arrays

// Every setting that changes motion has to be hashed below. A build that fails here has new ones: add them, then change
// the size.
#define HAS_SIZE(type, size)                                                                                           \
    _Static_assert(sizeof(void *) != 8 || sizeof(type) == (size), #type " has changed: hash what was added")
HAS_SIZE(sheaf_scene_def, 184);
HAS_SIZE(sheaf_motion_def, 280);
HAS_SIZE(sheaf_end_def, 592);
HAS_SIZE(sheaf_course, 48);
HAS_SIZE(model_strand, 184); // how much stiffer it was made is in its arrays
HAS_SIZE(model_collider, 160);
HAS_SIZE(scene_volume, 48);

static void add(uint64_t *hash, const void *bytes, size_t size)
{
    *hash = base_hash(bytes, size, *hash);
}

static void add_real(uint64_t *hash, double value)
{
    add(hash, &value, sizeof value);
}

static void add_whole(uint64_t *hash, uint64_t value)
{
    add(hash, &value, sizeof value);
}

static void add_courses(uint64_t *hash, const sheaf_course *courses, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        const sheaf_course *course = &courses[k];
        add_whole(hash, (uint64_t)course->kind);
        add_whole(hash, course->smooth);
        add_real(hash, course->value);
        add_real(hash, course->start);
        add_real(hash, course->duration);
        add_whole(hash, course->key_count);
        if (course->key_count > 0)
            add(hash, course->keys, 2 * course->key_count * sizeof *course->keys);
    }
}

static void add_settings(uint64_t *hash, const sheaf_scene_def *def)
{
    add(hash, def->gravity, sizeof def->gravity);
    add(hash, def->wind, sizeof def->wind);
    add_real(hash, def->gust);
    add_real(hash, def->gust_scale);
    add_whole(hash, def->gust_seed);
    add_whole(hash, (uint64_t)def->integrator);
    add_whole(hash, def->newton);
    add_whole(hash, (uint64_t)def->projector);
    add_real(hash, def->relaxation);
    add_whole(hash, (uint64_t)def->gradients);
    add_real(hash, def->projection_tolerance);
    add_whole(hash, def->projection_iterations);
    add_whole(hash, def->seed);
}

// Scenes without it keep the number that they always had.
static void add_volume(uint64_t *hash, const sheaf_model *model)
{
    const scene_volume *volume = &model->volume;
    if (!volume->is_on && !volume->shields)
        return;
    add_whole(hash, (uint64_t)volume->is_on | (uint64_t)volume->shields << 1);
    add_real(hash, volume->cell);
    add_real(hash, volume->fraction);
    add_real(hash, volume->speed);
    add_real(hash, volume->rub);
    add_whole(hash, volume->sweeps);
    for (uint32_t k = 0; k < model->group_count; k++)
        add_real(hash, model->groups[k].stands_for);
}

static void add_motion(uint64_t *hash, const sheaf_motion_def *motion)
{
    add(hash, motion->anchor, sizeof motion->anchor);
    add(hash, motion->axis, sizeof motion->axis);
    add_courses(hash, &motion->turn, 1);
    add_courses(hash, motion->move, 3);
    add_whole(hash, motion->pose_count);
    if (motion->pose_count > 0)
        add(hash, motion->poses, SCENE_POSE_SIZE * motion->pose_count * sizeof *motion->poses);
    if (motion->jumps != NULL)
        add(hash, motion->jumps, motion->pose_count * sizeof *motion->jumps);
}

static void add_sequence(uint64_t *hash, const mesh_sequence *sequence)
{
    if (sequence == NULL)
        return;
    add_real(hash, sequence->start);
    add_real(hash, sequence->rate);
    add(hash, sequence->triangles, sequence->triangle_count * sizeof *sequence->triangles);
    add(hash, sequence->points, (size_t)sequence->frame_count * sequence->vertex_count * sizeof *sequence->points);
}

static void add_end(uint64_t *hash, const sheaf_end_def *end)
{
    add_whole(hash, end->hold_position | (uint64_t)end->hold_tangent << 1 | (uint64_t)end->hold_angle << 2 |
                        (uint64_t)end->slide << 3);
    add(hash, end->slide_axis, sizeof end->slide_axis);
    add_whole(hash, (uint64_t)end->motion);
    add_courses(hash, end->move, 3);
    add(hash, end->turn_axis, sizeof end->turn_axis);
    add_courses(hash, &end->turn, 1);
    add_courses(hash, &end->twist, 1);
    add_courses(hash, end->force, 3);
    add_courses(hash, end->couple, 3);
}

static void add_collider(uint64_t *hash, const model_collider *collider)
{
    add_whole(hash, (uint64_t)collider->kind);
    add(hash, collider->center, sizeof collider->center);
    add(hash, collider->axes, sizeof collider->axes);
    add(hash, collider->half, sizeof collider->half);
    add_real(hash, collider->friction);
    add_whole(hash, (uint64_t)collider->motion);
    if (collider->grid != NULL) {
        add_real(hash, collider->grid->cell);
        add(hash, collider->grid->distance, mesh_grid_size(collider->grid) * sizeof *collider->grid->distance);
    }
}

static void add_body(uint64_t *hash, const model_body *body)
{
    const sheaf_body_def *def = &body->def;
    add_whole(hash, (uint64_t)def->is_fixed | (uint64_t)def->axle.is_there << 1 | (uint64_t)def->axle.has_speed << 2 |
                        (uint64_t)def->collides << 3);
    add_whole(hash, (uint64_t)def->motion);
    add_real(hash, body->mass);
    add(hash, body->center, sizeof body->center);
    add(hash, body->axes, sizeof body->axes);
    add(hash, body->inertia, sizeof body->inertia);
    add(hash, def->velocity, sizeof def->velocity);
    add(hash, def->spin, sizeof def->spin);
    add_real(hash, def->drag);
    add(hash, def->axle.axis, sizeof def->axle.axis);
    add_real(hash, def->axle.friction);
    add_real(hash, def->axle.brake);
    add_courses(hash, &def->axle.torque, 1);
    add_courses(hash, &def->axle.speed, 1);
    add_courses(hash, def->force, 3);
    add_courses(hash, def->torque, 3);
    if (def->collides) {
        add_whole(hash, (uint64_t)def->shape.kind);
        add(hash, body->half, sizeof body->half);
        add(hash, body->shape_center, sizeof body->shape_center);
        add(hash, body->shape_axes, sizeof body->shape_axes);
        add_real(hash, def->shape.friction);
    }
}

static void add_joint(uint64_t *hash, const model_joint *joint)
{
    add_whole(hash, (uint64_t)joint->kind);
    add_whole(hash, (uint64_t)joint->body << 32 | joint->strand);
    add_whole(hash, joint->edge);
}

static void add_reeving(uint64_t *hash, const sheaf_reeving_def *reeving)
{
    for (uint32_t k = 0; k < reeving->point_count; k++) {
        add_whole(hash, (uint64_t)reeving->path[k].body);
        add(hash, reeving->path[k].at, sizeof reeving->path[k].at);
    }
    add_real(hash, reeving->length);
    add_real(hash, reeving->stiffness);
    add_courses(hash, &reeving->change, 1);
}

// Scenes whose strands do not touch keep the numbers that they always had.
static void add_touch(uint64_t *hash, const sheaf_model *model)
{
    const model_touch *touch = &model->touch;
    const size_t count = model->material_count;
    if (touch->friction == NULL)
        return;
    add(hash, touch->friction, count * count * sizeof *touch->friction);
    for (size_t k = 0; k < count; k++)
        add_real(hash, touch->radius[k]);
    add_whole(hash, (uint64_t)touch->self << 32 | touch->sweeps);
    add_real(hash, touch->tolerance);
    add_real(hash, touch->separate);
}

// What strands of a group have in common, besides what their arrays show.
static void add_group(uint64_t *hash, const scene_group *group)
{
    add_end(hash, &group->strand.root);
    add_end(hash, &group->strand.tip);
    add_whole(hash, group->strand.hold_count);
    for (uint32_t k = 0; k < group->strand.hold_count; k++) {
        add_whole(hash, group->strand.holds[k].edge);
        add_courses(hash, &group->strand.holds[k].twist, 1);
    }
    if (group->bunch != NULL)
        add(hash, group->bunch->points, group->bunch->first[group->bunch->count] * sizeof *group->bunch->points);
}

static void add_strands(uint64_t *hash, const sheaf_model *model)
{
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const model_strand *strand = &model->strands[s];
        const uint64_t first = model->first_vertex[s], count = model_vertex_count(model, s);
        add_whole(hash, count << 2 | (uint64_t)strand->closed);
        if (strand->method > 0) // strands of the first method keep the numbers that they always had
            add_whole(hash, strand->method);
        if (strand->method > 0) {
            const sheaf_cable_def *cable = &model->groups[strand->group].cable;
            const double numbers[] = {cable->length,
                                      cable->joint_stretch,
                                      cable->joint_bend,
                                      cable->joint_twist,
                                      cable->stretch,
                                      model->cable_step.damping,
                                      (double)model->cable_step.bend,
                                      (double)model->cable_step.tension};
            add(hash, numbers, sizeof numbers);
            if (cable->segments_min > 0)
                add_whole(hash, cable->segments_min);
            if (model->groups[strand->group].winch.is_there)
                add_real(hash, model->groups[strand->group].winch.def.store);
        }
        add_whole(hash, strand->group);
        add_real(hash, strand->drag);
        add_real(hash, strand->line_mass);
        add_real(hash, strand->slip);
        add_real(hash, strand->damping);
        add_real(hash, strand->closing_twist);
        if (strand->law != NULL) { // linear strands keep the numbers that they always had
            add_whole(hash, law_hash(strand->law));
            add_real(hash, strand->overhang);
        }
        add(hash, model->position + first, count * sizeof *model->position);
        add(hash, model->director + first, count * sizeof *model->director);
        add(hash, model->rest_length + first, count * sizeof *model->rest_length);
        add(hash, model->mass + first, count * sizeof *model->mass);
        add(hash, model->bend + first, count * sizeof *model->bend);
        add(hash, model->twist + first, count * sizeof *model->twist);
        if (model->vertex_bend != NULL)
            add(hash, model->vertex_bend + first, count * sizeof *model->vertex_bend);
        add(hash, model->natural_curvature + first, count * sizeof *model->natural_curvature);
        add(hash, model->natural_twist + first, count * sizeof *model->natural_twist);
    }
}

static sheaf_status add_sample(uint64_t *hash, const sheaf_model *model)
{
    const uint32_t count = model->strand_count < SAMPLE ? model->strand_count : SAMPLE;
    uint32_t *strands = base_alloc(count, sizeof *strands);
    sheaf_model *part = NULL;
    for (uint32_t k = 0; strands != NULL && k < count; k++)
        strands[k] = (uint32_t)((uint64_t)k * model->strand_count / count);
    const sheaf_status status = strands ? model_part(model, strands, count, &part) : SHEAF_ERR_MEMORY;
    if (status == SHEAF_OK)
        add_strands(hash, part);
    sheaf_model_free(part);
    base_free(strands);
    return status;
}

sheaf_status model_identity(const sheaf_model *model, uint64_t *identity)
{
    uint64_t hash = 0;
    add_whole(&hash, model->strand_count);
    add_whole(&hash, model->vertex_count);
    add_settings(&hash, &model->def);
    add_volume(&hash, model);
    for (uint32_t k = 0; k < model->motion_count; k++) {
        add_motion(&hash, &model->motions[k]);
        add_sequence(&hash, model->sequences[k]);
    }
    for (uint32_t k = 0; k < model->collider_count; k++)
        add_collider(&hash, &model->colliders[k]);
    for (uint32_t k = 0; k < model->body_count; k++)
        add_body(&hash, &model->bodies[k]);
    for (uint32_t k = 0; k < model->joint_count; k++)
        add_joint(&hash, &model->joints[k]);
    for (uint32_t k = 0; k < model->reeving_count; k++)
        add_reeving(&hash, &model->reevings[k]);
    add_touch(&hash, model);
    for (uint32_t k = 0; k < model->group_count; k++)
        add_group(&hash, &model->groups[k]);
    if (model_has_arrays(model))
        add_strands(&hash, model);
    else
        SHEAF_TRY(add_sample(&hash, model));
    *identity = hash;
    return SHEAF_OK;
}
