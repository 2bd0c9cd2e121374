// assist: what the window leaves to the command.
#include "cli/assist.h"

#include <stdio.h>
#include <unistd.h>

#include "io/file.h"
#include "scene/edit.h"
#include "scene/scene.h"

enum { FILMS_MOST = 9999 };

// The new text must be a scene, or the file stays as it is.
static sheaf_status check_text(const char *path, const base_text *text)
{
    sheaf_scene *scene = NULL;
    SHEAF_TRY(sheaf_scene_parse(base_text_get(text), text->length, path, &scene));
    sheaf_scene_free(scene);
    return SHEAF_OK;
}

static sheaf_status keep_camera(void *user, const char *camera)
{
    const cli_assist *assist = user;
    scene_edit edit = {.map = "/view", .key = "camera"};
    base_text text = {0};
    if (!assist->is_scene)
        return base_fail(SHEAF_ERR_USAGE, "this is no scene's file; v copies the camera, to be put into one");
    snprintf(edit.value, sizeof edit.value, "%s", camera);
    sheaf_status status = scene_edit_file(assist->path, &edit, 1, &text);
    if (status == SHEAF_OK)
        status = check_text(assist->path, &text);
    if (status == SHEAF_OK)
        status = io_file_write(assist->path, true, text.bytes, text.length);
    base_text_free(&text);
    return status;
}

// The first name that is not taken.
static sheaf_status start_film(void *user, uint32_t width, uint32_t height, uint32_t rate, char *name, size_t size)
{
    cli_assist *assist = user;
    int number = 1;
    do
        snprintf(name, size, "sheaf-view-%d.mp4", number);
    while (access(name, F_OK) == 0 && number++ < FILMS_MOST);
    SHEAF_TRY(cli_film_start(name, false, width, height, rate, &assist->film));
    assist->has_film = true;
    return SHEAF_OK;
}

static sheaf_status add_film(void *user, const uint8_t *pixels, size_t size)
{
    cli_assist *assist = user;
    return cli_film_add(&assist->film, pixels, size);
}

static sheaf_status finish_film(void *user)
{
    cli_assist *assist = user;
    if (!assist->has_film)
        return SHEAF_OK;
    assist->has_film = false;
    return cli_film_finish(&assist->film);
}

view_helper cli_assist_helper(cli_assist *assist)
{
    return (view_helper){.user = assist,
                         .keep_camera = keep_camera,
                         .start_film = start_film,
                         .add_film = add_film,
                         .finish_film = finish_film};
}

void cli_assist_close(cli_assist *assist)
{
    if (assist->has_film)
        cli_film_abandon(&assist->film);
    assist->has_film = false;
}
