// schema_groom: what a scene file may say of grooms.
#include "scene/schema_parts.h"

// ---- surfaces

#define CENTER_KEY(meaning)                                                                                            \
    KEY("center", VECTOR, "[0, 0, 1.6 m]", meaning, .limit = SCENE_LIMIT_COORDINATE, .count = 3,                       \
        .fallback = "[0, 0, 0]")
#define CAP_KEYS                                                                                                       \
    KEY("cap", NUMBER, "180 deg", "Strands grow where the angle from `up` is at most this.", .limit = SCENE_LIMIT_CAP, \
        .fallback = "100 deg"),                                                                                        \
        KEY("up", AXIS, "[0, 0.3, 1]", "Where the middle of the cap is.", .limit = SCENE_LIMIT_COMPONENT,              \
            .fallback = "z")
#define GROUND_KEYS                                                                                                    \
    KEY("up", AXIS, "y", "Where up is; the sides lie across it, the first one along x where that is possible.",        \
        .limit = SCENE_LIMIT_COMPONENT, .fallback = "z"),                                                              \
        KEY("size", PAIR, "[4 m, 3 m]", "Lengths of its two sides.", .required = true, .limit = SCENE_LIMIT_LENGTH)

static const scene_key sphere_keys[] = {
    CENTER_KEY("Centre of the sphere."),
    KEY("radius", NUMBER, "9 cm", "Radius of the sphere.", .required = true, .limit = SCENE_LIMIT_LENGTH),
    CAP_KEYS,
};
const scene_table scene_sphere_table = {"sphere", "A sphere, or the cap of one.", KEYS(sphere_keys)};

static const scene_key ellipsoid_keys[] = {
    CENTER_KEY("Centre of the ellipsoid."),
    KEY("radii", VECTOR, "[8 cm, 10 cm, 11 cm]", "Half axes along x, y and z.", .required = true, .count = 3,
        .limit = SCENE_LIMIT_LENGTH),
    CAP_KEYS,
};
const scene_table scene_ellipsoid_table = {
    "ellipsoid", "An ellipsoid, or the cap of one. Angles are those on the sphere that it is stretched from.",
    KEYS(ellipsoid_keys)};

static const scene_key plane_keys[] = {
    CENTER_KEY("Middle of the rectangle."),
    GROUND_KEYS,
};
const scene_table scene_plane_table = {"plane", "A flat rectangle.", KEYS(plane_keys)};

static const scene_key heights_keys[] = {
    KEY("file", TEXT, "hills.pgm",
        "Heights, from a file beside the scene: a picture of grey values (.pgm), or an array of two axes (.npy). Its "
        "first row lies along the far side.",
        .required = true),
    CENTER_KEY("Middle of the rectangle, at height 0."),
    GROUND_KEYS,
    KEY("low", NUMBER, "-20 cm", "Height where the file has black, or 0.", .limit = SCENE_LIMIT_COORDINATE,
        .fallback = "0 m"),
    KEY("high", NUMBER, "50 cm", "Height where the file has white, or 1.", .limit = SCENE_LIMIT_COORDINATE,
        .fallback = "1 m"),
};
const scene_table scene_heights_table = {"heights", "Hilly ground over a rectangle.", KEYS(heights_keys)};

static const scene_key mesh_keys[] = {
    KEY("file", TEXT, "bunny.obj", "Triangles, from a file beside the scene: .obj or .ply.", .required = true),
    KEY("unit", CHOICE, "cm", "Unit of the lengths in the file; needed unless the file says it.",
        .words = SCENE_LENGTH_UNITS),
    KEY("up", CHOICE, "y",
        "Which axis is up in the file; needed unless the file says it. It is turned to where the "
        "scene's is.",
        .words = "x|y|z"),
    CENTER_KEY("Where the file's origin is put."),
};
const scene_table scene_mesh_table = {"mesh",
                                      "A surface of triangles. A property `density` of its vertices in a .ply file is "
                                      "the share of the full density there; "
                                      "`comb_x`, `comb_y` and `comb_z` are the way hair is combed.",
                                      KEYS(mesh_keys)};

static const scene_key surface_keys[] = {
    KEY("sphere", MAP, "{ radius: 9 cm }", "A sphere, or the cap of one.", .table = &scene_sphere_table),
    KEY("ellipsoid", MAP, "{ radii: [8 cm, 10 cm, 11 cm] }", "An ellipsoid, or the cap of one.",
        .table = &scene_ellipsoid_table),
    KEY("plane", MAP, "{ size: 2 m }", "A flat rectangle.", .table = &scene_plane_table),
    KEY("heights", MAP, "{ file: hills.pgm, size: 4 m, high: 50 cm }", "Hilly ground.", .table = &scene_heights_table),
    KEY("mesh", MAP, "{ file: bunny.obj, unit: cm, up: y }", "A surface of triangles.", .table = &scene_mesh_table),
};
const scene_table scene_surface_table = {"on", "What a groom grows on.", .one_of = true, KEYS(surface_keys)};

