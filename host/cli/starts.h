// starts: the scenes that `sheaf new` writes: those of the folder scenes/, put into the command at build time.
#ifndef SHEAF_CLI_STARTS_H
#define SHEAF_CLI_STARTS_H

#include <stddef.h>

// A file that a scene refers to.
typedef struct cli_start_mesh {
    const char *name;
    const unsigned char *bytes;
    size_t size;
} cli_start_mesh;

typedef struct cli_start {
    const char *name;
    const char *summary; // the first line of the scene, a comment
    const unsigned char *bytes;
    size_t size;
    const cli_start_mesh *meshes; // ended by one without a name
} cli_start;

// Ended by an entry without a name; the same order as the names.
extern const cli_start cli_starts[];

// Ended by NULL.
extern const char *const cli_start_names[];

#endif
