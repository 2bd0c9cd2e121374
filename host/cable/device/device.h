// device: cables on an OpenCL device: which arrays and kernels they have, how they are packed, and what their state
// means. Each cable is a lane; one that carries a load has it as the last body of its chain.
#ifndef SHEAF_CABLE_DEVICE_DEVICE_H
#define SHEAF_CABLE_DEVICE_DEVICE_H

#include "cl/engine_parts.h"

#include "kernels/cable/fields.clh"

// The fields, in the order in which kernels take them.
typedef enum cable_field {
#define CABLE_FIELD_ENUM(name, rows, components, role, geometry, start, unit, meaning) CABLE_##name,
    CABLE_FIELDS(CABLE_FIELD_ENUM)
#undef CABLE_FIELD_ENUM
        CABLE_FIELD_COUNT
} cable_field;

extern const engine_method cable_device;

// Whether the kernels can simulate this model; if not, `reason` says why.
bool cable_fits_device(const sheaf_model *model, char *reason, size_t size);

// Sorts cables into bundles of equally many segments.
sheaf_status cable_sort(bundle_set *set);

void cable_pack(const bundle_set *set, const bundle_source *source, uint32_t field, uint64_t place, void *memory);

// What drives the ends of bundles first .. end - 1 in the step from t0 to t1: [bundle][GOAL_SIZE][lane].
void cable_goals(const bundle_set *set, uint32_t first, uint32_t end, double t0, double t1, void *memory);

// ---- read

typedef enum cable_vectors {
    CABLE_READ_POSITIONS,
    CABLE_READ_VELOCITIES,
    CABLE_READ_DIRECTORS,
    CABLE_READ_LOADS,
    CABLE_READ_LOAD_MOTIONS
} cable_vectors;

// Waits, then copies positions, velocities or directors of cables 0, stride, 2 stride, ..., the k-th of them to
// first_vertex[k] and on; positions also as a note of the last batch has them, else `note` is -1.
sheaf_status cable_read(sheaf_engine *engine, cable_vectors what, int note, uint32_t stride,
                        const uint64_t *first_vertex, double (*out)[3]);

// Waits, then copies where the bodies of the model are.
sheaf_status cable_read_bodies(sheaf_engine *engine, sheaf_body_pose *poses);

// Waits, then changes the velocity of the segment that begins, or ends, at a vertex, m/s.
sheaf_status cable_push(sheaf_engine *engine, uint32_t strand, uint32_t vertex, const double change[3]);

// A cable that was found wrong, kept as it was before the step, and stepped no more.
typedef struct cable_freeze {
    uint32_t strand, slot;
    uint64_t step; // counted from 1
    const char *quantity;
    double value;
} cable_freeze;

// All frozen cables in the order they froze; room for every cable. Waits.
sheaf_status cable_freezes(sheaf_engine *engine, cable_freeze *freezes, uint32_t *count);

#endif
