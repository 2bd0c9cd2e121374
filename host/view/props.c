// props: the solid things of a scene.
#include "view/props.h"

#include <string.h>

#include "base/vec.h"
#include "view/shapes.h"
#include "view/style.h"
#include "world/world.h"

static const float skin[3] = {0.56f, 0.36f, 0.27f}, wood[3] = {0.36f, 0.22f, 0.11f}, slate[3] = {0.23f, 0.29f, 0.36f},
                   brass[3] = {0.55f, 0.38f, 0.14f}, soil[3] = {0.09f, 0.07f, 0.04f};
static const double level = 0.9999; // cosine of the angle from which a plane is taken for the ground

static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, origin[3] = {0, 0, 0};

typedef struct making {
    const sheaf_scene *scene;
    double up[3];
    const view_extent *extent; // of the strands
    view_props *props;
} making;

// The next body, at `center` along `axes`, with a shape to be filled.
static view_shape *add_body(making *m, const double center[3], const double axes[3][3], const float colour[3],
                            int32_t motion)
{
    view_props *props = m->props;
    view_body *body = &props->start[props->count];
    body->shape = &props->shapes[props->count];
    vec_copy(body->center, center);
    for (int c = 0; c < 3; c++)
        vec_copy(body->axes[c], axes[c]);
    memcpy(body->colour, colour, sizeof body->colour);
    body->is_skin = colour == skin;
    for (int c = 0; c < 3 && body->is_skin && m->scene->view.has_skin; c++)
        body->colour[c] = (float)view_linear(m->scene->view.skin[c]);
    props->rigid[props->count] = -1;
    props->motions[props->count++] = motion;
    return &props->shapes[props->count - 1];
}

// A plane that lies level and stays is the ground, the lowest where there are several.
static bool take_floor(making *m, const double point[3], const double normal[3], int32_t motion)
{
    const double height = vec_dot(point, m->up);
    if (motion >= 0 || vec_dot(normal, m->up) < level * vec_length(normal))
        return false;
    m->props->floor = m->props->has_floor ? fmin(m->props->floor, height) : height;
    m->props->has_floor = true;
    return true;
}

// ---- what strands grow on

// A plate behind a plane that strands grow on.
static sheaf_status add_plate(making *m, const grow_surface *s, int32_t motion)
{
    const double half[3] = {s->size[0] / 2, s->size[1] / 2, 0.03 * (s->size[0] + s->size[1])};
    double center[3], axes[3][3];
    vec_copy(axes[0], s->east);
    vec_copy(axes[1], s->north);
    vec_copy(axes[2], s->up);
    vec_copy(center, s->center);
    vec_axpy(center, -half[2], s->up);
    return view_shape_box(add_body(m, center, (const double(*)[3])axes, wood, motion), half);
}

// Skin under hair is in its shade, and shows roots: it takes most of the hair's colour, so that a head with few strands
// does not look bald.
static sheaf_status cover_with_hair(making *m, const scene_group *group)
{
    static const float chestnut[3] = {0.098f, 0.049f, 0.026f};
    static const double darkest = 0.85, thickest = 3e-4; // share; m, radius of what counts as hair
    const sheaf_material_def *material = &m->scene->materials[group->strand.material];
    const mesh *grown_on = &group->grown->def.surface.mesh;
    view_body *body = &m->props->start[m->props->count - 1];
    view_shape *shape = &m->props->shapes[m->props->count - 1];
    if (!body->is_skin || fmax(material->radius[0], material->radius[1]) >= thickest)
        return SHEAF_OK;
    memcpy(body->hair, chestnut, sizeof chestnut);
    for (uint32_t k = 0; k < m->scene->view.paint_count; k++)
        for (int c = 0; c < 3 && m->scene->view.paints[k].material == group->strand.material; c++)
            body->hair[c] = 0.85f * (float)view_linear(m->scene->view.paints[k].colour[c]);
    shape->cover = base_alloc(shape->corner_count, sizeof *shape->cover);
    for (uint32_t k = 0; shape->cover != NULL && k < shape->corner_count; k++) {
        double point[3];
        view_body_point(body, shape->points[k], point);
        const double density = grown_on->density != NULL ? fmin((double)grown_on->density[k], 1) : 1;
        shape->cover[k] = (float)(darkest * density * grow_cover(group->grown, point, shape->normals[k]));
    }
    return shape->cover != NULL ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static sheaf_status add_surface(making *m, const scene_group *group)
{
    const grow_surface *s = &group->grown->def.surface;
    const int32_t motion = group->strand.root.motion;
    if (motion >= 0 && m->scene->sequences[motion] != NULL)
        return SHEAF_OK; // the mesh that deforms is drawn instead
    switch (s->kind) {
    case GROW_ELLIPSOID:
        SHEAF_TRY(view_shape_capsule(add_body(m, s->center, world, skin, motion), 1, 0, s->radii));
        return cover_with_hair(m, group);
    case GROW_MESH:
        SHEAF_TRY(view_shape_mesh(add_body(m, origin, world, skin, motion), &s->mesh));
        return cover_with_hair(m, group);
    case GROW_HEIGHTS:
        return view_shape_heights(add_body(m, origin, world, soil, motion), s);
    case GROW_PLANE:
    default:
        return take_floor(m, s->center, s->up, motion) ? SHEAF_OK : add_plate(m, s, motion);
    }
}

static sheaf_status add_deforming(making *m, int32_t motion)
{
    mesh *body = &m->props->meshes[m->props->count];
    view_shape *shape = add_body(m, origin, world, skin, motion);
    SHEAF_TRY(mesh_sequence_open_mesh(m->scene->sequences[motion], body));
    return view_shape_mesh(shape, body);
}

// ---- what strands meet

static sheaf_status add_plane(making *m, const model_collider *collider)
{
    if (take_floor(m, collider->center, collider->axes[2], collider->motion))
        return SHEAF_OK;
    double middle[3], arm[3]; // the point nearest to the strands
    vec_sub(arm, m->extent->middle, collider->center);
    const double away = vec_dot(arm, collider->axes[2]);
    vec_copy(middle, m->extent->middle);
    vec_axpy(middle, -away, collider->axes[2]);
    view_shape *shape = add_body(m, middle, collider->axes, slate, collider->motion);
    m->props->start[m->props->count - 1].is_backdrop = true;
    return view_shape_square(shape, 4 * m->extent->size + fabs(away));
}

static void find_bounds(const view_body *body, double low[3], double high[3])
{
    vec_set(low, INFINITY, INFINITY, INFINITY);
    vec_set(high, -INFINITY, -INFINITY, -INFINITY);
    for (uint32_t i = 0; i < body->shape->corner_count; i++) {
        double point[3];
        view_body_point(body, body->shape->points[i], point);
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], point[c]);
            high[c] = fmax(high[c], point[c]);
        }
    }
}

