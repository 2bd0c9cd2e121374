/// @file sheaf.h
/// The public interface of Sheaf: populations of elastic rods, simulated on an OpenCL device or by an fp64 reference.
///
/// Life of a simulation: a *scene* says what there is (read from a file, or built in C), a *model* is the scene
/// compiled to arrays (const from then on, shared by any number of solvers), a *solver* holds the moving state and
/// steps it.
///
/// Conventions, everywhere in this header:
/// - SI units: metre, kilogram, second, newton, radian.
/// - Calls that can fail return a sheaf_status; what went wrong, where and what to do about it is in
/// sheaf_last_error().
///   An out-parameter is set to NULL when its call fails.
/// - A def struct is filled by its default function first, which also sets the cookie that guards against use of an
///   unfilled def. What a def points to is copied: it may be freed once the call has returned.
/// - NULL in place of an object or def is never followed: calls with a status return SHEAF_ERR_USAGE, getters 0,
///   NULL or "" as they say, and freeing it does nothing.
/// - The library never exits, prints or aborts. Different objects may be used by different threads at once; one object
///   by one thread at a time, unless a function says otherwise.
/// - Everything is there since version 0.1 unless its description says since when. What is there stays, with the same
///   meaning and the same size, as long as the major version does.
#ifndef SHEAF_SHEAF_H
#define SHEAF_SHEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SHEAF_VERSION_MAJOR 0
#define SHEAF_VERSION_MINOR 1
#define SHEAF_VERSION_PATCH 0

#if defined(_WIN32)
#define SHEAF_API
#else
#define SHEAF_API __attribute__((visibility("default")))
#endif

// ---------------------------------------------------------------------------------------------------------------------
// Status, errors, log, memory

/// Every status: name, exit code of the `sheaf` command that reports it, one line of meaning.
#define SHEAF_STATUS_LIST(X)                                                                                           \
    X(OK, 0, "success")                                                                                                \
    X(ERR_FAILED, 1, "the operation failed")                                                                           \
    X(ERR_USAGE, 2, "an argument is wrong")                                                                            \
    X(ERR_INPUT, 3, "a scene or data file is wrong")                                                                   \
    X(ERR_LIMIT, 3, "a documented limit is exceeded")                                                                  \
    X(ERR_DIVERGED, 4, "the simulation diverged")                                                                      \
    X(ERR_MISMATCH, 5, "a result differs from the reference")                                                          \
    X(ERR_DEVICE, 6, "the device is missing or failed")                                                                \
    X(ERR_IO, 7, "a file could not be read or written")                                                                \
    X(ERR_MEMORY, 1, "out of memory")                                                                                  \
    X(ERR_INTERRUPTED, 130, "interrupted")

typedef enum sheaf_status {
#define SHEAF_STATUS_ENUM(name, exit_code, meaning) SHEAF_##name,
    SHEAF_STATUS_LIST(SHEAF_STATUS_ENUM)
#undef SHEAF_STATUS_ENUM
        SHEAF_STATUS_COUNT
} sheaf_status;

/// The status's name, as "SHEAF_ERR_INPUT". Never NULL. Any thread.
SHEAF_API const char *sheaf_status_name(sheaf_status status);

/// One line saying what the status means. Never NULL. Any thread.
SHEAF_API const char *sheaf_status_meaning(sheaf_status status);

/// The exit code of the `sheaf` command for this status. Any thread.
SHEAF_API int sheaf_status_exit_code(sheaf_status status);

/// Text of the calling thread's last failure: what, where, why, what to do. Empty before the first failure, never NULL;
/// valid until the thread's next failure.
SHEAF_API const char *sheaf_last_error(void);

/// Version of the library at run time as "major.minor.patch". Any thread.
SHEAF_API const char *sheaf_version(void);

typedef enum sheaf_log_level { SHEAF_LOG_NOTICE, SHEAF_LOG_WARNING } sheaf_log_level;

/// Receives a message of one line without a line end.
typedef void sheaf_log_fn(sheaf_log_level level, const char *message, void *user);

/// Sends the library's messages to `fn` (NULL: nowhere, the default). Not thread-safe: call it before other threads use
/// the library.
SHEAF_API void sheaf_log_set(sheaf_log_fn *fn, void *user);

/// Memory functions with the contracts of malloc, realloc and free, and a user pointer. Several threads may call them
/// at once.
typedef struct sheaf_allocator {
    void *(*allocate)(size_t size, void *user);
    void *(*reallocate)(void *memory, size_t size, void *user);
    void (*release)(void *memory, void *user);
    void *user;
} sheaf_allocator;

/// Makes the library take its memory from `allocator` (NULL: from malloc again). Call it before any object exists.
/// @return SHEAF_OK, or SHEAF_ERR_USAGE when a function is missing or objects made before are still alive
SHEAF_API sheaf_status sheaf_allocator_set(const sheaf_allocator *allocator);

// ---------------------------------------------------------------------------------------------------------------------
// Scene

typedef struct sheaf_scene sheaf_scene;

