// style: light and colours of pictures.
#include "view/style.h"

#include <math.h>
#include <string.h>

view_style view_style_default(void)
{
    const view_fibre hair = {
        .roughness = 0.30f, .shift = 0.035f, .shine = 1, .tint = 0.45f, .tip = {1.25f, 1.20f, 1.12f}};
    view_style style = {.sky_high = {0.30f, 0.37f, 0.46f},
                        .sky_low = {0.66f, 0.66f, 0.66f},
                        .behind = {0.66f, 0.66f, 0.66f},
                        .ground = {0.60f, 0.575f, 0.555f},
                        .exposure = 1,
                        .rim = 0.5f};
    for (int k = 0; k < VIEW_MOST_FIBRES; k++)
        style.fibres[k] = hair;
    return style;
}

static void set_colour(float out[3], const double screen[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = (float)view_linear(screen[c]);
}

// The bright sky that pictures out of doors have.
static void set_sky(view_style *style)
{
    static const float high[3] = {0.50f, 0.66f, 0.86f}, low[3] = {0.90f, 0.89f, 0.88f},
                       ground[3] = {0.86f, 0.82f, 0.79f};
    memcpy(style->sky_high, high, sizeof high);
    memcpy(style->sky_low, low, sizeof low);
    memcpy(style->ground, ground, sizeof ground);
}

// A studio whose walls are dark but for a pool of light: outlines of hair stand out. What is shown is lit as in the
// grey one.
static void set_dark(view_style *style)
{
    static const float behind[3] = {0.016f, 0.018f, 0.023f}, pool[3] = {0.085f, 0.092f, 0.105f};
    for (int c = 0; c < 3; c++)
        style->ground[c] *= 0.16f;
    memcpy(style->behind, behind, sizeof behind);
    memcpy(style->pool, pool, sizeof pool);
    style->is_dark = true;
}

void view_style_set(view_style *style, const scene_view *view)
{
    style->exposure = (float)view->exposure;
    style->rim = (float)view->rim;
    if (view->has_light)
        memcpy(style->light, view->light, sizeof view->light);
    if (view->background == SCENE_BACKGROUND_SKY)
        set_sky(style);
    if (view->has_sky)
        set_colour(style->sky_high, view->sky);
    for (int c = 0; c < 3 && view->has_sky; c++)
        style->sky_low[c] = 0.35f * style->sky_high[c] + 0.65f * 0.88f;
    memcpy(style->behind, style->sky_low, sizeof style->behind);
    if (view->background == SCENE_BACKGROUND_DARK)
        set_dark(style);
    if (view->has_ground_colour)
        set_colour(style->ground, view->ground_colour);
    for (uint32_t k = 0; k < view->paint_count && k + 1 < VIEW_MOST_FIBRES; k++) {
        const scene_paint *paint = &view->paints[k];
        style->fibres[k + 1] = (view_fibre){.roughness = (float)paint->roughness,
                                            .shift = (float)paint->shift,
                                            .shine = (float)paint->shine,
                                            .tint = (float)paint->tint,
                                            .tip = {(float)paint->tip[0], (float)paint->tip[1], (float)paint->tip[2]}};
    }
}

double view_linear(double screen)
{
    return screen <= 0.04045 ? screen / 12.92 : pow((screen + 0.055) / 1.055, 2.4);
}

void view_scale_colour(double value, float colour[3])
{
    static const double stops[5][3] = {
        {0.03, 0.06, 0.33}, {0.02, 0.27, 0.38}, {0.22, 0.50, 0.10}, {0.90, 0.58, 0.05}, {0.65, 0.04, 0.02}};
    const double place = 4 * fmin(fmax(value, 0), 1);
    const int stop = place < 4 ? (int)place : 3;
    for (int c = 0; c < 3; c++)
        colour[c] = (float)(stops[stop][c] + (place - stop) * (stops[stop + 1][c] - stops[stop][c]));
}
