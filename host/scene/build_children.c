// build_children: render strands of a group of strands, as a scene asks for them.
#include "scene/build.h"

static void read_settings(scene_builder *builder, scene_map map, scene_children *out)
{
    out->blend = (uint32_t)scene_whole(map, "blend");
    out->lock = scene_number(map, "lock");
    out->strength = scene_number(map, "strength");
    out->profile = scene_number(map, "profile");
    out->scatter = scene_number(map, "scatter");
    out->frizz = scene_number(map, "frizz");
    out->cut = scene_number(map, "cut");
    out->stray = scene_number(map, "stray");
    out->seed = scene_has(map, "seed") ? scene_whole(map, "seed") : scene_whole(builder->file, "seed");
    out->seed += scene_has(map, "seed") ? 0 : builder->strand_number; // entries must not be alike
}

// What a scene may hold in strands and vertices holds for those that are drawn, too.
static void check_total(scene_map strand, const scene_group *group)
{
    const double factor = group->children.count, strands = factor * scene_group_size(group);
    const double vertices = factor * (double)scene_group_vertices(group);
    if (strands > SCENE_MAX_STRANDS || vertices > SCENE_MAX_ALL_VERTICES)
        scene_complain_limit(strand.reading, scene_key_place(scene_submap(strand, "children"), "count"),
                             "%u children for each of %u strands make %.3g strands of %.3g vertices; at most %d and %d "
                             "are drawn\ngive fewer",
                             group->children.count, scene_group_size(group), strands, vertices, SCENE_MAX_STRANDS,
                             SCENE_MAX_ALL_VERTICES);
}

void scene_build_children(scene_builder *builder, scene_map strand, scene_group *group)
{
    scene_map map = scene_submap(strand, "children");
    map.preset = scene_submap(strand, "groom").preset;
    const bool wanted = scene_has(strand, "children"), are_many = group->grown != NULL || group->bunch != NULL;
    const uint32_t guides = scene_group_size(group);
    if (are_many)
        read_settings(builder, map, &group->children);
    if (group->others != NULL)
        group->children.count = (group->others->count + guides - 1) / guides;
    if (!wanted || !SCENE_SOUND(strand, "children"))
        return;
    if (scene_has(map, "count"))
        group->children.count = (uint32_t)scene_whole(map, "count");
    if (!are_many && !scene_has(strand, "groom") && !scene_has(strand, "file"))
        scene_complain(strand.reading, scene_key_place(strand, "children"),
                       "children lie between the strands of a groom or a file; this is a single strand\nremove it");
    else if (are_many && guides < SCENE_LEAST_GUIDES)
        scene_complain(strand.reading, scene_key_place(strand, "children"),
                       "children lie between at least %d simulated strands, and there are %u\nraise count in groom, or "
                       "remove children",
                       SCENE_LEAST_GUIDES, guides);
    else if (are_many && group->children.count == 0)
        scene_complain(strand.reading, scene_key_place(strand, "children"),
                       "count is missing in children\nadd count: 32");
    else
        check_total(strand, group);
}
