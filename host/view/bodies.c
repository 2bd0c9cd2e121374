// bodies: the triangles of bodies as the graphics take them.
#include "view/bodies.h"

#include <math.h>

#include "base/vec.h"

size_t view_bodies_corner_count(const view_subject *subject)
{
    size_t count = 0;
    for (uint32_t b = 0; b < subject->body_count; b++)
        count += subject->bodies[b].shape->corner_count;
    return count;
}

size_t view_bodies_index_count(const view_subject *subject)
{
    size_t count = 0;
    for (uint32_t b = 0; b < subject->body_count; b++)
        count += subject->bodies[b].shape->index_count;
    return count;
}

void view_bodies_index(const view_subject *subject, uint32_t *indices)
{
    uint32_t first = 0;
    for (uint32_t b = 0; b < subject->body_count; b++) {
        const view_shape *shape = subject->bodies[b].shape;
        for (uint32_t k = 0; k < shape->index_count; k++)
            *indices++ = first + shape->indices[k];
        first += shape->corner_count;
    }
}

// Light is taken a little above the surface, where what is inside the body does not count, and from many places around
// it: cells of the grid would show as steps.
static view_cell light_above(const view_light *light, const double point[3], const double normal[3])
{
    enum { WIDE = 5 }; // places along either side
    static const float weights[WIDE] = {1 / 9.0f, 2 / 9.0f, 3 / 9.0f, 2 / 9.0f, 1 / 9.0f};
    const double apart = 1.1 * light->cell;
    double above[3], place[3], side[2][3];
    view_cell sum = {0, 0};
    vec_copy(above, point);
    vec_axpy(above, 1.5 * light->cell, normal);
    vec_normal(side[0], normal);
    vec_cross(side[1], normal, side[0]);
    for (int k = 0; k < WIDE * WIDE; k++) {
        const int column = k % WIDE - WIDE / 2, row = k / WIDE - WIDE / 2;
        vec_copy(place, above);
        vec_axpy(place, column * apart, side[0]);
        vec_axpy(place, row * apart, side[1]);
        const view_cell cell = view_light_at(light, place);
        const float weight = weights[k % WIDE] * weights[k / WIDE];
        sum.direct += weight * cell.direct;
        sum.ambient += weight * cell.ambient;
    }
    return sum;
}

// Bodies under way to the graphics.
typedef struct filling {
    const view_body *body;
    const view_eye *eye;
    const view_light *light;
    bool is_quick;
    view_body_corner *corners; // of the body
} filling;

static view_cell light_near(const filling *f, const double point[3], const double normal[3])
{
    double above[3];
    if (!f->is_quick)
        return light_above(f->light, point, normal);
    vec_copy(above, point);
    vec_axpy(above, 1.5 * f->light->cell, normal);
    return view_light_at(f->light, above);
}

static void fill_corner(const filling *f, uint32_t corner)
{
    const view_body *body = f->body;
    view_body_corner *out = &f->corners[corner];
    double point[3], normal[3];
    view_body_point(body, body->shape->points[corner], point);
    view_body_turn(body, body->shape->normals[corner], normal);
    const view_cell cell = light_near(f, point, normal);
    const float painted = body->shape->cover != NULL ? body->shape->cover[corner] : 0;
    // where few strands are drawn, what shows between them is as dark as hair in the shade
    const float cover = f->is_quick ? fminf(1.2f * painted, 1) : painted, dark = f->is_quick ? 0.3f : 1;
    for (int c = 0; c < 3; c++) {
        out->position[c] = (float)(point[c] - f->eye->place[c]);
        out->normal[c] = (float)normal[c];
        out->colour[c] = body->colour[c] + cover * (dark * body->hair[c] - body->colour[c]);
    }
    out->colour[3] = cell.direct;
    out->around[0] = cell.ambient;
    out->around[1] = body->is_skin ? 1 - cover : 0;
    out->around[2] = cover;
}

static sheaf_status fill_range(size_t first, size_t end, uint32_t worker, void *user)
{
    (void)worker;
    for (size_t k = first; k < end; k++)
        fill_corner(user, (uint32_t)k);
    return SHEAF_OK;
}

sheaf_status view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light, bool is_quick,
                              view_body_corner *corners)
{
    enum { FEW = 2048 }; // corners that no thread is started for
    for (uint32_t b = 0; b < subject->body_count; b++) {
        const uint32_t count = subject->bodies[b].shape->corner_count;
        filling f = {&subject->bodies[b], eye, light, is_quick, corners};
        SHEAF_TRY(base_parallel_for(count, count < FEW ? 1 : 0, fill_range, &f));
        corners += count;
    }
    return SHEAF_OK;
}
