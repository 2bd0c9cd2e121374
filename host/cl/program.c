// program: building kernels. No option may change rounding: results are the same bits on every form.
#include "cl/program.h"

#include "cl/cache.h"
#include "cl/parts.h"
#include "cl/shield.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_SIZE = 256 + PROGRAM_DEFINES_SIZE, KEY_SIZE = PROGRAM_IDENTITY_SIZE + OPTIONS_SIZE + 64 };

// Oclgrind, an interpreter that checks every access, refuses what LLVM leaves behind where it inlines, and knows no
// words of Clang beside those of OpenCL C.
static const char *options_of_platform(const device_info *device)
{
    return strcmp(device->platform, "Oclgrind") == 0 ? " -cl-opt-disable -DINLINE=static -DPLAIN_WORDS" : "";
}

static void write_options(const device_info *device, const program_source *source, char options[OPTIONS_SIZE])
{
    snprintf(options, OPTIONS_SIZE, "-cl-std=CL1.2 -w%s%s -DLANE_WIDTH=%u -DBUNDLE_WIDTH=%u -DPRECISION_DOUBLE=%d%s%s",
             device->has_exact_division ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", options_of_platform(device),
             source->lane_width, source->bundle_width, source->is_double, source->defines[0] != 0 ? " " : "",
             source->defines);
}

static sheaf_status build_failed(cl_program program, cl_device_id device, cl_int error)
{
    char log[4096] = "";
    size_t length = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, &length);
    return base_fail(SHEAF_ERR_DEVICE, "the device's compiler refused the kernels: %s (%d)\n%s",
                     device_error_name(error), error, log);
}

static sheaf_status build(cl_program *program, cl_device_id device, const char *options)
{
    shield signals;
    shield_raise(&signals, SHIELD_COMPILES);
    const cl_int error = clBuildProgram(*program, 1, &device, options, NULL, NULL);
    shield_lower(&signals);
    if (error == CL_SUCCESS)
        return SHEAF_OK;
    const sheaf_status status = build_failed(*program, device, error);
    clReleaseProgram(*program);
    *program = NULL;
    return status;
}

static sheaf_status build_from_source(cl_context context, cl_device_id device, const char *text, const char *options,
                                      cl_program *program)
{
    cl_int error;
    *program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    SHEAF_TRY(device_check(error, "clCreateProgramWithSource"));
    return build(program, device, options);
}

sheaf_status program_kernel(cl_program program, const char *name, cl_kernel *kernel)
{
    cl_int error;
    shield signals;
    shield_raise(&signals, SHIELD_COMPILES);
    *kernel = clCreateKernel(program, name, &error);
    shield_lower(&signals);
    if (error == CL_SUCCESS)
        return SHEAF_OK;
    return base_fail(SHEAF_ERR_DEVICE, "clCreateKernel %s failed: %s (%d)", name, device_error_name(error), error);
}

// ---- the cache

void program_identity(const device_info *device, char identity[PROGRAM_IDENTITY_SIZE])
{
    snprintf(identity, PROGRAM_IDENTITY_SIZE, "platform %s; device %s; version %s; driver %s; kernels %016llx",
             device->platform, device->name, device->version, device->driver, (unsigned long long)parts_hash());
}

// PoCL keeps what it compiles by itself, and compiles everything once more to hand it out: asking it would only double
// the time of the first start. SHEAF_PROGRAM_CACHE=on or off overrides.
static bool is_kept(const device_info *device)
{
    const char *wish = getenv("SHEAF_PROGRAM_CACHE");
    if (wish != NULL && (strcmp(wish, "on") == 0 || strcmp(wish, "off") == 0))
        return strcmp(wish, "on") == 0;
    return strcmp(device->platform, "Portable Computing Language") != 0;
}

static bool load(cl_context context, const device_info *device, const char *key, const char *options,
                 cl_program *program)
{
    base_text binary = {0};
    cl_int error = CL_INVALID_BINARY, device_error = CL_SUCCESS;
    if (cache_load("program", key, &binary)) {
        const unsigned char *bytes = (const unsigned char *)binary.bytes;
        *program = clCreateProgramWithBinary(context, 1, &device->id, &binary.length, &bytes, &device_error, &error);
        if (error == CL_SUCCESS && (device_error != CL_SUCCESS || build(program, device->id, options) != SHEAF_OK)) {
            if (*program != NULL)
                clReleaseProgram(*program);
            error = CL_INVALID_BINARY;
        }
    }
    base_text_free(&binary);
    if (error != CL_SUCCESS)
        *program = NULL;
    return error == CL_SUCCESS;
}

static void keep(cl_program program, const char *key)
{
    size_t size = 0;
    if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) != CL_SUCCESS || size == 0)
        return;
    unsigned char *bytes = base_alloc(size, 1);
    if (bytes != NULL && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
        cache_store("program", key, bytes, size);
    base_free(bytes);
}

static sheaf_status build_text(cl_context context, const device_info *device, const char *text,
                               const program_source *source, cl_program *program)
{
    char options[OPTIONS_SIZE], key[KEY_SIZE], identity[PROGRAM_IDENTITY_SIZE];
    const bool cached = is_kept(device);
    write_options(device, source, options);
    program_identity(device, identity);
    snprintf(key, sizeof key, "%s; text %016llx; %s", identity, (unsigned long long)base_hash(text, strlen(text), 0),
             options);
    if (cached && load(context, device, key, options, program))
        return SHEAF_OK;
    SHEAF_TRY(build_from_source(context, device->id, text, options, program));
    if (cached)
        keep(*program, key);
    return SHEAF_OK;
}

sheaf_status program_build(cl_context context, const device_info *device, const program_source *source,
                           cl_program *program)
{
    base_text text = {0};
    *program = NULL;
    if (source->text != NULL)
        return build_text(context, device, source->text, source, program);
    sheaf_status status = parts_assemble(source->entry, source->slots, source->slot_count, &text);
    if (status == SHEAF_OK)
        status = build_text(context, device, base_text_get(&text), source, program);
    base_text_free(&text);
    return status;
}
