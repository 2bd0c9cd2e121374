// probe: which device a command runs on, after a child process has tried it. A driver that crashes, aborts or hangs
// takes the child with it, not the command.
#ifndef SHEAF_CLI_PROBE_H
#define SHEAF_CLI_PROBE_H

#include "cl/device.h"

// Makes OpenCL safe to use in this process: cache folders, then a child that lists the devices. Returns SHEAF_OK, or
// SHEAF_ERR_DEVICE when even listing them fails.
sheaf_status cli_opencl_open(void);

// Whether device `index` passes its test, now or, with this driver and these kernels, at an earlier time. A test takes
// long where kernels have to be compiled: a note says so first, unless `quiet`.
sheaf_status cli_probe_device(uint32_t index, const device_info *device, bool quiet);

// Choices of an option that names an OpenCL device, and the device of a choice: SHEAF_DEVICE_BEST, or its number.
extern const char *const cli_devices[];
uint32_t cli_device_number(int choice);

// Choices of an option that names what computes, and the backend of a choice: any device, the reference, or a device.
enum { CLI_BACKEND_AUTO, CLI_BACKEND_REFERENCE }; // after these: the number of a device
extern const char *const cli_backends[];
void cli_set_backend(int choice, sheaf_solver_def *solver);

// Sets what `solver` runs on: the device wished for (SHEAF_DEVICE_BEST: the strongest that passes its test). When none
// does, SHEAF_BACKEND_AUTO becomes the reference, with one notice; SHEAF_BACKEND_DEVICE fails with SHEAF_ERR_DEVICE.
sheaf_status cli_pick_device(sheaf_solver_def *solver, bool quiet);

// Keeps what was compiled, and cleans up. Call it after the last use of OpenCL.
void cli_opencl_close(void);

// What the child does, by `sheaf devices --probe WHAT`: "list", or the number of a device. Returns its exit code.
int cli_probe_child(const char *what);

#endif
