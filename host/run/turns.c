// turns: what a trajectory has to hold: whether directors can be seen in it, and how far strands get.
#include "run/turns.h"
#include "world/world.h"

#include <math.h>

// From where a strand is drawn as a tube, m of radius, or as a blade, ratio of half axes; and how many strands are few
// enough to be drawn as tubes however thin. As host/view chooses (stage.c), which is above this part.
static const double tube_from = 3e-4, blade_from = 2.5;
enum { FEW_STRANDS = 12, TIMES = 32 };

static bool is_driven(const sheaf_course *course)
{
    return course->kind != SHEAF_COURSE_CONSTANT || course->value != 0;
}

static bool is_twisted(const sheaf_strand_def *strand)
{
    bool twisted = (strand->root.hold_angle && is_driven(&strand->root.twist)) ||
                   (strand->tip.hold_angle && is_driven(&strand->tip.twist)) || strand->closing_twist != 0;
    for (uint32_t k = 0; k < strand->hold_count; k++)
        twisted = twisted || is_driven(&strand->holds[k].twist);
    return twisted;
}

bool run_shows_directors(const sheaf_model *model, uint32_t stride)
{
    if ((model->def.trajectory_with & SHEAF_TRAJECTORY_DIRECTOR) != 0)
        return true;
    for (uint32_t k = 0; k < model->group_count && stride == 1; k++) {
        const sheaf_strand_def *strand = &model->groups[k].strand;
        const sheaf_material_def *material = &model->materials[strand->material];
        const scene_section section = scene_material_section(material);
        const double wide = fmax(material->radius[0], material->radius[1]);
        const double narrow = fmin(material->radius[0], material->radius[1]);
        const bool is_seen = model->strand_count <= FEW_STRANDS || wide >= tube_from || wide >= blade_from * narrow;
        if (is_seen && (wide != narrow || section.bend[0] != section.bend[1] || is_twisted(strand)))
            return true;
    }
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
