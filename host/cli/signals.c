// signals: SIGINT and SIGTERM as a wish to end soon. A second one ends at once.
#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void note_signal(int number)
{
    if (caught != 0)
        _exit(128 + number);
    caught = number;
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int cli_caught_signal(void)
{
    return caught;
}
