// rod: one strand as the reference sees it. A view into model and state, plus scratch that the stages fill in order:
// frames -> curvature -> twist -> bend_twist. Symbols are those of the paper (Discrete Elastic Rods):
// vertices x_i, edges e^j = x_{j+1} - x_j, tangents t^j, Bishop vectors u^j, angles theta^j, curvature binormals kb_i,
// lb_i = |e^{i-1}| + |e^i| at rest, material curvatures w_i^j, twists m_i.
#ifndef SHEAF_REF_ROD_H
#define SHEAF_REF_ROD_H

#include "couple/rigid.h"
#include "der/ref/state.h"

// A vertex and the collider that is nearest to it.
typedef struct ref_contact {
    double gap;       // m, distance of the surface; negative inside; infinite: there is no collider
    double normal[3]; // out of the collider
    double drift[3];  // m, how far the collider's material at the vertex moved in this step
    double friction;
    double press;     // N, with which the spring pressed in the last solve, or the collider in the step before
    double stiffness; // N/m, with which the solve holds the vertex along the normal; 0: it does not
    double level;     // m, where along the normal the spring would press with nothing
    double grip;      // N/m, friction per length of the slide
    double slide[3];  // direction in which the vertex slid at the last iteration; 0: it stuck
    bool is_marked;   // pressed or pushed out in this step: lengths are restored along the surface
} ref_contact;

typedef struct ref_rod {
    uint32_t vertex_count;
    uint32_t edge_count; // vertex_count - 1, or vertex_count when closed
    bool closed;
    double closing_twist; // rad
    const sheaf_model *model;
    const model_strand *strand;
    const model_joint *joints; // [joint_count] with bodies, by edge
    uint32_t joint_count;
    const rigid_state *bodies; // [body of the model] where joints are; NULL: where they are at the start
    double origin[3];     // m, place in the scene that x is measured from; 0 unless a strand is looked at by itself
    state_strand *record; // counts and residuals of the last step

    // model
    const double *rest_length;               // [edge]
    const double *mass;                      // [vertex]
    const double (*bend)[2];                 // [edge] B^j; where curvature is, rod_bend
    uint64_t first_vertex;                   // of the rod in the model's arrays
    const double *twist;                     // [vertex] beta_i
    const double (*natural_curvature)[2][2]; // [vertex] wbar_i^{i-1}, wbar_i^i
    const double *natural_twist;             // [vertex] mbar_i

    // state
    double (*x)[3], (*v)[3];                        // [vertex]
    double (*displacement)[3], (*last_velocity)[3]; // [vertex]
    double (*last_strain)[5];                       // [vertex]
    double (*friction)[5], (*from)[5];              // [vertex]
    double *tension;                                // [edge]
    double *touch;                                  // [vertex]
    double (*tangent)[3];                           // [edge] t^j
    double (*bishop)[3];                            // [edge] u^j
    double (*held)[3];                              // [edge]
    double *held_angle;                             // [edge]
    double *closing_angle;                          // one number
    double *theta;                                  // [edge]

    // what acts between strands, worked out before the step; NULL: nothing
    const double (*push)[3]; // [vertex] N
    const double *air_share; // [vertex] share of the wind that comes to it

    // scratch, owned by the rod
    bool *angle_is_held;       // [edge]
    bool *tangent_is_held;     // [edge] set by the ends, together with the edge's held director
    double *imposed;           // [edge] rad, twist course of held frames at the current time; 0 until set
    double *axial_couple;      // [edge] N m, couple about the tangent that loads the frame (0 but at loaded ends)
    double *length;            // [edge] |e^j|
    double (*kb)[3];           // [interior vertex] curvature binormal
    double (*m1)[3], (*m2)[3]; // [edge] material directors
    double (*w)[2][2];         // [interior vertex][edge before, edge after] material curvature
    double *m;                 // [interior vertex] twist m_i - without mbar
    double *angle_gradient;    // [edge] dE/dtheta^j, all frames, couples not included
    double (*force)[3];        // [vertex] N
    double (*air)[3];          // [vertex] m/s, velocity of the air; the mean wind until ref_wind has measured it
    ref_contact *contacts;     // [vertex]
    double *multiplier;        // [edge] kg, of the last projection; 2 |e^j| of it pulls both ends
    double *work;              // [ROD_WORK][edge], of single stages
    double (*start)[3];        // [vertex] m, positions at the start of the step, and the frames there:
    double (*start_tangent)[3], (*start_bishop)[3], (*start_held)[3]; // [edge]
    double *start_held_angle, *start_theta;                           // [edge]
    double start_closing_angle;
    void *memory;      // what the scratch was cut from
    uint32_t capacity; // vertices the scratch has room for
} ref_rod;

enum { ROD_WORK = 8 };

// Edge before and after interior vertex i.
static inline uint32_t rod_edge_before(const ref_rod *rod, uint32_t i)
{
    return i > 0 ? i - 1 : rod->edge_count - 1;
}

static inline uint32_t rod_next_vertex(const ref_rod *rod, uint32_t i)
{
    return i + 1 < rod->vertex_count ? i + 1 : 0;
}

static inline uint32_t rod_previous_vertex(const ref_rod *rod, uint32_t i)
{
    return i > 0 ? i - 1 : rod->vertex_count - 1;
}

// Interior vertices are first .. end - 1.
static inline uint32_t rod_interior_first(const ref_rod *rod)
{
    return rod->closed ? 0 : 1;
}

static inline uint32_t rod_interior_end(const ref_rod *rod)
{
    return rod->closed ? rod->vertex_count : rod->vertex_count - 1;
}

// lb_i, the length of edge before plus edge after at rest.
static inline double rod_voronoi(const ref_rod *rod, uint32_t i)
{
    return rod->rest_length[rod_edge_before(rod, i)] + rod->rest_length[i];
}

// B of edge j at vertex i, one of its own: the edge's, or the vertex's where that has one for both its edges.
static inline const double *rod_bend(const ref_rod *rod, uint32_t i, uint32_t j)
{
    return model_bend_at(rod->model, rod->first_vertex + i, rod->first_vertex + j);
}

// Place of vertex or edge i in a band matrix. A ring is folded flat (0, n-1, 1, n-2, ..): neighbours stay within two
// places of each other.
static inline uint32_t rod_band_place(const ref_rod *rod, uint32_t i)
{
    if (!rod->closed)
        return i;
    return 2 * i < rod->vertex_count ? 2 * i : 2 * (rod->vertex_count - 1 - i) + 1;
}

// Makes a view of strand `index`; allocates scratch. One rod may be re-aimed at another strand of the same state by
// rod_aim: the scratch grows when it is too small, and what the stages had left in it is gone, but lengths match x.
// A rod whose opening or aiming failed may be closed, not used.
sheaf_status rod_open(sheaf_state *state, uint32_t index, ref_rod *rod);
sheaf_status rod_aim(sheaf_state *state, uint32_t index, ref_rod *rod);
void rod_close(ref_rod *rod);

#endif
