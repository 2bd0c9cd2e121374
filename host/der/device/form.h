// form: which build of the kernels a bundle needs.
#ifndef SHEAF_DER_DEVICE_FORM_H
#define SHEAF_DER_DEVICE_FORM_H

#include "cl/program.h"

// Switches of kernels/der/form.clh.
typedef struct kernel_form {
    bool is_general; // any ends, instead of clamped roots and free tips
    bool is_damped;  // internal damping
    bool is_padded;  // strands of several lengths in a bundle
    bool has_air;    // air differs from vertex to vertex, or drag along a strand from drag across it
    bool has_colliders;
    sheaf_integrator integrator;
    sheaf_projector projector;
    bool start_gradients; // explicit: projection along start-of-step edges
} kernel_form;

// What the compiler is told of a form.
void form_write(const kernel_form *form, char defines[PROGRAM_DEFINES_SIZE]);

#endif
