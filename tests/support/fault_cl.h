// fault_cl: makes OpenCL calls of this program fail on purpose.
#ifndef SHEAF_TESTS_FAULT_CL_H
#define SHEAF_TESTS_FAULT_CL_H

#include <stdbool.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

typedef enum fault_mode {
    FAULT_FAIL,   // call number `call` returns `code` without being made
    FAULT_STATUS, // launches are accepted, but their events end with `code`
    FAULT_HANG,   // launches never end
    FAULT_SCALE,  // numbers read back are wrong by 1 part in 10000
    FAULT_EXIT    // the first call ends the process with 0
} fault_mode;

typedef struct fault_plan {
    fault_mode mode;
    long call; // counted from 1; 0: none
    cl_int code;
    size_t group;     // largest work-group that devices say they can run; 0: the truth
    cl_ulong memory;  // bytes that devices say they have; 0: the truth
    bool lacks_fp64;  // devices say they have no double precision
    const char *name; // that devices say they have; NULL: the truth
    cl_ulong cache;   // bytes of a cache that GPUs say they have, which devices then say to be; 0: the truth
} fault_plan;

// Sets what happens from here on, and counts calls from 0 again.
void fault_arm(fault_plan wanted);

// Calls since fault_arm.
long fault_call_count(void);

#endif