// The body with hair that moves with a collider and has its middle inside; NULL: none.
static const view_body *find_head(const making *m, const model_collider *collider)
{
    for (uint32_t k = 0; k < m->props->count; k++) {
        double low[3], high[3];
        const view_body *body = &m->props->start[k];
        if (!body->is_skin || m->props->motions[k] != collider->motion)
            continue;
        find_bounds(body, low, high);
        bool inside = true;
        for (int c = 0; c < 3; c++)
            inside = inside && low[c] < collider->center[c] && collider->center[c] < high[c];
        if (inside)
            return body;
    }
    return NULL;
}

// Whether a collider is no larger than the body that it stands for, but for a seventh.
static bool is_hidden(const view_body *body, const view_body *collider)
{
    double low[3], high[3], own_low[3], own_high[3];
    find_bounds(body, low, high);
    find_bounds(collider, own_low, own_high);
    bool hidden = true;
    for (int c = 0; c < 3; c++) {
        const double room = (high[c] - low[c]) / 7;
        hidden = hidden && own_low[c] > low[c] - room && own_high[c] < high[c] + room;
    }
    return hidden;
}

static sheaf_status fill_shape(view_shape *shape, sheaf_collider_kind kind, const double half[3], const mesh_grid *grid)
{
    static const double round[3] = {1, 1, 1};
    switch (kind) {
    case SHEAF_COLLIDER_CAPSULE:
        return view_shape_capsule(shape, half[0], half[1], round);
    case SHEAF_COLLIDER_CYLINDER:
        return view_shape_cylinder(shape, half[0], half[1]);
    case SHEAF_COLLIDER_ELLIPSOID:
        return view_shape_capsule(shape, 1, 0, half);
    case SHEAF_COLLIDER_BOX:
        return grid != NULL ? view_shape_grid(shape, grid) : view_shape_box(shape, half);
    case SHEAF_COLLIDER_SPHERE:
    case SHEAF_COLLIDER_PLANE:
    default:
        return view_shape_capsule(shape, half[0], 0, round);
    }
}

// What strands grow on is drawn finer than the collider that stands for it, which is left out then.
static sheaf_status add_collider(making *m, const model_collider *collider)
{
    if (collider->kind == SHEAF_COLLIDER_PLANE)
        return add_plane(m, collider);
    const view_body *head = find_head(m, collider);
    view_shape *shape = add_body(m, collider->center, collider->axes, head != NULL ? skin : slate, collider->motion);
    SHEAF_TRY(fill_shape(shape, collider->kind, collider->half, collider->grid));
    if (head != NULL && is_hidden(head, &m->props->start[m->props->count - 1])) {
        view_shape_free(shape);
        m->props->count--;
    }
    return SHEAF_OK;
}

// ---- bodies that strands are fixed to

// As its shape, or as a box of its inertia. What is fixed and has neither is a point, and not drawn.
static sheaf_status add_rigid(making *m, const sheaf_model *model, uint32_t index)
{
    const model_body *body = &model->bodies[index];
    if (!body->def.has_shape && !(body->own_mass > 0))
        return SHEAF_OK;
    view_shape *shape = add_body(m, body->shape_center, body->shape_axes, brass, body->def.motion);
    m->props->rigid[m->props->count - 1] = body->is_free ? (int32_t)index : -1;
    return fill_shape(shape, body->def.has_shape ? body->def.shape.kind : SHEAF_COLLIDER_BOX, body->half, NULL);
}

