// build_cable: makes cables of a checked tree: strands of the method "cable", their ends, and loads that they name.
#include "scene/build.h"

#include "base/vec.h"

#include <stdio.h>
#include <string.h>

static const double steel = 7850; // kg/m^3, of loads

// One end as the file says it.
typedef struct cable_end {
    scene_map map;
    sheaf_end_def def;
    int32_t body;     // of the scene, or -1
    bool has_place;   // known at the start
    double place[3];  // m, in space
    double arm[3];    // m, on the body, in its own axes
    double load;      // kg; 0: none
    bool places_body; // the body goes where the tip is
} cable_end;

// ---- bodies

// Whether the file says where body `index` is.
static bool body_has_place(scene_builder *builder, uint32_t index)
{
    const scene_map bodies = scene_submap(builder->file, "bodies");
    scene_node *name = bodies.node != NULL ? scene_first(builder->reading, bodies.node) : NULL;
    for (uint32_t k = 0; name != NULL; k++) {
        scene_node *value = scene_next(builder->reading, name);
        if (k == index)
            return scene_has(scene_open_map(builder->reading, bodies.table, value), "at");
        name = scene_next(builder->reading, value);
    }
    return true;
}

// A point in a body's own axes as seen in space, from where these begin.
static void turn_arm(const sheaf_body_def *body, const double arm[3], double out[3])
{
    double axis[3];
    vec_unit(axis, body->turn_axis);
    vec_rotate(out, arm, axis, body->turn);
}

static void place_on_body(scene_builder *builder, cable_end *end, bool is_tip)
{
    const sheaf_body_def *body = &builder->scene->bodies[end->body];
    double arm[3];
    const bool is_free = !body->is_fixed && body->motion < 0;
    end->places_body = is_tip && is_free && !body_has_place(builder, (uint32_t)end->body);
    end->has_place = !end->places_body;
    turn_arm(body, end->arm, arm);
    vec_add(end->place, body->at, arm);
}

// ---- ends

static void check_end_keys(scene_map map, const cable_end *end, bool is_tip)
{
    static const char *const of_space[] = {"follow", "move", "twist", "load"};
    for (int k = 0; k < 4; k++)
        if (end->body >= 0 && scene_has(map, of_space[k]))
            scene_complain(map.reading, scene_key_place(map, of_space[k]),
                           "an end on a body goes where the body goes: %s has no place here\nremove it, or the body",
                           of_space[k]);
    if (!is_tip && (scene_has(map, "load") || scene_has(map, "force") || scene_has(map, "torque")))
        scene_complain(map.reading, scene_place(map.node),
                       "load, force and torque are for the tip of a cable\nput them into `to`");
    if (scene_has(map, "load") && (scene_has(map, "at") || scene_has(map, "follow") || scene_has(map, "move")))
        scene_complain(map.reading, scene_key_place(map, "load"),
                       "a load hangs freely: nothing else holds the tip\nremove it, or at, follow and move");
    if (scene_has(map, "load") && end->load <= 0 && SCENE_SOUND(map, "load"))
        scene_complain(map.reading, scene_key_place(map, "load"), "a load must be heavier than 0 kg");
    if (end->body >= 0 && !end->def.hold_position)
        scene_complain(map.reading, scene_key_place(map, "joint"),
                       "an end on a body is held by it\nuse joint: ball, or joint: clamp");
}

static void read_end(scene_builder *builder, scene_map cable, bool is_tip, cable_end *end)
{
    const scene_map map = scene_submap(cable, is_tip ? "to" : "from");
    const scene_node *body = scene_find(map, "body"), *follow = scene_find(map, "follow");
    const scene_node *joint = scene_find(map, "joint");
    const bool is_free = is_tip && !scene_has(map, "body") && !scene_has(map, "at") && !scene_has(map, "follow") &&
                         !scene_has(map, "move") && !scene_has(map, "load");
    const uint64_t hold = joint != NULL ? joint->whole : is_free ? 0 : 1;
    *end = (cable_end){.map = map, .body = body != NULL ? (int32_t)body->whole : -1};
    end->def = hold == 0 ? sheaf_end_free() : hold == 1 ? sheaf_end_pinned() : sheaf_end_clamped();
    end->def.motion = follow != NULL ? (int32_t)follow->whole : -1;
    end->load = scene_number(map, "load");
    if (scene_find(map, "at") != NULL)
        scene_vector(map, "at", end->body >= 0 ? end->arm : end->place);
    end->has_place = !is_tip || scene_has(map, "at");
    scene_read_courses(map, "move", end->def.move);
    scene_read_course(map, "twist", &end->def.twist);
    scene_read_courses(map, "force", end->def.force);
    scene_read_courses(map, "torque", end->def.couple);
    if (map.node != NULL)
        check_end_keys(map, end, is_tip);
    if (end->body >= 0 && scene_is_building(builder))
        place_on_body(builder, end, is_tip);
}

