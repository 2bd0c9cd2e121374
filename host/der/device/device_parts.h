// device_parts: the inside of the device half of Discrete Elastic Rods, shared by its files.
#ifndef SHEAF_DER_DEVICE_DEVICE_PARTS_H
#define SHEAF_DER_DEVICE_DEVICE_PARTS_H

#include "cl/engine_parts.h"
#include "cl/parts.h"
#include "der/device/device.h"

// What an engine of these rods knows besides (sheaf_engine.own).
typedef struct der_engine {
    bool has_colliders;
    bool has_jumps;       // of any motion
    bool retakes;         // steps that do not come out well are taken again in quarters
    bool has_air;         // air differs from vertex to vertex, or drag along a strand from drag across it
    kernel_part law;      // the text of all laws, where there are any (law.c); its path is NULL where not
    uint32_t law_size;    // numbers of scratch at a slot that laws take
    uint32_t joints;      // most joints of a strand with bodies; 0: no strand has any
    kernel_part slots[2]; // of programs: laws, joints
    uint32_t slot_count;
    char joint_text[64];
    double (*loads)[4]; // [1 + 2 motions] kg, and kg m of the mass at the roots: what gravity does as roots move
} der_engine;

static inline der_engine *der_own(const sheaf_engine *engine)
{
    return engine->own;
}

// ---- laws

// Makes the text of all laws of the model's materials; its slot is left empty where there are none.
sheaf_status der_emit_laws(const sheaf_model *part, kernel_part *slot, uint32_t *size);

// ---- launch

sheaf_status der_launch_stages(sheaf_engine *engine, const bundle_range *range, uint32_t ahead);

// ---- jump

// Takes strands along with the jumps that the next step begins with. Returns as engine_step.
sheaf_status der_jump(sheaf_engine *engine);

// Of `most` steps, how many can be taken until another one begins with a jump: at least one.
uint32_t der_steps_to_jump(const sheaf_engine *engine, uint32_t most);

// ---- report

// Sums up the mass that hangs on each motion.
sheaf_status der_sum_loads(sheaf_engine *engine);

// What sums of figures say of the population after `step` steps.
void der_report(const sheaf_engine *engine, uint64_t step, const double *totals, sheaf_report *report);

// ---- state

// Whether numbers of a file can be what steps leave.
sheaf_status der_check_state(const sheaf_engine *engine, uint32_t field, const void *values);

#endif
