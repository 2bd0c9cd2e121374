// build: stage 4 of reading, shared by its files.
#ifndef SHEAF_SCENE_BUILD_H
#define SHEAF_SCENE_BUILD_H

#include "scene/values.h"

typedef struct scene_builder {
    scene_reading *reading;
    scene_map file;
    sheaf_scene *scene;             // NULL once anything was complained about: building goes on to find more
    uint32_t materials;             // in the file
    sheaf_touch_material *touching; // [materials] what each of them says of touch, so far; lives as long as the reading
    uint32_t touching_count;
    double air_speed;       // m/s, root mean square of wind and gusts
    uint64_t strand_number; // of the next strand
    uint32_t grooms;        // so far
} scene_builder;

// How strands act on each other, and what of that does not fit them; after all strands.
void scene_build_touch(scene_builder *builder);

// Whether what is built can be added to a scene.
bool scene_is_building(const scene_builder *builder);

// Turns a failure to add something to the scene into a complaint about `place`.
void scene_added(scene_builder *builder, sheaf_status status, scene_span place);

// Reads the mesh of a map with file, unit and up, and puts its origin to `center`. False: complained. What it has taken
// is the caller's to free, in any case.
bool scene_open_mesh(scene_builder *builder, scene_map map, const double center[3], mesh *m);

// The same for a file that another key has led to.
bool scene_open_mesh_at(scene_builder *builder, scene_map map, const char *key, const char *path,
                        const double center[3], mesh *m);

// Reads the frames of a motion's map `mesh`. The caller releases them. NULL: there is no such map, or complained.
mesh_sequence *scene_build_skin(scene_builder *builder, scene_map map);

// The law of a material with this section; the caller releases it. NULL: it has none, or complained.
struct law *scene_build_law(scene_builder *builder, scene_map map, const scene_section *section);

// Adds a collider. Motions must be in the scene.
void scene_build_collider(scene_builder *builder, scene_map collider);

void scene_build_strand(scene_builder *builder, scene_map strand);

// Materials along the strands of a group whose form is built; what they are kept in lives as long as the reading.
void scene_build_sections(scene_builder *builder, scene_map strand, scene_group *group);

// Probes of the output. All strands must be built.
void scene_build_probes(scene_builder *builder);
// Adds cables, and loads that they name. Motions, materials and bodies must be in the scene.
void scene_build_cable(scene_builder *builder, scene_map cable);
void scene_build_reeving(scene_builder *builder, scene_map reeving);
void scene_build_cable_step(scene_map map, sheaf_cable_step *step);

// How the scene wishes to be seen.
void scene_build_view(scene_builder *builder);

// Takes over the strands of a file; the ends of the group's strand are built already. False: complained. What it and
// scene_build_groom have taken is the caller's to forget, in any case.
bool scene_build_file(scene_builder *builder, scene_map strand, scene_group *group);
void scene_forget_files(scene_group *group);

// Settings of the render strands of a group whose strands are built; `count` is 0 where the file asks for none.
void scene_build_children(scene_builder *builder, scene_map strand, scene_group *group);

// Grows the population of a strand's groom. False: complained.
bool scene_build_groom(scene_builder *builder, scene_map strand, scene_group *group);

// A path that a key holds, as seen from the scene's own folder. Lives as long as the reading; NULL when memory has run
// out or the key has no value.
char *scene_find_path(scene_map map, const char *key);

// The same for a name as the scene writes it; the reading remembers that it was named.
char *scene_place_file(scene_reading *reading, const char *written);

// The axis that gravity points against; z where it is along none.
groom_up scene_find_up(scene_map file);

// Metres of one of SCENE_LENGTH_UNITS.
double scene_unit_metres(uint64_t index);

// What holds and drives an end, `which` being root or tip, of a strand that is open or closed. `body` receives the body
// that it is fixed to, or -1.
void scene_build_end(scene_map strand, const char *which, bool closed, sheaf_end_def *end, int32_t *body);

// How many shapes a collider or body has, meshes aside; and the shape where it has one. False: it has none or several,
// or complained.
int scene_count_shapes(scene_map owner);
bool scene_build_shape(scene_map owner, sheaf_collider_def *def);

// Adds a body. Motions must be in the scene.
void scene_build_body(scene_builder *builder, scene_map body, const scene_node *name);

// Joints of a strand whose ends are built, fixed to the bodies given or -1.
void scene_build_joints(scene_map strand, const int32_t bodies[2], scene_group *group);

#endif
