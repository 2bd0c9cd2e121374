// scene: building a scene in C, with copies of everything a definition points to.
#include "scene/bunch.h"

#include "scene/limits.h"

#include <string.h>

// ---- copies

// A copy of `count` doubles, or NULL for NULL.
static sheaf_status copy_numbers(const double **copy, const double *numbers, size_t count)
{
    *copy = NULL;
    if (numbers == NULL)
        return SHEAF_OK;
    double *made = base_alloc(count, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    *copy = memcpy(made, numbers, count * sizeof *made);
    return SHEAF_OK;
}

static void free_numbers(const double *numbers)
{
    base_free((void *)numbers);
}

// Gives a course that was copied by value its own keys; courses of other kinds lose theirs.
static sheaf_status own_keys(sheaf_course *course)
{
    const double *keys = course->kind == SHEAF_COURSE_KEYS ? course->keys : NULL;
    return copy_numbers(&course->keys, keys, 2 * (size_t)course->key_count);
}

enum { MOTION_COURSES = 4, END_COURSES = 11, BODY_COURSES = 8 };

static void list_motion_courses(sheaf_motion_def *motion, sheaf_course *list[MOTION_COURSES])
{
    list[0] = &motion->turn;
    for (int c = 0; c < 3; c++)
        list[1 + c] = &motion->move[c];
}

static void list_end_courses(sheaf_end_def *end, sheaf_course *list[END_COURSES])
{
    list[0] = &end->turn;
    list[1] = &end->twist;
    for (int c = 0; c < 3; c++) {
        list[2 + c] = &end->move[c];
        list[5 + c] = &end->force[c];
        list[8 + c] = &end->couple[c];
    }
}

static void list_body_courses(sheaf_body_def *body, sheaf_course *list[BODY_COURSES])
{
    list[0] = &body->axle.torque;
    list[1] = &body->axle.speed;
    for (int c = 0; c < 3; c++) {
        list[2 + c] = &body->force[c];
        list[5 + c] = &body->torque[c];
    }
}

static void free_courses(sheaf_course *const *list, size_t count)
{
    for (size_t k = 0; k < count; k++)
        free_numbers(list[k]->keys);
}

static sheaf_status own_courses(sheaf_course *const *list, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        const sheaf_status status = own_keys(list[k]);
        if (status != SHEAF_OK) {
            free_courses(list, k);
            return status;
        }
    }
    return SHEAF_OK;
}

// A motion that jumps nowhere has no list of jumps.
static sheaf_status own_jumps(sheaf_motion_def *copy)
{
    const bool *jumps = copy->jumps;
    copy->jumps = NULL;
    for (uint32_t k = 0; jumps != NULL && k < copy->pose_count && copy->jumps == NULL; k++)
        if (jumps[k]) {
            bool *own = base_alloc(copy->pose_count, sizeof *own);
            if (own == NULL)
                return SHEAF_ERR_MEMORY;
            memcpy(own, jumps, copy->pose_count * sizeof *own);
            copy->jumps = own;
        }
    return SHEAF_OK;
}

sheaf_status scene_copy_motion(sheaf_motion_def *copy, const sheaf_motion_def *motion)
{
    sheaf_course *courses[MOTION_COURSES];
    *copy = *motion;
    list_motion_courses(copy, courses);
    SHEAF_TRY(own_courses(courses, MOTION_COURSES));
    copy->name = base_strdup(motion->name);
    const size_t numbers = SCENE_POSE_SIZE * (size_t)motion->pose_count;
    sheaf_status status = copy_numbers(&copy->poses, motion->pose_count > 0 ? motion->poses : NULL, numbers);
    if (own_jumps(copy) != SHEAF_OK)
        status = SHEAF_ERR_MEMORY;
    if (copy->name != NULL && status == SHEAF_OK)
        return SHEAF_OK;
    scene_free_motion(copy);
    return SHEAF_ERR_MEMORY;
}

