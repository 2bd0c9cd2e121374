// counted: one form of the kernels as a function that counts what it does. The text is that of the kernels; only the
// lane type differs: its operators count, and memory is told from registers by being volatile. The including file
// defines COUNT_FORM, the function's name, and the macros that make the form, as for twin/form.h.
#ifndef __clang__
#define atomic_uint unsigned // gcc's C++17 lacks the word, in headers of which only names and sizes are used here
#endif
#include "count_form.h"

#include <cmath>

#include "twin/words.h"

#undef __global
#define __global volatile

namespace // types of the same name differ from form to form
{

// A number of one strand. Flops: + - * / and square roots 1, multiply-adds 2; comparisons, selections, signs and
// rounding to whole numbers 0.
struct lane {
    float value;
    lane() = default;
    lane(const float v) : value(v)
    {
    }
    lane(const lane &) = default;
    lane &operator=(const lane &) = default;
    lane(const volatile lane &memory) : value(memory.value)
    {
        count_load(&memory.value);
    }
    lane &operator=(const volatile lane &memory)
    {
        return *this = lane(memory);
    }
    void operator=(const lane &other) volatile
    {
        count_store(&value);
        value = other.value;
    }
    void operator=(const volatile lane &memory) volatile
    {
        *this = lane(memory);
    }
    explicit operator size_t() const
    {
        return (size_t)value;
    }
};
typedef int lane_mask;

static inline lane counted(const unsigned flops, const float value)
{
    count_flops(flops);
    return lane(value);
}

static inline lane operator+(const lane a, const lane b)
{
    return counted(1, a.value + b.value);
}

static inline lane operator-(const lane a, const lane b)
{
    return counted(1, a.value - b.value);
}

static inline lane operator*(const lane a, const lane b)
{
    return counted(1, a.value * b.value);
}

static inline lane operator/(const lane a, const lane b)
{
    count_operation(COUNT_DIVISION);
    return counted(1, a.value / b.value);
}

static inline lane operator-(const lane a)
{
    return lane(-a.value);
}

static inline lane_mask operator<(const lane a, const lane b)
{
    count_operation(COUNT_CHOICE);
    return a.value < b.value;
}

static inline lane_mask operator>(const lane a, const lane b)
{
    count_operation(COUNT_CHOICE);
    return a.value > b.value;
}

static inline lane_mask operator<=(const lane a, const lane b)
{
    count_operation(COUNT_CHOICE);
    return a.value <= b.value;
}

static inline lane_mask operator>=(const lane a, const lane b)
{
    count_operation(COUNT_CHOICE);
    return a.value >= b.value;
}

static inline lane_mask operator==(const lane a, const lane b)
{
    count_operation(COUNT_CHOICE);
    return a.value == b.value;
}

static inline lane counted_fma(const lane a, const lane b, const lane c)
{
    return counted(2, std::fma(a.value, b.value, c.value));
}

static inline lane counted_sqrt(const lane a)
{
    count_operation(COUNT_ROOT);
    return counted(1, std::sqrt(a.value));
}

static inline lane counted_fabs(const lane a)
{
    return lane(std::fabs(a.value));
}

// Both sides are worked out, as by a vector.
static inline lane counted_select(const lane_mask mask, const lane yes, const lane no)
{
    count_operation(COUNT_CHOICE);
    return mask ? yes : no;
}

// An entry of the list of bundles, which lies in memory.
struct counted_uint4 {
    uint x, y, z, w;
    counted_uint4(const volatile counted_uint4 &from) : x(from.x), y(from.y), z(from.z), w(from.w)
    {
    }
};

#define uint4 counted_uint4
#define mask_not(m) (!(m))
#define mask_any(m) (m)
#define MASK_ALL 1
#define lane_select counted_select
#define fma counted_fma
#define sqrt counted_sqrt
#define fabs counted_fabs

#define TWIN_STAGED
#include "twin/kernels.h"

} // namespace

#define LANES(name, rows, size, role, geometry, start, unit, meaning) (volatile lane *)a->arrays[DER_##name],
#define ARGUMENTS                                                                                                      \
    DER_FIELDS(LANES)                                                                                                  \
    (const volatile counted_uint4 *) a->entries,                                                                       \
        a->motions, (volatile lane *)a->goals, a->colliders, NULL, a->settings, (volatile lane *)a->scratch,           \
        a->group_count, a->collider_count, a->general_first, a->general_count, a->scratch_stride, a->bundle_first,     \
        a->bundle_end, a->step, 0, iteration

extern "C" void COUNT_FORM(const twin_arguments *a, const engine_stage stage, const int iteration)
{
    work_item.width = a->width;
    for (work_item.lane = 0; work_item.lane < a->width; work_item.lane++)
        switch (stage) {
#define RUN_STAGE(name)                                                                                                \
    case STAGE_##name:                                                                                                 \
        stage_##name(ARGUMENTS);                                                                                       \
        break;
            ENGINE_STAGES(RUN_STAGE)
#undef RUN_STAGE
        case STAGE_COUNT:
            break;
        }
}