/// How a scalar follows time.
typedef enum sheaf_course_kind {
    SHEAF_COURSE_CONSTANT, ///< value
    SHEAF_COURSE_RAMP, ///< 0 until start, then to value over duration, then value; `smooth`: with zero slope at both
                       ///< ends
    SHEAF_COURSE_SINE, ///< value * sin(2 pi (t - start) / duration)
    SHEAF_COURSE_KEYS, ///< straight lines through (time, value) pairs, constant outside them
} sheaf_course_kind;

/// A scalar that follows a course in time, in the unit of what it drives. All zero: constantly 0.
typedef struct sheaf_course {
    sheaf_course_kind kind;
    bool smooth;        ///< ramp only
    double value;       ///< constant: the value; ramp: value reached; sine: amplitude
    double start;       ///< s
    double duration;    ///< s; ramp: how long; sine: the period
    const double *keys; ///< [key_count][2] (time in s, increasing; value)
    uint32_t key_count;
} sheaf_course;

/// A named rigid motion that ends of strands may follow: turn by turn(t) about an axis through `anchor`, then move. Or
/// through poses at given times: between two of them displacement and rotation go on evenly, beyond them they stay.
/// Where it jumps to a pose, it stays at the one before until then, and is there at once; strands that follow it come
/// along as they are, with their shape and their velocities as seen from it, and colliders sweep nothing on the way.
typedef struct sheaf_motion_def {
    uint32_t cookie;
    const char *name;
    double anchor[3];     ///< m
    double axis[3];       ///< any length but 0
    sheaf_course turn;    ///< rad
    sheaf_course move[3]; ///< m
    const double *poses;  ///< [pose_count][8] time in s, increasing; displacement in m; rotation about the anchor as a
                          ///< quaternion w, x, y, z of any length but 0. Instead of turn and move.
    const bool *jumps;   ///< [pose_count] whether it jumps to the pose, whose time may then be that of the pose before,
                         ///< and must be after 0; never to the first one. NULL: nowhere
    uint32_t pose_count; ///< 0: none
} sheaf_motion_def;

/// What a strand is made of. Section either by radii and moduli, or by stiffnesses given directly.
typedef struct sheaf_material_def {
    uint32_t cookie;
    const char *name;
    double density;   ///< kg/m^3
    double young;     ///< Pa
    double shear;     ///< Pa
    double radius[2]; ///< m, half axes of the elliptic section along director 1 and 2
    double bend[2];   ///< N m^2; EI against bending towards director 1 and 2; 0: from moduli and radii
    double twist;     ///< N m^2; GJ; 0: from moduli and radii
    double line_mass; ///< kg/m; 0: from density and radii
    double drag;      ///< Pa s; force per length and per velocity relative to the air
    double slip;      ///< share of the drag that motion along the strand is spared: 0 none, 1 all of it
    double damping;   ///< s; internal damping, as a multiple of the elastic stiffness
} sheaf_material_def;

/// Conditions at one end of a strand. Position, tangent and frame angle are held or free each on its own; what is held
/// follows its course in time. Loads act whether or not anything is held.
typedef struct sheaf_end_def {
    bool hold_position; ///< the end vertex stays, or follows motion and move
    bool hold_tangent;  ///< the end edge keeps its direction, or follows motion and turn
    bool hold_angle;    ///< the end edge's material frame keeps its angle about the tangent, or follows twist
    bool slide;         ///< the held position is free along slide_axis
    double slide_axis[3];
    int32_t motion;       ///< index of a motion of the scene, or -1
    sheaf_course move[3]; ///< m, displacement of the held position
    double turn_axis[3];
    sheaf_course turn;      ///< rad, rotation of held tangent and frame about turn_axis through the end vertex
    sheaf_course twist;     ///< rad, rotation of the held frame about its own tangent
    sheaf_course force[3];  ///< N, on the end vertex
    sheaf_course couple[3]; ///< N m, on the end edge, axes fixed in space
} sheaf_end_def;

/// An inner edge whose material frame angle is held.
typedef struct sheaf_hold_def {
    uint32_t edge;
    sheaf_course twist; ///< rad, rotation of the held frame about its own tangent
} sheaf_hold_def;

/// How a strand is fixed to a body; since 0.2.
typedef enum sheaf_joint_kind {
    SHEAF_JOINT_WELD, ///< the edge is part of the body: its two vertices and its material frame go where the body goes
    SHEAF_JOINT_BALL, ///< the end's vertex stays on the body; the edge turns freely
} sheaf_joint_kind;

/// A place of a strand that is fixed to a body, as both stand at the start; since 0.2.
typedef struct sheaf_joint_def {
    sheaf_joint_kind kind;
    uint32_t body; ///< index of a body of the scene
    uint32_t edge; ///< 0: the root's, edge count - 1: the tip's; between: an inner edge. A ball joint is at an end's
                   ///< vertex. The end there must be clamped (weld) or pinned (ball), and follow nothing.
} sheaf_joint_def;

