// owners: how many work-items of a GPU have scratch, and so are in flight: as many as its cache has room for, or
// several times as many, of which some wait while others work. Which is faster depends on the GPU; it changes no bit of
// a result. A short measured trial, remembered in the cache.
#ifndef SHEAF_DER_DEVICE_OWNERS_H
#define SHEAF_DER_DEVICE_OWNERS_H

#include "cl/device.h"
#include "cl/engine.h"

// Sets options->cache_fill where the device is a GPU that tells the size of its cache, lanes are scalars and the
// scratch of so many vertices does not fit it. Without a trial that worked it stays as it was. Never fails: what cannot
// be tried is left alone.
void owners_choose(const device_info *device, uint64_t vertices, engine_options *options);

#endif
