// device: the OpenCL devices of this machine, and which one to take.
#ifndef SHEAF_CL_DEVICE_H
#define SHEAF_CL_DEVICE_H

#include "base/base.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

typedef struct device_info {
    cl_platform_id platform_id;
    cl_device_id id;
    char platform[128];
    char name[128];
    char driver[64];
    char version[128]; // of OpenCL, as the device states it
    cl_device_type type;
    bool has_fp64;
    uint32_t compute_units;
    uint32_t clock_mhz;
    uint32_t native_width;   // floats in a register, as the driver sees it; 0: unknown
    uint32_t largest_group;  // work-items in a work-group
    bool has_exact_division; // division and square root can be correctly rounded in single precision
    bool has_compiler;       // kernels can be built
    uint64_t memory;         // bytes
    uint64_t largest_buffer; // bytes
    uint64_t cache;          // bytes of the cache of global memory; 0: unknown
} device_info;

enum { DEVICE_MOST = 64 };

// Lane widths that kernels are built for: 1, 4, 8, 16.
enum { WIDTH_COUNT = 4 };
extern const uint32_t width_values[WIDTH_COUNT];

// All devices of all platforms. No platform at all is not an error: the count is 0.
sheaf_status device_list(device_info devices[DEVICE_MOST], uint32_t *count);

// A queue with the properties wanted, in a context, which is made where it is NULL.
sheaf_status device_open_queue(const device_info *device, cl_command_queue_properties wanted, cl_context *context,
                               cl_command_queue *queue);

// Device `index` of the list; SHEAF_ERR_DEVICE when there are not so many.
sheaf_status device_find(uint32_t index, device_info *info);

// Whether kernels can run on the device at all; if not, `reason` says why.
bool device_is_usable(const device_info *info, char *reason, size_t size);

// Index of the device `auto` takes and one line saying why; count when there is none that is usable.
uint32_t device_choose(const device_info *devices, uint32_t count, char *why, size_t size);

const char *device_type_name(cl_device_type type);

// "CL_OUT_OF_RESOURCES" and the like.
const char *device_error_name(cl_int error);

// SHEAF_OK for CL_SUCCESS, else SHEAF_ERR_DEVICE with the name of the call and of the error.
sheaf_status device_check(cl_int error, const char *call);

#endif
