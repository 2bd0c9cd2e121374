// grooms: files of strands as commands take them: recognised, opened, and with their oddities told.
#ifndef SHEAF_CLI_GROOMS_H
#define SHEAF_CLI_GROOMS_H

#include "io/grooms.h"

// Finds the format of a file; NULL with the last error set when it cannot be read or is in none. Sets `status`.
const groom_format *cli_groom_format(const char *path, sheaf_status *status);

// A unit of length as "cm", "2.54 cm" or, in metres, "0.01"; false when it is none.
bool cli_read_unit(const char *word, double *metres);

// How a unit of length is written: "cm", or "0.0254 m".
void cli_format_unit(double metres, char *text, size_t size);

extern const char *const cli_axes[]; // "x", "y", "z"; an axis up is the index plus GROOM_UP_X

#endif
