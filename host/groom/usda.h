// usda: curves of a .usda file as its text gives them: where their values stand, and what surrounds them.
#ifndef SHEAF_GROOM_USDA_H
#define SHEAF_GROOM_USDA_H

#include "groom/source.h"

enum { USDA_MOST_PRIMS = 65536, USDA_MOST_DEPTH = 64, USDA_MOST_OPS = 8 };

// Where the values of an attribute stand; 0: there is none.
typedef struct usda_place {
    uint64_t value;   // of the plain value
    uint64_t samples; // index of its first time sample in the file's list
    uint64_t sample_count;
} usda_place;

typedef struct usda_sample {
    double code;     // time code
    uint64_t offset; // of the value
} usda_sample;

// A step of a prim's transform.
typedef struct usda_op {
    char name[48]; // as "xformOp:translate"
    double numbers[16];
    int count;
    bool moves; // has time samples
} usda_op;

// Anything that may have curves below it.
typedef struct usda_prim {
    uint32_t parent;     // index + 1; 0: none
    double linear[3][3]; // of its transform, into its parent
    double offset[3];
} usda_prim;

typedef struct usda_curves {
    char name[64];
    uint32_t prim; // index + 1
    usda_place points, counts, widths, colours, ids;
    char type[16], basis[16], wrap[16];
} usda_curves;

typedef struct usda_layer {
    double metres_per_unit, codes_per_second, frames_per_second; // 0: not said
    groom_up up;
    usda_prim *prims;
    uint32_t prim_count, prim_capacity;
    usda_curves *curves;
    uint32_t curve_count, curve_capacity;
    usda_sample *samples;
    uint64_t sample_count, sample_capacity;
    uint32_t skipped_variants;
} usda_layer;

// Reads everything but the values of long arrays, of which only places are kept. The caller frees the layer in any
// case.
sheaf_status usda_read_layer(groom_input *input, usda_layer *layer);
void usda_free_layer(usda_layer *layer);

// The local transform that a list of ops makes, in the order of `order` (names, `order_count` of them).
sheaf_status usda_compose(const groom_input *input, const usda_op *ops, int op_count, char order[][48], int order_count,
                          usda_prim *prim);

// Makes room for one more of anything; `items` is a pointer to the array's pointer.
sheaf_status usda_grow(void *items, uint64_t count, uint64_t *capacity, size_t size);

#endif
