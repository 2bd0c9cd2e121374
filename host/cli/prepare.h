// prepare: `sheaf devices --prepare`, which compiles kernels ahead of their first use.
#ifndef SHEAF_CLI_PREPARE_H
#define SHEAF_CLI_PREPARE_H

// Takes every scene that `sheaf new` knows one step on the device that a run would take. Returns the exit code.
int cli_prepare(void);

#endif
