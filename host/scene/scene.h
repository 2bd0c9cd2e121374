// scene: what there is, in SI units and with names, before it becomes arrays. Filled by the scene file reader or by the
// public API; read by model_compile only. Everything it points to belongs to it.
#ifndef SHEAF_SCENE_SCENE_H
#define SHEAF_SCENE_SCENE_H

#include "grow/grow.h"
#include "law/law.h"
#include "mesh/grid.h"
#include "mesh/sequence.h"
#include "scene/files.h"

#include <stdatomic.h>

// Limits of any scene, shared by reader, API and model.
enum {
    SCENE_MIN_VERTICES = 3,
    SCENE_MAX_VERTICES = 4096,
    SCENE_MAX_STRANDS = GROW_MOST_STRANDS,
    SCENE_MAX_ALL_VERTICES = GROW_MOST_VERTICES, // of all strands together
    SCENE_POSE_SIZE = 8,                         // numbers of a motion's pose
};

// Strands out of a file. Never changes once made; groups that are copies of each other share it.
typedef struct scene_bunch {
    atomic_uint owners;
    uint32_t count;      // strands
    uint64_t *first;     // [count + 1] of each strand in points
    double (*points)[3]; // m
    bool has_ghosts;     // the first vertex of each strand is not the file's
} scene_bunch;

// Render strands between the simulated ones of a group, which are their guides; nothing that moves depends on them.
typedef struct scene_children {
    uint32_t count;  // for each guide; 0: none
    uint32_t blend;  // guides whose turning a child takes on
    double lock;     // share of the nearest guide in that
    double strength; // share of its distance from the nearest guide that a child has lost at its tip
    double profile;  // power of the way from root to tip with which it is lost
    double scatter;  // m, how far tips stray from where they would be
    double frizz;    // m, of waves that each child has of its own
    double cut;      // largest share of its guide's length that a child lacks
    double stray;    // share of children that keep their distance
    uint64_t seed;
} scene_children;

enum { SCENE_MOST_CHILDREN = 1000, SCENE_MOST_BLEND = 8, SCENE_LEAST_GUIDES = 3 };

// How strands that are to start at rest are made stiffer, so that they stay there.
typedef struct scene_stiffen {
    bool is_off;
    double margin; // beyond what just holds, as a share of it
    double limit;  // largest factor on the material's stiffness
} scene_stiffen;

#define SCENE_STIFFEN_MARGIN 0.25
#define SCENE_STIFFEN_LIMIT 10.0

// Strands that press each other apart by their density on a grid.
typedef struct scene_volume {
    bool is_on;
    bool shields;    // the wind, by the same grid
    double cell;     // m
    double fraction; // of space that hair fills at rest; 0: as it starts
    double speed;    // m/s, of waves of pressure; 0: chosen
    double rub;      // 1/s
    uint32_t sweeps;
} scene_volume;

// What winds a cable up.
typedef struct scene_winch {
    bool is_there;
    sheaf_winch_def def;
} scene_winch;

// Strands of one kind: a single one, or a population or bunch whose strands share `strand`'s material and ends.
typedef struct scene_group {
    sheaf_strand_def strand; // with points, spacing, natural_points and holds owned by the scene
    sheaf_cable_def cable;
    scene_winch winch;
    const sheaf_joint_def *joints; // [joint_count] with bodies, by increasing edge; owned by the scene
    uint32_t joint_count;
    grow_population *grown; // or NULL
    scene_bunch *bunch;     // or NULL
    scene_bunch *others;    // strands of its file that are not simulated: shapes of children; or NULL
    scene_children children;
    scene_stiffen stiffen;
    const sheaf_section *sections; // [section_count] materials along a strand, in place of the strand's; owned
    uint32_t section_count;        // 0: there are none
    const double *vertex_bend;     // [vertex][2] N m^2, in place of the material's, or NULL; owned
    const double *vertex_twist;    // [vertex] N m^2, likewise
    double stands_for;             // hairs, of each strand
} scene_group;

