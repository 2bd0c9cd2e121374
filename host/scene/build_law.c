// build_law: the law of a material.
#include "scene/build.h"

#include "law/law.h"

#include <string.h>

typedef struct law_row {
    const char *key;
    law_slot slot; // of its first text
} law_row;

static const law_row rows[] = {
    {"bend", LAW_BEND_1},   {"twist", LAW_TWIST},      {"radial", LAW_RADIAL},
    {"energy", LAW_ENERGY}, {"moments", LAW_MOMENT_1}, {"implicit", LAW_IMPLICIT},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

// Texts of a law with the nodes that they come from.
typedef struct law_texts {
    const scene_node *nodes[LAW_SLOTS];
    law_constant constants[LAW_MAX_CONSTANTS];
} law_texts;

static void take_text(law_def *def, law_texts *texts, law_slot slot, const scene_node *node)
{
    def->texts[slot] = (law_text){node->text, node->length};
    texts->nodes[slot] = node;
}

static void take_row(scene_map map, const law_row *row, law_def *def, law_texts *texts)
{
    const scene_node *node = scene_find(map, row->key);
    if (node == NULL)
        return;
    if (node->kind == SCENE_NODE_SCALAR) {
        take_text(def, texts, row->slot, node);
        if (row->slot == LAW_BEND_1) // both axes
            take_text(def, texts, LAW_BEND_2, node);
        return;
    }
    int slot = (int)row->slot;
    for (const scene_node *item = scene_first(map.reading, node); item != NULL; item = scene_next(map.reading, item))
        take_text(def, texts, (law_slot)slot++, item);
}

static void take_constants(scene_map map, law_def *def, law_texts *texts)
{
    const scene_node *node = scene_find(map, "with");
    scene_node *name = node != NULL ? scene_first(map.reading, node) : NULL;
    for (; name != NULL && def->constant_count < LAW_MAX_CONSTANTS; name = scene_next_key(map.reading, name))
        texts->constants[def->constant_count++] =
            (law_constant){scene_string(map.reading, name), scene_next(map.reading, name)->number};
    def->constants = texts->constants;
}

static void take_route(scene_map route, law_fit *fit)
{
    const scene_map map = scene_submap(route, "fit");
    const bool has_map = route.node != NULL && route.node->kind == SCENE_NODE_MAP && scene_has(route, "fit");
    *fit = (law_fit){.is_wanted = has_map || scene_whole(route, "way") == 1,
                     .order = (uint32_t)scene_whole(map, "order"),
                     .tolerance = scene_number(map, "tolerance"),
                     .range = scene_number(map, "range"),
                     .basis = (law_basis)scene_whole(map, "basis"),
                     .match = (law_match)scene_whole(map, "match")};
}

// The place of a fault in the file: inside of its text, where that stands there as it is read.
static scene_span fault_place(const scene_reading *reading, scene_map map, const law_texts *texts,
                              const law_fault *fault)
{
    const scene_node *node = texts->nodes[fault->slot];
    if (node == NULL)
        return scene_place(map.node);
    const scene_span all = scene_place(node);
    const char *found = NULL;
    for (size_t k = 0; k + node->length <= all.length && k < 2 && found == NULL; k++)
        if (memcmp(reading->text + all.offset + k, node->text, node->length) == 0)
            found = reading->text + all.offset + k;
    if (found == NULL || fault->length == SIZE_MAX)
        return all;
    return (scene_span){(size_t)(found - reading->text) + fault->offset, fault->length};
}

static void complain_of_law(scene_map map, const law_texts *texts, const law_fault *fault)
{
    scene_complain(map.reading, fault_place(map.reading, map, texts, fault), "%s%s%s", fault->message,
                   fault->hint[0] != 0 ? "\n" : "", fault->hint);
}

law *scene_build_law(scene_builder *builder, scene_map map, const scene_section *section)
{
    law_texts texts = {0};
    law_def def = {.range = scene_number(map, "range")};
    law_fault fault;
    law *made = NULL;
    if (map.node == NULL || map.node->unsound)
        return NULL;
    for (size_t k = 0; k < ROWS; k++)
        take_row(map, &rows[k], &def, &texts);
    take_constants(map, &def, &texts);
    take_route(scene_submap(map, "route"), &def.fit);
    const scene_map friction = scene_submap(map, "friction");
    def.friction = (law_friction){scene_number(friction, "stiffness"), scene_number(friction, "limit")};
    const sheaf_status status = law_create(&def, &made, &fault);
    if (status == SHEAF_ERR_MEMORY)
        builder->reading->status = status;
    else if (status != SHEAF_OK)
        complain_of_law(map, &texts, &fault);
    if (made != NULL && law_form_of(made) == LAW_FORM_RADIAL && section->bend[0] != section->bend[1])
        scene_complain(
            map.reading, scene_key_place(map, "radial"),
            "a radial law is for sections that bend alike in all directions\ngive bend with two texts, or one "
            "radius");
    return made;
}
