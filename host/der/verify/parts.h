// parts: the kinds of comparisons that make up a verification.
#ifndef SHEAF_DER_VERIFY_PARTS_H
#define SHEAF_DER_VERIFY_PARTS_H

#include "der/verify/mirror.h"
#include "verify/rows.h"

enum { VERIFY_TWIST_ITERATIONS = 2 };

// Options of an engine of the present form and schedule.
engine_options verify_engine_options(const verifier *v, double step);

// Single stages, and what rounding of the input costs, in the present form.
sheaf_status verify_single_stages(verifier *v);
sheaf_status verify_rounding(verifier *v);

// Whole steps in all forms and both schedules.
sheaf_status verify_whole_steps(verifier *v);

// Single steps from wild states against truth, in all forms.
sheaf_status verify_wild_steps(verifier *v);

// How many pieces of work that is, for the progress shown.
uint32_t verify_stages_work(const verifier *v);
uint32_t verify_steps_work(const verifier *v);
uint32_t verify_wild_work(const verifier *v);

// Takes the strands of a mirror, fresh from its engine, to where their motions have them at `time` and makes their
// poses as uneasy as may be: edges off their length, frames off their equilibrium. Changes the mirror's arrays alone.
void disturb_poses(mirror *it, uint64_t seed, double time);

// Adds velocities, history and tensions.
void disturb_motions(mirror *it, uint64_t seed);

#endif
