// bodies: the triangles of bodies as the graphics take them.
#ifndef SHEAF_VIEW_BODIES_H
#define SHEAF_VIEW_BODIES_H

#include "view/camera.h"
#include "view/light.h"

typedef struct view_body_corner {
    float position[3]; // m, from the eye
    float normal[3];
    float colour[4]; // linear light, and the share of direct light that arrives
    float around[3]; // share of the light from all around that arrives; shares of skin, and of hair that grows on it
} view_body_corner;

// Corners and corner numbers of all bodies together.
size_t view_bodies_corner_count(const view_subject *subject);
size_t view_bodies_index_count(const view_subject *subject);

void view_bodies_index(const view_subject *subject, uint32_t *indices);

// Shadows on a corner are the mean of places around it, or, where it is to be quick, read at one place. Returns
// SHEAF_OK, SHEAF_ERR_MEMORY (no thread).
sheaf_status view_bodies_fill(const view_subject *subject, const view_eye *eye, const view_light *light, bool is_quick,
                              view_body_corner *corners);

#endif