typedef enum sheaf_shape {
    SHEAF_SHAPE_POINTS,   ///< the polyline `points`
    SHEAF_SHAPE_STRAIGHT, ///< from origin along direction
    SHEAF_SHAPE_HELIX,    ///< about an axis through origin along direction; radius, pitch; starts at origin + radius *
                          ///< normal
    SHEAF_SHAPE_CIRCLE,   ///< closed circle about origin, plane normal = direction; radius
    SHEAF_SHAPE_ARC, ///< circular arc of length `length` from origin, starts along direction, bends towards normal;
                     ///< radius
} sheaf_shape;

typedef enum sheaf_natural {
    SHEAF_NATURAL_SHAPE,     ///< the given shape is free of stress
    SHEAF_NATURAL_STRAIGHT,  ///< naturally straight
    SHEAF_NATURAL_CURVATURE, ///< natural_curvature and natural_twist along the whole strand
    SHEAF_NATURAL_POINTS,    ///< the shape of the polyline `natural_points`
    SHEAF_NATURAL_SAG_FREE,  ///< such that the given shape is at rest under gravity; see sheaf_model_balance
} sheaf_natural;

/// What a strand of the method "cable" has besides; since 0.2.
typedef struct sheaf_cable_def {
    double stretch;       ///< N, EA; 0: from the material's young and radii, and where those are 0, too, rigid
    double length;        ///< m, without load; 0: that of its shape
    double joint_stretch; ///< N/m, of every joint; 0: as the material's stretch and the length of segments make it
    double joint_bend;    ///< N m, likewise
    double joint_twist;   ///< N m, likewise
} sheaf_cable_def;

/// Name of a method, as scenes write it: "der" is the first. NULL when there are not so many. Any thread. Since 0.2.
SHEAF_API const char *sheaf_method_name(uint32_t index);

/// One strand: where it starts, what is natural to it, what holds it.
typedef struct sheaf_strand_def {
    uint32_t cookie;
    sheaf_shape shape;
    uint32_t vertex_count; ///< 3 to 4096
    const double *points;  ///< m, [vertex_count][3]; SHEAF_SHAPE_POINTS
    double origin[3];      ///< m
    double direction[3];   ///< any length but 0
    double normal[3];      ///< towards director 1 of the first edge; 0: chosen by the library
    double length;         ///< m
    double radius;         ///< m; helix, circle, arc
    double pitch;          ///< m per turn; helix; negative: left-handed
    const double *spacing; ///< relative edge lengths [edge count], or NULL: even
    bool clamp_mid_edge;  ///< generated shapes, default true: a clamped end's plane cuts its end edge in the middle, so
                          ///< that its outer vertex lies half an edge beyond origin or length (second order accurate)
    bool closed;          ///< the last vertex is joined to the first
    double closing_twist; ///< rad, imposed between last and first edge of a closed strand
    sheaf_natural natural;
    double natural_curvature[2];  ///< 1/m in the directors' basis
    const double *natural_points; ///< m, [vertex_count][3]
    double natural_twist;         ///< rad/m, of the directors against the twist-free frame
    uint32_t material;            ///< index of a material of the scene
    double taper; ///< radius at the tip, as a share of that at the root; stiffness goes with its fourth power, mass
                  ///< with its square, and drag with the mass. 1, the default: none
    double taper_start; ///< share of the length up to which the radius stays; then it goes straight to the tip's
    sheaf_end_def root;
    sheaf_end_def tip;
    const sheaf_hold_def *holds; ///< frame angles held at inner edges
    uint32_t hold_count;
    uint32_t method; ///< index of the method that moves it (sheaf_method_name); 0, the default: Discrete Elastic Rods;
                     ///< since 0.2
} sheaf_strand_def;

/// A piece of a strand with a material of its own; since 0.2.
typedef struct sheaf_section {
    double to;         ///< where it ends, as a share of the strand's length from the root; the last one's is 1
    uint32_t material; ///< index of a material of the scene
} sheaf_section;

typedef enum sheaf_collider_kind {
    SHEAF_COLLIDER_SPHERE,    ///< size[0]: radius
    SHEAF_COLLIDER_CAPSULE,   ///< all points within size[0] of a line of length 2 size[1] along the axis
    SHEAF_COLLIDER_PLANE,     ///< everything on the side of the plane through center that axis points away from
    SHEAF_COLLIDER_BOX,       ///< size: half lengths along side, across both, and along the axis
    SHEAF_COLLIDER_ELLIPSOID, ///< size: half axes, likewise
    SHEAF_COLLIDER_CYLINDER,  ///< size[0]: radius, size[1]: half length along the axis
} sheaf_collider_kind;

/// Something solid that strands do not enter. Vertices that are held pass through it.
typedef struct sheaf_collider_def {
    uint32_t cookie;
    sheaf_collider_kind kind;
    double center[3]; ///< m
    double axis[3];   ///< any length but 0
    double side[3];   ///< a direction across the axis; 0: x where that is possible
    double size[3];   ///< m
    double friction;  ///< Coulomb's coefficient
    int32_t motion;   ///< index of a motion of the scene that it follows, or -1
} sheaf_collider_def;

/// What is left of a body's rotation where it runs on an axle through its centre of mass; since 0.2.
typedef struct sheaf_axle_def {
    bool is_there;
    bool has_speed;      ///< the axle turns at `speed`, whatever it takes
    double axis[3];      ///< fixed in space
    double friction;     ///< N m s, torque per angular velocity
    double brake;        ///< N m, largest torque of dry friction
    sheaf_course torque; ///< N m, that drives it
    sheaf_course speed;  ///< rad/s
} sheaf_axle_def;

