// engine_parts: the inside of an engine, shared by the files that open it, launch its kernels and read its state.
#ifndef SHEAF_CL_ENGINE_PARTS_H
#define SHEAF_CL_ENGINE_PARTS_H

#include "cl/blas.h"
#include "cl/stages.h"

#include "kernels/der/figures_slots.clh"

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
    cl_kernel kernel;
    double work;                   // vertex-steps
    engine_stage_time *stage_time; // of the stage that it is, or NULL
} engine_flight;

enum { FLIGHTS_MOST = 16, PROVEN_MOST = 64 };

// How fast launches are, and those under way.
typedef struct engine_pace {
    engine_flight flights[FLIGHTS_MOST]; // a ring: the oldest is at `first`
    uint32_t first, count;
    cl_kernel proven[PROVEN_MOST]; // kernels that have ended once
    uint32_t proven_count;
    double rate;    // vertex-steps per second; 0 before the first launch has ended
    double longest; // s, of all launches so far
    engine_stage_time stage_times[STAGE_COUNT];
    bool hangs; // a launch did not end in time: the queue must not be waited for any more
} engine_pace;

// What figures of the population are worked out with. Programs are built when first needed.
typedef struct engine_figures {
    cl_program programs[2]; // clamped, general
    cl_kernel measure[2];   // of every strand
    cl_kernel reduce;       // of all of them
    cl_mem all;             // [FIGURE_SIZE][bundle][lane], of the resident slice
    cl_mem weights;         // [bundle][lane] 1, or 0 where a lane only fills its bundle
    cl_mem partials;        // [ENGINE_NOTES_MOST][FIGURE_SIZE][FIGURE_SEGMENTS]
    uint32_t most_bundles;  // there is room for
    uint32_t weighed;       // 1 + the slice whose weights are on the device; 0: none
    blas blas;              // open where it is used
    bool blas_failed;       // it was tried, and is not any more
    double (*loads)[4];     // [1 + 2 motions] kg, and kg m of the mass at the roots: what gravity does as roots move
} engine_figures;

enum { FIGURE_SEGMENTS = 256 }; // of a sum over strands, at the most

// What the launches of a batch leave of some of its steps. Buffers are made when first needed.
typedef struct engine_notes {
    cl_mem figures;                                // [note][FIGURE_SIZE][bundle][lane]
    cl_mem edges;                                  // [note], as the array of edges
    cl_mem root_places;                            // [note], as the array of places; a word where no strand is general
    uint64_t steps[ENGINE_NOTES_MOST];             // after which notes are taken, of the batch taken last
    double totals[ENGINE_NOTES_MOST][FIGURE_SIZE]; // over all strands
    uint32_t count;                                // of these notes
    uint32_t most;                                 // there is room for
    bool is_open;                                  // launches take them now
    bool has_poses;
} engine_notes;

struct sheaf_engine {
    const sheaf_model *model;
    bool has_colliders;
    bool has_jumps;   // of any motion
    bool is_restored; // steps were set: jumps in them have not been seen yet
    bool has_air;     // air differs from vertex to vertex, or drag along a strand from drag across it
    engine_options options;
    device_info device;
    bundle_set bundles;
    cl_context context;
    cl_command_queue queue;
    engine_kernels kernels[BUNDLE_KIND_COUNT];
    cl_mem arrays[DER_FIELD_COUNT]; // of the resident slice
    cl_mem entries, motions, goals, colliders, grids, scratch, settings;
    uint32_t scratch_owners; // sets of scratch: work-items (fused) or bundles of a launch (staged)
    void *motion_memory, *goal_memory, *collider_memory; // host side of `motions`, `goals` and `colliders`
    engine_slice *slices;                                // [slice_count], the whole model in order
    uint32_t slice_count;
    uint32_t resident;              // the slice on the device
    void *shadows[DER_FIELD_COUNT]; // whole arrays on the host; NULL where one slice is everything
    engine_memory memory;
    engine_figures figures;
    engine_notes notes;
    engine_pace pace;
    uint64_t step;
    bool failed; // a step failed: bundles may stand at different times
};

