// drivers: which OpenCL drivers this process would load, and as which files, without loading one.
#ifndef SHEAF_CLI_DRIVERS_H
#define SHEAF_CLI_DRIVERS_H

#include "base/text.h"

// Adds a text that changes when another driver is installed, one is replaced in place, or the environment chooses
// another: the variables that decide it, every .icd file's text, and size, time and inode of the library it names.
void cli_drivers_describe(base_text *key);

#endif
