// engine_parts: the inside of an engine, shared by the files that open it, launch its kernels and read its state.
#ifndef SHEAF_CL_ENGINE_PARTS_H
#define SHEAF_CL_ENGINE_PARTS_H

#include "cl/blas.h"
#include "cl/coupled.h"
#include "cl/engine.h"
#include "cl/program.h"
#include "cl/stages.h"

// Kernels for bundles of one kind.
typedef struct engine_kernels {
    cl_program program;
    cl_kernel fused;
    cl_kernel stages[ENGINE_STAGES_MAX];
    cl_kernel verbs[ENGINE_VERB_COUNT];
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
    engine_stage_time stage_times[ENGINE_STAGES_MAX];
    bool hangs; // a launch did not end in time: the queue must not be waited for any more
} engine_pace;

// What figures of the population are worked out with. Programs are built when first needed.
typedef struct engine_figures {
    cl_program programs[BUNDLE_KINDS_MAX]; // [variant]
    cl_kernel measure[BUNDLE_KINDS_MAX];   // of every strand
    cl_kernel reduce;                      // of all of them
    cl_mem all;                            // [figure][bundle][lane], of the resident slice
    cl_mem weights;                        // [bundle][lane] 1, or 0 where a lane only fills its bundle
    cl_mem partials;                       // [ENGINE_NOTES_MOST][figure][FIGURE_SEGMENTS]
    uint32_t most_bundles;                 // there is room for
    uint32_t weighed;                      // 1 + the slice whose weights are on the device; 0: none
    blas blas;                             // open where it is used
    bool blas_failed;                      // it was tried, and is not any more
} engine_figures;

enum { FIGURE_SEGMENTS = 256 }; // of a sum over strands, at the most

// What the launches of a batch leave of some of its steps. Buffers are made when first needed.
typedef struct engine_notes {
    cl_mem figures;                    // [note][figure][bundle][lane]
    cl_mem poses[ENGINE_INPUTS_MAX];   // [pose field] [note], as the field; a word where it is not wanted
    uint64_t steps[ENGINE_NOTES_MOST]; // after which notes are taken, of the batch taken last
    double totals[ENGINE_NOTES_MOST][ENGINE_FIGURES_MAX]; // over all strands
    uint32_t count;                                       // of these notes
    uint32_t most;                                        // there is room for
    bool is_open;                                         // launches take them now
    bool has_poses;
} engine_notes;

// What the verbs of a coupled step take and give.
typedef struct engine_coupled {
    cl_mem push;    // [slot][3] N
    cl_mem answer;  // [slot][3] m
    cl_mem weights; // [slot][ENGINE_WEIGHT_SIZE]
    cl_mem given;   // [bundle][given_count], or NULL
    cl_mem told;    // [bundle][told_count]
    uint32_t given_count, told_count;
} engine_coupled;

struct sheaf_engine {
    const engine_method *method;
    const sheaf_model *model;
    void *own;        // the method's
    bool is_restored; // steps were set: jumps in them have not been seen yet
    engine_options options;
    device_info device;
    bundle_set bundles;
    cl_context context;
    cl_command_queue queue;
    engine_kernels kernels[BUNDLE_KINDS_MAX];
    cl_mem arrays[BUNDLE_FIELDS_MAX]; // of the resident slice
    cl_mem entries, scratch, settings;
    cl_mem inputs[ENGINE_INPUTS_MAX];
    void *input_memory[ENGINE_INPUTS_MAX]; // host side of those that are given for every step
    uint32_t scratch_owners;               // sets of scratch: work-items (fused) or bundles of a launch (staged)
    engine_slice *slices;                  // [slice_count], the whole model in order
    uint32_t slice_count;
    uint32_t resident;                // the slice on the device
    void *shadows[BUNDLE_FIELDS_MAX]; // whole arrays on the host; NULL where one slice is everything
    engine_memory memory;
    engine_figures figures;
    engine_notes notes;
    engine_coupled coupled;
    cl_mem pushes; // of strands that are pushed
    engine_pace pace;
    uint64_t step;
    bool failed; // a step failed: bundles may stand at different times
};

// Arguments of kernels after the fields and inputs, in order (see engine_method).
typedef enum engine_argument {
    ARGUMENT_SETTINGS,
    ARGUMENT_SCRATCH,
    ARGUMENT_NUMBERS, // as many as the method has; the rest follow them
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
    ARGUMENT_NOTE_POSES,                  // as many as the method has pose fields
    ARGUMENT_AHEAD = ARGUMENT_STEP_COUNT, // staged
    ARGUMENT_ITERATION = ARGUMENT_AHEAD + 1,
    ARGUMENT_PUSH, // coupled, after those of a stage
    ARGUMENT_ANSWER,
    ARGUMENT_WEIGHTS,
    ARGUMENT_GIVEN,
    ARGUMENT_TOLD,
    ARGUMENT_FIGURES = ARGUMENT_STEP_COUNT, // figures
    ARGUMENT_BUNDLE_COUNT = ARGUMENT_FIGURES + 1,
} engine_argument;