// Places of the arguments after the arrays, as in kernels/der/bundle.clh.
enum {
    ARGUMENT_ENTRIES = DER_FIELD_COUNT,
    ARGUMENT_MOTIONS,
    ARGUMENT_GOALS,
    ARGUMENT_COLLIDERS,
    ARGUMENT_GRIDS,
    ARGUMENT_SETTINGS,
    ARGUMENT_SCRATCH,
    ARGUMENT_GROUP_COUNT,
    ARGUMENT_COLLIDER_COUNT,
    ARGUMENT_GENERAL_FIRST,
    ARGUMENT_GENERAL_COUNT,
    ARGUMENT_SCRATCH_STRIDE,
    ARGUMENT_BUNDLE_FIRST,
    ARGUMENT_BUNDLE_END,
    ARGUMENT_FIRST_STEP,
    ARGUMENT_STEP_COUNT, // fused
    ARGUMENT_NOTED,
    ARGUMENT_NOTE_FIRST,
    ARGUMENT_NOTE_BUNDLES,
    ARGUMENT_NOTE_SLOTS,
    ARGUMENT_NOTE_FIGURES,
    ARGUMENT_NOTE_EDGES,
    ARGUMENT_NOTE_ROOT_PLACES,
    ARGUMENT_AHEAD = ARGUMENT_STEP_COUNT, // staged
    ARGUMENT_ITERATION = ARGUMENT_AHEAD + 1,
    ARGUMENT_FIGURES = ARGUMENT_STEP_COUNT, // figures
    ARGUMENT_BUNDLE_COUNT = ARGUMENT_FIGURES + 1,
};

// Bundles first .. end - 1, all of one kind and of the resident slice, in the steps of a launch.
typedef struct bundle_range {
    bundle_kind kind;
    uint32_t first, end;
    uint64_t step;       // steps taken before
    uint32_t step_count; // steps to take
    double work;         // vertex-steps of one launch
} bundle_range;

// Enqueues what is to be done for a range.
typedef sheaf_status engine_launch_fn(sheaf_engine *engine, const bundle_range *range);

// Cuts the resident slice into ranges that are short to run, and launches each.
sheaf_status engine_launch_ranges(sheaf_engine *engine, uint64_t step, uint32_t step_count, engine_launch_fn *launch);

// Arguments that say which bundles a kernel works on; its launch for `owners` bundles at a time.
cl_int engine_set_range(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range);
sheaf_status engine_enqueue(sheaf_engine *engine, cl_kernel kernel, size_t owners, engine_flight flight);

// A kernel of a program, with all arguments that stay the same.
sheaf_status engine_make_kernel(sheaf_engine *engine, cl_program program, const char *name, cl_kernel *kernel);

// Enqueues one stage on a range that scratch is large enough for; `ahead`: step of the motions and goals uploaded last.
sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, engine_stage stage, cl_uint ahead,
                                 cl_int iteration);

// Motion of all groups and goals of all ends of the resident slice in `count` steps after step `step`.
sheaf_status engine_upload_ends(sheaf_engine *engine, uint64_t step, uint32_t count);

// Takes strands along with the jumps that the next step begins with. Returns as engine_step.
sheaf_status engine_jump(sheaf_engine *engine);

// Of `most` steps, how many can be taken until another one begins with a jump: at least one.
uint32_t engine_steps_to_jump(const sheaf_engine *engine, uint32_t most);

// Numbers that kernels find in `settings`, [SETTING_SIZE].
void engine_settings(const sheaf_engine *engine, double *values);

// ---- slices

// Cuts the bundles into slices that fit the device, and fixes the number of work-items.
sheaf_status engine_plan_memory(sheaf_engine *engine);

