// fault_cl: stands between a program and its OpenCL driver, and makes calls fail on purpose.
//
// Linked into a test program (its functions then come before the library's), or preloaded into a command, where the
// environment sets what to do:
//   FAULT_CL_CALL=N the N-th call fails, counted from 1
//   FAULT_CL_CODE=C with this error (default -5)
//   FAULT_CL_MODE=M fail (default), status: the call succeeds but the state of its event tells the error, hang: kernels
//                  never end, scale: numbers read back are wrong by 1 part in 10000, exit: the first call ends the
//                  process as if all were well
//   FAULT_CL_CACHE=B devices say they are GPUs with a cache of B bytes
//   FAULT_CL_NAME=N devices say that they are called N
//   FAULT_CL_FP64=0 devices say they have no double precision
#include "fault_cl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static fault_plan plan;
static long call_count;
static bool is_prepared;

static fault_mode mode_of(const char *word)
{
    static const char *const words[] = {"fail", "status", "hang", "scale", "exit"};
    for (int k = 0; word != NULL && k < 5; k++)
        if (strcmp(word, words[k]) == 0)
            return (fault_mode)k;
    return FAULT_FAIL;
}

// The plan of a preloaded shim.
static void prepare(void)
{
    const char *call = getenv("FAULT_CL_CALL"), *code = getenv("FAULT_CL_CODE");
    if (is_prepared)
        return;
    is_prepared = true;
    plan.mode = mode_of(getenv("FAULT_CL_MODE"));
    plan.lacks_fp64 = getenv("FAULT_CL_FP64") != NULL;
    plan.name = getenv("FAULT_CL_NAME");
    plan.cache = getenv("FAULT_CL_CACHE") != NULL ? strtoull(getenv("FAULT_CL_CACHE"), NULL, 10) : 0;
    plan.call = call ? atol(call) : 0;
    plan.code = code ? atoi(code) : CL_OUT_OF_RESOURCES;
}

void fault_arm(fault_plan wanted)
{
    plan = wanted;
    is_prepared = true;
    call_count = 0;
}

long fault_call_count(void)
{
    return call_count;
}

// Counts a call; whether it is the one to fail.
static bool strikes(void)
{
    prepare();
    call_count++;
    if (plan.mode == FAULT_EXIT)
        _exit(0);
    return plan.mode == FAULT_FAIL && call_count == plan.call;
}

static void *real(const char *name)
{
    static void *loader;
    if (loader == NULL)
        loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    void *function = loader ? dlsym(loader, name) : NULL;
    if (function == NULL)
        abort();
    return function;
}

// A call that returns its error.
#define RETURNING(name, parameters, arguments)                                                                         \
    cl_int name parameters                                                                                             \
    {                                                                                                                  \
        static cl_int(*next) parameters;                                                                               \
        if (next == NULL)                                                                                              \
            *(void **)&next = real(#name);                                                                             \
        return strikes() ? plan.code : next arguments;                                                                 \
    }

// A call that returns an object, and its error through a pointer.
#define MAKING(type, name, parameters, arguments)                                                                      \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*next) parameters;                                                                                 \
        if (next == NULL)                                                                                              \
            *(void **)&next = real(#name);                                                                             \
        if (!strikes())                                                                                                \
            return next arguments;                                                                                     \
        if (error != NULL)                                                                                             \
            *error = plan.code;                                                                                        \
        return NULL;                                                                                                   \
    }

RETURNING(clGetPlatformIDs, (cl_uint entries, cl_platform_id *platforms, cl_uint *count), (entries, platforms, count))
RETURNING(clGetPlatformInfo, (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *used),
          (platform, what, size, value, used))
RETURNING(clGetDeviceIDs,
          (cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id *devices, cl_uint *count),
          (platform, type, entries, devices, count))
RETURNING(clReleaseContext, (cl_context context), (context))
RETURNING(clReleaseCommandQueue, (cl_command_queue queue), (queue))
RETURNING(clReleaseMemObject, (cl_mem memory), (memory))
RETURNING(clReleaseProgram, (cl_program program), (program))
RETURNING(clReleaseKernel, (cl_kernel kernel), (kernel))
RETURNING(clReleaseEvent, (cl_event event), (event))
RETURNING(clBuildProgram,
          (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
           void(CL_CALLBACK *notify)(cl_program, void *), void *user),
          (program, count, devices, options, notify, user))
RETURNING(clGetProgramInfo, (cl_program program, cl_program_info what, size_t size, void *value, size_t *used),
          (program, what, size, value, used))
RETURNING(clGetProgramBuildInfo,
          (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value, size_t *used),
          (program, device, what, size, value, used))
RETURNING(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
          (kernel, index, size, value))
RETURNING(clFlush, (cl_command_queue queue), (queue))
RETURNING(clFinish, (cl_command_queue queue), (queue))
RETURNING(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t size, void *value, size_t *used),
          (event, what, size, value, used))