// ---- shape

// The angle between neighbouring segments of a regular arc whose ends are `chord` segments apart: sin(n a/2)/sin(a/2).
static double arc_angle(uint32_t segments, double chord)
{
    double low = 0, high = 2 * 3.14159265358979323846 / segments;
    for (int k = 0; k < 200; k++) {
        const double a = (low + high) / 2;
        if (sin(segments * a / 2) > chord * sin(a / 2))
            low = a;
        else
            high = a;
    }
    return (low + high) / 2;
}

// Points from one end to the other: a straight line, or, where the cable is longer, an arc that hangs down.
static void lay_points(const double from[3], const double to[3], double length, uint32_t segments,
                       const double gravity[3], double *points)
{
    double along[3], down[3] = {0, 0, -1};
    vec_sub(along, to, from);
    const double distance = vec_length(along), l = length / segments;
    if (vec_length(gravity) > 0)
        vec_unit(down, gravity);
    if (distance > (1 - 1e-9) * length) {
        for (uint32_t i = 0; i <= segments; i++) {
            vec_copy(points + 3 * (size_t)i, from);
            vec_axpy(points + 3 * (size_t)i, (double)i / segments, along);
        }
        return;
    }
    vec_unit(along, along);
    vec_axpy(down, -vec_dot(down, along), along);
    if (vec_length(down) < 1e-6)
        vec_normal(down, along);
    vec_unit(down, down);
    const double a = arc_angle(segments, distance / l);
    vec_copy(points, from);
    for (uint32_t i = 0; i < segments; i++) {
        const double angle = a * ((segments - 1) / 2.0 - i);
        double *next = points + 3 * ((size_t)i + 1);
        vec_copy(next, next - 3);
        vec_axpy(next, l * cos(angle), along);
        vec_axpy(next, l * sin(angle), down);
    }
}

static bool check_reach(scene_map cable, const cable_end *root, const cable_end *tip, double length, bool is_rigid)
{
    double along[3];
    vec_sub(along, tip->place, root->place);
    const double distance = vec_length(along), most = is_rigid ? 1.000001 * length : 1.5 * length;
    if (!(length > 0))
        scene_complain(cable.reading, scene_place(cable.node), "the ends of the cable are at one point\nadd length");
    else if (distance > most)
        scene_complain(cable.reading, scene_place(cable.node),
                       "the ends are %.6g m apart, which a cable of %.6g m%s cannot span\nmake it longer, or move them",
                       distance, length, is_rigid ? " that does not stretch" : "");
    else
        return true;
    return false;
}

// ---- adding

// A block of steel that hangs by the middle of its upper side.
static void add_load(scene_builder *builder, const cable_end *tip, const double from[3], uint32_t number, int32_t *body)
{
    char name[48];
    const double edge = cbrt(tip->load / steel);
    sheaf_body_def def = sheaf_body_def_default();
    uint32_t index = 0;
    double along[3];
    snprintf(name, sizeof name, "load of cable %u", number);
    vec_sub(along, tip->place, from);
    vec_unit(along, along);
    def.name = name;
    def.mass = tip->load;
    def.has_shape = true;
    def.shape.kind = SHEAF_COLLIDER_BOX;
    vec_set(def.shape.size, edge / 2, edge / 2, edge / 2);
    vec_copy(def.at, tip->place);
    vec_axpy(def.at, edge / 2, along);
    scene_added(builder, sheaf_scene_add_body(builder->scene, &def, &index), scene_key_place(tip->map, "load"));
    *body = (int32_t)index;
}

static void add_joint(scene_group *group, sheaf_joint_def *joints, const cable_end *end, int32_t body, uint32_t edge)
{
    if (body >= 0)
        joints[group->joint_count++] =
            (sheaf_joint_def){end->def.hold_tangent ? SHEAF_JOINT_WELD : SHEAF_JOINT_BALL, (uint32_t)body, edge};
}

