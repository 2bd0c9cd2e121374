// props: the solid things of a scene: what its strands grow on, and what they meet.
#ifndef SHEAF_VIEW_PROPS_H
#define SHEAF_VIEW_PROPS_H

#include "model/model.h"
#include "view/subject.h"

typedef struct view_props {
    view_body *bodies; // [count] as at the time set last
    view_body *start;  // [count] without their motions
    view_shape *shapes;
    mesh *meshes;     // [count] of bodies that deform, as at the time set last; empty for others
    int32_t *motions; // [count] of the scene, or -1
    int32_t *rigid;   // [count] the free body of the model that it is, or -1
    uint32_t count;
    double time;    // s, set last
    bool has_floor; // a plane that the ground is to be drawn on
    double floor;   // m along up
} view_props;

// Makes the bodies of a scene; `up` is the way the ground faces, `extent` that of the strands. Returns SHEAF_OK,
// SHEAF_ERR_MEMORY.
sheaf_status view_props_open(const sheaf_scene *scene, const sheaf_model *model, const double up[3],
                             const view_extent *extent, view_props *props);
void view_props_close(view_props *props);

// Moves bodies to where they are at a time, s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_props_set_time(view_props *props, const sheaf_scene *scene, double time);

#endif