RETURNING(clEnqueueNDRangeKernel,
          (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *size,
           const size_t *group, cl_uint wait_count, const cl_event *waits, cl_event *event),
          (queue, kernel, dimensions, offset, size, group, wait_count, waits, event))
RETURNING(clEnqueueWriteBuffer,
          (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *memory,
           cl_uint wait_count, const cl_event *waits, cl_event *event),
          (queue, buffer, blocking, offset, size, memory, wait_count, waits, event))

MAKING(cl_context, clCreateContext,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user, cl_int *error),
       (properties, count, devices, notify, user, error))
MAKING(cl_command_queue, clCreateCommandQueue,
       (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *error),
       (context, device, properties, error))
MAKING(cl_mem, clCreateBuffer, (cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *error),
       (context, flags, size, memory, error))
MAKING(cl_program, clCreateProgramWithSource,
       (cl_context context, cl_uint count, const char **strings, const size_t *lengths, cl_int *error),
       (context, count, strings, lengths, error))
MAKING(cl_program, clCreateProgramWithBinary,
       (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
        const unsigned char **binaries, cl_int *states, cl_int *error),
       (context, count, devices, lengths, binaries, states, error))
MAKING(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error), (program, name, error))

// ---- calls that can also lie

typedef cl_int device_info_fn(cl_device_id, cl_device_info, size_t, void *, size_t *);

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value, size_t *used)
{
    static device_info_fn *next;
    if (next == NULL)
        *(void **)&next = real("clGetDeviceInfo");
    if (strikes())
        return plan.code;
    const cl_int error = next(device, what, size, value, used);
    if (error != CL_SUCCESS || value == NULL)
        return error;
    if (what == CL_DEVICE_MAX_WORK_GROUP_SIZE && plan.group > 0)
        *(size_t *)value = plan.group;
    if (what == CL_DEVICE_GLOBAL_MEM_SIZE && plan.memory > 0)
        *(cl_ulong *)value = plan.memory;
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && plan.memory > 0)
        *(cl_ulong *)value = plan.memory / 4;
    if (what == CL_DEVICE_NAME && plan.name != NULL)
        snprintf(value, size, "%s", plan.name);
    if (what == CL_DEVICE_TYPE && plan.cache > 0)
        *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
    if (what == CL_DEVICE_GLOBAL_MEM_CACHE_SIZE && plan.cache > 0)
        *(cl_ulong *)value = plan.cache;
    if (what == CL_DEVICE_DOUBLE_FP_CONFIG && plan.lacks_fp64)
        *(cl_device_fp_config *)value = 0;
    return error;
}

typedef cl_int event_info_fn(cl_event, cl_event_info, size_t, void *, size_t *);

cl_int clGetEventInfo(cl_event event, cl_event_info what, size_t size, void *value, size_t *used)
{
    static event_info_fn *next;
    if (next == NULL)
        *(void **)&next = real("clGetEventInfo");
    if (strikes())
        return plan.code;
    const cl_int error = next(event, what, size, value, used);
    if (error == CL_SUCCESS && what == CL_EVENT_COMMAND_EXECUTION_STATUS) {
        if (plan.mode == FAULT_STATUS)
            *(cl_int *)value = plan.code;
        if (plan.mode == FAULT_HANG)
            *(cl_int *)value = CL_RUNNING;
    }
    return error;
}

typedef cl_int read_fn(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *, cl_uint, const cl_event *,
                       cl_event *);

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
                           void *memory, cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    static read_fn *next;
    if (next == NULL)
        *(void **)&next = real("clEnqueueReadBuffer");
    if (strikes())
        return plan.code;
    const cl_int error = next(queue, buffer, blocking, offset, size, memory, wait_count, waits, event);
    if (plan.mode == FAULT_SCALE && size >= sizeof(float)) {
        float *numbers = memory;
        for (size_t k = 0; k < size / sizeof(float); k++)
            numbers[k] *= 1.0001f;
    }
    return error;
}
