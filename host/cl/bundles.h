// bundles: a model packed for one device form, time step and integrator: strands sorted into bundles of `width` lanes,
// every array [slot][component][lane] or [bundle][component][lane] in the precision of the form (kernels/der/slots.clh
// names the components). Users never see the permutation.
#ifndef SHEAF_CL_BUNDLES_H
#define SHEAF_CL_BUNDLES_H

#include "model/model.h"

#include "kernels/der/fields.clh"

#define BUNDLE_FILLER UINT32_MAX // a lane that only repeats a neighbour, to fill its bundle

// As the kernels read it (uint4).
typedef struct bundle_entry {
    uint32_t first_slot;
    uint32_t vertex_count; // of the longest strand
    uint32_t group;        // 0: at rest; k + 1: motion k of the model
    uint32_t newton_least; // of all its strands
} bundle_entry;

// Bundles of one kind lie together and are run by kernels of their own.
typedef enum bundle_kind {
    BUNDLE_EVEN,           // clamped roots, free tips, strands of one length
    BUNDLE_PADDED,         // the same, strands of several lengths
    BUNDLE_EVEN_DAMPED,    // with internal damping
    BUNDLE_PADDED_DAMPED,  //
    BUNDLE_GENERAL,        // any ends and loads, strands of one length
    BUNDLE_GENERAL_DAMPED, //
    BUNDLE_KIND_COUNT
} bundle_kind;

// The arrays, in the order in which kernels take them.
typedef enum der_field {
#define DER_FIELD_ENUM(name, rows, components, role, geometry, start, unit, meaning) DER_##name,
    DER_FIELDS(DER_FIELD_ENUM)
#undef DER_FIELD_ENUM
        DER_FIELD_COUNT
} der_field;

typedef struct bundle_options {
    uint32_t width; // lanes per bundle
    bool is_double;
    double step;  // s
    bool is_bdf2; // inertia 9/4 M/h^2 instead of M/h^2
} bundle_options;

// One end of a general strand as it is at the start.
typedef struct bundle_pose {
    double place[3];    // m, end vertex
    double tangent[3];  // of the end edge
    double director[3]; //
    double length;      // m, of the end edge at rest
} bundle_pose;

typedef struct bundle_set {
    bundle_options options;
    const sheaf_model *model;
    bundle_entry *entries; // [count]
    uint32_t count;
    uint32_t kind_first[BUNDLE_KIND_COUNT + 1]; // first bundle of each kind, then the count
    uint32_t most_vertices;
    uint64_t slot_count;
    uint32_t *strand_of;    // [count * width] strand, or BUNDLE_FILLER
    uint64_t *place_of;     // [strand] bundle * width + lane
    bundle_pose (*ends)[2]; // [place among general bundles] root, tip; set by bundles_note_ends
} bundle_set;

// Whether the kernels can simulate this model; if not, `reason` says why.
bool bundles_supported(const sheaf_model *model, char *reason, size_t size);

// Sorts strands into bundles. bundles_free(NULL-filled) is allowed.
sheaf_status bundles_sort(const sheaf_model *model, const bundle_options *options, bundle_set *set);
void bundles_free(bundle_set *set);

// Components of an array, and bytes of the whole array.
uint32_t bundles_components(der_field array);
bool bundles_array_is_per_strand(der_field array);
size_t bundles_bytes(const bundle_set *set, der_field array);

// Where the rows of a bundle begin in an array, bytes; of bundle `count`: where the array ends.
size_t bundles_offset(const bundle_set *set, der_field array, uint32_t bundle);

// Whether kernels write the array.
bool bundles_array_is_state(der_field array);

// Arrays of the model for the strands of bundles first .. end - 1: the model's own, or made for them.
typedef struct bundle_source {
    const sheaf_model *model;
    sheaf_model *part; // NULL: the model's own
    uint32_t first, end;
} bundle_source;

sheaf_status bundles_open_source(const bundle_set *set, uint32_t first, uint32_t end, bundle_source *source);
void bundles_close_source(bundle_source *source);

// Fills the rows of the source's bundles in one array with the start of time; `memory` starts at the first of them.
sheaf_status bundles_pack(const bundle_set *set, const bundle_source *source, der_field array, void *memory);

// Notes how the ends of the source's general bundles start.
void bundles_note_ends(bundle_set *set, const bundle_source *source);

// Component c of vertex `vertex` of a strand in a packed array.
double bundles_get(const bundle_set *set, der_field array, const void *memory, uint32_t strand, uint32_t vertex,
                   uint32_t component);
// Where that number is in the rows of bundles `first` and on alone, for the strand at a place (bundle * width + lane).
size_t bundles_row_index(const bundle_set *set, der_field array, uint32_t first, uint64_t place, uint32_t vertex,
                         uint32_t component);

// The same from the rows of bundles `first` and on alone, for the strand at a place (bundle * width + lane).
double bundles_row_value(const bundle_set *set, der_field array, const void *rows, uint32_t first, uint64_t place,
                         uint32_t vertex, uint32_t component);

void bundles_set(const bundle_set *set, der_field array, void *memory, uint32_t strand, uint32_t vertex,
                 uint32_t component, double value);

// Goals of the ends of bundles first .. end - 1, all of them general, in the step from t0 to t1, loads at `load_time`:
// [bundle][GOAL_SIZE][lane].
size_t bundles_goal_bytes(const bundle_set *set, uint32_t count);
void bundles_goals(const bundle_set *set, uint32_t first, uint32_t end, double t0, double t1, double load_time,
                   void *memory);

// 1 + which of a strand's twist courses of inner frames the frame of an edge follows; 0: none.
uint32_t bundles_inner_course(const model_strand *strand, uint32_t edge);

// Where the places of a strand on the device are measured from at a time: where it starts, taken along by jumps, so
// that a strand that has jumped far away keeps its digits.
void bundles_origin(const sheaf_model *model, uint32_t strand, double time, double out[3]);

// Whether a strand is clamped at its root, free at its tip and not loaded.
bool bundles_is_clamped(const sheaf_model *model, uint32_t strand);

// Colliders in the step from t0 to t1 as every motion group sees them: [group][collider][COLLIDER_SIZE].
size_t bundles_collider_bytes(const bundle_set *set);
void bundles_colliders(const bundle_set *set, double t0, double t1, void *memory);

// Bytes of the distances of all meshes.
size_t bundles_grid_bytes(const sheaf_model *model);

// Writes a number in the set's precision.
void bundles_put(const bundle_set *set, void *memory, size_t index, double value);

// Motion of every group in the step from t0 to t1, with the gusts at `load_time`: [group][MOTION_SIZE] into memory of
// the set's precision.
size_t bundles_motion_bytes(const bundle_set *set);
void bundles_motion(const bundle_set *set, double t0, double t1, double load_time, void *memory);

#endif