void scene_free_motion(sheaf_motion_def *motion)
{
    sheaf_course *courses[MOTION_COURSES];
    list_motion_courses(motion, courses);
    free_courses(courses, MOTION_COURSES);
    free_numbers(motion->poses);
    base_free((void *)motion->jumps);
    base_free((void *)motion->name);
}

sheaf_status scene_copy_body(sheaf_body_def *copy, const sheaf_body_def *body)
{
    sheaf_course *courses[BODY_COURSES];
    *copy = *body;
    list_body_courses(copy, courses);
    SHEAF_TRY(own_courses(courses, BODY_COURSES));
    copy->name = base_strdup(body->name);
    if (copy->name != NULL)
        return SHEAF_OK;
    scene_free_body(copy);
    return SHEAF_ERR_MEMORY;
}

void scene_free_body(sheaf_body_def *body)
{
    sheaf_course *courses[BODY_COURSES];
    list_body_courses(body, courses);
    free_courses(courses, BODY_COURSES);
    base_free((void *)body->name);
}

static sheaf_status copy_end(sheaf_end_def *copy, const sheaf_end_def *end)
{
    sheaf_course *courses[END_COURSES];
    *copy = *end;
    list_end_courses(copy, courses);
    return own_courses(courses, END_COURSES);
}

static void free_end(sheaf_end_def *end)
{
    sheaf_course *courses[END_COURSES];
    list_end_courses(end, courses);
    free_courses(courses, END_COURSES);
}

static void free_holds(const sheaf_hold_def *holds, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        free_numbers(holds[k].twist.keys);
    base_free((void *)holds);
}

static sheaf_status copy_holds(const sheaf_hold_def **copy, const sheaf_hold_def *holds, uint32_t count)
{
    *copy = NULL;
    if (count == 0)
        return SHEAF_OK;
    sheaf_hold_def *made = base_alloc(count, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t k = 0; k < count; k++) {
        made[k] = holds[k];
        const sheaf_status status = own_keys(&made[k].twist);
        if (status != SHEAF_OK) {
            free_holds(made, k);
            return status;
        }
    }
    *copy = made;
    return SHEAF_OK;
}

static sheaf_status copy_joints(const sheaf_joint_def **copy, const sheaf_joint_def *joints, uint32_t count)
{
    *copy = NULL;
    if (count == 0)
        return SHEAF_OK;
    sheaf_joint_def *made = base_alloc(count, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    *copy = memcpy(made, joints, count * sizeof *made);
    return SHEAF_OK;
}

void scene_free_group(scene_group *group)
{
    scene_bunch_release(group->bunch);
    scene_bunch_release(group->others);
    grow_release(group->grown);
    sheaf_strand_def *strand = &group->strand;
    free_end(&strand->root);
    free_end(&strand->tip);
    free_holds(strand->holds, strand->hold_count);
    base_free((void *)group->joints);
    free_numbers(strand->points);
    free_numbers(strand->natural_points);
    free_numbers(strand->spacing);
    scene_free_sections(group);
}

static sheaf_status copy_strand_arrays(sheaf_strand_def *copy, const sheaf_strand_def *strand)
{
    const size_t coordinates = 3 * (size_t)strand->vertex_count;
    if (strand->shape == SHEAF_SHAPE_POINTS)
        SHEAF_TRY(copy_numbers(&copy->points, strand->points, coordinates));
    else
        SHEAF_TRY(copy_numbers(&copy->spacing, strand->spacing, scene_edge_count(strand)));
    if (strand->natural == SHEAF_NATURAL_POINTS)
        SHEAF_TRY(copy_numbers(&copy->natural_points, strand->natural_points, coordinates));
    return SHEAF_OK;
}

// Everything the copy points to is either NULL or its own, at any moment, so that scene_free_group can clean up.
static sheaf_status copy_parts(scene_group *copy, const scene_group *group)
{
    const sheaf_strand_def *strand = &group->strand;
    *copy = *group;
    copy->bunch = scene_bunch_share(group->bunch);
    copy->others = scene_bunch_share(group->others);
    copy->grown = grow_share(group->grown);
    copy->strand.points = copy->strand.natural_points = copy->strand.spacing = NULL;
    copy->strand.root = copy->strand.tip = sheaf_end_free();
    copy->strand.holds = NULL;
    copy->strand.hold_count = 0;
    copy->joints = NULL;
    copy->sections = NULL;
    copy->vertex_bend = copy->vertex_twist = NULL;
    if (group->grown == NULL && group->bunch == NULL)
        SHEAF_TRY(copy_strand_arrays(&copy->strand, strand));
    SHEAF_TRY(copy_holds(&copy->strand.holds, strand->holds, strand->hold_count));
    copy->strand.hold_count = strand->hold_count;
    SHEAF_TRY(copy_joints(&copy->joints, group->joints, group->joint_count));
    sheaf_end_def root, tip;
    SHEAF_TRY(copy_end(&root, &strand->root));
    copy->strand.root = root;
    SHEAF_TRY(copy_end(&tip, &strand->tip));
    copy->strand.tip = tip;
    return scene_copy_sections(copy, group);
}

sheaf_status scene_copy_group(scene_group *copy, const scene_group *group)
{
    const sheaf_status status = copy_parts(copy, group);
    if (status != SHEAF_OK)
        scene_free_group(copy);
    return status;
}

// ---- building

// Makes room for one more element: arrays double whenever their count is a power of two.
static sheaf_status grow(void **array, uint32_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return SHEAF_OK;
    void *grown = base_realloc(*array, count == 0 ? 1 : 2 * (size_t)count, size);
    if (grown == NULL)
        return SHEAF_ERR_MEMORY;
    *array = grown;
    return SHEAF_OK;
}

static sheaf_status check_arguments(const void *first, const void *second, const char *function)
{
    if (first != NULL && second != NULL)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_USAGE, "%s: an argument is NULL", function);
}

