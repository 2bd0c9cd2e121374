// engine: strands of a model stepped by OpenCL kernels on one device. It knows buffers, programs, launches, slices and
// notes; what the arrays are, which kernels there are and what they are given is said by a method's device half, an
// engine_method.
#ifndef SHEAF_CL_ENGINE_H
#define SHEAF_CL_ENGINE_H

#include "cl/bundles.h"
#include "cl/device.h"

typedef struct sheaf_engine sheaf_engine;

struct program_source;
struct bundle_range;

// What kernels are given besides fields, settings and scratch: a buffer.
typedef struct engine_input {
    const char *name;
    bool is_per_step; // worked out for every step of a launch; else once

    // Bytes for bundles first .. end - 1 in one step, and their content; step 0 is the first. No bundle of a slice: 0
    // bytes are fine.
    size_t (*bytes)(const sheaf_engine *engine, uint32_t first, uint32_t end);
    void (*write)(const sheaf_engine *engine, uint32_t first, uint32_t end, uint64_t step, void *memory);
} engine_input;

enum {
    ENGINE_INPUTS_MAX = 8,
    ENGINE_NUMBERS_MAX = 8,
    ENGINE_STAGES_MAX = 32,
    ENGINE_FIGURES_MAX = 32,
    ENGINE_TUNING = 4
};

typedef enum engine_program {
    ENGINE_PROGRAM_FUSED,
    ENGINE_PROGRAM_STAGED,
    ENGINE_PROGRAM_COUPLED,
    ENGINE_PROGRAM_FIGURES,
    ENGINE_PROGRAM_PUSHED
} engine_program;

// The device half of a method. Parameters of its kernels come in this order:
//
//   fields ..., bundles, inputs ..., settings, scratch, numbers ..., scratch stride, first bundle, end, first step
//   fused:    step count, noted, note_first, note_bundles, note_slots, note figures, note poses ...
//   pushed:   as fused, then pushes
//   staged:   ahead, iteration
//   coupled:  ahead, iteration, push, answer, weights, and where couple_numbers says so: given, told
//   figures:  figures, bundle count
typedef struct engine_method {
    const char *name;
    bundle_rules bundles;
    const engine_input *inputs;
    uint32_t input_count;
    uint32_t number_count;     // whole numbers that a launch hands its kernels
    const char *const *stages; // the kernel of stage k is called stage_<name>
    uint32_t stage_count;
    uint32_t setting_count;
    uint32_t push_count;                // numbers that a program of pushed strands is given at every slot
    uint32_t figure_count, figure_sums; // of a strand; the first ones are summed, of the others the largest counts
    const uint32_t *pose_fields;        // what a note keeps of a pose
    uint32_t pose_field_count;

    sheaf_status (*open)(sheaf_engine *engine);                 // sets engine->own, one allocation, and reads options
    sheaf_status (*opened)(sheaf_engine *engine);               // after the bundles are known; may be NULL
    void (*close)(sheaf_engine *engine);                        // frees what engine->own points to; may be NULL
    uint32_t (*scratch_components)(const sheaf_engine *engine); // numbers of scratch at a slot
    // Numbers that a coupled strand is given besides, and tells, in an iteration; may be NULL: none.
    void (*couple_numbers)(const sheaf_engine *engine, uint32_t *given, uint32_t *told);
    void (*settings)(const sheaf_engine *engine, double *values);
    void (*program)(const sheaf_engine *engine, uint32_t kind, engine_program what, struct program_source *source);
    uint32_t (*figure_variant)(uint32_t kind); // which of the programs that work figures out; kinds may share one
    void (*numbers)(const sheaf_engine *engine, uint32_t first, uint32_t end, uint32_t *values); // of a slice
    bool (*has_pose_field)(const sheaf_engine *engine, uint32_t field);
    void (*report)(const sheaf_engine *engine, uint64_t step, const double *totals, sheaf_report *report);
    sheaf_status (*check_state)(const sheaf_engine *engine, uint32_t field, const void *values); // of a file

    // Before a step: brings along what jumps; may be NULL. Of `most` steps, how many until another one jumps.
    sheaf_status (*jump)(sheaf_engine *engine);
    uint32_t (*steps_to_jump)(const sheaf_engine *engine, uint32_t most);

    // Enqueues the stages of a whole step for a range (cl/engine_parts.h).
    sheaf_status (*launch_stages)(sheaf_engine *engine, const struct bundle_range *range, uint32_t ahead);
} engine_method;

// Whether figures are summed up by BLAS or by kernels of our own.
typedef enum engine_blas {
    ENGINE_BLAS_AUTO, // BLAS for large populations: compiling its kernels takes a second when they are not cached
    ENGINE_BLAS_ALWAYS,
    ENGINE_BLAS_NEVER,
} engine_blas;

