// program: kernel texts built for one device and form, or taken from the cache.
#ifndef SHEAF_CL_PROGRAM_H
#define SHEAF_CL_PROGRAM_H

#include "cl/device.h"

enum { PROGRAM_DEFINES_SIZE = 256 };

// What a program is made of.
typedef struct program_source {
    const char *entry;               // part with its entry points (cl/parts.h)
    const char *text;                // to build instead; NULL: that of the part and all that it includes
    const struct kernel_part *slots; // texts that stand for parts (cl/parts.h)
    uint32_t slot_count;
    uint32_t lane_width;
    uint32_t bundle_width;
    bool is_double;
    char defines[PROGRAM_DEFINES_SIZE]; // what else its parts want to be told: "-DNAME=NUMBER ..."
} program_source;

// Builds a program. On failure the compiler's log is part of the last error.
sheaf_status program_build(cl_context context, const device_info *device, const program_source *source,
                           cl_program *program);

// Makes a kernel of a program.
sheaf_status program_kernel(cl_program program, const char *name, cl_kernel *kernel);

// What cached results of a device depend on: its platform, name and driver, and the text of all kernels.
enum { PROGRAM_IDENTITY_SIZE = 512 };
void program_identity(const device_info *device, char identity[PROGRAM_IDENTITY_SIZE]);

#endif
