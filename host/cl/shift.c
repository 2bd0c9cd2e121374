// shift: where scratch begins. A processor tells a load from the stores before it that are still under way by the last
// 12 bits of their addresses. Kernels keep what does not fit into registers on the stack; where a store to scratch
// meets such a place in those bits, reading it back has to wait. How often this happens depends on where scratch begins
// within 4096 bytes, and makes a step up to 1.5 times slower on Zen 3. The compiler decides what lies where on the
// stack, so the only way to know is to try: the first launches of a run take one place after the other, and the fastest
// is kept. No bit of a result depends on it.
#include "cl/engine_parts.h"

enum { ROUNDS = 3 }; // launches with each place

static bool has_shifts(const sheaf_engine *engine)
{
    return (engine->device.type & CL_DEVICE_TYPE_CPU) != 0 && !engine->options.is_staged;
}

bool shift_is_tried(const sheaf_engine *engine, bundle_kind kind)
{
    return has_shifts(engine) && engine->shifts[kind].launches < ROUNDS * SHIFT_COUNT;
}

uint32_t shift_next(sheaf_engine *engine, bundle_kind kind)
{
    engine_shifts *shifts = &engine->shifts[kind];
    if (shift_is_tried(engine, kind))
        return shifts->launches++ % SHIFT_COUNT;
    uint32_t best = 0;
    for (uint32_t k = 1; k < SHIFT_COUNT; k++)
        if (shifts->rates[k] > shifts->rates[best])
            best = k;
    return best;
}

void shift_note(engine_shifts *shifts, uint32_t shift, double rate)
{
    if (rate > shifts->rates[shift])
        shifts->rates[shift] = rate;
}

size_t shift_room(const sheaf_engine *engine)
{
    return has_shifts(engine) ? SHIFT_COUNT * SHIFT_BYTES : 0;
}
