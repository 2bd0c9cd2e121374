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

// Light is taken a little above the surface, where what is inside the body does not count.
static void fill_corner(const view_body *body, uint32_t corner, const view_eye *eye, const view_light *light,
                        view_body_corner *out)
{
    double point[3], normal[3], outside[3];
    view_body_point(body, body->shape->points[corner], point);
    view_body_turn(body, body->shape->normals[corner], normal);
    vec_copy(outside, point);
    vec_axpy(outside, 1.5 * light->cell, normal);
    const view_cell cell = view_light_at(light, outside);
    for (int c = 0; c < 3; c++) {
        out->position[c] = (float)(point[c] - eye->place[c]);
        out->normal[c] = (float)normal[c];
        out->colour[c] = body->colour[c];
    }
    out->colour[3] = cell.direct;
    out->ambient = cell.ambient;
}

void view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light,
                      view_body_corner *corners)
{
    for (uint32_t b = 0; b < subject->body_count; b++)
        for (uint32_t k = 0; k < subject->bodies[b].shape->corner_count; k++)
            fill_corner(&subject->bodies[b], k, eye, light, corners++);
}
