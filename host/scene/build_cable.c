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

// The tip of a cable that goes straight from its root.
static void place_tip(scene_map cable, const double gravity[3], double length, const cable_end *root, cable_end *tip)
{
    double direction[3] = {0, 0, -1};
    if (vec_length(gravity) > 0)
        vec_copy(direction, gravity);
    if (scene_has(cable, "direction"))
        scene_axis(cable, "direction", direction);
    vec_unit(direction, direction);
    vec_copy(tip->place, root->place);
    vec_axpy(tip->place, length, direction);
}

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

void scene_build_cable(scene_builder *builder, scene_map cable)
{
    scene_group group = {.strand = sheaf_strand_def_default()};
    sheaf_strand_def *def = &group.strand;
    cable_end ends[2];
    double along[3], spacing[3], gravity[3] = {0, 0, -9.81};
    const uint64_t count = scene_whole(cable, "count");
    if (scene_cable_method() == 0)
        scene_complain(cable.reading, scene_place(cable.node),
                       "this sheaf is built without the method of cables\nuse one that has it, or `strands`");
    read_material(builder, cable, &group);
    for (int k = 0; k < 2; k++)
        read_end(builder, cable, k, &ends[k]);
    check_bodies(cable, ends, count);
    scene_vector(cable, "spacing", spacing);
    if (!scene_is_building(builder) || !SCENE_SOUND(cable, "from", "to", "length", "segments"))
        return;
    vec_copy(gravity, builder->scene->def.gravity);
    double length = scene_number(cable, "length");
    if (!ends[1].has_place && !scene_has(cable, "length")) {
        scene_complain(cable.reading, scene_place(cable.node),
                       "length is missing in cables\nadd length: 10 m, or say where the tip is by to: { at }");
        return;
    }
    if (!ends[1].has_place)
        place_tip(cable, gravity, length, &ends[0], &ends[1]);
    vec_sub(along, ends[1].place, ends[0].place);
    length = length > 0 ? length : vec_length(along);
    if (!check_reach(cable, &ends[0], &ends[1], length, is_rigid(builder->scene, &group)))
        return;
    def->shape = SHEAF_SHAPE_POINTS;
    def->vertex_count = (uint32_t)scene_whole(cable, "segments") + 1;
    double *points = scene_take(builder->reading, 3 * (size_t)def->vertex_count, sizeof *points);
    if (points == NULL)
        return;
    lay_points(ends[0].place, ends[1].place, length, def->vertex_count - 1, gravity, points);
    def->points = points;
    def->clamp_mid_edge = false;
    def->natural = SHEAF_NATURAL_STRAIGHT;
    def->method = scene_cable_method();
    group.cable.length = length;
    def->root = ends[0].def;
    def->tip = ends[1].def;
    if (ends[1].places_body) {
        sheaf_body_def *body = &builder->scene->bodies[ends[1].body];
        double arm[3];
        turn_arm(body, ends[1].arm, arm);
        vec_sub(body->at, ends[1].place, arm);
    }
    warn_thick(builder->scene, def, length, builder->strand_number);
    for (uint64_t k = 0; k < count && scene_is_building(builder); k++) {
        double shift[3];
        vec_scale(shift, spacing, (double)k);
        add_cable(builder, cable, group, ends, shift);
    }
}

void scene_build_cable_step(scene_map map, sheaf_cable_step *step)
{
    step->bend = (sheaf_cable_bend)scene_whole(map, "bend");
    step->tension = (sheaf_cable_tension)scene_whole(map, "tension");
    step->damping = scene_number(map, "damping_steps");
}
