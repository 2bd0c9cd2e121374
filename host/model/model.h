// model: a scene compiled to strands and arrays. Const once made; shared by any number of solvers; knows no time step.
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
    bool touches; // sag-free: starts on or in a collider
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

// As sheaf_model_create, with another limit than MODEL_ARRAYS_MOST.
sheaf_status model_compile(const sheaf_scene *scene, uint64_t arrays_most, sheaf_model **model);

static inline bool model_has_arrays(const sheaf_model *model)
{
    return model->position != NULL;
}

// Whether strands have sections, or a stiffness of their own at every vertex.
bool model_has_sections(const sheaf_model *model);

// Bending stiffness [2], N m^2, that an edge has at one of its vertices, both by their place in the arrays.
static inline const double *model_bend_at(const sheaf_model *model, uint64_t vertex, uint64_t edge)
{
    const bool has_own = model->vertex_bend != NULL && model->vertex_bend[vertex][0] > 0;
    return has_own ? model->vertex_bend[vertex] : model->bend[edge];
}

// The strands with these numbers (NULL: 0 .. count - 1) as a model of their own, in this order and with all arrays.
// Groups and skins keep the numbers of the whole. Freed by sheaf_model_free before the model.
sheaf_status model_part(const sheaf_model *model, const uint32_t *strands, uint32_t count, sheaf_model **part);

// Calls fn for parts with all arrays that together are the model, in order; strand 0 of a part is strand `first`.
typedef sheaf_status model_part_fn(const sheaf_model *part, uint32_t first, void *user);
sheaf_status model_for_each_part(const sheaf_model *model, model_part_fn *fn, void *user);

static inline uint32_t model_vertex_count(const sheaf_model *model, uint32_t strand)
{
    return (uint32_t)(model->first_vertex[strand + 1] - model->first_vertex[strand]);
}

// Where a rigid motion takes a point, and how it turns a vector, at time t. `out` may be the argument.
void model_motion_point(const sheaf_motion_def *motion, double t, const double point[3], double out[3]);
void model_motion_turn(const sheaf_motion_def *motion, double t, const double vector[3], double out[3]);

// Binds the roots of all strands that follow a deforming mesh. Returns SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_MEMORY.
sheaf_status model_bind_roots(sheaf_model *model);
bool model_has_skins(const sheaf_model *model);

// The quaternion (w, x, y, z) of the rotation that takes axes `from` to axes `to`, both right-handed unit vectors.
void model_turn_between(const double from[3][3], const double to[3][3], double q[4]);

// A rigid motion that is right at two times.
typedef struct model_path {
    sheaf_motion_def motion;
    double poses[4][SCENE_POSE_SIZE];
} model_path;

// The motion that an end of a strand follows, as it is at t0 and t1: the scene's, or that of the place on a deforming
// mesh that the root is bound to, which `path` receives. NULL: none.
const sheaf_motion_def *model_end_motion(const sheaf_model *model, const model_strand *strand, const sheaf_end_def *end,
                                         double t0, double t1, model_path *path);

// What jumps do to all that goes along: x becomes turn x + shift.
typedef struct model_jump {
    bool turns; // false: turn is 1
    double turn[3][3];
    double shift[3]; // m
} model_jump;

// All jumps of a motion after t0 and until t1, one after the other; false: there are none, and nothing moves.
bool model_motion_jump(const sheaf_motion_def *motion, double t0, double t1, model_jump *jump);

// The motion that a strand jumps with: the one its root follows, else that of its tip; -1: none. Its jumps.
int32_t model_strand_motion(const model_strand *strand);
bool model_strand_jump(const sheaf_model *model, uint32_t strand, double t0, double t1, model_jump *jump);

// Whether any motion jumps.
bool model_has_jumps(const sheaf_model *model);

// Where a jump takes a point and a vector, and back. `out` may be the argument.
void model_jump_point(const model_jump *jump, const double point[3], double out[3]);
void model_jump_vector(const model_jump *jump, const double vector[3], double out[3]);
model_jump model_jump_inverse(const model_jump *jump);

// Angular velocity of a motion at time t, rad/s.
void model_motion_spin(const sheaf_motion_def *motion, double t, double out[3]);

