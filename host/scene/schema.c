// schema: the one table of what a scene file may hold.
#include "scene/schema.h"

#include "scene/schema_parts.h"
#include "scene/units.h"

#include <stdio.h>
#include <string.h>

// ---- time and stepping

static const scene_key time_keys[] = {
    KEY("step", NUMBER, "1/240 s", "Time step.", .limit = SCENE_LIMIT_STEP, .fallback = "1/120 s"),
    KEY("end", NUMBER, "4 s", "Time simulated, from 0.", .limit = SCENE_LIMIT_END, .fallback = "1 s"),
    KEY("frames", NUMBER, "24 Hz",
        "Frames kept per simulated second, at most one per step. They lie at even times; where one falls between two "
        "steps, positions are interpolated, so that it does not change the motion.",
        .limit = SCENE_LIMIT_FRAME_RATE, .fallback = "60 Hz"),
};
static const scene_table time_table = {"time", "How long, and how finely.", KEYS(time_keys)};

static const scene_key projection_keys[] = {
    KEY("method", CHOICE, "red-black",
        "`tridiagonal`: all edges of a strand at once, a few iterations. Relaxations treat every edge by itself and "
        "need "
        "many: damped `jacobi`, `chebyshev` (accelerated; at least two iterations per edge), over-relaxed `red-black`.",
        .words = "tridiagonal|jacobi|chebyshev|red-black", .fallback = "tridiagonal"),
    KEY("relaxation", NUMBER, "0.9",
        "Share of its own error that a relaxed edge makes up; 0 takes the method's own: 0.5 for `jacobi`, 1 for "
        "`chebyshev`, the best for a taut strand for `red-black`.",
        .limit = SCENE_LIMIT_RELAXATION, .fallback = "0"),
    KEY("gradients", CHOICE, "start",
        "Where constraints are linearised: at the `start` of the step, which keeps energy and momentum; at the "
        "current `iterate`, which loses some; `auto` takes `start` for the explicit integrator and `iterate` "
        "for the implicit ones.",
        .words = "auto|start|iterate", .fallback = "auto"),
    KEY("tolerance", NUMBER, "1e-6", "Largest error left of any edge's squared length, as a share of it.",
        .limit = SCENE_LIMIT_TOLERANCE, .fallback = "1e-10"),
    KEY("iterations", WHOLE, "20", "Most corrections in one step.", .limit = SCENE_LIMIT_PROJECTIONS,
        .fallback = "100"),
};
static const scene_table projection_table = {"projection", "How edges are brought back to their lengths.",
                                             KEYS(projection_keys)};

static const scene_key step_keys[] = {
    KEY("integrator", CHOICE, "explicit",
        "`bdf2`: implicit, second order. `euler`: implicit, first order, damps. `explicit`: symplectic Euler, "
        "stable below the step limit that `sheaf check` prints.",
        .words = "bdf2|euler|explicit", .fallback = "bdf2"),
    KEY("newton", WHOLE, "2", "Newton iterations of an implicit step; `auto`: as many as a strand needs.",
        .limit = SCENE_LIMIT_NEWTON, .words = "auto", .fallback = "auto"),
    KEY("projection", MAP, "{ tolerance: 1e-6 }", "How edges are brought back to their lengths.",
        .table = &projection_table),
    KEY("cable", MAP, "{ damping_steps: 5 }", "How steps of cables are taken.", .table = &scene_cable_step_table),
};
static const scene_table step_table = {"step", "How one time step is taken.", KEYS(step_keys)};

// ---- what is kept

static const scene_key checkpoint_keys[] = {
    KEY("every", NUMBER, "5 min",
        "Real time, not simulated, between checkpoints, from which `sheaf run --restart` goes on. A run that is killed "
        "loses no more than this.",
        .limit = SCENE_LIMIT_INTERVAL, .fallback = "30 s"),
};
static const scene_table checkpoint_table = {"checkpoint", "How often the whole state is saved.",
                                             KEYS(checkpoint_keys)};

static const scene_key trajectory_keys[] = {
    KEY("keep", FLAG, "false", "`false`: a run leaves no trajectory, only where strands are at the end.",
        .fallback = "true"),
    KEY("every", WHOLE, "2 frames",
        "One frame in so many is written, the first one of all among them. Where strands are at the end of a run is "
        "written, too, whether or not its turn has come.",
        .limit = SCENE_LIMIT_EVERY, .unit = "frame", .fallback = "1 frame"),
    KEY("with", CHOICES, "[director]",
        "What every frame holds besides points. `director`: how the section of each edge is turned, as one angle "
        "([files](files.md#the-formats)). It is there without being asked for where that can be seen: on strands drawn "
        "as tubes or blades that have an elliptic section, or whose twist is imposed.",
        .words = "director"),
};
static const scene_table trajectory_table = {"trajectory", "Where strands are over time, in trajectory.vtkhdf.",
                                             .bare = "keep", KEYS(trajectory_keys)};

static const scene_key probe_keys[] = {
    KEY("name", TEXT, "tip", "Begins the names of its columns.", .required = true),
    KEY("strand", WHOLE, "3", "Number of a strand, from 0.", .limit = SCENE_LIMIT_STRAND, .fallback = "0"),
    KEY("at", NUMBER, "50 %", "Share of the way from root to tip; the nearest vertex is read.",
        .limit = SCENE_LIMIT_SHARE, .fallback = "100 %"),
    KEY("what", CHOICES, "[tension, moment]",
        "`tension`: pull along the strand, N, of implicit steps. `moment`: against bending towards director 1 and 2, "
        "N m. `twist`: twisting moment, N m. All when absent. At an end moments are those of the vertex next to it.",
        .words = "position|tension|moment|twist"),
};
static const scene_table probe_table = {"probes", "Places of strands that are read in every frame, in probes.csv.",
                                        KEYS(probe_keys)};

static const scene_key output_keys[] = {
    KEY("trajectory", MAP, "{ every: 2 frames }", "Where strands are over time.", .table = &trajectory_table),
    KEY("checkpoint", MAP, "{ every: 5 min }", "How often the whole state is saved.", .table = &checkpoint_table),
    KEY("probes", LIST, "[{ name: tip, at: 100 %, what: [position] }]",
        "Readings over time at places of strands, in probes.csv.", .table = &probe_table),
};
static const scene_table output_table = {"output", "What a run keeps on disk.", KEYS(output_keys)};

