// stages: single stages of the staged schedule, run one at a time with access to all they read and write. What a step
// is made of can so be checked piece by piece.
#ifndef SHEAF_CL_STAGES_H
#define SHEAF_CL_STAGES_H

#include "cl/engine.h"

// Time that the launches of a stage took on the device, in all steps of a staged engine so far.
typedef struct engine_stage_time {
    uint64_t launches;
    double seconds;
} engine_stage_time;

// Waits.
sheaf_status engine_stage_times(sheaf_engine *engine, engine_stage_time times[ENGINE_STAGES_MAX]);

// The stages that follow belong to step `step` (0 is the first): its inputs go to the device.
sheaf_status engine_begin_step(sheaf_engine *engine, uint64_t step);

// Enqueues one stage on all bundles of a kind; `iteration` counts Newton iterations or projections from 0. The engine
// must be staged, and its scratch must hold the kind (SHEAF_ERR_LIMIT). Kinds share scratch: one has to be done with
// before the next begins.
sheaf_status engine_run_stage(sheaf_engine *engine, uint32_t kind, uint32_t stage, int32_t iteration);

// Waits, then copies all scratch from or to the device.
size_t engine_scratch_bytes(const sheaf_engine *engine);
sheaf_status engine_read_scratch(sheaf_engine *engine, void *memory);
sheaf_status engine_write_scratch(sheaf_engine *engine, const void *memory);

// Component c at a vertex of a strand in a copy of the scratch, while it belongs to the strand's kind.
double engine_scratch_get(const sheaf_engine *engine, const void *memory, uint32_t strand, uint32_t vertex,
                          uint32_t component);
void engine_scratch_set(const sheaf_engine *engine, void *memory, uint32_t strand, uint32_t vertex, uint32_t component,
                        double value);

#endif