/// A rigid body. Mass and inertia are given, or follow from shape and density; both are needed unless it is fixed or
/// follows a motion. What the edges welded to it weigh comes on top. Since 0.2.
typedef struct sheaf_body_def {
    uint32_t cookie;
    const char *name;
    double at[3];             ///< m, where its own axes begin; its centre of mass unless the shape lies elsewhere
    double turn_axis[3];      ///< any length but 0
    double turn;              ///< rad, of its own axes about turn_axis
    double mass;              ///< kg; 0: from shape and density
    double inertia[3];        ///< kg m^2, principal, about its own axes; 0: of the shape, with this mass
    bool has_shape;           ///< else it is drawn as a box of its inertia
    sheaf_collider_def shape; ///< in its own axes; not a plane; friction is that of its surface
    double density;           ///< kg/m^3
    double velocity[3];       ///< m/s
    double spin[3];           ///< rad/s, in space
    bool is_fixed;
    int32_t motion; ///< index of a motion that it follows, or -1
    sheaf_axle_def axle;
    double drag;            ///< N s/m, against its centre's velocity relative to the air
    sheaf_course force[3];  ///< N, on its centre
    sheaf_course torque[3]; ///< N m, axes fixed in space
    bool collides;          ///< strands are to stay out of its shape; has no effect in this version
} sheaf_body_def;

/// A material whose strands touch those of others; since 0.2.
typedef struct sheaf_touch_material {
    uint32_t material; ///< index of a material of the scene
    double radius;     ///< m, at which strands touch; 0: that of the section
    double friction;   ///< Coulomb's coefficient: of two materials the smaller
} sheaf_touch_material;

/// Friction between strands of two materials, instead of the smaller of both; since 0.2.
typedef struct sheaf_touch_friction {
    uint32_t between[2]; ///< indices of materials that touch, which may be the same
    double friction;     ///< Coulomb's coefficient
} sheaf_touch_friction;

/// Contact of strands with each other and with themselves; since 0.2.
typedef struct sheaf_touch_def {
    uint32_t cookie;
    const sheaf_touch_material *materials; ///< [material_count] whose strands touch each other
    uint32_t material_count;               ///< 0: none
    bool self;                             ///< a strand touches itself, too; the default
    const sheaf_touch_friction *frictions; ///< [friction_count]
    uint32_t friction_count;
    double tolerance; ///< to which a step solves contact, as a share of the distance of two strands that touch
    uint32_t sweeps;  ///< most of them in an iteration of a step; eight times as many far from a solution
    double separate;  ///< m/s, at which strands part that overlap, as at the start
} sheaf_touch_def;

typedef enum sheaf_integrator {
    SHEAF_INTEGRATOR_BDF2,     ///< implicit, second order
    SHEAF_INTEGRATOR_EULER,    ///< implicit, first order, damps
    SHEAF_INTEGRATOR_EXPLICIT, ///< symplectic Euler, the paper's; stable below the explicit step limit
} sheaf_integrator;

/// How edges are brought back to their length. The tridiagonal solve is best inside a strand; the relaxations need many
/// more iterations and are offered for comparison and for what couples strands.
typedef enum sheaf_projector {
    SHEAF_PROJECTOR_TRIDIAGONAL, ///< Newton on all edges of a strand at once
    SHEAF_PROJECTOR_JACOBI,      ///< every edge by itself, damped
    SHEAF_PROJECTOR_CHEBYSHEV,   ///< Jacobi with Chebyshev acceleration; give it two iterations per edge or more
    SHEAF_PROJECTOR_RED_BLACK,   ///< even edges, then odd ones, over-relaxed
} sheaf_projector;

/// At which edges projection takes the gradients of the constraints.
typedef enum sheaf_gradients {
    SHEAF_GRADIENTS_AUTO,    ///< start for the explicit integrator, iterate for the implicit ones
    SHEAF_GRADIENTS_START,   ///< at the start of the step: keeps energy and momentum
    SHEAF_GRADIENTS_ITERATE, ///< at the current iterate: fast projection as published; loses energy
} sheaf_gradients;

/// Precision of the numbers on a device. The reference always computes in double precision.
typedef enum sheaf_precision {
    SHEAF_PRECISION_AUTO, ///< double where single could not resolve the model and the device has it, else single
    SHEAF_PRECISION_SINGLE,
    SHEAF_PRECISION_DOUBLE, ///< several times slower, and an error where the device has none
} sheaf_precision;

/// What frames of a trajectory hold besides points, a bit each; since 0.2.
typedef enum sheaf_trajectory_data {
    SHEAF_TRAJECTORY_DIRECTOR = 1, ///< the angle of director 1 of every edge, also where it could not be seen
} sheaf_trajectory_data;

