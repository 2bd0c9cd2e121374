// message: what the command tells its user: data on stdout, everything else on stderr, colour only on a terminal.
#include "cli/message.h"

#include "cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const red = "\x1b[1;31m", *const yellow = "\x1b[1;33m", *const plain = "\x1b[0m";

// A closed descriptor would be given to the next file opened, and messages would end up inside it. Its place is taken
// by one that fails: /dev/null opened the wrong way round.
void cli_prepare_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

bool cli_colour(FILE *stream)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (refused != NULL && refused[0] != 0)
        return false;
    return isatty(fileno(stream)) && terminal != NULL && strcmp(terminal, "dumb") != 0;
}

bool cli_terminal(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

static void tell(const char *label, const char *colour, const char *text)
{
    if (label[0] == 0)
        fprintf(stderr, "sheaf: %s\n", text);
    else if (cli_colour(stderr))
        fprintf(stderr, "sheaf: %s%s:%s %s\n", colour, label, plain, text);
    else
        fprintf(stderr, "sheaf: %s: %s\n", label, text);
}

static void tell_formatted(const char *label, const char *colour, const char *format, va_list arguments)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, arguments);
    tell(label, colour, text);
}

void cli_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell_formatted("", plain, format, arguments);
    va_end(arguments);
}

void cli_warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell_formatted("warning", yellow, format, arguments);
    va_end(arguments);
}

int cli_fail(sheaf_status status)
{
    if (status == SHEAF_ERR_INTERRUPTED && cli_caught_signal() != 0) {
        tell("", plain, sheaf_last_error());
        return 128 + cli_caught_signal();
    }
    tell("error", red, sheaf_last_error());
    return sheaf_status_exit_code(status);
}

int cli_refuse(const cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tell_formatted("error", red, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try 'sheaf %s%s--help'.\n", command ? command->name : "", command ? " " : "");
    return CLI_EXIT_USAGE;
}

void cli_print(const base_text *text)
{
    (void)fwrite(base_text_get(text), 1, text->length, stdout);
}

int cli_print_json(json_t *value)
{
    if (value == NULL) {
        base_fail(SHEAF_ERR_MEMORY, "out of memory for the JSON output");
        return cli_fail(SHEAF_ERR_MEMORY);
    }
    (void)json_dumpf(value, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    (void)fputs("\n", stdout);
    json_decref(value);
    return CLI_EXIT_OK;
}

int cli_finish(int code)
{
    const bool failed_before = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed_before)
        return code;
    base_fail(SHEAF_ERR_IO, "cannot write to standard output: %s", strerror(errno != 0 ? errno : EPIPE));
    const int failure = cli_fail(SHEAF_ERR_IO);
    return code == CLI_EXIT_OK ? failure : code;
}
