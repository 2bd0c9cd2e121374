// fuzz_scene: any bytes as a scene file. Reading must end with a scene or with diagnostics that make sense.
#include "scene/reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_diagnostic(const scene_diagnostic *item)
{
    require(item->line >= 1 && item->column >= 1 && item->width >= 1);
    require(item->message != NULL && item->message[0] != 0 && strchr(item->message, '\n') == NULL);
    require(item->hint == NULL || item->hint[0] != 0);
    require(item->source != NULL && strchr(item->source, '\n') == NULL);
    require(item->caret <= strlen(item->source));
}

static void read_scene(const char *text, size_t length)
{
    scene_diagnostics list;
    sheaf_scene *scene;
    const sheaf_status status = scene_read_text(text, length, "fuzz.yaml", &list, &scene);
    require(status == SHEAF_OK || status == SHEAF_ERR_INPUT || status == SHEAF_ERR_LIMIT);
    require((status == SHEAF_OK) == (scene != NULL));
    require((status == SHEAF_OK) == (list.count == 0));
    for (uint32_t k = 0; k < list.count; k++)
        check_diagnostic(&list.items[k]);
    base_text printed = {0};
    scene_diagnostics_print(&list, &printed);
    require(base_text_status(&printed) == SHEAF_OK);
    base_text_free(&printed);
    scene_diagnostics_free(&list);
    sheaf_scene_free(scene);
}

// Every fourth input gets a comment before it, so that a border of the pieces the YAML library takes goes through it.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { PIECE = 4096 };
    base_text text = {0};
    if (size % 4 == 3 && size < PIECE)
        base_text_add(&text, "#%*s\n", (int)(PIECE - size / 2 - 2), "");
    base_text_add_bytes(&text, (const char *)data, size);
    char *exact = malloc(text.length + (text.length == 0)); // so that a byte too far is seen
    require(exact != NULL);
    memcpy(exact, base_text_get(&text), text.length);
    read_scene(exact, text.length);
    free(exact);
    base_text_free(&text);
    return 0;
}
