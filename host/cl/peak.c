// peak: probes of a device's speed limits.
#include "cl/peak.h"

#include "cl/kernels.h"
#include "cl/program.h"
#include "cl/width.h"

#include <math.h>

enum {
    CHAINS = 12,         // as in kernels/peak.cl
    OWNERS_PER_UNIT = 4, // work-items, or work-groups of scalar ones
    GROUP_OF_SCALARS = 64,
    COPY_BYTES = 64 << 20,
    PICK_ROUNDS = 8 // probes of each lane width
};

// Long enough that waking the device does not count: PoCL takes 70 us for that.
static const double probe_time = 0.01; // s

struct peak_probe {
    device_info device;
    bool is_double;
    uint32_t width;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel multiply;
    cl_mem results;
    cl_uint rounds;
};

static size_t group_size(const peak_probe *probe)
{
    return probe->width == 1 ? GROUP_OF_SCALARS : 1;
}

static size_t owner_count(const peak_probe *probe)
{
    return (size_t)probe->device.compute_units * OWNERS_PER_UNIT * (probe->width == 1 ? 16 : 1);
}

static size_t lane_size(const peak_probe *probe)
{
    return probe->width * (probe->is_double ? sizeof(double) : sizeof(float));
}

static sheaf_status run(peak_probe *probe, cl_kernel kernel, double *seconds)
{
    const size_t group = group_size(probe), size = owner_count(probe) * group;
    const double start = base_clock();
    SHEAF_TRY(device_check(clEnqueueNDRangeKernel(probe->queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL),
                           "clEnqueueNDRangeKernel"));
    SHEAF_TRY(device_check(clFinish(probe->queue), "clFinish"));
    *seconds = base_clock() - start;
    return SHEAF_OK;
}

sheaf_status peak_flops(peak_probe *probe, double *flops)
{
    double seconds;
    SHEAF_TRY(device_check(clSetKernelArg(probe->multiply, 1, sizeof probe->rounds, &probe->rounds), "clSetKernelArg"));
    SHEAF_TRY(run(probe, probe->multiply, &seconds));
    const double chains = (double)(owner_count(probe) * group_size(probe) * CHAINS) * probe->width;
    *flops = 2 * chains * probe->rounds / seconds;
    return SHEAF_OK;
}

// ---- opening

static void release_form(peak_probe *probe)
{
    if (probe->results != NULL)
        clReleaseMemObject(probe->results);
    if (probe->multiply != NULL)
        clReleaseKernel(probe->multiply);
    if (probe->program != NULL)
        clReleaseProgram(probe->program);
    probe->results = NULL;
    probe->multiply = NULL;
    probe->program = NULL;
}

