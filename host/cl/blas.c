// blas: dot products and largest elements by CLBlast or clBLAS.
#include "cl/blas.h"

#include "cl/shield.h"

#include <math.h>
#include <pthread.h>

#if defined(SHEAF_BLAS_CLBLAST)
#include <clblast_c.h>
#elif defined(SHEAF_BLAS_CLBLAS)
#include <clBLAS.h>
#endif

enum { CHECK_COUNT = 1000 }; // elements of the self-check's vectors

// Neither library may be entered by two threads at once: their caches of kernels are not guarded.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t open_count; // guarded by the lock

// ---- the libraries; each call returns an OpenCL error

#if defined(SHEAF_BLAS_CLBLAST)

const char *blas_name(void)
{
    return "CLBlast";
}

static cl_int set_up(void)
{
    return CL_SUCCESS;
}

// Kernels are kept with the context they were made in.
static void tear_down(void)
{
    (void)CLBlastClearCache();
}

static cl_int enqueue_dot(const blas *it, size_t count, cl_mem x, size_t x_first, cl_mem y)
{
    cl_command_queue queue = it->queue;
    return it->is_double ? (cl_int)CLBlastDdot(count, it->result, 0, x, x_first, 1, y, 0, 1, &queue, NULL)
                         : (cl_int)CLBlastSdot(count, it->result, 0, x, x_first, 1, y, 0, 1, &queue, NULL);
}

static cl_int enqueue_largest(const blas *it, size_t count)
{
    cl_command_queue queue = it->queue;
    return it->is_double ? (cl_int)CLBlastiDamax(count, it->index, 0, it->vector, 0, 1, &queue, NULL)
                         : (cl_int)CLBlastiSamax(count, it->index, 0, it->vector, 0, 1, &queue, NULL);
}

#elif defined(SHEAF_BLAS_CLBLAS)

const char *blas_name(void)
{
    return "clBLAS";
}

static cl_int set_up(void)
{
    return (cl_int)clblasSetup();
}

static void tear_down(void)
{
    clblasTeardown();
}

static cl_int enqueue_dot(const blas *it, size_t count, cl_mem x, size_t x_first, cl_mem y)
{
    cl_command_queue queue = it->queue;
    return it->is_double
               ? (cl_int)clblasDdot(count, it->result, 0, x, x_first, 1, y, 0, 1, it->scratch, 1, &queue, 0, NULL, NULL)
               : (cl_int)clblasSdot(count, it->result, 0, x, x_first, 1, y, 0, 1, it->scratch, 1, &queue, 0, NULL,
                                    NULL);
}

static cl_int enqueue_largest(const blas *it, size_t count)
{
    cl_command_queue queue = it->queue;
    return it->is_double
               ? (cl_int)clblasiDamax(count, it->index, 0, it->vector, 0, 1, it->scratch, 1, &queue, 0, NULL, NULL)
               : (cl_int)clblasiSamax(count, it->index, 0, it->vector, 0, 1, it->scratch, 1, &queue, 0, NULL, NULL);
}

#else

const char *blas_name(void)
{
    return NULL;
}

static cl_int set_up(void)
{
    return CL_COMPILER_NOT_AVAILABLE;
}

static void tear_down(void)
{
}

static cl_int enqueue_dot(const blas *it, size_t count, cl_mem x, size_t x_first, cl_mem y)
{
    (void)it, (void)count, (void)x, (void)x_first, (void)y;
    return CL_COMPILER_NOT_AVAILABLE;
}

static cl_int enqueue_largest(const blas *it, size_t count)
{
    (void)it, (void)count;
    return CL_COMPILER_NOT_AVAILABLE;
}

#endif

// ---- numbers of either precision

static size_t real_size(const blas *it)
{
    return it->is_double ? sizeof(double) : sizeof(float);
}

static sheaf_status read_number(const blas *it, cl_mem buffer, size_t place, double *number)
{
    double wide = 0;
    float narrow = 0;
    void *value = it->is_double ? (void *)&wide : (void *)&narrow;
    const size_t size = real_size(it);
    SHEAF_TRY(device_check(clEnqueueReadBuffer(it->queue, buffer, CL_TRUE, place * size, size, value, 0, NULL, NULL),
                           "clEnqueueReadBuffer"));
    *number = it->is_double ? wide : (double)narrow;
    return SHEAF_OK;
}

// ---- the two functions

sheaf_status blas_dot(const blas *it, size_t count, cl_mem x, size_t x_first, cl_mem y, double *result)
{
    pthread_mutex_lock(&lock);
    const cl_int error = enqueue_dot(it, count, x, x_first, y);
    pthread_mutex_unlock(&lock);
    SHEAF_TRY(device_check(error, "a dot product of BLAS"));
    return read_number(it, it->result, 0, result);
}

