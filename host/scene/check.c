// check: what a scene may hold. Every number that enters through the public functions passes here once; later parts
// rely on it.
#include "base/vec.h"
#include "scene/limits.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

// Direction vectors shorter than this have no direction worth trusting.
static const double least_direction = 1e-9;

const scene_limit scene_limits[SCENE_LIMIT_COUNT] = {
#define SCENE_LIMIT_ROW(name, least, most, unit) {least, most, unit},
    SCENE_LIMIT_LIST(SCENE_LIMIT_ROW)
#undef SCENE_LIMIT_ROW
};

bool scene_within(scene_limit_id id, double value)
{
    return value >= scene_limits[id].least && value <= scene_limits[id].most;
}

// ---- building blocks; `where` is the thing the value belongs to, `name` the field

typedef struct checked_field {
    const char *name;
    double value;
    scene_limit_id limit;
} checked_field;

static sheaf_status check_value(const char *where, const char *name, double value, scene_limit_id id)
{
    if (scene_within(id, value))
        return SHEAF_OK;
    const scene_limit *limit = &scene_limits[id];
    const char *space = limit->unit[0] ? " " : "";
    return base_fail(SHEAF_ERR_INPUT, "%s: %s is %.9g%s%s; it must be from %.9g to %.9g%s%s", where, name, value, space,
                     limit->unit, limit->least, limit->most, space, limit->unit);
}

static sheaf_status check_fields(const char *where, const checked_field *fields, size_t count)
{
    for (size_t k = 0; k < count; k++)
        SHEAF_TRY(check_value(where, fields[k].name, fields[k].value, fields[k].limit));
    return SHEAF_OK;
}

static sheaf_status check_vector(const char *where, const char *name, const double vector[3], scene_limit_id id)
{
    for (int c = 0; c < 3; c++)
        SHEAF_TRY(check_value(where, name, vector[c], id));
    return SHEAF_OK;
}

static sheaf_status check_direction(const char *where, const char *name, const double vector[3])
{
    SHEAF_TRY(check_vector(where, name, vector, SCENE_LIMIT_COMPONENT));
    if (vec_length(vector) < least_direction)
        return base_fail(SHEAF_ERR_INPUT, "%s: %s has no length; give a vector that points somewhere", where, name);
    return SHEAF_OK;
}

static sheaf_status check_choice(const char *where, const char *name, unsigned value, unsigned count)
{
    if (value < count)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_INPUT, "%s: %s is %u, which is none of its choices", where, name, value);
}

static unsigned count_methods(void)
{
    unsigned count = 0;
    while (sheaf_method_name(count) != NULL)
        count++;
    return count;
}

static sheaf_status check_name(const char *where, const char *name)
{
    if (name == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: the name is NULL; use \"\" for none", where);
    if (strnlen(name, SCENE_MAX_NAME + 1) > SCENE_MAX_NAME)
        return base_fail(SHEAF_ERR_INPUT, "%s: the name is longer than %d bytes", where, SCENE_MAX_NAME);
    return SHEAF_OK;
}

