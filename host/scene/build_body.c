// build_body: rigid bodies, and the joints of strands with them.
#include "scene/build.h"

static void read_axle(scene_map body, sheaf_axle_def *axle)
{
    const scene_map map = scene_submap(body, "axle");
    if (map.node == NULL)
        return;
    axle->is_there = true;
    axle->has_speed = scene_has(map, "speed");
    scene_axis(map, "axis", axle->axis);
    axle->friction = scene_number(map, "friction");
    axle->brake = scene_number(map, "brake");
    scene_read_course(map, "torque", &axle->torque);
    if (axle->has_speed)
        scene_read_course(map, "speed", &axle->speed);
    if (axle->has_speed && scene_has(map, "torque"))
        scene_complain(map.reading, scene_key_place(map, "speed"),
                       "an axle has a speed or a torque, not both\nremove one of them");
}

static void read_pose(scene_map body, sheaf_body_def *def)
{
    const scene_map turn = scene_submap(body, "turn");
    scene_vector(body, "at", def->at);
    if (turn.node == NULL)
        return;
    scene_axis(turn, "axis", def->turn_axis);
    def->turn = scene_number(turn, "angle");
}

// Keys of colliders' shapes that mean nothing inside a body.
static void check_shape(scene_map body)
{
    static const char *const names[] = {"sphere", "capsule", "box", "ellipsoid", "cylinder"};
    for (int k = 0; k < 5; k++) {
        const scene_map shape = scene_submap(body, names[k]);
        if (shape.node != NULL && scene_has(shape, "follow"))
            scene_complain(body.reading, scene_key_place(shape, "follow"),
                           "a body's shape goes where the body goes\nlet the body follow the motion");
    }
}

static void read_shape(scene_map body, sheaf_body_def *def)
{
    const int shapes = scene_count_shapes(body);
    if (shapes > 1)
        scene_complain(body.reading, scene_place(body.node), "a body has at most one shape, not %d\nremove the others",
                       shapes);
    check_shape(body);
    def->has_shape = scene_build_shape(body, &def->shape);
    def->shape.friction = scene_number(body, "friction");
    def->collides = scene_flag(body, "collide");
    if (def->collides && shapes == 0)
        scene_complain(body.reading, scene_key_place(body, "collide"),
                       "collide needs a shape\ngive one of sphere, capsule, box, ellipsoid, cylinder");
}

static void read_inertia(scene_map body, sheaf_body_def *def)
{
    def->mass = scene_number(body, "mass");
    def->density = scene_number(body, "density");
    if (scene_find(body, "inertia") != NULL)
        scene_vector(body, "inertia", def->inertia);
    if (scene_has(body, "mass") && scene_has(body, "density"))
        scene_complain(body.reading, scene_key_place(body, "density"),
                       "a body has a mass or a density, not both\nremove one of them");
}

// Masses that are given and 0 would pass for absent ones, too.
static bool mass_is_sound(scene_map body)
{
    static const char *const names[] = {"mass", "density"};
    for (int k = 0; k < 2; k++)
        if (scene_has(body, names[k]) && SCENE_SOUND(body, names[k]) && !(scene_number(body, names[k]) > 0)) {
            scene_complain(body.reading, scene_key_place(body, names[k]),
                           "%s: must be above 0\ngive the body some, or leave it out and make the body `fixed`",
                           names[k]);
            return false;
        }
    return true;
}

// Moments that are given and 0 would pass for absent ones.
static bool inertia_is_sound(scene_map body, const sheaf_body_def *def)
{
    if (scene_find(body, "inertia") == NULL || (def->inertia[0] > 0 && def->inertia[1] > 0 && def->inertia[2] > 0))
        return true;
    scene_complain(body.reading, scene_key_place(body, "inertia"),
                   "inertia: all three moments must be above 0\ngive those of a thin rod about its own axis, too");
    return false;
}

