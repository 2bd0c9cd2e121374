// model: a scene compiled to strands and arrays: what there is, as data. strand/ makes it, world/ says where things are
// in time. Const once made; shared by any number of solvers; knows no time step.
//
// Arrays over vertices and arrays over edges share one index: entry first_vertex[s] + i is vertex i of strand s, and
// also the edge from vertex i to i + 1. An open strand's last edge entry is unused; a closed strand's last edge joins
// the last vertex to the first. "Interior" vertices are those with an edge on both sides: 1 .. n-2 when open, all when
// closed.
#ifndef SHEAF_MODEL_MODEL_H
#define SHEAF_MODEL_MODEL_H

#include "scene/scene.h"

// Where a root is bound to a deforming mesh.
typedef struct model_skin {
    const mesh_sequence *sequence;
    mesh_binding binding;
} model_skin;

// What is known of a strand without its arrays. Ends and holds belong to its group.
typedef struct model_strand {
    const sheaf_end_def *root, *tip;
    const sheaf_hold_def *holds; // frame angles held at inner edges, by increasing edge
    uint32_t hold_count;
    uint32_t number;         // of the strand in the scene, also in a part of it
    uint32_t group;          // index of the model's group it is made from
    uint32_t method;         // index of the method that moves it (sheaf_method_name)
    uint32_t material;       // index of the scene's material, for reports
    bool closed;             //
    bool coupled;            // others may act on it within a step: it is solved together with them
    bool curled;             // has natural curvature
    bool isotropic_straight; // one bending stiffness, no natural curvature or twist: twist has a closed form
    double drag;             // Pa s, at the root; tapering takes it along with the mass
    double line_mass;        // kg/m, at the root
    double slip;             // share of the drag that motion along the strand is spared
    double damping;          // s
    double closing_twist;    // rad
    double closing_angle;    // rad, closed strands: from the transported last Bishop frame to the first, initial pose
    double origin[3];        // m, first vertex of the initial pose
    double mass;             // kg
    double stiffness;        // 1/s^2, largest B / (l^3 m) of an edge
    const model_skin *skin;  // its root's; NULL: none
    const law *law;          // of its material; NULL: linear
    double overhang;         // share of the first edge that lies before the root: 0, 1/2 or 1

    // sag-free: factors on the material's stiffness, the one it has and the one that would hold it; 0: not balanced
    double stiffening, stiffening_wished;
    bool overborne; // sag-free: its weight is more than its law bears
    bool touches;   // sag-free: starts on or in a collider

    bool is_loop; // closed, but laid out open, its last two vertices being its first two (unroll.h)
} model_strand;

// One wave of the gusts: a velocity that swings across the wave's direction, so that the air keeps its volume.
typedef struct model_gust {
    double wave[3];  // 1/m, turns per metre
    double swing[3]; // m/s, normal to the wave
    double rate;     // 1/s, turns per second as seen from air that moves with the wind
    double phase;    // turns
} model_gust;

enum { MODEL_GUSTS = 8 }; // waves of a field

// Something solid, as at the start of time.
typedef struct model_collider {
    sheaf_collider_kind kind;
    double half[3];    // m, the definition's sizes
    double center[3];  // m
    double axes[3][3]; // unit vectors: side, across, axis
    double friction;
    double reach;    // m, all of it lies so near to the centre; infinite: a plane
    int32_t motion;  // or -1
    mesh_grid *grid; // of a box: distances of the mesh in it, along its axes from its centre; NULL: it is solid
} model_collider;

// A rigid body as at the start of time. Axes are rows of unit vectors in space.
typedef struct model_body {
    sheaf_body_def def;                // name and courses owned
    bool is_free;                      // neither fixed nor driven by a motion
    double start[3], start_axes[3][3]; // m; the user's axes, in which poses are told
    double own_mass;                   // kg, without welded vertices
    double mass;                       // kg, with what welded vertices weigh
    double center[3], axes[3][3];      // m; centre of mass and principal axes, likewise
    double inertia[3];                 // kg m^2, principal, likewise
    double half[3];                    // m, sizes of the shape as colliders have them; of a box where it has none
    double shape_center[3], shape_axes[3][3]; // m; where it is drawn
} model_body;

