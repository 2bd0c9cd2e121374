// mirror: the reference on exactly the numbers a device has. Model and state are read back from the packed arrays,
// rounded as they are there, and promoted to double: what then differs is arithmetic, not input.
//
// Two numbers cannot agree to the last bit in single precision, as the device keeps them twice, each rounded on its
// own: bending stiffness (per vertex and side; the reference gets the mean over both ends of an edge) and mass (as
// inertia, which the reference gets, and as inverse mass).
#ifndef SHEAF_DER_VERIFY_MIRROR_H
#define SHEAF_DER_VERIFY_MIRROR_H

#include "cl/stages.h"
#include "der/device/device.h"
#include "der/ref/ref.h"

typedef struct mirror {
    sheaf_engine *engine;
    sheaf_model model;             // arrays of its own; ends, courses and settings shared with the engine's model
    void *arrays[DER_FIELD_COUNT]; // copies of the engine's arrays
    sheaf_state *state;
} mirror;

// Reads model and state of an engine. Everything is moved to the origin, each motion with its anchor and the strands it
// carries, others with their root, so that distance costs no digits.
sheaf_status mirror_open(sheaf_engine *engine, mirror *it);
void mirror_close(mirror *it);

// Reads all arrays again.
sheaf_status mirror_read(mirror *it);

// Number c of the engine's arrays, and three of them from there on.
double mirror_number(const mirror *it, der_field array, uint32_t strand, uint32_t vertex, uint32_t c);
void mirror_array_vector(const mirror *it, der_field array, uint32_t strand, uint32_t vertex, uint32_t c,
                         double out[3]);

// Aims a rod at a strand whose state is that of the arrays, at `time`; with history when time > 0.
sheaf_status mirror_start(mirror *it, uint32_t strand, double time, ref_rod *rod);

// Where the vertices of a strand are at `time` by the arrays, m from where its root was at the start.
void mirror_positions(const mirror *it, uint32_t strand, double time, double (*positions)[3]);

// Takes tangents, lengths, directors and twists of a rod from a copy of the engine's scratch; positions follow from
// them. `time` is that of the frames' twist courses.
void mirror_pose(const mirror *it, const void *scratch, uint32_t strand, double time, ref_rod *rod);

// Takes positions alone, from the edges in the scratch.
void mirror_place(const mirror *it, const void *scratch, uint32_t strand, ref_rod *rod);

double mirror_scratch(const mirror *it, const void *scratch, uint32_t strand, uint32_t vertex, uint32_t c);
void mirror_vector(const mirror *it, const void *scratch, uint32_t strand, uint32_t vertex, uint32_t c, double out[3]);

// How much the edges of a strand held at both ends yield on the device, m^2/kg, for ref_project_options.
void mirror_compliance(const mirror *it, uint32_t strand, const ref_rod *rod, double *compliance);

// Mean mass of a strand's vertices, kg, by which the device scales inverse masses: its multipliers are 4 / mean mass
// times those of the reference.
double mirror_mean_mass(const mirror *it, uint32_t strand);

// Length of a strand, m.
double mirror_length(const ref_rod *rod);

// Calls fn for every strand that `wanted` (NULL: all) says yes to, on several threads, each with a rod of its own.
typedef sheaf_status mirror_fn(mirror *it, uint32_t strand, ref_rod *rod, void *user);
sheaf_status mirror_each(mirror *it, const bool *wanted, mirror_fn *fn, void *user);

#endif
