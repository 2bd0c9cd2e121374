// derive: a source made of another: chosen strands and frames, resampled, in another unit, with another axis up.
#ifndef SHEAF_GROOM_DERIVE_H
#define SHEAF_GROOM_DERIVE_H

#include "groom/resample.h"
#include "groom/source.h"

// A turn that takes one axis up to another: y and z by a quarter turn about x, as programs agree on; x by exchange in a
// circle. Unknown axes stay.
typedef struct groom_axes {
    int axis[3]; // new coordinate c is sign[c] times old coordinate axis[c]
    double sign[3];
} groom_axes;

groom_axes groom_axes_between(groom_up from, groom_up to);

static inline void groom_turn(const groom_axes *axes, const double old[3], double turned[3])
{
    for (int c = 0; c < 3; c++)
        turned[c] = axes->sign[c] * old[axes->axis[c]];
}

// What to change; all zero changes nothing.
typedef struct groom_changes {
    double from_metres, to_metres; // per unit; from: overrides what the file says; to, 0: as it is
    groom_up from_up, to_up;       // likewise
    uint32_t vertices;             // of every strand, at least 2; 0: as they are
    double rate;                   // frames per second, where the file does not say its times; 0: not known
    uint64_t every;                // take frames first, first + every, ...; 0 or 1: all
    bool one_frame;                // take frame `first` alone
    uint64_t first;
    const uint64_t *strands; // [strand_count] to take, in this order; NULL: all
    uint64_t strand_count;
} groom_changes;

// Makes `to` of `from`, which must outlive it and is moved to other frames by it. `loss` (kept, may be NULL) gathers
// what resampling loses as frames are loaded. Returns SHEAF_OK, SHEAF_ERR_INPUT (a unit or axis is to change that is
// not known; no such strand), SHEAF_ERR_MEMORY.
sheaf_status groom_derive(groom_source *from, const groom_changes *changes, groom_loss *loss, groom_source *to);

#endif
