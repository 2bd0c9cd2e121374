// model: a scene compiled to arrays. Const once made; shared by any number of solvers; knows no time step.
//
// Arrays over vertices and arrays over edges share one index: entry first_vertex[s] + i is vertex i of strand s, and
// also the edge from vertex i to i + 1. An open strand's last edge entry is unused; a closed strand's last edge joins
// the last vertex to the first. "Interior" vertices are those with an edge on both sides: 1 .. n-2 when open, all when
// closed.
#ifndef SHEAF_MODEL_MODEL_H
#define SHEAF_MODEL_MODEL_H

#include "scene/scene.h"

// A condition or load at one end, resolved: indices into nothing but the model's own motions.
typedef struct model_end {
    sheaf_end_def def; // courses owned by the model
} model_end;

typedef struct model_strand {
    bool closed;
    double closing_twist; // rad
    double
        closing_angle; // rad, closed strands: angle from the transported last Bishop frame to the first, initial pose
    uint32_t material; // index of the scene's material, for reports
    double drag;       // Pa s
    double damping;    // s
    model_end root, tip;
    const sheaf_hold_def *holds; // frame angles held at inner edges, by increasing edge
    uint32_t hold_count;
    bool isotropic_straight; // one bending stiffness, no natural curvature or twist: twist has a closed form
} model_strand;

// What the strands of one group of the scene share; owns the courses their ends and holds refer to.
typedef struct model_group {
    sheaf_end_def root, tip;
    const sheaf_hold_def *holds;
    uint32_t hold_count;
} model_group;

struct sheaf_model {
    sheaf_scene_def def;       // settings of the scene (title owned)
    sheaf_motion_def *motions; // [motion_count]
    uint32_t motion_count;
    uint32_t strand_count;
    uint64_t vertex_count;
    uint64_t *first_vertex; // [strand_count + 1]
    model_strand *strands;  // [strand_count]
    model_group *groups;    // [group_count]
    uint32_t group_count;

    // initial pose
    double (*position)[3]; // [vertex] m
    double (*director)[3]; // [edge] unit vector, material director 1

    // rest quantities
    double *rest_length; // [edge] m
    double *mass;        // [vertex] kg; an end vertex carries half an edge
    double (*bend)[2];   // [edge] N m^2, B = diag(EI against bending towards director 1, director 2)
    double *twist;       // [interior vertex] N m^2, beta = GJ
    double (
        *natural_curvature)[2][2]; // [interior vertex][edge before, edge after][2] rad, integrated (wbar of the paper)
    double *natural_twist;         // [interior vertex] rad, integrated (mbar)
    double *radius;                // [edge] m, mean radius of the section, for drawing; 0: not known
};

static inline uint32_t model_vertex_count(const sheaf_model *model, uint32_t strand)
{
    return (uint32_t)(model->first_vertex[strand + 1] - model->first_vertex[strand]);
}

// Where a rigid motion takes a point, and how it turns a vector, at time t. `out` may be the argument.
void model_motion_point(const sheaf_motion_def *motion, double t, const double point[3], double out[3]);
void model_motion_turn(const sheaf_motion_def *motion, double t, const double vector[3], double out[3]);

// Newton iterations that an implicit step of the strand takes at least: 1 where it is naturally straight and nothing
// twists it, else 2. The matrix leaves out how twist couples bending in one direction to bending in the other, so that
// one iteration takes this coupling from the guess; a twisted strand would then shiver.
uint32_t model_newton_least(const sheaf_model *model, uint32_t strand);

// Bytes a solver on the reference needs for this model, besides the model itself.
uint64_t model_state_bytes(const sheaf_model *model);

#endif