sheaf_status sheaf_scene_create(const sheaf_scene_def *def, sheaf_scene **scene)
{
    if (scene != NULL)
        *scene = NULL;
    SHEAF_TRY(check_arguments(def, scene, "sheaf_scene_create"));
    SHEAF_TRY(scene_check_def(def));
    sheaf_scene *made = base_alloc(1, sizeof *made);
    if (made == NULL)
        return SHEAF_ERR_MEMORY;
    made->def = *def;
    made->cable_step = (sheaf_cable_step){.damping = 1};
    made->def.title = base_strdup(def->title);
    if (made->def.title == NULL) {
        base_free(made);
        return SHEAF_ERR_MEMORY;
    }
    *scene = made;
    return SHEAF_OK;
}

sheaf_status sheaf_scene_add_motion(sheaf_scene *scene, const sheaf_motion_def *def, uint32_t *index)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_motion"));
    return scene_add_motion(scene, def, NULL, index);
}

sheaf_status scene_add_motion(sheaf_scene *scene, const sheaf_motion_def *def, mesh_sequence *sequence, uint32_t *index)
{
    SHEAF_TRY(scene_check_motion(scene, def));
    SHEAF_TRY(grow((void **)&scene->motions, scene->motion_count, sizeof *scene->motions));
    SHEAF_TRY(grow((void **)&scene->sequences, scene->motion_count, sizeof(void *)));
    SHEAF_TRY(scene_copy_motion(&scene->motions[scene->motion_count], def));
    scene->sequences[scene->motion_count] = mesh_sequence_share(sequence);
    if (index != NULL)
        *index = scene->motion_count;
    scene->motion_count++;
    return SHEAF_OK;
}

