// build_skin: motions that are a deforming mesh, from a file for each of its frames.
#include "scene/build.h"

#include <stdio.h>
#include <string.h>

// A name with the number of a frame in it: body.%04d.obj.
typedef struct numbered_path {
    const char *written;
    size_t before; // bytes before the number
    int width;     // of the number, with zeros; 0: as many digits as it has
    const char *after;
} numbered_path;

static bool find_number(scene_map map, numbered_path *out)
{
    const scene_node *node = scene_find(map, "frames");
    const char *written = node != NULL ? scene_string(map.reading, node) : NULL;
    if (written == NULL)
        return false;
    const char *percent = strrchr(written, '%'), *at = percent != NULL ? percent + 1 : "";
    *out = (numbered_path){.written = written, .before = percent != NULL ? (size_t)(percent - written) : 0};
    if (at[0] == '0' && at[1] >= '1' && at[1] <= '9') {
        out->width = at[1] - '0';
        at += 2;
    }
    out->after = at + 1;
    if (*at == 'd' && strchr(written, '%') == strrchr(written, '%'))
        return true;
    scene_complain(
        map.reading, scene_key_place(map, "frames"),
        "frames does not say where the number of a frame stands\nwrite it as body.%%04d.obj: four digits, or "
        "body.%%d.obj: as many as it has");
    return false;
}

// The path of a frame, which lives as long as the reading; NULL: no memory.
static char *frame_path(scene_map map, const numbered_path *numbered, uint32_t number)
{
    enum { DIGITS = 16 };
    const size_t size = numbered->before + DIGITS + strlen(numbered->after) + 1;
    char *name = scene_take(map.reading, size, 1);
    if (name == NULL)
        return NULL;
    snprintf(name, size, "%.*s%0*u%s", (int)numbered->before, numbered->written, numbered->width, number,
             numbered->after);
    return scene_place_file(map.reading, name);
}

static bool read_frame(scene_builder *builder, scene_map map, uint32_t frame, const char *path,
                       mesh_sequence **sequence)
{
    double center[3];
    mesh m = {0};
    const uint32_t first = (uint32_t)scene_whole(map, "first"), last = (uint32_t)scene_whole(map, "last");
    scene_vector(map, "center", center);
    bool read = path != NULL && scene_open_mesh_at(builder, map, "frames", path, center, &m);
    sheaf_status status = SHEAF_OK;
    if (read && frame == 0)
        status =
            mesh_sequence_create(&m, last - first + 1, scene_number(map, "start"), scene_number(map, "rate"), sequence);
    if (read && status == SHEAF_OK)
        status = mesh_sequence_set(*sequence, frame, &m, path);
    scene_added(builder, status, scene_key_place(map, "frames"));
    mesh_free(&m);
    return read && status == SHEAF_OK;
}

// All frames are read before anything moves: what is wrong with one of them is told here.
mesh_sequence *scene_build_skin(scene_builder *builder, scene_map map)
{
    numbered_path numbered;
    mesh_sequence *sequence = NULL;
    if (!scene_is_given(map) || !SCENE_SOUND(map, "frames", "first", "last", "rate", "start", "unit", "up", "center"))
        return NULL;
    const uint32_t first = (uint32_t)scene_whole(map, "first"), last = (uint32_t)scene_whole(map, "last");
    if (last < first) {
        scene_complain(map.reading, scene_key_place(map, "last"), "the last frame, %u, is before the first, %u", last,
                       first);
        return NULL;
    }
    if (!find_number(map, &numbered))
        return NULL;
    for (uint32_t k = 0; k <= last - first; k++)
        if (!read_frame(builder, map, k, frame_path(map, &numbered, first + k), &sequence)) {
            mesh_sequence_release(sequence);
            return NULL;
        }
    return sequence;
}
