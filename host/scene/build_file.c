// build_file: strands that a scene takes from a file, as a group.
#include "scene/build.h"

#include "scene/bunch.h"

#include <string.h>

groom_up scene_find_up(scene_map file)
{
    double gravity[3];
    scene_vector(file, "gravity", gravity);
    for (int c = 0; c < 2; c++)
        if (gravity[c] < 0 && gravity[1 - c] == 0 && gravity[2] == 0)
            return (groom_up)(GROOM_UP_X + c);
    return GROOM_UP_Z;
}

char *scene_place_file(scene_reading *reading, const char *written)
{
    const char *name = reading->name, *slash = strrchr(name, '/');
    const char *moved = reading->places != NULL ? scene_files_find(reading->places, written) : NULL;
    const char *file = moved != NULL ? moved : written;
    const size_t folder = file[0] != '/' && moved == NULL && slash != NULL ? (size_t)(slash - name) + 1 : 0;
    char *path = scene_take(reading, folder + strlen(file) + 1, 1);
    if (path == NULL)
        return NULL;
    memcpy(path, name, folder);
    memcpy(path + folder, file, strlen(file) + 1);
    if (scene_files_add(&reading->files, written, path) == SHEAF_OK)
        return path;
    reading->status = SHEAF_ERR_MEMORY;
    return NULL;
}

char *scene_find_path(scene_map map, const char *key)
{
    const scene_node *node = scene_find(map, key);
    return node != NULL ? scene_place_file(map.reading, scene_string(map.reading, node)) : NULL;
}

double scene_unit_metres(uint64_t index)
{
    static const double metres[] = {1, 0.01, 0.001, 1e-6, 0.0254, 0.3048};
    return metres[index];
}

// Simulates a share of the strands and keeps the others as shapes of children.
static sheaf_status split_bunch(scene_builder *builder, scene_map strand, scene_group *group)
{
    scene_bunch *all = group->bunch;
    const sheaf_status status =
        scene_bunch_split(all, scene_number(strand, "simulate"), SCENE_LEAST_GUIDES,
                          scene_whole(builder->file, "seed") + builder->strand_number, &group->bunch, &group->others);
    scene_bunch_release(all);
    return status;
}

bool scene_build_file(scene_builder *builder, scene_map strand, scene_group *group)
{
    const scene_node *unit = scene_find(strand, "unit"), *up = scene_find(strand, "up");
    if (scene_find(strand, "file") == NULL || !SCENE_SOUND(strand, "unit", "up", "root"))
        return false;
    const scene_bunch_def def = {.metres_per_unit = unit != NULL ? scene_unit_metres(unit->whole) : 0,
                                 .up = up != NULL ? (groom_up)(GROOM_UP_X + up->whole) : GROOM_UP_UNKNOWN,
                                 .scene_up = scene_find_up(builder->file),
                                 .ghosts = group->strand.root.hold_position && group->strand.root.hold_tangent};
    const char *path = scene_find_path(strand, "file");
    if (path == NULL)
        return false;
    sheaf_status status = scene_bunch_load(path, &def, &group->bunch);
    if (status == SHEAF_OK && scene_has(strand, "simulate"))
        status = split_bunch(builder, strand, group);
    scene_added(builder, status, scene_key_place(strand, "file"));
    for (uint32_t k = 0; status == SHEAF_OK && k < group->bunch->count; k++) {
        const uint32_t vertices = scene_group_strand(group, k).vertex_count;
        if (k == 0 || vertices < group->strand.vertex_count)
            group->strand.vertex_count = vertices; // of the shortest, for what all must have room for
    }
    return status == SHEAF_OK;
}

void scene_forget_files(scene_group *group)
{
    scene_bunch_release(group->bunch);
    scene_bunch_release(group->others);
    grow_release(group->grown);
    group->bunch = group->others = NULL;
    group->grown = NULL;
}
