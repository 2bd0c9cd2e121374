// program: kernel texts built for one device and form, or taken from the cache.
#ifndef SHEAF_CL_PROGRAM_H
#define SHEAF_CL_PROGRAM_H

#include "cl/device.h"

// A form of the kernels: what the compiler is told.
typedef struct program_form {
    uint32_t lane_width;
    uint32_t bundle_width;
    bool is_double;
    bool is_general; // any ends, instead of clamped roots and free tips
    bool is_damped;  // internal damping
    bool is_padded;  // strands of several lengths in a bundle
    bool has_air;    // air differs from vertex to vertex, or drag along a strand from drag across it
    bool has_colliders;
    sheaf_integrator integrator;
    sheaf_projector projector;
    bool start_gradients; // explicit: projection along start-of-step edges
} program_form;

// Builds `text` for the form. On failure the compiler's log is part of the last error.
sheaf_status program_build(cl_context context, const device_info *device, const char *text, const program_form *form,
                           cl_program *program);

// Makes a kernel of a program.
sheaf_status program_kernel(cl_program program, const char *name, cl_kernel *kernel);

// What cached results of a device depend on: its platform, name and driver, and the text of all kernels.
enum { PROGRAM_IDENTITY_SIZE = 512 };
void program_identity(const device_info *device, char identity[PROGRAM_IDENTITY_SIZE]);

#endif
