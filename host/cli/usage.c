// usage: help texts, made from the tables of the commands.
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_WIDTH = 80 };

const cli_exit_code cli_exit_codes[] = {
    {0, "success"},
    {1, "the run failed"},
    {2, "wrong usage"},
    {3, "bad input: a scene or data file is wrong, or over a documented limit"},
    {4, "the simulation diverged"},
    {5, "a result differs from the reference"},
    {6, "the device is missing or failed"},
    {7, "a file could not be read or written"},
    {130, "ended by SIGINT (Ctrl-C), with what was computed so far on disk"},
    {143, "ended by SIGTERM, likewise"},
    {-1, NULL},
};

// Adds text in lines of at most PAGE_WIDTH; lines after the first are indented.
static void add_wrapped(base_text *out, const char *text, size_t column, size_t indent)
{
    while (*text) {
        const size_t word = strcspn(text, " \n");
        if (column > indent && column + 1 + word > PAGE_WIDTH) {
            base_text_add(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            base_text_add(out, " ");
            column++;
        }
        base_text_add_bytes(out, text, word);
        column += word;
        text += word;
        if (text[0] == '\n' && text[1] == '\n') {
            base_text_add(out, "\n\n%*s", (int)indent, "");
            column = indent;
        }
        text += strspn(text, " \n");
    }
    base_text_add(out, "\n");
}

static void add_entry(base_text *out, const char *left, size_t width, const char *doc)
{
    base_text_add(out, "  %-*s  ", (int)width, left);
    add_wrapped(out, doc, width + 4, width + 4);
}

static void write_left(const cli_option *option, char *left, size_t size)
{
    const int used = option->letter ? snprintf(left, size, "-%c, --%s", option->letter, option->name)
                                    : snprintf(left, size, "    --%s", option->name);
    if (option->argument != NULL)
        snprintf(left + used, size - (size_t)used, " %s", option->argument);
}

static size_t left_width(const cli_command *command)
{
    char left[64];
    size_t width = strlen("-h, --help");
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        write_left(option, left, sizeof left);
        width = strlen(left) > width && !option->hidden ? strlen(left) : width;
    }
    return width;
}

void cli_write_synopsis(const cli_command *command, base_text *out)
{
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++)
        base_text_add(out, operand->required ? " %s%s" : " [%s%s]", operand->name,
                      operand->kind == CLI_CHOICES ? "..." : "");
    base_text_add(out, " [OPTION...]");
}

static void add_option(base_text *out, const cli_option *option, size_t width)
{
    char left[64], doc[400];
    if (option->hidden)
        return;
    write_left(option, left, sizeof left);
    const int used = snprintf(doc, sizeof doc, "%s", option->doc);
    if (option->preset != NULL)
        snprintf(doc + used, sizeof doc - (size_t)used, " (default: %s)", option->preset);
    add_entry(out, left, width, doc);
}

void cli_write_help(const cli_command *command, base_text *out)
{
    const size_t width = left_width(command);
    base_text_add(out, "Usage: sheaf %s", command->name);
    cli_write_synopsis(command, out);
    base_text_add(out, "\n\n");
    add_wrapped(out, command->description, 0, 0);
    if (command->operands[0].name != NULL)
        base_text_add(out, "\nArguments:\n");
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++)
        add_entry(out, operand->name, width, operand->doc);
    base_text_add(out, "\nOptions:\n");
    for (const cli_option *option = command->options; option->name != NULL; option++)
        add_option(out, option, width);
    add_option(out, &cli_help_option, width);
    if (command->examples[0].line != NULL)
        base_text_add(out, "\nExamples:\n");
    for (const cli_example *example = command->examples; example->line != NULL; example++)
        base_text_add(out, "  %s\n      %s\n", example->line, example->doc);
}

void cli_write_overview(base_text *out)
{
    base_text_add(out,
                  "Sheaf %s simulates populations of elastic rods: hair, grass, cables.\n\n"
                  "Usage: sheaf COMMAND [ARGUMENT...]\n\nCommands:\n",
                  sheaf_version());
    for (size_t k = 0; cli_commands[k] != NULL; k++)
        add_entry(out, cli_commands[k]->name, 8, cli_commands[k]->summary);
    base_text_add(out, "\n'sheaf COMMAND --help' shows a command's options.\n"
                       "A first run: sheaf new hair hair.yaml && sheaf run hair.yaml\n\nExit codes:\n");
    for (const cli_exit_code *row = cli_exit_codes; row->code >= 0; row++)
        base_text_add(out, "  %3d  %s\n", row->code, row->meaning);
}
