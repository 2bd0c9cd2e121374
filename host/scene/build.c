// build: makes a scene of a checked tree: settings, materials, motions. Complains about what does not fit together.
#include "scene/build.h"

#include "base/vec.h"
#include "law/law.h"
#include "scene/limits.h"
#include "scene/poses.h"
#include "scene/preset.h"

#include <math.h>
#include <string.h>

bool scene_is_building(const scene_builder *builder)
{
    return builder->scene != NULL && builder->reading->status == SHEAF_OK;
}

// Names in a scene are relative to its own folder, which need not be where the command was started.
static void complain_of_file(scene_reading *reading, scene_span place)
{
    char folder[256];
    const char *slash = strrchr(reading->name, '/');
    base_printable(reading->name, folder, sizeof folder);
    if (slash != NULL && strrchr(folder, '/') != NULL)
        *strrchr(folder, '/') = 0;
    scene_complain(reading, place, "%s\nfiles are looked for in the scene's folder, %s%s%s", sheaf_last_error(),
                   slash != NULL ? "'" : "which is the current one", slash != NULL ? folder : "",
                   slash != NULL ? "/'" : "");
}

void scene_added(scene_builder *builder, sheaf_status status, scene_span place)
{
    if (status == SHEAF_ERR_MEMORY)
        builder->reading->status = status;
    else if (status == SHEAF_ERR_LIMIT)
        scene_complain_limit(builder->reading, place, "%s", sheaf_last_error());
    else if (status == SHEAF_ERR_IO)
        complain_of_file(builder->reading, place);
    else if (status != SHEAF_OK)
        scene_complain(builder->reading, place, "%s", sheaf_last_error());
}

// ---- settings

// The strength of gusts, m/s, also where it is a share of the wind's speed.
static double find_gust(scene_map wind, scene_map gust, double speed)
{
    const scene_node *strength = scene_find(gust, "strength");
    const double times = strength != NULL && strength->is_share ? speed : 1;
    const double value = times * scene_number(gust, "strength");
    if (strength == NULL || !strength->is_share || !SCENE_SOUND(wind, "velocity"))
        return value;
    if (speed == 0)
        scene_complain(wind.reading, scene_place(strength),
                       "strength is a share of the wind's speed, which is 0\ngive velocity, or a strength in m/s");
    else if (!scene_within(SCENE_LIMIT_GUST, value))
        scene_complain(wind.reading, scene_place(strength),
                       "strength: %.6g m/s is out of range\nallowed: %.6g to %.6g m/s", value,
                       scene_limits[SCENE_LIMIT_GUST].least, scene_limits[SCENE_LIMIT_GUST].most);
    return value;
}

static void build_wind(scene_map wind, sheaf_scene_def *def)
{
    const scene_map gust = scene_submap(wind, "gust");
    scene_vector(wind, "velocity", def->wind);
    def->gust = find_gust(wind, gust, vec_length(def->wind));
    def->gust_scale = scene_number(gust, "scale");
    def->gust_seed = scene_has(gust, "seed") ? scene_whole(gust, "seed") : def->seed;
}

static void build_output(scene_map output, sheaf_scene_def *def)
{
    const scene_map trajectory = scene_submap(output, "trajectory");
    def->checkpoint_interval = scene_number(scene_submap(output, "checkpoint"), "every");
    def->trajectory_with = (uint32_t)scene_whole(trajectory, "with");
    def->trajectory_every = scene_flag(trajectory, "keep") ? (uint32_t)scene_whole(trajectory, "every") : 0;
}

