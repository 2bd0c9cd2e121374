// schema_collider: what a scene file may say of colliders.
#include "scene/schema_parts.h"

#define CENTER_KEY                                                                                                     \
    KEY("center", VECTOR, "[0, 0, 1.6 m]", "Centre.", .limit = SCENE_LIMIT_COORDINATE, .count = 3,                     \
        .fallback = "[0, 0, 0]")
#define AXES_KEYS                                                                                                      \
    KEY("axis", AXIS, "[0, 1, 1]", "Where its third axis points.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),   \
        KEY("side", AXIS, "x",                                                                                         \
            "Where its first axis points, across the third; along x where that is possible when absent.",              \
            .limit = SCENE_LIMIT_COMPONENT)
#define FROM_TO_KEYS                                                                                                   \
    KEY("from", VECTOR, "[0, 0, 0]", "Where its axis begins.", .required = true, .limit = SCENE_LIMIT_COORDINATE,      \
        .count = 3),                                                                                                   \
        KEY("to", VECTOR, "[0, 0, 1 m]", "Where its axis ends.", .required = true, .limit = SCENE_LIMIT_COORDINATE,    \
            .count = 3)
#define THICKNESS_KEY(meaning) KEY("radius", NUMBER, "9 cm", meaning, .required = true, .limit = SCENE_LIMIT_LENGTH)
#define FOLLOW_KEY(meaning) KEY("follow", REFERENCE, "head", meaning, .names = "motion")
#define CARRIED_KEY FOLLOW_KEY("Name of a motion that carries it; may as well stand beside the shape.")

static const scene_key ball_keys[] = {CENTER_KEY, THICKNESS_KEY("Radius."), CARRIED_KEY};
const scene_table scene_ball_table = {"sphere_collider", "A ball.", KEYS(ball_keys)};

static const scene_key capsule_keys[] = {FROM_TO_KEYS, THICKNESS_KEY("How far it reaches around the axis."),
                                         CARRIED_KEY};
const scene_table scene_capsule_table = {"capsule", "A rod with round ends.", KEYS(capsule_keys)};

static const scene_key cylinder_keys[] = {FROM_TO_KEYS, THICKNESS_KEY("Radius."), CARRIED_KEY};
const scene_table scene_cylinder_table = {"cylinder", "A rod with flat ends.", KEYS(cylinder_keys)};

static const scene_key plane_keys[] = {
    KEY("point", VECTOR, "[0, 0, 1 m]", "A point of it.", .limit = SCENE_LIMIT_COORDINATE, .count = 3,
        .fallback = "[0, 0, 0]"),
    KEY("normal", AXIS, "[0, 1, 1]", "Where the free side is.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),
    CARRIED_KEY,
};
const scene_table scene_wall_table = {"plane_collider", "All that lies behind a plane.", KEYS(plane_keys)};

static const scene_key box_keys[] = {
    CENTER_KEY,
    KEY("size", VECTOR, "[10 cm, 20 cm, 5 cm]", "Lengths along its three axes.", .required = true,
        .limit = SCENE_LIMIT_LENGTH, .count = 3),
    AXES_KEYS,
    CARRIED_KEY,
};
const scene_table scene_box_table = {"box", "A block.", KEYS(box_keys)};

static const scene_key ellipsoid_keys[] = {
    CENTER_KEY,
    KEY("radii", VECTOR, "[8 cm, 9 cm, 11 cm]", "Half lengths along its three axes.", .required = true,
        .limit = SCENE_LIMIT_LENGTH, .count = 3),
    AXES_KEYS,
    CARRIED_KEY,
};
const scene_table scene_oval_table = {"ellipsoid_collider", "A ball with three radii.", KEYS(ellipsoid_keys)};

static const scene_key solid_keys[] = {
    KEY("file", TEXT, "head.obj", "Triangles, from a file beside the scene: .obj or .ply. They must close up.",
        .required = true),
    KEY("unit", CHOICE, "cm", "Unit of the lengths in the file; needed unless the file says it.",
        .words = SCENE_LENGTH_UNITS),
    KEY("up", CHOICE, "y",
        "Which axis is up in the file; needed unless the file says it. It is turned to where the scene's is.",
        .words = "x|y|z"),
    KEY("center", VECTOR, "[0, 0, 1.6 m]", "Where the file's origin is put.", .limit = SCENE_LIMIT_COORDINATE,
        .count = 3, .fallback = "[0, 0, 0]"),
    KEY("cell", NUMBER, "2 mm",
        "The mesh is known by its distances at points so far apart. Edges and corners get round, outwards: nothing "
        "comes inside the mesh, but may be kept off them by half of this. A 48th of the mesh's longest side when "
        "absent.",
        .limit = SCENE_LIMIT_LENGTH),
    CARRIED_KEY,
};
const scene_table scene_solid_table = {"mesh_collider", "A body of triangles.", KEYS(solid_keys)};

static const scene_key collider_keys[] = {
    KEY("sphere", MAP, "{ center: [0, 0, 1.6 m], radius: 9 cm }", "A ball.", .table = &scene_ball_table),
    KEY("capsule", MAP, "{ from: [0, 0, 1 m], to: [0, 0, 1.4 m], radius: 6 cm }", "A rod with round ends.",
        .table = &scene_capsule_table),
    KEY("plane", MAP, "{ normal: z }", "All that lies behind a plane.", .table = &scene_wall_table),
    KEY("box", MAP, "{ size: [1 m, 1 m, 10 cm] }", "A block.", .table = &scene_box_table),
    KEY("ellipsoid", MAP, "{ radii: [8 cm, 9 cm, 11 cm] }", "A ball with three radii.", .table = &scene_oval_table),
    KEY("cylinder", MAP, "{ from: [0, 0, 0], to: [0, 1 m, 0], radius: 5 cm }", "A rod with flat ends.",
        .table = &scene_cylinder_table),
    KEY("mesh", MAP, "{ file: head.obj, unit: cm, up: y }", "A body of triangles.", .table = &scene_solid_table),
    KEY("friction", NUMBER, "0.5", "Coulomb's coefficient: strands slide down slopes steeper than its arctangent.",
        .limit = SCENE_LIMIT_FRICTION, .fallback = "0.3"),
    FOLLOW_KEY("Name of a motion that carries it; may as well stand inside the shape."),
};
const scene_table scene_collider_table = {
    "colliders",
    "Solid things that strands do not enter, as many as you like. Each has exactly one shape. Vertices are kept out; "
    "what "
    "is smaller than the distance of two vertices may slip between them. Vertices that are held pass through.",
    KEYS(collider_keys)};
