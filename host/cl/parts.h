// parts: programs made of parts. A part is a source under kernels/, embedded at build time; it includes what it uses. A
// program is an entry part with all that it includes, each part once, in the order in which they are met.
//
//   kernels/der/fused.cl ── includes ──> kernels/der/step.clh ──> ... ──> kernels/lib/lanes.clh
//                                              │
//                                              └─ a slot: a part whose text is given when the program is made
#ifndef SHEAF_CL_PARTS_H
#define SHEAF_CL_PARTS_H

#include "base/text.h"

typedef struct kernel_part {
    const char *path; // as sources include it: "kernels/lib/lanes.clh"
    const char *text;
} kernel_part;

// All that are embedded.
extern const kernel_part kernel_parts[];
extern const uint32_t kernel_part_count;

// Adds the text of the program whose entry points are in part `entry`. The text of a part that `slots` names is that of
// the slot, such as a law that was emitted for a scene. Returns SHEAF_OK, SHEAF_ERR_USAGE (no such part),
// SHEAF_ERR_MEMORY.
sheaf_status parts_assemble(const char *entry, const kernel_part *slots, uint32_t slot_count, base_text *text);

// A number that changes with the text of any part.
uint64_t parts_hash(void);

#endif
