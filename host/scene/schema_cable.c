// schema_cable: what a scene file may say of cables.
#include "scene/schema_parts.h"

static const scene_key end_keys[] = {
    KEY("body", REFERENCE, "wheel", "Name of the body that it is fixed to.", .names = "bodies"),
    KEY("follow", REFERENCE, "head", "Name of a motion that holds it, where it is on no body.", .names = "motion"),
    KEY("at", VECTOR, "[0, 0, 12 m]",
        "Where it is at the start: on a body, along the body's own axes; else in space. The tip may be left out: the "
        "cable then goes along `direction`.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3),
    KEY("joint", CHOICE, "clamp",
        "`ball` holds the point, `clamp` the direction and the twist, too. When absent: `ball`, or `free` for a tip of "
        "which nothing else is said.",
        .words = "free|ball|clamp"),
    KEY("load", NUMBER, "500 kg",
        "At the tip, instead of a body: a block of steel of this mass, one for each of many cables.",
        .limit = SCENE_LIMIT_MASS),
    KEY("move", COURSES, "[{ ramp: { to: 2 m, over: 0.3 s } }, 0, 0]", "Displacement of an end that is held in space.",
        .limit = SCENE_LIMIT_COORDINATE, .fallback = "[0, 0, 0]"),
    KEY("twist", COURSE, "{ ramp: { to: 3 turns, over: 2 s } }", "Turn of a clamped end about the cable.",
        .limit = SCENE_LIMIT_ANGLE, .fallback = "0"),
    KEY("force", COURSES, "[0, 0, -2 kN]", "Force on the tip.", .limit = SCENE_LIMIT_FORCE, .fallback = "[0, 0, 0]"),
    KEY("torque", COURSES, "[0, 50 N*m, 0]", "Torque on the last segment, about axes fixed in space.",
        .limit = SCENE_LIMIT_COUPLE, .fallback = "[0, 0, 0]"),
};
const scene_table scene_cable_end_table = {"cable_end", "What an end of a cable is fixed to.", KEYS(end_keys)};

static const scene_key stiffness_keys[] = {
    KEY("stretch", NUMBER, "5 MN/m", "Force per gap of a joint.", .limit = SCENE_LIMIT_JOINT_STRETCH),
    KEY("bend", NUMBER, "1 kN*m/rad", "Moment per angle of a joint.", .limit = SCENE_LIMIT_JOINT_TURN),
    KEY("twist", NUMBER, "1 kN*m/rad", "Moment per twist of a joint.", .limit = SCENE_LIMIT_JOINT_TURN),
};
const scene_table scene_joint_stiffness_table = {
    "joint_stiffness", "Stiffness of every joint, instead of what the material's and the length of segments make it.",
    KEYS(stiffness_keys)};

static const scene_key cable_keys[] = {
    KEY("material", REFERENCE, "hair",
        "Name of a material; may be left out when there is only one. It should have `stretch`, or `young` and "
        "`radius`: "
        "a cable without does not stretch.",
        .names = "materials"),
    KEY("length", NUMBER, "10 m", "Length without load; when absent, the distance between its ends.",
        .limit = SCENE_LIMIT_LENGTH),
    KEY("segments", WHOLE, "24", "Rigid segments; files and pictures show one point more.",
        .limit = SCENE_LIMIT_SEGMENTS, .fallback = "16"),
    KEY("from", MAP, "{ at: [0, 0, 12 m] }", "Its root.", .required = true, .table = &scene_cable_end_table),
    KEY("to", MAP, "{ load: 500 kg }",
        "Its tip; free when absent. A body without `at` of its own is put where the tip is.",
        .table = &scene_cable_end_table),
    KEY("direction", AXIS, "x", "Where it goes, unless the place of its tip is known; along gravity when absent.",
        .limit = SCENE_LIMIT_COMPONENT),
    KEY("count", WHOLE, "100", "So many alike cables.", .limit = SCENE_LIMIT_STRANDS, .fallback = "1"),
    KEY("spacing", VECTOR, "[1 m, 0, 0]", "From one of them to the next.", .limit = SCENE_LIMIT_COORDINATE, .count = 3,
        .fallback = "[0, 0, 0]"),
    KEY("joint_stiffness", MAP, "{ stretch: 5 MN/m, bend: 1 kN*m/rad, twist: 1 kN*m/rad }",
        "Stiffness of every joint, instead of the material's.", .table = &scene_joint_stiffness_table),
};
const scene_table scene_cable_table = {
    "cables",
    "Cables of rigid segments, naturally straight, that stretch, bend and twist as their material says and carry loads "
    "many thousand times as heavy as a segment ([cables](cables.md)).",
    KEYS(cable_keys)};

static const scene_key step_keys[] = {
    KEY("bend", CHOICE, "angle",
        "How bending is measured. `arc`: an even moment makes a true circle with any number of segments. `angle`, "
        "`tangent`: as other programs have it, to compare; on the reference only.",
        .words = "arc|angle|tangent", .fallback = "arc"),
    KEY("tension", CHOICE, "implicit",
        "What keeps taut cables stable. `inertia`: segments under tension turn more slowly within a step. `implicit` "
        "damps swinging, too. `none`: stable up to the critical tension that `sheaf check` prints.",
        .words = "inertia|implicit|none", .fallback = "inertia"),
    KEY("damping_steps", NUMBER, "5", "Time in which errors of joints die away, in steps; 5 suits shocks.",
        .limit = SCENE_LIMIT_DAMPING_STEPS, .fallback = "1"),
};
const scene_table scene_cable_step_table = {"cable_step", "How steps of cables are taken.", KEYS(step_keys)};
