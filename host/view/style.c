// style: light and colours of pictures.
#include "view/style.h"

#include <math.h>

view_style view_style_default(void)
{
    const view_fibre hair = {
        .roughness = 0.30f, .shift = 0.035f, .shine = 1, .tint = 0.45f, .tip = {1.25f, 1.20f, 1.12f}};
    view_style style = {.sky_high = {0.30f, 0.37f, 0.46f},
                        .sky_low = {0.66f, 0.66f, 0.66f},
                        .ground = {0.60f, 0.575f, 0.555f},
                        .exposure = 1,
                        .rim = 0.5f};
    for (int k = 0; k < VIEW_MOST_FIBRES; k++)
        style.fibres[k] = hair;
    return style;
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
