// batch: many variants of a strand on the engine at once, each with a material of its own.
#ifndef SHEAF_TESTS_BATCH_H
#define SHEAF_TESTS_BATCH_H

#include "der/device/device.h"

typedef struct batch {
    sheaf_scene *scene; // until batch_open
    sheaf_model *model;
    sheaf_engine *engine;
    double (*x)[3]; // [vertex] m, as of the last batch_run
    uint32_t count; // strands
} batch;

// An empty batch of BDF2 steps; change `def` for other settings. Every call fails the test when the library refuses.
sheaf_scene_def batch_scene(void);
batch batch_begin(const sheaf_scene_def *def);

// Adds a strand; returns its index.
uint32_t batch_add(batch *it, const sheaf_material_def *material, const sheaf_strand_def *strand);

// No more strands; opens the engine.
void batch_open(batch *it, double step, bool is_double);
void batch_close(batch *it);

// Steps until `time`, then reads all positions.
void batch_run(batch *it, double time);

// Vertices of a strand, how many there are, and the last of them.
const double (*batch_vertices(const batch *it, uint32_t strand))[3];
uint32_t batch_vertex_count(const batch *it, uint32_t strand);
const double *batch_tip(const batch *it, uint32_t strand);

#endif
