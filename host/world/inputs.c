// inputs: what the world gives a step on a device: motions of groups, with the gusts at their anchors. Worked out in
// fp64 from time functions, so that nothing adds up over steps.
#include "world/inputs.h"

#include "base/vec.h"
#include "world/world.h"

// A motion at both ends of a step. Jumps are left out: at the start it is where they take it.
typedef struct group_step {
    double start[3], end[3];          // m, displacement of its anchor
    double before[3][3], after[3][3]; // what becomes of the axes
    double spin[3];                   // rad/s, at the start
} group_step;

static void jump_at_start(const sheaf_motion_def *motion, const model_jump *jump, group_step *it)
{
    vec_add(it->start, it->start, motion->anchor);
    model_jump_point(jump, it->start, it->start);
    vec_sub(it->start, it->start, motion->anchor);
    model_jump_vector(jump, it->spin, it->spin);
    for (int c = 0; c < 3; c++)
        model_jump_vector(jump, it->before[c], it->before[c]);
}

static group_step find_step(const sheaf_motion_def *motion, double t0, double t1)
{
    group_step it = {0};
    model_jump jump;
    for (int c = 0; c < 3; c++)
        it.before[c][c] = it.after[c][c] = 1;
    if (motion == NULL)
        return it;
    model_motion_shift(motion, t0, it.start);
    model_motion_shift(motion, t1, it.end);
    model_motion_spin(motion, t0, it.spin);
    for (int c = 0; c < 3; c++) {
        model_motion_turn(motion, t0, it.before[c], it.before[c]);
        model_motion_turn(motion, t1, it.after[c], it.after[c]);
    }
    if (model_motion_jump(motion, t0, t1, &jump))
        jump_at_start(motion, &jump, &it);
    return it;
}

static void write_step(const group_step *it, double out[MOTION_SIZE])
{
    vec_sub(out + MOTION_SHIFT, it->end, it->start);
    vec_copy(out + MOTION_SPIN, it->spin);
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            out[MOTION_TURN + 3 * row + column] = it->after[column][row];
            out[MOTION_CHANGE + 3 * row + column] = it->after[column][row] - it->before[column][row];
        }
}

// Phases of the gusts at the anchor of a motion.
static void write_gusts(const sheaf_model *model, const sheaf_motion_def *motion, const double shift[3], double time,
                        double *out)
{
    double anchor[3] = {0, 0, 0};
    if (motion != NULL)
        vec_add(anchor, motion->anchor, shift);
    for (uint32_t k = 0; k < model->gust_count; k++)
        out[k] = model_gust_phase(model, &model->gusts[k], anchor, time);
}

void model_motion_input(const sheaf_model *model, uint32_t group, double t0, double t1, double load_time,
                        double out[MOTION_SIZE])
{
    const sheaf_motion_def *motion = group > 0 ? &model->motions[group - 1] : NULL;
    const group_step step = find_step(motion, t0, t1);
    write_step(&step, out);
    write_gusts(model, motion, load_time < t1 ? step.start : step.end, load_time, out + MOTION_GUST);
}