static sheaf_status check_points(const char *where, const char *name, const double *points, uint32_t count)
{
    if (points == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: %s is NULL; it must hold [%u][3] coordinates", where, name, count);
    for (size_t k = 0; k < 3 * (size_t)count; k++)
        if (!scene_within(SCENE_LIMIT_COORDINATE, points[k]))
            return base_fail(SHEAF_ERR_INPUT, "%s: %s: coordinate %c of vertex %zu is %.9g m; it must be from %g to %g",
                             where, name, "xyz"[k % 3], k / 3, points[k], scene_limits[SCENE_LIMIT_COORDINATE].least,
                             scene_limits[SCENE_LIMIT_COORDINATE].most);
    return SHEAF_OK;
}

// ---- courses

static sheaf_status check_keys(const char *where, const char *name, const sheaf_course *course, scene_limit_id id)
{
    if (course->keys == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: keys of %s is NULL", where, name);
    SHEAF_TRY(check_value(where, name, course->key_count, SCENE_LIMIT_KEYS));
    for (uint32_t k = 0; k < course->key_count; k++) {
        const double *key = course->keys + 2 * (size_t)k;
        SHEAF_TRY(check_value(where, name, key[0], SCENE_LIMIT_TIME));
        SHEAF_TRY(check_value(where, name, key[1], id));
        if (k > 0 && !(key[0] > key[-2]))
            return base_fail(SHEAF_ERR_INPUT, "%s: %s: time of key %u (%.9g s) is not after that of the key before",
                             where, name, k, key[0]);
    }
    return SHEAF_OK;
}

static sheaf_status check_course(const char *where, const char *name, const sheaf_course *course, scene_limit_id id)
{
    SHEAF_TRY(check_choice(where, name, course->kind, SHEAF_COURSE_KEYS + 1));
    if (course->kind == SHEAF_COURSE_KEYS)
        return check_keys(where, name, course, id);
    SHEAF_TRY(check_value(where, name, course->value, id));
    if (course->kind == SHEAF_COURSE_CONSTANT)
        return SHEAF_OK;
    SHEAF_TRY(check_value(where, name, course->start, SCENE_LIMIT_TIME));
    if (course->kind == SHEAF_COURSE_SINE && !scene_within(SCENE_LIMIT_PERIOD, course->duration))
        return base_fail(SHEAF_ERR_INPUT, "%s: %s: the period of a sine is %.9g s; it must be from %g to %g s", where,
                         name, course->duration, scene_limits[SCENE_LIMIT_PERIOD].least,
                         scene_limits[SCENE_LIMIT_PERIOD].most);
    return check_value(where, name, course->duration, SCENE_LIMIT_DURATION);
}

sheaf_status scene_check_course(const char *where, const char *name, const sheaf_course *course, scene_limit_id id)
{
    return check_course(where, name, course, id);
}

static sheaf_status check_courses(const char *where, const char *name, const sheaf_course course[3], scene_limit_id id)
{
    for (int c = 0; c < 3; c++)
        SHEAF_TRY(check_course(where, name, &course[c], id));
    return SHEAF_OK;
}

static bool is_still(const sheaf_course *course)
{
    return course->kind == SHEAF_COURSE_CONSTANT && course->value == 0;
}

// ---- scene, motions, materials

sheaf_status scene_check_def(const sheaf_scene_def *def)
{
    const checked_field fields[] = {
        {"step", def->step, SCENE_LIMIT_STEP},
        {"end", def->end, SCENE_LIMIT_END},
        {"frame_rate", def->frame_rate, SCENE_LIMIT_FRAME_RATE},
        {"newton", def->newton, SCENE_LIMIT_NEWTON},
        {"gust", def->gust, SCENE_LIMIT_GUST},
        {"gust_scale", def->gust_scale, SCENE_LIMIT_LENGTH},
        {"projection_tolerance", def->projection_tolerance, SCENE_LIMIT_TOLERANCE},
        {"relaxation", def->relaxation, SCENE_LIMIT_RELAXATION},
        {"projection_iterations", def->projection_iterations, SCENE_LIMIT_PROJECTIONS},
        {"checkpoint_interval", def->checkpoint_interval, SCENE_LIMIT_INTERVAL},
    };
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_scene_def"));
    SHEAF_TRY(check_name("scene", def->title));
    SHEAF_TRY(check_fields("scene", fields, COUNT_OF(fields)));
    SHEAF_TRY(check_choice("scene", "trajectory_with", def->trajectory_with, SHEAF_TRAJECTORY_DIRECTOR + 1));
    SHEAF_TRY(check_vector("scene", "gravity", def->gravity, SCENE_LIMIT_ACCELERATION));
    SHEAF_TRY(check_vector("scene", "wind", def->wind, SCENE_LIMIT_SPEED));
    SHEAF_TRY(check_choice("scene", "integrator", def->integrator, SHEAF_INTEGRATOR_EXPLICIT + 1));
    SHEAF_TRY(check_choice("scene", "projector", def->projector, SHEAF_PROJECTOR_RED_BLACK + 1));
    SHEAF_TRY(check_choice("scene", "gradients", def->gradients, SHEAF_GRADIENTS_ITERATE + 1));
    return check_choice("scene", "precision", def->precision, SHEAF_PRECISION_DOUBLE + 1);
}

static sheaf_status check_poses(const char *where, const sheaf_motion_def *def)
{
    if (def->pose_count > 0 && def->poses == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: poses is NULL, pose_count %u", where, def->pose_count);
    for (uint32_t k = 0; k < def->pose_count; k++) {
        const double *pose = def->poses + SCENE_POSE_SIZE * (size_t)k;
        double square = 0;
        SHEAF_TRY(check_value(where, "time of a pose", pose[0], SCENE_LIMIT_TIME));
        SHEAF_TRY(check_vector(where, "displacement of a pose", pose + 1, SCENE_LIMIT_COORDINATE));
        for (int c = 4; c < 8; c++) {
            SHEAF_TRY(check_value(where, "rotation of a pose", pose[c], SCENE_LIMIT_COMPONENT));
            square += pose[c] * pose[c];
        }
        if (sqrt(square) < least_direction)
            return base_fail(SHEAF_ERR_INPUT, "%s: the rotation of pose %u is 0; it must be a quaternion", where, k);
        const bool jumps = def->jumps != NULL && def->jumps[k];
        if (jumps && (k == 0 || !(pose[0] > 0)))
            return base_fail(SHEAF_ERR_INPUT, "%s: a jump to pose %u, at %.9g s; jumps come after time 0 and a pose",
                             where, k, pose[0]);
        if (k > 0 && !(jumps ? pose[0] >= pose[-SCENE_POSE_SIZE] : pose[0] > pose[-SCENE_POSE_SIZE]))
            return base_fail(SHEAF_ERR_INPUT, "%s: time of pose %u (%.9g s) is not after that of the pose before",
                             where, k, pose[0]);
    }
    return SHEAF_OK;
}

sheaf_status scene_check_motion(const sheaf_scene *scene, const sheaf_motion_def *def)
{
    char where[320];
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_motion_def"));
    SHEAF_TRY(check_name("motion", def->name));
    snprintf(where, sizeof where, "motion %u '%s'", scene->motion_count, def->name);
    for (uint32_t k = 0; k < scene->motion_count && def->name[0]; k++)
        if (strcmp(scene->motions[k].name, def->name) == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s: motion %u has this name already", where, k);
    SHEAF_TRY(check_vector(where, "anchor", def->anchor, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_direction(where, "axis", def->axis));
    SHEAF_TRY(check_poses(where, def));
    SHEAF_TRY(check_course(where, "turn", &def->turn, SCENE_LIMIT_ANGLE));
    return check_courses(where, "move", def->move, SCENE_LIMIT_COORDINATE);
}

static sheaf_status check_section(const char *where, const sheaf_material_def *def)
{
    const scene_section section = scene_material_section(def);
    if (!(section.line_mass >= SCENE_LEAST_LINE_MASS))
        return base_fail(SHEAF_ERR_INPUT, "%s: has no mass; give density and radius, or line_mass", where);
    if (!(section.bend[0] >= SCENE_LEAST_STIFFNESS && section.bend[1] >= SCENE_LEAST_STIFFNESS))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s: bending stiffnesses are %.3g and %.3g N m^2, below %g: give young and radius, or bend",
                         where, section.bend[0], section.bend[1], SCENE_LEAST_STIFFNESS);
    if (!(section.twist >= SCENE_LEAST_STIFFNESS))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s: twisting stiffness is %.3g N m^2, below %g: give shear and radius, or twist", where,
                         section.twist, SCENE_LEAST_STIFFNESS);
    const checked_field derived[] = {
        {"bending stiffness", section.bend[0], SCENE_LIMIT_STIFFNESS},
        {"bending stiffness", section.bend[1], SCENE_LIMIT_STIFFNESS},
        {"twisting stiffness", section.twist, SCENE_LIMIT_STIFFNESS},
        {"mass per length", section.line_mass, SCENE_LIMIT_LINE_MASS},
    };
    return check_fields(where, derived, COUNT_OF(derived));
}

sheaf_status scene_check_material(const sheaf_scene *scene, const sheaf_material_def *def)
{
    const checked_field fields[] = {
        {"density", def->density, SCENE_LIMIT_DENSITY},
        {"young", def->young, SCENE_LIMIT_MODULUS},
        {"shear", def->shear, SCENE_LIMIT_MODULUS},
        {"radius", def->radius[0], SCENE_LIMIT_SECTION_RADIUS},
        {"radius", def->radius[1], SCENE_LIMIT_SECTION_RADIUS},
        {"bend", def->bend[0], SCENE_LIMIT_STIFFNESS},
        {"bend", def->bend[1], SCENE_LIMIT_STIFFNESS},
        {"twist", def->twist, SCENE_LIMIT_STIFFNESS},
        {"line_mass", def->line_mass, SCENE_LIMIT_LINE_MASS},
        {"drag", def->drag, SCENE_LIMIT_DRAG},
        {"slip", def->slip, SCENE_LIMIT_SLIP},
        {"damping", def->damping, SCENE_LIMIT_DAMPING},
    };
    char where[320];
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_material_def"));
    SHEAF_TRY(check_name("material", def->name));
    snprintf(where, sizeof where, "material %u '%s'", scene->material_count, def->name);
    for (uint32_t k = 0; k < scene->material_count && def->name[0]; k++)
        if (strcmp(scene->materials[k].name, def->name) == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s: material %u has this name already", where, k);
    SHEAF_TRY(check_fields(where, fields, COUNT_OF(fields)));
    return check_section(where, def);
}

// ---- colliders

// How many of its sizes a kind of collider has.
static int size_count(sheaf_collider_kind kind)
{
    static const int counts[] = {
        [SHEAF_COLLIDER_SPHERE] = 1, [SHEAF_COLLIDER_CAPSULE] = 2,   [SHEAF_COLLIDER_PLANE] = 0,
        [SHEAF_COLLIDER_BOX] = 3,    [SHEAF_COLLIDER_ELLIPSOID] = 3, [SHEAF_COLLIDER_CYLINDER] = 2};
    return counts[kind];
}

static bool deforms(const sheaf_scene *scene, int32_t motion)
{
    return motion >= 0 && scene->sequences[motion] != NULL;
}

sheaf_status scene_check_collider(const sheaf_scene *scene, const sheaf_collider_def *def)
{
    char where[64];
    double across[3];
    snprintf(where, sizeof where, "collider %u", scene->collider_count);
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_collider_def"));
    SHEAF_TRY(check_choice(where, "kind", def->kind, SHEAF_COLLIDER_CYLINDER + 1));
    SHEAF_TRY(check_vector(where, "center", def->center, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_direction(where, "axis", def->axis));
    SHEAF_TRY(check_vector(where, "side", def->side, SCENE_LIMIT_COMPONENT));
    vec_cross(across, def->axis, def->side);
    if (vec_length(def->side) > 0 && vec_length(across) < 1e-6 * vec_length(def->side) * vec_length(def->axis))
        return base_fail(SHEAF_ERR_INPUT, "%s: side points along axis; turn it, or leave it 0", where);
    for (int c = 0; c < size_count(def->kind); c++)
        SHEAF_TRY(check_value(where, "size", def->size[c], SCENE_LIMIT_LENGTH));
    SHEAF_TRY(check_value(where, "friction", def->friction, SCENE_LIMIT_FRICTION));
    if (def->motion < -1 || def->motion >= (int64_t)scene->motion_count)
        return base_fail(SHEAF_ERR_INPUT, "%s: motion %d is not in the scene; -1 stands for none", where, def->motion);
    if (deforms(scene, def->motion))
        return base_fail(SHEAF_ERR_INPUT, "%s: motion '%s' is a deforming mesh, which only roots can follow", where,
                         scene->motions[def->motion].name);
    return SHEAF_OK;
}

// ---- bodies

// A solid has no moment above the sum of the two others; rounding is forgiven.
static sheaf_status check_inertia(const char *where, const double inertia[3])
{
    for (int c = 0; c < 3; c++) {
        const double own = inertia[c], others = inertia[(c + 1) % 3] + inertia[(c + 2) % 3];
        if (!(own > 0))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: a moment of inertia is %.3g kg m^2; all three must be above 0. Give a shape, or make "
                             "the body fixed",
                             where, own);
        if (own > others * (1 + 1e-9))
            return base_fail(
                SHEAF_ERR_INPUT,
                "%s: moment of inertia %d, %.6g kg m^2, is above the sum of the two others, %.6g: no solid "
                "has that; check their order and units",
                where, c + 1, own, others);
    }
    return SHEAF_OK;
}

static sheaf_status check_body_mass(const char *where, const sheaf_body_def *def)
{
    const bool has_inertia = def->inertia[0] != 0 || def->inertia[1] != 0 || def->inertia[2] != 0;
    const bool is_free = !def->is_fixed && def->motion < 0;
    if (def->mass == 0 && def->density > 0 && !def->has_shape)
        return base_fail(SHEAF_ERR_INPUT, "%s: density needs a shape; give one, or mass and inertia", where);
    if (is_free && !(def->mass > 0 || def->density > 0))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s: has no mass; give mass and inertia, or a shape and density, or make it fixed", where);
    if (is_free && !has_inertia && !def->has_shape)
        return base_fail(SHEAF_ERR_INPUT, "%s: has no inertia; give inertia, or a shape, or make it fixed", where);
    return has_inertia ? check_inertia(where, def->inertia) : SHEAF_OK;
}

static sheaf_status check_axle(const char *where, const sheaf_body_def *def)
{
    const sheaf_axle_def *axle = &def->axle;
    if (!axle->is_there)
        return SHEAF_OK;
    if (def->is_fixed || def->motion >= 0)
        return base_fail(SHEAF_ERR_INPUT, "%s: it is fixed or follows a motion and has an axle; remove one of them",
                         where);
    SHEAF_TRY(check_direction(where, "axle", axle->axis));
    SHEAF_TRY(check_value(where, "friction of the axle", axle->friction, SCENE_LIMIT_AXLE_FRICTION));
    SHEAF_TRY(check_value(where, "brake of the axle", axle->brake, SCENE_LIMIT_BRAKE));
    SHEAF_TRY(check_course(where, "torque of the axle", &axle->torque, SCENE_LIMIT_COUPLE));
    return check_course(where, "speed of the axle", &axle->speed, SCENE_LIMIT_SPIN);
}

static sheaf_status check_body_shape(const char *where, const sheaf_body_def *def)
{
    if (!def->has_shape && def->collides)
        return base_fail(SHEAF_ERR_INPUT, "%s: collides and has no shape; give it one", where);
    if (!def->has_shape)
        return SHEAF_OK;
    SHEAF_TRY(check_choice(where, "shape", def->shape.kind, SHEAF_COLLIDER_CYLINDER + 1));
    if (def->shape.kind == SHEAF_COLLIDER_PLANE)
        return base_fail(SHEAF_ERR_INPUT, "%s: a body is no plane; give a box", where);
    SHEAF_TRY(check_vector(where, "center of its shape", def->shape.center, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_direction(where, "axis of its shape", def->shape.axis));
    for (int c = 0; c < size_count(def->shape.kind); c++)
        SHEAF_TRY(check_value(where, "size", def->shape.size[c], SCENE_LIMIT_LENGTH));
    return SHEAF_OK;
}

static sheaf_status check_body_name(const sheaf_scene *scene, const char *where, const char *name)
{
    for (uint32_t k = 0; k < scene->body_count && name[0]; k++)
        if (strcmp(scene->bodies[k].name, name) == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s: body %u has this name already", where, k);
    for (uint32_t k = 0; k < scene->motion_count && name[0]; k++)
        if (strcmp(scene->motions[k].name, name) == 0)
            return base_fail(SHEAF_ERR_INPUT, "%s: a motion has this name already; ends could mean either", where);
    return SHEAF_OK;
}

sheaf_status scene_check_body(const sheaf_scene *scene, const sheaf_body_def *def)
{
    char where[320];
    SHEAF_TRY(base_check_cookie(def->cookie, "sheaf_body_def"));
    SHEAF_TRY(check_name("body", def->name));
    snprintf(where, sizeof where, "body '%s'", def->name);
    SHEAF_TRY(check_body_name(scene, where, def->name));
    const checked_field fields[] = {
        {"mass", def->mass, SCENE_LIMIT_MASS},
        {"density", def->density, SCENE_LIMIT_DENSITY},
        {"turn", def->turn, SCENE_LIMIT_ANGLE},
        {"drag", def->drag, SCENE_LIMIT_BODY_DRAG},
    };
    SHEAF_TRY(check_fields(where, fields, COUNT_OF(fields)));
    SHEAF_TRY(check_vector(where, "at", def->at, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_direction(where, "turn_axis", def->turn_axis));
    SHEAF_TRY(check_vector(where, "inertia", def->inertia, SCENE_LIMIT_INERTIA));
    SHEAF_TRY(check_vector(where, "velocity", def->velocity, SCENE_LIMIT_SPEED));
    SHEAF_TRY(check_vector(where, "spin", def->spin, SCENE_LIMIT_SPIN));
    SHEAF_TRY(check_courses(where, "force", def->force, SCENE_LIMIT_FORCE));
    SHEAF_TRY(check_courses(where, "torque", def->torque, SCENE_LIMIT_COUPLE));
    if (def->motion < -1 || def->motion >= (int64_t)scene->motion_count)
        return base_fail(SHEAF_ERR_INPUT, "%s: motion %d is not in the scene; -1 stands for none", where, def->motion);
    if (deforms(scene, def->motion))
        return base_fail(SHEAF_ERR_INPUT, "%s: motion '%s' is a deforming mesh, which only roots can follow", where,
                         scene->motions[def->motion].name);
    SHEAF_TRY(check_body_shape(where, def));
    SHEAF_TRY(check_axle(where, def));
    return check_body_mass(where, def);
}

// ---- strands

static sheaf_status check_end(const sheaf_scene *scene, const char *where, const sheaf_end_def *end)
{
    if (end->motion < -1 || end->motion >= (int64_t)scene->motion_count)
        return base_fail(SHEAF_ERR_INPUT, "%s: motion %d is not in the scene; -1 stands for none", where, end->motion);
    if (end->slide && !end->hold_position)
        return base_fail(SHEAF_ERR_INPUT, "%s: slides without being held; hold its position too", where);
    if (end->slide)
        SHEAF_TRY(check_direction(where, "slide_axis", end->slide_axis));
    SHEAF_TRY(check_courses(where, "move", end->move, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_course(where, "turn", &end->turn, SCENE_LIMIT_ANGLE));
    if (!is_still(&end->turn))
        SHEAF_TRY(check_direction(where, "turn_axis", end->turn_axis));
    SHEAF_TRY(check_course(where, "twist", &end->twist, SCENE_LIMIT_ANGLE));
    SHEAF_TRY(check_courses(where, "force", end->force, SCENE_LIMIT_FORCE));
    return check_courses(where, "couple", end->couple, SCENE_LIMIT_COUPLE);
}

static bool is_loaded(const sheaf_end_def *end)
{
    bool loaded = false;
    for (int c = 0; c < 3; c++)
        loaded = loaded || !is_still(&end->force[c]) || !is_still(&end->couple[c]);
    return loaded;
}

static bool is_held(const sheaf_end_def *end)
{
    return end->hold_position || end->hold_tangent || end->hold_angle;
}

static bool jumps(const sheaf_scene *scene, const sheaf_end_def *end)
{
    return end->motion >= 0 && is_held(end) && scene->motions[end->motion].jumps != NULL;
}

// A strand that jumps keeps its shape: all that holds it jumps along, and nothing else moves its ends.
static sheaf_status check_jumps(const sheaf_scene *scene, const char *where, const sheaf_strand_def *def)
{
    const sheaf_end_def *ends[2] = {&def->root, &def->tip};
    for (int k = 0; k < 2; k++) {
        const sheaf_end_def *end = ends[k], *other = ends[1 - k];
        if (!jumps(scene, end))
            continue;
        const char *name = scene->motions[end->motion].name;
        if (is_held(other) && other->motion != end->motion)
            return base_fail(
                SHEAF_ERR_INPUT,
                "%s: one end follows motion '%s', which jumps, and the other does not; let both follow it, "
                "or free one",
                where, name);
        if (end->slide || !is_still(&end->turn) || !is_still(&end->move[0]) || !is_still(&end->move[1]) ||
            !is_still(&end->move[2]))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: the %s slides or has a course of its own and follows motion '%s', which jumps; put "
                             "the course into the motion, or take the jump out",
                             where, k == 0 ? "root" : "tip", name);
    }
    return SHEAF_OK;
}

static sheaf_status check_ends(const sheaf_scene *scene, const char *where, const sheaf_strand_def *def)
{
    const sheaf_end_def *ends[2] = {&def->root, &def->tip};
    for (int k = 0; k < 2; k++) {
        char end_where[64];
        snprintf(end_where, sizeof end_where, "%s, %s", where, k == 0 ? "root" : "tip");
        SHEAF_TRY(check_end(scene, end_where, ends[k]));
        if (k == 1 && deforms(scene, ends[k]->motion))
            return base_fail(SHEAF_ERR_INPUT, "%s: motion '%s' is a deforming mesh, which only roots can follow",
                             end_where, scene->motions[ends[k]->motion].name);
        if (scene_is_closed(def) &&
            (ends[k]->hold_position || ends[k]->hold_tangent || ends[k]->hold_angle || is_loaded(ends[k])))
            return base_fail(SHEAF_ERR_INPUT, "%s: a closed strand has no ends to hold or load; make both free", where);
    }
    if (def->root.hold_tangent && def->tip.hold_tangent && def->vertex_count < 5)
        return base_fail(SHEAF_ERR_INPUT,
                         "%s: with both end edges held, %u vertices leave none to move; take 5 or more", where,
                         def->vertex_count);
    return SHEAF_OK;
}

static sheaf_status check_holds(const char *where, const sheaf_strand_def *def)
{
    const uint32_t edges = scene_edge_count(def);
    const uint32_t first = scene_is_closed(def) ? 0 : 1, last = scene_is_closed(def) ? edges - 1 : edges - 2;
    if (def->hold_count > 0 && def->holds == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: holds is NULL, hold_count %u", where, def->hold_count);
    for (uint32_t k = 0; k < def->hold_count; k++) {
        const sheaf_hold_def *hold = &def->holds[k];
        if (hold->edge < first || hold->edge > last)
            return base_fail(SHEAF_ERR_INPUT, "%s: hold %u is at edge %u; inner edges are %u to %u", where, k,
                             hold->edge, first, last);
        if (k > 0 && hold->edge <= hold[-1].edge)
            return base_fail(SHEAF_ERR_INPUT, "%s: hold %u is at edge %u; holds must be listed by increasing edge",
                             where, k, hold->edge);
        SHEAF_TRY(check_course(where, "twist of a held frame", &hold->twist, SCENE_LIMIT_ANGLE));
    }
    return SHEAF_OK;
}

// What a joint asks of the end that it is at.
static sheaf_status check_joint_end(const char *where, const sheaf_joint_def *joint, const sheaf_end_def *end)
{
    const bool is_weld = joint->kind == SHEAF_JOINT_WELD;
    if (!end->hold_position || end->hold_tangent != is_weld || end->hold_angle != is_weld || end->slide)
        return base_fail(SHEAF_ERR_INPUT, "%s: the end at a %s must be %s, and not slide", where,
                         is_weld ? "weld" : "ball joint", is_weld ? "clamped" : "pinned");
    if (end->motion >= 0 || is_loaded(end) || !is_still(&end->turn) || !is_still(&end->twist) ||
        !is_still(&end->move[0]) || !is_still(&end->move[1]) || !is_still(&end->move[2]))
        return base_fail(SHEAF_ERR_INPUT,
                         "%s: an end on a body goes where the body goes; let the body follow or load it instead",
                         where);
    return SHEAF_OK;
}

enum { LEAST_APART = 3 }; // edges from one joint to the next: a vertex between them is free

static sheaf_status check_joints(const sheaf_scene *scene, const char *where, const scene_group *group)
{
    const sheaf_strand_def *def = &group->strand;
    const uint32_t edges = scene_edge_count(def);
    if (group->joint_count > 0 && group->joints == NULL)
        return base_fail(SHEAF_ERR_USAGE, "%s: joints is NULL, joint_count %u", where, group->joint_count);
    if (group->joint_count > 0 && scene_is_closed(def))
        return base_fail(SHEAF_ERR_INPUT, "%s: a closed strand cannot be fixed to a body yet; leave it open", where);
    for (uint32_t k = 0; k < group->joint_count; k++) {
        const sheaf_joint_def *joint = &group->joints[k];
        const bool is_end = joint->edge == 0 || joint->edge == edges - 1;
        SHEAF_TRY(check_choice(where, "kind of a joint", joint->kind, SHEAF_JOINT_BALL + 1));
        if (joint->body >= scene->body_count)
            return base_fail(SHEAF_ERR_INPUT, "%s: body %u is not in the scene; add it before the strand", where,
                             joint->body);
        if (joint->edge >= edges || (k > 0 && joint->edge <= joint[-1].edge))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: joint %u is at edge %u; edges are 0 to %u, and joints are listed by increasing edge",
                             where, k, joint->edge, edges - 1);
        if (k > 0 && joint->edge < joint[-1].edge + LEAST_APART)
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: edges %u and %u are both on bodies, with no free vertex between; leave at least %d "
                             "edges from one to the next",
                             where, joint[-1].edge, joint->edge, LEAST_APART);
        if (!is_end && ((is_held(&def->root) && joint->edge < LEAST_APART) ||
                        (is_held(&def->tip) && joint->edge + LEAST_APART > edges - 1)))
            return base_fail(SHEAF_ERR_INPUT,
                             "%s: edge %u is on a body, with no free vertex between it and a held end; leave at least "
                             "%d edges",
                             where, joint->edge, LEAST_APART);
        if (joint->kind == SHEAF_JOINT_BALL && !is_end)
            return base_fail(SHEAF_ERR_INPUT, "%s: a ball joint is at an end; weld edge %u", where, joint->edge);
        if (is_end)
            SHEAF_TRY(check_joint_end(where, joint, joint->edge == 0 ? &def->root : &def->tip));
    }
    return SHEAF_OK;
}

// A normal that is given must have a part across the direction.
static sheaf_status check_normal(const char *where, const sheaf_strand_def *def)
{
    double across[3];
    vec_cross(across, def->direction, def->normal);
    const double given = vec_length(def->normal);
    if (given > 0 && vec_length(across) < 1e-6 * given * vec_length(def->direction))
        return base_fail(SHEAF_ERR_INPUT, "%s: normal points along direction; turn it, or leave it 0", where);
    return SHEAF_OK;
}

// Straight, helix, circle, arc: what each needs.
static sheaf_status check_curve(const char *where, const sheaf_strand_def *def)
{
    const bool is_round = def->shape != SHEAF_SHAPE_STRAIGHT;
    SHEAF_TRY(check_vector(where, "origin", def->origin, SCENE_LIMIT_COORDINATE));
    SHEAF_TRY(check_direction(where, "direction", def->direction));
    SHEAF_TRY(check_normal(where, def));
    if (def->shape != SHEAF_SHAPE_CIRCLE)
        SHEAF_TRY(check_value(where, "length", def->length, SCENE_LIMIT_LENGTH));
    if (is_round)
        SHEAF_TRY(check_value(where, "radius", def->radius, SCENE_LIMIT_LENGTH));
    if (def->shape == SHEAF_SHAPE_HELIX)
        SHEAF_TRY(check_value(where, "pitch", def->pitch, SCENE_LIMIT_PITCH));
    if (scene_is_closed(def) && def->shape != SHEAF_SHAPE_CIRCLE)
        return base_fail(SHEAF_ERR_INPUT, "%s: only a circle or points can be closed", where);
    for (uint32_t j = 0; def->spacing != NULL && j < scene_edge_count(def); j++)
        SHEAF_TRY(check_value(where, "spacing", def->spacing[j], SCENE_LIMIT_SPACING));
    return SHEAF_OK;
}

static sheaf_status check_natural(const char *where, const sheaf_strand_def *def)
{
    const checked_field fields[] = {
        {"natural_curvature", def->natural_curvature[0], SCENE_LIMIT_CURVATURE},
        {"natural_curvature", def->natural_curvature[1], SCENE_LIMIT_CURVATURE},
        {"natural_twist", def->natural_twist, SCENE_LIMIT_TWIST_RATE},
        {"closing_twist", def->closing_twist, SCENE_LIMIT_ANGLE},
    };
    SHEAF_TRY(check_choice(where, "natural", def->natural, SHEAF_NATURAL_SAG_FREE + 1));
    SHEAF_TRY(check_fields(where, fields, COUNT_OF(fields)));
    if (def->natural == SHEAF_NATURAL_POINTS)
        SHEAF_TRY(check_points(where, "natural_points", def->natural_points, def->vertex_count));
    if (def->closing_twist != 0 && !scene_is_closed(def))
        return base_fail(SHEAF_ERR_INPUT, "%s: closing_twist needs a closed strand", where);
    return SHEAF_OK;
}

static sheaf_status check_strand(const sheaf_scene *scene, const char *where, const sheaf_strand_def *def)
{
    SHEAF_TRY(check_choice(where, "method", def->method, count_methods()));
    SHEAF_TRY(check_choice(where, "shape", def->shape, SHEAF_SHAPE_ARC + 1));
    SHEAF_TRY(check_value(where, "vertex_count", def->vertex_count, SCENE_LIMIT_VERTICES));
    SHEAF_TRY(check_vector(where, "normal", def->normal, SCENE_LIMIT_COMPONENT));
    SHEAF_TRY(check_value(where, "taper", def->taper, SCENE_LIMIT_TAPER));
    SHEAF_TRY(check_value(where, "taper_start", def->taper_start, SCENE_LIMIT_TAPER_START));
    if (def->taper < 1 && scene_is_closed(def))
        return base_fail(SHEAF_ERR_INPUT, "%s: a closed strand has no tip to taper towards", where);
    if (def->shape == SHEAF_SHAPE_POINTS)
        SHEAF_TRY(check_points(where, "points", def->points, def->vertex_count));
    else
        SHEAF_TRY(check_curve(where, def));
    SHEAF_TRY(check_natural(where, def));
    SHEAF_TRY(check_ends(scene, where, def));
    SHEAF_TRY(check_jumps(scene, where, def));
    return check_holds(where, def);
}

static sheaf_status check_groom(const sheaf_scene *scene, const char *where, const scene_group *group)
{
    const grow_def *def = &group->grown->def;
    const checked_field fields[] = {
        {"count", def->count, SCENE_LIMIT_STRANDS},
        {"vertices", def->vertices, SCENE_LIMIT_VERTICES},
        {"length", def->length, SCENE_LIMIT_LENGTH},
        {"spread", def->length_spread, SCENE_LIMIT_SPREAD},
        {"curl", def->curl_pitch, SCENE_LIMIT_PITCH},
        {"curl", def->curl_radius, SCENE_LIMIT_CURL_RADIUS},
        {"spread", def->curl_spread, SCENE_LIMIT_SPREAD},
        {"spread", def->radius_spread, SCENE_LIMIT_SPREAD},
        {"spread", def->stiffness_spread, SCENE_LIMIT_SPREAD},
    };
    SHEAF_TRY(check_fields(where, fields, COUNT_OF(fields)));
    if (def->curl_radius > 0 && fabs(def->curl_pitch) < scene_limits[SCENE_LIMIT_LENGTH].least)
        return base_fail(SHEAF_ERR_INPUT, "%s: a curl needs a pitch of at least %g m", where,
                         scene_limits[SCENE_LIMIT_LENGTH].least);
    if (group->strand.natural == SHEAF_NATURAL_POINTS)
        return base_fail(SHEAF_ERR_INPUT, "%s: a groom's strands differ; natural points are for single strands", where);
    sheaf_strand_def grown = group->strand; // what the groom gives its strands stands in for what it generates
    grown.shape = SHEAF_SHAPE_STRAIGHT;
    grown.vertex_count = def->vertices;
    grown.length = def->length;
    grown.spacing = NULL;
    return check_strand(scene, where, &grown);
}

// Every strand of a bunch within its limits; what they share is checked on the one with the fewest vertices.
static sheaf_status check_bunch(const sheaf_scene *scene, const char *where, const scene_group *group)
{
    const scene_bunch *bunch = group->bunch;
    sheaf_strand_def fewest = group->strand;
    fewest.shape = SHEAF_SHAPE_STRAIGHT;
    fewest.length = 1;
    fewest.spacing = NULL;
    fewest.vertex_count = SCENE_MAX_VERTICES;
    if (group->strand.natural == SHEAF_NATURAL_POINTS)
        return base_fail(SHEAF_ERR_INPUT, "%s: strands of a file differ; natural points are for single strands", where);
    for (uint32_t k = 0; k < bunch->count; k++) {
        const sheaf_strand_def strand = scene_group_strand(group, k);
        char which[64];
        snprintf(which, sizeof which, "strand %llu", (unsigned long long)scene->strand_count + k);
        SHEAF_TRY(check_value(which, "vertex_count", strand.vertex_count, SCENE_LIMIT_VERTICES));
        SHEAF_TRY(check_points(which, "points", strand.points, strand.vertex_count));
        if (strand.vertex_count < fewest.vertex_count)
            fewest.vertex_count = strand.vertex_count;
    }
    return check_strand(scene, where, &fewest);
}

// Edges of the strand that has fewest.
static uint32_t fewest_edges(const scene_group *group)
{
    uint32_t fewest = SCENE_MAX_VERTICES;
    if (group->section_count == 0 || (group->bunch == NULL && group->grown == NULL))
        return scene_edge_count(&group->strand);
    for (uint32_t k = 0; k < (group->bunch != NULL ? scene_group_size(group) : 1); k++) {
        const sheaf_strand_def strand = scene_group_strand(group, k);
        fewest = strand.vertex_count - 1 < fewest ? strand.vertex_count - 1 : fewest;
    }
    return fewest;
}

// What reckons with laws: strands of one material that no body holds, by the first method.
static sheaf_status check_law(const sheaf_scene *scene, const char *where, const scene_group *group)
{
    const char *besides = group->strand.method != 0 ? "is a cable"
                          : group->joint_count > 0  ? "is fixed to a body"
                                                    : "has sections or stiffness of its own";
    bool has_law = scene->laws[group->strand.material] != NULL;
    for (uint32_t k = 0; k < group->section_count; k++)
        has_law = has_law || scene->laws[group->sections[k].material] != NULL;
    const law *own = scene->laws[group->strand.material]; // NULL: only a section has one
    if (own != NULL && law_friction_of(own).stiffness > 0 &&
        (scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT || scene->materials[group->strand.material].damping > 0))
        return base_fail(SHEAF_ERR_INPUT, "%s: the law of its material has friction, and %s; %s", where,
                         scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT ? "steps are explicit" : "it has damping",
                         scene->def.integrator == SHEAF_INTEGRATOR_EXPLICIT
                             ? "take integrator: bdf2 or euler"
                             : "leave out damping: friction takes energy away by itself");
    if (!has_law || (group->strand.method == 0 && group->joint_count == 0 && group->section_count == 0 &&
                     group->vertex_bend == NULL))
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_INPUT,
                     "%s: its material has a law, and it %s, which cannot be both yet; take a linear material", where,
                     besides);
}

sheaf_status scene_check_group(const sheaf_scene *scene, const scene_group *group)
{
    const uint64_t before = scene->strand_count, added = scene_group_size(group);
    char where[40];
    snprintf(where, sizeof where, "%s %llu",
             group->bunch != NULL   ? "file from strand"
             : group->grown != NULL ? "groom from strand"
                                    : "strand",
             (unsigned long long)before);
    SHEAF_TRY(base_check_cookie(group->strand.cookie, "sheaf_strand_def"));
    if (before + added > SCENE_MAX_STRANDS)
        return base_fail(SHEAF_ERR_LIMIT, "%s: a scene holds at most %d strands", where, SCENE_MAX_STRANDS);
    if (scene->vertex_count + scene_group_vertices(group) > SCENE_MAX_ALL_VERTICES)
        return base_fail(SHEAF_ERR_LIMIT, "%s: a scene holds at most %d vertices", where, SCENE_MAX_ALL_VERTICES);
    if (group->strand.material >= scene->material_count)
        return base_fail(SHEAF_ERR_INPUT, "%s: material %u is not in the scene; add it before the strand", where,
                         group->strand.material);
    SHEAF_TRY(check_joints(scene, where, group));
    if (group->bunch != NULL)
        SHEAF_TRY(check_bunch(scene, where, group));
    else
        SHEAF_TRY(group->grown != NULL ? check_groom(scene, where, group) : check_strand(scene, where, &group->strand));
    SHEAF_TRY(scene_check_sections(scene, where, group, fewest_edges(group)));
    return check_law(scene, where, group);
}
