// summary: what `sheaf run` tells of a run that has ended.
#ifndef SHEAF_CLI_SUMMARY_H
#define SHEAF_CLI_SUMMARY_H

#include "run/results.h"

// Tells on stderr how the run went, and where its files are.
void cli_tell_results(const run_results *results);

// Writes the times of stages to stdout.
void cli_print_profile(const io_record *record);

#endif
