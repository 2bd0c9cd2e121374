// schema_body: what a scene file may say of rigid bodies, and of strands that are fixed to them.
#include "scene/schema_parts.h"

static const scene_key pose_keys[] = {
    KEY("axis", AXIS, "[0, 1, 1]", "Axis through `at`.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),
    KEY("angle", NUMBER, "30 deg", "How far it is turned at the start.", .required = true, .limit = SCENE_LIMIT_ANGLE),
};
const scene_table scene_pose_table = {"body_turn", "How a body is turned at the start.", KEYS(pose_keys)};

static const scene_key axle_keys[] = {
    KEY("axis", AXIS, "y", "Axis through its centre of mass, fixed in space.", .required = true,
        .limit = SCENE_LIMIT_COMPONENT),
    KEY("friction", NUMBER, "1 mN*m*s", "Torque against turning, per angular velocity.",
        .limit = SCENE_LIMIT_AXLE_FRICTION, .fallback = "0"),
    KEY("brake", NUMBER, "20 mN*m", "Largest torque of dry friction.", .limit = SCENE_LIMIT_BRAKE, .fallback = "0"),
    KEY("torque", COURSE, "5 mN*m", "Torque that drives it.", .limit = SCENE_LIMIT_COUPLE, .fallback = "0"),
    KEY("speed", COURSE, "{ ramp: { to: 2 rad/s, over: 1 s } }",
        "Angular velocity that it has, whatever torque that takes; instead of `torque`.", .limit = SCENE_LIMIT_SPIN),
};
const scene_table scene_axle_table = {"axle", "What a body turns on: it stays where it is and turns about one axis.",
                                      .bare = "axis", KEYS(axle_keys)};

static const scene_key body_keys[] = {
    KEY("at", VECTOR, "[0, 0, -50 mm]", "Where its own axes begin: its centre, unless its shape lies elsewhere.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3, .fallback = "[0, 0, 0]"),
    KEY("turn", MAP, "{ axis: x, angle: 30 deg }", "How its own axes are turned at the start.",
        .table = &scene_pose_table),
    KEY("mass", NUMBER, "250 g", "Mass, without what strands on it weigh.", .limit = SCENE_LIMIT_MASS),
    KEY("inertia", VECTOR, "[3e-6 kg*m^2, 3e-6 kg*m^2, 6.6e-6 kg*m^2]",
        "Moments of inertia about its own axes; those of its shape when absent.", .limit = SCENE_LIMIT_INERTIA,
        .count = 3),
    KEY("density", NUMBER, "7850 kg/m^3", "Gives the mass, with a shape.", .limit = SCENE_LIMIT_DENSITY),
    KEY("sphere", MAP, "{ radius: 4 cm }", "Its shape, along its own axes: a ball.", .table = &scene_ball_table),
    KEY("capsule", MAP, "{ from: [0, 0, -3 cm], to: [0, 0, 3 cm], radius: 1 cm }", "A rod with round ends.",
        .table = &scene_capsule_table),
    KEY("box", MAP, "{ size: [10 cm, 4 cm, 2 cm] }", "A block.", .table = &scene_box_table),
    KEY("ellipsoid", MAP, "{ radii: [8 cm, 9 cm, 11 cm] }", "A ball with three radii.", .table = &scene_oval_table),
    KEY("cylinder", MAP, "{ from: [-5 mm, 0, 0], to: [5 mm, 0, 0], radius: 4 cm }", "A rod with flat ends, or a disc.",
        .table = &scene_cylinder_table),
    KEY("velocity", VECTOR, "[1 m/s, 0, 0]", "Velocity of its centre at the start.", .limit = SCENE_LIMIT_SPEED,
        .count = 3, .fallback = "[0, 0, 0]"),
    KEY("spin", VECTOR, "[0, 0, 20 rad/s]", "Angular velocity at the start, in space.", .limit = SCENE_LIMIT_SPIN,
        .count = 3, .fallback = "[0, 0, 0]"),
    KEY("fixed", FLAG, "true", "It stays where it is.", .fallback = "false"),
    KEY("follow", REFERENCE, "head", "Name of a motion that moves it.", .names = "motion"),
    KEY("axle", MAP, "{ axis: y, friction: 1 mN*m*s }", "It turns on an axle.", .table = &scene_axle_table),
    KEY("drag", NUMBER, "0.1 N*s/m", "Force of the air on its centre, per velocity relative to it.",
        .limit = SCENE_LIMIT_BODY_DRAG, .fallback = "0"),
    KEY("force", COURSES, "[0, 0, 2 N]", "Force on its centre of mass.", .limit = SCENE_LIMIT_FORCE,
        .fallback = "[0, 0, 0]"),
    KEY("torque", COURSES, "[0, 0, 5 mN*m]", "Torque, about axes fixed in space.", .limit = SCENE_LIMIT_COUPLE,
        .fallback = "[0, 0, 0]"),
    KEY("friction", NUMBER, "0.5",
        "Coulomb's coefficient of its surface; the smaller one holds, this or the collider's.",
        .limit = SCENE_LIMIT_FRICTION, .fallback = "0.3"),
    KEY("collide", FLAG, "true",
        "It stays out of colliders by its shape, without bouncing, as bodies on cables do in any case. "
        "Strands and other bodies pass through it.",
        .fallback = "false"),
};
const scene_table scene_body_table = {
    "bodies",
    "Rigid bodies: free ones, which move as their weight, their strands and `force` and `torque` tell them, `fixed` "
    "ones, and such as `follow` a motion or turn on an `axle`. A free one needs `mass` and `inertia`, or a shape with "
    "`density` or `mass`. It is drawn as its shape, or as a box of its inertia. What the edges of strands welded to it "
    "weigh comes on top. Bodies pass through each other and, without `collide`, through colliders.",
    KEYS(body_keys)};

static const scene_key weld_keys[] = {
    KEY("edge", WHOLE, "40", "Which edge, from 0 at the root; the first and the last belong to `root` and `tip`.",
        .required = true, .limit = SCENE_LIMIT_EDGE),
    KEY("body", REFERENCE, "wheel", "Name of the body that it is part of.", .required = true, .names = "bodies"),
};
const scene_table scene_weld_table = {"welds", "Inner edges that are part of bodies.", KEYS(weld_keys)};
