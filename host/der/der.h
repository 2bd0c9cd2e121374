// der: the two backends of Discrete Elastic Rods.
#ifndef SHEAF_DER_DER_H
#define SHEAF_DER_DER_H

#include "cl/device.h"
#include "method/method.h"

extern const method method_der;

// Whether a strand is of this method.
bool der_moves(const sheaf_model *model, uint32_t strand);

// A population on the fp64 reference, on several threads. Neither the order of strands nor the number of threads
// changes a bit of the result.
extern const method_backend der_on_reference;

// A population on an OpenCL device: picks its lane width, builds, uploads, and checks known answers.
extern const method_backend der_on_device;

// The largest stable step of the explicit integrator over a model's strands, s; infinite: none limits it. Safe, and
// exact unless very many strands are close to it.
sheaf_status der_step_limit(const sheaf_model *model, double *limit);

// Looks at every strand that is to start at rest, and adds up what it finds.
sheaf_status der_balance(const sheaf_model *model, sheaf_balance *balance, method_imbalances *list);

// What `sheaf verify` compares.
extern const struct verify_part der_verify;

// What `sheaf bench` measures.
extern const struct bench_part der_bench;

// Whether single precision could not resolve the model at this step and the device can do better; logs a notice where
// it could not.
bool der_needs_double(const sheaf_model *model, double step, const device_info *info);

#endif
