// solids_find: the places at which bodies touch colliders.
#include "couple/solids.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>

// A shape where it is.
typedef struct placed {
    model_collider shape;
    double center[3], axes[3][3]; // m
} placed;

// The shape of a body whose centre of mass and principal axes are these.
static placed place_body(const model_body *body, const rigid_state *pose)
{
    placed p = {.shape = {.kind = body->def.shape.kind}};
    double own[3];
    vec_copy(p.shape.half, body->half);
    vec_sub(own, body->shape_center, body->center);
    model_body_to_own(body->axes, own, own);
    model_body_to_space(pose->axes, own, p.center);
    vec_add(p.center, p.center, pose->center);
    for (int k = 0; k < 3; k++) {
        model_body_to_own(body->axes, body->shape_axes[k], own);
        model_body_to_space(pose->axes, own, p.axes[k]);
    }
    return p;
}

static placed place_obstacle(const solid_obstacle *o, int end)
{
    placed p = {.shape = *o->shape};
    vec_copy(p.center, o->center[end]);
    for (int k = 0; k < 3; k++)
        vec_copy(p.axes[k], o->axes[end][k]);
    return p;
}

static double gap_to(const placed *p, const double point[3], double normal[3])
{
    double own[3];
    vec_sub(own, point, p->center);
    model_body_to_own(p->axes, own, own);
    const double gap = model_collider_gap(&p->shape, own, normal);
    model_body_to_space(p->axes, normal, normal);
    return gap;
}

static void point_of(const placed *p, const double at[3], double point[3])
{
    model_body_to_space(p->axes, at, point);
    vec_add(point, point, p->center);
}

// ---- lists of features

static uint32_t add_corners(const double half[3], solid_kind kind, solid_feature *features)
{
    for (int k = 0; k < 8; k++) {
        features[k] = (solid_feature){.kind = kind};
        for (int c = 0; c < 3; c++)
            features[k].at[c] = k >> c & 1 ? half[c] : -half[c];
    }
    return 8;
}

static uint32_t add_rims(const double half[3], solid_feature *features)
{
    for (int k = 0; k < 8; k++)
        features[k] = (solid_feature){
            .kind = SOLID_RIM, .at = {0, 0, k < 4 ? -half[1] : half[1]}, .radius = half[0], .quarter = k % 4};
    return 8;
}

// Both ends of an axis, and the point of it that is deepest.
static uint32_t add_axis(const double half[3], bool with_deepest, solid_kind point, solid_kind deepest,
                         solid_feature *features)
{
    features[0] = (solid_feature){.kind = point, .at = {0, 0, -half[1]}, .radius = half[0]};
    features[1] = (solid_feature){.kind = point, .at = {0, 0, half[1]}, .radius = half[0]};
    features[2] = (solid_feature){.kind = deepest, .at = {0, 0, half[1]}, .radius = half[0]};
    return with_deepest ? 3 : 2;
}

// Points of a collider that corners and rims of a body may miss.
static uint32_t add_others(const model_collider *collider, solid_feature *features)
{
    if (collider->grid != NULL)
        return 0;
    switch (collider->kind) {
    case SHEAF_COLLIDER_SPHERE:
        features[0] = (solid_feature){.kind = SOLID_OTHER, .radius = collider->half[0]};
        return 1;
    case SHEAF_COLLIDER_CAPSULE:
        return add_axis(collider->half, true, SOLID_OTHER, SOLID_OTHER_AXIS, features);
    case SHEAF_COLLIDER_BOX:
        return add_corners(collider->half, SOLID_OTHER, features);
    default:
        return 0;
    }
}

uint32_t solids_features(const model_body *body, const model_collider *collider, solid_feature *features)
{
    uint32_t count;
    switch (body->def.shape.kind) {
    case SHEAF_COLLIDER_SPHERE:
        features[0] = (solid_feature){.kind = SOLID_POINT, .radius = body->half[0]};
        return 1;
    case SHEAF_COLLIDER_CAPSULE:
        return add_axis(body->half, collider->kind != SHEAF_COLLIDER_PLANE, SOLID_POINT, SOLID_AXIS, features);
    case SHEAF_COLLIDER_BOX:
        count = add_corners(body->half, SOLID_POINT, features);
        break;
    case SHEAF_COLLIDER_CYLINDER:
        count = add_rims(body->half, features);
        break;
    default:
        features[0] = (solid_feature){.kind = SOLID_SUPPORT};
        count = 1;
        break;
    }
    return count + add_others(collider, features + count);
}

