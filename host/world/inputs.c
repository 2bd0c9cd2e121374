// inputs: what the world gives a step on a device: motions of groups, with the gusts at their anchors. Worked out in
// fp64 from time functions, so that nothing adds up over steps.
#include "world/inputs.h"

#include "base/vec.h"
#include "world/world.h"

// A motion at both ends of a span. Jumps are left out: it is where those of the step take it.
typedef struct group_step {
    double start[3], end[3];          // m, displacement of its anchor
    double before[3][3], after[3][3]; // what becomes of the axes
    double spin[3];                   // rad/s, at the start
} group_step;

// Takes a place of the anchor, and what becomes of the axes, along with a jump.
static void take_along(const sheaf_motion_def *motion, const model_jump *jump, double shift[3], double axes[3][3])
{
    vec_add(shift, shift, motion->anchor);
    model_jump_point(jump, shift, shift);
    vec_sub(shift, shift, motion->anchor);
    for (int c = 0; c < 3; c++)
        model_jump_vector(jump, axes[c], axes[c]);
}

static group_step find_step(const sheaf_motion_def *motion, model_span span)
{
    group_step it = {0};
    model_jump jump;
    for (int c = 0; c < 3; c++)
        it.before[c][c] = it.after[c][c] = 1;
    if (motion == NULL)
        return it;
    model_motion_shift(motion, span.start, it.start);
    model_motion_shift(motion, span.end, it.end);
    model_motion_spin(motion, span.start, it.spin);
    for (int c = 0; c < 3; c++) {
        model_motion_turn(motion, span.start, it.before[c], it.before[c]);
        model_motion_turn(motion, span.end, it.after[c], it.after[c]);
    }
    if (model_motion_jump(motion, span.start, span.step_end, &jump)) {
        take_along(motion, &jump, it.start, it.before);
        model_jump_vector(&jump, it.spin, it.spin);
    }
    if (model_motion_jump(motion, span.end, span.step_end, &jump))
        take_along(motion, &jump, it.end, it.after);
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

void model_motion_input(const sheaf_model *model, uint32_t group, model_span span, double load_time,
                        double out[MOTION_SIZE])
{
    const sheaf_motion_def *motion = group > 0 ? &model->motions[group - 1] : NULL;
    const group_step step = find_step(motion, span);
    write_step(&step, out);
    write_gusts(model, motion, load_time < span.end ? step.start : step.end, load_time, out + MOTION_GUST);
}