static void add_cable(scene_builder *builder, scene_map cable, scene_group group, const cable_end ends[2],
                      const double shift[3])
{
    sheaf_joint_def joints[2];
    sheaf_strand_def *def = &group.strand;
    double *points = scene_take(builder->reading, 3 * (size_t)def->vertex_count, sizeof *points);
    cable_end tip = ends[1];
    double from[3];
    if (points == NULL)
        return;
    for (uint32_t k = 0; k < 3 * def->vertex_count; k++)
        points[k] = def->points[k] + shift[k % 3];
    vec_copy(from, points);
    vec_add(tip.place, tip.place, shift);
    def->points = points;
    if (tip.load > 0 && scene_is_building(builder))
        add_load(builder, &tip, from, (uint32_t)builder->strand_number, &tip.body);
    add_joint(&group, joints, &ends[0], ends[0].body, 0);
    add_joint(&group, joints, &tip, tip.body, def->vertex_count - 2);
    group.joints = joints;
    if (scene_is_building(builder))
        scene_added(builder, scene_add_group(builder->scene, &group), scene_place(cable.node));
    if (scene_is_building(builder) && group.winch.is_there)
        scene_added(builder, sheaf_scene_set_winch(builder->scene, &group.winch.def), scene_key_place(cable, "winch"));
    builder->strand_number++;
}

static void read_material(scene_builder *builder, scene_map cable, scene_group *group)
{
    sheaf_strand_def *def = &group->strand;
    const scene_node *material = scene_find(cable, "material");
    const scene_map stiffness = scene_submap(cable, "joint_stiffness");
    if (material != NULL)
        def->material = (uint32_t)material->whole;
    else if (!scene_has(cable, "material") && builder->materials > 1)
        scene_complain(builder->reading, scene_place(cable.node),
                       "material is missing, and there are %u\nadd material: with the name of one", builder->materials);
    group->cable.joint_stretch = scene_number(stiffness, "stretch");
    group->cable.joint_bend = scene_number(stiffness, "bend");
    group->cable.joint_twist = scene_number(stiffness, "twist");
    if (scene_is_building(builder) && def->material < builder->scene->material_count)
        group->cable.stretch = builder->scene->stretches[def->material];
}

static bool is_rigid(const sheaf_scene *scene, const scene_group *group)
{
    const sheaf_material_def *material = &scene->materials[group->strand.material];
    return group->cable.joint_stretch <= 0 && group->cable.stretch <= 0 &&
           material->young * material->radius[0] * material->radius[1] <= 0;
}

// ---- winches

// Where the axle is: in the middle of the cylinder.
static void drum_center(const sheaf_body_def *drum, double center[3])
{
    turn_arm(drum, drum->shape.center, center);
    vec_add(center, drum->at, center);
}

// Puts the root to where the cable leaves the drum towards its tip, `direction` unless that has a place.
static void leave_drum(const sheaf_body_def *drum, double radius, const double direction[3], const cable_end *tip,
                       cable_end *root)
{
    double axis[3], along[3], arm[3], center[3];
    vec_unit(axis, drum->axle.axis);
    drum_center(drum, center);
    vec_copy(along, direction);
    for (int k = 0; k < 20; k++) { // the place of the root turns with the direction to the tip
        double across[3];
        if (tip->has_place && k > 0)
            vec_sub(along, tip->place, root->place);
        vec_copy(across, along);
        vec_axpy(across, -vec_dot(across, axis), axis);
        vec_unit(across, across);
        vec_cross(arm, axis, across);
        vec_copy(root->place, center);
        vec_axpy(root->place, radius, arm);
    }
}

