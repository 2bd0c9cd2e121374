// assist: what the window leaves to the command.
#include "cli/assist.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"
#include "scene/scene.h"

enum { FILMS_MOST = 9999 };

// ---- the camera in a scene's text: only its value changes, so that comments and layout stay as they are

typedef struct part {
    const char *first, *end;
} part;

// The next word in a part of the text that is not in a comment; NULL: none.
static const char *find_word(part in, const char *word)
{
    bool is_comment = false;
    const size_t length = strlen(word);
    for (const char *at = in.first; at + length <= in.end; at++) {
        is_comment = *at == '#' ? true : *at == '\n' ? false : is_comment;
        if (!is_comment && strncmp(at, word, length) == 0)
            return at;
    }
    return NULL;
}

// The view block: its line and those after it that are indented, or hold comments or nothing.
static part find_view(const char *text)
{
    const char *start = strncmp(text, "view:", 5) == 0 ? text : strstr(text, "\nview:");
    if (start == NULL)
        return (part){NULL, NULL};
    start += *start == '\n';
    const char *end = strchr(start, '\n');
    while (end != NULL && end[1] != 0 && strchr(" \t#\n\r", end[1]) != NULL)
        end = strchr(end + 1, '\n');
    return (part){start, end != NULL ? end + 1 : start + strlen(start)};
}

// The value from its brace to the one that ends it; NULL where it is written otherwise.
static part find_braces(part in)
{
    int depth = 0;
    const char *first = in.first;
    while (first < in.end && (*first == ' ' || *first == '\t'))
        first++;
    for (const char *at = first; at < in.end && *first == '{'; at++) {
        depth += (*at == '{') - (*at == '}');
        if (depth == 0)
            return (part){first, at + 1};
    }
    return (part){NULL, NULL};
}

static sheaf_status write_camera(const char *text, const char *camera, base_text *out)
{
    const part view = find_view(text);
    const char *name = view.first != NULL ? find_word(view, "camera:") : NULL;
    part old = {NULL, NULL};
    if (view.first == NULL) {
        const size_t length = strlen(text);
        base_text_add(out, "%s%sview: { camera: %s }\n", text, length > 0 && text[length - 1] != '\n' ? "\n" : "",
                      camera);
        return base_text_status(out);
    }
    if (name != NULL)
        old = find_braces((part){name + strlen("camera:"), view.end});
    const part flow = find_braces((part){view.first + strlen("view:"), view.end});
    if (name != NULL && old.first == NULL)
        return base_fail(SHEAF_ERR_INPUT, "the scene's camera is not in braces; v copies the new one, to be put there");
    const char *line = strchr(view.first, '\n'), *from = old.first, *to = old.end;
    if (name == NULL)
        from = to = flow.first != NULL ? flow.first + 1 : line != NULL ? line + 1 : view.end;
    base_text_add_bytes(out, text, (size_t)(from - text));
    if (name != NULL)
        base_text_add(out, "%s", camera);
    else if (flow.first != NULL)
        base_text_add(out, " camera: %s,", camera);
    else
        base_text_add(out, "  camera: %s\n", camera);
    base_text_add(out, "%s", to);
    return base_text_status(out);
}

// The new text must be a scene with a camera, or the file stays as it is.
static sheaf_status check_text(const char *path, const base_text *text)
{
    sheaf_scene *scene = NULL;
    SHEAF_TRY(sheaf_scene_parse(base_text_get(text), text->length, path, &scene));
    const bool has_camera = scene->view.has_from && scene->view.has_at;
    sheaf_scene_free(scene);
    return has_camera ? SHEAF_OK
                      : base_fail(SHEAF_ERR_INPUT, "the scene's view block is written unusually; v copies the camera");
}

static sheaf_status keep_camera(void *user, const char *camera)
{
    enum { LARGEST = 64 << 20 };
    const cli_assist *assist = user;
    base_text text = {0}, edited = {0};
    if (!assist->is_scene)
        return base_fail(SHEAF_ERR_USAGE, "this is no scene's file; v copies the camera, to be put into one");
    sheaf_status status = io_file_read(assist->path, LARGEST, &text);
    if (status == SHEAF_OK)
        status = write_camera(base_text_get(&text), camera, &edited);
    if (status == SHEAF_OK)
        status = check_text(assist->path, &edited);
    if (status == SHEAF_OK)
        status = io_file_write(assist->path, true, edited.bytes, edited.length);
    base_text_free(&text);
    base_text_free(&edited);
    return status;
}

// ---- films

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
