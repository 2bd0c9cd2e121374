// device: Discrete Elastic Rods on an OpenCL device: which arrays and kernels they have, how strands are packed for
// them, and what their state means.
#ifndef SHEAF_DER_DEVICE_DEVICE_H
#define SHEAF_DER_DEVICE_DEVICE_H

#include "cl/engine.h"
#include "der/device/stages.h"

#include "kernels/der/fields.clh"

// The fields, in the order in which kernels take them.
typedef enum der_field {
#define DER_FIELD_ENUM(name, rows, components, role, geometry, start, unit, meaning) DER_##name,
    DER_FIELDS(DER_FIELD_ENUM)
#undef DER_FIELD_ENUM
        DER_FIELD_COUNT
} der_field;

// Kinds of bundles.
typedef enum der_kind {
    DER_EVEN,           // clamped roots, free tips, strands of one length
    DER_PADDED,         // the same, strands of several lengths
    DER_EVEN_DAMPED,    // with internal damping
    DER_PADDED_DAMPED,  //
    DER_GENERAL,        // any ends and loads, strands of one length
    DER_GENERAL_DAMPED, //
    DER_KIND_COUNT
} der_kind;

// engine_options.tuning; 0: by need
enum { DER_NEWTON_MIN, DER_NEWTON_MAX, DER_TWIST_ITERATIONS };

extern const engine_method der_device;

// Opens an engine for these rods.
sheaf_status der_open_engine(const sheaf_model *model, const engine_options *options, sheaf_engine **engine);

// ---- sort

// Whether the kernels can simulate this model; if not, `reason` says why.
bool der_fits_device(const sheaf_model *model, char *reason, size_t size);

// Whether a strand is clamped at its root, free at its tip and not loaded.
bool der_is_clamped(const sheaf_model *model, uint32_t strand);

// Where the places of a strand on the device are measured from at a time: where it starts, taken along by jumps, so
// that a strand that has jumped far away keeps its digits.
void der_origin(const sheaf_model *model, uint32_t strand, double time, double out[3]);

// 1 + which of a strand's twist functions of inner frames the frame of an edge follows; 0: none.
uint32_t der_inner_course(const model_strand *strand, uint32_t edge);

// Sorts strands into bundles; bundle_set.own is [place among general bundles] der_ends.
sheaf_status der_sort(bundle_set *set);

// ---- pack

// One end of a general strand as it is at the start.
typedef struct der_pose {
    double place[3];    // m, end vertex
    double tangent[3];  // of the end edge
    double director[3]; //
    double length;      // m, of the end edge at rest
} der_pose;

typedef struct der_ends {
    der_pose root, tip;
} der_ends;

// Frames that the source's strands start with, as a der_start.
sheaf_status der_prepare(bundle_source *source);

void der_pack(const bundle_set *set, const bundle_source *source, uint32_t field, uint64_t place, void *memory);

// Notes how the ends of the source's general bundles start.
void der_note_ends(bundle_set *set, const bundle_source *source);

// ---- goals

// Goals of the ends of bundles first .. end - 1, all of them general, in the step from t0 to t1, loads at `load_time`:
// [bundle][GOAL_SIZE][lane].
size_t der_goal_bytes(const bundle_set *set, uint32_t count);
void der_goals(const bundle_set *set, uint32_t first, uint32_t end, double t0, double t1, double load_time,
               void *memory);

// ---- read

// Waits for all steps, then copies positions and velocities (either may be NULL), [vertex][3] in the model's order.
sheaf_status der_read(sheaf_engine *engine, double (*positions)[3], double (*velocities)[3]);

// The same for strands 0, stride, 2 stride, ..., the k-th of them to first_vertex[k] and on, without the copies of
// vertices that loops have (strand/unroll.h).
sheaf_status der_read_sample(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                             double (*positions)[3]);
sheaf_status der_read_sample_velocities(sheaf_engine *engine, uint32_t stride, const uint64_t *first_vertex,
                                        double (*velocities)[3]);

// Positions as a note of the last batch has them, bit by bit what der_read_sample would have said between the steps.
sheaf_status der_note_sample(sheaf_engine *engine, uint32_t note, uint32_t stride, const uint64_t *first_vertex,
                             double (*positions)[3]);

// Waits, then copies director 1 of every edge, unit vectors, those of strand s to first_vertex[s] and on; without
// copies.
sheaf_status der_read_directors(sheaf_engine *engine, const uint64_t *first_vertex, double (*directors)[3]);

// Waits, then changes the velocity of one vertex, m/s, as an impulse from outside does.
sheaf_status der_push(sheaf_engine *engine, uint32_t strand, uint32_t vertex, const double change[3]);

// Numbers that kernels find in `settings`, [SETTING_SIZE].
void der_settings(const sheaf_engine *engine, double *values);

// Components of scratch at a vertex (Z_SIZE of the kernels).
uint32_t der_scratch_components(const sheaf_engine *engine);

// Component c (Z_*) at a vertex of a strand in a copy of the scratch, while it belongs to the strand's kind; numbers of
// contact are 0 beyond the zone that keeps them.
double der_scratch_get(const sheaf_engine *engine, const void *memory, uint32_t strand, uint32_t vertex,
                       uint32_t component);

// The law of a strand in the text of all laws of its model, counted from 1; 0: it has none.
uint32_t der_law_number(const sheaf_model *model, uint32_t strand);

// Whether programs of the model have laws in them.
bool der_has_laws(const sheaf_model *model);

// ---- freezes

// A strand that was found wrong, kept as it was before the step, and stepped no more.
typedef struct engine_freeze {
    uint32_t strand, vertex;
    uint64_t step;        // counted from 1
    const char *quantity; // what was wrong: "position", "velocity", "twist"
    double value;         // m, m/s, rad
} engine_freeze;

// All frozen strands in the order they froze; room for every strand. Waits.
sheaf_status der_freezes(sheaf_engine *engine, engine_freeze *freezes, uint32_t *count);

#endif
