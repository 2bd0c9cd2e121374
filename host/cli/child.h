// child: this program run once more, for what is not safe or not possible in the same process.
#ifndef SHEAF_CLI_CHILD_H
#define SHEAF_CLI_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct cli_child {
    pid_t id;
    int output; // to be read and closed
} cli_child;

// Starts `sheaf` with these words (the first is the command), ended by NULL. `stream`, STDOUT_FILENO or STDERR_FILENO,
// goes to `output`; of the two standard output is thrown away when it is not that, messages go on to ours. `settings`,
// each "NAME=value", ended by NULL, are put into its environment. False, with errno set, when it cannot be started.
bool cli_child_start(const char *const *words, int stream, const char *const *settings, cli_child *child);

// What `sheaf` does first: when it was started as above it ends with its parent, however that ends.
void cli_child_begin(void);

#endif
