// help: `sheaf help`, and the texts that installation makes from the tables.
#include "cli/command.h"

#include <string.h>

#include "cli/message.h"

typedef struct help_values {
    const char *topic;
    const char *manual;
    int shell;
} help_values;

static const cli_operand operands[] = {
    {"COMMAND", CLI_TEXT, NULL, false, "the command to explain; without it, all commands are listed",
     offsetof(help_values, topic)},
    {0},
};

static const char *const shells[] = {"bash", "zsh", "fish", NULL};

static const cli_option options[] = {
    {.name = "man",
     .kind = CLI_TEXT,
     .argument = "COMMAND",
     .doc = "write a manual page as roff; 'sheaf' for the page about all",
     .offset = offsetof(help_values, manual),
     .hidden = true},
    {.name = "completion",
     .kind = CLI_CHOICE,
     .argument = "bash|zsh|fish",
     .choices = shells,
     .doc = "write a completion script",
     .offset = offsetof(help_values, shell),
     .hidden = true},
    {0},
};

static const cli_example examples[] = {
    {"sheaf help run", "what 'sheaf run --help' shows"},
    {0},
};

// Writes help or manual page about `topic`; NULL or "sheaf": about all.
static int write_topic(const char *topic, bool manual, base_text *text)
{
    const bool whole = topic == NULL || strcmp(topic, "sheaf") == 0;
    const cli_command *command = whole ? NULL : cli_find_command(topic);
    char shown[80];
    if (!whole && command == NULL)
        return cli_refuse(&cli_command_help, "there is no command '%s'", base_printable(topic, shown, sizeof shown));
    if (manual)
        cli_write_manual(command, text);
    else if (command != NULL)
        cli_write_help(command, text);
    else
        cli_write_overview(text);
    return CLI_EXIT_OK;
}

static int run_help(const void *given)
{
    static void (*const completions[])(base_text *) = {cli_write_completion_bash, cli_write_completion_zsh,
                                                       cli_write_completion_fish};
    const help_values *values = given;
    base_text text = {0};
    int code = CLI_EXIT_OK;
    if (values->shell >= 0)
        completions[values->shell](&text);
    else
        code = write_topic(values->manual ? values->manual : values->topic, values->manual != NULL, &text);
    if (base_text_status(&text) != SHEAF_OK)
        code = cli_fail(SHEAF_ERR_MEMORY);
    else
        cli_print(&text);
    base_text_free(&text);
    return code;
}

const cli_command cli_command_help = {
    .name = "help",
    .summary = "explains a command",
    .description = "Explains a command, or lists all commands.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .values_size = sizeof(help_values),
    .run = run_help,
};
