// ref: the fp64 reference, one function per verb of the paper's Algorithm 1, one file per stage. Plain and slow on
// purpose, written from the paper; what it says is what the fast backend is measured against.
#ifndef SHEAF_REF_REF_H
#define SHEAF_REF_REF_H

#include "der/ref/rod.h"
#include "world/world.h"

// ---- frames.c: tangents, Bishop frames by parallel transport, held frames (4.2.2, 6.1)

// Recomputes t^j and |e^j| from x; carries u^0 and the held directors of edges whose tangent is not prescribed from
// their old tangent to the new one by parallel transport in time; transports u^0 along the rod; measures the continuous
// angles of held frames against u^j, and sets theta of held frames to that angle plus rod->imposed. Free frames are
// carried by parallel transport in time too: theta^j loses what the Bishop frame gains, Psi^j.
void ref_frames(ref_rod *rod);

// After ref_frames within a step that began with ref_keep_start: held frames of edges whose direction is free are
// carried from the start of the step to the present pose at once. Carried from iterate to iterate they would also turn
// by the area that the tangents go around, and a step's result would hang on the way that Newton's method took.
void ref_shorten_frames(ref_rod *rod);

// ---- curvature.c: curvature binormals, material frames, material curvatures and twists (1), (2)

// From t^j, u^j, theta^j: kb_i, m1^j, m2^j, w_i^j, m_i.
void ref_curvature(ref_rod *rod);

// Gradient of kb_i with respect to x_{i-1}, x_i, x_{i+1}, full form (edges need not be inextensible):
// gradient[k][r][c] = d kb_i[r] / d x_{i-1+k}[c]. With `inextensible` the paper's form, exact for length-preserving
// motions.
void ref_curvature_gradient(const ref_rod *rod, uint32_t i, bool inextensible, double gradient[3][3][3]);

// Gradient of the holonomy psi_i with respect to x_{i-1}, x_i, x_{i+1} (9).
void ref_holonomy_gradient(const ref_rod *rod, uint32_t i, double gradient[3][3]);

// ---- energy.c: energies (3) and of twist, J; frames and curvature must be up to date
double ref_bending_energy(const ref_rod *rod);
double ref_twisting_energy(const ref_rod *rod);
double ref_kinetic_energy(const ref_rod *rod);
double ref_gravitational_energy(const ref_rod *rod, const double gravity[3]);

// ---- twist.c: quasi-static material frame (5.1)

// Twisting moment 2 beta_i (m_i - mbar_i) / lb_i at interior vertex i, N m.
double ref_twist_moment(const ref_rod *rod, uint32_t i);

// The bending energy's share of dE/dtheta^j, J. Needs ref_curvature.
double ref_bending_angle_gradient(const ref_rod *rod, uint32_t j);

// Gradient (7) into rod->angle_gradient, and the Hessian's bands: diagonal[j], above[j] = H_{j,j+1} (closed: above[n-1]
// couples the last edge and the first). Needs ref_curvature.
void ref_twist_gradient(ref_rod *rod);
void ref_twist_hessian(const ref_rod *rod, double *diagonal, double *above);

typedef enum ref_twist_method {
    REF_TWIST_AUTO,        // closed form where it holds, else Newton
    REF_TWIST_CLOSED_FORM, // isotropic, naturally straight rods (5)
    REF_TWIST_NEWTON,
} ref_twist_method;

// How Newton's method goes on from the frames as they are.
typedef enum ref_twist_way {
    REF_TWIST_FIXED,  // all `iterations` are done, with a Hessian kept positive and |dtheta| <= 1
    REF_TWIST_FOLLOW, // downhill to the bottom of the valley they are in, where an end by `tolerance` is: with the
                      // exact Hessian, else one kept positive, |dtheta| <= 1, halved where the energy rises
    REF_TWIST_SEARCH, // to a low equilibrium, by a line search (Armijo) and a diagonal shift where the Hessian is not
                      // positive definite; after ref_settle when the start is cold, whose sweeps are not counted
} ref_twist_way;

typedef struct ref_twist_options {
    ref_twist_method method;
    uint32_t iterations; // most of them
    double tolerance;    // of max |dE/dtheta - couple| over free frames, in units of the rod's largest 2 beta / lb;
                         // rounding of large angles sets a floor
    ref_twist_way way;
} ref_twist_options;

// Of a strand that starts, and of one that moves.
ref_twist_options ref_twist_converged(void);
ref_twist_options ref_twist_following(void);

// Turns free frames until dE/dtheta^j = axial couple; leaves curvature and angle_gradient up to date and the counts in
// rod->record. A rod with no held frame and no other fixing keeps theta^0 as gauge.
// Returns SHEAF_OK also when the iterations ran out: rod->record says what was reached. SHEAF_ERR_USAGE: the closed
// form was asked for a rod that has none.
sheaf_status ref_twist(ref_rod *rod, const ref_twist_options *options);