// Which strands touch each other, and how. Arrays are the scene's own.
typedef struct scene_touch {
    sheaf_touch_def def; // its arrays owned; material_count 0: none touch
} scene_touch;

// Colours are as screens have them: red, green, blue from 0 to 1.
typedef struct scene_paint {
    uint32_t material;
    double colour[3];
    double vary; // how much strands differ in brightness, as a share
    double roughness, shift, shine, tint, tip[3];
} scene_paint;

enum { SCENE_MOST_REEVED = 16 }; // points of a reeving

enum { SCENE_MOST_PAINTS = 63 }; // that pictures tell apart

typedef enum scene_ground { SCENE_GROUND_AUTO, SCENE_GROUND_NONE, SCENE_GROUND_AT } scene_ground;

// In the order of the schema's words.
typedef enum scene_background { SCENE_BACKGROUND_STUDIO, SCENE_BACKGROUND_SKY, SCENE_BACKGROUND_DARK } scene_background;

// How a scene wishes to be seen; nothing that moves depends on it.
typedef struct scene_view {
    bool has_from, has_at, has_light, has_sky, has_ground_colour, has_skin;
    double from[3], at[3]; // m, where the eye is and what it looks at; chosen when absent
    double angle;          // rad, of view from top to bottom; 0: chosen
    double light[3];       // where the light comes from
    double sky[3];         // colour above
    scene_background background;
    double exposure; // factor on the light of strands and bodies; 0: no wish
    double rim;      // strength of the light from behind
    double skin[3];  // colour
    scene_ground ground;
    double ground_height; // m along up
    double ground_colour[3];
    scene_paint *paints; // [paint_count] of materials
    uint32_t paint_count;
} scene_view;

// What a probe reads, in the order of the schema's words.
enum {
    SCENE_PROBE_POSITION = 1,
    SCENE_PROBE_TENSION = 2,
    SCENE_PROBE_MOMENT = 4,
    SCENE_PROBE_TWIST = 8,
    SCENE_PROBE_ALL = 15
};

// A place of a strand that is read in every frame; nothing that moves depends on it.
typedef struct scene_probe {
    char *name; // owned
    uint32_t strand;
    double at;     // share of the way from root to tip
    uint32_t what; // bits of SCENE_PROBE_*
} scene_probe;

struct sheaf_scene {
    sheaf_scene_def def; // title owned by the scene
    sheaf_motion_def *motions;
    mesh_sequence **sequences; // [motion_count] the deforming mesh that a motion is; NULL: it is rigid
    uint32_t motion_count;
    sheaf_material_def *materials;
    law **laws;        // [material_count] NULL: the material is linear
    double *stretches; // [material_count] N, EA of cables as a scene file says; 0: by young and radii
    sheaf_cable_step cable_step;
    uint32_t material_count;
    sheaf_collider_def *colliders;
    uint32_t collider_count;
    sheaf_body_def *bodies; // with names and courses owned by the scene
    uint32_t body_count;
    sheaf_reeving_def *reevings; // with paths and courses owned by the scene
    uint32_t reeving_count;
    scene_touch touch;
    mesh_grid **grids; // [collider_count] distances of a mesh that fills a box; NULL: the collider is what it says
    scene_group *groups;
    uint32_t group_count;
    uint64_t strand_count; // in all groups
    uint64_t vertex_count; // likewise
    scene_view view;
    scene_volume volume;
    scene_probe *probes; // [probe_count]
    uint32_t probe_count;
    scene_files files; // that it was made of, besides its own
};

// Adds a motion; with `sequence` (may be NULL), which is shared, it is that of a deforming mesh, and what the
// definition says does not matter.
sheaf_status scene_add_motion(sheaf_scene *scene, const sheaf_motion_def *def, mesh_sequence *sequence,
                              uint32_t *index);

