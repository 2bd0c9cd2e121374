// build_probes: makes the probes of a scene's output out of a checked tree.
#include <string.h>

#include "scene/build.h"

// Names become column heads of a table.
static bool is_plain(const char *name)
{
    const size_t length = strlen(name);
    return length > 0 && length < 64 &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == length;
}

static bool check_probe(scene_builder *builder, scene_map map, const scene_probe *probes, uint32_t k)
{
    const scene_probe *probe = &probes[k];
    if (!is_plain(probe->name)) {
        scene_complain(map.reading, scene_key_place(map, "name"),
                       "name: '%.80s' is no head of a column\nuse 1 to 63 letters, digits, _ and -", probe->name);
        return false;
    }
    for (uint32_t other = 0; other < k; other++)
        if (strcmp(probes[other].name, probe->name) == 0) {
            scene_complain(map.reading, scene_key_place(map, "name"),
                           "name: there is a probe '%s' before\ngive it another", probe->name);
            return false;
        }
    if (probe->strand >= builder->strand_number) {
        scene_complain(map.reading, scene_key_place(map, "strand"),
                       "strand: there is no strand %u\nthe scene has %llu, numbered from 0", probe->strand,
                       (unsigned long long)builder->strand_number);
        return false;
    }
    return true;
}

// A copy of what was read, as the scene keeps it.
static void keep(scene_builder *builder, const scene_probe *probes, uint32_t count, scene_span place)
{
    sheaf_scene *scene = builder->scene;
    scene->probes = base_alloc(count, sizeof *scene->probes);
    bool complete = scene->probes != NULL;
    for (uint32_t k = 0; complete && k < count; k++) {
        scene->probes[k] = probes[k];
        scene->probes[k].name = base_strdup(probes[k].name);
        complete = scene->probes[k].name != NULL;
        scene->probe_count += complete;
    }
    if (!complete)
        scene_added(builder, SHEAF_ERR_MEMORY, place);
}

void scene_build_probes(scene_builder *builder)
{
    const scene_map output = scene_submap(builder->file, "output"), list = scene_submap(output, "probes");
    if (list.node == NULL || !SCENE_SOUND(output, "probes"))
        return;
    scene_probe *probes = scene_take(builder->reading, list.node->count, sizeof *probes);
    uint32_t count = 0;
    bool sound = probes != NULL;
    scene_node *item = scene_first(builder->reading, list.node);
    for (; item != NULL && probes != NULL; item = scene_next(builder->reading, item), count++) {
        const scene_map map = {builder->reading, list.table, item, 0};
        probes[count] =
            (scene_probe){.name = (char *)scene_string(builder->reading, scene_find(map, "name")),
                          .strand = (uint32_t)scene_whole(map, "strand"),
                          .at = scene_number(map, "at"),
                          .what = scene_has(map, "what") ? (uint32_t)scene_whole(map, "what") : SCENE_PROBE_ALL};
        sound = sound && SCENE_SOUND(map, "name", "strand", "at", "what") && check_probe(builder, map, probes, count);
    }
    if (sound && scene_is_building(builder))
        keep(builder, probes, count, scene_key_place(output, "probes"));
}
