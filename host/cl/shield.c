// shield: signals that wait, and handlers that are put back.
#include "cl/shield.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SIGNALS = 32 }; // the classic ones; the others belong to nobody's compiler

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction actions[SIGNALS]; // from before the first shield that is up
static int count;                         // of shields that are up

// A fault of the thread itself cannot wait.
static bool is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGTRAP ||
           number == SIGABRT || number == SIGSYS;
}

static bool is_default(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) == 0 && action->sa_handler == SIG_DFL;
}

static bool is_same(const struct sigaction *a, const struct sigaction *b)
{
    const int kind = SA_SIGINFO;
    if ((a->sa_flags & kind) != (b->sa_flags & kind))
        return false;
    return (a->sa_flags & kind) != 0 ? a->sa_sigaction == b->sa_sigaction : a->sa_handler == b->sa_handler;
}

static void take_down(void)
{
    for (int number = 1; number < SIGNALS; number++)
        if (sigaction(number, NULL, &actions[number]) != 0)
            actions[number] = (struct sigaction){.sa_handler = SIG_DFL};
}

// SIGFPE stays with whoever took it: through it drivers of processors bear divisions by zero in kernels.
static void put_back(void)
{
    struct sigaction now;
    for (int number = 1; number < SIGNALS; number++)
        if (number != SIGFPE && sigaction(number, NULL, &now) == 0 && !is_same(&now, &actions[number]))
            (void)sigaction(number, &actions[number], NULL);
}

void shield_raise(shield *it, shield_work work)
{
    sigset_t waiting;
    sigfillset(&waiting);
    pthread_mutex_lock(&guard);
    if (count++ == 0)
        take_down();
    for (int number = 1; number < SIGNALS; number++)
        if (is_fault(number) || (work == SHIELD_COMPILES && is_default(&actions[number])))
            sigdelset(&waiting, number);
    pthread_sigmask(SIG_BLOCK, &waiting, &it->mask);
    pthread_mutex_unlock(&guard);
}

void shield_lower(const shield *it)
{
    pthread_mutex_lock(&guard);
    put_back();
    count--;
    pthread_mutex_unlock(&guard);
    pthread_sigmask(SIG_SETMASK, &it->mask, NULL);
}
