// shadow: the reference beside the device. A picked strand is simulated once more in double precision, from the start
// of time and with the same pushes, on a thread of its own; what differs is the device's error.
#ifndef SHEAF_VIEW_SHADOW_H
#define SHEAF_VIEW_SHADOW_H

#include "view/live.h"

typedef struct view_shadow view_shadow;

// What is known of the shadow at one step.
typedef struct view_shadow_row {
    uint64_t step;
    double time;                       // s
    double deviation;                  // m, largest distance of a vertex from the device's
    double kinetic, bending, twisting; // J, of the reference's strand
    double twist;                      // turns, of the material frame along the strand
    double writhe;                     // turns; twist and writhe add up to the linking number
} view_shadow_row;

enum { VIEW_SHADOW_ROWS = 600 }; // latest ones that are kept

// Starts to follow strand `strand` of a model. Pushes are taken from `live`. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_shadow_open(const sheaf_model *model, uint32_t strand, double step, view_live *live,
                              view_shadow **shadow);
void view_shadow_close(view_shadow *shadow);

// Hands over the device's strand at a step; the reference goes there, and compares.
void view_shadow_follow(view_shadow *shadow, uint64_t step, double time, const double (*positions)[3]);

// Copies the reference's vertices, [vertex], as of the last comparison, and the latest rows, oldest first; returns how
// many rows there are.
uint32_t view_shadow_take(view_shadow *shadow, double (*positions)[3], view_shadow_row rows[VIEW_SHADOW_ROWS]);

// Writes the rows as CSV. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
sheaf_status view_shadow_save(view_shadow *shadow, const char *path);

#endif
