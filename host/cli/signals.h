// signals: SIGINT and SIGTERM as a wish to end soon. A second one ends at once.
#ifndef SHEAF_CLI_SIGNALS_H
#define SHEAF_CLI_SIGNALS_H

// From now on the signals are noted instead of ending the process, unless the caller has them ignored.
void cli_catch_signals(void);

// The signal that arrived, or 0.
int cli_caught_signal(void);

#endif
