// stage: a scene, or strands out of a file, made ready to be drawn: looks of strands, bodies, ground, camera, colours.
#ifndef SHEAF_VIEW_STAGE_H
#define SHEAF_VIEW_STAGE_H

#include "children/children.h"
#include "groom/groom.h"
#include "model/model.h"
#include "view/camera.h"
#include "view/crowd.h"
#include "view/props.h"
#include "view/style.h"
#include "view/subject.h"

typedef struct view_stage {
    const sheaf_scene *scene; // NULL: strands of a file, nothing else known
    const sheaf_model *model; // NULL likewise
    uint32_t strand_count;
    uint64_t *first_vertex; // [strand_count + 1]
    uint32_t *ids;          // [strand_count] numbers in the model; NULL: by their place
    view_strand *strands;   // [strand_count]
    view_piece *pieces;     // of all strands with sections, one after the other; NULL: there are none
    double (*positions)[3]; // [vertex] m, to be filled for the time that is drawn
    double (*directors)[3]; // [edge] likewise; NULL where no strand shows its directors
    view_props props;       // as at the time set last
    double time;            // s, set last
    view_maker *maker;      // of children; NULL: there are none
    bool has_ground;
    double ground; // m along up
    double up[3];
} view_stage;

// Strands as a model has them, or those out of a file (model and scene may be NULL then). Positions are the model's or
// the file's first ones. Returns SHEAF_OK, SHEAF_ERR_INPUT (the file does not belong to the model), SHEAF_ERR_MEMORY.
sheaf_status view_stage_open(const sheaf_scene *scene, const sheaf_model *model, view_stage *stage);
sheaf_status view_stage_open_groom(const groom *g, const sheaf_scene *scene, const sheaf_model *model,
                                   view_stage *stage);
void view_stage_close(view_stage *stage);

// Makes children around the strands: so many for each, or as the scene says (CHILDREN_AS_SCENE). Strands without a
// scene have none. Returns as children_open.
sheaf_status view_stage_add_children(view_stage *stage, uint32_t count);

// Moves bodies to where they are at a time, s. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_stage_set_time(view_stage *stage, double time);

// Director 1 of every edge, carried along each strand from its root without twist; for strands out of files, which say
// nothing of it. `time`: of the roots' motions.
void view_stage_carry_directors(view_stage *stage, double time);

// What there is to draw now. Lives as long as nothing of the stage changes.
view_subject view_stage_subject(const view_stage *stage);

// The scene's wishes, or what suits it: light and colours; where to look at `points` from; where the ground is, given
// the lowest point ever drawn.
view_style view_stage_style(const view_stage *stage);
view_camera view_stage_camera(const view_stage *stage, const double (*points)[3], uint64_t count, double aspect);
void view_stage_place_ground(view_stage *stage, double lowest, double size);

#endif