// ---- surroundings

static const scene_key gust_keys[] = {
    KEY("strength", NUMBER, "1.5 m/s",
        "Root mean square of the speed that gusts add to `velocity`; in %, a share of the length of `velocity`.",
        .required = true, .limit = SCENE_LIMIT_GUST, .share_of = "the wind's speed"),
    KEY("scale", NUMBER, "60 cm", "Wave length of the gusts, from half to double of it.", .limit = SCENE_LIMIT_LENGTH,
        .fallback = "1 m"),
    KEY("seed", SEED, "3", "Chooses the gusts; the scene's `seed` when absent."),
};
static const scene_table gust_table = {"gust", "Turbulence that travels with the wind.", KEYS(gust_keys)};

static const scene_key wind_keys[] = {
    KEY("velocity", VECTOR, "[2 m/s, 0, 0]", "Mean velocity of the air. It acts on materials by their `drag`.",
        .limit = SCENE_LIMIT_SPEED, .count = 3, .fallback = "[0, 0, 0]"),
    KEY("gust", MAP, "{ strength: 1 m/s, scale: 50 cm }", "Turbulence that travels with the wind.",
        .table = &gust_table),
    KEY("shield", FLAG, "true",
        "Hair shields hair behind it: the air loses what the hair in front takes by its own drag, counting what each "
        "strand `stands_for`, on the grid of `touch: volume`.",
        .fallback = "false"),
};
static const scene_table wind_table = {"wind", "Air that moves.", KEYS(wind_keys)};

// ---- courses

static const scene_key ramp_keys[] = {
    KEY("to", NUMBER, "3", "Value reached.", .required = true, .of_course = true),
    KEY("start", NUMBER, "0.5 s", "When it begins.", .limit = SCENE_LIMIT_TIME, .fallback = "0 s"),
    KEY("over", NUMBER, "2 s", "How long it takes; 0: a jump.", .required = true, .limit = SCENE_LIMIT_DURATION),
    KEY("smooth", FLAG, "true", "Begin and end at rest instead of at full speed.", .fallback = "false"),
};
static const scene_table ramp_table = {"ramp", "From 0 to a value, which then stays.", KEYS(ramp_keys)};

static const scene_key sine_keys[] = {
    KEY("amplitude", NUMBER, "0.1", "Largest value.", .required = true, .of_course = true),
    KEY("period", NUMBER, "1.5 s", "Time of one swing to and fro.", .required = true, .limit = SCENE_LIMIT_PERIOD),
    KEY("start", NUMBER, "0.25 s", "A time at which the value is 0 and rising. The sine has neither beginning nor end.",
        .limit = SCENE_LIMIT_TIME, .fallback = "0 s"),
};
static const scene_table sine_table = {"sine", "A swing that never ends.", KEYS(sine_keys)};

static const scene_key course_keys[] = {
    KEY("ramp", MAP, "{ to: 1, over: 2 s }", "From 0 to a value.", .of_course = true, .table = &ramp_table),
    KEY("sine", MAP, "{ amplitude: 1, period: 2 s }", "A swing.", .of_course = true, .table = &sine_table),
    KEY("keys", KEYS, "[[0 s, 0], [1 s, 0.5], [3 s, 0]]",
        "Straight lines through [time, value] pairs, constant before the first and after the last. Times increase.",
        .of_course = true),
};
const scene_table scene_courses = {"course", "A value that follows time: a plain value, which stays, or one of these.",
                                   .one_of = true, KEYS(course_keys)};

// ---- materials and motion

static const scene_key material_keys[] = {
    PRESET_KEY("What this kind of strand is made of: stands for all keys that are not given. See [presets](#presets)."),
    KEY("density", NUMBER, "1300 kg/m^3", "Gives the mass, with `radius`.", .limit = SCENE_LIMIT_DENSITY),
    KEY("young", NUMBER, "3.5 GPa", "Young's modulus: gives the bending stiffness, with `radius`.",
        .limit = SCENE_LIMIT_MODULUS),
    KEY("shear", NUMBER, "1.3 GPa", "Shear modulus: gives the twisting stiffness, with `radius`.",
        .limit = SCENE_LIMIT_MODULUS),
    KEY("radius", PAIR, "[45 um, 32 um]",
        "Of the round section, or the half axes of an elliptic one along director 1 and 2.",
        .limit = SCENE_LIMIT_SECTION_RADIUS),
    KEY("bend", PAIR, "0.02 N*m^2",
        "Bending stiffness EI instead of `young` and `radius`; two values: against bending towards director 1 "
        "and 2.",
        .limit = SCENE_LIMIT_STIFFNESS),
    KEY("twist", NUMBER, "0.015 N*m^2", "Twisting stiffness GJ instead of `shear` and `radius`.",
        .limit = SCENE_LIMIT_STIFFNESS),
    KEY("line_mass", NUMBER, "6.5 mg/m", "Mass per length instead of `density` and `radius`.",
        .limit = SCENE_LIMIT_LINE_MASS),
    KEY("drag", NUMBER, "0.2 mPa*s",
        "Force of the air per length and per velocity relative to it. When absent: in a scene with `wind`, that of a "
        "round strand of this `radius` across air that moves as fast as wind and gusts do; else 0.",
        .limit = SCENE_LIMIT_DRAG),
    KEY("slip", NUMBER, "50 %",
        "Share of the drag that motion along the strand is spared: 0 %: drag is the same in all directions; 50 % suits "
        "thin round strands; 100 %: air does not rub along the strand.",
        .limit = SCENE_LIMIT_SLIP, .fallback = "0"),
    KEY("damping", NUMBER, "0.1 ms", "Internal damping, as a multiple of the elastic stiffness.",
        .limit = SCENE_LIMIT_DAMPING, .fallback = "0"),
    KEY("law", MAP, "{ bend: \"c*atan(x/c)\", with: { c: 4 1/m }, range: 12 1/m }",
        "Moments that are not proportional to strain: see [laws.md](laws.md). Stiffnesses above are those that it "
        "multiplies.",
        .table = &scene_law_table),
    KEY("stretch", NUMBER, "18 MN", "Of cables: stretching stiffness EA instead of `young` and `radius`.",
        .limit = SCENE_LIMIT_STRETCH),
    KEY("touch_radius", NUMBER, "0.5 mm",
        "At which strands touch each other (`touch`), as where one stands for a lock of hair; that of the section when "
        "absent.",
        .limit = SCENE_LIMIT_SECTION_RADIUS, .fallback = "0"),
    KEY("friction", NUMBER, "0.5",
        "Coulomb's coefficient where strands touch each other: of two materials the smaller.",
        .limit = SCENE_LIMIT_TOUCH_FRICTION, .fallback = "0.3"),
};
static const scene_table material_table = {
    "material", "What strands are made of: either by density, moduli and radius, or by mass and stiffnesses directly.",
    KEYS(material_keys)};