static void build_settings(scene_builder *builder)
{
    const scene_map file = builder->file, time = scene_submap(file, "time"), step = scene_submap(file, "step");
    const scene_map projection = scene_submap(step, "projection");
    sheaf_scene_def def = sheaf_scene_def_default();
    def.title = scene_string(builder->reading, scene_find(file, "title"));
    def.seed = scene_whole(file, "seed");
    def.step = scene_number(time, "step");
    def.end = scene_number(time, "end");
    def.frame_rate = scene_number(time, "frames");
    def.precision = (sheaf_precision)scene_whole(file, "precision");
    def.integrator = (sheaf_integrator)scene_whole(step, "integrator");
    def.newton = (uint32_t)scene_whole(step, "newton");
    def.projector = (sheaf_projector)scene_whole(projection, "method");
    def.relaxation = scene_number(projection, "relaxation");
    def.gradients = (sheaf_gradients)scene_whole(projection, "gradients");
    def.projection_tolerance = scene_number(projection, "tolerance");
    def.projection_iterations = (uint32_t)scene_whole(projection, "iterations");
    scene_vector(file, "gravity", def.gravity);
    build_output(scene_submap(file, "output"), &def);
    build_wind(scene_submap(file, "wind"), &def);
    builder->air_speed = hypot(vec_length(def.wind), def.gust);
    if (builder->reading->status == SHEAF_OK)
        scene_added(builder, sheaf_scene_create(&def, &builder->scene), (scene_span){0, 0});
    if (builder->scene != NULL)
        scene_build_cable_step(scene_submap(step, "cable"), &builder->scene->cable_step);
}

// ---- materials

static void check_mass(scene_map material, const scene_node *name, const scene_section *section)
{
    if (section->line_mass >= SCENE_LEAST_LINE_MASS ||
        !SCENE_SOUND(material, "preset", "density", "radius", "line_mass"))
        return;
    scene_shown shown;
    scene_complain(material.reading, scene_place(name),
                   "material '%s' has no mass\ngive density and radius, or line_mass", scene_show(name, shown));
}

// One of the two stiffnesses, with the keys that give it and the key that gives the other one.
typedef struct stiffness {
    const char *what, *direct, *modulus, *other;
} stiffness;

static void check_stiffness(scene_map material, const scene_node *name, double value, const stiffness *s)
{
    scene_shown shown;
    if (value >= SCENE_LEAST_STIFFNESS || !SCENE_SOUND(material, "preset", s->direct, s->modulus, "radius"))
        return;
    if (scene_has(material, s->direct))
        scene_complain(material.reading, scene_key_place(material, s->direct),
                       "%s is too small\ngive at least %g N m^2", s->direct, SCENE_LEAST_STIFFNESS);
    else if (scene_has(material, s->other))
        scene_complain(material.reading, scene_key_place(material, s->other),
                       "%s is given, but nothing gives the %s stiffness\nadd %s, or %s and radius", s->other, s->what,
                       s->direct, s->modulus);
    else
        scene_complain(material.reading, scene_place(name),
                       "material '%s' has no %s stiffness\ngive %s and radius, or %s", scene_show(name, shown), s->what,
                       s->modulus, s->direct);
}

static void check_section(scene_map material, const scene_node *name, const scene_section *section)
{
    static const stiffness bending = {"bending", "bend", "young", "twist"};
    static const stiffness twisting = {"twisting", "twist", "shear", "bend"};
    check_mass(material, name, section);
    check_stiffness(material, name, fmin(section->bend[0], section->bend[1]), &bending);
    check_stiffness(material, name, section->twist, &twisting);
}

// What the material says; where it says nothing and there is a wind, what air does to a strand of its radius.
static double find_drag(const scene_builder *builder, scene_map material, const scene_section *section)
{
    const bool is_said =
        scene_has(material, "drag") || scene_preset_value(material.preset, material.table->name, "drag") != NULL;
    return is_said || !scene_has(builder->file, "wind") ? scene_number(material, "drag")
                                                        : scene_air_drag(section->radius, builder->air_speed);
}

static void build_material(scene_builder *builder, scene_map material, const scene_node *name)
{
    sheaf_material_def def = sheaf_material_def_default();
    def.name = scene_string(builder->reading, name);
    def.density = scene_number(material, "density");
    def.young = scene_number(material, "young");
    def.shear = scene_number(material, "shear");
    scene_pair(material, "radius", def.radius);
    scene_pair(material, "bend", def.bend);
    def.twist = scene_number(material, "twist");
    def.line_mass = scene_number(material, "line_mass");
    def.slip = scene_number(material, "slip");
    def.damping = scene_number(material, "damping");
    const scene_section section = scene_material_section(&def);
    def.drag = find_drag(builder, material, &section);
    check_section(material, name, &section);
    law *of = scene_build_law(builder, scene_submap(material, "law"), &section);
    if (scene_is_building(builder))
        scene_added(builder, scene_add_material(builder->scene, &def, of), scene_place(name));
    if (scene_is_building(builder))
        builder->scene->stretches[builder->scene->material_count - 1] = scene_number(material, "stretch");
    law_release(of);
    if (scene_has(material, "touch_radius") && SCENE_SOUND(material, "touch_radius") &&
        !(scene_number(material, "touch_radius") > 0))
        scene_complain(
            material.reading, scene_key_place(material, "touch_radius"),
            "touch_radius: strands of no thickness cannot touch each other\ngive what they are to touch at, or "
            "leave it out: they touch at their `radius`");
    if (builder->touching != NULL) {
        const uint32_t index = builder->touching_count++;
        builder->touching[index] =
            (sheaf_touch_material){index, scene_number(material, "touch_radius"), scene_number(material, "friction")};
    }
}

