// film: pictures handed to ffmpeg one after the other.
#include "cli/film.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "io/file.h"

extern char **environ;

static void forget(cli_film *film)
{
    base_free(film->path);
    base_free(film->temporary);
    *film = (cli_film){.frames = -1};
}

// Sizes are padded to even numbers, which the encoding wants.
static int spawn_encoder(const cli_film *film, const char *size, const char *rate, int input, pid_t *id)
{
    const char *const words[] = {"ffmpeg",
                                 "-hide_banner",
                                 "-loglevel",
                                 "error",
                                 "-nostdin",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgb24",
                                 "-s",
                                 size,
                                 "-r",
                                 rate,
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                 "-c:v",
                                 "libx264",
                                 "-preset",
                                 "veryfast",
                                 "-crf",
                                 "19",
                                 "-pix_fmt",
                                 "yuv420p",
                                 "-movflags",
                                 "+faststart",
                                 "-f",
                                 "mp4",
                                 film->temporary,
                                 NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const int error = posix_spawnp(id, "ffmpeg", &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static sheaf_status start_encoder(cli_film *film, uint32_t width, uint32_t height, uint32_t rate)
{
    char size[32], per_second[16];
    int ends[2];
    snprintf(size, sizeof size, "%ux%u", width, height);
    snprintf(per_second, sizeof per_second, "%u", rate);
    if (pipe(ends) != 0)
        return io_fail("start", "ffmpeg");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const int error = spawn_encoder(film, size, per_second, ends[0], &film->encoder);
    close(ends[0]);
    film->frames = ends[1];
    if (error == 0)
        return SHEAF_OK;
    film->encoder = 0;
    return base_fail(SHEAF_ERR_IO,
                     "cannot start ffmpeg, which makes films: %s; install it, or write pictures to a folder",
                     strerror(error));
}

sheaf_status cli_film_start(const char *path, bool replace, uint32_t width, uint32_t height, uint32_t rate,
                            cli_film *film)
{
    base_text temporary = {0};
    *film = (cli_film){.path = base_strdup(path), .frames = -1, .replace = replace};
    base_text_add(&temporary, "%s.%ld.part", path, (long)getpid());
    film->temporary = temporary.bytes;
    if (film->path == NULL || base_text_status(&temporary) != SHEAF_OK) {
        forget(film);
        return SHEAF_ERR_MEMORY;
    }
    const int probe = open(film->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    sheaf_status status = SHEAF_OK;
    if (probe < 0)
        status = io_fail("write", path);
    else
        close(probe);
    if (status == SHEAF_OK)
        status = start_encoder(film, width, height, rate);
    if (status != SHEAF_OK)
        cli_film_abandon(film);
    return status;
}

// Why the encoder ended is what it told on stderr.
static sheaf_status fail_encoder(void)
{
    return base_fail(SHEAF_ERR_IO, "ffmpeg did not make the film; its reason is above");
}

sheaf_status cli_film_add(cli_film *film, const uint8_t *pixels, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(film->frames, pixels, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail_encoder();
        pixels += written;
        size -= (size_t)written;
    }
    return SHEAF_OK;
}

static bool wait_for(pid_t id)
{
    int code = 0;
    while (waitpid(id, &code, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(code) && WEXITSTATUS(code) == 0;
}

sheaf_status cli_film_finish(cli_film *film)
{
    close(film->frames);
    film->frames = -1;
    const bool made = wait_for(film->encoder);
    film->encoder = 0;
    sheaf_status status = made ? SHEAF_OK : fail_encoder();
    if (status == SHEAF_OK && !film->replace && access(film->path, F_OK) == 0)
        status = base_fail(SHEAF_ERR_IO, "'%s' appeared meanwhile; it is left as it is", film->path);
    if (status == SHEAF_OK && rename(film->temporary, film->path) != 0)
        status = io_fail("write", film->path);
    if (status != SHEAF_OK)
        (void)unlink(film->temporary);
    forget(film);
    return status;
}

void cli_film_abandon(cli_film *film)
{
    if (film->frames >= 0)
        close(film->frames);
    if (film->encoder != 0)
        (void)wait_for(film->encoder);
    if (film->temporary != NULL)
        (void)unlink(film->temporary);
    forget(film);
}
