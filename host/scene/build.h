// build: stage 4 of reading, shared by its files.
#ifndef SHEAF_SCENE_BUILD_H
#define SHEAF_SCENE_BUILD_H

#include "scene/values.h"

typedef struct scene_builder {
    scene_reading *reading;
    scene_map file;
    sheaf_scene *scene;     // NULL once anything was complained about: building goes on to find more
    uint32_t materials;     // in the file
    uint64_t strand_number; // of the next strand
} scene_builder;

// Whether what is built can be added to a scene.
bool scene_is_building(const scene_builder *builder);

// Turns a failure to add something to the scene into a complaint about `place`.
void scene_added(scene_builder *builder, sheaf_status status, scene_span place);

void scene_build_strand(scene_builder *builder, scene_map strand);

// How the scene wishes to be seen.
void scene_build_view(scene_builder *builder);

// Takes over the strands of a file; the ends of the group's strand are built already. False: complained. What it has
// taken is the caller's to forget, in any case.
bool scene_build_file(scene_builder *builder, scene_map strand, scene_group *group);
void scene_forget_file(scene_group *group);

// What holds and drives an end, `which` being root or tip, of a strand that is open or closed.
void scene_build_end(scene_map strand, const char *which, bool closed, sheaf_end_def *end);

#endif
