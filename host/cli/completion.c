// completion: scripts by which bash, zsh and fish complete commands, options and values, made from the tables.
#include "cli/command.h"

static bool has_choices(cli_kind kind)
{
    return kind == CLI_CHOICE || kind == CLI_CHOICES;
}

static void add_choices(base_text *out, const char *const *choices, const char *separator)
{
    for (int k = 0; choices[k] != NULL; k++)
        base_text_add(out, "%s%s", k > 0 ? separator : "", choices[k]);
}

// Text inside single quotes of any of the shells, and inside the brackets and colons of zsh.
static void add_quoted(base_text *out, const char *text, const char *escaped)
{
    for (const char *c = text; *c; c++) {
        for (const char *e = escaped; *e; e++)
            if (*e == *c)
                base_text_add(out, "\\");
        if (*c == '\'')
            base_text_add(out, "'\\''");
        else
            base_text_add_bytes(out, c, 1);
    }
}

// ---- bash

// What completes a value: a command whose output is the candidates for $word.
static void add_bash_values(base_text *out, cli_kind kind, const char *const *choices)
{
    if (has_choices(kind)) {
        base_text_add(out, "compgen -W '");
        add_choices(out, choices, " ");
        base_text_add(out, "' -- \"$word\"");
    } else if (kind == CLI_FILE || kind == CLI_FOLDER) {
        base_text_add(out, "compgen -%c -- \"$word\"", kind == CLI_FILE ? 'f' : 'd');
    } else {
        base_text_add(out, "true");
    }
}

static void add_bash_command(base_text *out, const cli_command *command)
{
    base_text_add(out, "    %s)\n        case $before in\n", command->name);
    for (const cli_option *option = command->options; option->name != NULL; option++) {
        if (option->kind == CLI_FLAG || option->hidden)
            continue;
        base_text_add(out, "        --%s", option->name);
        if (option->letter)
            base_text_add(out, " | -%c", option->letter);
        base_text_add(out, ") candidates=$(");
        add_bash_values(out, option->kind, option->choices);
        base_text_add(out, ") ;;\n");
    }
    base_text_add(out, "        *)\n            if [[ $word == -* ]]; then\n                candidates=$(compgen -W '");
    for (const cli_option *option = command->options; option->name != NULL; option++)
        if (!option->hidden)
            base_text_add(out, "--%s ", option->name);
    base_text_add(out, "--help' -- \"$word\")\n            else\n                candidates=$(");
    if (command->operands[0].name != NULL)
        add_bash_values(out, command->operands[0].kind, command->operands[0].choices);
    else
        base_text_add(out, "true");
    base_text_add(out, ")\n            fi ;;\n        esac ;;\n");
}

void cli_write_completion_bash(base_text *out)
{
    base_text_add(out, "# completion of sheaf for bash\n"
                       "_sheaf() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} candidates=\n"
                       "    if ((COMP_CWORD == 1)); then\n"
                       "        candidates=$(compgen -W '");
    for (int k = 0; cli_commands[k] != NULL; k++)
        base_text_add(out, "%s ", cli_commands[k]->name);
    base_text_add(out, "--help --version' -- \"$word\")\n    else\n    case ${COMP_WORDS[1]} in\n");
    for (int k = 0; cli_commands[k] != NULL; k++)
        add_bash_command(out, cli_commands[k]);
    base_text_add(out, "    esac\n    fi\n"
                       "    COMPREPLY=()\n"
                       "    [[ -z $candidates ]] || mapfile -t COMPREPLY <<<\"$candidates\"\n"
                       "}\n"
                       "complete -o filenames -F _sheaf sheaf\n");
}

// ---- zsh

static void add_zsh_values(base_text *out, cli_kind kind, const char *const *choices)
{
    if (has_choices(kind)) {
        base_text_add(out, "(");
        add_choices(out, choices, " ");
        base_text_add(out, ")");
    } else if (kind == CLI_FILE || kind == CLI_FOLDER) {
        base_text_add(out, kind == CLI_FILE ? "_files" : "_files -/");
    }
}

static void add_zsh_option(base_text *out, const cli_option *option)
{
    if (option->hidden)
        return;
    if (option->letter)
        base_text_add(out, "            '(-%c --%s)'{-%c,--%s}'[", option->letter, option->name, option->letter,
                      option->name);
    else
        base_text_add(out, "            '--%s[", option->name);
    add_quoted(out, option->doc, "[]:\\");
    base_text_add(out, "]");
    if (option->argument != NULL) {
        base_text_add(out, ":%s:", option->argument);
        add_zsh_values(out, option->kind, option->choices);
    }
    base_text_add(out, "' \\\n");
}

