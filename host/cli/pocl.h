// pocl: a folder of ours for what the PoCL driver compiles.
//
// PoCL loads compiled kernels without looking whether they are whole, and ends the process when one is not. So its
// cache gets a folder whose content is hashed: one that is not as it was left is emptied, or, while others use it,
// avoided.
#ifndef SHEAF_CLI_POCL_H
#define SHEAF_CLI_POCL_H

#include <stdbool.h>

// Chooses the folder and points PoCL to it, unless the user has done so (POCL_CACHE_DIR). Call it before OpenCL is
// used.
void cli_pocl_open(void);

// Points PoCL to an empty folder for this run alone.
void cli_pocl_start_afresh(void);

// Whether the user chose the folder: what is in it is not known to be sound.
bool cli_pocl_is_foreign(void);

// Remembers what is in the folder now.
void cli_pocl_seal(void);

// Seals, and removes a folder made for this run alone.
void cli_pocl_close(void);

#endif