// ---- motions

static void build_rotation(scene_map rotate, sheaf_motion_def *def)
{
    const scene_node *period = scene_find(rotate, "period");
    scene_axis(rotate, "axis", def->axis);
    scene_read_course(rotate, "angle", &def->turn);
    if (period == NULL)
        return;
    if (def->turn.kind == SHEAF_COURSE_CONSTANT)
        def->turn = (sheaf_course){.kind = SHEAF_COURSE_SINE, .value = def->turn.value, .duration = period->number};
    else
        scene_complain(rotate.reading, scene_key_place(rotate, "period"),
                       "period is for a plain angle\nwrite the swing as a course: { sine: { amplitude, period } }");
}

// A keyframe as a pose: its rotation as a quaternion.
static void build_keyframe(scene_map frame, double pose[SCENE_POSE_SIZE])
{
    double axis[3];
    const double half = scene_number(frame, "angle") / 2;
    scene_axis(frame, "axis", axis);
    vec_unit(axis, axis);
    pose[0] = scene_number(frame, "time");
    scene_vector(frame, "move", pose + 1);
    pose[4] = cos(half);
    vec_scale(pose + 5, axis, sin(half));
}

// What a keyframe's time has to do with the one before it.
static void check_keyframe(scene_map frame, const double *pose, bool jumps, bool is_first)
{
    if (jumps && is_first)
        scene_complain(frame.reading, scene_key_place(frame, "jump"),
                       "the first keyframe has nothing to jump from\nremove the jump, or add a keyframe before it");
    else if (jumps && !(pose[0] > 0))
        scene_complain(frame.reading, scene_key_place(frame, "time"), "a jump must come after time 0");
    else if (!is_first && !(jumps ? pose[0] >= pose[-SCENE_POSE_SIZE] : pose[0] > pose[-SCENE_POSE_SIZE]))
        scene_complain(frame.reading, scene_place(frame.node), "keyframes: this time is not after the one before it");
}

static void build_keyframes(scene_map motion, sheaf_motion_def *def)
{
    const scene_map list = scene_submap(motion, "keyframes");
    if (list.node == NULL || !SCENE_SOUND(motion, "keyframes"))
        return;
    double *poses = scene_take(motion.reading, SCENE_POSE_SIZE * (size_t)list.node->count, sizeof *poses);
    bool *jumps = scene_take(motion.reading, list.node->count, sizeof *jumps);
    scene_node *item = scene_first(motion.reading, list.node);
    for (; item != NULL && poses != NULL && jumps != NULL; item = scene_next(motion.reading, item)) {
        const scene_map frame = {motion.reading, list.table, item, 0};
        double *pose = poses + SCENE_POSE_SIZE * (size_t)def->pose_count;
        build_keyframe(frame, pose);
        jumps[def->pose_count] = scene_flag(frame, "jump");
        check_keyframe(frame, pose, jumps[def->pose_count], def->pose_count == 0);
        def->pose_count++;
    }
    def->poses = poses;
    def->jumps = jumps;
}

// Poses of a file; the caller frees them.
static void build_poses(scene_builder *builder, scene_map motion, scene_poses *poses, sheaf_motion_def *def)
{
    const char *path = scene_find_path(motion, "file");
    if (path == NULL)
        return;
    if (scene_has(motion, "anchor"))
        scene_complain(motion.reading, scene_key_place(motion, "anchor"),
                       "anchor is for rotate and keyframes; a file says where the body is\nremove it");
    scene_added(builder, scene_poses_open(path, poses), scene_key_place(motion, "file"));
    if (poses->count > 0)
        scene_poses_from_first(poses, def->anchor);
    def->poses = poses->values;
    def->jumps = poses->jumps;
    def->pose_count = poses->count;
}