static void read_winch(scene_builder *builder, scene_map cable, scene_group *group, cable_end *root)
{
    const scene_map map = scene_submap(cable, "winch");
    const scene_node *body = scene_find(map, "body");
    sheaf_course drive;
    if (scene_has(cable, "from"))
        scene_complain(cable.reading, scene_key_place(cable, "winch"),
                       "the root of a cable is on a winch or held by `from`, not both\nremove one of them");
    if (scene_has(map, "speed") && scene_has(map, "torque"))
        scene_complain(cable.reading, scene_key_place(map, "speed"),
                       "a winch has a speed or a torque, not both\nremove one of them");
    if (scene_whole(cable, "count") > 1)
        scene_complain(cable.reading, scene_key_place(cable, "count"),
                       "many cables cannot be wound on one drum\nwrite them one by one, each with its own");
    group->winch = (scene_winch){.is_there = true, .def = {.store = scene_number(map, "store")}};
    root->def = sheaf_end_pinned();
    root->has_place = true;
    if (body == NULL || !scene_is_building(builder))
        return;
    group->winch.def.body = (uint32_t)body->whole;
    root->body = (int32_t)body->whole;
    for (int by_speed = 0; by_speed < 2; by_speed++)
        if (scene_has(map, by_speed ? "speed" : "torque")) {
            scene_read_course(map, by_speed ? "speed" : "torque", &drive);
            scene_added(builder, scene_drive_axle(builder->scene, group->winch.def.body, by_speed, &drive),
                        scene_place(map.node));
        }
}

// The turns on the drum, as they are before the root, and the straight rest.
static void lay_wound(const sheaf_body_def *drum, double radius, double pitch, double store, double length,
                      const double from[3], const double to[3], uint32_t segments, double *points)
{
    double axis[3], along[3], arm[3], center[3];
    vec_unit(axis, drum->axle.axis);
    drum_center(drum, center);
    vec_sub(along, to, from);
    vec_unit(along, along);
    vec_sub(arm, from, center);
    for (uint32_t j = 0; j <= segments; j++) {
        double *at = points + 3 * (size_t)j;
        const double s = (store + length) * j / segments - store, turn = -s / radius;
        vec_copy(at, from);
        vec_axpy(at, fmax(s, 0), along);
        if (s >= 0)
            continue;
        vec_rotate(at, arm, axis, turn);
        vec_add(at, at, center);
        vec_axpy(at, pitch * turn / (2 * 3.14159265358979323846), axis);
    }
}

static void check_bodies(scene_map cable, const cable_end ends[2], uint64_t count)
{
    if (ends[0].body >= 0 && ends[0].body == ends[1].body && vec_equal(ends[0].arm, ends[1].arm))
        scene_complain(cable.reading, scene_key_place(cable, "to"),
                       "the cable goes from a body to the same point of it\nchange at, or the body");
    if (count > 1 && (ends[0].body >= 0 || ends[1].body >= 0))
        scene_complain(cable.reading, scene_key_place(cable, "count"),
                       "many cables cannot all be on one body at one point\nwrite them one by one, or use load");
}

// A segment that is shorter than it is thick is allowed, and hardly meant.
static void warn_thick(const sheaf_scene *scene, const sheaf_strand_def *def, double length, uint64_t number)
{
    const double radius = scene_material_section(&scene->materials[def->material]).radius;
    const double segment = length / (def->vertex_count - 1);
    if (segment < 2 * radius)
        base_log(SHEAF_LOG_WARNING, "cable %llu: segments of %.3g m are shorter than they are thick, %.3g m; use fewer",
                 (unsigned long long)number, segment, 2 * radius);
}

// Whether what the winch names can be a drum.
static bool check_drum(scene_builder *builder, scene_map cable, const scene_group *group)
{
    const sheaf_body_def *drum = &builder->scene->bodies[group->winch.def.body];
    if (drum->axle.is_there && drum->has_shape && drum->shape.kind == SHEAF_COLLIDER_CYLINDER)
        return true;
    scene_complain(cable.reading, scene_key_place(scene_submap(cable, "winch"), "body"),
                   "the body of a winch is no drum\ngive it axle: { axis: y } and a cylinder about that axis");
    return false;
}

// Where a cable goes whose tip has no place: along gravity, or as it says.
static void find_direction(const scene_builder *builder, scene_map cable, double direction[3])
{
    vec_set(direction, 0, 0, -1);
    if (vec_length(builder->scene->def.gravity) > 0)
        vec_copy(direction, builder->scene->def.gravity);
    if (scene_has(cable, "direction"))
        scene_axis(cable, "direction", direction);
    vec_unit(direction, direction);
}

// Radius at which the middle of a rope lies on a drum, and from one turn to the next.
static double drum_radius(const sheaf_scene *scene, const scene_group *group, double *pitch)
{
    const sheaf_body_def *drum = &scene->bodies[group->winch.def.body];
    const double rope = scene_material_section(&scene->materials[group->strand.material]).radius;
    *pitch = fmax(2 * rope, 0.02 * drum->shape.size[0]);
    return drum->shape.size[0] + rope;
}

