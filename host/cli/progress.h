// progress: one line on a terminal that shows how far a run is; nothing anywhere else.
#ifndef SHEAF_CLI_PROGRESS_H
#define SHEAF_CLI_PROGRESS_H

#include "base/base.h"

typedef struct cli_progress {
    bool shown;     // whether there is a terminal to show it on
    double start;   // s, clock at the start
    double last;    // s, clock at the last change of the line
    uint64_t steps; // of the whole run
    uint64_t first; // steps behind it at the start; 0 unless set
    double end;     // s, simulated time of the whole run
} cli_progress;

cli_progress cli_progress_start(uint64_t steps, double end, bool quiet);

// Shows the state of the run, at most ten times a second.
void cli_progress_show(cli_progress *progress, uint64_t done, const sheaf_report *report, double energy);

// Shows that `done` of what is counted are done, as "simulating step 12 of 90"; as often.
void cli_progress_tell(cli_progress *progress, uint64_t done, const char *what);

// Takes the line away, for a message or at the end.
void cli_progress_clear(const cli_progress *progress);

// Seconds as "0:07" or "1:02:33".
void cli_format_duration(double seconds, char *text, size_t size);

// The line itself, at most `width` columns.
void cli_progress_line(const cli_progress *progress, double elapsed, uint64_t done, const sheaf_report *report,
                       double energy, int width, char *line, size_t size);

#endif
