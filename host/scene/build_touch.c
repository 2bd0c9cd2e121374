// build_touch: how strands act on each other, as a scene asks for it.
#include "scene/build.h"

#include "base/vec.h"
#include "scene/shape.h"

#include <math.h>

enum { LOOKED_AT = 2000 }; // strands of an entry whose edges are measured here; the model measures all

static double longest_edge(double (*points)[3], uint32_t count)
{
    double longest = 0, edge[3];
    for (uint32_t i = 1; i < count; i++) {
        vec_sub(edge, points[i], points[i - 1]);
        longest = fmax(longest, vec_length(edge));
    }
    return longest;
}

enum { EDGES_MOST = 100 }; // that a strand may be thick: more of them are near each other than a search could list

// Longest edge of the strands of a group; 0: not known here.
static double group_edge(scene_builder *builder, const scene_group *group)
{
    const uint32_t count = scene_group_size(group), stride = 1 + count / LOOKED_AT;
    double longest = 0, normal[3];
    double(*points)[3] = scene_take(builder->reading, SCENE_MAX_VERTICES, sizeof *points);
    for (uint32_t k = 0; k < count && points != NULL; k += stride) {
        const sheaf_strand_def def = scene_group_strand(group, k);
        if (group->grown != NULL)
            grow_strand(group->grown, k, points, normal);
        else
            scene_shape_points(&def, points, normal);
        longest = fmax(longest, longest_edge(points, def.vertex_count));
    }
    return longest;
}

// A strand must not jump over a cell.
static void check_cell(scene_builder *builder, scene_map volume, double cell)
{
    double longest = 0;
    for (uint32_t k = 0; k < builder->scene->group_count; k++)
        longest = fmax(longest, group_edge(builder, &builder->scene->groups[k]));
    if (longest <= cell * (1 + 1e-9))
        return;
    scene_complain(
        builder->reading, scene_key_place(volume, "cell"),
        "cell: %.4g mm is less than an edge, and there are edges of %.4g mm\ngive cell: %.0f mm, or more vertices "
        "to the strands",
        1000 * cell, 1000 * longest, ceil(1000 * longest));
}

static void check_method(scene_builder *builder, scene_span place)
{
    for (uint32_t k = 0; k < builder->scene->group_count; k++)
        if (builder->scene->groups[k].strand.method != 0) {
            scene_complain(builder->reading, place,
                           "volume and shield are for strands of method %s, and there are others\ngive them that "
                           "method, or a scene of their own",
                           sheaf_method_name(0));
            return;
        }
}

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

// What these materials say of touch, where all of them could be read.
static void build_materials(scene_builder *builder, scene_map touch, sheaf_touch_def *def)
{
    uint32_t count;
    const uint32_t *names = build_names(builder, touch, "pairs", &count);
    sheaf_touch_material *materials = scene_take(builder->reading, count, sizeof *materials);
    if (names == NULL || materials == NULL || builder->touching_count < builder->materials)
        return;
    for (uint32_t k = 0; k < count; k++)
        materials[k] = builder->touching[names[k]];
    def->materials = materials;
    def->material_count = count;
}

// A strand that is thicker than many of its edges are long has more neighbours than can be listed.
static void check_thickness(scene_builder *builder, scene_map touch, const sheaf_touch_material *material)
{
    const sheaf_scene *scene = builder->scene;
    const sheaf_material_def *def = &scene->materials[material->material];
    const double radius = material->radius > 0 ? material->radius : scene_material_section(def).radius;
    for (uint32_t k = 0; k < scene->group_count; k++) {
        const double edge =
            scene->groups[k].strand.material == material->material ? group_edge(builder, &scene->groups[k]) : 0;
        if (!(edge > 0) || radius <= EDGES_MOST * edge)
            continue;
        scene_complain(builder->reading, scene_key_place(touch, "pairs"),
                       "strand entry %u touches at %.4g mm, more than %d of its edges of %.4g mm\ngive material '%s' a "
                       "smaller touch_radius, or the strand fewer vertices",
                       k, 1000 * radius, EDGES_MOST, 1000 * edge, def->name);
        return;
    }
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

// The grid acts between steps, a strand on a body is solved together with the body: nothing says yet how both go at
// once.
static void refuse_bodies(scene_builder *builder, scene_span place)
{
    const sheaf_scene *scene = builder->scene;
    for (uint32_t k = 0; k < scene->group_count; k++)
        if (scene->groups[k].joint_count > 0) {
            scene_complain(builder->reading, place,
                           "strand %u hangs on a body: beside such strands hair cannot keep its volume or shield hair "
                           "behind it\ntake out volume and shield, or the bodies",
                           k);
            return;
        }
}

static void build_volume(scene_builder *builder, scene_map touch)
{
    const scene_map volume = scene_submap(touch, "volume");
    const scene_map wind = scene_submap(builder->file, "wind");
    const scene_volume made = {.is_on = volume.node != NULL,
                               .shields = scene_flag(wind, "shield"),
                               .cell = scene_number(volume, "cell"),
                               .fraction = scene_number(volume, "fraction"),
                               .speed = scene_number(volume, "speed"),
                               .rub = scene_number(volume, "rub"),
                               .sweeps = (uint32_t)scene_whole(volume, "sweeps")};
    if (!scene_is_building(builder) || (!made.is_on && !made.shields))
        return;
    const scene_span place = made.is_on ? scene_key_place(touch, "volume") : scene_key_place(wind, "shield");
    builder->scene->volume = made;
    check_method(builder, place);
    if (builder->scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT)
        scene_complain(builder->reading, place,
                       "volume and shield are for implicit steps\nuse integrator: bdf2 or euler");
    refuse_bodies(builder, place);
    if (SCENE_SOUND(volume, "cell"))
        check_cell(builder, made.is_on ? volume : wind, made.cell);
}

// Contact of strands, where materials are named for it.
static void build_pairs(scene_builder *builder, scene_map touch)
{
    sheaf_touch_def def = sheaf_touch_def_default();
    if (touch.node == NULL || touch.node->bad)
        return;
    build_materials(builder, touch, &def);
    build_frictions(builder, touch, &def);
    def.self = scene_flag(touch, "self");
    def.tolerance = scene_number(touch, "tolerance");
    def.sweeps = (uint32_t)scene_whole(touch, "sweeps");
    def.separate = scene_number(touch, "separate");
    if (!scene_is_building(builder))
        return;
    if (def.material_count > 0 && (builder->scene->volume.is_on || builder->scene->volume.shields))
        scene_complain(builder->reading, scene_key_place(touch, "pairs"),
                       "strands that touch each other cannot keep their volume or shield each other from the wind "
                       "besides\ntake out pairs, or volume and shield");
    else
        scene_added(builder, sheaf_scene_set_touch(builder->scene, &def), scene_place(touch.node));
    for (uint32_t k = 0; k < def.material_count && scene_is_building(builder); k++)
        check_thickness(builder, touch, &def.materials[k]);
}

void scene_build_touch(scene_builder *builder)
{
    const scene_map touch = scene_submap(builder->file, "touch");
    build_volume(builder, touch);
    build_pairs(builder, touch);
}
