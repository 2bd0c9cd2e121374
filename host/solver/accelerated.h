// accelerated: a population on an OpenCL device.
#ifndef SHEAF_SOLVER_ACCELERATED_H
#define SHEAF_SOLVER_ACCELERATED_H

#include "cl/stages.h"
#include "der/device/device.h"
#include "solver/solver.h"

typedef struct accelerated accelerated;

typedef struct accelerated_def {
    double step;     // s
    uint32_t device; // index in the list of `sheaf devices`, or SHEAF_DEVICE_BEST
    sheaf_precision precision;
    bool is_staged; // one kernel per stage, each of them timed
} accelerated_def;

// Opens the device, picks its lane width, builds, uploads, and checks known answers. Returns SHEAF_OK, SHEAF_ERR_DEVICE
// (none there, not fit for this model, or failing), SHEAF_ERR_USAGE (SHEAF_LANES), SHEAF_ERR_MEMORY.
sheaf_status accelerated_open(const sheaf_model *model, const accelerated_def *def, accelerated **opened);
void accelerated_close(accelerated *a);
sheaf_status accelerated_step(accelerated *a, uint32_t count);

// Notes of steps on the way, as solver.h says.
uint32_t accelerated_notes_most(const accelerated *a);
sheaf_status accelerated_step_noting(accelerated *a, uint32_t count, const uint32_t *after, uint32_t note_count,
                                     bool with_poses);
sheaf_status accelerated_note_report(accelerated *a, uint32_t note, sheaf_report *report);
sheaf_status accelerated_note_sample(accelerated *a, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                                     double (*positions)[3]);

sheaf_status accelerated_read(accelerated *a, double (*positions)[3], double (*velocities)[3]);
sheaf_status accelerated_read_sample(accelerated *a, uint32_t stride, const uint64_t *first_vertex,
                                     double (*positions)[3]);
sheaf_status accelerated_read_directors(accelerated *a, double (*directors)[3]);
sheaf_status accelerated_read_sample_velocities(accelerated *a, uint32_t stride, const uint64_t *first_vertex,
                                                double (*velocities)[3]);
sheaf_status accelerated_push(accelerated *a, uint32_t strand, uint32_t vertex, const double change[3]);
sheaf_status accelerated_report(accelerated *a, sheaf_report *report);
sheaf_status accelerated_incident(accelerated *a, uint32_t index, sheaf_incident *incident);

// The whole state as arrays, in the model's order. solver.h says how they are used.
uint32_t accelerated_arrays(const accelerated *a, solver_array *arrays);
sheaf_status accelerated_read_array(accelerated *a, uint32_t index, void *values);
sheaf_status accelerated_write_array(accelerated *a, uint32_t index, const void *values);
void accelerated_set_steps(accelerated *a, uint64_t steps);
uint64_t accelerated_steps(const accelerated *a);

// Whether single precision could not resolve the model at this step and the device can do better; logs a notice where
// it could not.
bool accelerated_needs_double(const sheaf_model *model, double step, const device_info *info);

// Stages that were run, and the time they took; room for SOLVER_STAGES_MOST. Waits.
sheaf_status accelerated_stages(accelerated *a, solver_stage *stages, uint32_t *count);

const char *accelerated_device(const accelerated *a); // its name
const char *accelerated_form(const accelerated *a);   // "float8" or the like
bool accelerated_is_double(const accelerated *a);

#endif
