// peak: probes of a device's speed limits.
#include "cl/peak.h"

#include "cl/program.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHAINS = 12,         // as in kernels/lib/peak.cl
    OWNERS_PER_UNIT = 4, // work-items, or work-groups of scalar ones
    GROUP_OF_SCALARS = 64,
    COPY_BYTES = 64 << 20,
    SOLVE_ROWS = 32,
    SOLVE_BYTES = 32 << 20, // of each array
    TRIALS = 10,
    LAUNCHES = 101,
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

static sheaf_status run_owners(peak_probe *probe, cl_kernel kernel, size_t owners, double *seconds)
{
    const size_t group = group_size(probe), size = owners * group;
    const double start = base_clock();
    SHEAF_TRY(device_check(clEnqueueNDRangeKernel(probe->queue, kernel, 1, NULL, &size, &group, 0, NULL, NULL),
                           "clEnqueueNDRangeKernel"));
    SHEAF_TRY(device_check(clFinish(probe->queue), "clFinish"));
    *seconds = base_clock() - start;
    return SHEAF_OK;
}

static sheaf_status run(peak_probe *probe, cl_kernel kernel, double *seconds)
{
    return run_owners(probe, kernel, owner_count(probe), seconds);
}

// The best of several runs; the first one touches the memory and does not count.
static sheaf_status best_run(peak_probe *probe, cl_kernel kernel, double *best)
{
    for (int k = 0; k < TRIALS; k++) {
        double seconds;
        SHEAF_TRY(run(probe, kernel, &seconds));
        if (k == 1 || (k > 1 && seconds < *best))
            *best = seconds;
    }
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
    const program_source source = {.entry = "kernels/lib/peak.cl",
                                   .lane_width = width,
                                   .bundle_width = GROUP_OF_SCALARS,
                                   .is_double = probe->is_double};
    cl_int error;
    release_form(probe);
    probe->width = width;
    probe->rounds = 1000;
    SHEAF_TRY(program_build(probe->context, &probe->device, &source, &probe->program));
    SHEAF_TRY(program_kernel(probe->program, "peak_multiply", &probe->multiply));
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

static sheaf_status open_parts(peak_probe *probe, uint32_t width)
{
    SHEAF_TRY(device_open_queue(&probe->device, 0, &probe->context, &probe->queue));
    return width > 0 ? build_form(probe, width) : pick_width(probe);
}

sheaf_status peak_open(const device_info *device, bool is_double, uint32_t width, peak_probe **opened)
{
    *opened = NULL;
    peak_probe *probe = base_alloc(1, sizeof *probe);
    if (probe == NULL)
        return SHEAF_ERR_MEMORY;
    probe->device = *device;
    probe->is_double = is_double;
    const sheaf_status status = open_parts(probe, width);
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

// ---- kernels with buffers

enum { BUFFERS = 5 };

// A kernel and the buffers that are its first arguments.
typedef struct peak_kernel {
    cl_kernel kernel;
    cl_mem buffers[BUFFERS];
} peak_kernel;

static void close_kernel(peak_kernel *it)
{
    for (int k = 0; k < BUFFERS; k++)
        if (it->buffers[k] != NULL)
            clReleaseMemObject(it->buffers[k]);
    if (it->kernel != NULL)
        clReleaseKernel(it->kernel);
}

// `sizes` of the buffers, bytes; then two numbers as arguments.
static sheaf_status open_kernel(const peak_probe *probe, const char *name, const size_t *sizes, cl_uint count,
                                const cl_uint numbers[2], peak_kernel *it)
{
    cl_int error = CL_SUCCESS;
    *it = (peak_kernel){.kernel = NULL};
    SHEAF_TRY(program_kernel(probe->program, name, &it->kernel));
    for (cl_uint k = 0; k < count && error == CL_SUCCESS; k++) {
        it->buffers[k] = clCreateBuffer(probe->context, CL_MEM_READ_WRITE, sizes[k], NULL, &error);
        if (error == CL_SUCCESS)
            error = clSetKernelArg(it->kernel, k, sizeof(cl_mem), &it->buffers[k]);
    }
    for (cl_uint k = 0; k < 2 && error == CL_SUCCESS; k++)
        error = clSetKernelArg(it->kernel, count + k, sizeof numbers[k], &numbers[k]);
    return device_check(error, name);
}

// ---- kernels of others

static sheaf_status time_custom(peak_probe *probe, cl_kernel kernel, double *best)
{
    cl_uint rounds = 500;
    double seconds = 0;
    SHEAF_TRY(device_check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &probe->results), "clSetKernelArg"));
    while (seconds < probe_time && rounds < UINT32_MAX / 4) {
        rounds *= 2;
        SHEAF_TRY(device_check(clSetKernelArg(kernel, 1, sizeof rounds, &rounds), "clSetKernelArg"));
        SHEAF_TRY(run(probe, kernel, &seconds));
    }
    SHEAF_TRY(best_run(probe, kernel, &seconds));
    *best = seconds / rounds;
    return SHEAF_OK;
}

