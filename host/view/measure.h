// measure: what strands can be coloured by.
#ifndef SHEAF_VIEW_MEASURE_H
#define SHEAF_VIEW_MEASURE_H

#include "view/stage.h"

typedef enum view_colour {
    VIEW_COLOUR_NATURAL,
    VIEW_COLOUR_STRAND,    // another one for every strand
    VIEW_COLOUR_STRAIN,    // | |e| / l - 1 |
    VIEW_COLOUR_CURVATURE, // 1/m
    VIEW_COLOUR_TWIST,     // rad/m, of directors against parallel transport
    VIEW_COLOUR_SPEED,     // m/s
    VIEW_COLOUR_FROZEN,    // diverged strands
    VIEW_COLOUR_ERROR,     // m, from the reference's strand, where one runs
    VIEW_COLOUR_COUNT
} view_colour;

extern const char *const view_colour_names[]; // ended by NULL

// What colours are worked out from, besides the stage; any may be NULL, which gives 0.
typedef struct view_measured {
    const double (*velocities)[3]; // [vertex] m/s
    const bool *frozen;            // [strand]
    const float *errors;           // [vertex] m
} view_measured;

// Fills values, [vertex], with shares of the largest of them, which is returned in the unit above.
double view_measure(const view_stage *stage, view_colour colour, const view_measured *measured, float *values);

#endif
