// world: what is around strands, as functions of a model: motions and jumps, time functions, air, colliders, bodies.
#ifndef SHEAF_WORLD_WORLD_H
#define SHEAF_WORLD_WORLD_H

#include "model/model.h"

// ---- time functions

// Value of a course at time t, and its rate of change.
double scene_course(const sheaf_course *course, double t);
double scene_course_rate(const sheaf_course *course, double t);

// ---- motions

// Where a rigid motion takes a point, and how it turns a vector, at time t. `out` may be the argument.
void model_motion_point(const sheaf_motion_def *motion, double t, const double point[3], double out[3]);
void model_motion_turn(const sheaf_motion_def *motion, double t, const double vector[3], double out[3]);

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

// ---- air

// Waves of the gusts of a scene, drawn by its seed; returns how many there are.
uint32_t model_make_gusts(const sheaf_scene_def *def, model_gust gusts[MODEL_GUSTS]);

// Phase of a wave at a point, in turns between -1/2 and 1/2.
double model_gust_phase(const sheaf_model *model, const model_gust *gust, const double point[3], double time);

// Velocity of the air at a point, m/s.
void model_air(const sheaf_model *model, const double point[3], double time, double air[3]);

// Whether a strand with these edges feels the gusts at every second vertex, and what lies between at the others: where
// two edges are shorter than a tenth of the shortest wave, straight lines miss no more than 5 % of that wave.
bool model_air_is_sparse(const sheaf_model *model, const double *rest_length, uint32_t edge_count);

// Whether air acts otherwise than evenly and alike in all directions.
bool model_has_gusts_or_slip(const sheaf_model *model);

// ---- colliders

// The colliders of a scene.
sheaf_status model_make_colliders(const sheaf_scene *scene, sheaf_model *model);

void model_free_colliders(sheaf_model *model);

// Side, across and axis of a shape, unit vectors.
void model_collider_axes(const sheaf_collider_def *def, double axes[3][3]);

// Where a collider is at a time, and where its axes point.
void model_collider_pose(const sheaf_model *model, const model_collider *collider, double time, double center[3],
                         double axes[3][3]);

// Where it was at t0, as seen from t1: jumps in between move nothing.
void model_collider_before(const sheaf_model *model, const model_collider *collider, double t0, double t1,
                           double center[3], double axes[3][3]);

// Signed distance of a point in a collider's own axes, m, and the direction out of it.
double model_collider_gap(const model_collider *collider, const double point[3], double normal[3]);

// ---- bodies

// The bodies of a scene and the joints of its strands; the arrays over vertices must be there.
sheaf_status model_make_bodies(const sheaf_scene *scene, sheaf_model *model);

void model_free_bodies(sheaf_model *model);

// A vector in a body's own axes (rows) as seen in space, and back. `out` may be the argument.
void model_body_to_space(const double axes[3][3], const double own[3], double out[3]);
void model_body_to_own(const double axes[3][3], const double vector[3], double out[3]);

// Whether any place of a strand is fixed to a body; its joints, by edge.
bool model_strand_is_joined(const sheaf_model *model, uint32_t strand);
const model_joint *model_strand_joints(const sheaf_model *model, uint32_t strand, uint32_t *count);

#endif
