// peak: the speed limits of a device, measured: multiply-adds from registers, copies through memory.
#ifndef SHEAF_CL_PEAK_H
#define SHEAF_CL_PEAK_H

#include "cl/device.h"

typedef struct peak_probe peak_probe;

// Builds the probe in the vector width that is fastest on the device. Returns SHEAF_OK, SHEAF_ERR_DEVICE,
// SHEAF_ERR_MEMORY.
sheaf_status peak_open(const device_info *device, bool is_double, peak_probe **opened);
void peak_close(peak_probe *probe);

// One probe of about 10 ms: floating-point operations per second, a multiply-add being two.
sheaf_status peak_flops(peak_probe *probe, double *flops);

// Copies of 64 MiB: bytes per second of the best, read and written.
sheaf_status peak_copy(peak_probe *probe, double *bytes);

#endif
