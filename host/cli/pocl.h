// pocl: a folder of ours for what the PoCL driver compiles.
//
// PoCL loads compiled kernels without looking whether they are whole, and ends the process when one is not. So its
// cache gets a folder whose files are hashed: when one is not as it was left, the folder is emptied, or, while others
// use it, avoided.
#ifndef SHEAF_CLI_POCL_H
#define SHEAF_CLI_POCL_H

#include <stdbool.h>

// Chooses the folder and points PoCL to it, away from one that POCL_CACHE_DIR may name: nobody knows whether what is in
// that is sound. Call it before OpenCL is used.
void cli_pocl_open(void);

// Points PoCL to an empty folder for this run alone.
void cli_pocl_start_afresh(void);

// Remembers what is in the folder now.
void cli_pocl_seal(void);

// Seals, and removes a folder made for this run alone.
void cli_pocl_close(void);

#endif
