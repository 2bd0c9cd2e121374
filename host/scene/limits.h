// limits: the one table of what numbers a scene may hold. The public functions check against it, and the scene file
// reader's schema names its rows, so both refuse the same values.
#ifndef SHEAF_SCENE_LIMITS_H
#define SHEAF_SCENE_LIMITS_H

#include "scene/scene.h"

// Name, least and most value (both allowed), unit. Wide enough for anything from a nanowire to a ship's hawser, narrow
// enough that products of a few of them stay finite.
#define SCENE_LIMIT_LIST(X)                                                                                            \
    X(STEP, 1e-9, 10, "s")                                                                                             \
    X(END, 0, 1e7, "s")                                                                                                \
    X(FRAME_RATE, 1e-6, 1e9, "Hz")                                                                                     \
    X(ACCELERATION, -1e6, 1e6, "m/s^2")                                                                                \
    X(SPEED, -1e5, 1e5, "m/s")                                                                                         \
    X(GUST, 0, 1e5, "m/s")                                                                                             \
    X(RATIO, 0, 100, "")                                                                                               \
    X(NEWTON, 0, 100, "")                                                                                              \
    X(TOLERANCE, 1e-15, 0.1, "")                                                                                       \
    X(RELAXATION, 0, 1.99, "")                                                                                         \
    X(PROJECTIONS, 1, 10000, "")                                                                                       \
    X(DENSITY, 0, 1e6, "kg/m^3")                                                                                       \
    X(MODULUS, 0, 1e15, "Pa")                                                                                          \
    X(SECTION_RADIUS, 0, 100, "m")                                                                                     \
    X(STIFFNESS, 0, 1e15, "N m^2")                                                                                     \
    X(LINE_MASS, 0, 1e6, "kg/m")                                                                                       \
    X(DRAG, 0, 1e6, "Pa s")                                                                                            \
    X(FRICTION, 0, 100, "")                                                                                            \
    X(SLIP, 0, 1, "")                                                                                                  \
    X(DAMPING, 0, 1e3, "s")                                                                                            \
    X(LAW_RANGE, 1e-9, 1e12, "1/m")                                                                                    \
    X(LAW_FRICTION, 1e-9, 1e6, "")                                                                                     \
    X(FIT_ORDER, 1, 15, "")                                                                                            \
    X(COORDINATE, -1e6, 1e6, "m")                                                                                      \
    X(COMPONENT, -1e6, 1e6, "")                                                                                        \
    X(LENGTH, 1e-6, 1e5, "m")                                                                                          \
    X(PITCH, -1e5, 1e5, "m")                                                                                           \
    X(SPACING, 1e-6, 1e6, "")                                                                                          \
    X(ANGLE, -1e8, 1e8, "rad")                                                                                         \
    X(CURVATURE, -1e6, 1e6, "1/m")                                                                                     \
    X(TWIST_RATE, -1e6, 1e6, "rad/m")                                                                                  \
    X(TIME, -1e7, 1e7, "s")                                                                                            \
    X(DURATION, 0, 1e7, "s")                                                                                           \
    X(PERIOD, 1e-9, 1e7, "s")                                                                                          \
    X(FORCE, -1e12, 1e12, "N")                                                                                         \
    X(COUPLE, -1e12, 1e12, "N m")                                                                                      \
    X(VERTICES, SCENE_MIN_VERTICES, SCENE_MAX_VERTICES, "vertices")                                                    \
    X(EDGE, 0, SCENE_MAX_VERTICES - 1, "")                                                                             \
    X(STRANDS, 1, SCENE_MAX_STRANDS, "strands")                                                                        \
    X(KEYS, 1, 1e6, "keys")                                                                                            \
    X(CAP, 1e-3, 3.14159265358979323846, "rad")                                                                        \
    X(SPREAD, 0, 0.35, "")                                                                                             \
    X(SHARE, 0, 1, "")                                                                                                 \
    X(TAPER, 0.02, 1, "")                                                                                              \
    X(STRAND, 0, SCENE_MAX_STRANDS - 1, "")                                                                            \
    X(SECTION, 1e-4, 1, "")                                                                                            \
    X(TAPER_START, 0, 0.99, "")                                                                                        \
    X(PER_AREA, 1e-6, 1e12, "1/m^2")                                                                                   \
    X(LEAN, -6.3, 6.3, "rad")                                                                                          \
    X(GATHER, 2, 1e6, "")                                                                                              \
    X(CURL_RADIUS, 0, 1e3, "m")                                                                                        \
    X(VIEW_ANGLE, 0.01, 2.5, "rad")                                                                                    \
    X(COLOUR, 0, 1, "")                                                                                                \
    X(ROUGHNESS, 0.05, 1, "")                                                                                          \
    X(SHIFT, -0.5, 0.5, "")                                                                                            \
    X(SHINE, 0, 10, "")                                                                                                \
    X(EXPOSURE, 0.01, 100, "")                                                                                         \
    X(LIFT, 1e-5, 100, "m")                                                                                            \
    X(SMOOTH, 0, 100, "m")                                                                                             \
    X(COMB_WEIGHT, 0, 100, "")                                                                                         \
    X(SOFT, 0, 3.14159265358979323846, "rad")                                                                          \
    X(HAIRLINE, -3.14159265358979323846, 3.14159265358979323846, "rad")                                                \
    X(INTERVAL, 0.01, 1e7, "s")                                                                                        \
    X(FRAME, 0, 999999999, "")                                                                                         \
    X(EVERY, 1, 999999999, "")                                                                                         \
    X(CHILDREN, 1, SCENE_MOST_CHILDREN, "")                                                                            \
    X(BLEND, 1, SCENE_MOST_BLEND, "")                                                                                  \
    X(PROFILE, 0.1, 10, "")                                                                                            \
    X(CUT, 0, 0.9, "")                                                                                                 \
    X(SCATTER, 0, 10, "m")                                                                                             \
    X(SIMULATED, 1e-6, 1, "")                                                                                          \
    X(MASS, 0, 1e9, "kg")                                                                                              \
    X(INERTIA, 0, 1e12, "kg m^2")                                                                                      \
    X(SPIN, -1e6, 1e6, "rad/s")                                                                                        \
    X(BODY_DRAG, 0, 1e9, "N s/m")                                                                                      \
    X(AXLE_FRICTION, 0, 1e9, "N m s")                                                                                  \
    X(BRAKE, 0, 1e12, "N m")                                                                                           \
    X(MARGIN, 0, 10, "")                                                                                               \
    X(STIFFENING, 1, 1000, "")                                                                                         \
    X(TOUCH_FRICTION, 0, 10, "")                                                                                       \
    X(TOUCH_SWEEPS, 2, 100000, "")                                                                                     \
    X(SEPARATE, 1e-6, 1e3, "m/s")                                                                                      \
    X(CELL, 1e-5, 1e3, "m")                                                                                            \
    X(FRACTION, 1e-6, 1, "")                                                                                           \
    X(VOLUME_SPEED, 1e-3, 1e3, "m/s")                                                                                  \
    X(RUB, 0, 1e6, "1/s")                                                                                              \
    X(SWEEPS, 1, 1000, "")                                                                                             \
    X(STANDS_FOR, 1e-3, 1e9, "")                                                                                       \
    X(STRETCH, 0, 1e15, "N")                                                                                           \
    X(SEGMENTS, 2, SCENE_MAX_VERTICES - 1, "")                                                                         \
    X(JOINT_STRETCH, 0, 1e15, "N/m")                                                                                   \
    X(JOINT_TURN, 0, 1e15, "N m/rad")                                                                                  \
    X(DAMPING_STEPS, 0, 1000, "")                                                                                      \
    X(REEVED, 0, 1e6, "m")

