// hooks: what a simulation asks of whoever started it, and tells him. Nothing here prints, exits or catches signals.
#ifndef SHEAF_RUN_HOOKS_H
#define SHEAF_RUN_HOOKS_H

#include "base/base.h"

typedef enum run_tone { RUN_NOTE, RUN_WARNING } run_tone;

// Functions may be NULL. They are called on the thread that steps, between two batches of steps.
typedef struct run_hooks {
    void *user;
    bool (*is_stopped)(void *user);                                       // asks whether to end soon
    void (*progress)(void *user, uint64_t done, const sheaf_report *row); // steps behind it; row: the last one, or NULL
    void (*tell)(void *user, run_tone tone, const char *text);            // one sentence
} run_hooks;

bool run_is_stopped(const run_hooks *hooks);
void run_progress(const run_hooks *hooks, uint64_t done, const sheaf_report *row);
__attribute__((format(printf, 3, 4))) void run_tell(const run_hooks *hooks, run_tone tone, const char *format, ...);

#endif
