// style: light and colours of pictures.
#ifndef SHEAF_VIEW_STYLE_H
#define SHEAF_VIEW_STYLE_H

// Colours are linear light.
typedef struct view_style {
    double light[3];   // towards the light; 0: from the upper left of the first picture's camera
    float sky_high[3]; // above
    float sky_low[3];  // at the horizon
    float ground[3];
} view_style;

view_style view_style_default(void);

// Linear light of a colour as screens have it.
double view_linear(double screen);

// A colour for a value from 0 to 1: from blue over green and yellow to red.
void view_scale_colour(double value, float colour[3]);

#endif
