// turns: what a trajectory has to hold: whether directors can be seen in it, and how far strands get.
#include "run/turns.h"
#include "io/looks.h"
#include "world/world.h"

#include <math.h>

enum { TIMES = 32 };

static bool is_driven(const sheaf_course *course)
{
    return course->kind != SHEAF_COURSE_CONSTANT || course->value != 0;
}

// Frames that something holds: both ends, inner edges, edges that are part of a body.
typedef struct held_frames {
    uint32_t count;
    bool turn; // one of them is turned about its strand, or goes where a motion or a body goes
} held_frames;

static void add_end(held_frames *held, const sheaf_end_def *end)
{
    if (!end->hold_angle)
        return;
    held->count++;
    held->turn = held->turn || is_driven(&end->twist) || is_driven(&end->turn) || end->motion >= 0;
}

// One frame that turns takes a free strand along; the strand is twisted between two of them. A frame that starts at an
// angle of its own is twisted against the pose that the strand was made in.
static bool is_twisted(const scene_group *group)
{
    const sheaf_strand_def *strand = &group->strand;
    held_frames held = {0};
    bool twisted = (strand->root.hold_angle && is_driven(&strand->root.twist)) ||
                   (strand->tip.hold_angle && is_driven(&strand->tip.twist)) || strand->closing_twist != 0;
    add_end(&held, &strand->root);
    add_end(&held, &strand->tip);
    for (uint32_t k = 0; k < strand->hold_count; k++, held.count++)
        twisted = twisted || is_driven(&strand->holds[k].twist);
    for (uint32_t k = 0; k < group->joint_count; k++)
        if (group->joints[k].kind == SHEAF_JOINT_WELD) {
            held.count++;
            held.turn = true;
        }
    return twisted || (held.count > 1 && held.turn);
}

// Whether a section that is not round, or twist, can be seen on the strands of a group.
static bool is_seen_turned(const sheaf_model *model, const scene_group *group)
{
    const sheaf_material_def *material = &model->materials[group->strand.material];
    const scene_section section = scene_material_section(material);
    const double wide = fmax(material->radius[0], material->radius[1]);
    const double narrow = fmin(material->radius[0], material->radius[1]);
    const bool is_seen =
        model->strand_count <= LOOKS_FEW_STRANDS || wide >= LOOKS_TUBE_FROM || wide >= LOOKS_FLAT_FROM * narrow;
    return is_seen && (wide != narrow || section.bend[0] != section.bend[1] || is_twisted(group));
}

bool run_shows_directors(const sheaf_model *model, uint32_t stride)
{
    if ((model->def.trajectory_with & SHEAF_TRAJECTORY_DIRECTOR) != 0)
        return true;
    for (uint32_t k = 0; k < model->group_count && stride == 1; k++)
        if (is_seen_turned(model, &model->groups[k]))
            return true;
    return false;
}

static void add_bounds(const double (*points)[3], uint64_t count, double box[2][3])
{
    for (uint64_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++) {
            box[0][c] = fmin(box[0][c], points[k][c]);
            box[1][c] = fmax(box[1][c], points[k][c]);
        }
}

double run_farthest(const sheaf_model *model, const double (*points)[3], uint64_t count)
{
    double box[2][3] = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}, farthest = 0;
    add_bounds(points, count, box);
    for (uint32_t motion = 0; motion < model->motion_count && count > 0; motion++)
        for (int k = 0; k <= TIMES; k++)
            for (int corner = 0; corner < 8; corner++) {
                const double at[3] = {box[corner & 1][0], box[corner >> 1 & 1][1], box[corner >> 2][2]};
                double to[3];
                if (model->sequences[motion] != NULL)
                    continue; // a mesh, whose frames are where the strands are
                model_motion_point(&model->motions[motion], model->def.end * k / TIMES, at, to);
                for (int c = 0; c < 3; c++)
                    farthest = fmax(farthest, fabs(to[c]));
            }
    return farthest;
}
