// stages: what a step of Discrete Elastic Rods is made of on the device, one kernel each in the staged schedule.
#ifndef SHEAF_DER_DEVICE_STAGES_H
#define SHEAF_DER_DEVICE_STAGES_H

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
    X(finish)                                                                                                          \
    X(retake)

typedef enum engine_stage {
#define ENGINE_STAGE_ENUM(name) STAGE_##name,
    ENGINE_STAGES(ENGINE_STAGE_ENUM)
#undef ENGINE_STAGE_ENUM
        STAGE_COUNT
} engine_stage;

// Name of a stage.
const char *engine_stage_name(engine_stage stage);

#endif
