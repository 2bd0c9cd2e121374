// width: which lane width is fastest on a device: a short measured trial, remembered in the cache.
#ifndef SHEAF_DER_DEVICE_WIDTH_H
#define SHEAF_DER_DEVICE_WIDTH_H

#include "cl/device.h"

// Vertex-steps per second of each width; 0: not tried; WIDTH_REFUSED: the device could not run it.
#define WIDTH_REFUSED (-1.0)
typedef struct width_trial {
    double rates[WIDTH_COUNT];
} width_trial;

// What the cache knows of a device; all 0 when nothing.
width_trial width_known(const device_info *device, bool is_double);

enum { WIDTH_TRIAL_STRANDS = 1024 };

// The population that trials step, of so many strands: curled hair of elliptic section.
sheaf_status width_make_model(uint32_t strands, sheaf_model **model);

// Tries widths, in turn with those known already, when one is not known yet, and remembers them: the likely ones of a
// CPU, or with `all` every one. That a device refuses a width is remembered, too.
width_trial width_try(uint32_t index, const device_info *device, bool is_double, bool all);

// The fastest of a trial (the width of the device's registers unless another is 10 % faster), or, when nothing was
// tried, the usual one for the kind of device: 1 on a GPU.
uint32_t width_best(const width_trial *trial, const device_info *device, bool is_double);

// The width wished for by SHEAF_LANES in the environment; 0: none. Anything but 1, 4, 8, 16 is an error.
sheaf_status width_wish(uint32_t *width);

// The width to use for so many strands: as wished, else the best of those known or tried; on a CPU fewer strands than
// that get the narrowest vectors that hold them all, which their steps go through faster.
sheaf_status width_choose(uint32_t index, const device_info *device, bool is_double, uint32_t strands, uint32_t *width);

#endif