/// A cable that is wound on a drum: its root goes where the drum takes it. Its points are those of the whole length,
/// what is stored included, and straight where nothing is stored. The drum is a body with an axle, a cylinder about it;
/// turning it forwards about the axle's axis winds up. Since 0.2.
typedef struct sheaf_winch_def {
    uint32_t body; ///< index of a body of the scene
    double store;  ///< m, on the drum at the start, of the cable's length
} sheaf_winch_def;

/// A point that a cable without mass runs over; since 0.2.
typedef struct sheaf_reeve_point {
    int32_t body; ///< index of a body of the scene, or -1: the point is fixed in space
    double at[3]; ///< m, in the body's own axes, or in space
} sheaf_reeve_point;

/// A cable without mass that slides over points without friction and pulls where it is shorter than its path. Since
/// 0.2.
typedef struct sheaf_reeving_def {
    uint32_t cookie;
    const sheaf_reeve_point *path; ///< [point_count]
    uint32_t point_count;          ///< 2 to 16
    double length;                 ///< m, without load; 0: that of its path at the start
    sheaf_course change;           ///< m, that comes on top of it
    double stiffness;              ///< N/m, of all of it
} sheaf_reeving_def;

/// How cables measure bending, as a function of the angle t between two segments; since 0.2.
typedef enum sheaf_cable_bend {
    SHEAF_CABLE_BEND_ARC,     ///< sqrt(-8 ln cos(t/2)): an even moment makes a true circle with any number of segments
    SHEAF_CABLE_BEND_ANGLE,   ///< t; on the reference only
    SHEAF_CABLE_BEND_TANGENT, ///< 2 tan(t/2); on the reference only
} sheaf_cable_bend;

/// What steps of cables do about tension; since 0.2.
typedef enum sheaf_cable_tension {
    SHEAF_CABLE_TENSION_INERTIA,  ///< segments under tension turn more slowly within a step: stable, dissipates nothing
    SHEAF_CABLE_TENSION_IMPLICIT, ///< stable, damps swinging
    SHEAF_CABLE_TENSION_NONE,     ///< stable up to the critical tension that `sheaf check` prints
} sheaf_cable_tension;

/// How cables are stepped; since 0.2.
typedef struct sheaf_cable_step {
    sheaf_cable_bend bend;
    sheaf_cable_tension tension;
    double damping; ///< time in which errors of joints die away, in steps
} sheaf_cable_step;

/// Settings of a whole scene.
typedef struct sheaf_scene_def {
    uint32_t cookie;
    const char *title;
    double step;       ///< s
    double end;        ///< s
    double frame_rate; ///< Hz, output frames
    double gravity[3]; ///< m/s^2
    double wind[3];    ///< m/s, mean velocity of the air
    double gust;       ///< m/s, root mean square of what gusts add to it; 0: the air is even
    double gust_scale; ///< m, wave length of the gusts, about
    uint64_t gust_seed;
    sheaf_integrator integrator;
    uint32_t newton; ///< Newton iterations of an implicit step; 0: as many as a strand needs
    sheaf_projector projector;
    double relaxation; ///< of the relaxing projectors, in (0, 2); 0: the projector's own
    sheaf_gradients gradients;
    double projection_tolerance;    ///< of max | |e|^2 / l^2 - 1 |
    uint32_t projection_iterations; ///< most of them
    sheaf_precision precision;
    uint64_t seed;
    double checkpoint_interval; ///< s of real time between the checkpoints of a run; changes nothing else
    uint32_t trajectory_every;  ///< one frame in so many is in the trajectory of a run; 0: none; changes nothing else
    uint32_t trajectory_with;   ///< bits of sheaf_trajectory_data that frames hold besides points; since 0.2
} sheaf_scene_def;

SHEAF_API sheaf_scene_def sheaf_scene_def_default(void);
SHEAF_API sheaf_motion_def sheaf_motion_def_default(void);
SHEAF_API sheaf_material_def sheaf_material_def_default(void);
SHEAF_API sheaf_strand_def sheaf_strand_def_default(void);
SHEAF_API sheaf_collider_def sheaf_collider_def_default(void);
SHEAF_API sheaf_body_def sheaf_body_def_default(void); ///< since 0.2

SHEAF_API sheaf_reeving_def sheaf_reeving_def_default(void); ///< since 0.2

/// Contact of no strands, and what holds where some touch. Since 0.2.
SHEAF_API sheaf_touch_def sheaf_touch_def_default(void);

/// An end that is clamped (position, tangent and frame angle held), pinned (position held), or free.
SHEAF_API sheaf_end_def sheaf_end_clamped(void);
SHEAF_API sheaf_end_def sheaf_end_pinned(void);
SHEAF_API sheaf_end_def sheaf_end_free(void);

/// Makes an empty scene.
/// @return SHEAF_OK, SHEAF_ERR_USAGE (def not filled by its default function), SHEAF_ERR_INPUT (a value out of range),
///         SHEAF_ERR_MEMORY
SHEAF_API sheaf_status sheaf_scene_create(const sheaf_scene_def *def, sheaf_scene **scene);