typedef enum scene_limit_id {
#define SCENE_LIMIT_ENUM(name, least, most, unit) SCENE_LIMIT_##name,
    SCENE_LIMIT_LIST(SCENE_LIMIT_ENUM)
#undef SCENE_LIMIT_ENUM
        SCENE_LIMIT_COUNT
} scene_limit_id;

typedef struct scene_limit {
    double least, most;
    const char *unit;
} scene_limit;

extern const scene_limit scene_limits[SCENE_LIMIT_COUNT];

// What a material's section amounts to must lie in these, whichever way it was given.
#define SCENE_LEAST_STIFFNESS 1e-24 // N m^2
#define SCENE_LEAST_LINE_MASS 1e-15 // kg/m

// Longest name or title, in bytes.
#define SCENE_MAX_NAME 255

// Finite and within the limit, ends included.
bool scene_within(scene_limit_id id, double value);

// Checks of whole definitions: ranges, and what the fields must have in common. Each names what is wrong and how it
// could be right. The motions and materials a strand refers to must be in the scene already.
sheaf_status scene_check_def(const sheaf_scene_def *def);
sheaf_status scene_check_motion(const sheaf_scene *scene, const sheaf_motion_def *def);
sheaf_status scene_check_material(const sheaf_scene *scene, const sheaf_material_def *def);
sheaf_status scene_check_collider(const sheaf_scene *scene, const sheaf_collider_def *def);
sheaf_status scene_check_course(const char *where, const char *name, const sheaf_course *course, scene_limit_id id);
sheaf_status scene_check_cable_step(const sheaf_cable_step *step);
sheaf_status scene_check_reeving(const sheaf_scene *scene, const sheaf_reeving_def *def);
sheaf_status scene_check_winch(const sheaf_scene *scene, const scene_group *cable, const sheaf_winch_def *winch);
sheaf_status scene_check_body(const sheaf_scene *scene, const sheaf_body_def *def);
sheaf_status scene_check_touch(const sheaf_scene *scene, const sheaf_touch_def *def);
sheaf_status scene_check_group(const sheaf_scene *scene, const scene_group *group);

#endif
