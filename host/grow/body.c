// body: distances from meshes, ellipsoids, planes and hills.
#include "grow/body.h"

#include "base/vec.h"
#include "grow/comb.h"

sheaf_status body_open(const grow_surface *surface, grow_body *body)
{
    *body = (grow_body){.surface = surface};
    return surface->kind == GROW_MESH ? mesh_nearest_open(&surface->mesh, &body->nearest) : SHEAF_OK;
}

void body_close(grow_body *body)
{
    mesh_nearest_close(&body->nearest);
    *body = (grow_body){0};
}

// Inside and outside are told by the normal at the nearest point.
static grow_touch touch_mesh(const grow_body *body, const double point[3], uint32_t *last)
{
    const mesh *m = &body->surface->mesh;
    grow_touch touch = {.distance = 0};
    mesh_spot spot = {.triangle = *last};
    double foot[3], arm[3];
    touch.distance = (double)mesh_nearest_from(&body->nearest, point, &spot);
    *last = spot.triangle;
    mesh_point(m, spot.triangle, spot.weights, foot);
    mesh_normal(m, spot.triangle, spot.weights, touch.normal);
    vec_sub(arm, point, foot);
    if (vec_dot(arm, touch.normal) < 0)
        touch.distance = -touch.distance;
    else if (touch.distance > 1e-6)
        vec_scale(touch.normal, arm, 1 / vec_length(arm));
    if (m->comb != NULL)
        comb_of_triangle(m, spot.triangle, spot.weights, touch.comb);
    return touch;
}

// |q/r| (|q/r| - 1) / |q/r^2|
static grow_touch touch_ellipsoid(const grow_surface *s, const double point[3])
{
    grow_touch touch = {.distance = 0};
    double arm[3], way = 0;
    vec_sub(arm, point, s->center);
    for (int c = 0; c < 3; c++) {
        way += arm[c] / s->radii[c] * (arm[c] / s->radii[c]);
        touch.normal[c] = arm[c] / (s->radii[c] * s->radii[c]);
    }
    const double slope = vec_length(touch.normal);
    if (!(slope > 0)) {
        vec_copy(touch.normal, s->up);
        touch.distance = -fmin(s->radii[0], fmin(s->radii[1], s->radii[2]));
        return touch;
    }
    touch.distance = sqrt(way) * (sqrt(way) - 1) / slope;
    vec_scale(touch.normal, touch.normal, 1 / slope);
    return touch;
}

// Height above the ground there, times the normal's share of up.
static grow_touch touch_ground(const grow_surface *s, const double point[3])
{
    grow_touch touch;
    grow_root root = {.face = 0};
    double arm[3];
    vec_sub(arm, point, s->center);
    root.place[0] = fmin(fmax(vec_dot(arm, s->east) / s->size[0] + 0.5, 0), 1);
    root.place[1] = fmin(fmax(vec_dot(arm, s->north) / s->size[1] + 0.5, 0), 1);
    const grow_spot spot = surface_spot(s, &root);
    vec_sub(arm, point, spot.point);
    touch = (grow_touch){.distance = vec_dot(arm, s->up) * vec_dot(spot.normal, s->up)};
    vec_copy(touch.normal, spot.normal);
    return touch;
}

grow_touch body_touch(const grow_body *body, const double point[3], uint32_t *last)
{
    switch (body->surface->kind) {
    case GROW_MESH:
        return touch_mesh(body, point, last);
    case GROW_ELLIPSOID:
        return touch_ellipsoid(body->surface, point);
    case GROW_PLANE:
    case GROW_HEIGHTS:
    default:
        return touch_ground(body->surface, point);
    }
}