static void find_ends(scene_builder *builder, scene_map cable, const scene_group *group, cable_end ends[2],
                      double *length)
{
    double direction[3], along[3], pitch;
    find_direction(builder, cable, direction);
    if (group->winch.is_there)
        leave_drum(&builder->scene->bodies[group->winch.def.body], drum_radius(builder->scene, group, &pitch),
                   direction, &ends[1], &ends[0]);
    if (!ends[1].has_place) {
        vec_copy(ends[1].place, ends[0].place);
        vec_axpy(ends[1].place, *length, direction);
    }
    vec_sub(along, ends[1].place, ends[0].place);
    *length = *length > 0 ? *length : vec_length(along);
}

static double *make_points(scene_builder *builder, const scene_group *group, const cable_end ends[2], double length)
{
    const uint32_t segments = group->strand.vertex_count - 1;
    double *points = scene_take(builder->reading, 3 * ((size_t)segments + 1), sizeof *points), pitch;
    if (points == NULL)
        return NULL;
    if (!group->winch.is_there)
        lay_points(ends[0].place, ends[1].place, length, segments, builder->scene->def.gravity, points);
    else {
        const double radius = drum_radius(builder->scene, group, &pitch);
        lay_wound(&builder->scene->bodies[group->winch.def.body], radius, pitch, group->winch.def.store, length,
                  ends[0].place, ends[1].place, segments, points);
    }
    return points;
}

// The body that hangs at the tip, where it has no place of its own.
static void place_body(scene_builder *builder, const cable_end *tip)
{
    if (!tip->places_body)
        return;
    sheaf_body_def *body = &builder->scene->bodies[tip->body];
    double arm[3];
    turn_arm(body, tip->arm, arm);
    vec_sub(body->at, tip->place, arm);
}

static bool winch_is_sound(scene_map cable, const cable_end ends[2], double length)
{
    double along[3];
    vec_sub(along, ends[1].place, ends[0].place);
    if (!scene_has(cable, "winch") || !ends[1].has_place || vec_length(along) > 0.999 * length)
        return true;
    scene_complain(cable.reading, scene_place(cable.node),
                   "a cable on a winch starts straight: its tip is %.6g m from the drum, and its length %.6g m\nleave "
                   "length out, or move the tip",
                   vec_length(along), length);
    return false;
}

// Segments that it starts with. The fewest of an adaptive one are in the group.
static uint32_t count_segments(scene_map cable, const scene_group *group)
{
    double range[2];
    if (group->cable.segments_min == 0)
        return (uint32_t)scene_whole(cable, "segments");
    scene_vector(scene_submap(cable, "adaptive"), "segments", range);
    return (uint32_t)range[1];
}

static void read_adaptive(scene_map cable, scene_group *group)
{
    const scene_map map = scene_submap(cable, "adaptive");
    double range[2];
    if (!scene_has(cable, "adaptive") || !scene_has(map, "segments") || !SCENE_SOUND(map, "segments"))
        return;
    scene_vector(map, "segments", range);
    if (!(range[0] >= 4 && range[0] <= range[1] && range[0] == floor(range[0]) && range[1] == floor(range[1])))
        scene_complain(cable.reading, scene_key_place(map, "segments"),
                       "segments of an adaptive cable are two whole numbers, the fewest and the most, 4 and more\n"
                       "write segments: [8, 64]");
    else
        group->cable.segments_min = (uint32_t)range[0];
    if (scene_has(cable, "segments"))
        scene_complain(cable.reading, scene_key_place(cable, "segments"),
                       "an adaptive cable has as many segments as it needs\nremove segments, or adaptive");
    if (scene_has(cable, "winch") || scene_has(cable, "joint_stiffness"))
        scene_complain(cable.reading, scene_key_place(cable, "adaptive"),
                       "a cable on a winch, or with joint_stiffness, keeps its segments\nwrite segments: 64 instead");
}

static void fill_def(scene_map cable, scene_group *group, const cable_end ends[2], double length)
{
    sheaf_strand_def *def = &group->strand;
    def->shape = SHEAF_SHAPE_POINTS;
    def->clamp_mid_edge = false;
    def->natural = SHEAF_NATURAL_STRAIGHT;
    def->method = scene_cable_method();
    def->root = ends[0].def;
    def->tip = ends[1].def;
    def->vertex_count = count_segments(cable, group) + 1;
    group->cable.length = length + group->winch.def.store;
}

