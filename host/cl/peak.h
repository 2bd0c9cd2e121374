// peak: the speed limits of a device, measured: multiply-adds from registers, copies through memory and cache, the
// cost of a launch; and tridiagonal systems, which are to be solved as fast as memory allows.
#ifndef SHEAF_CL_PEAK_H
#define SHEAF_CL_PEAK_H

#include "cl/device.h"

typedef struct peak_probe peak_probe;

// Builds the probe in a vector width, or with 0 in the one that does most multiply-adds on the device. Returns
// SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status peak_open(const device_info *device, bool is_double, uint32_t width, peak_probe **opened);
void peak_close(peak_probe *probe);

// One probe of about 10 ms: floating-point operations per second, a multiply-add being two.
sheaf_status peak_flops(peak_probe *probe, double *flops);

// Another kernel with the arguments of the probe's own, (results, rounds), which does something `per_round` times in
// each round and lane.
typedef struct peak_custom {
    const char *entry, *kernel;     // its part, its name
    const struct kernel_part *slot; // text that stands for a part (cl/parts.h)
    double per_round;
} peak_custom;

// Builds it and runs it until it takes its time: how many times a second of the best run.
sheaf_status peak_run_custom(peak_probe *probe, const peak_custom *what, double *rate);

// Compute units of the device.
double peak_units(const peak_probe *probe);

// Where copies go.
typedef enum peak_level { PEAK_MEMORY, PEAK_CACHE } peak_level;

// Size of the device's last cache, bytes; 0: unknown.
double peak_cache_size(const peak_probe *probe);

// Copies of more than any cache holds, or of an eighth of the last cache: bytes per second of the best, read and
// written.
sheaf_status peak_copy(peak_probe *probe, peak_level level, double *bytes);

// Seconds from enqueuing a kernel that does nothing to its end: the median of many.
sheaf_status peak_launch(peak_probe *probe, double *seconds);

// Tridiagonal systems of 32 rows, more than any cache holds, solved in one launch: bytes per second of the best; four
// numbers per row are read or written. The probe must be one of single precision. Returns SHEAF_ERR_MISMATCH where a
// solution is wrong.
sheaf_status peak_tridiagonal(peak_probe *probe, double *bytes);

#endif
