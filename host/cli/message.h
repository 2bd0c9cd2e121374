// message: what the command tells its user: data on stdout, everything else on stderr, colour only on a terminal.
#ifndef SHEAF_CLI_MESSAGE_H
#define SHEAF_CLI_MESSAGE_H

#include "cli/command.h"

#include <jansson.h>
#include <stdio.h>

// Exit codes that are no status of the library.
enum { CLI_EXIT_OK = 0, CLI_EXIT_USAGE = 2 };

// Makes stdin, stdout and stderr usable whatever state they were left in, and a vanished reader or a file grown too
// large an error instead of a signal. Call it first.
void cli_prepare_streams(void);

// Whether messages may be coloured, and whether stderr can show a line that changes.
bool cli_colour(FILE *stream);
bool cli_terminal(void);

// One message on stderr, after "sheaf: ".
__attribute__((format(printf, 1, 2))) void cli_note(const char *format, ...);
__attribute__((format(printf, 1, 2))) void cli_warn(const char *format, ...);

// Tells the library's last error; returns the exit code of `status`.
int cli_fail(sheaf_status status);

// Tells what is wrong with the arguments and where help is; returns CLI_EXIT_USAGE.
__attribute__((format(printf, 2, 3))) int cli_refuse(const cli_command *command, const char *format, ...);

// Writes data to stdout; errors are found by cli_finish.
void cli_print(const base_text *text);

// Writes a JSON value to stdout, one level of indentation at a time, and frees it; a value of NULL is out of memory.
// Returns the exit code.
int cli_print_json(json_t *value);

// Hands everything written to stdout to the system. Returns `code`, or the exit code of an I/O failure when writing
// failed and `code` is CLI_EXIT_OK.
int cli_finish(int code);

#endif
