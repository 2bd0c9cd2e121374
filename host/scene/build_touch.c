// build_touch: which strands of a scene file touch each other.
#include "scene/build.h"

// Indices of the materials that a list names; all of them where a word stands for all. NULL: there are none.
static uint32_t *build_names(scene_builder *builder, scene_map map, const char *key, uint32_t *count)
{
    const scene_node *list = scene_find(map, key);
    *count = 0;
    if (list == NULL || list->bad)
        return NULL;
    const uint32_t most = list->count > builder->materials ? list->count : builder->materials;
    uint32_t *names = scene_take(builder->reading, most, sizeof *names);
    scene_node *item = scene_first(builder->reading, list);
    for (; names != NULL && item != NULL; item = scene_next(builder->reading, item)) {
        if (item->whole != SCENE_NO_NAME) {
            names[(*count)++] = (uint32_t)item->whole;
            continue;
        }
        for (*count = 0; *count < builder->materials; (*count)++)
            names[*count] = *count;
        break;
    }
    return names;
}

static void build_frictions(scene_builder *builder, scene_map touch, sheaf_touch_def *def)
{
    const scene_map list = scene_submap(touch, "friction");
    if (list.node == NULL || list.node->bad)
        return;
    sheaf_touch_friction *frictions = scene_take(builder->reading, list.node->count, sizeof *frictions);
    scene_node *item = scene_first(builder->reading, list.node);
    for (; frictions != NULL && item != NULL; item = scene_next(builder->reading, item)) {
        const scene_map entry = scene_open_map(builder->reading, list.table, item);
        uint32_t count;
        const uint32_t *names = build_names(builder, entry, "between", &count);
        if (names == NULL || item->bad)
            continue;
        if (count != 2) {
            scene_complain(builder->reading, scene_key_place(entry, "between"),
                           "between: %u names\nwrite the names of two materials, or one twice", count);
            continue;
        }
        frictions[def->friction_count++] =
            (sheaf_touch_friction){{names[0], names[1]}, scene_number(entry, "friction")};
    }
    def->frictions = frictions;
}

void scene_build_touch(scene_builder *builder)
{
    const scene_map touch = scene_submap(builder->file, "touch");
    sheaf_touch_def def = sheaf_touch_def_default();
    if (touch.node == NULL || touch.node->bad)
        return;
    def.materials = build_names(builder, touch, "pairs", &def.material_count);
    build_frictions(builder, touch, &def);
    def.self = scene_flag(touch, "self");
    def.tolerance = scene_number(touch, "tolerance");
    def.sweeps = (uint32_t)scene_whole(touch, "sweeps");
    def.separate = scene_number(touch, "separate");
    if (scene_is_building(builder))
        scene_added(builder, sheaf_scene_set_touch(builder->scene, &def), scene_place(touch.node));
}
