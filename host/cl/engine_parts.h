// engine_parts: the inside of an engine, shared by the files that open it, launch its kernels and read its state.
#ifndef SHEAF_CL_ENGINE_PARTS_H
#define SHEAF_CL_ENGINE_PARTS_H

#include "cl/engine.h"

// Kernels of the staged schedule: name of the stage. The kernel is called stage_<name>.
#define ENGINE_STAGES(X)                                                                                               \
    X(guess)                                                                                                           \
    X(newton)                                                                                                          \
    X(frames)                                                                                                          \
    X(curvature)                                                                                                       \
    X(twist)                                                                                                           \
    X(assemble)                                                                                                        \
    X(solve)                                                                                                           \
    X(project)                                                                                                         \
    X(start)                                                                                                           \
    X(bend_twist)                                                                                                      \
    X(integrate)                                                                                                       \
    X(finish)

typedef enum engine_stage {
#define ENGINE_STAGE_ENUM(name) STAGE_##name,
    ENGINE_STAGES(ENGINE_STAGE_ENUM)
#undef ENGINE_STAGE_ENUM
        STAGE_COUNT
} engine_stage;

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

// World position of a strand's root, m; `places` is the read-back array BUNDLE_PLACE.
void engine_root(const sheaf_engine *engine, uint32_t strand, const void *places, double out[3]);

#endif
