// build_file: strands that a scene takes from a file, as a group.
#include "scene/build.h"

#include "scene/bunch.h"

#include <string.h>

// The axis that gravity points against; z where it is along none.
static groom_up find_up(scene_map file)
{
    double gravity[3];
    scene_vector(file, "gravity", gravity);
    for (int c = 0; c < 2; c++)
        if (gravity[c] < 0 && gravity[1 - c] == 0 && gravity[2] == 0)
            return (groom_up)(GROOM_UP_X + c);
    return GROOM_UP_Z;
}

// A path as the scene writes it, seen from the scene's own folder.
static char *find_path(scene_map strand)
{
    const char *name = strand.reading->name, *slash = strrchr(name, '/');
    const char *written = scene_string(strand.reading, scene_find(strand, "file"));
    if (written == NULL)
        return NULL;
    const size_t folder = written[0] != '/' && slash != NULL ? (size_t)(slash - name) + 1 : 0;
    char *path = scene_take(strand.reading, folder + strlen(written) + 1, 1);
    if (path != NULL) {
        memcpy(path, name, folder);
        memcpy(path + folder, written, strlen(written) + 1);
    }
    return path;
}

bool scene_build_file(scene_builder *builder, scene_map strand, scene_group *group)
{
    static const double metres[] = {1, 0.01, 0.001, 1e-6, 0.0254, 0.3048};
    const scene_node *unit = scene_find(strand, "unit"), *up = scene_find(strand, "up");
    if (scene_find(strand, "file") == NULL || !SCENE_SOUND(strand, "unit", "up", "root"))
        return false;
    const scene_bunch_def def = {.metres_per_unit = unit != NULL ? metres[unit->whole] : 0,
                                 .up = up != NULL ? (groom_up)(GROOM_UP_X + up->whole) : GROOM_UP_UNKNOWN,
                                 .scene_up = find_up(builder->file),
                                 .ghosts = group->strand.root.hold_position && group->strand.root.hold_tangent};
    const char *path = find_path(strand);
    if (path == NULL)
        return false;
    const sheaf_status status = scene_bunch_load(path, &def, &group->bunch);
    scene_added(builder, status, scene_key_place(strand, "file"));
    for (uint32_t k = 0; status == SHEAF_OK && k < group->bunch->count; k++) {
        const uint32_t vertices = scene_group_strand(group, k).vertex_count;
        if (k == 0 || vertices < group->strand.vertex_count)
            group->strand.vertex_count = vertices; // of the shortest, for what all must have room for
    }
    return status == SHEAF_OK;
}

void scene_forget_file(scene_group *group)
{
    scene_bunch_release(group->bunch);
    group->bunch = NULL;
}
