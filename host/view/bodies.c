// bodies: balls and round-ended rods as triangles.
#include "view/bodies.h"

#include "base/vec.h"

// A globe: rings from pole to pole, the middle one twice, so that a rod's halves can be drawn apart.
enum { RINGS = 34, SECTORS = 48 };

static const double pi = 3.14159265358979323846;

size_t view_bodies_corner_count(uint32_t count)
{
    return (size_t)count * RINGS * (SECTORS + 1);
}

size_t view_bodies_index_count(uint32_t count)
{
    return (size_t)count * (RINGS - 1) * SECTORS * 6;
}

void view_bodies_index(uint32_t count, uint32_t *indices)
{
    for (uint32_t b = 0; b < count; b++)
        for (uint32_t r = 0; r + 1 < RINGS; r++)
            for (uint32_t s = 0; s < SECTORS; s++) {
                const uint32_t here = (b * RINGS + r) * (SECTORS + 1) + s, below = here + SECTORS + 1;
                const uint32_t quad[6] = {here, below, here + 1, here + 1, below, below + 1};
                for (int k = 0; k < 6; k++)
                    *indices++ = quad[k];
            }
}

static void fill_corner(const view_body *body, const double normal[3], bool far_end, const view_eye *eye,
                        const view_light *light, view_body_corner *out)
{
    double point[3], outside[3];
    vec_copy(point, body->ends[far_end]);
    vec_axpy(point, body->radius, normal);
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

static void fill_body(const view_body *body, const view_eye *eye, const view_light *light, view_body_corner *corners)
{
    double axis[3], x[3], y[3], normal[3];
    vec_sub(axis, body->ends[1], body->ends[0]);
    if (!(vec_length(axis) > 0))
        vec_set(axis, 0, 0, 1);
    vec_unit(axis, axis);
    vec_normal(x, axis);
    vec_cross(y, axis, x);
    for (uint32_t r = 0; r < RINGS; r++) {
        const bool far_end = r < RINGS / 2;
        const double polar = pi * (far_end ? r : r - 1) / (RINGS - 2);
        for (uint32_t s = 0; s <= SECTORS; s++) {
            const double turn = 2 * pi * s / SECTORS;
            vec_scale(normal, axis, cos(polar));
            vec_axpy(normal, sin(polar) * cos(turn), x);
            vec_axpy(normal, sin(polar) * sin(turn), y);
            fill_corner(body, normal, far_end, eye, light, corners++);
        }
    }
}

void view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light,
                      view_body_corner *corners)
{
    for (uint32_t b = 0; b < subject->body_count; b++)
        fill_body(&subject->bodies[b], eye, light, corners + view_bodies_corner_count(b));
}
