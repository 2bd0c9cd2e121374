// bundles: strands packed for one device form: sorted into bundles of `width` lanes, every field
// [slot][component][lane] or [bundle][component][lane] in the precision of the form. What fields there are, and which
// strands share a bundle, is the method's to say. Users never see the permutation.
//
//   strand  0 1 2 3 4 ...            bundle 0            bundle 1          width 4
//           sorted by kind,    ->    lane 0 1 2 3        lane 0 1 2 3
//           then length              strand 7 2 0 5      strand 1 9 3 -    -: filler, repeats lane 0
//
//   a field over slots:  [bundle 0: vertex 0: component 0: lanes 0..3][component 1: ...] ... [vertex 1 ...] ... [bundle
//   1
#ifndef SHEAF_CL_BUNDLES_H
#define SHEAF_CL_BUNDLES_H

#include "method/field.h"
#include "model/model.h"

#define BUNDLE_FILLER UINT32_MAX // a lane that only repeats a neighbour, to fill its bundle

// As the kernels read it (uint4).
typedef struct bundle_entry {
    uint32_t first_slot;
    uint32_t vertex_count; // of the longest strand
    uint32_t group;        // 0: at rest; k + 1: motion k of the model
    uint32_t detail;       // what else kernels of the method want to know of all its strands
} bundle_entry;

typedef struct bundle_options {
    uint32_t width; // lanes per bundle
    bool is_double;
    double step; // s
} bundle_options;

typedef struct bundle_set bundle_set;
typedef struct bundle_source bundle_source;

// How strands of a method become bundles.
typedef struct bundle_rules {
    const method_field *fields; // [field_count] in the order in which kernels take them
    uint32_t field_count;
    uint32_t kind_count; // kinds of bundles: those of one kind lie together and are run by kernels of their own

    // Sorts the strands of set->model: fills entries, strand_of, place_of and kind_first by bundles_allocate and
    // bundles_place. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
    sheaf_status (*sort)(bundle_set *set);

    // Writes one lane of a field at the start of time; `memory` starts at the source's first bundle.
    void (*pack)(const bundle_set *set, const bundle_source *source, uint32_t field, uint64_t place, void *memory);

    // Works out source->own, what packing needs of all strands of a source together; may be NULL.
    // Returns SHEAF_OK, SHEAF_ERR_MEMORY.
    sheaf_status (*prepare)(bundle_source *source);

    // Notes what the method needs of a source's strands later; may be NULL.
    void (*note)(bundle_set *set, const bundle_source *source);
} bundle_rules;

enum { BUNDLE_KINDS_MAX = 16, BUNDLE_FIELDS_MAX = 32 };

struct bundle_set {
    const bundle_rules *rules;
    bundle_options options;
    const sheaf_model *model;
    bundle_entry *entries; // [count]
    uint32_t count;
    uint32_t kind_first[BUNDLE_KINDS_MAX + 1]; // first bundle of each kind, then the count
    uint32_t most_vertices;
    uint64_t slot_count;
    uint32_t *strand_of; // [count * width] strand, or BUNDLE_FILLER
    uint64_t *place_of;  // [strand] bundle * width + lane
    void *own;           // the method's, one allocation or NULL
};

// Sorts the strands of a model into bundles. bundles_free of a set that is all 0 is allowed.
sheaf_status bundles_sort(const bundle_rules *rules, const sheaf_model *model, const bundle_options *options,
                          bundle_set *set);
void bundles_free(bundle_set *set);

// For `sort`: memory for `count` bundles; the next bundle, with strands in its first lanes, whose numbers lie `stride`
// bytes apart; the end of all.
sheaf_status bundles_allocate(bundle_set *set, uint32_t count);
void bundles_place(bundle_set *set, bundle_entry entry, const uint32_t *strands, size_t stride, uint32_t lanes);
void bundles_finish(bundle_set *set);

// Bytes of a number, and of the whole of a field.
size_t bundles_real_size(const bundle_set *set);
size_t bundles_bytes(const bundle_set *set, uint32_t field);

// Where the rows of a bundle begin in a field, bytes; of bundle `count`: where the field ends.
size_t bundles_offset(const bundle_set *set, uint32_t field, uint32_t bundle);

// Arrays of the model for the strands of bundles first .. end - 1: the model's own, or made for them.
struct bundle_source {
    const sheaf_model *model;
    sheaf_model *part; // NULL: the model's own
    uint32_t first, end;
    void *own; // the method's, one allocation or NULL
};

sheaf_status bundles_open_source(const bundle_set *set, uint32_t first, uint32_t end, bundle_source *source);
void bundles_close_source(bundle_source *source);

// The strand in a lane, as an index into the source's model; fillers repeat the first of their bundle.
uint32_t bundles_source_strand(const bundle_set *set, const bundle_source *source, uint64_t place);

// The strand of a place; lanes that fill a bundle repeat its first strand.
uint32_t bundles_strand_at(const bundle_set *set, uint64_t place);

// Fills the rows of the source's bundles in one field with the start of time; `memory` starts at the first of them.
sheaf_status bundles_pack(const bundle_set *set, const bundle_source *source, uint32_t field, void *memory);

// Component c of vertex `vertex` of a strand in a packed field.
double bundles_get(const bundle_set *set, uint32_t field, const void *memory, uint32_t strand, uint32_t vertex,
                   uint32_t component);
void bundles_set(const bundle_set *set, uint32_t field, void *memory, uint32_t strand, uint32_t vertex,
                 uint32_t component, double value);

// Where that number is in the rows of bundles `first` and on alone, for the strand at a place (bundle * width + lane),
// and what it is.
size_t bundles_row_index(const bundle_set *set, uint32_t field, uint32_t first, uint64_t place, uint32_t vertex,
                         uint32_t component);
double bundles_row_value(const bundle_set *set, uint32_t field, const void *rows, uint32_t first, uint64_t place,
                         uint32_t vertex, uint32_t component);

// Writes a number in the set's precision.
void bundles_put(const bundle_set *set, void *memory, size_t index, double value);

#endif