// Its place among the parameters of a kernel.
cl_uint engine_argument_place(const sheaf_engine *engine, engine_argument argument);
cl_int engine_set_argument(const sheaf_engine *engine, cl_kernel kernel, engine_argument argument, size_t size,
                           const void *value);

// What a program of the engine is made of.
void engine_make_source(const sheaf_engine *engine, uint32_t kind, engine_program what, program_source *source);

// Bundles first .. end - 1, all of one kind and of the resident slice, in the steps of a launch.
typedef struct bundle_range {
    uint32_t kind;
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

// Enqueues one stage on a range that scratch is large enough for; `ahead`: step of the inputs uploaded last.
sheaf_status engine_launch_stage(sheaf_engine *engine, const bundle_range *range, uint32_t stage, cl_uint ahead,
                                 cl_int iteration);

// Inputs of the resident slice in `count` steps after step `step`.
sheaf_status engine_upload_inputs(sheaf_engine *engine, uint64_t step, uint32_t count);

// ---- slices

// Cuts the bundles into slices that fit the device, and fixes the number of work-items. SHEAF_ERR_DEVICE where strands
// that act on each other do not all fit at once.
sheaf_status engine_plan_memory(sheaf_engine *engine);

// Bytes of a number in the engine's precision.
size_t engine_real_size(const sheaf_engine *engine);

// Bytes of one owner's scratch and of a lane value in it.
size_t engine_scratch_size(const sheaf_engine *engine);
size_t engine_lane_size(const sheaf_engine *engine);

// Makes the buffers of arrays and bundles, and fills them with the first slice.
sheaf_status engine_make_arrays(sheaf_engine *engine);

// Arrays are filled and read in chunks of bundles, so that the host needs little memory of its own: the end of the one
// that starts at bundle `first`. All of its bundles are in one slice.
uint32_t engine_chunk_end(const sheaf_engine *engine, uint32_t first);

// Copies the rows of a chunk, or of fewer bundles, to the host.
sheaf_status engine_read_rows(sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end, void *rows);

// Replaces such rows.
sheaf_status engine_write_rows(sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end, const void *rows);

// Bytes of the rows of bundles first .. end - 1.
size_t engine_rows_size(const sheaf_engine *engine, uint32_t field, uint32_t first, uint32_t end);

// Brings a slice onto the device, after saving the one that is there.
sheaf_status engine_make_resident(sheaf_engine *engine, uint32_t slice);

sheaf_status engine_make_buffer(sheaf_engine *engine, cl_mem_flags flags, size_t size, cl_mem *buffer);

// SHEAF_ERR_DEVICE where `bytes` of further buffers, the largest of them of `largest` bytes, are more than the device
// lends beside those that there are; `what` needs them: "the grid of ...".
sheaf_status engine_check_room(const sheaf_engine *engine, uint64_t bytes, uint64_t largest, const char *what);

// ---- figures

// Bytes of the buffers for figures of so many bundles.
size_t engine_figures_size(const sheaf_engine *engine, uint32_t bundle_count);

// Builds the kernels that work figures out, unless they are there.
sheaf_status engine_open_figures(sheaf_engine *engine);

// Adds up the figures of the strands on the device, [note][figure][bundle][lane], over all of them. Waits.
sheaf_status engine_add_figures(sheaf_engine *engine, cl_mem figures, uint32_t note_count,
                                double (*totals)[ENGINE_FIGURES_MAX]);

sheaf_status engine_make_figures(sheaf_engine *engine, uint32_t most_bundles);
void engine_release_figures(sheaf_engine *engine);

// ---- notes

// Arguments that say of which steps of a range a fused kernel takes notes.
cl_int engine_set_notes(const sheaf_engine *engine, cl_kernel kernel, const bundle_range *range);

// Copies the rows of bundles in a note's pose: of one of the method's pose fields.
sheaf_status engine_read_note_rows(sheaf_engine *engine, uint32_t note, uint32_t field, uint32_t first, uint32_t end,
                                   void *rows);

void engine_release_notes(sheaf_engine *engine);

// ---- pushed

// Bytes of what every slot is pushed by; 0 where the engine was not opened for it.
uint64_t engine_pushed_bytes(const sheaf_engine *engine);

// ---- coupled

// Buffers of push, answer, weights, and what strands are given and tell; their bytes, of all of them or of the largest;
// kernels of the verbs.
uint64_t engine_coupled_bytes(const sheaf_engine *engine, bool largest);
sheaf_status engine_make_coupled(sheaf_engine *engine);
sheaf_status engine_make_verbs(sheaf_engine *engine, engine_kernels *kernels);
void engine_release_coupled(sheaf_engine *engine);

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
