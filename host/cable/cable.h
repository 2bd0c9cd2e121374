// cable: the two backends of rigid-body cables.
#ifndef SHEAF_CABLE_CABLE_H
#define SHEAF_CABLE_CABLE_H

#include "method/method.h"
#include "model/model.h"

extern const method method_cable;

// A population on the fp64 reference: groups of cables that share bodies are stepped together, on several threads.
extern const method_backend cable_on_reference;

// A population on an OpenCL device; cables that share free bodies run on the reference only.
extern const method_backend cable_on_device;

// Rows of `sheaf verify`: positions after whole steps against those of the reference.
extern const struct verify_part cable_verify;

// Loads and tensions of a model's cables, as `sheaf check` tells them; returns how many there are.
uint32_t cable_facts(const sheaf_model *model, method_fact facts[METHOD_FACTS_MAX]);

// Moments at an interior vertex, as method.h has them: by the stiffness of joints and by the measure of bending.
void cable_moments(const sheaf_model *model, uint32_t strand, uint32_t vertex, const double (*positions)[3],
                   const double (*directors)[3], double bend[2], double *twist);

#endif