void scene_build_body(scene_builder *builder, scene_map body, const scene_node *name)
{
    sheaf_body_def def = sheaf_body_def_default();
    const scene_node *follow = scene_find(body, "follow");
    def.name = scene_string(builder->reading, name);
    read_pose(body, &def);
    read_inertia(body, &def);
    read_shape(body, &def);
    read_axle(body, &def.axle);
    scene_vector(body, "velocity", def.velocity);
    scene_vector(body, "spin", def.spin);
    def.is_fixed = scene_flag(body, "fixed");
    def.motion = follow != NULL ? (int32_t)follow->whole : -1;
    def.drag = scene_number(body, "drag");
    scene_read_courses(body, "force", def.force);
    scene_read_courses(body, "torque", def.torque);
    if (def.is_fixed && follow != NULL)
        scene_complain(body.reading, scene_key_place(body, "follow"),
                       "a body is fixed or follows a motion, not both\nremove one of them");
    const bool has_mass = mass_is_sound(body), has_inertia = inertia_is_sound(body, &def); // both are looked at
    if (has_mass && has_inertia && scene_is_building(builder))
        scene_added(builder, sheaf_scene_add_body(builder->scene, &def, NULL), scene_place(name));
}

// ---- joints

static void check_weld(scene_map weld, const sheaf_strand_def *def, const sheaf_joint_def *joints, uint32_t k)
{
    const uint32_t edge = joints[k].edge, edges = scene_edge_count(def);
    if (edge < 1 || edge + 2 > edges)
        scene_complain(
            weld.reading, scene_key_place(weld, "edge"),
            "edge %u is not an inner edge\ninner edges are 1 to %u; ends are welded by root: { clamp: name } "
            "and tip: { clamp: name }",
            edge, edges - 2);
    else if (k > 0 && edge <= joints[k - 1].edge)
        scene_complain(weld.reading, scene_key_place(weld, "edge"),
                       "edge %u comes after edge %u\nlist welds by increasing edge", edge, joints[k - 1].edge);
}

static void add_end_joint(const sheaf_end_def *end, int32_t body, uint32_t edge, sheaf_joint_def *joints,
                          uint32_t *count)
{
    if (body >= 0)
        joints[(*count)++] =
            (sheaf_joint_def){end->hold_tangent ? SHEAF_JOINT_WELD : SHEAF_JOINT_BALL, (uint32_t)body, edge};
}

void scene_build_joints(scene_map strand, const int32_t bodies[2], scene_group *group)
{
    const sheaf_strand_def *def = &group->strand;
    const scene_map list = scene_submap(strand, "welds");
    const uint32_t most = 2 + (list.node != NULL ? list.node->count : 0);
    if (!SCENE_SOUND(strand, "welds", "points", "shape", "groom", "closed", "root", "tip") || def->vertex_count < 2)
        return;
    if (scene_has(strand, "file") && (bodies[0] >= 0 || bodies[1] >= 0 || list.node != NULL)) {
        scene_complain(strand.reading, scene_place(strand.node),
                       "strands of a file cannot be fixed to bodies yet\nuse points, a shape or a groom");
        return;
    }
    sheaf_joint_def *joints = scene_take(strand.reading, most, sizeof *joints);
    if (joints == NULL)
        return;
    add_end_joint(&def->root, bodies[0], 0, joints, &group->joint_count);
    scene_node *item = list.node != NULL ? scene_first(strand.reading, list.node) : NULL;
    for (; item != NULL; item = scene_next(strand.reading, item)) {
        const scene_map weld = {strand.reading, list.table, item, 0};
        joints[group->joint_count] = (sheaf_joint_def){SHEAF_JOINT_WELD, (uint32_t)scene_whole(weld, "body"),
                                                       (uint32_t)scene_whole(weld, "edge")};
        check_weld(weld, def, joints, group->joint_count++);
    }
    add_end_joint(&def->tip, bodies[1], scene_edge_count(def) - 1, joints, &group->joint_count);
    group->joints = joints;
}
