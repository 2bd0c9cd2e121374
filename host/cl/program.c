// program: building kernels. No option may change rounding: results are the same bits on every form.
#include "cl/program.h"

#include <stdio.h>
#include <string.h>

static void write_options(const program_form *form, char *options, size_t size)
{
    const int integrator = form->integrator == SHEAF_INTEGRATOR_BDF2    ? 0
                           : form->integrator == SHEAF_INTEGRATOR_EULER ? 1
                                                                        : 2;
    snprintf(
        options, size,
        "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -DLANE_WIDTH=%u -DBUNDLE_WIDTH=%u -DPRECISION_DOUBLE=%d "
        "-DGENERAL=%d -DDAMPED=%d -DPADDED=%d -DINTEGRATOR=%d -DPROJECTOR=%d -DSTART_GRADIENTS=%d",
        form->lane_width, form->bundle_width, form->is_double, form->is_general, form->is_damped, form->is_padded,
        integrator, (int)form->projector, form->start_gradients);
}

static sheaf_status build_failed(cl_program program, cl_device_id device, cl_int error)
{
    char log[4096] = "";
    size_t length = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, &length);
    return base_fail(SHEAF_ERR_DEVICE, "the device's compiler refused the kernels: %s (%d)\n%s",
                     device_error_name(error), error, log);
}

sheaf_status program_build(cl_context context, cl_device_id device, const char *text, const program_form *form,
                           cl_program *program)
{
    char options[512];
    cl_int error;
    write_options(form, options, sizeof options);
    *program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateProgramWithSource"));
    error = clBuildProgram(*program, 1, &device, options, NULL, NULL);
    if (error == CL_SUCCESS)
        return SHEAF_OK;
    const sheaf_status status = build_failed(*program, device, error);
    clReleaseProgram(*program);
    *program = NULL;
    return status;
}