typedef struct engine_options {
    uint32_t device;     // index in device_list
    uint32_t lane_width; // 1, 4, 8, 16
    bool is_double;
    bool is_staged;            // one kernel per stage instead of whole steps in one
    bool is_coupled;           // steps by the verbs of cl/coupled.h
    bool is_pushed;            // whole steps, one per launch, each given numbers at every slot (engine_pushes)
    double step;               // s
    uint32_t work_items;       // persistent work-items (or work-groups, lane width 1); 0: by need of the device
    uint32_t cache_fill;       // lane width 1 on a GPU: scratch of its work-groups, in sizes of its cache; 0: one
    uint32_t group_size;       // lane width 1: work-items of a group, one strand each; 0: chosen
    uint32_t steps_per_launch; // 0: chosen
    engine_blas blas;
    uint32_t tuning[ENGINE_TUNING]; // what they are is the method's to say; 0: chosen
    const char *text;               // kernels to build instead of the embedded ones, to see faults found; NULL: none
    uint64_t memory_limit;          // bytes of device memory to use at most; 0: four fifths of it
    double time_limit;       // s, after which a launch counts as hung; 0: 10 s, and 180 s for a kernel's first to start
    const sheaf_engine *kin; // an engine of the same device and form to share programs with, or NULL
} engine_options;

// Device memory of an engine, bytes.
typedef struct engine_memory {
    uint64_t needed;      // for the whole model at once
    uint64_t used;        // by the buffers that were made
    uint64_t limit;       // that `used` keeps to
    uint32_t slice_count; // 1: the model fits; else it is stepped in so many slices, one after the other
} engine_memory;

// Opens a device and uploads the model at time 0. The model must outlive the engine.
sheaf_status engine_open(const engine_method *method, const sheaf_model *model, const engine_options *options,
                         sheaf_engine **out);
void engine_close(sheaf_engine *engine);

// Enqueues `count` steps.
sheaf_status engine_step(sheaf_engine *engine, uint32_t count);

// ---- notes of steps on the way, so that steps are not cut into short batches where they are looked at often

enum { ENGINE_NOTES_MOST = 16 };

// Notes that a batch of steps can leave; 0: it must end where something is to be known.
uint32_t engine_notes_most(const sheaf_engine *engine);

// As engine_step; notes figures, and with `with_poses` where the strands are, after some of the steps: after the
// after[0]-th, after[1]-th, ..., rising, from 1 to `count`, at most engine_notes_most of them. Waits.
sheaf_status engine_step_noting(sheaf_engine *engine, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses);

// Notes of the last such batch, bit by bit what engine_report would have said between the steps.
sheaf_status engine_note_report(const sheaf_engine *engine, uint32_t note, sheaf_report *report);
// ---- fields

// Waits, then copies a whole packed array (bundles_bytes of it), or replaces it.
sheaf_status engine_read_array(sheaf_engine *engine, uint32_t field, void *memory);
sheaf_status engine_write_array(sheaf_engine *engine, uint32_t field, const void *memory);

// ---- the whole state in the model's order, for files

// Name of a field that belongs to the state; NULL: kernels do not write it.
const char *engine_state_name(const sheaf_engine *engine, uint32_t field);

// Copies a field of the state: [vertex][component], or [strand][component], in the engine's precision. Waits.
sheaf_status engine_read_state(sheaf_engine *engine, uint32_t field, void *values);

// Replaces an array of the state. Returns SHEAF_OK, SHEAF_ERR_INPUT (a record that no step leaves), SHEAF_ERR_DEVICE,
// SHEAF_ERR_MEMORY.
sheaf_status engine_write_state(sheaf_engine *engine, uint32_t field, const void *values);

// Says how many steps the state that was put in has behind it.
void engine_set_steps(sheaf_engine *engine, uint64_t steps);

// ---- figures

// The figures of all strands, summed up or the largest of them, as engine_method says; of a note, those of the step
// that it was taken of. The first waits.
sheaf_status engine_totals(sheaf_engine *engine, double totals[1][ENGINE_FIGURES_MAX]);
sheaf_status engine_note_totals(const sheaf_engine *engine, uint32_t note, double totals[1][ENGINE_FIGURES_MAX]);

// Energies, strain and counts of the whole population. Waits.
sheaf_status engine_report(sheaf_engine *engine, sheaf_report *report);

// Of an engine that was opened with is_pushed: the buffer of what its next step is given, [slot][push_count][lane] in
// the engine's precision; 0 at first.
struct _cl_mem *engine_pushes(const sheaf_engine *engine);

const bundle_set *engine_bundles(const sheaf_engine *engine);
const sheaf_model *engine_model(const sheaf_engine *engine);
const engine_options *engine_options_of(const sheaf_engine *engine);
double engine_time(const sheaf_engine *engine);
uint64_t engine_steps(const sheaf_engine *engine);
const device_info *engine_device(const sheaf_engine *engine);
sheaf_status engine_wait(sheaf_engine *engine);
engine_memory engine_memory_use(const sheaf_engine *engine);

// Longest launch so far, s.
double engine_longest_launch(const sheaf_engine *engine);

#endif
