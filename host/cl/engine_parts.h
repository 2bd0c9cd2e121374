// engine_parts: the inside of an engine, shared by the files that open it, launch its kernels and read its state.
#ifndef SHEAF_CL_ENGINE_PARTS_H
#define SHEAF_CL_ENGINE_PARTS_H

#include "cl/stages.h"

// Kernels for bundles of one kind.
typedef struct engine_kernels {
    cl_program program;
    cl_kernel fused;
    cl_kernel stages[STAGE_COUNT];
} engine_kernels;

struct sheaf_engine {
    const sheaf_model *model;
    engine_options options;
    device_info device;
    bundle_set bundles;
    cl_context context;
    cl_command_queue queue;
    engine_kernels kernels[BUNDLE_KIND_COUNT];
    cl_mem arrays[BUNDLE_ARRAY_COUNT];
    cl_mem entries, motions, goals, scratch, settings;
    uint32_t scratch_owners;           // sets of scratch: work-items (fused) or bundles of a launch (staged)
    void *motion_memory, *goal_memory; // host side of `motions` and `goals`
    uint64_t step;
};

// Places of the arguments after the arrays, as in kernels/bundle.clh.
enum {
    ARGUMENT_ENTRIES = BUNDLE_ARRAY_COUNT,
    ARGUMENT_MOTIONS,
    ARGUMENT_GOALS,
    ARGUMENT_SETTINGS,
    ARGUMENT_SCRATCH,
    ARGUMENT_GROUP_COUNT,
    ARGUMENT_GENERAL_FIRST,
    ARGUMENT_GENERAL_COUNT,
    ARGUMENT_SCRATCH_SLOTS,
    ARGUMENT_BUNDLE_FIRST,
    ARGUMENT_BUNDLE_END,
    ARGUMENT_FIRST_STEP,
    ARGUMENT_STEP_COUNT,                  // fused
    ARGUMENT_AHEAD = ARGUMENT_STEP_COUNT, // staged
    ARGUMENT_ITERATION,
};

// Bundles first .. end - 1, all of one kind.
typedef struct bundle_range {
    bundle_kind kind;
    uint32_t first, end;
} bundle_range;

// Enqueues one stage on a range that scratch is large enough for; `ahead`: step of the motions and goals uploaded last.
sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, engine_stage stage, cl_uint ahead,
                                 cl_int iteration);

// Motion of all groups and goals of all ends in the next steps. Writes block, so that the host memory may be used
// again.
sheaf_status engine_upload_ends(sheaf_engine *engine, uint32_t steps);

// World position of a strand's root, m; `places` is the read-back array BUNDLE_PLACE.
void engine_root(const sheaf_engine *engine, uint32_t strand, const void *places, double out[3]);

#endif
