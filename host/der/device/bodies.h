// bodies: steps of strands on bodies, by the verbs of an engine that was opened for it (cl/coupled.h): the device half
// of couple/bodies.h. Strands are condensed onto their joints on the device, bodies are moved here, in fp64.
#ifndef SHEAF_DER_DEVICE_BODIES_H
#define SHEAF_DER_DEVICE_BODIES_H

#include "cl/engine.h"
#include "couple/bodies.h"

typedef struct der_bodies der_bodies;

// Most joints that a strand of a model has with bodies.
uint32_t der_joints_most(const sheaf_model *model);

// engine_method.couple_numbers
void der_joint_numbers(const sheaf_engine *engine, uint32_t *given, uint32_t *told);

// The bodies of the model at time 0. `engine` may be NULL where no strand of the part has joints, else it must outlive
// this, and all of its strands have joints. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status der_bodies_open(const sheaf_model *model, double step, sheaf_engine *engine, der_bodies **out);
void der_bodies_close(der_bodies *b);

// Takes steps; waits. Returns SHEAF_OK, SHEAF_ERR_DEVICE, SHEAF_ERR_MEMORY.
sheaf_status der_bodies_step(der_bodies *b, uint32_t count);

couple_bodies *der_bodies_of(der_bodies *b);

#endif
