// history: the last seconds of a scene that runs in a window, kept in memory so that one can go back to them.
#ifndef SHEAF_VIEW_HISTORY_H
#define SHEAF_VIEW_HISTORY_H

#include "base/base.h"

typedef struct view_history view_history;

// Strands at a time that is over.
typedef struct view_moment {
    double time; // s
    uint64_t step;
    double (*positions)[3];  // [vertex] m
    double (*velocities)[3]; // [vertex] m/s
    double (*directors)[3];  // [vertex] unit vectors; NULL: not kept
} view_moment;

// Room for moments of so many vertices in about `bytes`; at least two are kept. Returns SHEAF_OK, SHEAF_ERR_MEMORY.
sheaf_status view_history_open(uint64_t vertices, bool has_directors, uint64_t bytes, view_history **history);
void view_history_close(view_history *history);

// Keeps a moment, in single precision from the first vertex on; the oldest goes where there is no room.
void view_history_add(view_history *history, const view_moment *moment);

// How many moments there are; the one `back` moments before the newest, whose arrays live until the next call; and its
// time alone.
uint32_t view_history_count(const view_history *history);
const view_moment *view_history_at(view_history *history, uint32_t back);
double view_history_time(const view_history *history, uint32_t back);

#endif
