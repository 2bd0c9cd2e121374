// method: one way of turning strands into numbers, and what it has to offer. Whatever differs between methods is behind
// this table; files, pictures, restarts, reports and the driver of a run are written once, against it.
//
//   sheaf_solver ── for each method that has strands in the scene ──> method_backend (reference or device)
//                                                                        │ void *instance: a population in motion
//
// A method gets a model that holds its own strands only, in the order of the scene, and with all that they meet:
// motions, colliders, air. Strands that act on each other within a step (model_strand.coupled) come in a model of their
// own: all strands of a model are coupled, or none is. Where it speaks of a strand to people, it says the number that
// the strand has in the scene (model_strand.number).
#ifndef SHEAF_METHOD_METHOD_H
#define SHEAF_METHOD_METHOD_H

#include "base/base.h"

// How an instance is opened.
typedef struct method_open {
    double step;               // s
    uint32_t threads;          // reference: 0: all cores
    uint32_t device;           // index in the list of `sheaf devices`, or SHEAF_DEVICE_BEST
    sheaf_precision precision; // device
    bool is_staged;            // device: one kernel per stage, each of them timed
    bool moves_bodies;         // the rigid bodies of the scene are moved by this part
} method_open;

// An array of the state in the model's order: a row for each vertex or strand. One that varies has as many rows as
// there are things now, such as contacts, at least one.
typedef struct method_array {
    const char *name;
    uint64_t rows;
    uint32_t components; // numbers of a row
    bool is_double;      // else single
    bool varies;
} method_array;

// A figure beyond those of sheaf_report, which only some populations have. An instance has the same ones, in the same
// order, as long as it lives.
typedef enum method_join { METHOD_JOIN_SUM, METHOD_JOIN_MAX } method_join;

typedef struct method_figure {
    const char *name; // its column in thermo.csv, with the unit: "squeeze_J"; letters, digits and _, below 32 of them;
                      // lives for ever
    method_join join; // how those of several parts become one
    bool is_energy;   // J, part of the total
    double value;
} method_figure;

enum {
    METHOD_PARTS_MAX = 8, // methods in one scene
    METHOD_FIGURES_MAX = 12,
    METHOD_ARRAYS_MAX = 24,
    METHOD_NOTES_MAX = 16,
    METHOD_STAGES_MAX = 32
};

// Time that a stage of the step took on the device.
typedef struct method_stage {
    const char *name;
    uint64_t launches;
    double seconds;
} method_stage;

// Strands that are not at rest, by rising number; those beyond the capacity are left out.
typedef struct method_imbalances {
    sheaf_imbalance *list;
    uint32_t count, capacity;
} method_imbalances;

// What it runs on, for reports.
typedef struct method_place {
    const char *device; // "reference", or the device's name
    const char *form;   // of its numbers: "scalar", "float8" or the like
    bool is_double;
} method_place;

// Strands that are read: 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on.
typedef struct method_sample {
    uint32_t stride;
    const uint64_t *first_vertex;
} method_sample;