// ---- settle.c: what goes before a twist solve that starts cold

// Turns runs of free frames, each to its least energy within half a circle while the others stay, in a fixed number of
// sweeps, O(n log n). The energy never rises. Needs ref_curvature and leaves it up to date.
void ref_settle(ref_rod *rod);

// ---- bend_twist.c: elastic forces (7.1)

// Adds -dE/dx to rod->force by the suffix sum of (10), (11): exact for any theta when the frames move by parallel
// transport in time, so for held, loaded and free frames alike. Needs ref_curvature and ref_twist_gradient.
void ref_bend_twist_forces(ref_rod *rod);

// Gauss-Newton rows at interior vertex i: row[a][k][c] = d s_a / d x_{i-1+k}[c] and stiffness[a] so that
// E = sum 1/2 stiffness (s_a - natural)^2: a = 0..3 the curvatures w_i^{i-1}, w_i^i, a = 4 the twist m_i. Frames follow
// by parallel transport in time. `residual[a]` = s_a - natural.
void ref_elastic_rows(const ref_rod *rod, uint32_t i, double row[5][3][3], double stiffness[5], double residual[5]);

// ---- wind.c: air in motion

// Velocity of the air at the vertices' present places, into rod->air.
void ref_wind(ref_rod *rod, double time);

// Drag tensor of vertex i, N s/m: c l (1 - slip t t^T), t the mean direction of its edges (of the edge, where that is
// held). Needs ref_frames.
void ref_drag_tensor(const ref_rod *rod, uint32_t i, double out[3][3]);

// ---- external.c: loads

// Adds gravity, drag in the air of rod->air, end forces and the bending part of end couples to rod->force; sets
// rod->axial_couple. Needs ref_frames.
void ref_external_forces(ref_rod *rod, double time);

// Adds gravity and drag alone, the loads that act along the whole strand.
void ref_body_forces(ref_rod *rod);

// Sets rod->axial_couple alone, what a twist solve at `time` needs.
void ref_axial_couples(ref_rod *rod, double time);

// Drag across the piece of strand that vertex i stands for, N s/m.
double ref_drag(const ref_rod *rod, uint32_t i);

// Adds internal damping -g sum_a k_a p_a ds_a/dt (p_a the elastic rows) to rod->force, where free frames turn at the
// rates that dissipate least. Needs ref_curvature.
void ref_internal_damping(ref_rod *rod, double time);

// ---- ends.c: what is held, and the directions in which the rest may move

// A scalar degree of freedom: vertices first to second, both included, move as one. More than one vertex where an end
// edge of held direction, without a held place, joins them.
typedef struct ref_freedom {
    uint32_t first;
    uint32_t second;     // == first: one vertex only
    double direction[3]; // unit vector
} ref_freedom;

// The rod's freedoms by increasing vertex; returns how many there are (at most 3 per vertex).
uint32_t ref_freedoms(const ref_rod *rod, double time, ref_freedom *freedoms);

// Inverse mass tensor of every vertex: w I free, 0 held, w a a^T on a slide, the pair's mass where a held tangent joins
// two vertices. edge_is_rigid[j]: both ends of edge j move as one or not at all (its length constraint is void).
void ref_inverse_mass(const ref_rod *rod, double time, double (*inverse)[3][3], bool *edge_is_rigid);

// Moves held vertices, held edges and held directors to where their courses have them at `time`; sets rod->imposed and
// the velocities of held vertices. Vertices that slide keep their place along the rail; an edge of held direction but
// free place turns about its mass centre; free vertices are not touched.
void ref_ends(ref_rod *rod, double time);

// Takes the strand along with jumps of its motion that the next step begins with: its shape, and its velocities as seen
// from the motion, stay as they are. Reads and writes the whole state but what does not depend on place and direction.
void ref_jump(ref_rod *rod, const model_jump *jump);

// Rate at which the course of the held frame of edge j turns it against the frame carried by parallel transport in
// time, rad/s. Needs ref_frames.
double ref_held_rate(const ref_rod *rod, uint32_t j, double time);

// ---- integrate.c: symplectic Euler (7.2)
sheaf_status ref_integrate(ref_rod *rod, double time, double step);

// ---- project.c: fast manifold projection (8.1)
typedef struct ref_project_options {
    sheaf_projector projector;
    double relaxation;    // of the relaxing projectors; 0: the projector's own
    bool start_gradients; // gradients at rod->start (SHAKE) instead of at the iterate
    uint32_t iterations;  // most of them
    uint32_t least;       // at least so many
    double tolerance;     // of max | |e|^2 / l^2 - 1 |
    double rate;          // 1/s^2; 1/h^2, BDF2 9/(4 h^2): how stiff a strand held at both ends is against its inertia;
                          // 0: it does not yield at all
    const double *compliance; // [edge] m^2/kg, how much edges of such a strand yield; NULL: by their axial stiffness
    bool continues;           // the multipliers of the projection before go on
    bool full_steps;          // such a strand takes its iterations in full, too, even where that makes matters worse
} ref_project_options;

