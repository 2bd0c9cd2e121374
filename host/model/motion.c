// motion: where rigid motions take points and directions.
#include "model/model.h"

#include "base/vec.h"

void model_motion_turn(const sheaf_motion_def *motion, double t, const double vector[3], double out[3])
{
    double axis[3];
    vec_unit(axis, motion->axis);
    vec_rotate(out, vector, axis, scene_course(&motion->turn, t));
}

void model_motion_spin(const sheaf_motion_def *motion, double t, double out[3])
{
    vec_unit(out, motion->axis);
    vec_scale(out, out, scene_course_rate(&motion->turn, t));
}

void model_motion_point(const sheaf_motion_def *motion, double t, const double point[3], double out[3])
{
    double arm[3];
    vec_sub(arm, point, motion->anchor);
    model_motion_turn(motion, t, arm, out);
    for (int c = 0; c < 3; c++)
        out[c] += motion->anchor[c] + scene_course(&motion->move[c], t);
}
