// parts: strands of several methods in one solver. A part is the strands of one method that nothing couples, which step
// by themselves, or those that act on each other within a step; most scenes have one part. Here their vectors, figures
// and arrays become those of the scene.
#ifndef SHEAF_SOLVER_PARTS_H
#define SHEAF_SOLVER_PARTS_H

#include "method/method.h"
#include "model/model.h"

// What acts on a strand within a step: nothing, other strands, or bodies.
typedef enum part_bond { PART_FREE = 1, PART_COUPLED = 2, PART_JOINED = 4, PART_ANY = 7 } part_bond;

typedef struct solver_part {
    const method *method;
    uint32_t bonds; // PART_* of its strands
    const method_backend *backend;
    void *instance;
    const sheaf_model *model; // of its strands
    sheaf_model *own;         // made for it; NULL: it is the scene's
    uint32_t *strands;        // [strand of the part] their numbers in the scene; NULL: the same
    char (*names)[64];        // [METHOD_ARRAYS_MAX] of its arrays among those of other parts; NULL: as the method says
} solver_part;

typedef struct solver_parts {
    const sheaf_model *model;
    solver_part part[METHOD_PARTS_MAX];
    uint32_t count;
    bool failed; // a step failed: parts stand at different times
} solver_parts;

typedef enum parts_on { PARTS_ON_REFERENCE, PARTS_ON_DEVICE } parts_on;

// Whether the methods of a model can simulate it, whatever they run on: SHEAF_OK, SHEAF_ERR_INPUT with the reason,
// SHEAF_ERR_MEMORY. parts_open asks, too.
sheaf_status parts_check(const sheaf_model *model);

// Opens all methods of a model on the reference, or on a device. Returns as method_backend.open; what was opened before
// a failure is closed.
sheaf_status parts_open(const sheaf_model *model, const method_open *how, parts_on where, solver_parts *parts);
void parts_close(solver_parts *parts);

sheaf_status parts_step(solver_parts *parts, uint32_t count);

// Vectors of chosen strands, as the backends' functions of these names.
sheaf_status parts_read_positions(solver_parts *parts, method_sample sample, double (*positions)[3]);
sheaf_status parts_read_bodies(solver_parts *parts, sheaf_body_pose *poses);
sheaf_status parts_read_velocities(solver_parts *parts, method_sample sample, double (*velocities)[3]);
sheaf_status parts_read_directors(solver_parts *parts, double (*directors)[3]);
sheaf_status parts_read_tensions(const solver_parts *parts, double *tensions); // [vertex] N; not known: not a number
sheaf_status parts_push(solver_parts *parts, uint32_t strand, uint32_t vertex, const double change[3]);

// Figures: sums, means and maxima over all parts; those beyond the report are joined by name. Incidents in the order in
// which strands froze.
sheaf_status parts_report(solver_parts *parts, sheaf_report *report);
sheaf_status parts_figures(solver_parts *parts, const uint32_t *note, method_figure *figures,
                           uint32_t *count); // now (note NULL), or of a note; room for those of all parts
sheaf_status parts_incident(const solver_parts *parts, uint32_t index, sheaf_incident *incident);

// Notes; 0: there are none.
uint32_t parts_notes_most(const solver_parts *parts);
sheaf_status parts_step_noting(solver_parts *parts, uint32_t count, const uint32_t *after, uint32_t note_count,
                               bool with_poses);
sheaf_status parts_note_report(solver_parts *parts, uint32_t note, sheaf_report *report);
sheaf_status parts_note_positions(solver_parts *parts, uint32_t note, method_sample sample, double (*positions)[3]);

// The arrays of all parts, one part after the other, each name only once: "METHOD.NAME" where there are several parts,
// "METHOD.coupled.NAME" of strands that act on each other, "METHOD.joined.NAME" of those on bodies.
uint32_t parts_arrays(const solver_parts *parts, method_array *arrays);

// The part that array `index` of all arrays belongs to; its index there is left in `index`.
solver_part *parts_of_array(solver_parts *parts, uint32_t *index);

// Stages of all parts that time theirs; room for METHOD_STAGES_MAX of each.
sheaf_status parts_stages(const solver_parts *parts, method_stage *stages, uint32_t *count);

// What they run on: as the first part, with "mixed" precision where parts differ.
const char *parts_precision(const solver_parts *parts);

#endif
