// shield: keeps signals and a driver's compiler apart.
//
// Compilers inside drivers take over the handlers of the process to remove temporary files, and go on with a build
// whose files are gone. While a shield is up, signals wait; when it comes down, handlers are the ones from before, and
// signals that waited reach them.
#ifndef SHEAF_CL_SHIELD_H
#define SHEAF_CL_SHIELD_H

#include <signal.h>

// What a driver does meanwhile.
typedef enum shield_work {
    SHIELD_STARTS,  // starts threads, which keep for ever what signals they wait with: it waits with all
    SHIELD_COMPILES // signals whose default action is to end the process still do so at once
} shield_work;

typedef struct shield {
    sigset_t mask; // of the calling thread, from before
} shield;

// Both in the same thread. Several threads may have one up at a time; none may change signal handlers meanwhile.
void shield_raise(shield *it, shield_work work);
void shield_lower(const shield *it);

#endif
