// replay: whole steps of the reference with the schedule a device has followed: as many Newton iterations and
// projections in every step of every strand.
#ifndef SHEAF_DER_VERIFY_REPLAY_H
#define SHEAF_DER_VERIFY_REPLAY_H

#include "der/verify/mirror.h"

enum { REPLAY_STOPS = 4 };

// Steps after which positions are kept.
extern const uint32_t replay_stops[REPLAY_STOPS];

// What strands did in each step.
typedef struct replay_counts {
    uint8_t newton;
    uint16_t projections;
} replay_counts;

typedef struct replay {
    const sheaf_model *model;
    uint32_t steps;                       // in all
    replay_counts *counts;                // [step][strand]
    int stop_count;                       // of replay_stops that are reached
    double (*positions[REPLAY_STOPS])[3]; // [vertex] m, from where the root was at the start
    double *strain;                       // [strand] largest | |e| / l - 1 | at the end
    uint32_t *touched;                    // [strand] steps after which a collider first pressed on it; all ones: none
} replay;

// Steps the engine, which must be at time 0, one step at a time up to the last of `stop_count` stops, and the reference
// behind it. twist_iterations: the engine's.
sheaf_status replay_open(sheaf_engine *engine, uint32_t twist_iterations, int stop_count, replay *it);
void replay_close(replay *it);

#endif