// Copies of reevings own what they point to.
sheaf_status scene_copy_reeving(sheaf_reeving_def *copy, const sheaf_reeving_def *reeving);
void scene_free_reeving(sheaf_reeving_def *reeving);

// Drives the axle of a body of the scene by a speed or a torque, instead of what drove it.
sheaf_status scene_drive_axle(sheaf_scene *scene, uint32_t body, bool by_speed, const sheaf_course *course);

// Index of the method of cables; 0: it is not built in.
uint32_t scene_cable_method(void);

// Adds a material; `law` (may be NULL), which is shared, is what it answers strains with.
sheaf_status scene_add_material(sheaf_scene *scene, const sheaf_material_def *def, law *of);

// Adds a collider; `grid` (may be NULL) makes a box the mesh in it, and is shared.
sheaf_status scene_add_collider(sheaf_scene *scene, const sheaf_collider_def *def, mesh_grid *grid);

// One strand by itself, with what scene files say besides as it is without them.
scene_group scene_group_of(const sheaf_strand_def *def);

// Adds a group, taking copies of what it points to. Checks ranges as the public functions do.
sheaf_status scene_add_group(sheaf_scene *scene, const scene_group *group);

// Edges of a strand, and whether its last vertex is joined to its first (a circle always is).
bool scene_is_closed(const sheaf_strand_def *strand);
uint32_t scene_edge_count(const sheaf_strand_def *strand);

// How many strands a group has, and the definition of the k-th of them.
uint32_t scene_group_size(const scene_group *group);
uint64_t scene_group_vertices(const scene_group *group); // of all its strands
sheaf_strand_def scene_group_strand(const scene_group *group, uint32_t k);

// Sections of a group's strands (sections.c): whether they can be, with `edges` edges in the strand that has fewest;
// copies of what the group points to, with edges of a generated shape laid so that sections change at vertices; and the
// material at a share of the way from root to tip.
enum { SCENE_MOST_SECTIONS = 1000 };
sheaf_status scene_check_sections(const sheaf_scene *scene, const char *where, const scene_group *group,
                                  uint32_t edges);
sheaf_status scene_copy_sections(scene_group *copy, const scene_group *group);
void scene_free_sections(scene_group *group);
uint32_t scene_material_at(const scene_group *group, double share);

// How much of its first and last edge lies beyond a strand's root and tip: half where a clamp's plane cuts them in the
// middle, all where a vertex is there for the clamp alone.
void scene_group_overhangs(const scene_group *group, double shares[2]);

// A material's section as the equations use it.
typedef struct scene_section {
    double bend[2];   // N m^2, EI against bending towards director 1 and 2
    double twist;     // N m^2, GJ
    double line_mass; // kg/m
    double radius;    // m, of the circle of equal area, for drawing; 0: not known
} scene_section;

scene_section scene_material_section(const sheaf_material_def *material);

// A section whose radii are scaled by one factor and whose moduli by another.
scene_section scene_scale_section(const scene_section *section, double radius, double stiffness);

// Drag, Pa s, of a round strand (radius in m) across air that moves at a speed, m/s, taken as at least that of slow
// motion in a room: force per length over speed, so that the mean force of such a wind is right (theory.md, T23).
#define SCENE_LEAST_AIR_SPEED 0.1 // m/s
double scene_air_drag(double radius, double speed);

// Radius at a share of the way from root to tip, as a share of the root's.
double scene_taper(const sheaf_strand_def *strand, double share);

// Deep copies of what has courses, and their release. A failed copy leaves nothing behind.
sheaf_status scene_copy_group(scene_group *copy, const scene_group *group);
sheaf_status scene_copy_motion(sheaf_motion_def *copy, const sheaf_motion_def *motion);
sheaf_status scene_copy_body(sheaf_body_def *copy, const sheaf_body_def *body);
void scene_free_body(sheaf_body_def *body);
void scene_free_group(scene_group *group);
void scene_free_motion(sheaf_motion_def *motion);

#endif
