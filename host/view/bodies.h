// bodies: balls and round-ended rods as triangles.
#ifndef SHEAF_VIEW_BODIES_H
#define SHEAF_VIEW_BODIES_H

#include "view/camera.h"
#include "view/light.h"

typedef struct view_body_corner {
    float position[3]; // m, from the eye
    float normal[3];
    float colour[4]; // linear light, and the share of direct light that arrives
    float ambient;
} view_body_corner;

// Corners and corner numbers of `count` bodies.
size_t view_bodies_corner_count(uint32_t count);
size_t view_bodies_index_count(uint32_t count);

void view_bodies_index(uint32_t count, uint32_t *indices);
void view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light,
                      view_body_corner *corners);

#endif