/// Adds a motion, material, collider or strand; `index` (may be NULL) receives its index.
/// @return as sheaf_scene_create; the scene is unchanged on failure
SHEAF_API sheaf_status sheaf_scene_add_motion(sheaf_scene *scene, const sheaf_motion_def *def, uint32_t *index);
SHEAF_API sheaf_status sheaf_scene_add_material(sheaf_scene *scene, const sheaf_material_def *def, uint32_t *index);
SHEAF_API sheaf_status sheaf_scene_add_collider(sheaf_scene *scene, const sheaf_collider_def *def);
SHEAF_API sheaf_status sheaf_scene_add_strand(sheaf_scene *scene, const sheaf_strand_def *def);

/// Adds a cable, a strand of the method "cable" whatever def->method says; since 0.2. Joints at its ends are to bodies.
/// @param joints [joint_count] by increasing edge
/// @return as sheaf_scene_add_strand
SHEAF_API sheaf_status sheaf_scene_add_cable(sheaf_scene *scene, const sheaf_strand_def *def,
                                             const sheaf_cable_def *cable, const sheaf_joint_def *joints,
                                             uint32_t joint_count);

/// Winds the root of the cable that was added last onto a drum; since 0.2. Its root must have a ball joint to the drum.
/// @return as sheaf_scene_add_strand
SHEAF_API sheaf_status sheaf_scene_set_winch(sheaf_scene *scene, const sheaf_winch_def *winch);

/// Adds a cable without mass; since 0.2. Its bodies must be in the scene, which must have at least one cable.
/// @return as sheaf_scene_add_strand
SHEAF_API sheaf_status sheaf_scene_add_reeving(sheaf_scene *scene, const sheaf_reeving_def *def);

/// Says how cables are stepped; without it they take `arc`, `inertia` and a damping of 1 step. Since 0.2.
/// @return SHEAF_OK, SHEAF_ERR_INPUT, SHEAF_ERR_USAGE
SHEAF_API sheaf_status sheaf_scene_set_cable_step(sheaf_scene *scene, const sheaf_cable_step *step);

/// Adds a strand with joints to bodies, [joint_count] by increasing edge; since 0.2. As sheaf_scene_add_strand.
SHEAF_API sheaf_status sheaf_scene_add_joined_strand(sheaf_scene *scene, const sheaf_strand_def *def,
                                                     const sheaf_joint_def *joints, uint32_t joint_count);

/// Adds a rigid body; since 0.2. As sheaf_scene_add_motion.
SHEAF_API sheaf_status sheaf_scene_add_body(sheaf_scene *scene, const sheaf_body_def *def, uint32_t *index);

/// Makes strands of some materials touch each other. Their materials must be in the scene already. Replaces what was
/// set before. Since 0.2.
/// @return as sheaf_scene_create
SHEAF_API sheaf_status sheaf_scene_set_touch(sheaf_scene *scene, const sheaf_touch_def *def);

/// Adds a strand that is made of several materials, one section after the other from the root on; since 0.2. The change
/// from one to the next lies on a vertex: edges of generated shapes without `spacing` get the lengths for that, given
/// points stay, and the vertex that is nearest is taken. At that vertex half an edge of either section bends and twists
/// in series. `def->material` is not used; slip and damping are those of the first section, drag is spread along the
/// strand by mass.
/// @param sections [section_count], copied; `to` rises, every section is at least an edge long, the last ends at 1
/// @return as sheaf_scene_create; the scene is unchanged on failure
SHEAF_API sheaf_status sheaf_scene_add_strand_sections(sheaf_scene *scene, const sheaf_strand_def *def,
                                                       const sheaf_section *sections, uint32_t section_count);

/// Adds a strand whose stiffness is given for every vertex instead of by its material, which gives the rest; since 0.2.
/// Tapering leaves it as it is.
/// @param bend [vertex_count][2] N m^2, EI against bending towards director 1 and 2 at the vertex, copied
/// @param twist [vertex_count] N m^2, GJ, copied; numbers at the two end vertices of an open strand have no effect
/// @return as sheaf_scene_create; the scene is unchanged on failure
SHEAF_API sheaf_status sheaf_scene_add_strand_stiffness(sheaf_scene *scene, const sheaf_strand_def *def,
                                                        const double *bend, const double *twist);

/// Reads a scene file. Every error of the file is in sheaf_last_error(), each with its place, line and a caret.
/// @return SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT, SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY
SHEAF_API sheaf_status sheaf_scene_load(const char *path, sheaf_scene **scene);

/// Reads a scene from memory; `name` stands for the file name in messages. Returns as sheaf_scene_load.
SHEAF_API sheaf_status sheaf_scene_parse(const char *text, size_t length, const char *name, sheaf_scene **scene);

/// Frees a scene; NULL is allowed.
SHEAF_API void sheaf_scene_free(sheaf_scene *scene);

// ---------------------------------------------------------------------------------------------------------------------
// Model

typedef struct sheaf_model sheaf_model;

/// Compiles a scene: rest lengths, masses, stiffnesses, natural curvature and twist of every strand. The scene may be
/// freed afterwards.
/// @return SHEAF_OK, SHEAF_ERR_INPUT (naming strand and vertex), SHEAF_ERR_LIMIT, SHEAF_ERR_MEMORY
SHEAF_API sheaf_status sheaf_model_create(const sheaf_scene *scene, sheaf_model **model);