static const scene_key hairline_keys[] = {
    KEY("from", VECTOR, "[0, 12 mm, 10 mm]", "Where the line is seen from: a point inside the head.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3, .fallback = "[0, 0, 0]"),
    KEY("front", AXIS, "-y", "Where the face is.", .limit = SCENE_LIMIT_COMPONENT, .fallback = "-y"),
    KEY("line", PROFILE, "[[0 deg, 35 deg], [60 deg, 5 deg], [180 deg, -46 deg]]",
        "Angles around the head, from the face (0) over the ears to the back (180 deg), the same to either side, and "
        "the angle above the horizon from which hair grows there; straight between.",
        .required = true, .limit = SCENE_LIMIT_HAIRLINE),
    KEY("soft", NUMBER, "5 deg", "Over how much hair gets thinner towards the line.", .limit = SCENE_LIMIT_SOFT,
        .fallback = "5 deg"),
};
const scene_table scene_hairline_table = {"hairline", "A line around a head, above which hair grows.",
                                          KEYS(hairline_keys)};

static const scene_key where_keys[] = {
    KEY("axis", AXIS, "[0, -0.3, 1]", "What angle and heights are measured from.", .limit = SCENE_LIMIT_COMPONENT,
        .fallback = "z"),
    KEY("angle", NUMBER, "100 deg", "Largest angle between the axis and the surface's normal.",
        .limit = SCENE_LIMIT_CAP, .fallback = "180 deg"),
    KEY("above", NUMBER, "1.5 m", "Least height along the axis.", .limit = SCENE_LIMIT_COORDINATE),
    KEY("below", NUMBER, "1.9 m", "Largest height along the axis.", .limit = SCENE_LIMIT_COORDINATE),
    KEY("hairline", MAP, "{ line: [[0 deg, 35 deg], [180 deg, -46 deg]] }", "Above a line around a head.",
        .table = &scene_hairline_table),
};
const scene_table scene_where_table = {"where", "Where on the surface strands grow.", KEYS(where_keys)};

// ---- strands of a groom

static const scene_key length_keys[] = {
    KEY("mean", NUMBER, "20 cm", "Mean length.", .limit = SCENE_LIMIT_LENGTH),
    KEY("spread", NUMBER, "10 %", "Standard deviation of the lengths, as a share of the mean.",
        .limit = SCENE_LIMIT_SPREAD, .fallback = "0"),
};
const scene_table scene_length_table = {"length", "Lengths of the strands of a groom.", .bare = "mean",
                                        KEYS(length_keys)};

static const scene_key curl_keys[] = {
    KEY("radius", NUMBER, "6 mm", "Radius of the curls.", .limit = SCENE_LIMIT_CURL_RADIUS),
    KEY("pitch", NUMBER, "25 mm", "Way along a strand's axis per turn; negative: left-handed.",
        .limit = SCENE_LIMIT_PITCH),
    KEY("spread", NUMBER, "15 %", "Standard deviation of radius and pitch, as a share of them.",
        .limit = SCENE_LIMIT_SPREAD, .fallback = "0"),
    KEY("phase", CHOICE, "same", "Whether curls begin anywhere about their axes, or all alike.", .words = "random|same",
        .fallback = "random"),
};
const scene_table scene_curl_table = {"curl", "Curls of the strands of a groom.", KEYS(curl_keys)};

static const scene_key tilt_keys[] = {
    KEY("angle", NUMBER, "30 deg", "Mean angle.", .limit = SCENE_LIMIT_LEAN, .fallback = "0"),
    KEY("spread", NUMBER, "8 deg", "Standard deviation of the angle.", .limit = SCENE_LIMIT_LEAN, .fallback = "0"),
};
const scene_table scene_tilt_table = {
    "tilt", "How far strands lean over where they leave the surface: towards where `comb` says, or anywhere.",
    .bare = "angle", KEYS(tilt_keys)};
const scene_table scene_lay_table = {
    "lay", "How far strands turn further from root to tip, in the direction in which they lean: an arc of a circle.",
    .bare = "angle", KEYS(tilt_keys)};

static const scene_key parting_keys[] = {
    KEY("through", PATH, "[[24 mm, -66 mm, 88 mm], [10 mm, 52 mm, 100 mm]]",
        "Points of the parting, from front to back.", .required = true, .limit = SCENE_LIMIT_COORDINATE),
    KEY("down", NUMBER, "0.55", "How much hair is combed down, beside away from the parting.",
        .limit = SCENE_LIMIT_COMB_WEIGHT, .fallback = "0.55"),
    KEY("back", NUMBER, "0.75", "How much hair at the front is combed back, out of the face.",
        .limit = SCENE_LIMIT_COMB_WEIGHT, .fallback = "0.75"),
};
const scene_table scene_parting_table = {"parting", "Hair is combed away from a line to both sides.",
                                         KEYS(parting_keys)};

static const scene_key comb_keys[] = {
    KEY("along", AXIS, "-z", "Towards a direction.", .limit = SCENE_LIMIT_COMPONENT),
    KEY("around", AXIS, "z", "Around an axis through the surface's centre.", .limit = SCENE_LIMIT_COMPONENT),
    KEY("from", VECTOR, "[0, 2 cm, 9 cm]", "Away from a point, such as the crown of a head.",
        .limit = SCENE_LIMIT_COORDINATE, .count = 3),
    KEY("parting", MAP, "{ through: [[0, -6 cm, 9 cm], [0, 5 cm, 10 cm]] }", "Away from a parting, down and back.",
        .table = &scene_parting_table),
};
const scene_table scene_comb_table = {"comb", "Which way strands lean.", .one_of = true, KEYS(comb_keys)};

static const scene_key drape_keys[] = {
    KEY("lift", NUMBER, "20 mm",
        "Largest distance of hair from the body, where it lies on it; the lowest layer has a third of it.",
        .limit = SCENE_LIMIT_LIFT, .fallback = "20 mm"),
    KEY("smooth", NUMBER, "10 mm",
        "Strands whose roots are so near to each other come to lie alike; 0: each by itself.",
        .limit = SCENE_LIMIT_SMOOTH, .fallback = "10 mm"),
};
const scene_table scene_drape_table = {
    "drape",
    "Lays hair on the body that it grows on, as combing and gravity would, instead of letting it stand off; `tilt`, "
    "`lay` and `along` have no say then. It follows `comb`, down and around the body, then hangs.",
    .bare = "lift", KEYS(drape_keys)};

static const scene_key gather_keys[] = {
    KEY("strands", WHOLE, "40", "About so many to a group.", .limit = SCENE_LIMIT_GATHER),
    KEY("strength", NUMBER, "70 %", "Share of the way to the middle of its group that a tip has gone.",
        .limit = SCENE_LIMIT_SHARE, .fallback = "60 %"),
    KEY("stray", NUMBER, "5 %", "Share of strands that keep to themselves.", .limit = SCENE_LIMIT_SHARE,
        .fallback = "0"),
};
const scene_table scene_clumps_table = {
    "clumps", "Strands that gather about a strand of their own, more and more towards the tip, and share its curl.",
    .bare = "strands", KEYS(gather_keys)};
const scene_table scene_wisps_table = {"wisps", "As clumps, once more and finer: give fewer strands.",
                                       .bare = "strands", KEYS(gather_keys)};

static const scene_key vary_keys[] = {
    KEY("radius", NUMBER, "10 %", "Standard deviation of the strands' radii, as a share of the material's.",
        .limit = SCENE_LIMIT_SPREAD, .fallback = "0"),
    KEY("stiffness", NUMBER, "20 %", "Standard deviation of the strands' moduli, as a share of the material's.",
        .limit = SCENE_LIMIT_SPREAD, .fallback = "0"),
};
const scene_table scene_vary_table = {"vary", "How strands differ from their material and so from each other.",
                                      KEYS(vary_keys)};

// ---- children

static const scene_key children_keys[] = {
    KEY("count", WHOLE, "32",
        "Children for each simulated strand: 16 close a head of 1200 curls, 32 make it dense. Needed unless `simulate` "
        "leaves strands over, which are all drawn then.",
        .limit = SCENE_LIMIT_CHILDREN,
        .advice = "leave `children` out for none; instead of more of them simulate more strands"),
    KEY("blend", WHOLE, "4",
        "So many of the nearest guides turn a child along with them; 1 shows seams between guides.",
        .limit = SCENE_LIMIT_BLEND, .fallback = "4"),
    KEY("lock", NUMBER, "70 %", "How much of this the nearest guide alone does: 0 %: a smooth sheet, 100 %: ringlets.",
        .limit = SCENE_LIMIT_SHARE, .fallback = "30 %"),
    KEY("strength", NUMBER, "75 %", "Share of its distance from the nearest guide that a child has lost at its tip.",
        .limit = SCENE_LIMIT_SHARE, .fallback = "50 %"),
    KEY("profile", NUMBER, "2", "Power of the way from root to tip with which that distance is lost; 1: evenly.",
        .limit = SCENE_LIMIT_PROFILE, .fallback = "1"),
    KEY("scatter", NUMBER, "1.5 mm", "How far tips stray.", .limit = SCENE_LIMIT_SCATTER, .fallback = "1.5 mm"),
    KEY("frizz", NUMBER, "0.5 mm", "Size of the waves that each child has of its own.", .limit = SCENE_LIMIT_SCATTER,
        .fallback = "0.5 mm"),
    KEY("cut", NUMBER, "12 %", "Largest share of its guide's length that a child lacks; most lack little.",
        .limit = SCENE_LIMIT_CUT, .fallback = "12 %"),
    KEY("stray", NUMBER, "6 %", "Share of children that keep 85 % of their distance or more.",
        .limit = SCENE_LIMIT_SHARE, .fallback = "6 %"),
    KEY("seed", SEED, "7", "Chooses all that is drawn at random; when absent the scene's `seed`."),
};
const scene_table scene_children_table = {"children",
                                          "Strands that are drawn between the simulated ones, which guide them; they "
                                          "are never simulated. Of a groom and of a "
                                          "`file` they are copies of the nearest guide; with `simulate` they are the "
                                          "other strands of the file, and `strength` "
                                          "to `stray` do not change them. See [hair.md](hair.md).",
                                          KEYS(children_keys)};

// ---- the groom

static const scene_key groom_keys[] = {
    PRESET_KEY("A kind of hair, fur or grass: stands for all keys that are not given, but for `on` and the number of "
               "strands. See [presets](#presets)."),
    KEY("on", MAP, "{ sphere: { radius: 9 cm } }", "What the strands grow on.", .required = true,
        .table = &scene_surface_table),
    KEY("where", MAP, "{ angle: 100 deg }", "Where on it they grow; everywhere when absent.",
        .table = &scene_where_table),
    KEY("count", WHOLE, "10000", "Number of strands.", .limit = SCENE_LIMIT_STRANDS),
    KEY("density", NUMBER, "200 1/cm^2", "Strands per area, instead of `count`.", .limit = SCENE_LIMIT_PER_AREA),
    KEY("density_map", TEXT, "scalp.pgm",
        "Shares of the full density, from a file beside the scene: .pgm or .npy. It covers a rectangle as it lies; a "
        "sphere by longitude, and upwards by the share of its area; a mesh by its texture coordinates. White, or the "
        "largest number above 1, is full."),
    KEY("vertices", WHOLE, "24", "Vertices of each strand.", .limit = SCENE_LIMIT_VERTICES, .fallback = "32"),
    KEY("length", MAP, "{ mean: 20 cm, spread: 10 % }", "Length of the strands; needed unless a preset gives it.",
        .table = &scene_length_table),
    KEY("curl", MAP, "{ radius: 6 mm, pitch: 25 mm }", "Makes the strands curls instead of straight.",
        .table = &scene_curl_table),
    KEY("along", CHOICE, "up", "Whether strands leave the surface along its normal, or along its `up`.",
        .words = "normal|up", .fallback = "normal"),
    KEY("tilt", MAP, "{ angle: 30 deg, spread: 8 deg }", "Lets strands lean over.", .table = &scene_tilt_table),
    KEY("lay", MAP, "{ angle: 60 deg, spread: 10 deg }", "Lets strands bend over further.", .table = &scene_lay_table),
    KEY("comb", MAP, "{ along: -z }",
        "Which way strands lean; when absent as the mesh says by the properties `comb_x`, `comb_y`, `comb_z` of its "
        "vertices, else anywhere.",
        .table = &scene_comb_table),
    KEY("drape", MAP, "{ lift: 20 mm, smooth: 10 mm }", "Lays the strands on the body.", .table = &scene_drape_table),
    KEY("clumps", MAP, "{ strands: 40, strength: 70 % }", "Gathers the strands.", .table = &scene_clumps_table),
    KEY("wisps", MAP, "{ strands: 8, strength: 40 % }", "Gathers them once more, more finely.",
        .table = &scene_wisps_table),
    KEY("vary", MAP, "{ radius: 10 %, stiffness: 20 % }", "Makes strands differ.", .table = &scene_vary_table),
    KEY("seed", SEED, "7",
        "Chooses all that is drawn at random; when absent the scene's `seed`, plus one for each groom "
        "before."),
};
const scene_table scene_groom_table = {"groom",
                                       "Many strands grown on a surface, their roots random but apart. Has one of "
                                       "`count` and `density`. Director 1 points "
                                       "across the way a strand leans, so that the flat side of a blade faces there.",
                                       KEYS(groom_keys)};
