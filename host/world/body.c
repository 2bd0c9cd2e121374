// body: rigid bodies of a scene with what strands add to them, and where strands are fixed to them.
#include "world/world.h"

#include "base/vec.h"

#include <string.h>

// ---- mass and inertia of shapes, about their centre and along their axes (side, across, axis)

static double shape_volume(const sheaf_collider_def *shape)
{
    const double pi = 3.14159265358979323846, *s = shape->size;
    switch (shape->kind) {
    case SHEAF_COLLIDER_CAPSULE:
        return pi * s[0] * s[0] * (2 * s[1] + 4 * s[0] / 3);
    case SHEAF_COLLIDER_BOX:
        return 8 * s[0] * s[1] * s[2];
    case SHEAF_COLLIDER_ELLIPSOID:
        return 4 * pi / 3 * s[0] * s[1] * s[2];
    case SHEAF_COLLIDER_CYLINDER:
        return 2 * pi * s[0] * s[0] * s[1];
    default:
        return 4 * pi / 3 * s[0] * s[0] * s[0];
    }
}

// A capsule: a cylinder and two half balls, whose centres of mass lie 3/8 of the radius beyond its ends.
static void capsule_inertia(double mass, double radius, double half, double out[3])
{
    const double rod = mass * 2 * half / (2 * half + 4 * radius / 3), ball = mass - rod, square = radius * radius;
    out[2] = rod * square / 2 + ball * 0.4 * square;
    out[0] = out[1] = rod * (square / 4 + half * half / 3) + ball * (0.4 * square + half * half + 0.75 * half * radius);
}

static void shape_inertia(const sheaf_collider_def *shape, double mass, double out[3])
{
    const double *s = shape->size, square = s[0] * s[0];
    double half[3] = {s[0], s[1], s[2]};
    double share = 1.0 / 3; // of a box; a fifth of an ellipsoid
    switch (shape->kind) {
    case SHEAF_COLLIDER_CAPSULE:
        capsule_inertia(mass, s[0], s[1], out);
        return;
    case SHEAF_COLLIDER_CYLINDER:
        vec_set(out, mass * (square / 4 + s[1] * s[1] / 3), mass * (square / 4 + s[1] * s[1] / 3), mass * square / 2);
        return;
    case SHEAF_COLLIDER_BOX:
        break;
    case SHEAF_COLLIDER_ELLIPSOID:
        share = 0.2;
        break;
    default:
        share = 0.2;
        vec_set(half, s[0], s[0], s[0]);
        break;
    }
    for (int c = 0; c < 3; c++) {
        const double a = half[(c + 1) % 3], b = half[(c + 2) % 3];
        out[c] = mass * share * (a * a + b * b);
    }
}

// ---- mass points and tensors

typedef struct lump {
    double mass, center[3], tensor[3][3]; // kg; m; kg m^2 about the centre, in space
} lump;

static void add_diagonal(double tensor[3][3], const double axes[3][3], const double moments[3])
{
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++)
                tensor[r][c] += moments[k] * axes[k][r] * axes[k][c];
}

// Steiner's part of a mass at an arm.
static void add_point(double tensor[3][3], double mass, const double arm[3])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            tensor[r][c] += mass * ((r == c) * vec_dot(arm, arm) - arm[r] * arm[c]);
}

// The points of a lump together with another mass point.
static void join_point(lump *l, double mass, const double at[3])
{
    double arm[3];
    vec_sub(arm, at, l->center);
    const double all = l->mass + mass;
    if (!(all > 0))
        return;
    add_point(l->tensor, l->mass * mass / all, arm);
    vec_axpy(l->center, mass / all, arm);
    l->mass = all;
}

// Turns axes (rows) by Jacobi's rotations until the tensor is diagonal in them. A tensor that is diagonal at once keeps
// its axes, and so their order.
static void make_principal(double tensor[3][3], double axes[3][3], double moments[3])
{
    enum { SWEEPS = 30 };
    double a[3][3] = {{0}}, scale = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                a[r][c] += axes[r][k] * vec_dot(tensor[k], axes[c]);
            scale = fmax(scale, fabs(a[r][c]));
        }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (fabs(a[p][q]) <= 1e-17 * scale)
                    continue;
                const double angle = 0.5 * atan2(2 * a[p][q], a[p][p] - a[q][q]), c = cos(angle), s = sin(angle);
                for (int k = 0; k < 3; k++) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x + s * y;
                    a[q][k] = c * y - s * x;
                }
                for (int k = 0; k < 3; k++) {
                    const double x = a[k][p], y = a[k][q], u = axes[p][k], v = axes[q][k];
                    a[k][p] = c * x + s * y;
                    a[k][q] = c * y - s * x;
                    axes[p][k] = c * u + s * v;
                    axes[q][k] = c * v - s * u;
                }
            }
    vec_set(moments, a[0][0], a[1][1], a[2][2]);
}

