// schedule: how many Newton iterations the implicit steps of a strand take at least.
#include "der/schedule.h"

static bool has_couple(const sheaf_end_def *end)
{
    for (int c = 0; c < 3; c++)
        if (end->couple[c].kind == SHEAF_COURSE_KEYS || end->couple[c].value != 0)
            return true;
    return false;
}

// Whether ends or holds can twist the strand: two held frames can, or a couple.
static bool can_be_twisted(const model_strand *strand)
{
    const sheaf_end_def *root = strand->root, *tip = strand->tip;
    const uint32_t held = (uint32_t)root->hold_angle + (uint32_t)tip->hold_angle + strand->hold_count;
    return strand->closed || strand->is_loop || held > 1 || has_couple(root) || has_couple(tip);
}

uint32_t model_newton_least(const sheaf_model *model, uint32_t strand)
{
    const model_strand *s = &model->strands[strand];
    return s->law != NULL || s->curled || can_be_twisted(s) ? 2 : 1;
}
