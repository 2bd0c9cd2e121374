// progress: one line on a terminal that shows how far a run is; nothing anywhere else.
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/message.h"
#include "io/thermo.h"

cli_progress cli_progress_start(uint64_t steps, double end, bool quiet)
{
    return (cli_progress){
        .shown = !quiet && cli_terminal(), .start = base_clock(), .last = -1, .steps = steps, .end = end};
}

void cli_format_duration(double seconds, char *text, size_t size)
{
    const double whole = fmin(fmax(rint(seconds), 0), 3.6e6);
    const int hours = (int)(whole / 3600), minutes = (int)(whole / 60) % 60, rest = (int)fmod(whole, 60);
    if (hours > 0)
        snprintf(text, size, "%d:%02d:%02d", hours, minutes, rest);
    else
        snprintf(text, size, "%d:%02d", minutes, rest);
}

static int terminal_width(void)
{
    struct winsize window;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20 ? window.ws_col : 80;
}

void cli_progress_line(const cli_progress *progress, double elapsed, uint64_t done, const sheaf_report *report,
                       double energy, int width, char *line, size_t size)
{
    const double share = progress->steps > 0 ? (double)done / (double)progress->steps : 1;
    const double rate = elapsed > 0 ? (double)(done - progress->first) / elapsed : 0;
    char left[32] = "?", figures[160];
    if (rate > 0)
        cli_format_duration((double)(progress->steps - done) / rate, left, sizeof left);
    snprintf(figures, sizeof figures, "%3.0f %%  %.2f of %.4g s  %.3g steps/s  %s left  %.3g J  strain %.0e",
             floor(100 * share), report->time, progress->end, rate, left, energy, report->worst_strain);
    const int bar = (int)fmin(fmax(width - 6 - (int)strlen(figures), 0), 30), full = (int)(share * bar);
    if (bar >= 5)
        snprintf(line, size, "[%.*s%*s]  %s", full, "##############################", bar - full, "", figures);
    else
        snprintf(line, size, "%.*s", width - 1, figures);
}

void cli_progress_show(cli_progress *progress, uint64_t done, const sheaf_report *report, double energy)
{
    const double now = base_clock();
    if (!progress->shown || now - progress->last < 0.1)
        return;
    char line[256];
    cli_progress_line(progress, now - progress->start, done, report, energy, terminal_width(), line, sizeof line);
    fprintf(stderr, "\r\x1b[K%s", line);
    (void)fflush(stderr);
    progress->last = now;
}

void cli_progress_tell(cli_progress *progress, uint64_t done, const char *what)
{
    const double now = base_clock();
    if (!progress->shown || now - progress->last < 0.1)
        return;
    enum { BAR = 30 };
    const double share = progress->steps > 0 ? fmin((double)done / (double)progress->steps, 1) : 1;
    const int full = (int)(share * BAR);
    fprintf(stderr, "\r\x1b[K[%.*s%*s]  %s %llu of %llu", full, "##############################", BAR - full, "", what,
            (unsigned long long)done, (unsigned long long)progress->steps);
    (void)fflush(stderr);
    progress->last = now;
}

void cli_progress_clear(const cli_progress *progress)
{
    if (progress->shown && progress->last >= 0)
        fprintf(stderr, "\r\x1b[K");
}