static void add_zsh_command(base_text *out, const cli_command *command)
{
    base_text_add(out, "    %s)\n        _arguments \\\n", command->name);
    for (const cli_option *option = command->options; option->name != NULL; option++)
        add_zsh_option(out, option);
    add_zsh_option(out, &cli_help_option);
    int place = 1;
    for (const cli_operand *operand = command->operands; operand->name != NULL; operand++) {
        if (operand->kind == CLI_CHOICES)
            base_text_add(out, "            '*:%s:", operand->name);
        else
            base_text_add(out, "            '%d:%s:", place++, operand->name);
        add_zsh_values(out, operand->kind, operand->choices);
        base_text_add(out, "' \\\n");
    }
    base_text_add(out, "        ;;\n");
}

void cli_write_completion_zsh(base_text *out)
{
    base_text_add(out, "#compdef sheaf\n"
                       "# completion of sheaf for zsh\n"
                       "_sheaf() {\n"
                       "    local -a commands=(\n");
    for (int k = 0; cli_commands[k] != NULL; k++) {
        base_text_add(out, "        '%s:", cli_commands[k]->name);
        add_quoted(out, cli_commands[k]->summary, ":\\");
        base_text_add(out, "'\n");
    }
    base_text_add(out, "    )\n"
                       "    if ((CURRENT == 2)); then\n"
                       "        _describe command commands\n"
                       "        return\n"
                       "    fi\n"
                       "    local chosen=$words[2]\n"
                       "    shift words\n"
                       "    ((CURRENT--))\n"
                       "    case $chosen in\n");
    for (int k = 0; cli_commands[k] != NULL; k++)
        add_zsh_command(out, cli_commands[k]);
    base_text_add(out, "    esac\n"
                       "}\n"
                       "if [ \"$funcstack[1]\" = _sheaf ]; then\n"
                       "    _sheaf \"$@\"\n"
                       "else\n"
                       "    compdef _sheaf sheaf\n"
                       "fi\n");
}

// ---- fish

static void add_fish_values(base_text *out, cli_kind kind, const char *const *choices)
{
    if (has_choices(kind)) {
        base_text_add(out, " -xa '");
        add_choices(out, choices, " ");
        base_text_add(out, "'");
    } else if (kind == CLI_FILE) {
        base_text_add(out, " -rF");
    } else if (kind == CLI_FOLDER) {
        base_text_add(out, " -xa '(__fish_complete_directories)'");
    } else if (kind != CLI_FLAG) {
        base_text_add(out, " -x");
    }
}

static void add_fish_option(base_text *out, const char *command, const cli_option *option)
{
    if (option->hidden)
        return;
    base_text_add(out, "complete -c sheaf -n '__fish_seen_subcommand_from %s' -l %s", command, option->name);
    if (option->letter)
        base_text_add(out, " -s %c", option->letter);
    add_fish_values(out, option->kind, option->choices);
    base_text_add(out, " -d '");
    add_quoted(out, option->doc, "\\");
    base_text_add(out, "'\n");
}

void cli_write_completion_fish(base_text *out)
{
    base_text_add(out, "# completion of sheaf for fish\ncomplete -c sheaf -f\n");
    for (int k = 0; cli_commands[k] != NULL; k++) {
        const cli_command *command = cli_commands[k];
        base_text_add(out, "complete -c sheaf -n '__fish_use_subcommand' -a %s -d '", command->name);
        add_quoted(out, command->summary, "\\");
        base_text_add(out, "'\n");
        for (const cli_option *option = command->options; option->name != NULL; option++)
            add_fish_option(out, command->name, option);
        add_fish_option(out, command->name, &cli_help_option);
        const cli_operand *operand = &command->operands[0];
        if (operand->name == NULL)
            continue;
        base_text_add(out, "complete -c sheaf -n '__fish_seen_subcommand_from %s'", command->name);
        if (operand->kind == CLI_FILE)
            base_text_add(out, " -F");
        else if (has_choices(operand->kind))
            add_fish_values(out, operand->kind, operand->choices);
        base_text_add(out, "\n");
    }
}