// ---- bodies

// Axes of a shape as colliders have them, in the body's own axes, turned to space.
static void place_shape(model_body *body)
{
    const sheaf_collider_def *shape = &body->def.shape;
    double own[3][3], center[3];
    model_collider_axes(shape, own);
    for (int k = 0; k < 3; k++)
        model_body_to_space(body->start_axes, own[k], body->shape_axes[k]);
    model_body_to_space(body->start_axes, shape->center, center);
    vec_add(body->shape_center, body->start, center);
}

// The body alone, in space.
static lump own_lump(const model_body *body)
{
    const sheaf_body_def *def = &body->def;
    lump l = {.mass = def->mass};
    double moments[3];
    vec_copy(l.center, def->has_shape && def->inertia[0] == 0 ? body->shape_center : body->start);
    if (l.mass == 0 && def->has_shape)
        l.mass = def->density * shape_volume(&def->shape);
    if (def->inertia[0] != 0) {
        add_diagonal(l.tensor, body->start_axes, def->inertia);
    } else if (def->has_shape) {
        shape_inertia(&def->shape, l.mass, moments);
        add_diagonal(l.tensor, body->shape_axes, moments);
    }
    return l;
}

// The box that has this inertia: I_1 = m (b^2 + c^2)/12 and so on.
static void draw_as_box(model_body *body, const lump *own)
{
    double axes[3][3], moments[3];
    lump copy = *own;
    memcpy(axes, body->start_axes, sizeof axes);
    make_principal(copy.tensor, axes, moments);
    const double sum = (moments[0] + moments[1] + moments[2]) / 2;
    for (int c = 0; c < 3; c++) {
        const double square = own->mass > 0 ? 3 * fmax(sum - moments[c], 0) / own->mass : 0;
        body->half[c] = fmax(sqrt(square), 1e-3);
    }
    memcpy(body->shape_axes, axes, sizeof axes);
    vec_copy(body->shape_center, own->center);
}

// The mass of welded vertices is the body's: strands hand it over.
static void add_strands(const sheaf_model *model, uint32_t index, lump *l)
{
    for (uint32_t k = 0; k < model->joint_count; k++) {
        const model_joint *joint = &model->joints[k];
        const uint64_t first = model->first_vertex[joint->strand] + joint->vertex;
        if (model->strands[joint->strand].method > 0) // segments of cables are bodies of their own
            continue;
        for (uint32_t i = 0; joint->body == index && i < joint->vertex_count; i++)
            join_point(l, model->mass[first + i], model->position[first + i]);
    }
}

static void make_body(const sheaf_model *model, uint32_t index, model_body *body)
{
    const sheaf_body_def *def = &body->def;
    double axis[3];
    vec_copy(body->start, def->at);
    vec_unit(axis, def->turn_axis);
    for (int c = 0; c < 3; c++) {
        const double unit[3] = {c == 0, c == 1, c == 2};
        vec_rotate(body->start_axes[c], unit, axis, def->turn);
    }
    body->is_free = !def->is_fixed && def->motion < 0;
    if (def->has_shape)
        place_shape(body);
    lump l = own_lump(body);
    body->own_mass = l.mass;
    vec_copy(body->half, def->shape.size);
    if (!def->has_shape)
        draw_as_box(body, &l);
    add_strands(model, index, &l);
    body->mass = l.mass;
    vec_copy(body->center, l.center);
    memcpy(body->axes, body->start_axes, sizeof body->axes);
    make_principal(l.tensor, body->axes, body->inertia);
}

// ---- joints

