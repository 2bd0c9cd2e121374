// touch: contact of cables and of what hangs on them with colliders, as rows with limits. A segment touches by two
// points within it, on planes by its ends; a body by the corners of its box, or by its middle where it is a ball.
//
//   normal    n . (v_point - v_collider) >= -gap/h, or -gap/(h + 2 h) where they overlap
//   friction  the impulse across n is no longer than the coefficient times that along n, and as long where it slides
#ifndef SHEAF_CABLE_TOUCH_H
#define SHEAF_CABLE_TOUCH_H

#include "cable/groups.h"

// Adds what touches in group k in the step that ends at `time` to its rows with limits; after cable_groups_drive.
// Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status cable_groups_touch(cable_groups *g, uint32_t k, double time);

#endif
