// schema_touch: what a scene says of strands that meet each other.
#include "scene/schema_parts.h"

static const scene_key friction_keys[] = {
    KEY("between", NAMES, "[hair, hair]", "Two materials, which may be the same.", .required = true,
        .names = "materials"),
    KEY("friction", NUMBER, "0.5", "Coulomb's coefficient.", .required = true, .limit = SCENE_LIMIT_TOUCH_FRICTION),
};
const scene_table scene_touch_friction_table = {"friction", "Friction between strands of two materials.",
                                                KEYS(friction_keys)};

static const scene_key touch_keys[] = {
    KEY("pairs", NAMES, "[all]",
        "Materials whose strands touch each other, edge by edge; `all`: every material. See "
        "[contact](contact.md).",
        .names = "materials", .words = "all"),
    KEY("self", FLAG, "false", "Strands touch themselves, too.", .fallback = "true"),
    KEY("friction", LIST, "[{ between: [hair, hair], friction: 0.5 }]",
        "Friction between two materials, where it is not the smaller of both materials' `friction`.",
        .table = &scene_touch_friction_table),
    KEY("tolerance", NUMBER, "0.1 %",
        "How exactly a step solves contact, as a share of the distance at which two strands touch.",
        .limit = SCENE_LIMIT_TOLERANCE, .fallback = "1 %"),
    KEY("sweeps", WHOLE, "200", "Most sweeps over all contacts in an iteration of a step.",
        .limit = SCENE_LIMIT_TOUCH_SWEEPS, .fallback = "60"),
    KEY("separate", NUMBER, "50 mm/s", "Speed at which strands part that overlap, as at the start.",
        .limit = SCENE_LIMIT_SEPARATE, .fallback = "20 mm/s"),
};
const scene_table scene_touch_table = {"touch", "How strands act on each other.", KEYS(touch_keys)};