// ---- places

// The point of the axis of `axis`, half as long as `half`, that is nearest to `other`, or deepest in it. The distance
// from a convex shape is convex along a line.
static void deepest_on_axis(const placed *axis, double half, const placed *other, double point[3])
{
    enum { STEPS = 80 };
    static const double golden = 0.61803398874989485;
    double low = -half, high = half, normal[3];
    for (int k = 0; k < STEPS; k++) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        double p[3], q[3];
        point_of(axis, (const double[3]){0, 0, a}, p);
        point_of(axis, (const double[3]){0, 0, b}, q);
        if (gap_to(other, p, normal) <= gap_to(other, q, normal))
            high = b;
        else
            low = a;
    }
    point_of(axis, (const double[3]){0, 0, (low + high) / 2}, point);
}

// On the rim, the point that is farthest against the normal, or a quarter of it or more on.
static void point_on_rim(const placed *body, const solid_feature *f, const placed *obstacle, double point[3])
{
    double middle[3], normal[3], along[3], out[3];
    point_of(body, f->at, middle);
    gap_to(obstacle, middle, normal);
    vec_copy(along, body->axes[2]);
    vec_scale(out, normal, -1);
    vec_axpy(out, vec_dot(normal, along), along);
    if (vec_length(out) < 1e-6)
        vec_copy(out, body->axes[0]);
    vec_unit(out, out);
    vec_rotate(out, (const double[3]){out[0], out[1], out[2]}, along, f->quarter * 1.57079632679489662);
    vec_copy(point, middle);
    vec_axpy(point, f->radius, out);
}

// Of an ellipsoid with half axes s the point s^2 n / |s n| is farthest along n.
static void support(const placed *body, const placed *obstacle, double point[3])
{
    double normal[3], own[3], scaled[3];
    gap_to(obstacle, body->center, normal);
    model_body_to_own(body->axes, normal, own);
    for (int c = 0; c < 3; c++)
        scaled[c] = body->shape.half[c] * own[c];
    const double length = vec_length(scaled);
    for (int c = 0; c < 3; c++)
        own[c] = -body->shape.half[c] * scaled[c] / length;
    point_of(body, own, point);
}

// A point of the body, with a ball about it, against the collider.
static solid_spot spot_of_point(const double point[3], double radius, const placed *obstacle)
{
    solid_spot spot;
    spot.gap = gap_to(obstacle, point, spot.normal) - radius;
    vec_copy(spot.place, point);
    vec_axpy(spot.place, -radius, spot.normal);
    return spot;
}

// A point of the collider, with a ball about it, against the body.
static solid_spot spot_of_other(const double point[3], double radius, const placed *body)
{
    solid_spot spot;
    double out[3];
    const double distance = gap_to(body, point, out);
    spot.gap = distance - radius;
    vec_scale(spot.normal, out, -1);
    vec_copy(spot.place, point);
    vec_axpy(spot.place, -distance, out);
    return spot;
}

solid_spot solids_spot(const model_body *body, const rigid_state *pose, const solid_obstacle *obstacle, int end,
                       const solid_feature *f)
{
    const placed own = place_body(body, pose), other = place_obstacle(obstacle, end);
    double point[3];
    switch (f->kind) {
    case SOLID_AXIS:
        deepest_on_axis(&own, f->at[2], &other, point);
        return spot_of_point(point, f->radius, &other);
    case SOLID_RIM:
        point_on_rim(&own, f, &other, point);
        return spot_of_point(point, 0, &other);
    case SOLID_SUPPORT:
        support(&own, &other, point);
        return spot_of_point(point, 0, &other);
    case SOLID_OTHER:
        point_of(&other, f->at, point);
        return spot_of_other(point, f->radius, &own);
    case SOLID_OTHER_AXIS:
        deepest_on_axis(&other, f->at[2], &own, point);
        return spot_of_other(point, f->radius, &own);
    default:
        point_of(&own, f->at, point);
        return spot_of_point(point, f->radius, &other);
    }
}
