// engine: the fast backend: strands of a model stepped by OpenCL kernels on one device.
#ifndef SHEAF_CL_ENGINE_H
#define SHEAF_CL_ENGINE_H

#include "cl/bundles.h"
#include "cl/device.h"

typedef struct sheaf_engine sheaf_engine;

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
    bool is_staged;                     // one kernel per stage instead of whole steps in one
    double step;                        // s
    uint32_t work_items;                // persistent work-items (or work-groups, lane width 1); 0: chosen
    uint32_t group_size;                // lane width 1: work-items of a group, one strand each; 0: chosen
    uint32_t steps_per_launch;          // 0: chosen
    uint32_t newton_least, newton_most; // 0: the scene's
    engine_blas blas;
    uint32_t twist_iterations; // of the quasi-static frames, per Newton iteration; 0: chosen
    const char *text;          // kernels to build instead of the embedded ones, to see faults found; NULL: none
    uint64_t memory_limit;     // bytes of device memory to use at most; 0: four fifths of it
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
sheaf_status engine_open(const sheaf_model *model, const engine_options *options, sheaf_engine **out);
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

// Notes of the last such batch, bit by bit what engine_report and engine_read_sample would have said between the steps.
sheaf_status engine_note_report(const sheaf_engine *engine, uint32_t note, sheaf_report *report);
sheaf_status engine_note_sample(sheaf_engine *engine, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);

// ---- reading

// Waits for all steps, then copies positions and velocities (either may be NULL), [vertex][3] in the model's order.
sheaf_status engine_read(sheaf_engine *engine, double (*positions)[3], double (*velocities)[3]);

// The same for the positions of strands 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on.
sheaf_status engine_read_sample(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                                double (*positions)[3]);
sheaf_status engine_read_sample_velocities(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                                           double (*velocities)[3]);

// Waits, then copies director 1 of every edge, unit vectors in the model's order.
sheaf_status engine_read_directors(sheaf_engine *engine, double (*directors)[3]);

// Waits, then changes the velocity of one vertex, m/s, as an impulse from outside does.
sheaf_status engine_push(sheaf_engine *engine, uint32_t strand, uint32_t vertex, const double change[3]);

// Waits, then copies a whole packed array (bundles_bytes of it).
sheaf_status engine_read_array(sheaf_engine *engine, der_field array, void *memory);

// ---- the whole state in the model's order, for files

// Name of an array that belongs to the state; NULL: kernels do not write it.
const char *engine_state_name(der_field array);

// Copies an array of the state: [vertex][component], or [strand][component] where bundles_array_is_per_strand, in the
// engine's precision. Waits.
sheaf_status engine_read_state(sheaf_engine *engine, der_field array, void *values);

// Replaces an array of the state. Returns SHEAF_OK, SHEAF_ERR_INPUT (a record that no step leaves), SHEAF_ERR_DEVICE,
// SHEAF_ERR_MEMORY.
sheaf_status engine_write_state(sheaf_engine *engine, der_field array, const void *values);

// Says how many steps the state that was put in has behind it.
void engine_set_steps(sheaf_engine *engine, uint64_t steps);

// ---- figures

// Energies, strain and counts of the whole population. Waits.
sheaf_status engine_report(sheaf_engine *engine, sheaf_report *report);

// A strand that was found wrong, kept as it was before the step, and stepped no more.
typedef struct engine_freeze {
    uint32_t strand, vertex;
    uint64_t step;        // counted from 1
    const char *quantity; // what was wrong: "position", "velocity", "twist"
    double value;         // m, m/s, rad
} engine_freeze;

// All frozen strands in the order they froze; room for every strand. Waits.
sheaf_status engine_freezes(sheaf_engine *engine, engine_freeze *freezes, uint32_t *count);

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
