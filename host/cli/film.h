// film: pictures handed to ffmpeg one after the other, which makes a film of them.
#ifndef SHEAF_CLI_FILM_H
#define SHEAF_CLI_FILM_H

#include "base/base.h"

#include <sys/types.h>

typedef struct cli_film {
    char *path;      // the final name
    char *temporary; // the name until the film is whole
    pid_t encoder;   // 0: none
    int frames;      // where pixels go
    bool replace;
} cli_film;

// Starts a film of pictures of one size. Returns SHEAF_OK, SHEAF_ERR_IO (also when ffmpeg is not there),
// SHEAF_ERR_MEMORY.
sheaf_status cli_film_start(const char *path, bool replace, uint32_t width, uint32_t height, uint32_t rate,
                            cli_film *film);

// Adds a picture, [height][width][3].
sheaf_status cli_film_add(cli_film *film, const uint8_t *pixels, size_t size);

// Waits for the film to be whole, then gives it its name.
sheaf_status cli_film_finish(cli_film *film);

// Gives the film up; nothing appears. Does nothing after cli_film_finish.
void cli_film_abandon(cli_film *film);

#endif
