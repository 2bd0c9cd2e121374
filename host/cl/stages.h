// stages: single stages of the staged schedule, run one at a time with access to all they read and write. What a step
// is made of can so be checked piece by piece.
#ifndef SHEAF_CL_STAGES_H
#define SHEAF_CL_STAGES_H

#include "cl/engine.h"

// Kernels of the staged schedule: name of the stage. The kernel is called stage_<name>.
#define ENGINE_STAGES(X)                                                                                               \
    X(guess)                                                                                                           \
    X(wind)                                                                                                            \
    X(newton)                                                                                                          \
    X(frames)                                                                                                          \
    X(curvature)                                                                                                       \
    X(twist)                                                                                                           \
    X(contact)                                                                                                         \
    X(assemble)                                                                                                        \
    X(solve)                                                                                                           \
    X(collide)                                                                                                         \
    X(project)                                                                                                         \
    X(start)                                                                                                           \
    X(bend_twist)                                                                                                      \
    X(integrate)                                                                                                       \
    X(finish)

typedef enum engine_stage {
#define ENGINE_STAGE_ENUM(name) STAGE_##name,
    ENGINE_STAGES(ENGINE_STAGE_ENUM)
#undef ENGINE_STAGE_ENUM
        STAGE_COUNT
} engine_stage;

// Name of a stage, and the time its launches took on the device, in all steps of a staged engine so far.
const char *engine_stage_name(engine_stage stage);
typedef struct engine_stage_time {
    uint64_t launches;
    double seconds;
} engine_stage_time;

// Waits.
sheaf_status engine_stage_times(sheaf_engine *engine, engine_stage_time times[STAGE_COUNT]);

// The stages that follow belong to step `step` (0 is the first): its motions and goals go to the device.
sheaf_status engine_begin_step(sheaf_engine *engine, uint64_t step);

// Enqueues one stage on all bundles of a kind; `iteration` counts Newton iterations or projections from 0. The engine
// must be staged, and its scratch must hold the kind (SHEAF_ERR_LIMIT). Kinds share scratch: one has to be done with
// before the next begins.
sheaf_status engine_run_stage(sheaf_engine *engine, bundle_kind kind, engine_stage stage, int32_t iteration);

// Waits, then copies all scratch from or to the device.
size_t engine_scratch_bytes(const sheaf_engine *engine);
sheaf_status engine_read_scratch(sheaf_engine *engine, void *memory);
sheaf_status engine_write_scratch(sheaf_engine *engine, const void *memory);

// Component c (Z_*) at a vertex of a strand in a copy of the scratch, while it belongs to the strand's kind.
double engine_scratch_get(const sheaf_engine *engine, const void *memory, uint32_t strand, uint32_t vertex,
                          uint32_t component);
void engine_scratch_set(const sheaf_engine *engine, void *memory, uint32_t strand, uint32_t vertex, uint32_t component,
                        double value);

// Waits, then replaces a whole packed array (bundles_bytes of it).
sheaf_status engine_write_array(sheaf_engine *engine, der_field array, const void *memory);

#endif