static void read_ends(scene_builder *builder, scene_map cable, scene_group *group, cable_end ends[2])
{
    for (int k = 0; k < 2; k++)
        read_end(builder, cable, k, &ends[k]);
    if (scene_has(cable, "winch"))
        read_winch(builder, cable, group, &ends[0]);
    else if (!scene_has(cable, "from"))
        scene_complain(cable.reading, scene_place(cable.node),
                       "from is missing in cables\nsay what holds the root, as in from: { at: [0, 0, 12 m] }, or by "
                       "which winch it is wound up");
}

void scene_build_cable(scene_builder *builder, scene_map cable)
{
    scene_group group = {.strand = sheaf_strand_def_default()};
    cable_end ends[2];
    double spacing[3], length = scene_number(cable, "length");
    const uint64_t count = scene_whole(cable, "count");
    if (scene_cable_method() == 0)
        scene_complain(cable.reading, scene_place(cable.node),
                       "this sheaf is built without the method of cables\nuse one that has it, or `strands`");
    read_material(builder, cable, &group);
    read_adaptive(cable, &group);
    read_ends(builder, cable, &group, ends);
    check_bodies(cable, ends, count);
    scene_vector(cable, "spacing", spacing);
    if (!scene_is_building(builder) || !SCENE_SOUND(cable, "from", "to", "winch", "length", "segments", "adaptive"))
        return;
    if (!ends[1].has_place && !scene_has(cable, "length")) {
        scene_complain(cable.reading, scene_place(cable.node),
                       "length is missing in cables\nadd length: 10 m, or say where the tip is by to: { at }");
        return;
    }
    if (group.winch.is_there && !check_drum(builder, cable, &group))
        return;
    find_ends(builder, cable, &group, ends, &length);
    if (!check_reach(cable, &ends[0], &ends[1], length, is_rigid(builder->scene, &group)) ||
        !winch_is_sound(cable, ends, length))
        return;
    fill_def(cable, &group, ends, length);
    group.strand.points = make_points(builder, &group, ends, length);
    if (group.strand.points == NULL)
        return;
    place_body(builder, &ends[1]);
    warn_thick(builder->scene, &group.strand, group.cable.length, builder->strand_number);
    for (uint64_t k = 0; k < count && scene_is_building(builder); k++) {
        double shift[3];
        vec_scale(shift, spacing, (double)k);
        add_cable(builder, cable, group, ends, shift);
    }
}

// ---- reeving

void scene_build_reeving(scene_builder *builder, scene_map reeving)
{
    sheaf_reeving_def def = sheaf_reeving_def_default();
    const scene_map list = scene_submap(reeving, "path");
    const uint32_t room = list.node != NULL ? list.node->count : 0;
    sheaf_reeve_point *path = scene_take(builder->reading, room, sizeof *path);
    scene_node *item = list.node != NULL ? scene_first(builder->reading, list.node) : NULL;
    for (; item != NULL && path != NULL; item = scene_next(builder->reading, item)) {
        const scene_map map = scene_open_map(builder->reading, list.table, item);
        const scene_node *body = scene_find(map, "body");
        path[def.point_count].body = body != NULL ? (int32_t)body->whole : -1;
        scene_vector(map, "at", path[def.point_count++].at);
    }
    def.path = path;
    def.length = scene_number(reeving, "length");
    def.stiffness = scene_number(reeving, "stiffness");
    scene_read_course(reeving, "change", &def.change);
    if (!scene_has(builder->file, "cables"))
        scene_complain(builder->reading, scene_place(reeving.node),
                       "a scene with reeving has at least one cable\nadd cables, or one of few segments that bears "
                       "nothing");
    if (path != NULL && scene_is_building(builder) && SCENE_SOUND(reeving, "path", "length", "change", "stiffness"))
        scene_added(builder, sheaf_scene_add_reeving(builder->scene, &def), scene_place(reeving.node));
}

void scene_build_cable_step(scene_map map, sheaf_cable_step *step)
{
    step->bend = (sheaf_cable_bend)scene_whole(map, "bend");
    step->tension = (sheaf_cable_tension)scene_whole(map, "tension");
    step->damping = scene_number(map, "damping_steps");
}
