// child: starting this program once more.
#include "cli/child.h"

#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

// Names the parent to a child.
#define PARENT_VARIABLE "SHEAF_PARENT"

static size_t count_words(const char *const *words)
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

// Whether one of the settings has the name of this variable.
static bool is_set(const char *const *settings, const char *variable)
{
    for (; *settings != NULL; settings++) {
        const size_t length = strcspn(*settings, "=");
        if (strncmp(*settings, variable, length) == 0 && variable[length] == '=')
            return true;
    }
    return false;
}

// Our environment with the settings changed, and one more; the list is to be freed, its strings are not.
static const char **make_environment(const char *const *settings, const char *parent)
{
    const char *const *ours = (const char *const *)environ;
    const char **list = base_alloc(count_words(ours) + count_words(settings) + 2, sizeof *list);
    size_t used = 0;
    if (list == NULL)
        return NULL;
    for (; *ours != NULL; ours++)
        if (!is_set(settings, *ours))
            list[used++] = *ours;
    for (; *settings != NULL; settings++)
        list[used++] = *settings;
    list[used] = parent;
    return list;
}

static int spawn(const char *const *words, int stream, int end, const char *const *environment, pid_t *id)
{
    enum { MOST_WORDS = 16 };
    const char *arguments[MOST_WORDS + 2] = {"sheaf"};
    posix_spawn_file_actions_t actions;
    for (int k = 0; k < MOST_WORDS && words[k] != NULL; k++)
        arguments[k + 1] = words[k];
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (stream != STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, end, stream);
    posix_spawn_file_actions_addclose(&actions, end);
    const int error =
        posix_spawn(id, "/proc/self/exe", &actions, NULL, (char *const *)arguments, (char *const *)environment);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

// The signal comes when the parent ends; a parent that has ended before is seen by its number.
void cli_child_begin(void)
{
    const char *parent = getenv(PARENT_VARIABLE);
    if (parent == NULL)
        return;
    const long id = strtol(parent, NULL, 10);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if ((long)getppid() != id)
        _exit(1);
    (void)unsetenv(PARENT_VARIABLE);
}

bool cli_child_start(const char *const *words, int stream, const char *const *settings, cli_child *child)
{
    int ends[2];
    char parent[48];
    snprintf(parent, sizeof parent, PARENT_VARIABLE "=%ld", (long)getpid());
    const char **environment = make_environment(settings, parent);
    if (environment == NULL || pipe(ends) != 0) {
        base_free(environment);
        return false;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    const int error = spawn(words, stream, ends[1], environment, &child->id);
    base_free(environment);
    close(ends[1]);
    child->output = ends[0];
    if (error != 0) {
        close(ends[0]);
        errno = error;
    }
    return error == 0;
}