/// Frees a model; NULL is allowed. Its solvers must be closed before.
SHEAF_API void sheaf_model_free(sheaf_model *model);

/// Any thread. 0 of NULL.
SHEAF_API uint32_t sheaf_model_strand_count(const sheaf_model *model);
SHEAF_API uint64_t sheaf_model_vertex_count(const sheaf_model *model);

/// First vertex of each strand in arrays over all vertices: [strand count + 1], the last entry is the vertex count.
/// Lives as long as the model. Any thread. NULL of NULL.
SHEAF_API const uint64_t *sheaf_model_first_vertex(const sheaf_model *model);

/// What became of strands that are to start at rest (SHEAF_NATURAL_SAG_FREE).
typedef struct sheaf_balance {
    uint32_t wanted;     ///< strands that are to start at rest
    uint32_t unbalanced; ///< of these cannot, because of their ends; their shape is free of stress instead
    uint32_t unstable;   ///< of these are at rest, but a small disturbance would make them fall
    double residual;     ///< N, largest force on a free vertex of the others that no tension balances
    double weight;       ///< N, mean weight of a vertex of that strand
} sheaf_balance;

/// A strand that is not at rest, or not for long.
typedef struct sheaf_imbalance {
    uint32_t strand;
    const char *reason; ///< as "its tip is held" or "it would fall"; lives for ever
} sheaf_imbalance;

/// Looks at every strand that is to start at rest, in double precision: forces by the reference, and the second
/// derivative of its energy. `list` receives the first `capacity` strands that are unbalanced or unstable, in order.
/// @return SHEAF_OK, SHEAF_ERR_USAGE, SHEAF_ERR_MEMORY. Any thread.
SHEAF_API sheaf_status sheaf_model_balance(const sheaf_model *model, sheaf_balance *balance, sheaf_imbalance *list,
                                           uint32_t capacity);

/// Largest stable time step of the explicit integrator over all strands in their initial pose, s; with very many alike
/// strands a safe estimate up to a third below it. 0 when memory runs out, where no strand is one of Discrete Elastic
/// Rods, or of NULL. Any thread.
SHEAF_API double sheaf_model_explicit_step_limit(const sheaf_model *model);

// ---------------------------------------------------------------------------------------------------------------------
// Solver

typedef struct sheaf_solver sheaf_solver;

/// Which backend a solver runs on.
typedef enum sheaf_backend {
    SHEAF_BACKEND_AUTO, ///< OpenCL device `device`, or the reference where it cannot run the model (a log notice says
                        ///< why)
    SHEAF_BACKEND_REFERENCE, ///< the fp64 reference
    SHEAF_BACKEND_DEVICE,    ///< OpenCL device `device`, or an error
} sheaf_backend;

#define SHEAF_DEVICE_BEST UINT32_MAX ///< the strongest device there is

typedef struct sheaf_solver_def {
    uint32_t cookie;
    sheaf_backend backend;
    uint32_t device;  ///< index as `sheaf devices` lists them, or SHEAF_DEVICE_BEST
    bool is_double;   ///< double precision on the device whatever the scene says
    double step;      ///< s; 0: the scene's
    uint32_t threads; ///< of the reference; 0: one per core. Results do not depend on it.
} sheaf_solver_def;

SHEAF_API sheaf_solver_def sheaf_solver_def_default(void);

/// Opens a solver at time 0. The model must outlive it.
/// @return SHEAF_OK, SHEAF_ERR_USAGE, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY
SHEAF_API sheaf_status sheaf_solver_open(const sheaf_model *model, const sheaf_solver_def *def, sheaf_solver **solver);

/// Advances every strand by `count` steps of the solver's time step. A strand that diverges is frozen and counted; the
/// others go on. After a failure the solver can be read and closed, but no longer stepped.
/// @return SHEAF_OK, or SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY. Not thread-safe for one solver; two solvers may step at
/// once.
SHEAF_API sheaf_status sheaf_solver_step(sheaf_solver *solver, uint32_t count);

/// Copies positions (m) or velocities (m/s) of all vertices, [vertex count][3], in the model's order.
/// @return SHEAF_OK, or SHEAF_ERR_USAGE when `capacity` (in vertices) is too small
SHEAF_API sheaf_status sheaf_solver_read_positions(sheaf_solver *solver, double (*positions)[3], uint64_t capacity);
SHEAF_API sheaf_status sheaf_solver_read_velocities(sheaf_solver *solver, double (*velocities)[3], uint64_t capacity);

/// Where a rigid body is, in the axes that its definition gave it; since 0.2.
typedef struct sheaf_body_pose {
    double position[3]; ///< m, of the definition's `at`
    double rotation[4]; ///< quaternion w, x, y, z of its own axes
    double velocity[3]; ///< m/s, of that point
    double spin[3];     ///< rad/s, in space
    double kinetic;     ///< J, with the vertices welded to it
    double force[3];    ///< N, of all strands on it, in the last step
    double torque[3];   ///< N m, likewise, about its centre of mass
    bool is_frozen;     ///< it ran away, and is kept where it was before
} sheaf_body_pose;

