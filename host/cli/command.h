// command: what a command of `sheaf` is: a table of operands and options, and a function. The table alone makes the
// parser, --help, the manual page and shell completion.
#ifndef SHEAF_CLI_COMMAND_H
#define SHEAF_CLI_COMMAND_H

#include "base/text.h"

// What a value is; decides its type in the command's values, how it is checked, and how a shell completes it.
typedef enum cli_kind {
    CLI_FLAG,    // bool; takes no argument
    CLI_TEXT,    // const char *
    CLI_FILE,    // const char *, a path
    CLI_FOLDER,  // const char *, a path
    CLI_COUNT,   // uint64_t, 1 to CLI_MOST_COUNT
    CLI_SECONDS, // double, above 0
    CLI_MOMENT,  // double, 0 or above; -1 when not given
    CLI_CHOICE,  // int, index of one of the choices; -1 when not given
    CLI_CHOICES, // uint64_t, a bit for every choice given; for the last operand, which may be repeated
} cli_kind;

#define CLI_MOST_COUNT 9007199254740992u // 2^53: whole numbers up to here are exact as double, too

typedef struct cli_option {
    const char *name; // without dashes; NULL ends a table
    char letter;      // short form, or 0
    cli_kind kind;
    const char *argument;       // how help calls the value, as "DIR" or "auto|ref"; NULL for flags
    const char *const *choices; // ended by NULL; for CLI_CHOICE
    const char *preset;         // the value when not given, as it would be typed; NULL: none
    const char *doc;            // one sentence, lower case, without a full stop
    size_t offset;              // in the command's values
    bool hidden;                // works, but is not shown
} cli_option;

typedef struct cli_operand {
    const char *name; // as "SCENE"; NULL ends a table
    cli_kind kind;
    const char *const *choices;
    bool required;
    const char *doc;
    size_t offset;
} cli_operand;

typedef struct cli_example {
    const char *line; // NULL ends a table
    const char *doc;
} cli_example;

typedef struct cli_command {
    const char *name;
    const char *summary;         // what it does, as in "simulates a scene"
    const char *description;     // paragraphs, separated by an empty line
    const cli_operand *operands; // in order; a required one never follows one that is not
    const cli_option *options;
    const cli_example *examples;
    size_t values_size;
    int (*run)(const void *values); // returns the exit code
} cli_command;

// All commands, in the order help shows them; ended by NULL.
extern const cli_command *const cli_commands[];

// base_clock() when the command started.
extern double cli_start_time;

extern const cli_command cli_command_new;
extern const cli_command cli_command_check;
extern const cli_command cli_command_law;
extern const cli_command cli_command_run;
extern const cli_command cli_command_render;
extern const cli_command cli_command_report;
extern const cli_command cli_command_view;
extern const cli_command cli_command_devices;
extern const cli_command cli_command_verify;
extern const cli_command cli_command_bench;
extern const cli_command cli_command_reproduce;
extern const cli_command cli_command_info;
extern const cli_command cli_command_convert;
extern const cli_command cli_command_help;
extern const cli_command cli_command_version;

// Finds a command by name; NULL when there is none.
const cli_command *cli_find_command(const char *name);

// The --help option that every command has.
extern const cli_option cli_help_option;

typedef enum cli_parsed { CLI_PARSED, CLI_PARSED_HELP, CLI_REFUSED } cli_parsed;

// Reads the words after the command's name into `values`. CLI_REFUSED: the reason has been told.
// arguments[0] is the command's name; the words may be reordered.
cli_parsed cli_parse(const cli_command *command, int count, char **arguments, void *values);

// ---- texts made from the tables

void cli_write_help(const cli_command *command, base_text *out);
void cli_write_overview(base_text *out);
void cli_write_manual(const cli_command *command, base_text *out); // NULL: of sheaf itself
void cli_write_completion_bash(base_text *out);
void cli_write_completion_zsh(base_text *out);
void cli_write_completion_fish(base_text *out);

// "SCENE [OPTION...]" and the like.
void cli_write_synopsis(const cli_command *command, base_text *out);

typedef struct cli_exit_code {
    int code; // -1 ends the table
    const char *meaning;
} cli_exit_code;

extern const cli_exit_code cli_exit_codes[];

#endif