// A place of a strand that is fixed to a body.
typedef struct model_joint {
    sheaf_joint_kind kind;
    uint32_t body;
    uint32_t strand;       // number in the scene
    uint32_t edge;         // of a ball joint: the end's edge
    uint32_t vertex;       // first vertex that goes with the body
    uint32_t vertex_count; // 2; of a ball joint 1
    double arm[2][3];      // m, of these vertices from the centre of mass, in principal axes
    double director[3];    // director 1 of the edge, likewise
    double mass[2];        // kg, of these vertices
} model_joint;

// How strands touch each other.
typedef struct model_touch {
    double *friction; // [material][material] between strands of two materials; negative: they pass; NULL: all do
    double *radius;   // [material] m, at which its strands touch; 0: that of the section
    bool self;        // strands touch themselves, too
    double tolerance; // share of the distance of two strands that touch
    uint32_t sweeps;  // most of them
    double separate;  // m/s, at which strands part that overlap
} model_touch;

struct sheaf_model {
    sheaf_scene_def def; // settings of the scene (title owned)
    model_touch touch;
    scene_volume volume;
    sheaf_cable_step cable_step;
    sheaf_reeving_def *reevings; // [reeving_count]
    uint32_t reeving_count;
    sheaf_motion_def *motions; // [motion_count]
    mesh_sequence **sequences; // [motion_count] the deforming mesh that a motion is; NULL: it is rigid
    model_skin *skins;         // [strand_count] of strands whose roots follow such; NULL: there are none
    uint32_t motion_count;
    model_gust gusts[MODEL_GUSTS];
    uint32_t gust_count;       // 0: the air is even
    model_collider *colliders; // [collider_count]
    uint32_t collider_count;
    model_body *bodies; // [body_count]
    uint32_t body_count;
    model_joint *joints; // [joint_count] by strand, then by edge
    uint32_t joint_count;
    uint32_t strand_count;
    uint64_t vertex_count;
    uint64_t *first_vertex; // [strand_count + 1]
    model_strand *strands;  // [strand_count]

    // what strands are made from; owns the courses their ends and holds refer to
    scene_group *groups; // [group_count]
    uint32_t group_count;
    uint32_t *group_first; // [group_count] first strand
    sheaf_material_def *materials;
    law **laws; // [material_count] NULL: linear
    uint32_t material_count;
    const sheaf_model *parent; // of a part: whose strands these are; owns all but the arrays below and `strands`

    // Arrays over vertices and edges. NULL in models with very many vertices: model_part makes those of some strands.
    // initial pose
    double (*position)[3]; // [vertex] m
    double (*director)[3]; // [edge] unit vector, material director 1

    // rest quantities
    double *rest_length;      // [edge] m
    double *mass;             // [vertex] kg; an end vertex carries half an edge
    double (*bend)[2];        // [edge] N m^2, B = diag(EI against bending towards director 1, director 2)
    double *twist;            // [interior vertex] N m^2, beta = GJ
    double (*vertex_bend)[2]; // [interior vertex] N m^2, in place of `bend` of both its edges; 0: those hold. NULL
                              // unless strands have sections or a stiffness at every vertex
    double (
        *natural_curvature)[2][2]; // [interior vertex][edge before, edge after][2] rad, integrated (wbar of the paper)
    double *natural_twist;         // [interior vertex] rad, integrated (mbar)
    double *radius;                // [edge] m, mean radius of the section, for drawing; 0: not known
};

// Models with more vertices keep no arrays over them.
enum { MODEL_ARRAYS_MOST = 4 << 20 };

static inline bool model_has_arrays(const sheaf_model *model)
{
    return model->position != NULL;
}

// Bending stiffness [2], N m^2, that an edge has at one of its vertices, both by their place in the arrays.
static inline const double *model_bend_at(const sheaf_model *model, uint64_t vertex, uint64_t edge)
{
    const bool has_own = model->vertex_bend != NULL && model->vertex_bend[vertex][0] > 0;
    return has_own ? model->vertex_bend[vertex] : model->bend[edge];
}

static inline uint32_t model_vertex_count(const sheaf_model *model, uint32_t strand)
{
    return (uint32_t)(model->first_vertex[strand + 1] - model->first_vertex[strand]);
}

#endif
