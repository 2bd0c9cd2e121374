// limits: what a device can do at best.
#include "bench/limits.h"

#include <math.h>

enum { PROBES = 8 };

// The best of several: another process disturbs each for itself.
static sheaf_status probe_peak(peak_probe *probe, double *best)
{
    *best = 0;
    for (int k = 0; k < PROBES; k++) {
        double flops;
        SHEAF_TRY(peak_flops(probe, &flops));
        *best = fmax(*best, flops);
    }
    return SHEAF_OK;
}

// Copies through memory and tridiagonal solves in turns, so that both meet the same machine.
static sheaf_status probe_memory(peak_probe *probe, bench_limits *limits)
{
    for (int k = 0; k < PROBES; k++) {
        double copy, solve;
        SHEAF_TRY(peak_copy(probe, PEAK_MEMORY, &copy));
        SHEAF_TRY(peak_tridiagonal(probe, &solve));
        limits->copy = fmax(limits->copy, copy);
        limits->tridiagonal = fmax(limits->tridiagonal, solve);
    }
    return SHEAF_OK;
}

// The same in vectors of a register and of a whole line of the cache: which of them memory likes better differs from
// processor to processor.
static sheaf_status probe_wide_memory(const device_info *device, bench_limits *limits)
{
    static const uint32_t widths[] = {8, 16};
    sheaf_status status = SHEAF_OK;
    for (int k = 0; k < 2 && status == SHEAF_OK; k++) {
        peak_probe *probe;
        SHEAF_TRY(peak_open(device, false, widths[k], &probe));
        status = probe_memory(probe, limits);
        peak_close(probe);
    }
    return status;
}

static sheaf_status probe_double(const device_info *device, double *flops)
{
    peak_probe *probe;
    *flops = 0;
    if (!device->has_fp64)
        return SHEAF_OK;
    SHEAF_TRY(peak_open(device, true, 0, &probe));
    const sheaf_status status = probe_peak(probe, flops);
    peak_close(probe);
    return status;
}

sheaf_status bench_probe_limits(const device_info *device, peak_probe *probe, bench_limits *limits)
{
    SHEAF_TRY(probe_peak(probe, &limits->peak));
    limits->copy = limits->tridiagonal = 0;
    if (device->type & CL_DEVICE_TYPE_GPU)
        SHEAF_TRY(probe_memory(probe, limits));
    else
        SHEAF_TRY(probe_wide_memory(device, limits));
    SHEAF_TRY(peak_copy(probe, PEAK_CACHE, &limits->cache_copy));
    SHEAF_TRY(peak_launch(probe, &limits->launch));
    limits->cache_size = peak_cache_size(probe);
    return probe_double(device, &limits->peak_double);
}