// A population in motion, on the reference or on a device. All functions but those marked are there.
typedef struct method_backend {
    // At time 0, ends where their time functions start. Returns SHEAF_OK, SHEAF_ERR_MEMORY, and on a device
    // SHEAF_ERR_DEVICE (none there, not fit for this model, or failing), SHEAF_ERR_USAGE (the environment asks for what
    // there is not).
    sheaf_status (*open)(const sheaf_model *model, const method_open *how, void **instance);
    void (*close)(void *instance); // of NULL: nothing
    sheaf_status (*step)(void *instance, uint32_t count);

    sheaf_status (*read_positions)(void *instance, method_sample sample, double (*positions)[3]);   // m
    sheaf_status (*read_velocities)(void *instance, method_sample sample, double (*velocities)[3]); // m/s
    sheaf_status (*read_directors)(void *instance, double (*directors)[3]); // [edge] director 1, unit vectors
    sheaf_status (*push)(void *instance, uint32_t strand, uint32_t vertex, const double change[3]); // m/s
    sheaf_status (*report)(void *instance, sheaf_report *report);
    sheaf_status (*incident)(void *instance, uint32_t index, sheaf_incident *incident);

    // Figures beyond the report; NULL: there are none. Who has some notes them, too (note_figures), or takes no notes.
    sheaf_status (*figures)(void *instance, method_figure figures[METHOD_FIGURES_MAX], uint32_t *count);

    // The whole state as arrays: what it does next depends on them and on its steps alone.
    uint32_t (*arrays)(const void *instance, method_array arrays[METHOD_ARRAYS_MAX]);
    sheaf_status (*read_array)(void *instance, uint32_t index, void *values);
    sheaf_status (*write_array)(void *instance, uint32_t index, const void *values);
    sheaf_status (*write_rows)(void *instance, uint32_t index, uint64_t rows, const void *values); // of one that varies
    uint64_t (*steps)(const void *instance);
    void (*set_steps)(void *instance, uint64_t steps); // after all arrays

    // Notes of steps on the way, so that steps are not cut into short batches where they are looked at often. NULL, all
    // four: there are none.
    uint32_t (*notes_most)(const void *instance);
    sheaf_status (*step_noting)(void *instance, uint32_t count, const uint32_t *after, uint32_t note_count,
                                bool with_poses);
    sheaf_status (*note_report)(void *instance, uint32_t note, sheaf_report *report);
    sheaf_status (*note_figures)(void *instance, uint32_t note, method_figure figures[METHOD_FIGURES_MAX],
                                 uint32_t *count); // NULL: there are no figures
    sheaf_status (*note_positions)(void *instance, uint32_t note, method_sample sample, double (*positions)[3]);

    sheaf_status (*read_bodies)(void *instance, sheaf_body_pose *poses); // of all; may be NULL: it moves none

    sheaf_status (*stages)(void *instance, method_stage stages[METHOD_STAGES_MAX], uint32_t *count); // may be NULL
    method_place (*place)(const void *instance);
} method_backend;

// Something that `sheaf check` says of strands, beside what it says of all.
typedef struct method_fact {
    const char *name; // of the line, below 20 letters; NULL: a warning
    char text[240];
} method_fact;

enum { METHOD_FACTS_MAX = 8 };

// What a method does with the rigid bodies of a scene.
typedef enum method_bodies {
    METHOD_BODIES_NONE,
    METHOD_BODIES_CARRIED, // it moves those that its strands carry
    METHOD_BODIES_ALL,     // and those that nothing holds; on a device its strands on bodies step apart from the others
} method_bodies;

struct verify_part;
struct bench_part;

typedef struct method {
    const char *name;    // its folders under host/ and kernels/, its word in scenes, checkpoints and docs
    const char *purpose; // one line
    bool couples;        // its strands may act on each other
    method_bodies bodies;
    bool reeves; // lines without mass over bodies (sheaf_reeving_def) are its own
    const method_backend *reference;
    const method_backend *device; // NULL: it runs on the reference only

    // Whether the device can simulate a model, and why not. NULL: open says so.
    bool (*fits_device)(const sheaf_model *model, char *reason, size_t size);

    // SHEAF_ERR_INPUT, with the reason, for models of its own strands that it cannot simulate at all. NULL: it can any.
    sheaf_status (*check)(const sheaf_model *model);

    // Facts of a model's own strands; strands of other methods are passed over. NULL, each: there is nothing to tell.
    sheaf_status (*step_limit)(const sheaf_model *model, double *limit); // s, largest stable explicit step, or infinite
    sheaf_status (*balance)(const sheaf_model *model, sheaf_balance *balance, method_imbalances *list);
    uint64_t (*state_bytes)(const sheaf_model *model); // that a solver on the reference takes

    uint32_t (*facts)(const sheaf_model *model, method_fact facts[METHOD_FACTS_MAX]);

    // Moments that a strand bears at an interior vertex, from the vertices and directors of its whole length: against
    // bending towards director 1 and 2 and against twist, N m. NULL: those of the material at the curvature there.
    void (*moments)(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                    const double (*directors)[3], double bend[2], double *twist);

    const struct verify_part *verify; // rows of `sheaf verify`; NULL: none
    const struct bench_part *bench;   // workloads of `sheaf bench`; NULL: none
} method;

// All methods, then NULL; the first is the one of strands that name none. list.c is the one place that knows them.
extern const method *const method_list[];

#endif
