// build_end: what holds and drives the ends of strands.
#include "scene/build.h"

// What one of the three presets holds.
static sheaf_end_def preset(uint64_t hold)
{
    switch (hold) {
    case 0:
        return sheaf_end_free();
    case 1:
        return sheaf_end_pinned();
    default:
        return sheaf_end_clamped();
    }
}

// `clamp: name` and `pin: name` say two things at once. Bodies are counted after motions.
static void read_short_form(scene_map map, const char *name, uint64_t hold, sheaf_end_def *end, int32_t *body)
{
    const scene_node *node = scene_find(map, name);
    const scene_map motions = scene_submap(scene_whole_file(map.reading), "motion");
    const uint64_t count = motions.node != NULL && motions.node->kind == SCENE_NODE_MAP ? motions.node->count : 0;
    if (node == NULL)
        return;
    *end = preset(hold);
    if (node->whole == SCENE_NO_NAME)
        return;
    if (node->whole < count)
        end->motion = (int32_t)node->whole;
    else
        *body = (int32_t)(node->whole - count);
}

static void read_preset(scene_map map, sheaf_end_def *end, int32_t *body)
{
    *end = preset(scene_whole(map, "hold"));
    read_short_form(map, "pin", 1, end, body);
    read_short_form(map, "clamp", 2, end, body);
    read_short_form(map, "weld", 2, end, body);
    if (scene_has(map, "hold") + scene_has(map, "pin") + scene_has(map, "clamp") + scene_has(map, "weld") > 1)
        scene_complain(map.reading,
                       scene_key_place(map, scene_has(map, "weld")    ? "weld"
                                            : scene_has(map, "clamp") ? "clamp"
                                                                      : "pin"),
                       "only one of hold, pin and clamp can be given\nremove the others");
}

// What is fixed to a body has nothing of its own.
static void check_on_body(scene_map map)
{
    static const char *const keys[] = {"position", "tangent", "angle", "slide",  "follow", "move",
                                       "turn",     "twist",   "force", "couple", "torque"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (scene_has(map, keys[k])) {
            scene_complain(map.reading, scene_key_place(map, keys[k]),
                           "an end on a body goes where the body goes: %s has no place here\nput it into the body, or "
                           "remove it",
                           keys[k]);
            return;
        }
}

static void read_single(scene_map map, const char *name, bool *held)
{
    const scene_node *node = scene_find(map, name);
    if (node != NULL)
        *held = node->whole == 1;
}

static void read_held(scene_map map, sheaf_end_def *end, int32_t *body)
{
    const scene_node *follow = scene_find(map, "follow");
    read_preset(map, end, body);
    read_single(map, "position", &end->hold_position);
    read_single(map, "tangent", &end->hold_tangent);
    read_single(map, "angle", &end->hold_angle);
    end->slide = scene_find(map, "slide") != NULL;
    if (end->slide)
        scene_axis(map, "slide", end->slide_axis);
    if (follow == NULL)
        return;
    if (end->motion >= 0)
        scene_complain(map.reading, scene_key_place(map, "follow"), "a motion is named twice\nremove one of them");
    end->motion = (int32_t)follow->whole;
}

// A course that drives what is not held would be ignored in silence.
static void check_driven(scene_map map, const char *name, bool held, const char *advice)
{
    if (!held && scene_find(map, name) != NULL &&
        SCENE_SOUND(map, "hold", "pin", "clamp", "weld", "position", "tangent", "angle"))
        scene_complain(map.reading, scene_key_place(map, name), "%s needs something held\n%s", name, advice);
}

static void check_end(scene_map map, const sheaf_end_def *end)
{
    const bool position = end->hold_position, tangent = end->hold_tangent, angle = end->hold_angle;
    check_driven(map, "slide", position, "add position: held");
    check_driven(map, "move", position, "add position: held");
    check_driven(map, "follow", position || tangent || angle, "add hold: clamp, or hold: pin");
    check_driven(map, "turn", tangent || angle, "add tangent: held");
    check_driven(map, "twist", angle, "add angle: held");
}

static void read_courses(scene_map map, sheaf_end_def *end)
{
    const scene_map turn = scene_submap(map, "turn");
    scene_read_courses(map, "move", end->move);
    scene_read_course(map, "twist", &end->twist);
    scene_read_courses(map, "force", end->force);
    if (scene_has(map, "couple") && scene_has(map, "torque"))
        scene_complain(map.reading, scene_key_place(map, "torque"),
                       "couple and torque are the same\nremove one of them");
    scene_read_courses(map, scene_has(map, "torque") ? "torque" : "couple", end->couple);
    if (turn.node == NULL)
        return;
    scene_axis(turn, "axis", end->turn_axis);
    scene_read_course(turn, "angle", &end->turn);
}

// A closed strand has no ends: only `free` may be said of them.
static void refuse_end(scene_map strand, const char *which, const scene_node *node)
{
    if (node->kind != SCENE_NODE_SCALAR || node->whole != 0)
        scene_complain(strand.reading, scene_key_place(strand, which), "a closed strand has no %s\nremove it", which);
}

void scene_build_end(scene_map strand, const char *which, bool closed, sheaf_end_def *end, int32_t *body)
{
    const scene_map map = scene_submap(strand, which);
    *body = -1;
    *end = preset(closed ? 0 : scene_fallback_word(strand, which));
    if (map.node == NULL)
        return;
    if (closed) {
        refuse_end(strand, which, map.node);
        return;
    }
    read_held(map, end, body);
    if (*body >= 0) {
        check_on_body(map);
        return;
    }
    read_courses(map, end);
    check_end(map, end);
}