static void check_motion_kinds(scene_map motion)
{
    const bool courses = scene_has(motion, "rotate") || scene_has(motion, "move");
    if (courses + scene_has(motion, "keyframes") + scene_has(motion, "file") + scene_has(motion, "mesh") > 1)
        scene_complain(motion.reading, scene_place(motion.node),
                       "a motion is given twice\nuse one of rotate with move, keyframes, file, and mesh");
}

static void build_motion(scene_builder *builder, scene_map motion, const scene_node *name)
{
    sheaf_motion_def def = sheaf_motion_def_default();
    scene_poses poses = {0};
    def.name = scene_string(builder->reading, name);
    check_motion_kinds(motion);
    scene_vector(motion, "anchor", def.anchor);
    build_rotation(scene_submap(motion, "rotate"), &def);
    scene_read_courses(motion, "move", def.move);
    build_keyframes(motion, &def);
    build_poses(builder, motion, &poses, &def);
    mesh_sequence *sequence = scene_build_skin(builder, scene_submap(motion, "mesh"));
    if (scene_is_building(builder))
        scene_added(builder, scene_add_motion(builder->scene, &def, sequence, NULL), scene_place(name));
    mesh_sequence_release(sequence);
    scene_poses_free(&poses);
}

// ---- the whole

typedef void build_entry(scene_builder *builder, scene_map entry, const scene_node *name);

// Builds every map of a map from names; returns how many there are.
static uint32_t build_named(scene_builder *builder, const char *key, build_entry *build)
{
    const scene_map named = scene_submap(builder->file, key);
    if (named.node == NULL)
        return 0;
    for (scene_node *name = scene_first(builder->reading, named.node); name != NULL;) {
        scene_node *value = scene_next(builder->reading, name);
        if (!value->bad && value->kind == SCENE_NODE_MAP)
            build(builder, scene_open_map(builder->reading, named.table, value), name);
        name = scene_next(builder->reading, value);
    }
    return named.node->count;
}

static void build_list(scene_builder *builder, const char *key, void (*build)(scene_builder *, scene_map))
{
    const scene_map list = scene_submap(builder->file, key);
    scene_node *item = list.node ? scene_first(builder->reading, list.node) : NULL;
    for (; item != NULL && !scene_is_hopeless(builder->reading); item = scene_next(builder->reading, item))
        if (item->kind == SCENE_NODE_MAP && !item->bad)
            build(builder, scene_open_map(builder->reading, list.table, item));
}

// Room for what every material says of touch.
static sheaf_touch_material *take_touching(scene_builder *builder)
{
    const scene_map named = scene_submap(builder->file, "materials");
    return named.node != NULL && !named.node->bad
               ? scene_take(builder->reading, named.node->count, sizeof(sheaf_touch_material))
               : NULL;
}

sheaf_scene *scene_build(scene_reading *reading)
{
    scene_builder builder = {.reading = reading, .file = scene_whole_file(reading)};
    if (builder.file.node == NULL || scene_is_hopeless(reading))
        return NULL;
    build_settings(&builder);
    build_named(&builder, "motion", build_motion);
    build_named(&builder, "bodies", scene_build_body);
    builder.touching = take_touching(&builder);
    builder.materials = build_named(&builder, "materials", build_material);
    build_list(&builder, "colliders", scene_build_collider);
    build_list(&builder, "strands", scene_build_strand);
    scene_build_touch(&builder);
    build_list(&builder, "cables", scene_build_cable);
    build_list(&builder, "reeving", scene_build_reeving);
    if (!scene_has(builder.file, "strands") && !scene_has(builder.file, "cables"))
        scene_complain(
            reading, scene_place(builder.file.node),
            "strands is missing in scene\nadd it, as in strands: [{ shape: { straight: { length: 20 cm } } }], "
            "or cables");
    scene_build_probes(&builder);
    scene_build_view(&builder);
    if (reading->status == SHEAF_OK)
        return builder.scene;
    sheaf_scene_free(builder.scene);
    return NULL;
}
