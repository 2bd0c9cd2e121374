// clBLAS: the few functions of clBLAS 2.12 that host/cl/blas.c calls, as its documentation declares them, to check that
// the branch for it compiles where the library is not installed.
#ifndef SHEAF_TESTS_CLBLAS_H
#define SHEAF_TESTS_CLBLAS_H

#include <CL/cl.h>

typedef enum clblasStatus_ { clblasSuccess = CL_SUCCESS } clblasStatus;

clblasStatus clblasSetup(void);
void clblasTeardown(void);

clblasStatus clblasSdot(size_t N, cl_mem dotProduct, size_t offDP, const cl_mem X, size_t offx, int incx,
                        const cl_mem Y, size_t offy, int incy, cl_mem scratchBuff, cl_uint numCommandQueues,
                        cl_command_queue *commandQueues, cl_uint numEventsInWaitList, const cl_event *eventWaitList,
                        cl_event *events);
clblasStatus clblasDdot(size_t N, cl_mem dotProduct, size_t offDP, const cl_mem X, size_t offx, int incx,
                        const cl_mem Y, size_t offy, int incy, cl_mem scratchBuff, cl_uint numCommandQueues,
                        cl_command_queue *commandQueues, cl_uint numEventsInWaitList, const cl_event *eventWaitList,
                        cl_event *events);
clblasStatus clblasiSamax(size_t N, cl_mem iMax, size_t offiMax, const cl_mem X, size_t offx, int incx,
                          cl_mem scratchBuff, cl_uint numCommandQueues, cl_command_queue *commandQueues,
                          cl_uint numEventsInWaitList, const cl_event *eventWaitList, cl_event *events);
clblasStatus clblasiDamax(size_t N, cl_mem iMax, size_t offiMax, const cl_mem X, size_t offx, int incx,
                          cl_mem scratchBuff, cl_uint numCommandQueues, cl_command_queue *commandQueues,
                          cl_uint numEventsInWaitList, const cl_event *eventWaitList, cl_event *events);

#endif
