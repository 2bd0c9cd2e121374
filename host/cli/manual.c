// manual: manual pages in the man macros of roff, made from the tables of the commands.
#include "cli/command.h"

#include <ctype.h>
#include <string.h>

#define MANUAL_DATE "2025-11-16"

enum { LINE_LENGTH = 70 }; // a line of the source is ended at the first space after so many characters

// Adds one word as roff: nothing in it is taken for a request or an escape.
static void add_word(base_text *out, const char *word, size_t length, bool starts_line)
{
    if (starts_line && length > 0 && (word[0] == '.' || word[0] == '\''))
        base_text_add(out, "\\&");
    for (size_t k = 0; k < length; k++) {
        if (word[k] == '-')
            base_text_add(out, "\\-");
        else if (word[k] == '\\')
            base_text_add(out, "\\e");
        else
            base_text_add_bytes(out, word + k, 1);
    }
}

static void add_roff(base_text *out, const char *text)
{
    add_word(out, text, strlen(text), true);
}

// Adds paragraphs, with a new line of the source for every sentence.
static void add_paragraphs(base_text *out, const char *text)
{
    size_t column = 0;
    while (*text) {
        const size_t length = strcspn(text, " \n");
        const bool sentence_ends = length > 0 && strchr(".?!", text[length - 1]) != NULL;
        add_word(out, text, length, column == 0);
        column += length;
        text += length;
        if (strncmp(text, "\n\n", 2) == 0) {
            base_text_add(out, "\n.PP\n");
            column = 0;
        } else if (*text != 0 && (column > LINE_LENGTH || (sentence_ends && isupper((unsigned char)text[1])))) {
            base_text_add(out, "\n");
            column = 0;
        } else if (*text != 0) {
            base_text_add(out, " ");
            column++;
        }
        text += strspn(text, " \n");
    }
}

static void add_title(base_text *out, const cli_command *command)
{
    char name[64] = "SHEAF";
    for (size_t k = 0; command != NULL && k <= strlen(command->name); k++) {
        name[5] = '-';
        name[6 + k] = (char)toupper((unsigned char)command->name[k]);
    }
    base_text_add(out, ".TH ");
    add_roff(out, name);
    base_text_add(out, " 1 " MANUAL_DATE " \"Sheaf %s\" \"Sheaf Manual\"\n.SH NAME\n", sheaf_version());
}

static void add_option(base_text *out, const cli_option *option)
{
    if (option->hidden)
        return;
    base_text_add(out, ".TP\n");
    if (option->letter)
        base_text_add(out, "\\fB\\-%c\\fR, ", option->letter);
    base_text_add(out, "\\fB\\-\\-");
    add_roff(out, option->name);
    base_text_add(out, "\\fR");
    if (option->argument != NULL)
        base_text_add(out, " \\fI%s\\fR", option->argument);
    base_text_add(out, "\n");
    add_paragraphs(out, option->doc);
    if (option->preset != NULL) {
        base_text_add(out, " (default: ");
        add_roff(out, option->preset);
        base_text_add(out, ")");
    }
    base_text_add(out, ".\n");
}

static void add_exit_codes(base_text *out)
{
    base_text_add(out, ".SH EXIT STATUS\n");
    for (const cli_exit_code *row = cli_exit_codes; row->code >= 0; row++) {
        base_text_add(out, ".TP\n\\fB%d\\fR\n", row->code);
        add_paragraphs(out, row->meaning);
        base_text_add(out, ".\n");
    }
}

static void add_environment(base_text *out)
{
    base_text_add(out, ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nwhen set and not empty, messages have no colour.\n");
}

static void write_command(const cli_command *command, base_text *out)
{
    add_title(out, command);
    base_text_add(out, "sheaf\\-%s \\- %s\n.SH SYNOPSIS\n\\fBsheaf %s\\fR", command->name, command->summary,
                  command->name);
    base_text synopsis = {0};
    cli_write_synopsis(command, &synopsis);
    add_roff(out, base_text_get(&synopsis));
    base_text_free(&synopsis);
    base_text_add(out, "\n.SH DESCRIPTION\n");
    add_paragraphs(out, command->description);
    base_text_add(out, "\n");
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++) {
        base_text_add(out, ".TP\n\\fI%s\\fR\n", operand->name);
        add_paragraphs(out, operand->doc);
        base_text_add(out, ".\n");
    }
    base_text_add(out, ".SH OPTIONS\n");
    for (const cli_option *option = command->options; option->name != NULL; option++)
        add_option(out, option);
    add_option(out, &cli_help_option);
    add_exit_codes(out);
    add_environment(out);
    if (command->examples[0].line != NULL)
        base_text_add(out, ".SH EXAMPLES\n");
    for (const cli_example *example = command->examples; example->line != NULL; example++) {
        base_text_add(out, ".TP\n\\fB");
        add_roff(out, example->line);
        base_text_add(out, "\\fR\n");
        add_paragraphs(out, example->doc);
        base_text_add(out, ".\n");
    }
    base_text_add(out, ".SH SEE ALSO\n.BR sheaf (1)\n");
}

static void write_overview(base_text *out)
{
    add_title(out, NULL);
    base_text_add(out, "sheaf \\- simulates populations of elastic rods\n.SH SYNOPSIS\n"
                       "\\fBsheaf\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]\n.SH DESCRIPTION\n"
                       "Sheaf simulates hair, grass, cables and other populations of elastic rods.\n"
                       "A scene file says what there is; \\fBsheaf run\\fR simulates it.\n.SH COMMANDS\n");
    for (size_t k = 0; cli_commands[k] != NULL; k++) {
        base_text_add(out, ".TP\n.BR sheaf\\-%s (1)\n", cli_commands[k]->name);
        add_paragraphs(out, cli_commands[k]->summary);
        base_text_add(out, ".\n");
    }
    add_exit_codes(out);
    add_environment(out);
    base_text_add(out, ".SH SEE ALSO\n");
    for (size_t k = 0; cli_commands[k] != NULL; k++)
        base_text_add(out, ".BR sheaf\\-%s (1)%s\n", cli_commands[k]->name, cli_commands[k + 1] ? "," : "");
}

void cli_write_manual(const cli_command *command, base_text *out)
{
    if (command != NULL)
        write_command(command, out);
    else
        write_overview(out);
}