typedef struct ref_project_result {
    uint32_t iterations;
    double violation; // max | |e|^2 / l^2 - 1 | reached
} ref_project_result;

// Moves vertices until every edge has its rest length. SHEAF_OK also when the iterations ran out (see the result).
sheaf_status ref_project(ref_rod *rod, double time, const ref_project_options *options, ref_project_result *result);

// ---- contact.c: solid things in the way (line 9)

enum { REF_CONTACT_PASSES = 8 }; // of pushing and restoring lengths, at most

// The nearest surface of every vertex, into rod->contacts, colliders being where they are at `time`.
// Farther from a surface than a fiftieth of an edge only the distance is set.
void ref_contact_find(ref_rod *rod, double time, double step);

// Whether a vertex is one that colliders stop.
bool ref_contact_is_free(const ref_rod *rod, uint32_t i);

// Decides whether the solve holds vertex i: where it is inside, or was pressed in the last solve (in the first
// iteration: in the step before) and is near. Then adds the force of a spring of the given stiffness along the normal
// and of friction to rod->force; contact->stiffness and contact->grip are what they add to the matrix along the normal
// and across it. Needs ref_contact_find.
void ref_contact_hold(ref_rod *rod, uint32_t i, double stiffness, double step, bool is_first);

// Notes with which force the solve pressed vertex i, in contact->press.
void ref_contact_press(ref_rod *rod, uint32_t i);

// Pushes vertices out of colliders, marks them, and adds with which force to that of the solve, in rod->touch (inertia:
// N/m that pushing a vertex by a length takes). True: some were deep enough for lengths to suffer. `is_first`: the
// first of this step.
bool ref_contact_push(ref_rod *rod, double time, double step, const double *inertia, bool is_first);

// Pass 1 to REF_CONTACT_PASSES after the projection: pushes, then restores lengths by two projections, where there is
// need of it; the last pass turns edges out instead. `result` goes on from the projection's; `goes_on`: another pass
// has to follow.
sheaf_status ref_contact_pass(ref_rod *rod, double time, double step, const double *inertia, int pass,
                              const ref_project_options *projection, ref_project_result *result, bool *goes_on);

// Lengths, and vertices out of colliders: a push, the projection, and passes until neither is needed.
sheaf_status ref_constrain(ref_rod *rod, double time, double step, const double *inertia,
                           const ref_project_options *projection, ref_project_result *result);

// Velocity of a vertex that was pushed out, and its history: that of this step alone, or BDF2's formula would throw it
// back with half the speed it came with. Along the surface that holds for what sticks; what slides goes on.
void ref_contact_velocity(ref_rod *rod, uint32_t i, double step);

// ---- implicit.c: BDF2 and implicit Euler by Gauss-Newton, assembled and solved by LAPACK
typedef struct ref_schedule {
    bool bdf2;       // else implicit Euler
    uint32_t newton; // iterations; 0: by need, between least and most
    uint32_t newton_least, newton_most;
    double newton_update;    // another iteration while one moves a vertex by more than this share of the shortest edge
    double newton_tolerance; // another iteration while max | |e|^2 / l^2 - 1 | before projection exceeds this
    ref_twist_options twist;
    bool twist_at_end;     // frames are brought to equilibrium once more in the final pose
    double stretch_factor; // stretch weight = factor (rate m + max B/l^3)
    double stretch_rate;   // 1/s^2, c/h^2 of a whole step; c = 9/4 for BDF2, 1 for Euler
    ref_project_options project;
} ref_schedule;

ref_schedule ref_schedule_default(const ref_rod *rod, double step);
sheaf_status ref_implicit_step(ref_rod *rod, double time, double step, const ref_schedule *schedule);

// Whether iterations by need, of the step or of its frames, came to no end within their limit in the last implicit
// step.
bool ref_took_all_iterations(const ref_rod *rod);

// ---- ledger.c: the energy that a strand gains by itself in a step

// Of what no motion carries.
typedef struct ref_energies {
    double kinetic, elastic, gravitational; // J
} ref_energies;

// A strand at the start of a step.
typedef struct ref_before {
    bool has_history;
    ref_energies energies;
    double director[3];               // of edge 0
    const double (*velocity)[3];      // [vertex] m/s
    const double (*last_velocity)[3]; // [vertex] m/s; with history
    const double (*last_strain)[5];   // [vertex] one step before; with history
} ref_before;