// ---- the whole

static sheaf_status add_all(making *m, const sheaf_model *model)
{
    for (uint32_t k = 0; k < m->scene->group_count; k++)
        if (m->scene->groups[k].grown != NULL)
            SHEAF_TRY(add_surface(m, &m->scene->groups[k]));
    for (uint32_t k = 0; k < m->scene->motion_count; k++)
        if (m->scene->sequences[k] != NULL)
            SHEAF_TRY(add_deforming(m, (int32_t)k));
    for (uint32_t k = 0; k < model->collider_count; k++)
        SHEAF_TRY(add_collider(m, &model->colliders[k]));
    for (uint32_t k = 0; k < model->body_count; k++)
        SHEAF_TRY(add_rigid(m, model, k));
    return view_props_set_time(m->props, m->scene, 0);
}

sheaf_status view_props_open(const sheaf_scene *scene, const sheaf_model *model, const double up[3],
                             const view_extent *extent, view_props *props)
{
    making m = {.scene = scene, .extent = extent, .props = props};
    size_t most = (size_t)model->collider_count + scene->motion_count + model->body_count;
    for (uint32_t k = 0; k < scene->group_count; k++)
        most += scene->groups[k].grown != NULL;
    *props = (view_props){.time = NAN,
                          .bodies = base_alloc(most, sizeof *props->bodies),
                          .start = base_alloc(most, sizeof *props->start),
                          .shapes = base_alloc(most, sizeof *props->shapes),
                          .meshes = base_alloc(most, sizeof *props->meshes),
                          .motions = base_alloc(most, sizeof *props->motions),
                          .rigid = base_alloc(most, sizeof *props->rigid)};
    vec_copy(m.up, up);
    sheaf_status status = SHEAF_ERR_MEMORY;
    if (props->bodies != NULL && props->start != NULL && props->shapes != NULL && props->meshes != NULL &&
        props->motions != NULL && props->rigid != NULL)
        status = add_all(&m, model);
    if (status != SHEAF_OK)
        view_props_close(props);
    return status;
}

void view_props_close(view_props *props)
{
    for (uint32_t k = 0; k < props->count; k++) {
        view_shape_free(&props->shapes[k]);
        mesh_free(&props->meshes[k]);
    }
    base_free(props->bodies);
    base_free(props->start);
    base_free(props->shapes);
    base_free(props->meshes);
    base_free(props->motions);
    base_free(props->rigid);
    *props = (view_props){0};
}

static void move_body(view_body *body, const sheaf_motion_def *motion, double time)
{
    model_motion_point(motion, time, body->center, body->center);
    for (int c = 0; c < 3; c++)
        model_motion_turn(motion, time, body->axes[c], body->axes[c]);
}

sheaf_status view_props_set_time(view_props *props, const sheaf_scene *scene, double time)
{
    if (time == props->time)
        return SHEAF_OK;
    for (uint32_t k = 0; k < props->count; k++) {
        const int32_t motion = props->motions[k];
        const mesh_sequence *sequence = motion >= 0 ? scene->sequences[motion] : NULL;
        props->bodies[k] = props->start[k];
        if (sequence != NULL) {
            SHEAF_TRY(mesh_sequence_move_mesh(sequence, time, &props->meshes[k]));
            view_shape_follow(&props->shapes[k], &props->meshes[k]);
        } else if (motion >= 0) {
            move_body(&props->bodies[k], &scene->motions[motion], time);
        }
    }
    props->time = time;
    return SHEAF_OK;
}

// A vector or point of a shape, known at the start of time, as the body's own axes have it now.
static void carry(const model_body *from, const double turn[3][3], const double vector[3], double out[3])
{
    double own[3];
    model_body_to_own(from->start_axes, vector, own);
    model_body_to_space(turn, own, out);
}

void view_props_set_bodies(view_props *props, const sheaf_model *model, const sheaf_body_pose *poses)
{
    for (uint32_t k = 0; k < props->count; k++) {
        if (props->rigid[k] < 0)
            continue;
        const model_body *from = &model->bodies[props->rigid[k]];
        const sheaf_body_pose *pose = &poses[props->rigid[k]];
        view_body *body = &props->bodies[k];
        const double w = pose->rotation[0], *v = pose->rotation + 1, half = fmax(fmin(w, 1), -1);
        double axis[3] = {0, 0, 1}, turn[3][3], arm[3];
        if (vec_length(v) > 0)
            vec_unit(axis, v);
        for (int c = 0; c < 3; c++) {
            const double unit[3] = {c == 0, c == 1, c == 2};
            vec_rotate(turn[c], unit, axis, 2 * acos(half));
        }
        vec_sub(arm, from->shape_center, from->start);
        carry(from, (const double(*)[3])turn, arm, body->center);
        vec_add(body->center, body->center, pose->position);
        for (int c = 0; c < 3; c++)
            carry(from, (const double(*)[3])turn, from->shape_axes[c], body->axes[c]);
    }
}
