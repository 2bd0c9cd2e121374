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

// Bundles that are on the device together.
typedef struct engine_slice {
    uint32_t first, end;
} engine_slice;

// A launch that was enqueued and not yet seen to end.
typedef struct engine_flight {
    cl_event event;
    double work; // vertex-steps
} engine_flight;

enum { FLIGHTS_MOST = 16 };

// How fast launches are, and those under way.
typedef struct engine_pace {
    engine_flight flights[FLIGHTS_MOST]; // a ring: the oldest is at `first`
    uint32_t first, count;
    uint64_t ended;
    double rate;    // vertex-steps per second; 0 before the first launch has ended
    double longest; // s, of all launches so far
    bool hangs;     // a launch did not end in time: the queue must not be waited for any more
} engine_pace;

struct sheaf_engine {
    const sheaf_model *model;
    engine_options options;
    device_info device;
    bundle_set bundles;
    cl_context context;
    cl_command_queue queue;
    engine_kernels kernels[BUNDLE_KIND_COUNT];
    cl_mem arrays[BUNDLE_ARRAY_COUNT]; // of the resident slice
    cl_mem entries, motions, goals, scratch, settings;
    uint32_t scratch_owners;           // sets of scratch: work-items (fused) or bundles of a launch (staged)
    void *motion_memory, *goal_memory; // host side of `motions` and `goals`
    engine_slice *slices;              // [slice_count], the whole model in order
    uint32_t slice_count;
    uint32_t resident;                 // the slice on the device
    void *shadows[BUNDLE_ARRAY_COUNT]; // whole arrays on the host; NULL where one slice is everything
    engine_memory memory;
    engine_pace pace;
    uint64_t step;
    bool failed; // a step failed: bundles may stand at different times
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

// Bundles first .. end - 1, all of one kind and of the resident slice, in the steps of a launch.
typedef struct bundle_range {
    bundle_kind kind;
    uint32_t first, end;
    uint64_t step;       // steps taken before
    uint32_t step_count; // steps to take
    double work;         // vertex-steps of one launch
} bundle_range;

// Enqueues one stage on a range that scratch is large enough for; `ahead`: step of the motions and goals uploaded last.
sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, engine_stage stage, cl_uint ahead,
                                 cl_int iteration);

// Motion of all groups and goals of all ends of the resident slice in `count` steps after step `step`.
sheaf_status engine_upload_ends(sheaf_engine *engine, uint64_t step, uint32_t count);

// Numbers that kernels find in `settings`, [SETTING_SIZE].
void engine_settings(const sheaf_engine *engine, double *values);

// ---- slices

// Cuts the bundles into slices that fit the device, and fixes the number of work-items.
sheaf_status engine_plan_memory(sheaf_engine *engine);

// Bytes of one owner's scratch.
size_t engine_scratch_size(const sheaf_engine *engine);

// Makes the buffers of arrays and bundles, and fills them with the first slice.
sheaf_status engine_make_arrays(sheaf_engine *engine);

// Brings a slice onto the device, after saving the one that is there.
sheaf_status engine_make_resident(sheaf_engine *engine, uint32_t slice);

sheaf_status engine_make_buffer(sheaf_engine *engine, cl_mem_flags flags, size_t size, cl_mem *buffer);

// ---- launches under way

// Enqueues a kernel of `work` vertex-steps; waits first when too many launches are under way.
sheaf_status engine_launch(sheaf_engine *engine, cl_kernel kernel, size_t size, size_t group, double work);

// Vertex-steps that a launch may do to end in good time.
double engine_launch_work(const sheaf_engine *engine);

// Waits for all launches, with a limit to the time each may take.
sheaf_status engine_drain(sheaf_engine *engine);

// Copies between host and device, after all launches.
sheaf_status engine_upload(sheaf_engine *engine, cl_mem buffer, const void *memory, size_t size);
sheaf_status engine_download(sheaf_engine *engine, cl_mem buffer, void *memory, size_t size);

// World position of a strand's root, m; `places` is the read-back array BUNDLE_PLACE.
void engine_root(const sheaf_engine *engine, uint32_t strand, const void *places, double out[3]);

#endif
