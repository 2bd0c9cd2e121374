// schedule: how many Newton iterations the implicit steps of a strand take at least.
#include "model/model.h"

static bool is_naturally_straight(const sheaf_model *model, uint32_t strand)
{
    for (uint64_t i = model->first_vertex[strand]; i < model->first_vertex[strand + 1]; i++) {
        const double(*w)[2] = model->natural_curvature[i];
        if (w[0][0] != 0 || w[0][1] != 0 || w[1][0] != 0 || w[1][1] != 0)
            return false;
    }
    return true;
}

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
    const sheaf_end_def *root = &strand->root.def, *tip = &strand->tip.def;
    const uint32_t held = (uint32_t)root->hold_angle + (uint32_t)tip->hold_angle + strand->hold_count;
    return strand->closed || held > 1 || has_couple(root) || has_couple(tip);
}

uint32_t model_newton_least(const sheaf_model *model, uint32_t strand)
{
    return is_naturally_straight(model, strand) && !can_be_twisted(&model->strands[strand]) ? 1 : 2;
}
