// schema_parts: what the files of the schema share: how rows are written, and tables that others refer to.
#ifndef SHEAF_SCENE_SCHEMA_PARTS_H
#define SHEAF_SCENE_SCHEMA_PARTS_H

#include "scene/preset.h"
#include "scene/schema.h"

#define KEY(key, value_kind, for_example, meaning, ...)                                                                \
    {                                                                                                                  \
        .name = key, .kind = SCENE_KIND_##value_kind, .example = for_example, .doc = meaning, __VA_ARGS__              \
    }
#define KEYS(rows) .keys = (rows), .key_count = sizeof(rows) / sizeof((rows)[0])
#define PRESET_KEY(meaning) KEY("preset", CHOICE, "curly", meaning, .words = SCENE_PRESET_NAMES)

// Of grooms.
extern const scene_table scene_groom_table, scene_surface_table, scene_sphere_table, scene_ellipsoid_table;
extern const scene_table scene_plane_table, scene_heights_table, scene_mesh_table, scene_where_table;
extern const scene_table scene_length_table, scene_curl_table, scene_tilt_table, scene_lay_table, scene_comb_table;
extern const scene_table scene_clumps_table, scene_wisps_table, scene_vary_table, scene_children_table;
extern const scene_table scene_hairline_table, scene_parting_table, scene_drape_table;

// Of strands that meet each other.
extern const scene_table scene_touch_table, scene_volume_table, scene_friction_table;

// Of laws.
extern const scene_table scene_law_table, scene_law_friction_table, scene_route_table, scene_fit_table;

// Of colliders.
extern const scene_table scene_collider_table, scene_ball_table, scene_capsule_table, scene_wall_table;
extern const scene_table scene_box_table, scene_oval_table, scene_cylinder_table, scene_solid_table;

// Of bodies.
extern const scene_table scene_body_table, scene_pose_table, scene_axle_table, scene_weld_table;

// Of cables.
extern const scene_table scene_cable_table, scene_cable_end_table, scene_cable_step_table, scene_joint_stiffness_table;
extern const scene_table scene_winch_table, scene_reeving_table, scene_reeve_table, scene_adaptive_table;

#endif