// Displacement of its anchor, m, and the velocity of that, m/s.
void model_motion_shift(const sheaf_motion_def *motion, double t, double out[3]);
void model_motion_drift(const sheaf_motion_def *motion, double t, double out[3]);

// Waves of the gusts of a scene, drawn by its seed; returns how many there are.
uint32_t model_make_gusts(const sheaf_scene_def *def, model_gust gusts[MODEL_GUSTS]);

// Phase of a wave at a point, in turns between -1/2 and 1/2.
double model_gust_phase(const sheaf_model *model, const model_gust *gust, const double point[3], double time);

// Whether a strand with these edges feels the gusts at every second vertex, and what lies between at the others: where
// two edges are shorter than a tenth of the shortest wave, straight lines miss no more than 5 % of that wave.
bool model_air_is_sparse(const sheaf_model *model, const double *rest_length, uint32_t edge_count);

// Whether air acts otherwise than evenly and alike in all directions.
bool model_has_gusts_or_slip(const sheaf_model *model);

// How strands of a scene touch each other.
sheaf_status model_make_touch(const sheaf_scene *scene, model_touch *touch);

// Coulomb's coefficient between two strands, which may be the same one; negative: they do not touch.
double model_touch_friction(const sheaf_model *model, uint32_t a, uint32_t b);

// Radius at which an edge, by its place in the arrays over edges, touches those of other strands, m.
double model_touch_radius(const sheaf_model *model, uint32_t strand, uint64_t edge);

// The colliders of a scene.
sheaf_status model_make_colliders(const sheaf_scene *scene, sheaf_model *model);

void model_free_colliders(sheaf_model *model);

// Side, across and axis of a shape, unit vectors.
void model_collider_axes(const sheaf_collider_def *def, double axes[3][3]);

// The bodies of a scene and the joints of its strands; the arrays over vertices must be there.
sheaf_status model_make_bodies(const sheaf_scene *scene, sheaf_model *model);

void model_free_bodies(sheaf_model *model);

// A vector in a body's own axes (rows) as seen in space, and back. `out` may be the argument.
void model_body_to_space(const double axes[3][3], const double own[3], double out[3]);
void model_body_to_own(const double axes[3][3], const double vector[3], double out[3]);

// Whether any place of a strand is fixed to a body; its joints, by edge.
bool model_strand_is_joined(const sheaf_model *model, uint32_t strand);
const model_joint *model_strand_joints(const sheaf_model *model, uint32_t strand, uint32_t *count);

// Whether what is done to a strand in a step is known as work, so that its energy can be accounted for: its ends are
// free, or stay, or its root is clamped to a motion while nothing holds the rest. Not where courses drive an end,
// couples load it, a law answers its strains, or a body carries it.
bool model_has_ledger(const sheaf_model *model, uint32_t strand);

// Where a collider is at a time, and where its axes point.
void model_collider_pose(const sheaf_model *model, const model_collider *collider, double time, double center[3],
                         double axes[3][3]);

// Where it was at t0, as seen from t1: jumps in between move nothing.
void model_collider_before(const sheaf_model *model, const model_collider *collider, double t0, double t1,
                           double center[3], double axes[3][3]);

// Signed distance of a point in a collider's own axes, m, and the direction out of it.
double model_collider_gap(const model_collider *collider, const double point[3], double normal[3]);

// Newton iterations that an implicit step of the strand takes at least: 1 where it is naturally straight and nothing
// twists it, else 2. The matrix leaves out how twist couples bending in one direction to bending in the other, so that
// one iteration takes this coupling from the guess; a twisted strand would then shiver.
uint32_t model_newton_least(const sheaf_model *model, uint32_t strand);

// A number that tells models apart whose strands move differently: made of strands, motions and settings, but not of
// how long the simulation lasts or what is kept of it. Of a model without arrays a sample of its strands is taken.
sheaf_status model_identity(const sheaf_model *model, uint64_t *identity);

// Bytes of the model.
uint64_t model_bytes(const sheaf_model *model);

// Bytes a solver on the reference needs for this model, besides the model itself.
uint64_t model_state_bytes(const sheaf_model *model);

#endif
