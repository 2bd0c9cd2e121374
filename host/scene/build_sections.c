// build_sections: makes the sections of a strand out of a checked tree.
#include "scene/build.h"

// One section; `from` is where it begins. False: complained.
static bool build_section(scene_map map, double from, bool is_last, sheaf_section *section)
{
    const bool has_end = scene_has(map, "to");
    if (!SCENE_SOUND(map, "to", "material"))
        return false;
    section->material = (uint32_t)scene_whole(map, "material");
    section->to = has_end ? scene_number(map, "to") : 1;
    if (!has_end && !is_last)
        scene_complain(map.reading, scene_place(map.node),
                       "a section without `to` goes on to the tip, and others follow\nadd to: with the share of the "
                       "length where it ends");
    else if (section->to <= from)
        scene_complain(map.reading, scene_key_place(map, "to"),
                       "the section ends at %g %% of the length, and begins at %g %%\nlist sections from the root on, "
                       "each with a larger `to`",
                       100 * section->to, 100 * from);
    else if (is_last && section->to < 1)
        scene_complain(
            map.reading, scene_key_place(map, "to"),
            "the last section ends at %g %% of the length\nremove its `to`, or add a section that goes on to "
            "the tip",
            100 * section->to);
    else
        return true;
    return false;
}

// With the fewest edges that its strands have, every section needs one.
static void check_lengths(scene_map list, const scene_group *group, uint32_t edges)
{
    const scene_node *item = scene_first(list.reading, list.node);
    for (uint32_t k = 0; k < group->section_count; k++, item = scene_next(list.reading, item)) {
        const double from = k > 0 ? group->sections[k - 1].to : 0, length = (group->sections[k].to - from) * edges;
        if (!(length >= 1 - 1e-9))
            scene_complain(list.reading, scene_place(item),
                           "the section is %.2g of an edge long\nmake it longer, or give the strand more vertices",
                           length);
    }
}

void scene_build_sections(scene_builder *builder, scene_map strand, scene_group *group)
{
    const scene_map list = scene_submap(strand, "sections");
    if (scene_has(strand, "sections") && scene_has(strand, "material"))
        scene_complain(builder->reading, scene_key_place(strand, "material"),
                       "material and sections both say what the strand is made of\nremove one of them");
    if (list.node == NULL || !SCENE_SOUND(strand, "sections"))
        return;
    const uint32_t count = list.node->count;
    if (count == 0 || count > SCENE_MOST_SECTIONS) {
        scene_complain(builder->reading, scene_key_place(strand, "sections"),
                       "%u sections\ngive 1 to %d, as in [{ to: 30 %%, material: stiff }, { material: soft }]", count,
                       SCENE_MOST_SECTIONS);
        return;
    }
    sheaf_section *sections = scene_take(builder->reading, count, sizeof *sections);
    scene_node *item = scene_first(builder->reading, list.node);
    bool sound = sections != NULL;
    for (uint32_t k = 0; item != NULL && sections != NULL; item = scene_next(builder->reading, item), k++) {
        const scene_map map = {builder->reading, list.table, item, 0};
        sound &= build_section(map, k > 0 ? sections[k - 1].to : 0, k + 1 == count, &sections[k]);
    }
    if (!sound)
        return;
    group->sections = sections;
    group->section_count = count;
    group->strand.material = sections[0].material;
    if (group->strand.vertex_count > 1 && SCENE_SOUND(strand, "points", "shape", "groom"))
        check_lengths(list, group, scene_edge_count(&group->strand));
}
