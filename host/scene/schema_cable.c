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

static const scene_key winch_keys[] = {
    KEY("body", REFERENCE, "drum", "Name of the drum: a body with a `cylinder` and an `axle` along it.",
        .required = true, .names = "bodies"),
    KEY("store", NUMBER, "20 m", "Length on the drum at the start, besides `length`.", .limit = SCENE_LIMIT_REEVED,
        .fallback = "0 m"),
    KEY("speed", COURSE, "{ ramp: { to: 2 rad/s, over: 1 s } }",
        "Angular velocity of the drum, whatever that takes; positive winds up. Instead of what `axle` says.",
        .limit = SCENE_LIMIT_SPIN),
    KEY("torque", COURSE, "2 kN*m", "Torque on the drum; positive winds up. Instead of what `axle` says.",
        .limit = SCENE_LIMIT_COUPLE),
};
const scene_table scene_winch_table = {
    "winch",
    "A drum that winds the cable up, or pays it out. The rope lies on it in one layer, its middle a radius of rope "
    "from "
    "the drum; what is wound turns and weighs with the drum. The drum turns forwards about its `axle` to wind up.",
    KEYS(winch_keys)};

static const scene_key adaptive_keys[] = {
    KEY("segments", VECTOR, "[8, 64]", "The fewest and the most; it starts with the most.", .required = true,
        .limit = SCENE_LIMIT_SEGMENTS, .count = 2),
};
const scene_table scene_adaptive_table = {
    "adaptive",
    "Segments are merged in twos where the cable bends evenly and little, and split where it bends much, unevenly, or "
    "touches; the first and the last one stay as they are. Files and pictures have the most. On the reference.",
    KEYS(adaptive_keys)};

static const scene_key reeve_keys[] = {
    KEY("body", REFERENCE, "hook", "Name of the body that the point is on; fixed in space when absent.",
        .names = "bodies"),
    KEY("at", VECTOR, "[-50 cm, 0, 20 cm]", "Where it is on the body, along the body's own axes, or in space.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3, .fallback = "[0, 0, 0]"),
};
const scene_table scene_reeve_table = {"reeve_point", "A point that a massless cable runs over.", KEYS(reeve_keys)};

static const scene_key reeving_keys[] = {
    KEY("path", LIST, "[{ body: trolley }, { body: hook, at: [0, 0, 20 cm] }, { body: trolley, at: [1 m, 0, 0] }]",
        "Points that it runs over, 2 to 16, with its ends at the first and the last.", .required = true,
        .table = &scene_reeve_table),
    KEY("length", NUMBER, "7.666 m", "Without load; that of its path at the start when absent.",
        .limit = SCENE_LIMIT_REEVED, .fallback = "0 m"),
    KEY("change", COURSE, "{ ramp: { to: -1 m, over: 2 s } }", "What is paid out, or hauled in where it is negative.",
        .limit = SCENE_LIMIT_COORDINATE, .fallback = "0"),
    KEY("stiffness", NUMBER, "10 MN/m", "Force per elongation of the whole.", .required = true,
        .limit = SCENE_LIMIT_JOINT_STRETCH),
};
const scene_table scene_reeving_table = {
    "reeving",
    "Cables without mass over points on bodies, along which they slide without friction; they pull, and go slack. They "
    "hoist and tilt what hangs on them. A scene with them has at least one of `cables`.",
    KEYS(reeving_keys)};

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
    KEY("adaptive", MAP, "{ segments: [8, 64] }", "Instead of `segments`: as many as its bending asks for.",
        .table = &scene_adaptive_table),
    KEY("from", MAP, "{ at: [0, 0, 12 m] }", "Its root; needed unless it is on a `winch`.",
        .table = &scene_cable_end_table),
    KEY("winch", MAP, "{ body: drum, speed: 1 rad/s, store: 20 m }",
        "What its root is wound on, instead of `from`. Segments are of its whole length then, and it starts straight.",
        .table = &scene_winch_table),
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