static void place_joint(const sheaf_model *model, model_joint *joint)
{
    const model_body *body = &model->bodies[joint->body];
    const uint64_t first = model->first_vertex[joint->strand];
    for (uint32_t i = 0; i < joint->vertex_count; i++) {
        double arm[3];
        vec_sub(arm, model->position[first + joint->vertex + i], body->center);
        model_body_to_own(body->axes, arm, joint->arm[i]);
        joint->mass[i] = model->mass[first + joint->vertex + i];
    }
    model_body_to_own(body->axes, model->director[first + joint->edge], joint->director);
}

static uint32_t count_joints(const sheaf_model *model)
{
    uint32_t count = 0;
    for (uint32_t g = 0; g < model->group_count; g++)
        count += model->groups[g].joint_count * scene_group_size(&model->groups[g]);
    return count;
}

static sheaf_status list_joints(sheaf_model *model)
{
    const uint32_t count = count_joints(model);
    model->joints = base_alloc(count, sizeof *model->joints);
    if (model->joints == NULL)
        return SHEAF_ERR_MEMORY;
    for (uint32_t s = 0; s < model->strand_count; s++) {
        const scene_group *group = &model->groups[model->strands[s].group];
        const uint32_t vertices = model_vertex_count(model, s);
        for (uint32_t k = 0; k < group->joint_count; k++) {
            const sheaf_joint_def *from = &group->joints[k];
            const bool is_ball = from->kind == SHEAF_JOINT_BALL;
            model->joints[model->joint_count++] =
                (model_joint){.kind = from->kind,
                              .body = from->body,
                              .strand = s,
                              .edge = from->edge,
                              .vertex = is_ball && from->edge > 0 ? vertices - 1 : from->edge,
                              .vertex_count = is_ball ? 1 : 2};
        }
    }
    return SHEAF_OK;
}

sheaf_status model_make_bodies(const sheaf_scene *scene, sheaf_model *model)
{
    if (scene->body_count == 0)
        return SHEAF_OK;
    if (!model_has_arrays(model))
        return base_fail(SHEAF_ERR_LIMIT, "a scene with bodies holds at most %d vertices, not %llu", MODEL_ARRAYS_MOST,
                         (unsigned long long)model->vertex_count);
    model->bodies = base_alloc(scene->body_count, sizeof *model->bodies);
    if (model->bodies == NULL)
        return SHEAF_ERR_MEMORY;
    SHEAF_TRY(list_joints(model));
    for (uint32_t k = 0; k < scene->body_count; k++) {
        SHEAF_TRY(scene_copy_body(&model->bodies[k].def, &scene->bodies[k]));
        model->body_count++;
        make_body(model, k, &model->bodies[k]);
    }
    for (uint32_t k = 0; k < model->joint_count; k++)
        place_joint(model, &model->joints[k]);
    return SHEAF_OK;
}

void model_free_bodies(sheaf_model *model)
{
    for (uint32_t k = 0; k < model->body_count; k++)
        scene_free_body(&model->bodies[k].def);
    base_free(model->bodies);
    base_free(model->joints);
}

// ---- own axes and space

void model_body_to_space(const double axes[3][3], const double own[3], double out[3])
{
    const double v[3] = {own[0], own[1], own[2]};
    for (int c = 0; c < 3; c++)
        out[c] = v[0] * axes[0][c] + v[1] * axes[1][c] + v[2] * axes[2][c];
}

void model_body_to_own(const double axes[3][3], const double vector[3], double out[3])
{
    const double v[3] = {vector[0], vector[1], vector[2]};
    for (int k = 0; k < 3; k++)
        out[k] = vec_dot(axes[k], v);
}

bool model_strand_is_joined(const sheaf_model *model, uint32_t strand)
{
    return model->groups[model->strands[strand].group].joint_count > 0;
}

const model_joint *model_strand_joints(const sheaf_model *model, uint32_t strand, uint32_t *count)
{
    const uint32_t number = model->strands[strand].number;
    uint32_t low = 0, high = model->joint_count;
    *count = 0;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (model->joints[middle].strand < number)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + *count < model->joint_count && model->joints[low + *count].strand == number)
        (*count)++;
    return *count > 0 ? model->joints + low : NULL;
}

uint32_t sheaf_model_body_count(const sheaf_model *model)
{
    return model != NULL ? model->body_count : 0;
}

const char *sheaf_model_body_name(const sheaf_model *model, uint32_t body)
{
    return model != NULL && body < model->body_count ? model->bodies[body].def.name : "";
}