sheaf_status sheaf_scene_add_material(sheaf_scene *scene, const sheaf_material_def *def, uint32_t *index)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_material"));
    SHEAF_TRY(scene_check_material(scene, def));
    SHEAF_TRY(grow((void **)&scene->materials, scene->material_count, sizeof *scene->materials));
    SHEAF_TRY(grow((void **)&scene->laws, scene->material_count, sizeof(void *)));
    SHEAF_TRY(grow((void **)&scene->stretches, scene->material_count, sizeof *scene->stretches));
    sheaf_material_def *added = &scene->materials[scene->material_count];
    *added = *def;
    added->name = base_strdup(def->name);
    if (added->name == NULL)
        return SHEAF_ERR_MEMORY;
    scene->laws[scene->material_count] = NULL;
    scene->stretches[scene->material_count] = 0;
    if (index != NULL)
        *index = scene->material_count;
    scene->material_count++;
    return SHEAF_OK;
}

sheaf_status scene_add_material(sheaf_scene *scene, const sheaf_material_def *def, law *of)
{
    uint32_t index = 0;
    SHEAF_TRY(sheaf_scene_add_material(scene, def, &index));
    scene->laws[index] = law_share(of);
    return SHEAF_OK;
}

sheaf_status scene_add_collider(sheaf_scene *scene, const sheaf_collider_def *def, mesh_grid *grid)
{
    SHEAF_TRY(scene_check_collider(scene, def));
    SHEAF_TRY(grow((void **)&scene->colliders, scene->collider_count, sizeof *scene->colliders));
    SHEAF_TRY(grow((void **)&scene->grids, scene->collider_count, sizeof(void *)));
    scene->grids[scene->collider_count] = mesh_grid_share(grid);
    scene->colliders[scene->collider_count++] = *def;
    return SHEAF_OK;
}

sheaf_status sheaf_scene_add_collider(sheaf_scene *scene, const sheaf_collider_def *def)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_collider"));
    return scene_add_collider(scene, def, NULL);
}

sheaf_status sheaf_scene_add_body(sheaf_scene *scene, const sheaf_body_def *def, uint32_t *index)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_body"));
    SHEAF_TRY(scene_check_body(scene, def));
    SHEAF_TRY(grow((void **)&scene->bodies, scene->body_count, sizeof *scene->bodies));
    SHEAF_TRY(scene_copy_body(&scene->bodies[scene->body_count], def));
    if (index != NULL)
        *index = scene->body_count;
    scene->body_count++;
    return SHEAF_OK;
}

// ---- reeving and winches

sheaf_status scene_copy_reeving(sheaf_reeving_def *copy, const sheaf_reeving_def *reeving)
{
    *copy = *reeving;
    SHEAF_TRY(own_keys(&copy->change));
    sheaf_reeve_point *path = base_alloc(reeving->point_count, sizeof *path);
    if (path == NULL) {
        free_numbers(copy->change.keys);
        return SHEAF_ERR_MEMORY;
    }
    copy->path = memcpy(path, reeving->path, reeving->point_count * sizeof *path);
    return SHEAF_OK;
}

void scene_free_reeving(sheaf_reeving_def *reeving)
{
    base_free((void *)reeving->path);
    free_numbers(reeving->change.keys);
}

sheaf_status sheaf_scene_add_reeving(sheaf_scene *scene, const sheaf_reeving_def *def)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_reeving"));
    SHEAF_TRY(scene_check_reeving(scene, def));
    SHEAF_TRY(grow((void **)&scene->reevings, scene->reeving_count, sizeof *scene->reevings));
    SHEAF_TRY(scene_copy_reeving(&scene->reevings[scene->reeving_count], def));
    scene->reeving_count++;
    return SHEAF_OK;
}

sheaf_status sheaf_scene_set_winch(sheaf_scene *scene, const sheaf_winch_def *winch)
{
    SHEAF_TRY(check_arguments(scene, winch, "sheaf_scene_set_winch"));
    scene_group *last = scene->group_count > 0 ? &scene->groups[scene->group_count - 1] : NULL;
    SHEAF_TRY(scene_check_winch(scene, last, winch));
    if (last != NULL) // which the check has seen to
        last->winch = (scene_winch){true, *winch};
    return SHEAF_OK;
}

