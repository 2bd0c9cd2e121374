// reader: reads scene files, stage by stage.
#include "scene/reader.h"

#include "groom/kind.h"
#include "scene/reading.h"
#include "scene/values.h"

#include <locale.h>
#include <string.h>

enum { NAME_SHOWN = 400 }; // bytes of a file's name in messages

// ---- stages

static sheaf_scene *read_stages(scene_reading *reading)
{
    if (!scene_check_source(reading) || !scene_make_tree(reading))
        return NULL;
    scene_check_tree(reading);
    return scene_build(reading);
}

// Numbers have a decimal point whatever the program's locale is.
static sheaf_scene *read_in_c_locale(scene_reading *reading)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c == (locale_t)0) {
        reading->status = base_fail(SHEAF_ERR_MEMORY, "out of memory for a locale");
        return NULL;
    }
    const locale_t before = uselocale(c);
    sheaf_scene *scene = read_stages(reading);
    uselocale(before);
    freelocale(c);
    return scene;
}

static sheaf_status name_list(const char *name, scene_diagnostics *list)
{
    char shown[NAME_SHOWN];
    *list = (scene_diagnostics){.file = base_strdup(base_printable(name, shown, sizeof shown))};
    return list->file ? SHEAF_OK : SHEAF_ERR_MEMORY;
}

static bool comes_after(const scene_diagnostic *a, const scene_diagnostic *b)
{
    return a->line > b->line || (a->line == b->line && a->column > b->column);
}

// Stages find errors in an order of their own; people read files from the top. Short lists, and stable: by insertion.
static void sort_by_place(scene_diagnostics *list)
{
    for (uint32_t k = 1; k < list->count; k++) {
        const scene_diagnostic item = list->items[k];
        uint32_t place = k;
        for (; place > 0 && comes_after(&list->items[place - 1], &item); place--)
            list->items[place] = list->items[place - 1];
        list->items[place] = item;
    }
}

// Whether reading the bytes as a scene can lead anywhere; complains, without showing them, where it cannot.
static bool is_text_of_scene(scene_reading *reading)
{
    const size_t length = reading->length;
    const groom_kind *kind = groom_kind_of(reading->text, length);
    if (length <= SCENE_MAX_FILE && kind == NULL)
        return true;
    reading->length = 0;
    if (kind != NULL)
        scene_complain(reading, (scene_span){0, 0}, "this is %s, not a scene\n%s", kind->name, kind->advice);
    else
        scene_complain_limit(reading, (scene_span){0, 0}, "file larger than %d MiB", SCENE_MAX_FILE >> 20);
    return false;
}

static sheaf_status read_text(const char *text, size_t length, const char *name, const scene_files *places,
                              scene_diagnostics *list, sheaf_scene **scene)
{
    const size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; // UTF-8's byte order mark
    *scene = NULL;
    SHEAF_TRY(name_list(name, list));
    scene_reading reading = {
        .text = text + mark, .length = length - mark, .name = name, .places = places, .list = list};
    if (is_text_of_scene(&reading))
        *scene = read_in_c_locale(&reading);
    if (*scene != NULL) {
        (*scene)->files = reading.files;
        reading.files = (scene_files){0};
    }
    scene_files_free(&reading.files);
    sort_by_place(list);
    scene_free_tree(&reading);
    scene_release(&reading);
    return reading.status;
}

sheaf_status scene_read_text(const char *text, size_t length, const char *name, scene_diagnostics *list,
                             sheaf_scene **scene)
{
    return read_text(text, length, name, NULL, list, scene);
}

// ---- files

// All of it, or as much as shows that it is too large. Returns SHEAF_OK, SHEAF_ERR_IO, SHEAF_ERR_MEMORY.
static sheaf_status load_file(const char *path, char **bytes, size_t *length)
{
    groom_input input;
    *bytes = NULL;
    *length = 0;
    SHEAF_TRY(groom_input_open(path, &input));
    const size_t size = input.size < SCENE_MAX_FILE ? (size_t)input.size : SCENE_MAX_FILE + 1;
    *bytes = base_alloc(size + 1, 1); // an empty file has a text, too
    const sheaf_status status = *bytes != NULL ? groom_read(&input, *bytes, size) : SHEAF_ERR_MEMORY;
    groom_input_close(&input);
    *length = size;
    return status;
}

sheaf_status scene_read_moved(const char *path, const scene_files *places, scene_diagnostics *list, sheaf_scene **scene)
{
    char *bytes;
    size_t length;
    *scene = NULL;
    *list = (scene_diagnostics){0};
    sheaf_status status = load_file(path, &bytes, &length);
    if (status == SHEAF_OK)
        status = read_text(bytes, length, path, places, list, scene);
    base_free(bytes);
    return status;
}

sheaf_status scene_read_file(const char *path, scene_diagnostics *list, sheaf_scene **scene)
{
    return scene_read_moved(path, NULL, list, scene);
}

// ---- the public interface

// Makes the list of diagnostics the text of the thread's last error.
static sheaf_status finish(sheaf_status status, scene_diagnostics *list)
{
    base_text text = {0};
    if (status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT) {
        scene_diagnostics_print(list, &text);
        const sheaf_status printed = base_text_status(&text);
        status = printed == SHEAF_OK ? base_fail_text(status, base_text_get(&text)) : printed;
    }
    base_text_free(&text);
    scene_diagnostics_free(list);
    return status;
}

sheaf_status sheaf_scene_load(const char *path, sheaf_scene **scene)
{
    scene_diagnostics list;
    if (scene != NULL)
        *scene = NULL;
    if (path == NULL || scene == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_scene_load: an argument is NULL");
    return finish(scene_read_file(path, &list, scene), &list);
}

sheaf_status sheaf_scene_parse(const char *text, size_t length, const char *name, sheaf_scene **scene)
{
    scene_diagnostics list;
    if (scene != NULL)
        *scene = NULL;
    if (text == NULL || name == NULL || scene == NULL)
        return base_fail(SHEAF_ERR_USAGE, "sheaf_scene_parse: an argument is NULL");
    return finish(scene_read_text(text, length, name, &list, scene), &list);
}
