// style: light and colours of pictures.
#ifndef SHEAF_VIEW_STYLE_H
#define SHEAF_VIEW_STYLE_H

#include "scene/scene.h"

// How a kind of hair takes light; docs/scene.md, view: colours.
typedef struct view_fibre {
    float roughness; // of its surface: the square is the width of highlights
    float shift;     // of highlights along the hair
    float shine;     // factor on highlights and on light that comes through
    float tint;      // how much of its colour light takes on the way to what is in the shade
    float tip[3];    // factors on the colour at the tip
    float unused;    // fills two vectors of the graphics
} view_fibre;

#define VIEW_MOST_FIBRES 64 // a plain number: shaders have it, too

// Colours are linear light.
typedef struct view_style {
    double light[3];   // towards the light; 0: from the upper left of the first picture's camera
    float sky_high[3]; // above
    float sky_low[3];  // at the horizon
    float ground[3];
    float behind[3]; // what is seen at the horizon, at most as bright as what lights the scene
    float pool[3];   // added to it behind the middle of the picture, where the background is dark
    bool is_dark;
    float exposure;                      // factor on all light
    float rim;                           // strength of the light from behind
    view_fibre fibres[VIEW_MOST_FIBRES]; // by the number of a strand's look
} view_style;

view_style view_style_default(void);

// What a scene wishes to be different. Its colours become fibres, from number 1 on.
void view_style_set(view_style *style, const scene_view *view);

// Linear light of a colour as screens have it.
double view_linear(double screen);

// A colour for a value from 0 to 1: from blue over green and yellow to red.
void view_scale_colour(double value, float colour[3]);

#endif
