// wild: scenes of strands far from rest: curls that begin in another pose than their natural form, straight wires that
// begin as helices, with clamped, pinned and free roots and frames held here and there, damped and not, some of them
// about to fall on something.
#ifndef SHEAF_DER_VERIFY_WILD_H
#define SHEAF_DER_VERIFY_WILD_H

#include "model/model.h"

enum { WILD_STRANDS = 5, WILD_VERTEX_MOST = 38 }; // of a scene, of a strand

typedef struct wild_options {
    uint64_t seed;
    uint32_t scene;     // number of the scene
    bool has_colliders; // one below each strand, of all kinds, with and without friction
    bool is_tight;      // projection to 1e-14
} wild_options;

sheaf_status wild_create(const wild_options *options, sheaf_model **model);

// How many steps a scene takes before the one that is looked at: 0 for stressed starts; with colliders so many that
// strands arrive there.
uint32_t wild_steps_before(const wild_options *options);

#endif
