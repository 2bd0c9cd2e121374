// accelerated: a population on an OpenCL device.
#ifndef SHEAF_SOLVER_ACCELERATED_H
#define SHEAF_SOLVER_ACCELERATED_H

#include "cl/engine.h"

typedef struct accelerated accelerated;

// Why a model cannot run on a device here: no device, or ends that the kernels do not know. False with `reason` filled.
bool accelerated_possible(const sheaf_model *model, char *reason, size_t size);

// device: index in the list of `sheaf devices`, or -1: the best one.
sheaf_status accelerated_open(const sheaf_model *model, double step, int32_t device, bool is_double,
                              accelerated **opened);
void accelerated_close(accelerated *a);
sheaf_status accelerated_step(accelerated *a, uint32_t count);
sheaf_status accelerated_read(accelerated *a, double (*positions)[3], double (*velocities)[3]);
sheaf_status accelerated_report(accelerated *a, sheaf_report *report);
sheaf_status accelerated_incident(accelerated *a, uint32_t index, sheaf_incident *incident);

const char *accelerated_device(const accelerated *a); // its name
const char *accelerated_form(const accelerated *a);   // "float8" or the like
bool accelerated_is_double(const accelerated *a);

#endif
