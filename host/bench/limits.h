// limits: what a device can do at best, measured before the workloads.
#ifndef SHEAF_BENCH_LIMITS_H
#define SHEAF_BENCH_LIMITS_H

#include "cl/peak.h"

typedef struct bench_limits {
    double peak, peak_double; // flop/s; double: 0 where there is none
    double copy, cache_copy;  // bytes/s through memory and through the last cache, read and written
    double cache_size;        // bytes of the last cache; 0: unknown
    double launch;            // s, of a kernel that does nothing
    double tridiagonal;       // bytes/s of tridiagonal systems, solved from memory to memory
} bench_limits;

// Measures all of them; `probe` is one of single precision on the device.
sheaf_status bench_probe_limits(const device_info *device, peak_probe *probe, bench_limits *limits);

#endif
