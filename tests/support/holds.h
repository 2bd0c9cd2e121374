// holds: whether a cable holds its load: the one rule by which tests judge cables, printed forms and remedies alike. It
// breaks where a step is refused or a number is not finite, where a joint bends by more than 1 rad or opens by more
// than 10 times what it does at rest, or where there is more than 1.1 times the energy that was there and that was put
// in. It holds where none of this happens and the load swings as far, within 20 %, as in steps of an eighth.
#ifndef SHEAF_TESTS_HOLDS_H
#define SHEAF_TESTS_HOLDS_H

#include "base/vec.h"
#include "cable/ref/ref.h"

#include <math.h>

typedef struct holds_case {
    const void *what;
    void (*open)(const void *what, double step, cable_group *group);          // hangs straight, unstretched
    void (*drive)(const void *what, double time, cable_group *group);         // goals and forces at the end of a step
    double (*swing)(const void *what, double time, const cable_group *group); // m, of the load from where it hangs
    double step, seconds;
    double gap;    // m, the widest joint at rest
    double energy; // J, that the load's weight stretches the cable by: what energies are counted in at rest
} holds_case;

typedef enum holds_verdict {
    HOLDS,
    HOLDS_STOPPED, // a step was refused, or is not finite
    HOLDS_BENT,
    HOLDS_OPENED,
    HOLDS_GAINED,
    HOLDS_STRAYED, // it swings otherwise than in small steps
} holds_verdict;

static inline const char *holds_name(holds_verdict verdict)
{
    static const char *const names[] = {"holds",          "breaks: stopped", "breaks: bent",
                                        "breaks: opened", "breaks: gained",  "strays"};
    return names[verdict];
}

static inline double holds_energy(const cable_group *group)
{
    const cable_energy e = cable_ref_energy(group);
    return e.kinetic + e.gravity + e.stretch + e.bend + e.twist;
}

// What is wrong with the group as it is now.
static inline holds_verdict holds_look(const holds_case *it, const cable_group *group, double start)
{
    for (uint32_t j = 0; j < group->joint_count; j++) {
        const cable_joint *joint = &group->joints[j];
        cable_rows rows;
        cable_ref_rows(&group->bodies[joint->a], &group->bodies[joint->b], joint, group->settings.bend, &rows);
        const double gap = vec_length(rows.value);
        if (!isfinite(gap) || !isfinite(rows.angle))
            return HOLDS_STOPPED;
        if (joint->compliance[4] < INFINITY && rows.angle > 1)
            return HOLDS_BENT;
        if (gap > 10 * it->gap)
            return HOLDS_OPENED;
    }
    const double energy = holds_energy(group) - start;
    return energy > 1.1 * fmax(group->work, 0) + 0.1 * it->energy ? HOLDS_GAINED : HOLDS;
}

// Runs a case and gives the largest swing of its second half.
static inline holds_verdict holds_run(const holds_case *it, double step, bool looks, double *swing)
{
    cable_group group;
    holds_verdict verdict = HOLDS;
    it->open(it->what, step, &group);
    const double start = holds_energy(&group);
    const uint32_t count = (uint32_t)lrint(it->seconds / step);
    *swing = 0;
    for (uint32_t k = 0; k < count && verdict == HOLDS; k++) {
        const double time = (k + 1) * step;
        it->drive(it->what, time, &group);
        if (cable_ref_step(&group).fault != CABLE_SOUND)
            verdict = HOLDS_STOPPED;
        else if (looks)
            verdict = holds_look(it, &group, start);
        if (time > it->seconds / 2)
            *swing = fmax(*swing, fabs(it->swing(it->what, time, &group)));
    }
    cable_ref_close(&group);
    return verdict;
}

static inline holds_verdict holds_judge(const holds_case *it)
{
    double swing, fine;
    const holds_verdict verdict = holds_run(it, it->step, true, &swing);
    if (verdict != HOLDS)
        return verdict;
    if (holds_run(it, it->step / 8, false, &fine) != HOLDS)
        return HOLDS_STRAYED;
    return fabs(swing - fine) <= 0.2 * fine ? HOLDS : HOLDS_STRAYED;
}

#endif
