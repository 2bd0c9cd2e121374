// ledger: which strands have their energy accounted for, step by step.
#include "der/ledger.h"

#include "world/world.h"

static bool is_constant(const sheaf_course *course)
{
    return course->kind == SHEAF_COURSE_CONSTANT;
}

// Whether nothing drives an end by itself; what holds it may still follow a motion.
static bool has_no_course(const sheaf_end_def *end)
{
    return is_constant(&end->move[0]) && is_constant(&end->move[1]) && is_constant(&end->move[2]) &&
           is_constant(&end->turn) && is_constant(&end->twist);
}

static bool has_no_couple(const sheaf_end_def *end)
{
    bool none = true;
    for (int c = 0; c < 3; c++)
        none = none && is_constant(&end->couple[c]) && end->couple[c].value == 0;
    return none;
}

static bool is_held(const sheaf_end_def *end)
{
    return end->hold_position || end->hold_tangent || end->hold_angle;
}

static bool is_clamp(const sheaf_end_def *end)
{
    return end->hold_position && end->hold_tangent && end->hold_angle && !end->slide;
}

// An end that does no work: free, or where it is for good.
static bool is_idle(const sheaf_end_def *end)
{
    return !is_held(end) || end->motion < 0;
}

// Kernels with laws have no room for a ledger, and strands of the whole scene share kernels.
static bool has_laws(const sheaf_model *model)
{
    while (model->parent != NULL)
        model = model->parent;
    for (uint32_t k = 0; model->laws != NULL && k < model->material_count; k++)
        if (model->laws[k] != NULL)
            return true;
    return false;
}

bool der_has_ledger(const sheaf_model *model, uint32_t strand)
{
    const model_strand *s = &model->strands[strand];
    bool has = !has_laws(model) && !s->is_loop && has_no_course(s->root) && has_no_course(s->tip) &&
               has_no_couple(s->root) && has_no_couple(s->tip) && !model_strand_is_joined(model, strand);
    for (uint32_t k = 0; k < s->hold_count; k++)
        has = has && is_constant(&s->holds[k].twist);
    if (is_idle(s->root) && is_idle(s->tip))
        return has;
    return has && is_clamp(s->root) && s->skin == NULL && !is_held(s->tip) && s->hold_count == 0;
}

bool der_is_carried(const sheaf_model *model, uint32_t strand)
{
    return !is_idle(model->strands[strand].root);
}
