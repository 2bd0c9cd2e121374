// coupled: an implicit step cut where strands may look at each other, for what couples them: contact, bodies, nets. An
// engine that was opened for it keeps the factor of every strand's matrix between the verbs.
//
//   engine_couple(OPEN)                              guess of the step, air
//   for k = 0, 1, ...
//     engine_write_weights                           what couples add to the matrix, and who takes part
//     engine_couple(LINEARISE, k)                    matrix and factor at the iterate
//     { engine_write_push, engine_couple(SUBSTITUTE), engine_read_answer } as often as the coupling needs
//     engine_couple(ACCEPT, k)                       adds the last answer to the displacements
//   engine_couple(CLOSE)                             lengths, collisions, guard, commit: the step is taken
//
// With no push and no weights the verbs give the bits of a fused step of as many iterations.
#ifndef SHEAF_CL_COUPLED_H
#define SHEAF_CL_COUPLED_H

#include "cl/engine.h"

typedef enum engine_verb {
    ENGINE_VERB_OPEN,
    ENGINE_VERB_LINEARISE,
    ENGINE_VERB_SUBSTITUTE,
    ENGINE_VERB_ACCEPT,
    ENGINE_VERB_CLOSE,
    ENGINE_VERB_COUNT
} engine_verb;

// Enqueues a verb on all bundles; `iteration` of Newton's method counts from 0. Returns SHEAF_OK, SHEAF_ERR_USAGE (the
// engine was not opened with options.is_coupled), SHEAF_ERR_DEVICE.
sheaf_status engine_couple(sheaf_engine *engine, engine_verb verb, int32_t iteration);

// What couples ask of a strand, besides a push. A row belongs to a vertex; TAKES and FRESH are said at vertex 0.
enum {
    ENGINE_WEIGHT_OWN,   // N/m, added to the matrix against displacements of the vertex, alike in all directions
    ENGINE_WEIGHT_NEXT,  // N/m, between the vertex and the next one
    ENGINE_WEIGHT_TAKES, // above 0: the strand takes part in this iteration, below 0: it does not, 0: if it needs it
    ENGINE_WEIGHT_FRESH, // above 0: CLOSE leaves it the velocity of this step alone, and no older history
    ENGINE_WEIGHT_SIZE
};

// Waits, then sets the weights for the verbs that follow, [vertex] in the model's order; 0 at first.
sheaf_status engine_write_weights(sheaf_engine *engine, const double (*weights)[ENGINE_WEIGHT_SIZE]);

// Waits, then sets what pushes on every vertex, N, [vertex][3] in the model's order; 0 at first.
sheaf_status engine_write_push(sheaf_engine *engine, const double (*push)[3]);

// Waits, then copies what the last verb answered, m, [vertex][3] in the model's order. SUBSTITUTE: by how much vertices
// go on in this iteration, H^-1 (right side + push); that of clamped vertices means nothing. OPEN and ACCEPT: how far
// every vertex went in the step so far.
sheaf_status engine_read_answer(sheaf_engine *engine, double (*answer)[3]);

// Waits, then sets what strands are given besides, or copies what they told, [strand][number] in the model's order, as
// many as the method says (couple_numbers).
sheaf_status engine_write_given(sheaf_engine *engine, const double *values);
sheaf_status engine_read_told(sheaf_engine *engine, double *values);

#endif
