// edit: a scene file's text with some values changed.
#include "scene/edit.h"

#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

// Lists would grow instead of being replaced, so the value before is taken out.
static void remove_value(struct fy_document *document, const scene_edit *edit)
{
    struct fy_node *map = fy_node_by_path(fy_document_root(document), edit->map, FY_NT, FYNWF_DONT_FOLLOW);
    if (map == NULL || fy_node_mapping_lookup_by_string(map, edit->key, FY_NT) == NULL)
        return;
    struct fy_node *key = fy_node_build_from_string(document, edit->key, FY_NT);
    fy_node_free(fy_node_mapping_remove_by_key(map, key)); // takes the key, too
}

// Inserts "key: value", or "name: { key: value }" into the parent of a map that is not there.
static bool make_change(struct fy_document *document, const scene_edit *edit)
{
    char map[300];
    const char *last = strrchr(edit->map, '/');
    const bool exists = fy_node_by_path(fy_document_root(document), edit->map, FY_NT, FYNWF_DONT_FOLLOW) != NULL;
    struct fy_node *node;
    remove_value(document, edit);
    if (exists) {
        snprintf(map, sizeof map, "%s", edit->map);
        node = fy_node_buildf(document, "%s: %s", edit->key, edit->value);
    } else {
        snprintf(map, sizeof map, "%.*s", (int)(last - edit->map), edit->map);
        node = fy_node_buildf(document, "%s: { %s: %s }", last + 1, edit->key, edit->value);
    }
    return node != NULL && fy_document_insert_at(document, map[0] != 0 ? map : "/", FY_NT, node) == 0;
}

sheaf_status scene_edit_file(const char *path, const scene_edit *edits, uint32_t count, base_text *out)
{
    const struct fy_parse_cfg settings = {.flags = FYPCF_QUIET | FYPCF_PARSE_COMMENTS};
    struct fy_document *document = fy_document_build_from_file(&settings, path);
    if (document == NULL)
        return base_fail(SHEAF_ERR_IO, "cannot read '%s' again: it is gone, or is no YAML any more", path);
    sheaf_status status = SHEAF_OK;
    for (uint32_t k = 0; k < count && status == SHEAF_OK; k++)
        if (!make_change(document, &edits[k]))
            status = base_fail(SHEAF_ERR_INPUT, "%s: %s cannot be set in %s", path, edits[k].key, edits[k].map);
    if (status == SHEAF_OK) {
        char *text = fy_emit_document_to_string(document, FYECF_MODE_ORIGINAL | FYECF_OUTPUT_COMMENTS |
                                                              FYECF_WIDTH_INF | FYECF_INDENT_DEFAULT);
        if (text != NULL)
            base_text_add(out, "%s", text);
        status = text != NULL ? base_text_status(out) : SHEAF_ERR_MEMORY;
        free(text);
    }
    fy_document_destroy(document);
    return status;
}
