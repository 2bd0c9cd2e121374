// course: scalars that follow time.
#include "scene/scene.h"
#include "world/world.h"

#include <math.h>

static const double two_pi = 2 * 3.14159265358979323846;

// Index of the key pair that holds t: keys[k] <= t < keys[k + 1]. t lies inside the keys.
static uint32_t find_key(const sheaf_course *course, double t)
{
    uint32_t low = 0, high = course->key_count - 1;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (course->keys[2 * middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double keys_slope(const double *pair)
{
    return (pair[3] - pair[1]) / (pair[2] - pair[0]);
}

static double keys_value(const sheaf_course *course, double t)
{
    const double *last = course->keys + 2 * (size_t)(course->key_count - 1);
    if (t <= course->keys[0])
        return course->keys[1];
    if (t >= last[0])
        return last[1];
    const double *pair = course->keys + 2 * (size_t)find_key(course, t);
    return pair[1] + (t - pair[0]) * keys_slope(pair);
}

static double keys_rate(const sheaf_course *course, double t)
{
    const double *last = course->keys + 2 * (size_t)(course->key_count - 1);
    if (t < course->keys[0] || t >= last[0])
        return 0;
    return keys_slope(course->keys + 2 * (size_t)find_key(course, t));
}

static double ramp_value(const sheaf_course *course, double t)
{
    if (t < course->start)
        return 0;
    if (t >= course->start + course->duration)
        return course->value;
    const double s = (t - course->start) / course->duration;
    return course->value * (course->smooth ? s * s * (3 - 2 * s) : s);
}

static double ramp_rate(const sheaf_course *course, double t)
{
    if (t < course->start || t >= course->start + course->duration)
        return 0;
    const double s = (t - course->start) / course->duration;
    return course->value / course->duration * (course->smooth ? 6 * s * (1 - s) : 1);
}

double scene_course(const sheaf_course *course, double t)
{
    switch (course->kind) {
    case SHEAF_COURSE_RAMP:
        return ramp_value(course, t);
    case SHEAF_COURSE_SINE:
        return course->value * sin(two_pi * (t - course->start) / course->duration);
    case SHEAF_COURSE_KEYS:
        return keys_value(course, t);
    case SHEAF_COURSE_CONSTANT:
    default:
        return course->value;
    }
}

double scene_course_rate(const sheaf_course *course, double t)
{
    switch (course->kind) {
    case SHEAF_COURSE_RAMP:
        return ramp_rate(course, t);
    case SHEAF_COURSE_SINE:
        return course->value * two_pi / course->duration * cos(two_pi * (t - course->start) / course->duration);
    case SHEAF_COURSE_KEYS:
        return keys_rate(course, t);
    case SHEAF_COURSE_CONSTANT:
    default:
        return 0;
    }
}
