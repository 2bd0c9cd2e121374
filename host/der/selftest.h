// selftest: does a device compute right? A few strands on the engine's own programs against the reference,
// and copies of them in many work-groups against each other.
#ifndef SHEAF_DER_SELFTEST_H
#define SHEAF_DER_SELFTEST_H

#include "der/device/device.h"

// Worst differences between device and reference.
typedef struct selftest_result {
    double position; // share of the strand's length
    double velocity; // share of the strand's highest velocity
    double bar;      // of velocities; positions must keep to a tenth of it
} selftest_result;

// Steps a small model by one launch of each program that `engine` uses, and by the reference. Returns SHEAF_OK,
// SHEAF_ERR_DEVICE (also when a difference is over the bar, or copies differ in any bit), SHEAF_ERR_MEMORY. `result`
// may be NULL.
sheaf_status selftest_run(const sheaf_engine *engine, selftest_result *result);

#endif
