// form: the switches of a build, as options of a compiler.
#include "der/device/form.h"

#include <stdio.h>

#include "kernels/der/form.clh"

static int kernel_integrator(sheaf_integrator integrator)
{
    return integrator == SHEAF_INTEGRATOR_BDF2    ? INTEGRATOR_BDF2
           : integrator == SHEAF_INTEGRATOR_EULER ? INTEGRATOR_EULER
                                                  : INTEGRATOR_EXPLICIT;
}

_Static_assert((int)SHEAF_PROJECTOR_TRIDIAGONAL == PROJECTOR_TRIDIAGONAL &&
                   (int)SHEAF_PROJECTOR_JACOBI == PROJECTOR_JACOBI &&
                   (int)SHEAF_PROJECTOR_CHEBYSHEV == PROJECTOR_CHEBYSHEV &&
                   (int)SHEAF_PROJECTOR_RED_BLACK == PROJECTOR_RED_BLACK,
               "kernels number the projectors as the library does");

void form_write(const kernel_form *form, char defines[PROGRAM_DEFINES_SIZE])
{
    snprintf(defines, PROGRAM_DEFINES_SIZE,
             "-DGENERAL=%d -DDAMPED=%d -DPADDED=%d -DAIR=%d -DCOLLIDERS=%d -DINTEGRATOR=%d -DPROJECTOR=%d "
             "-DSTART_GRADIENTS=%d",
             form->is_general, form->is_damped, form->is_padded, form->has_air, form->has_colliders,
             kernel_integrator(form->integrator), (int)form->projector, form->start_gradients);
}