static sheaf_status find_largest(const blas *it, size_t count, cl_mem x, size_t x_first, cl_uint *index)
{
    SHEAF_TRY(device_check(
        clEnqueueCopyBuffer(it->queue, x, it->vector, x_first * real_size(it), 0, count * real_size(it), 0, NULL, NULL),
        "clEnqueueCopyBuffer"));
    pthread_mutex_lock(&lock);
    const cl_int error = enqueue_largest(it, count);
    pthread_mutex_unlock(&lock);
    SHEAF_TRY(device_check(error, "a maximum of BLAS"));
    return device_check(clEnqueueReadBuffer(it->queue, it->index, CL_TRUE, 0, sizeof *index, index, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
}

sheaf_status blas_largest(const blas *it, size_t count, cl_mem x, size_t x_first, double *result)
{
    cl_uint index;
    SHEAF_TRY(find_largest(it, count, x, x_first, &index));
    if (index < it->first || index - it->first >= count)
        return base_fail(SHEAF_ERR_DEVICE, "%s found the largest of %zu numbers at %u", blas_name(), count, index);
    SHEAF_TRY(read_number(it, it->vector, index - it->first, result));
    *result = fabs(*result);
    return SHEAF_OK;
}

// ---- opening

static sheaf_status make_buffer(cl_context context, size_t size, cl_mem *buffer)
{
    cl_int error;
    *buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &error);
    return device_check(error, "clCreateBuffer");
}

static sheaf_status make_buffers(cl_context context, size_t count, blas *it)
{
    const size_t room = (count > CHECK_COUNT ? count : CHECK_COUNT) * real_size(it);
    SHEAF_TRY(make_buffer(context, sizeof(double), &it->result));
    SHEAF_TRY(make_buffer(context, sizeof(cl_uint), &it->index));
    SHEAF_TRY(make_buffer(context, room, &it->vector));
#if defined(SHEAF_BLAS_CLBLAS)
    SHEAF_TRY(make_buffer(context, 2 * room, &it->scratch));
#endif
    return SHEAF_OK;
}

// Element k of the vectors of the self-check; the largest is negative and stands alone.
static const uint32_t largest_place = 617;

static double check_element(int vector, uint32_t k)
{
    if (vector == 0 && k == largest_place)
        return -3.5;
    return vector == 0 ? (double)(k % 7) / 4 - 0.5 : (double)(k % 5) / 2 + 1;
}

static sheaf_status fill_check_vector(const blas *it, int vector, cl_mem buffer)
{
    double doubles[CHECK_COUNT];
    float floats[CHECK_COUNT];
    for (uint32_t k = 0; k < CHECK_COUNT; k++) {
        doubles[k] = check_element(vector, k);
        floats[k] = (float)doubles[k];
    }
    return device_check(clEnqueueWriteBuffer(it->queue, buffer, CL_TRUE, 0, CHECK_COUNT * real_size(it),
                                             it->is_double ? (const void *)doubles : (const void *)floats, 0, NULL,
                                             NULL),
                        "clEnqueueWriteBuffer");
}

// Every number of the check is exact in single precision.
static sheaf_status check_answers(blas *it, cl_mem x, cl_mem y)
{
    double dot = 0, wanted = 0, largest = 0;
    cl_uint index;
    for (uint32_t k = 0; k < CHECK_COUNT; k++)
        wanted += check_element(0, k) * check_element(1, k);
    SHEAF_TRY(fill_check_vector(it, 0, x));
    SHEAF_TRY(fill_check_vector(it, 1, y));
    SHEAF_TRY(blas_dot(it, CHECK_COUNT, x, 0, y, &dot));
    SHEAF_TRY(find_largest(it, CHECK_COUNT, x, 0, &index));
    it->first = index == largest_place + 1; // some count from 1
    SHEAF_TRY(blas_largest(it, CHECK_COUNT, x, 0, &largest));
    if (dot == wanted && largest == 3.5)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_DEVICE,
                     "%s computes wrongly: a dot product is %.9g instead of %.9g, a maximum %.9g "
                     "instead of 3.5",
                     blas_name(), dot, wanted, largest);
}

// Routines are compiled when they are used for the first time, which is here.
static sheaf_status check(cl_context context, blas *it)
{
    cl_mem vectors[2] = {NULL, NULL};
    shield signals;
    shield_raise(&signals, SHIELD_COMPILES);
    sheaf_status status = make_buffer(context, CHECK_COUNT * real_size(it), &vectors[0]);
    if (status == SHEAF_OK)
        status = make_buffer(context, CHECK_COUNT * real_size(it), &vectors[1]);
    if (status == SHEAF_OK)
        status = check_answers(it, vectors[0], vectors[1]);
    shield_lower(&signals);
    for (int k = 0; k < 2; k++)
        if (vectors[k] != NULL)
            clReleaseMemObject(vectors[k]);
    return status;
}

sheaf_status blas_open(cl_context context, cl_command_queue queue, bool is_double, size_t count, blas *it)
{
    *it = (blas){.queue = queue, .is_double = is_double};
    if (blas_name() == NULL)
        return base_fail(SHEAF_ERR_DEVICE, "built without a BLAS for OpenCL");
    pthread_mutex_lock(&lock);
    const cl_int error = open_count == 0 ? set_up() : CL_SUCCESS;
    it->is_open = error == CL_SUCCESS;
    open_count += it->is_open;
    pthread_mutex_unlock(&lock);
    sheaf_status status = device_check(error, "setting up BLAS");
    if (status == SHEAF_OK)
        status = make_buffers(context, count, it);
    if (status == SHEAF_OK)
        status = check(context, it);
    if (status != SHEAF_OK)
        blas_close(it);
    return status;
}

void blas_close(blas *it)
{
    const cl_mem buffers[] = {it->result, it->index, it->scratch, it->vector};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; k++)
        if (buffers[k] != NULL)
            clReleaseMemObject(buffers[k]);
    pthread_mutex_lock(&lock);
    open_count -= it->is_open;
    if (it->is_open && open_count == 0)
        tear_down();
    pthread_mutex_unlock(&lock);
    *it = (blas){0};
}
