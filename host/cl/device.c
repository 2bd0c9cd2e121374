// device: listing and choosing OpenCL devices, and their errors as texts.
#include "cl/device.h"

#include "cl/shield.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct {
    cl_int code;
    const char *name;
} error_names[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
    {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
    {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};

const char *device_error_name(cl_int error)
{
    for (size_t k = 0; k < sizeof error_names / sizeof error_names[0]; k++)
        if (error_names[k].code == error)
            return error_names[k].name;
    return "an OpenCL error";
}

sheaf_status device_check(cl_int error, const char *call)
{
    if (error == CL_SUCCESS)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_DEVICE, "%s failed: %s (%d)", call, device_error_name(error), error);
}

const char *device_type_name(cl_device_type type)
{
    if (type & CL_DEVICE_TYPE_GPU)
        return "gpu";
    return type & CL_DEVICE_TYPE_CPU ? "cpu" : "accelerator";
}

static uint64_t query_number(cl_device_id id, cl_device_info what, size_t size)
{
    uint64_t value = 0; // little-endian hosts: smaller types fill its low bytes
    return clGetDeviceInfo(id, what, size, &value, NULL) == CL_SUCCESS ? value : 0;
}

static void query_text(cl_device_id id, cl_device_info what, char *text, size_t size)
{
    if (clGetDeviceInfo(id, what, size - 1, text, NULL) != CL_SUCCESS)
        snprintf(text, size, "unknown");
    text[size - 1] = 0;
}

static void describe(device_info *info, cl_platform_id platform, cl_device_id id)
{
    *info = (device_info){.platform_id = platform, .id = id};
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof info->platform - 1, info->platform, NULL) != CL_SUCCESS)
        snprintf(info->platform, sizeof info->platform, "unknown");
    query_text(id, CL_DEVICE_NAME, info->name, sizeof info->name);
    query_text(id, CL_DRIVER_VERSION, info->driver, sizeof info->driver);
    info->type = query_number(id, CL_DEVICE_TYPE, sizeof(cl_device_type));
    info->has_fp64 = query_number(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof(cl_device_fp_config)) != 0;
    info->compute_units = (uint32_t)query_number(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint));
    info->clock_mhz = (uint32_t)query_number(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof(cl_uint));
    query_text(id, CL_DEVICE_VERSION, info->version, sizeof info->version);
    info->native_width = (uint32_t)query_number(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof(cl_uint));
    info->largest_group = (uint32_t)query_number(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    info->has_exact_division = (query_number(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof(cl_device_fp_config)) &
                                CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    info->has_compiler = query_number(id, CL_DEVICE_AVAILABLE, sizeof(cl_bool)) != 0 &&
                         query_number(id, CL_DEVICE_COMPILER_AVAILABLE, sizeof(cl_bool)) != 0;
    info->memory = query_number(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
    info->largest_buffer = query_number(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(cl_ulong));
    info->cache = query_number(id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof(cl_ulong));
}

const uint32_t width_values[WIDTH_COUNT] = {1, 4, 8, 16};

static sheaf_status list(device_info devices[DEVICE_MOST], uint32_t *count)
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    *count = 0;
    const cl_int error = clGetPlatformIDs(16, platforms, &platform_count);
    if (error == -1001)
        return SHEAF_OK;
    SHEAF_TRY(device_check(error, "clGetPlatformIDs"));
    for (cl_uint p = 0; p < platform_count && p < 16; p++) {
        cl_device_id ids[DEVICE_MOST];
        cl_uint found = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, DEVICE_MOST, ids, &found) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < found && *count < DEVICE_MOST; d++)
            describe(&devices[(*count)++], platforms[p], ids[d]);
    }
    return SHEAF_OK;
}

// Drivers are loaded and start their threads here, and not all of them bear being asked by two threads at once.
sheaf_status device_list(device_info devices[DEVICE_MOST], uint32_t *count)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    shield signals;
    pthread_mutex_lock(&turn);
    shield_raise(&signals, SHIELD_STARTS);
    const sheaf_status status = list(devices, count);
    shield_lower(&signals);
    pthread_mutex_unlock(&turn);
    return status;
}

sheaf_status device_open_queue(const device_info *device, cl_command_queue_properties wanted, cl_context *context,
                               cl_command_queue *queue)
{
    cl_int error = CL_SUCCESS;
    const char *call = "clCreateContext";
    shield signals;
    shield_raise(&signals, SHIELD_STARTS);
    if (*context == NULL)
        *context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    if (error == CL_SUCCESS) {
        call = "clCreateCommandQueue";
        *queue = clCreateCommandQueue(*context, device->id, wanted, &error);
    }
    shield_lower(&signals);
    return device_check(error, call);
}

sheaf_status device_find(uint32_t index, device_info *info)
{
    device_info devices[DEVICE_MOST];
    uint32_t count;
    SHEAF_TRY(device_list(devices, &count));
    if (index >= count)
        return base_fail(SHEAF_ERR_DEVICE, "there is no OpenCL device %u: %u found; see `sheaf devices`", index, count);
    *info = devices[index];
    return SHEAF_OK;
}

bool device_is_usable(const device_info *info, char *reason, size_t size)
{
    const char *why = !info->has_compiler              ? "it is not available, or has no compiler"
                      : info->compute_units == 0       ? "it states no compute units"
                      : info->largest_buffer < 1 << 20 ? "it has no memory to speak of"
                                                       : NULL;
    snprintf(reason, size, "%s", why ? why : "");
    return why == NULL;
}

// GPUs before CPUs, then by units times clock.
static double rank(const device_info *info)
{
    char reason[64];
    if (!device_is_usable(info, reason, sizeof reason))
        return -1;
    const double type = info->type & CL_DEVICE_TYPE_GPU ? 1e12 : 0;
    return type + (double)info->compute_units * (info->clock_mhz ? info->clock_mhz : 1);
}

uint32_t device_choose(const device_info *devices, uint32_t count, char *why, size_t size)
{
    uint32_t best = count;
    double highest = 0;
    for (uint32_t d = 0; d < count; d++)
        if (rank(&devices[d]) > highest) {
            best = d;
            highest = rank(&devices[d]);
        }
    if (best == count)
        snprintf(why, size, count > 0 ? "no usable OpenCL device was found" : "no OpenCL device was found");
    else
        snprintf(why, size, "%s with %u compute units%s", device_type_name(devices[best].type),
                 devices[best].compute_units, count > 1 ? ", the strongest one here" : ", the only one here");
    return best;
}