static sheaf_status build_form(peak_probe *probe, uint32_t width)
{
    const program_form form = {.lane_width = width, .bundle_width = GROUP_OF_SCALARS, .is_double = probe->is_double};
    cl_int error;
    release_form(probe);
    probe->width = width;
    probe->rounds = 1000;
    SHEAF_TRY(program_build(probe->context, &probe->device, kernels_peak, &form, &probe->program));
    probe->multiply = clCreateKernel(probe->program, "peak_multiply", &error);
    SHEAF_TRY(device_check(error, "clCreateKernel"));
    probe->results = clCreateBuffer(probe->context, CL_MEM_WRITE_ONLY,
                                    owner_count(probe) * group_size(probe) * lane_size(probe), NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateBuffer"));
    return device_check(clSetKernelArg(probe->multiply, 0, sizeof(cl_mem), &probe->results), "clSetKernelArg");
}

// Lengthens the probe until it takes its time; `flops` receives its last result.
static sheaf_status stretch(peak_probe *probe, double *flops)
{
    double seconds = 0;
    SHEAF_TRY(peak_flops(probe, flops)); // compiles, on some drivers
    while (seconds < probe_time && probe->rounds < UINT32_MAX / 4) {
        probe->rounds *= 2;
        const double start = base_clock();
        SHEAF_TRY(peak_flops(probe, flops));
        seconds = base_clock() - start;
    }
    return SHEAF_OK;
}

// The best of several probes: one that another process disturbed must not decide.
static sheaf_status best_flops(peak_probe *probe, double *flops)
{
    double again;
    SHEAF_TRY(stretch(probe, flops));
    for (int k = 0; k < PICK_ROUNDS; k++) {
        SHEAF_TRY(peak_flops(probe, &again));
        *flops = fmax(*flops, again);
    }
    return SHEAF_OK;
}

static sheaf_status pick_width(peak_probe *probe)
{
    uint32_t best = 0;
    double most = 0, flops;
    for (int k = 0; k < WIDTH_COUNT; k++) {
        if (build_form(probe, width_values[k]) != SHEAF_OK || best_flops(probe, &flops) != SHEAF_OK)
            continue;
        best = flops > most ? width_values[k] : best;
        most = flops > most ? flops : most;
    }
    if (best == 0)
        return SHEAF_ERR_DEVICE;
    SHEAF_TRY(build_form(probe, best));
    return stretch(probe, &flops);
}

static sheaf_status open_parts(peak_probe *probe)
{
    cl_int error;
    probe->context = clCreateContext(NULL, 1, &probe->device.id, NULL, NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateContext"));
    probe->queue = clCreateCommandQueue(probe->context, probe->device.id, 0, &error);
    SHEAF_TRY(device_check(error, "clCreateCommandQueue"));
    return pick_width(probe);
}

sheaf_status peak_open(const device_info *device, bool is_double, peak_probe **opened)
{
    *opened = NULL;
    peak_probe *probe = base_alloc(1, sizeof *probe);
    if (probe == NULL)
        return SHEAF_ERR_MEMORY;
    probe->device = *device;
    probe->is_double = is_double;
    const sheaf_status status = open_parts(probe);
    if (status == SHEAF_OK)
        *opened = probe;
    else
        peak_close(probe);
    return status;
}

void peak_close(peak_probe *probe)
{
    if (probe == NULL)
        return;
    release_form(probe);
    if (probe->queue != NULL)
        clReleaseCommandQueue(probe->queue);
    if (probe->context != NULL)
        clReleaseContext(probe->context);
    base_free(probe);
}

// ---- copying

static sheaf_status time_copies(peak_probe *probe, cl_kernel kernel, cl_mem from, cl_mem to, double *best)
{
    const cl_uint count = (cl_uint)(COPY_BYTES / lane_size(probe));
    cl_int error = clSetKernelArg(kernel, 0, sizeof(cl_mem), &from);
    error |= clSetKernelArg(kernel, 1, sizeof(cl_mem), &to);
    error |= clSetKernelArg(kernel, 2, sizeof count, &count);
    SHEAF_TRY(device_check(error, "clSetKernelArg"));
    for (int k = 0; k < 4; k++) {
        double seconds;
        SHEAF_TRY(run(probe, kernel, &seconds));
        if (k == 1 || (k > 1 && seconds < *best)) // the first one touches the memory
            *best = seconds;
    }
    return SHEAF_OK;
}

sheaf_status peak_copy(peak_probe *probe, double *bytes)
{
    cl_int error = CL_SUCCESS, error_to = CL_SUCCESS, error_kernel;
    double seconds = 0;
    cl_kernel kernel = clCreateKernel(probe->program, "peak_copy", &error_kernel);
    cl_mem from = clCreateBuffer(probe->context, CL_MEM_READ_ONLY, COPY_BYTES, NULL, &error);
    cl_mem to = clCreateBuffer(probe->context, CL_MEM_WRITE_ONLY, COPY_BYTES, NULL, &error_to);
    sheaf_status status = device_check(error | error_to | error_kernel, "preparing a copy");
    if (status == SHEAF_OK)
        status = time_copies(probe, kernel, from, to, &seconds);
    if (from != NULL)
        clReleaseMemObject(from);
    if (to != NULL)
        clReleaseMemObject(to);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    *bytes = status == SHEAF_OK ? 2.0 * COPY_BYTES / seconds : 0;
    return status;
}
