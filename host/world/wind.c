// wind: the waves that gusts are made of.
//
// The air's velocity is the wind's, V, plus a sum of plane waves a sin 2 pi (k.(x - V t) + f t + p). Each swings across
// its own direction, a.k = 0, so that the sum has no divergence; it travels with the wind, while the rates f let it
// change on the way, and in air that stands still on average.
#include "world/world.h"

#include "base/vec.h"

enum { STREAM_GUSTS = 16 }; // of the random numbers

// A direction, all alike, from two uniform numbers.
static void draw_direction(const double uniform[2], double out[3])
{
    const double turn = 2 * 3.14159265358979323846 * uniform[0], z = 2 * uniform[1] - 1, r = sqrt(fmax(0, 1 - z * z));
    vec_set(out, r * cos(turn), r * sin(turn), z);
}

// Wave lengths are spread from half to double the scale; eddies turn over at about the rate strength / wave length.
static model_gust draw_gust(const sheaf_scene_def *def, uint32_t k)
{
    double first[4], second[4], direction[3], normal[3], swing[3];
    model_gust gust;
    base_uniform4(def->gust_seed, STREAM_GUSTS, 2 * (uint64_t)k, first);
    base_uniform4(def->gust_seed, STREAM_GUSTS, 2 * (uint64_t)k + 1, second);
    const double number = exp2(2 * (k + first[2]) / MODEL_GUSTS - 1) / def->gust_scale;
    draw_direction(first, direction);
    vec_scale(gust.wave, direction, number);
    vec_normal(normal, direction);
    vec_rotate(swing, normal, direction, 2 * 3.14159265358979323846 * second[0]);
    vec_scale(gust.swing, swing, def->gust * sqrt(2.0 / MODEL_GUSTS)); // a sine's mean square is 1/2
    gust.rate = (second[1] - 0.5) * def->gust * number;
    gust.phase = second[2];
    return gust;
}

uint32_t model_make_gusts(const sheaf_scene_def *def, model_gust gusts[MODEL_GUSTS])
{
    if (def->gust == 0)
        return 0;
    for (uint32_t k = 0; k < MODEL_GUSTS; k++)
        gusts[k] = draw_gust(def, k);
    return MODEL_GUSTS;
}

double model_gust_phase(const sheaf_model *model, const model_gust *gust, const double point[3], double time)
{
    const double turns = vec_dot(gust->wave, point) + (gust->rate - vec_dot(gust->wave, model->def.wind)) * time;
    return remainder(turns + gust->phase, 1);
}

void model_air(const sheaf_model *model, const double point[3], double time, double air[3])
{
    vec_copy(air, model->def.wind);
    for (uint32_t k = 0; k < model->gust_count; k++) {
        const double turns = model_gust_phase(model, &model->gusts[k], point, time);
        vec_axpy(air, sin(2 * 3.14159265358979323846 * turns), model->gusts[k].swing);
    }
}

bool model_air_is_sparse(const sheaf_model *model, const double *rest_length, uint32_t edge_count)
{
    double longest = 0;
    for (uint32_t j = 0; j < edge_count; j++)
        longest = fmax(longest, rest_length[j]);
    return 2 * longest < 0.1 * (model->def.gust_scale / 2);
}

bool model_has_gusts_or_slip(const sheaf_model *model)
{
    bool found = model->gust_count > 0;
    for (uint32_t s = 0; s < model->strand_count && !found; s++)
        found = model->strands[s].slip > 0 && model->strands[s].drag > 0;
    return found;
}