sheaf_status peak_run_custom(peak_probe *probe, const peak_custom *what, double *rate)
{
    const program_source source = {.entry = what->entry,
                                   .slots = what->slot,
                                   .slot_count = 1,
                                   .lane_width = probe->width,
                                   .bundle_width = GROUP_OF_SCALARS,
                                   .is_double = probe->is_double};
    cl_program program;
    cl_kernel kernel;
    double seconds = 0;
    SHEAF_TRY(program_build(probe->context, &probe->device, &source, &program));
    sheaf_status status = program_kernel(program, what->kernel, &kernel);
    if (status == SHEAF_OK) {
        status = time_custom(probe, kernel, &seconds);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
    const double lanes = (double)(owner_count(probe) * group_size(probe)) * probe->width;
    *rate = status == SHEAF_OK ? lanes * what->per_round / seconds : 0;
    return status;
}

double peak_units(const peak_probe *probe)
{
    return probe->device.compute_units;
}

// ---- copying

double peak_cache_size(const peak_probe *probe)
{
    cl_ulong size = 0;
    const cl_int error = clGetDeviceInfo(probe->device.id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, sizeof size, &size, NULL);
    return error == CL_SUCCESS ? (double)size : 0;
}

// Bytes that a copy reads, a power of two.
static size_t copy_size(const peak_probe *probe, peak_level level)
{
    const double eighth = fmax(peak_cache_size(probe) / 8, 1);
    return level == PEAK_MEMORY ? COPY_BYTES : (size_t)1 << (int)fmin(fmax(log2(eighth), 16), 23);
}

// Rounds of a copy in one launch, so that as much is copied through the cache as through memory.
static cl_uint copy_rounds(const peak_probe *probe, peak_level level)
{
    return (cl_uint)(COPY_BYTES / copy_size(probe, level));
}

sheaf_status peak_copy(peak_probe *probe, peak_level level, double *bytes)
{
    const size_t size = copy_size(probe, level), sizes[2] = {size, size};
    const cl_uint numbers[2] = {(cl_uint)(size / lane_size(probe)), copy_rounds(probe, level)};
    peak_kernel copy;
    double seconds = 0;
    sheaf_status status = open_kernel(probe, "peak_copy", sizes, 2, numbers, &copy);
    if (status == SHEAF_OK)
        status = best_run(probe, copy.kernel, &seconds);
    close_kernel(&copy);
    *bytes = status == SHEAF_OK ? 2.0 * (double)size * numbers[1] / seconds : 0;
    return status;
}

// ---- launching

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

sheaf_status peak_launch(peak_probe *probe, double *seconds)
{
    double times[LAUNCHES];
    const cl_uint rounds = 1;
    SHEAF_TRY(device_check(clSetKernelArg(probe->multiply, 1, sizeof rounds, &rounds), "clSetKernelArg"));
    for (int k = 0; k < LAUNCHES; k++)
        SHEAF_TRY(run_owners(probe, probe->multiply, 1, &times[k]));
    qsort(times, LAUNCHES, sizeof *times, compare);
    *seconds = times[LAUNCHES / 2];
    return SHEAF_OK;
}

// ---- tridiagonal systems: all alike, 4 on the diagonal, -1 beside it, 2 on the right; single precision

static const float diagonal = 4, coupling = -1, right_side = 2;

static sheaf_status fill(const peak_probe *probe, cl_mem buffer, float value)
{
    return device_check(clEnqueueFillBuffer(probe->queue, buffer, &value, sizeof value, 0, SOLVE_BYTES, 0, NULL, NULL),
                        "clEnqueueFillBuffer");
}

static void solve_one(double x[SOLVE_ROWS])
{
    double upper[SOLVE_ROWS], pivot = diagonal;
    x[0] = right_side / pivot;
    for (int k = 1; k < SOLVE_ROWS; k++) {
        upper[k - 1] = coupling / pivot;
        pivot = diagonal - coupling * upper[k - 1];
        x[k] = (right_side - coupling * x[k - 1]) / pivot;
    }
    for (int k = SOLVE_ROWS - 2; k >= 0; k--)
        x[k] -= upper[k] * x[k + 1];
}

// Of the last bundle.
static sheaf_status check_solution(const peak_probe *probe, cl_mem solution, size_t lanes)
{
    float found[SOLVE_ROWS * GROUP_OF_SCALARS];
    double expected[SOLVE_ROWS];
    const size_t size = SOLVE_ROWS * lanes * sizeof *found;
    SHEAF_TRY(device_check(
        clEnqueueReadBuffer(probe->queue, solution, CL_TRUE, SOLVE_BYTES - size, size, found, 0, NULL, NULL),
        "clEnqueueReadBuffer"));
    solve_one(expected);
    for (size_t k = 0; k < SOLVE_ROWS * lanes; k++)
        if (!(fabs((double)found[k] - expected[k / lanes]) < 1e-5))
            return base_fail(SHEAF_ERR_MISMATCH, "%s solves a tridiagonal system wrongly: %g instead of %g",
                             probe->device.name, (double)found[k], expected[k / lanes]);
    return SHEAF_OK;
}

static sheaf_status run_solve(peak_probe *probe, const peak_kernel *solve, size_t lanes, double *seconds)
{
    SHEAF_TRY(fill(probe, solve->buffers[0], diagonal));
    SHEAF_TRY(fill(probe, solve->buffers[1], coupling));
    SHEAF_TRY(fill(probe, solve->buffers[2], right_side));
    SHEAF_TRY(fill(probe, solve->buffers[3], 0));
    SHEAF_TRY(best_run(probe, solve->kernel, seconds));
    return check_solution(probe, solve->buffers[3], lanes);
}

sheaf_status peak_tridiagonal(peak_probe *probe, double *bytes)
{
    const size_t lanes = probe->width == 1 ? GROUP_OF_SCALARS : probe->width;
    const size_t scratch = owner_count(probe) * 2 * SOLVE_ROWS * lanes * sizeof(float);
    const size_t sizes[BUFFERS] = {SOLVE_BYTES, SOLVE_BYTES, SOLVE_BYTES, SOLVE_BYTES, scratch};
    const cl_uint numbers[2] = {(cl_uint)(SOLVE_BYTES / (SOLVE_ROWS * lanes * sizeof(float))), SOLVE_ROWS};
    peak_kernel solve;
    double seconds = 0;
    sheaf_status status = open_kernel(probe, "peak_tridiagonal", sizes, BUFFERS, numbers, &solve);
    if (status == SHEAF_OK)
        status = run_solve(probe, &solve, lanes, &seconds);
    close_kernel(&solve);
    *bytes = status == SHEAF_OK ? 4.0 * SOLVE_BYTES / seconds : 0;
    return status;
}