static const scene_key rotate_keys[] = {
    KEY("axis", AXIS, "[0, 1, 1]", "Axis through `anchor`.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),
    KEY("angle", COURSE, "40 deg", "Angle in time; with `period`, the largest angle of a swing.", .required = true,
        .limit = SCENE_LIMIT_ANGLE),
    KEY("period", NUMBER, "1.5 s", "Makes a plain angle a swing to and fro.", .limit = SCENE_LIMIT_PERIOD),
};
static const scene_table rotate_table = {"rotate", "A turn about an axis.", KEYS(rotate_keys)};

static const scene_key keyframe_keys[] = {
    KEY("time", NUMBER, "0.5 s", "When it is there.", .required = true, .limit = SCENE_LIMIT_TIME),
    KEY("move", VECTOR, "[0, 0, 5 cm]", "Displacement then.", .limit = SCENE_LIMIT_COORDINATE, .count = 3,
        .fallback = "[0, 0, 0]"),
    KEY("axis", AXIS, "[0, 1, 1]", "Axis through `anchor` about which it is turned then.",
        .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),
    KEY("angle", NUMBER, "40 deg", "How far it is turned then.", .limit = SCENE_LIMIT_ANGLE, .fallback = "0"),
    KEY("jump", FLAG, "true",
        "It stays at the pose before until then, and jumps: strands come along as they are, with their shape and their "
        "speed as seen from the body, and colliders that follow it sweep nothing on the way. The time may be that of "
        "the "
        "pose before.",
        .fallback = "false"),
};
static const scene_table keyframe_table = {
    "keyframes",
    "Poses at times that increase. Between two of them displacement and rotation go on evenly, the shorter way round, "
    "unless it jumps; before the first and after the last they stay.",
    KEYS(keyframe_keys)};

static const scene_key skin_keys[] = {
    KEY("frames", TEXT, "body.%04d.obj",
        "Files beside the scene, one for each frame: .obj or .ply, all with the same triangles. `%04d` stands for the "
        "number of the frame with four digits, `%d` for as many as it has.",
        .required = true),
    KEY("first", WHOLE, "1", "Number of the first frame.", .limit = SCENE_LIMIT_FRAME, .fallback = "1"),
    KEY("last", WHOLE, "48", "Number of the last frame.", .limit = SCENE_LIMIT_FRAME, .required = true),
    KEY("rate", NUMBER, "24 Hz", "Frames per second.", .limit = SCENE_LIMIT_FRAME_RATE, .fallback = "24 Hz"),
    KEY("start", NUMBER, "0.5 s", "Time of the first frame.", .limit = SCENE_LIMIT_DURATION, .fallback = "0 s"),
    KEY("unit", CHOICE, "cm", "Unit of the lengths in the files; needed unless they say it.",
        .words = SCENE_LENGTH_UNITS),
    KEY("up", CHOICE, "y", "Which axis is up in the files; needed unless they say it.", .words = "x|y|z"),
    KEY("center", VECTOR, "[0, 0, 1 m]", "Where the files' origin is put.", .limit = SCENE_LIMIT_COORDINATE, .count = 3,
        .fallback = "[0, 0, 0]"),
};
static const scene_table skin_table = {
    "skin",
    "A mesh that deforms. A root that follows it is bound to the place of the first frame that is nearest to it, by "
    "barycentric coordinates in a triangle, and turns as this triangle does. Between two frames places and directions "
    "go "
    "on evenly; before the first and after the last they stay.",
    KEYS(skin_keys)};

static const scene_key motion_keys[] = {
    KEY("anchor", VECTOR, "[0, 0, 10 cm]", "Point that the axis goes through.", .limit = SCENE_LIMIT_COORDINATE,
        .count = 3, .fallback = "[0, 0, 0]"),
    KEY("rotate", MAP, "{ axis: z, angle: 40 deg, period: 1.5 s }", "Turn about an axis through `anchor`.",
        .table = &rotate_table),
    KEY("move", COURSES, "[0, 0, { ramp: { to: 5 cm, over: 1 s } }]", "Displacement in time, after the turn.",
        .limit = SCENE_LIMIT_COORDINATE, .fallback = "[0, 0, 0]"),
    KEY("keyframes", LIST, "[{ time: 0 s }, { time: 1 s, angle: 90 deg, move: [10 cm, 0, 0] }]",
        "Poses at given times, instead of `rotate` and `move`.", .table = &keyframe_table),
    KEY("file", TEXT, "head.csv",
        "Poses from a file beside the scene: lines of time (s), x, y, z (m) and a quaternion w, x, y, z, as other "
        "programs have them for a bone or body; the word `jump` at the end of a line means what it does in "
        "`keyframes`. "
        "What the scene holds is where the body is at the first of these times."),
    KEY("mesh", MAP, "{ frames: body.%04d.obj, last: 48, rate: 24 Hz, unit: cm, up: y }",
        "A mesh that deforms, which roots of strands may follow.", .table = &skin_table),
};
static const scene_table motion_table = {"motion",
                                         "A motion that ends of strands may follow: a rigid one by `rotate` and "
                                         "`move`, by `keyframes`, or from a `file`; or that of a deforming `mesh`.",
                                         KEYS(motion_keys)};

// ---- shapes

#define ORIGIN_KEY(meaning)                                                                                            \
    KEY("origin", VECTOR, "[0, 0, 1 m]", meaning, .limit = SCENE_LIMIT_COORDINATE, .count = 3, .fallback = "[0, 0, 0]")
#define DIRECTION_KEY(meaning) KEY("direction", AXIS, "x", meaning, .limit = SCENE_LIMIT_COMPONENT, .fallback = "-z")
#define NORMAL_KEY(meaning) KEY("normal", AXIS, "y", meaning, .limit = SCENE_LIMIT_COMPONENT)
#define LENGTH_KEY(meaning) KEY("length", NUMBER, "20 cm", meaning, .required = true, .limit = SCENE_LIMIT_LENGTH)
#define RADIUS_KEY(meaning) KEY("radius", NUMBER, "1 cm", meaning, .required = true, .limit = SCENE_LIMIT_LENGTH)
#define PITCH_KEY(meaning) KEY("pitch", NUMBER, "25 mm", meaning, .required = true, .limit = SCENE_LIMIT_PITCH)
#define VERTICES_KEY                                                                                                   \
    KEY("vertices", WHOLE, "64", "Vertices of the strand.", .limit = SCENE_LIMIT_VERTICES, .fallback = "32")

static const scene_key straight_keys[] = {
    ORIGIN_KEY("Where the strand starts."),
    DIRECTION_KEY("Where it goes."),
    LENGTH_KEY("Length of the strand."),
    VERTICES_KEY,
};
static const scene_table straight_table = {"straight", "A straight line.", KEYS(straight_keys)};

static const scene_key helix_keys[] = {
    ORIGIN_KEY("Point of the axis beside the start."),
    DIRECTION_KEY("Where the axis goes."),
    NORMAL_KEY("From the axis to the start; chosen when absent."),
    RADIUS_KEY("Distance from the axis."),
    PITCH_KEY("Way along the axis per turn; negative: left-handed."),
    LENGTH_KEY("Arc length of the strand."),
    VERTICES_KEY,
};
static const scene_table helix_table = {"helix", "A line wound about an axis.", KEYS(helix_keys)};

static const scene_key circle_keys[] = {
    ORIGIN_KEY("Centre."),
    DIRECTION_KEY("Normal of the plane."),
    NORMAL_KEY("From the centre to the first vertex; chosen when absent."),
    RADIUS_KEY("Radius of the circle."),
    VERTICES_KEY,
};
static const scene_table circle_table = {"circle", "A closed circle.", KEYS(circle_keys)};

static const scene_key arc_keys[] = {
    ORIGIN_KEY("Where the strand starts."),
    DIRECTION_KEY("Where it goes at first."),
    NORMAL_KEY("Where it bends to; chosen when absent."),
    RADIUS_KEY("Radius of curvature."),
    LENGTH_KEY("Arc length of the strand."),
    VERTICES_KEY,
};
static const scene_table arc_table = {"arc", "A part of a circle.", KEYS(arc_keys)};

static const scene_key shape_keys[] = {
    KEY("straight", MAP, "{ length: 20 cm }", "A straight line.", .table = &straight_table),
    KEY("helix", MAP, "{ radius: 6 mm, pitch: 25 mm, length: 30 cm, vertices: 100 }", "A line wound about an axis.",
        .table = &helix_table),
    KEY("circle", MAP, "{ radius: 5 cm }", "A closed circle.", .table = &circle_table),
    KEY("arc", MAP, "{ radius: 5 cm, length: 10 cm }", "A part of a circle.", .table = &arc_table),
};
static const scene_table shape_table = {"shape", "Where the vertices of a strand lie at first.", .one_of = true,
                                        KEYS(shape_keys)};

static const scene_key natural_helix_keys[] = {
    RADIUS_KEY("Radius of the helix that the strand would take."),
    PITCH_KEY("Pitch of the helix; negative: left-handed."),
};
static const scene_table natural_helix_table = {"natural_helix", "The helix that a strand would take if nothing acted.",
                                                KEYS(natural_helix_keys)};

static const scene_key natural_keys[] = {
    KEY("form", CHOICE, "straight",
        "`shape`: the strand starts free of stress. `straight`: it would be straight. `sag-free`: it starts at rest "
        "under "
        "gravity, with the curvature and twist that this takes; the root must be clamped, the tip free.",
        .words = "shape|straight|sag-free", .fallback = "shape"),
    KEY("curvature", VECTOR, "[50 1/m, 0]", "The same curvature everywhere, in the basis of the directors.",
        .limit = SCENE_LIMIT_CURVATURE, .count = 2),
    KEY("helix", MAP, "{ radius: 5 mm, pitch: 2 cm }",
        "The curvature and twist of a helix; `normal` points away from its axis, as in a helix `shape`.",
        .table = &natural_helix_table),
    KEY("points", POINTS, "[[0, 0, 0], [1 cm, 0, 0], [2 cm, 1 mm, 0]]",
        "The shape of another polyline with as many vertices.", .limit = SCENE_LIMIT_COORDINATE),
    KEY("twist", NUMBER, "90 deg/m", "Natural twist; not with `helix`.", .limit = SCENE_LIMIT_TWIST_RATE,
        .fallback = "0"),
    KEY("stiffen", CHOICE, "off",
        "Of `sag-free` strands: whether those that would fall when disturbed are made stiffer, bending and twisting "
        "stiffness by the same factor, the least one that holds them, with a `margin`.",
        .words = "auto|off", .fallback = "auto"),
    KEY("margin", NUMBER, "10 %",
        "Of `sag-free` strands: how much stiffer than needed they are made. With 25 % a groom comes back from a jolt "
        "of "
        "1 m/s.",
        .limit = SCENE_LIMIT_MARGIN, .fallback = "25 %"),
    KEY("limit", NUMBER, "4",
        "Of `sag-free` strands: largest factor on their stiffness. Those that would need more get this, are listed, "
        "and "
        "still fall.",
        .limit = SCENE_LIMIT_STIFFENING, .fallback = "10"),
};
static const scene_table natural_table = {
    "natural", "The form a strand would take if nothing acted on it: at most one of form, curvature, helix, points.",
    .bare = "form", KEYS(natural_keys)};

// ---- ends

static const scene_key turn_keys[] = {
    KEY("axis", AXIS, "x", "Axis through the end's vertex.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),
    KEY("angle", COURSE, "{ ramp: { to: 90 deg, over: 1 s } }", "Angle in time.", .required = true,
        .limit = SCENE_LIMIT_ANGLE),
};
static const scene_table turn_table = {"turn", "A turn of a held end.", KEYS(turn_keys)};

static const scene_key end_keys[] = {
    KEY("hold", CHOICE, "clamp", "`pin` holds the position; `clamp` holds position, tangent and angle.",
        .words = "free|pin|clamp", .purpose = "a way to hold an end", .fallback = "free"),
    KEY("clamp", REFERENCE, "true",
        "`clamp: head` is short for `hold: clamp` and `follow: head`; with the name of a body, the end's edge is "
        "welded "
        "to it.",
        .words = "true", .names = "motion|bodies"),
    KEY("pin", REFERENCE, "true",
        "`pin: head` is short for `hold: pin` and `follow: head`; with the name of a body, the end's vertex is on it "
        "as "
        "on a ball joint.",
        .words = "true", .names = "motion|bodies"),
    KEY("weld", REFERENCE, "bob", "The same as `clamp`.", .words = "true", .names = "motion|bodies"),
    KEY("position", CHOICE, "held", "The end's vertex stays, or goes where `follow` and `move` take it.",
        .words = "free|held"),
    KEY("tangent", CHOICE, "held", "The end's edge keeps its direction, or turns with `follow` and `turn`.",
        .words = "free|held"),
    KEY("angle", CHOICE, "held", "The frame of the end's edge keeps its angle about the edge, or turns with `twist`.",
        .words = "free|held"),
    KEY("slide", AXIS, "z", "The held position is free along this axis.", .limit = SCENE_LIMIT_COMPONENT),
    KEY("follow", REFERENCE, "head", "Name of a motion that what is held follows.", .names = "motion"),
    KEY("move", COURSES, "[0, 0, { sine: { amplitude: 1 cm, period: 0.5 s } }]", "Displacement of the held position.",
        .limit = SCENE_LIMIT_COORDINATE, .fallback = "[0, 0, 0]"),
    KEY("turn", MAP, "{ axis: x, angle: { ramp: { to: 90 deg, over: 1 s } } }",
        "Turn of the held tangent and frame about an axis through the end's vertex.", .table = &turn_table),
    KEY("twist", COURSE, "{ ramp: { to: 3 turns, over: 2 s } }", "Turn of the held frame about its own edge.",
        .limit = SCENE_LIMIT_ANGLE, .fallback = "0"),
    KEY("force", COURSES, "[0, 0, -20 uN]", "Force on the end's vertex.", .limit = SCENE_LIMIT_FORCE,
        .fallback = "[0, 0, 0]"),
    KEY("couple", COURSES, "[0, 5 uN*m, 0]", "Couple on the end's edge, about axes fixed in space.",
        .limit = SCENE_LIMIT_COUPLE, .fallback = "[0, 0, 0]"),
    KEY("torque", COURSES, "[0, 5 uN*m, 0]", "The same as `couple`.", .limit = SCENE_LIMIT_COUPLE),
};
static const scene_table end_table = {
    "end",
    "What holds and drives one end of a strand. Position, tangent and frame angle are held or free each on its own.",
    .bare = "hold", KEYS(end_keys)};

static const scene_key hold_keys[] = {
    KEY("edge", WHOLE, "5",
        "Which edge, from 0 at the root; not the first or last of an open strand, which belong to `root` and "
        "`tip`.",
        .required = true, .limit = SCENE_LIMIT_EDGE),
    KEY("twist", COURSE, "90 deg", "Turn of the held frame about its own edge.", .limit = SCENE_LIMIT_ANGLE,
        .fallback = "0"),
};
static const scene_table hold_table = {"holds", "Inner edges whose frame angle is held.", KEYS(hold_keys)};

// ---- strands

static const scene_key taper_keys[] = {
    KEY("tip", NUMBER, "30 %", "Radius at the tip, as a share of the material's.", .required = true,
        .limit = SCENE_LIMIT_TAPER),
    KEY("start", NUMBER, "50 %", "Share of the length up to which the radius stays.", .limit = SCENE_LIMIT_TAPER_START,
        .fallback = "0"),
};
static const scene_table taper_table = {"taper", "Radius along a strand.", .bare = "tip", KEYS(taper_keys)};

static const scene_key section_keys[] = {
    KEY("to", NUMBER, "30 %",
        "Share of the length, from the root, where the section ends; only the last one, which ends at the tip, does "
        "without.",
        .limit = SCENE_LIMIT_SECTION),
    KEY("material", REFERENCE, "stiff", "Name of a material.", .required = true, .names = "materials"),
};
static const scene_table section_table = {
    "sections",
    "Materials along a strand, from the root on. The change from one to the next lies on a vertex: edges of a `shape` "
    "without `spacing` get the lengths for that; of other strands the nearest vertex is taken. There half an edge of "
    "either section bends and twists in series, so that the seam is neither weaker nor stiffer than it is. Slip and "
    "damping are those of the first section, drag is spread along the strand by mass.",
    KEYS(section_keys)};

static const scene_key strand_keys[] = {
    KEY("points", POINTS, "[[0, 0, 0], [1 cm, 0, 0], [2 cm, 1 mm, 0]]", "One strand through these vertices.",
        .limit = SCENE_LIMIT_COORDINATE),
    KEY("shape", MAP, "{ straight: { length: 20 cm } }", "One strand of this shape.", .table = &shape_table),
    KEY("groom", MAP, "{ on: { sphere: { radius: 9 cm } }, count: 100, length: 20 cm }", "Many strands.",
        .table = &scene_groom_table),
    KEY("file", TEXT, "fringe.hair",
        "Many strands, from a file beside the scene: .hair, .usda, .npy, .ply or .data. A clamped root stays where the "
        "file "
        "has it, and keeps the direction of its first edge. Widths are not used; the material gives the radius."),
    KEY("unit", CHOICE, "cm", "Unit of the lengths in `file`; needed unless the file says it.",
        .words = SCENE_LENGTH_UNITS),
    KEY("up", CHOICE, "y",
        "Which axis is up in `file`; needed unless the file says it. The strands are turned so that it points against "
        "`gravity`, or along z where that is along no axis.",
        .words = "x|y|z"),
    KEY("simulate", NUMBER, "5 %",
        "Share of the strands of `file` that is simulated, spread evenly; the others are drawn as their `children`.",
        .limit = SCENE_LIMIT_SIMULATED, .fallback = "100 %"),
    KEY("material", REFERENCE, "hair", "Name of a material; may be left out when there is only one.",
        .names = "materials"),
    KEY("sections", LIST, "[{ to: 30 %, material: stiff }, { material: soft }]",
        "Several materials along the strand, in place of `material`.", .table = &section_table),
    KEY("method", TEXT, "der",
        "Which method moves the strands. `der`: Discrete Elastic Rods, with bending, twist and natural shape. `cable`: "
        "rigid segments, naturally straight, that stretch and carry loads; `cables` are of this method.",
        .fallback = "der"),
    KEY("children", MAP, "{ count: 32 }",
        "Strands drawn between those of a `groom` or `file`, by `sheaf render`, `view` and `convert`.",
        .table = &scene_children_table),
    KEY("stands_for", NUMBER, "25",
        "How many hairs each strand stands for in `touch: volume` and in the wind's `shield`; its own mass and drag "
        "stay "
        "as they are. When absent: its children and itself.",
        .limit = SCENE_LIMIT_STANDS_FOR),
    KEY("spacing", NUMBERS, "[1, 1, 2]", "Relative lengths of all edges of a `shape`; even when absent.",
        .limit = SCENE_LIMIT_SPACING),
    KEY("clamp_plane", CHOICE, "vertex",
        "Where the plane of a clamped end of a `shape` cuts it: through the end's vertex, or through the middle "
        "of the end's edge, which is more accurate.",
        .words = "vertex|mid_edge", .fallback = "mid_edge"),
    KEY("taper", MAP, "30 %",
        "Makes strands thinner towards their tips. Bending and twisting stiffness go with the fourth power of the "
        "radius, "
        "mass and drag with its square.",
        .table = &taper_table),
    KEY("natural", MAP, "straight", "The form the strand would take if nothing acted on it.", .table = &natural_table,
        .fallback = "shape"),
    KEY("natural_twist", NUMBER, "90 deg/m", "Natural twist of the frame; the same as `twist` in `natural`.",
        .limit = SCENE_LIMIT_TWIST_RATE, .fallback = "0"),
    KEY("normal", AXIS, "[0, 1, 0]", "Where director 1 of the first edge points; chosen when absent.",
        .limit = SCENE_LIMIT_COMPONENT),
    KEY("closed", FLAG, "true", "Joins the last of the `points` to the first. A circle is always closed.",
        .fallback = "false"),
    KEY("closing_twist", NUMBER, "3 turns", "Twist put into a closed strand where it is joined.",
        .limit = SCENE_LIMIT_ANGLE, .fallback = "0"),
    KEY("root", MAP, "pin", "The first end; free when the strand is closed.", .table = &end_table, .fallback = "clamp"),
    KEY("tip", MAP, "{ force: [0, 0, 1 mN] }", "The last end.", .table = &end_table, .fallback = "free"),
    KEY("holds", LIST, "[{ edge: 5, twist: 90 deg }]", "Inner edges whose frame angle is held, by increasing edge.",
        .table = &hold_table),
    KEY("welds", LIST, "[{ edge: 40, body: wheel }]", "Inner edges that are welded to bodies, by increasing edge.",
        .table = &scene_weld_table),
};
static const scene_table strand_table = {"strands", "Each has exactly one of `points`, `shape`, `groom`, `file`.",
                                         KEYS(strand_keys)};

// ---- looking at it

#define COLOUR_KEY(key, for_example, meaning)                                                                          \
    KEY(key, VECTOR, for_example, meaning, .limit = SCENE_LIMIT_COLOUR, .count = 3)

static const scene_key camera_keys[] = {
    KEY("from", VECTOR, "[0, -60 cm, 10 cm]", "Where the eye is; chosen when absent, so that everything is in sight.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3),
    KEY("at", VECTOR, "[0, 0, 0]", "What it looks at; the middle of the strands when absent.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3),
    KEY("angle", NUMBER, "30 deg", "Angle of view from top to bottom.", .limit = SCENE_LIMIT_VIEW_ANGLE,
        .fallback = "30 deg"),
};
static const scene_table camera_table = {"camera", "Where the strands are looked at from.", KEYS(camera_keys)};

static const scene_key ground_keys[] = {
    KEY("show", CHOICE, "none", "`auto`: a little below the lowest point. `none`: no ground. `at`: at `height`.",
        .words = "auto|none|at", .fallback = "auto"),
    KEY("height", NUMBER, "0 m", "Height of the ground, against gravity; makes `show` `at`.",
        .limit = SCENE_LIMIT_COORDINATE, .fallback = "0"),
    COLOUR_KEY("colour", "[0.4, 0.35, 0.25]", "Colour of the ground."),
};
static const scene_table ground_table = {"ground", "What lies under the strands.", .bare = "show", KEYS(ground_keys)};

static const scene_key paint_keys[] = {
    KEY("material", REFERENCE, "hair", "Name of a material; may be left out when there is only one.",
        .names = "materials"),
    KEY("colour", VECTOR, "[0.4, 0.25, 0.15]", "Red, green and blue from 0 to 1, as screens have them.",
        .limit = SCENE_LIMIT_COLOUR, .count = 3, .required = true),
    KEY("vary", NUMBER, "20 %", "How much strands differ in brightness.", .limit = SCENE_LIMIT_COLOUR,
        .fallback = "15 %"),
    KEY("roughness", NUMBER, "0.2", "Of hair: small for narrow, bright highlights, large for wide, dull ones.",
        .limit = SCENE_LIMIT_ROUGHNESS, .fallback = "0.3"),
    KEY("shift", NUMBER, "0.05",
        "Of hair: how far highlights are moved along it by the scales of its surface, as the sine of an angle. The "
        "white one goes towards the root, the coloured one towards the tip.",
        .limit = SCENE_LIMIT_SHIFT, .fallback = "0.035"),
    KEY("shine", NUMBER, "1.5", "Of hair: factor on highlights and on light that shines through.",
        .limit = SCENE_LIMIT_SHINE, .fallback = "1"),
    KEY("tint", NUMBER, "0.3",
        "Of hair: how much of its colour light takes on the way to strands in the shade. 0: they are as bright as "
        "those "
        "in the light.",
        .limit = SCENE_LIMIT_SHINE, .fallback = "0.45"),
    KEY("tip", VECTOR, "[1.4, 1.3, 1.2]",
        "Of hair: factors on red, green and blue at the tip; at the root all are 0.7.", .limit = SCENE_LIMIT_SHINE,
        .count = 3, .fallback = "[1.25, 1.2, 1.12]"),
};
static const scene_table paint_table = {"colours", "What colour strands of a material have, and how they take light.",
                                        KEYS(paint_keys)};

static const scene_key view_keys[] = {
    KEY("camera", MAP, "{ from: [0, -60 cm, 10 cm] }", "Where the strands are looked at from.", .table = &camera_table),
    KEY("light", AXIS, "[-1, -1, 2]", "Where the light comes from; from the camera's upper left when absent.",
        .limit = SCENE_LIMIT_COMPONENT),
    KEY("background", CHOICE, "sky",
        "What is behind it all: a grey `studio`, a bright `sky`, or `dark`, with some light behind the middle.",
        .words = "studio|sky|dark", .fallback = "studio"),
    COLOUR_KEY("sky", "[0.6, 0.75, 0.9]", "Colour overhead, instead of the background's; it is paler at the horizon."),
    KEY("exposure", NUMBER, "1.3", "Factor on the light of strands and bodies; the background keeps its own.",
        .limit = SCENE_LIMIT_EXPOSURE, .fallback = "1"),
    KEY("rim", NUMBER, "0.8", "Strength of the light from behind that draws outlines; 0: none.",
        .limit = SCENE_LIMIT_SHINE, .fallback = "0.5"),
    COLOUR_KEY("skin", "[0.55, 0.4, 0.33]", "Colour of heads and of meshes that hair grows on."),
    KEY("ground", MAP, "none", "What lies under the strands.", .table = &ground_table, .fallback = "auto"),
    KEY("colours", LIST, "[{ colour: [0.4, 0.25, 0.15] }]",
        "What colour strands of a material have, and how they take "
        "light.",
        .table = &paint_table),
};
static const scene_table view_table = {"view", "How `sheaf render` and `sheaf view` show the scene.", KEYS(view_keys)};

// ---- the file

static const scene_key scene_keys[] = {
    KEY("sheaf", CHOICE, "1", "Version of this format.", .required = true, .words = "1",
        .refusal = "this file is of format version"),
    KEY("title", TEXT, "curly hair in a breeze", "For people.", .fallback = "\"\""),
    KEY("seed", SEED, "7", "Of everything drawn at random.", .fallback = "1"),
    KEY("time", MAP, "{ step: 1/240 s, end: 4 s }", "How long, and how finely.", .table = &time_table),
    KEY("step", MAP, "{ integrator: explicit }", "How one time step is taken.", .table = &step_table),
    KEY("precision", CHOICE, "double",
        "Of numbers on a device: `auto` takes double where single could not resolve the stiffest strands and the "
        "device has it. The reference always computes in double.",
        .words = "auto|single|double", .fallback = "auto"),
    KEY("gravity", VECTOR, "[0, 0, -1.62 m/s^2]", "Acceleration of free fall.", .limit = SCENE_LIMIT_ACCELERATION,
        .count = 3, .fallback = "[0, 0, -9.81 m/s^2]"),
    KEY("wind", MAP, "{ velocity: [2 m/s, 0, 0] }", "Air that moves.", .table = &wind_table),
    KEY("materials", NAMED, "{ hair: { density: 1300 kg/m^3, young: 3.5 GPa, shear: 1.3 GPa, radius: 40 um } }",
        "Materials by name.", .required = true, .table = &material_table),
    KEY("motion", NAMED, "{ head: { rotate: { angle: 40 deg, period: 1.5 s } } }", "Motions by name.",
        .table = &motion_table),
    KEY("bodies", NAMED, "{ bob: { at: [0, 0, -50 mm], mass: 250 g, inertia: [3e-6, 3e-6, 6.6e-6 kg*m^2] } }",
        "Rigid bodies by name, which ends and edges of strands may be fixed to.", .table = &scene_body_table),
    KEY("output", MAP, "{ checkpoint: { every: 5 min } }", "What a run keeps on disk.", .table = &output_table),
    KEY("colliders", LIST, "[{ sphere: { radius: 9 cm }, friction: 0.4 }]", "What is in the way of strands.",
        .table = &scene_collider_table),
    KEY("strands", LIST, "[{ shape: { straight: { length: 20 cm } } }]",
        "What there is to simulate: these, `cables`, or both.", .table = &strand_table),
    KEY("cables", LIST, "[{ length: 10 m, from: { at: [0, 0, 10 m] }, to: { load: 500 kg } }]",
        "Cables of rigid segments that carry loads. They come after all strands.", .table = &scene_cable_table),
    KEY("reeving", LIST, "[{ path: [{ at: [0, 0, 9 m] }, { body: hook }], stiffness: 10 MN/m }]",
        "Cables without mass, over points on bodies.", .table = &scene_reeving_table),
    KEY("touch", MAP, "{ pairs: [all] }", "How strands act on each other.", .table = &scene_touch_table),
    KEY("view", MAP, "{ light: [-1, -1, 2] }", "How the scene is shown; nothing that moves depends on it.",
        .table = &view_table),
};
const scene_table scene_schema = {"scene", "The whole file is one map.", KEYS(scene_keys)};

// clang-format off
const scene_table *const scene_tables[] = {
    &scene_schema, &time_table, &step_table, &projection_table, &wind_table, &gust_table, &material_table,
    &motion_table, &keyframe_table, &rotate_table, &strand_table, &shape_table, &straight_table, &helix_table,
    &circle_table, &arc_table, &natural_table, &natural_helix_table, &taper_table, &end_table, &turn_table,
    &hold_table, &scene_groom_table, &scene_surface_table, &scene_sphere_table, &scene_ellipsoid_table,
    &scene_plane_table, &scene_heights_table, &scene_mesh_table, &scene_where_table, &scene_length_table,
    &scene_curl_table, &scene_tilt_table, &scene_lay_table, &scene_comb_table, &scene_clumps_table,
    &scene_wisps_table, &scene_vary_table, &scene_children_table, &scene_hairline_table, &scene_parting_table,
    &scene_drape_table, &output_table, &trajectory_table, &checkpoint_table, &scene_courses, &ramp_table, &sine_table,
    &view_table, &camera_table, &ground_table, &paint_table, &scene_collider_table, &scene_ball_table,
    &scene_capsule_table, &scene_wall_table, &scene_box_table, &scene_oval_table, &scene_cylinder_table,
    &scene_solid_table, &skin_table, &scene_body_table, &scene_pose_table, &scene_axle_table, &scene_weld_table,
    &section_table, &scene_touch_table, &scene_volume_table, &scene_law_table, &scene_law_friction_table, &scene_route_table, &scene_fit_table,
    &probe_table, &scene_cable_table, &scene_cable_end_table, &scene_joint_stiffness_table, &scene_cable_step_table,
    &scene_friction_table, &scene_winch_table, &scene_adaptive_table, &scene_reeving_table, &scene_reeve_table,
};
// clang-format on
const uint32_t scene_table_count = sizeof scene_tables / sizeof scene_tables[0];

const scene_key *scene_find_key(const scene_table *table, const char *name, size_t length)
{
    for (uint32_t k = 0; k < table->key_count; k++)
        if (strlen(table->keys[k].name) == length && memcmp(table->keys[k].name, name, length) == 0)
            return &table->keys[k];
    return NULL;
}

bool scene_word(const char *words, uint32_t index, const char **word, size_t *length)
{
    for (uint32_t k = 0; k < index; k++) {
        words = strchr(words, '|');
        if (words == NULL)
            return false;
        words++;
    }
    *word = words;
    *length = strcspn(words, "|");
    return true;
}

// `start`, then the words.
static void describe_words(const char *start, const char *words, scene_phrase out)
{
    const char *word;
    size_t length, used = (size_t)snprintf(out, sizeof(scene_phrase), "%s", start);
    for (uint32_t k = 0; used < sizeof(scene_phrase) && scene_word(words, k, &word, &length); k++)
        used += (size_t)snprintf(out + used, sizeof(scene_phrase) - used, "%s%.*s", k ? ", " : "", (int)length, word);
}

static bool describe_numbers(const scene_key *key, scene_limit_id limit, scene_phrase out)
{
    const scene_dimension_name name = scene_name_dimension(scene_limits[limit].unit);
    switch (key->kind) {
    case SCENE_KIND_NUMBER:
        snprintf(out, sizeof(scene_phrase), "%s%s%s%s%s", name.name, key->share_of ? ", or a share in % of " : "",
                 key->share_of ? key->share_of : "", key->words ? " or " : "", key->words ? key->words : "");
        return true;
    case SCENE_KIND_PAIR:
        snprintf(out, sizeof(scene_phrase), "%s or a list of two", name.name);
        return true;
    case SCENE_KIND_VECTOR:
        snprintf(out, sizeof(scene_phrase), "a list of %u %s", key->count, name.plural);
        return true;
    case SCENE_KIND_COURSE:
        snprintf(out, sizeof(scene_phrase), "%s or a course", name.name);
        return true;
    case SCENE_KIND_COURSES:
        snprintf(out, sizeof(scene_phrase), "a list of 3 %s or courses", name.plural);
        return true;
    default:
        return false;
    }
}

const char *scene_describe(const scene_key *key, scene_limit_id limit, scene_phrase out)
{
    static const char *const phrases[SCENE_KIND_COUNT] = {
        [SCENE_KIND_TEXT] = "a text",
        [SCENE_KIND_TEXTS] = "a text, or a list of texts",
        [SCENE_KIND_CONSTANTS] = "a map from names to numbers",
        [SCENE_KIND_FLAG] = "true or false",
        [SCENE_KIND_WHOLE] = "a whole number",
        [SCENE_KIND_SEED] = "a whole number",
        [SCENE_KIND_AXIS] = "x, y, z, -x, -y, -z or a list of 3 numbers",
        [SCENE_KIND_NUMBERS] = "a list of numbers",
        [SCENE_KIND_POINTS] = "a list of points [x, y, z]",
        [SCENE_KIND_PATH] = "a list of at least two points [x, y, z]",
        [SCENE_KIND_PROFILE] = "a list of at least two pairs [place, value]",
        [SCENE_KIND_KEYS] = "a list of [time, value] pairs",
        [SCENE_KIND_MAP] = "a map",
        [SCENE_KIND_NAMED] = "a map from names to maps",
        [SCENE_KIND_LIST] = "a list of maps",
    };
    if (describe_numbers(key, limit, out))
        return out;
    if (key->kind == SCENE_KIND_CHOICES)
        describe_words("a list out of ", key->words, out);
    else if (key->kind == SCENE_KIND_CHOICE)
        describe_words(strchr(key->words, '|') ? "one of " : "", key->words, out);
    else if (key->kind == SCENE_KIND_WHOLE && key->words != NULL)
        describe_words("a whole number or ", key->words, out);
    else if (key->kind == SCENE_KIND_WHOLE && key->unit != NULL)
        snprintf(out, sizeof(scene_phrase), "a whole number of %ss", key->unit);
    else if (key->kind == SCENE_KIND_NAMES)
        snprintf(out, sizeof(scene_phrase), "a list of names out of %s%s%s", key->names, key->words ? ", or " : "",
                 key->words ? key->words : "");
    else if (key->kind == SCENE_KIND_REFERENCE)
        snprintf(out, sizeof(scene_phrase), "a name out of %s%s",
                 strchr(key->names, '|') != NULL ? "motion or bodies" : key->names, key->words ? ", or true" : "");
    else
        snprintf(out, sizeof(scene_phrase), "%s", phrases[key->kind]);
    return out;
}
