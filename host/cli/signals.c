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

// One that the caller has set to be ignored stays so: `nohup` and shells do that for what goes on without them.
static void catch_signal(int number)
{
    struct sigaction before, action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void cli_catch_signals(void)
{
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

int cli_caught_signal(void)
{
    return caught;
}
