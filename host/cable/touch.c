// touch: contact of cables with colliders.
#include "cable/touch.h"

#include "base/vec.h"
#include "world/world.h"

#include <math.h>

// A collider at both ends of a step.
typedef struct obstacle {
    const model_collider *shape;
    double center[2][3], axes[2][3][3];
} obstacle;

// Where contact is looked for, and what is found.
typedef struct search {
    const cable_groups *g;
    cable_group *group;
    obstacle obstacle;
    sheaf_status status;
} search;

// ---- one contact

// Velocity of a collider's material at a point, m/s.
static void obstacle_velocity(const obstacle *o, double step, const double point[3], double velocity[3])
{
    double arm[3], own[3], before[3];
    vec_sub(arm, point, o->center[1]);
    model_body_to_own(o->axes[1], arm, own);
    model_body_to_space(o->axes[0], own, before);
    vec_add(before, before, o->center[0]);
    vec_sub(velocity, point, before);
    vec_scale(velocity, velocity, 1 / step);
}

static sheaf_status make_room(cable_group *group)
{
    if (group->bound_count + 3 <= group->bound_room)
        return SHEAF_OK;
    return cable_ref_make_room(group, 2 * group->bound_count + 24);
}

static void put_row(cable_bound *bound, int32_t body, const double direction[3], const double lever[3])
{
    *bound = (cable_bound){.count = 1, .body = {body}, .touches = true};
    vec_copy(bound->row[0], direction);
    vec_cross(bound->row[0] + 3, lever, direction);
}

// Rows of a point of a body that is `gap` away.
static sheaf_status add_contact(search *s, int32_t body, const double lever[3], const double normal[3], double gap)
{
    cable_group *group = s->group;
    const double h = group->settings.step;
    double point[3], velocity[3], across[2][3];
    SHEAF_TRY(make_room(group));
    cable_bound *bounds = &group->bounds[group->bound_count];
    vec_add(point, group->bodies[body].place, lever);
    obstacle_velocity(&s->obstacle, h, point, velocity);
    vec_normal(across[0], normal);
    vec_cross(across[1], normal, across[0]);
    put_row(&bounds[0], body, normal, lever);
    bounds[0].target = vec_dot(normal, velocity) - gap / (gap > 0 ? h : 3 * h);
    bounds[0].high = INFINITY;
    group->bound_count++;
    if (!(s->obstacle.shape->friction > 0))
        return SHEAF_OK;
    bounds[0].has_friction = true;
    bounds[0].friction = s->obstacle.shape->friction;
    for (int k = 0; k < 2; k++) {
        put_row(&bounds[1 + k], body, across[k], lever);
        bounds[1 + k].target = vec_dot(across[k], velocity);
    }
    group->bound_count += 2;
    return SHEAF_OK;
}

// Looks at a point, in body axes, with a radius about it.
static void look(search *s, int32_t body, const double arm[3], double radius)
{
    const cable_body *it = &s->group->bodies[body];
    const obstacle *o = &s->obstacle;
    const double h = s->group->settings.step;
    double lever[3], place[3], own[3], normal[3], space[3], velocity[3], turning[3], drift[3];
    if (s->status != SHEAF_OK)
        return;
    cable_turn(it->pose, arm, lever);
    vec_add(place, it->place, lever);
    vec_cross(turning, it->spin, lever);
    vec_add(velocity, it->velocity, turning);
    obstacle_velocity(o, h, place, drift);
    vec_sub(velocity, velocity, drift);
    vec_sub(place, place, o->center[0]);
    model_body_to_own(o->axes[0], place, own);
    const double gap = model_collider_gap(o->shape, own, normal) - radius;
    const double reach = h * (vec_length(velocity) + h * vec_length(s->group->settings.gravity)) + 0.5 * radius + 1e-3;
    if (!(gap < reach))
        return;
    model_body_to_space(o->axes[0], normal, space);
    vec_axpy(lever, -radius, space);
    s->status = add_contact(s, body, lever, space, gap);
}

// ---- who is looked at

static void look_at_cable(search *s, uint32_t strand)
{
    const sheaf_model *model = s->g->model;
    const bool is_plane = s->obstacle.shape->kind == SHEAF_COLLIDER_PLANE;
    for (uint32_t j = 0; j < cable_segment_count(model, strand); j++) {
        const double l = cable_segment_length(model, strand, j), r = model->radius[model->first_vertex[strand] + j];
        double along;
        const cable_body *body = cable_groups_piece(s->g, strand, j, &along);
        if (!(body->mass > 0)) // on a drum
            continue;
        for (int side = -1; side <= 1; side += 2) {
            const double arm[3] = {along + l / 2 + side * l / (is_plane ? 2 : 4), 0, 0};
            look(s, (int32_t)(body - s->group->bodies), arm, r);
        }
    }
}

// A corner of a body's shape, in its principal axes.
static void find_corner(const model_body *body, int corner, double arm[3])
{
    double place[3];
    vec_sub(place, body->shape_center, body->center);
    for (int c = 0; c < 3; c++)
        vec_axpy(place, corner >> c & 1 ? body->half[c] : -body->half[c], body->shape_axes[c]);
    model_body_to_own(body->axes, place, arm);
}

static void look_at_body(search *s, uint32_t index)
{
    const model_body *body = &s->g->model->bodies[index];
    const bool is_ball = body->def.has_shape && body->def.shape.kind == SHEAF_COLLIDER_SPHERE;
    double arm[3];
    if (body->def.axle.is_there)
        return;
    for (int corner = 0; corner < 8 && !is_ball; corner++) {
        find_corner(body, corner, arm);
        look(s, (int32_t)s->g->body_place[index], arm, 0);
    }
    vec_sub(arm, body->shape_center, body->center);
    model_body_to_own(body->axes, arm, arm);
    if (is_ball)
        look(s, (int32_t)s->g->body_place[index], arm, body->half[0]);
}

sheaf_status cable_groups_touch(cable_groups *g, uint32_t k, double time)
{
    const sheaf_model *model = g->model;
    search s = {.g = g, .group = &g->groups[k]};
    for (uint32_t c = 0; c < model->collider_count; c++) {
        s.obstacle.shape = &model->colliders[c];
        model_collider_before(model, s.obstacle.shape, time - g->step, time, s.obstacle.center[0], s.obstacle.axes[0]);
        model_collider_pose(model, s.obstacle.shape, time, s.obstacle.center[1], s.obstacle.axes[1]);
        for (uint32_t at = g->first[k]; at < g->first[k + 1]; at++)
            look_at_cable(&s, g->strands[at]);
        for (uint32_t b = 0; b < model->body_count; b++)
            if (g->body_group[b] == k)
                look_at_body(&s, b);
    }
    return s.status;
}