typedef struct ref_gain {
    double gain; // J
    double bar;  // J, above which a step is not believed
} ref_gain;

// As the ledger counts them. Needs ref_curvature.
ref_energies ref_ledger_energies(const ref_rod *rod);

// Of the implicit step from rod->start that ended at `time`; for strands of der_has_ledger.
ref_gain ref_ledger(const ref_rod *rod, const ref_before *before, double time, double step);

// ---- catchup.c: steps that are taken again

// An implicit step, in quarters where it does not come out well. The record says what was gained and whether it did.
sheaf_status ref_careful_step(ref_rod *rod, double time, double step);

// ---- guard.c

// Notes the pose at the start of a step in rod->start and its companions.
void ref_keep_start(ref_rod *rod);

// Looks for non-finite or runaway values; on one, restores the pose at the start of the step (the initial pose, when
// that is bad itself), marks the strand frozen and returns false with the incident filled (strand and step are the
// caller's). To be called after a step.
bool ref_guard(ref_rod *rod, sheaf_incident *incident);

// ---- statics.c: equilibria
typedef struct ref_statics_options {
    uint32_t iterations; // most of them
    double tolerance;    // of the largest residual force, in units of the rod's largest bend / length^2; rounding of
                         // positions sets a floor
} ref_statics_options;

typedef struct ref_statics_result {
    uint32_t iterations;
    double residual; // N, largest force on a freedom that no tension balances
} ref_statics_result;

ref_statics_options ref_statics_default(void);

// Newton on energy, loads and length constraints with positions, free frames and tensions as unknowns, from the pose
// the rod has, at the loads and courses of `time`. Leads away from unstable equilibria, except from a pose that already
// is one. Velocities become 0. SHEAF_ERR_FAILED: no equilibrium was reached, the rod is where the search ended and the
// residual is in the result; SHEAF_ERR_LIMIT: too many vertices for dense matrices.
sheaf_status ref_equilibrium(ref_rod *rod, double time, const ref_statics_options *options, ref_statics_result *result);

// ---- modes.c: small motions about equilibria, and so their stability

// Lowest `count` eigenvalues omega^2 of the linearised motion about the rod's pose (an equilibrium), on the space of
// motions that keep lengths and held ends, frames following quasi-statically; negative: unstable. A closed or free rod
// has eigenvalues 0 for its rigid motions. `modes` (may be NULL) receives [count][vertex][3], mass-normalised.
// SHEAF_ERR_USAGE: the rod has fewer motions.
sheaf_status ref_modes(ref_rod *rod, double time, uint32_t count, double *eigenvalues, double *modes);

// ---- step.c

// Ends, frames and quasi-static twist of a strand that is about to move from `time`: lines 1 and 2 of Algorithm 1.
sheaf_status ref_start(ref_rod *rod, double time);

// One step of the scene's integrator for one strand, from `time` on, as the paper's Algorithm 1. Frozen strands stay.
sheaf_status ref_step(ref_rod *rod, double time, double step);

// Largest stable explicit step of a strand at its pose, s: h^2 lambda + 2 h (g lambda + d) = 4, where lambda is the
// largest eigenvalue of M^-1 K (by power iteration), g the internal damping and d the largest drag per mass. Without
// damping 2 / sqrt(lambda); infinite when nothing can vibrate.
sheaf_status ref_explicit_limit(ref_rod *rod, double *limit);

// The same for a lambda that is known, 1/s^2.
double ref_stable_step(const ref_rod *rod, double lambda);

// ---- laws: strands whose material has one (rod->strand->law)

// What the strains at a vertex are answered with.
typedef struct ref_answer {
    double force[2][2];        // N m, dE/dw of the edge before and after
    double torque;             // N m, dE/dm
    double stiffness[2][3][3]; // N m, second derivatives by (w_1, w_2, m) that each side adds
} ref_answer;

// Of strands whose law has friction: strains count from those of the pose that there is, until the end of the step,
// which keeps what friction has become. Both need ref_curvature.
void ref_law_begin(ref_rod *rod);
void ref_law_end(ref_rod *rod);

// At interior vertex i; `is_guarded`: with stiffnesses that a Newton step may use.
ref_answer ref_law_answer(const ref_rod *rod, uint32_t i, bool is_guarded);

// Bending and twisting energy at interior vertex i, J.
void ref_law_energy(const ref_rod *rod, uint32_t i, double energy[2]);

// Where the strand has a law: stiffness of the five strains of ref_elastic_rows, where the law is stiffest.
void ref_law_stiffest(const ref_rod *rod, uint32_t i, double stiffness[5]);

// How many vertices are strained beyond the range of the law.
uint32_t ref_law_beyond(const ref_rod *rod);

#endif