// Bytes of a number in the engine's precision.
size_t engine_real_size(const sheaf_engine *engine);

// Components of scratch at a vertex (Z_SIZE of the kernels), bytes of one owner's scratch and of a lane value in it.
uint32_t engine_scratch_components(const sheaf_engine *engine);
size_t engine_scratch_size(const sheaf_engine *engine);
size_t engine_lane_size(const sheaf_engine *engine);

// Makes the buffers of arrays and bundles, and fills them with the first slice.
sheaf_status engine_make_arrays(sheaf_engine *engine);

// Arrays are filled and read in chunks of bundles, so that the host needs little memory of its own: the end of the one
// that starts at bundle `first`. All of its bundles are in one slice.
uint32_t engine_chunk_end(const sheaf_engine *engine, uint32_t first);

// Copies the rows of a chunk, or of fewer bundles, to the host.
sheaf_status engine_read_rows(sheaf_engine *engine, der_field array, uint32_t first, uint32_t end, void *rows);

// Replaces such rows.
sheaf_status engine_write_rows(sheaf_engine *engine, der_field array, uint32_t first, uint32_t end, const void *rows);

// Bytes of the rows of bundles first .. end - 1.
size_t engine_rows_size(const sheaf_engine *engine, der_field array, uint32_t first, uint32_t end);

// Brings a slice onto the device, after saving the one that is there.
sheaf_status engine_make_resident(sheaf_engine *engine, uint32_t slice);

sheaf_status engine_make_buffer(sheaf_engine *engine, cl_mem_flags flags, size_t size, cl_mem *buffer);

// ---- figures

// Bytes of the buffers for figures of so many bundles.
size_t engine_figures_size(const sheaf_engine *engine, uint32_t bundle_count);

// Builds the kernels that work figures out, unless they are there.
sheaf_status engine_open_figures(sheaf_engine *engine);

// Adds up the figures of the strands on the device, [note][FIGURE_SIZE][bundle][lane], over all of them. Waits.
sheaf_status engine_add_figures(sheaf_engine *engine, cl_mem figures, uint32_t note_count,
                                double (*totals)[FIGURE_SIZE]);

// What such sums say of the population after `step` steps.
void engine_make_report(const sheaf_engine *engine, uint64_t step, const double totals[FIGURE_SIZE],
                        sheaf_report *report);

sheaf_status engine_make_figures(sheaf_engine *engine, uint32_t most_bundles);
void engine_release_figures(sheaf_engine *engine);

// ---- notes

// Arguments that say of which steps of a range a fused kernel takes notes.
cl_int engine_set_notes(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range);

// Copies the rows of bundles in a note's pose: edges, or places of roots.
sheaf_status engine_read_note_rows(sheaf_engine *engine, uint32_t note, der_field array, uint32_t first, uint32_t end,
                                   void *rows);

void engine_release_notes(sheaf_engine *engine);

// ---- launches under way

// Enqueues a kernel; waits first when too many launches are under way. The flight's event and
// kernel are set here.
sheaf_status engine_launch(sheaf_engine *engine, cl_kernel kernel, size_t size, size_t group, engine_flight flight);

// Vertex-steps that a launch may do to end in good time.
double engine_launch_work(const sheaf_engine *engine);

// Waits for all launches, with a limit to the time each may take.
sheaf_status engine_drain(sheaf_engine *engine);

// Copies between host and device, after all launches; `offset` is in the buffer, bytes.
sheaf_status engine_upload(sheaf_engine *engine, cl_mem buffer, const void *memory, size_t size);
sheaf_status engine_upload_at(sheaf_engine *engine, cl_mem buffer, size_t offset, const void *memory, size_t size);
sheaf_status engine_download(sheaf_engine *engine, cl_mem buffer, void *memory, size_t size);
sheaf_status engine_download_at(sheaf_engine *engine, cl_mem buffer, size_t offset, void *memory, size_t size);

#endif
