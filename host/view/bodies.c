// bodies: the triangles of bodies as the graphics take them.
#include "view/bodies.h"

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

// Light is taken a little above the surface, where what is inside the body does not count, and from nine places around
// it: cells of the grid would show as steps.
static view_cell light_above(const view_light *light, const double point[3], const double normal[3])
{
    const double apart = 2.2 * light->cell;
    double above[3], place[3], side[2][3];
    view_cell sum = {0, 0};
    vec_copy(above, point);
    vec_axpy(above, 1.5 * light->cell, normal);
    vec_normal(side[0], normal);
    vec_cross(side[1], normal, side[0]);
    for (int k = 0; k < 9; k++) {
        const int column = k % 3 - 1, row = k / 3 - 1;
        vec_copy(place, above);
        vec_axpy(place, column * apart, side[0]);
        vec_axpy(place, row * apart, side[1]);
        const view_cell cell = view_light_at(light, place);
        sum.direct += cell.direct / 9;
        sum.ambient += cell.ambient / 9;
    }
    return sum;
}

static void fill_corner(const view_body *body, uint32_t corner, const view_eye *eye, const view_light *light,
                        view_body_corner *out)
{
    double point[3], normal[3];
    view_body_point(body, body->shape->points[corner], point);
    view_body_turn(body, body->shape->normals[corner], normal);
    const view_cell cell = light_above(light, point, normal);
    const float cover = body->shape->cover != NULL ? body->shape->cover[corner] : 0;
    for (int c = 0; c < 3; c++) {
        out->position[c] = (float)(point[c] - eye->place[c]);
        out->normal[c] = (float)normal[c];
        out->colour[c] = body->colour[c] + cover * (body->hair[c] - body->colour[c]);
    }
    out->colour[3] = cell.direct;
    out->around[0] = cell.ambient;
    out->around[1] = body->is_skin ? 1 - cover : 0;
    out->around[2] = cover;
}

void view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light,
                      view_body_corner *corners)
{
    for (uint32_t b = 0; b < subject->body_count; b++)
        for (uint32_t k = 0; k < subject->bodies[b].shape->corner_count; k++)
            fill_corner(&subject->bodies[b], k, eye, light, corners++);
}