sheaf_status scene_drive_axle(sheaf_scene *scene, uint32_t body, bool by_speed, const sheaf_course *course)
{
    sheaf_axle_def *axle = &scene->bodies[body].axle;
    const sheaf_course none = {0};
    sheaf_course own = *course;
    SHEAF_TRY(own_keys(&own));
    free_numbers(axle->torque.keys);
    free_numbers(axle->speed.keys);
    axle->has_speed = by_speed;
    axle->torque = by_speed ? none : own;
    axle->speed = by_speed ? own : none;
    return SHEAF_OK;
}

// ---- touch

static void free_touch(scene_touch *touch)
{
    base_free((void *)touch->def.materials);
    base_free((void *)touch->def.frictions);
    *touch = (scene_touch){0};
}

sheaf_status sheaf_scene_set_touch(sheaf_scene *scene, const sheaf_touch_def *def)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_set_touch"));
    SHEAF_TRY(scene_check_touch(scene, def));
    sheaf_touch_material *materials = base_alloc(def->material_count, sizeof *materials);
    sheaf_touch_friction *frictions = base_alloc(def->friction_count, sizeof *frictions);
    if (materials == NULL || frictions == NULL) {
        base_free(materials);
        base_free(frictions);
        return SHEAF_ERR_MEMORY;
    }
    if (def->material_count > 0)
        memcpy(materials, def->materials, def->material_count * sizeof *materials);
    if (def->friction_count > 0)
        memcpy(frictions, def->frictions, def->friction_count * sizeof *frictions);
    free_touch(&scene->touch);
    scene->touch.def = *def;
    scene->touch.def.materials = materials;
    scene->touch.def.frictions = frictions;
    return SHEAF_OK;
}

sheaf_status scene_add_group(sheaf_scene *scene, const scene_group *group)
{
    SHEAF_TRY(scene_check_group(scene, group));
    SHEAF_TRY(grow((void **)&scene->groups, scene->group_count, sizeof *scene->groups));
    SHEAF_TRY(scene_copy_group(&scene->groups[scene->group_count], group));
    scene->group_count++;
    scene->strand_count += scene_group_size(group);
    scene->vertex_count += scene_group_vertices(group);
    return SHEAF_OK;
}

scene_group scene_group_of(const sheaf_strand_def *def)
{
    return (scene_group){
        .strand = *def, .stiffen = {false, SCENE_STIFFEN_MARGIN, SCENE_STIFFEN_LIMIT}, .stands_for = 1};
}

sheaf_status sheaf_scene_add_strand(sheaf_scene *scene, const sheaf_strand_def *def)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_strand"));
    const scene_group group = scene_group_of(def);
    return scene_add_group(scene, &group);
}

sheaf_status sheaf_scene_add_joined_strand(sheaf_scene *scene, const sheaf_strand_def *def,
                                           const sheaf_joint_def *joints, uint32_t joint_count)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_joined_strand"));
    scene_group group = scene_group_of(def);
    group.joints = joints;
    group.joint_count = joint_count;
    return scene_add_group(scene, &group);
}

// Index of the method of cables; 0: it is not built in.
uint32_t scene_cable_method(void)
{
    for (uint32_t k = 0; sheaf_method_name(k) != NULL; k++)
        if (strcmp(sheaf_method_name(k), "cable") == 0)
            return k;
    return 0;
}

sheaf_status sheaf_scene_add_cable(sheaf_scene *scene, const sheaf_strand_def *def, const sheaf_cable_def *cable,
                                   const sheaf_joint_def *joints, uint32_t joint_count)
{
    SHEAF_TRY(check_arguments(scene, def, "sheaf_scene_add_cable"));
    SHEAF_TRY(check_arguments(scene, cable, "sheaf_scene_add_cable"));
    scene_group group = scene_group_of(def);
    group.cable = *cable;
    group.joints = joints;
    group.joint_count = joint_count;
    group.strand.method = scene_cable_method();
    if (group.strand.method == 0)
        return base_fail(SHEAF_ERR_USAGE, "this library is built without cables");
    return scene_add_group(scene, &group);
}

