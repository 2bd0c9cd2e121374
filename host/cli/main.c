// main: finds the command that the first word names, and runs it.
#include "cli/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/child.h"
#include "cli/message.h"
#include "cli/probe.h"
#include "verify/verify.h"

const cli_command *const cli_commands[] = {
    &cli_command_new,     &cli_command_check,  &cli_command_law,       &cli_command_run,
    &cli_command_view,    &cli_command_render, &cli_command_report,    &cli_command_devices,
    &cli_command_verify,  &cli_command_bench,  &cli_command_reproduce, &cli_command_info,
    &cli_command_convert, &cli_command_help,   &cli_command_version,   NULL,
};

const cli_command *cli_find_command(const char *name)
{
    for (size_t k = 0; cli_commands[k] != NULL; k++)
        if (strcmp(cli_commands[k]->name, name) == 0)
            return cli_commands[k];
    return NULL;
}

static int refuse_command(const char *word)
{
    const char *names[32];
    size_t count = 0;
    for (; cli_commands[count] != NULL; count++)
        names[count] = cli_commands[count]->name;
    const char *nearest = base_nearest(word, names, count);
    char shown[80];
    return cli_refuse(NULL, "there is no %s '%s'%s%s%s", word[0] == '-' ? "option" : "command",
                      base_printable(word, shown, sizeof shown), nearest ? "; did you mean '" : "",
                      nearest ? nearest : "", nearest ? "'?" : "");
}

static int show_help(const cli_command *command)
{
    base_text text = {0};
    if (command != NULL)
        cli_write_help(command, &text);
    else
        cli_write_overview(&text);
    cli_print(&text);
    base_text_free(&text);
    return CLI_EXIT_OK;
}

static int run_command(const cli_command *command, int count, char **words)
{
    void *values = base_alloc(1, command->values_size);
    if (values == NULL)
        return cli_fail(SHEAF_ERR_MEMORY);
    const cli_parsed parsed = cli_parse(command, count, words, values);
    int code = CLI_EXIT_USAGE;
    if (parsed == CLI_PARSED)
        code = command->run(values);
    else if (parsed == CLI_PARSED_HELP)
        code = show_help(command);
    base_free(values);
    return code;
}

static int run_words(int count, char **words)
{
    if (count < 2)
        return cli_refuse(NULL, "which command?");
    if (strcmp(words[1], "--help") == 0 || strcmp(words[1], "-h") == 0)
        return show_help(NULL);
    if (strcmp(words[1], "--version") == 0)
        words[1] = "version";
    const cli_command *command = cli_find_command(words[1]);
    return command != NULL ? run_command(command, count - 1, words + 1) : refuse_command(words[1]);
}

static void pass_on(sheaf_log_level level, const char *message, void *user)
{
    (void)user;
    if (level == SHEAF_LOG_WARNING)
        cli_warn("%s", message);
    else
        cli_note("%s", message);
}

double cli_start_time;

int main(int count, char **words)
{
    cli_start_time = base_clock();
    cli_child_begin();
    cli_prepare_streams();
    sheaf_log_set(pass_on, NULL);
    verify_find_stages(); // words of the command, which the methods bring
    cli_bench_find_names();
    const int code = cli_finish(run_words(count, words));
    cli_opencl_close();
    if (code == sheaf_status_exit_code(SHEAF_ERR_DEVICE)) {
        (void)fflush(NULL);
        _exit(code); // a driver that hangs would keep an ordinary exit from ending
    }
    return code;
}
