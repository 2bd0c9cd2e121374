// schema_touch: what a scene says of strands that meet each other.
#include "scene/schema_parts.h"

static const scene_key volume_keys[] = {
    KEY("cell", NUMBER, "10 mm", "Width of the grid's cells; at least as long as the longest edge.",
        .limit = SCENE_LIMIT_CELL, .fallback = "15 mm"),
    KEY("fraction", NUMBER, "4 %",
        "Share of space that hair fills where nothing presses it, counting what each strand `stands_for`. `groom`: "
        "what it fills at the start, place by place, so that a groom starts at rest.",
        .limit = SCENE_LIMIT_FRACTION, .words = "groom", .fallback = "groom"),
    KEY("speed", NUMBER, "1.5 m/s",
        "How stiff the volume is, as the speed of waves in it: a layer of height H is squeezed by g H / speed^2 under "
        "its "
        "own weight. At most a cell per step; `auto`: that, and no more than 2 m/s.",
        .limit = SCENE_LIMIT_VOLUME_SPEED, .words = "auto", .fallback = "auto"),
    KEY("rub", NUMBER, "30 1/s", "Rate at which strands take on the velocity of those around them.",
        .limit = SCENE_LIMIT_RUB, .fallback = "10 1/s"),
    KEY("sweeps", WHOLE, "8", "Iterations of the pressure in a step.", .limit = SCENE_LIMIT_SWEEPS, .fallback = "5"),
};
const scene_table scene_volume_table = {
    "volume", "Hair that keeps its volume: a grid of cells presses strands apart where they are denser than they were.",
    KEYS(volume_keys)};

static const scene_key friction_keys[] = {
    KEY("between", NAMES, "[hair, hair]", "Two materials, which may be the same.", .required = true,
        .names = "materials"),
    KEY("friction", NUMBER, "0.5", "Coulomb's coefficient.", .required = true, .limit = SCENE_LIMIT_TOUCH_FRICTION),
};
const scene_table scene_friction_table = {"friction", "Friction between strands of two materials.",
                                          KEYS(friction_keys)};

static const scene_key touch_keys[] = {
    KEY("pairs", NAMES, "[all]",
        "Materials whose strands touch each other, edge by edge; `all`: every material. See "
        "[contact](contact.md).",
        .names = "materials", .words = "all"),
    KEY("self", FLAG, "false", "Strands touch themselves, too.", .fallback = "true"),
    KEY("friction", LIST, "[{ between: [hair, hair], friction: 0.5 }]",
        "Friction between two materials, where it is not the smaller of both materials' `friction`.",
        .table = &scene_friction_table),
    KEY("tolerance", NUMBER, "0.1 %",
        "How exactly a step solves contact, as a share of the distance at which two strands touch.",
        .limit = SCENE_LIMIT_TOLERANCE, .fallback = "1 %"),
    KEY("sweeps", WHOLE, "200",
        "Most sweeps over all contacts in an iteration of a step; eight times as many where strands would be left far "
        "from where contact wants them.",
        .limit = SCENE_LIMIT_TOUCH_SWEEPS, .fallback = "60"),
    KEY("separate", NUMBER, "50 mm/s", "Speed at which strands part that overlap, as at the start.",
        .limit = SCENE_LIMIT_SEPARATE, .fallback = "20 mm/s"),
    KEY("volume", MAP, "{ cell: 15 mm }",
        "Strands press each other apart by their density on a grid, and rub. It knows no single contacts.",
        .table = &scene_volume_table),
};
const scene_table scene_touch_table = {"touch", "How strands act on each other.", KEYS(touch_keys)};