/// Copies the poses of all bodies in the scene's order; since 0.2.
/// @return SHEAF_OK, SHEAF_ERR_DEVICE, or SHEAF_ERR_USAGE when `capacity` (in bodies) is too small
SHEAF_API sheaf_status sheaf_solver_read_bodies(sheaf_solver *solver, sheaf_body_pose *poses, uint32_t capacity);

/// How many bodies a model has, and the name of one ("" where there is none); since 0.2. Any thread.
SHEAF_API uint32_t sheaf_model_body_count(const sheaf_model *model);
SHEAF_API const char *sheaf_model_body_name(const sheaf_model *model, uint32_t body);

/// Figures of a whole population at one time.
typedef struct sheaf_report {
    double time;             ///< s
    uint64_t step;           ///< steps taken
    double kinetic;          ///< J, of strands and bodies
    double bending;          ///< J
    double twisting;         ///< J
    double gravitational;    ///< J, likewise, 0 at the origin
    double worst_strain;     ///< max | |e| / l - 1 |
    double mean_newton;      ///< Newton iterations per strand in the last step; 0 for the explicit integrator
    double mean_projections; ///< projections per strand in the last step
    double twist_residual;   ///< worst |dE/dtheta| of a free frame, in units of the strand's GJ / length
    uint32_t frozen_strands;
    uint32_t unmet_strands; ///< not frozen, but with an edge off its length by more than 1 %, or with a last step whose
                            ///< Newton iterations, by need, came to no end within their limit; since 0.2
} sheaf_report;

/// @return SHEAF_OK, SHEAF_ERR_DEVICE
SHEAF_API sheaf_status sheaf_solver_report(sheaf_solver *solver, sheaf_report *report);

/// A figure that not every population has; since 0.2.
typedef struct sheaf_figure {
    const char *name; ///< as its column in thermo.csv, with its unit; lives for ever
    double value;
} sheaf_figure;

/// Figures beyond the report. Strands that touch each other have, of the last step: "contacts" that press, "sweeps"
/// over them, "worst_overlap" and "mean_overlap" as a share of the distance at which strands touch, "touch_force_N",
/// the largest, and since the start "pass_through", how often a strand was found on the other side of one that it had
/// touched. Strands that keep their volume: "squeeze_J", the energy of the excess, "filled_mean" and "filled_q99", the
/// share of the space around strands that is filled (1: as wanted; mean by mass, and what 99 % of the mass do not
/// exceed), "pressure_max_Pa". Strands that shield each other: "wind_fraction", the share of the wind that they feel,
/// mean by mass. Strands in implicit steps: "gain_J", the energy that strands gained in the last step beyond the work
/// of all that acts on them, summed over those that did, "gain_worst", the largest in units of what a step may gain,
/// and since the start "retakes", how many steps of strands were taken again in quarters. A solver always has the same
/// ones, in the same order. Since 0.2.
/// @param figures [capacity] receives the first of them; may be NULL where capacity is 0
/// @param count receives how many there are
/// @return SHEAF_OK, SHEAF_ERR_USAGE, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY. Not thread-safe for one solver.
SHEAF_API sheaf_status sheaf_solver_figures(sheaf_solver *solver, sheaf_figure *figures, uint32_t capacity,
                                            uint32_t *count);

/// Why a strand was frozen.
typedef struct sheaf_incident {
    uint32_t strand;
    uint32_t vertex;
    uint64_t step;
    const char *quantity; ///< "position", "velocity", "twist"
    double value;
} sheaf_incident;

/// The `index`-th frozen strand, in the order they froze.
/// @return SHEAF_OK, or SHEAF_ERR_USAGE when there are not so many
SHEAF_API sheaf_status sheaf_solver_incident(const sheaf_solver *solver, uint32_t index, sheaf_incident *incident);

/// Writes the solver's whole state to a checkpoint (HDF5), which replaces a file of that name once it is complete.
/// @return SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY. Files by one thread of a process at a time.
SHEAF_API sheaf_status sheaf_solver_save(sheaf_solver *solver, const char *path);

/// Takes the state of a checkpoint: the solver then does what the one that was saved would have done, to the last bit.
/// Scene, time step, kind of backend and precision must be those of the saved one; form and number of threads need not.
/// @return SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_INPUT (not a checkpoint, damaged, or of something else; the solver is as
/// it
///         was), SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY (the solver may only be closed). As sheaf_solver_save.
SHEAF_API sheaf_status sheaf_solver_load(sheaf_solver *solver, const char *path);

/// What the solver runs on: "reference" or the device's name; the form of its numbers: "scalar", "float8" or the like
/// (of strands of several methods: that of the first); "single", "double", or "mixed" where methods differ. Live as
/// long as the solver. "" of NULL.
SHEAF_API const char *sheaf_solver_device(const sheaf_solver *solver);
SHEAF_API const char *sheaf_solver_form(const sheaf_solver *solver);
SHEAF_API const char *sheaf_solver_precision(const sheaf_solver *solver);

/// Closes a solver; NULL is allowed.
SHEAF_API void sheaf_solver_close(sheaf_solver *solver);

#ifdef __cplusplus
}
#endif

#endif