sheaf_status sheaf_scene_set_cable_step(sheaf_scene *scene, const sheaf_cable_step *step)
{
    SHEAF_TRY(check_arguments(scene, step, "sheaf_scene_set_cable_step"));
    SHEAF_TRY(scene_check_cable_step(step));
    scene->cable_step = *step;
    return SHEAF_OK;
}

void sheaf_scene_free(sheaf_scene *scene)
{
    if (scene == NULL)
        return;
    for (uint32_t k = 0; k < scene->group_count; k++)
        scene_free_group(&scene->groups[k]);
    for (uint32_t k = 0; k < scene->material_count; k++)
        base_free((void *)scene->materials[k].name), law_release(scene->laws[k]);
    for (uint32_t k = 0; k < scene->motion_count; k++) {
        scene_free_motion(&scene->motions[k]);
        mesh_sequence_release(scene->sequences[k]);
    }
    for (uint32_t k = 0; k < scene->body_count; k++)
        scene_free_body(&scene->bodies[k]);
    base_free(scene->bodies);
    for (uint32_t k = 0; k < scene->reeving_count; k++)
        scene_free_reeving(&scene->reevings[k]);
    base_free(scene->reevings);
    base_free(scene->sequences);
    base_free(scene->groups);
    base_free(scene->materials);
    base_free(scene->laws);
    base_free(scene->stretches);
    for (uint32_t k = 0; k < scene->collider_count; k++)
        mesh_grid_release(scene->grids[k]);
    base_free(scene->grids);
    base_free(scene->colliders);
    free_touch(&scene->touch);
    base_free(scene->motions);
    base_free(scene->view.paints);
    for (uint32_t k = 0; k < scene->probe_count; k++)
        base_free(scene->probes[k].name);
    base_free(scene->probes);
    scene_files_free(&scene->files);
    base_free((void *)scene->def.title);
    base_free(scene);
}

// ---- facts

bool scene_is_closed(const sheaf_strand_def *strand)
{
    return strand->closed || strand->shape == SHEAF_SHAPE_CIRCLE;
}

uint32_t scene_edge_count(const sheaf_strand_def *strand)
{
    return strand->vertex_count - (scene_is_closed(strand) ? 0 : 1);
}

uint32_t scene_group_size(const scene_group *group)
{
    return group->bunch != NULL ? group->bunch->count : group->grown != NULL ? group->grown->def.count : 1;
}

uint64_t scene_group_vertices(const scene_group *group)
{
    return group->bunch != NULL ? group->bunch->first[group->bunch->count]
                                : (uint64_t)scene_group_size(group) * group->strand.vertex_count;
}

static bool is_cut(const sheaf_strand_def *strand, const sheaf_end_def *end)
{
    return strand->shape != SHEAF_SHAPE_POINTS && strand->clamp_mid_edge && !scene_is_closed(strand) &&
           end->hold_position && end->hold_tangent;
}

void scene_group_overhangs(const scene_group *group, double shares[2])
{
    shares[0] = is_cut(&group->strand, &group->strand.root) ? 0.5 : 0;
    shares[1] = is_cut(&group->strand, &group->strand.tip) ? 0.5 : 0;
    if (group->grown != NULL || group->bunch != NULL) {
        shares[0] = group->grown != NULL ? 0.5 : group->bunch->has_ghosts ? 1 : 0;
        shares[1] = 0;
    }
}

sheaf_strand_def scene_group_strand(const scene_group *group, uint32_t k)
{
    sheaf_strand_def strand = group->strand;
    if (group->bunch != NULL) {
        strand.shape = SHEAF_SHAPE_POINTS;
        strand.vertex_count = (uint32_t)(group->bunch->first[k + 1] - group->bunch->first[k]);
        strand.points = group->bunch->points[group->bunch->first[k]];
    }
    if (group->grown != NULL) {
        strand.shape = SHEAF_SHAPE_POINTS; // generated
        strand.vertex_count = group->grown->def.vertices;
    }
    return strand;
}
