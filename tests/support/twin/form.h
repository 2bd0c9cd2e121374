// form: one form of the kernels as a C function. The including file defines TWIN_FORM, the function's name, and
// GENERAL, DAMPED, PADDED, AIR, COLLIDERS, INTEGRATOR, PROJECTOR and START_GRADIENTS, which make the form.
#include "twin.h"

#include <math.h>

#include "twin/words.h"

typedef float lane;
typedef int lane_mask;
#define mask_not(m) (!(m))
#define mask_any(m) (m)
#define MASK_ALL 1
#define lane_select(m, yes, no) ((m) ? (yes) : (no))
#define fma fmaf
#define sqrt sqrtf
#define fabs fabsf

#include "twin/kernels.h"

#define TWIN_ARRAY(name, rows, size, role, geometry, start, unit, meaning) a->arrays[DER_##name],

void TWIN_FORM(const twin_arguments *a);

void TWIN_FORM(const twin_arguments *a)
{
    work_item.width = a->width;
    for (work_item.lane = 0; work_item.lane < a->width; work_item.lane++)
        step_fused(DER_FIELDS(TWIN_ARRAY) a->entries, a->motions, a->goals, a->colliders, NULL, a->settings, a->scratch,
                   a->group_count, a->collider_count, a->general_first, a->general_count, a->scratch_stride,
                   a->bundle_first, a->bundle_end, a->step, 1, 0, 0, 0, 0, NULL, NULL, NULL);
}
