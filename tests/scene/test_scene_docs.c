// test_scene_docs: the documents of the scene format are those of the schema, and what they show works.
#include "scene/reader.h"
#include "scene/values.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

static void assert_is_file(const base_text *text, const char *path)
{
    base_text file_text = {0};
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
        return;
    }
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
        base_text_add_bytes(&file_text, bytes, got);
    fclose(file);
    const bool same = strcmp(base_text_get(text), base_text_get(&file_text)) == 0;
    base_text_free(&file_text);
    if (!same)
        fail_msg("%s is not what the schema says now: write it again by sheaf check --schema", path);
}

static void the_reference_is_current(void **fixture)
{
    (void)fixture;
    base_text text = {0};
    scene_schema_write_markdown(&text);
    assert_is_file(&text, "docs/scene.md");
    base_text_free(&text);
}

static void the_json_schema_is_current(void **fixture)
{
    (void)fixture;
    base_text text = {0};
    scene_schema_write_json(&text);
    assert_is_file(&text, "docs/scene.schema.json");
    base_text_free(&text);
}

// Whether every reference inside `value` leads to one of the definitions.
static void check_references(json_t *value, const json_t *definitions)
{
    static const char start[] = "#/definitions/";
    for (size_t k = 0; k < json_array_size(value); k++)
        check_references(json_array_get(value, k), definitions);
    for (void *at = json_object_iter(value); at != NULL; at = json_object_iter_next(value, at)) {
        json_t *inner = json_object_iter_value(at);
        if (strcmp(json_object_iter_key(at), "$ref") == 0) {
            assert_memory_equal(json_string_value(inner), start, sizeof start - 1);
            assert_non_null(json_object_get(definitions, json_string_value(inner) + sizeof start - 1));
        }
        check_references(inner, definitions);
    }
}

static void the_json_schema_has_every_key(void **fixture)
{
    (void)fixture;
    base_text text = {0};
    scene_schema_write_json(&text);
    json_error_t error;
    json_t *schema = json_loads(base_text_get(&text), JSON_REJECT_DUPLICATES, &error);
    if (schema == NULL)
        fail_msg("line %d: %s", error.line, error.text);
    const json_t *definitions = json_object_get(schema, "definitions");
    for (uint32_t t = 0; t < scene_table_count; t++) {
        const scene_table *table = scene_tables[t];
        const json_t *definition = json_object_get(definitions, table->name);
        if (table->bare != NULL)
            definition = json_array_get(json_object_get(definition, "anyOf"), 1);
        const json_t *properties = json_object_get(definition, "properties");
        assert_int_equal(json_object_size(properties), table->key_count);
        for (uint32_t k = 0; k < table->key_count; k++)
            assert_non_null(json_object_get(properties, table->keys[k].name));
    }
    check_references(schema, definitions);
    json_decref(schema);
    base_text_free(&text);
}

// ---- the schema itself

// Checks `text` as the value of a key, in a scene that has names to refer to.
static void check_value_text(const scene_key *key, const char *text)
{
    base_text scene = {0};
    scene_diagnostics list = {.file = NULL};
    base_text_add(&scene,
                  "motion: { head: {} }\nmaterials: { hair: {}, stiff: {}, soft: {} }\nbodies: { bob: {}, wheel: {}, "
                  "drum: {}, hook: {}, trolley: {} }\n"
                  "value: %s\n",
                  text);
    scene_reading reading = {.text = base_text_get(&scene), .length = scene.length, .list = &list};
    assert_true(scene_check_source(&reading) && scene_make_tree(&reading));
    scene_node *name = scene_first(&reading, &reading.tree.nodes[reading.tree.root]);
    for (int k = 0; k < 6; k++)
        name = scene_next(&reading, name);
    scene_check_value(&reading, key, name, scene_next(&reading, name));
    if (list.count > 0)
        fail_msg("%s: %s: %s (%s)", key->name, text, list.items[0].message, list.items[0].hint);
    scene_diagnostics_free(&list);
    scene_free_tree(&reading);
    scene_release(&reading);
    base_text_free(&scene);
}

static void examples_and_defaults_are_valid(void **fixture)
{
    (void)fixture;
    for (uint32_t t = 0; t < scene_table_count; t++)
        for (uint32_t k = 0; k < scene_tables[t]->key_count; k++) {
            const scene_key *key = &scene_tables[t]->keys[k];
            check_value_text(key, key->example);
            if (key->fallback != NULL)
                check_value_text(key, key->fallback);
        }
}

static bool is_listed(const scene_table *table)
{
    uint32_t found = 0;
    for (uint32_t t = 0; t < scene_table_count; t++)
        found += scene_tables[t] == table;
    return found == 1;
}

static void the_schema_is_whole(void **fixture)
{
    (void)fixture;
    assert_true(is_listed(&scene_schema) && is_listed(&scene_courses));
    for (uint32_t t = 0; t < scene_table_count; t++) {
        const scene_table *table = scene_tables[t];
        assert_true(table->key_count > 0 && table->key_count <= 32);
        assert_true(table->doc[0] != 0);
        assert_true(table->bare == NULL || scene_find_key(table, table->bare, strlen(table->bare)) != NULL);
        for (uint32_t k = 0; k < table->key_count; k++) {
            const scene_key *key = &table->keys[k];
            assert_ptr_equal(scene_find_key(table, key->name, strlen(key->name)), key); // no name twice
            assert_true(key->doc[0] != 0);
            assert_false(key->required && key->fallback != NULL);
            const bool nested =
                key->kind == SCENE_KIND_MAP || key->kind == SCENE_KIND_NAMED || key->kind == SCENE_KIND_LIST;
            assert_int_equal(nested, key->table != NULL);
            assert_true(!nested || is_listed(key->table));
            assert_true(key->kind != SCENE_KIND_CHOICE || key->words != NULL);
            assert_true(key->kind != SCENE_KIND_VECTOR || key->count == 2 || key->count == 3);
        }
    }
}

// ---- the scenes that the reference shows

static void scenes_of_the_reference_work(void **fixture)
{
    (void)fixture;
    static const char fence[] = "```yaml\n";
    base_text text = {0};
    int scenes = 0;
    scene_schema_write_markdown(&text);
    for (const char *at = base_text_get(&text); (at = strstr(at, fence)) != NULL; scenes++) {
        at += strlen(fence);
        sheaf_scene *scene;
        if (sheaf_scene_parse(at, (size_t)(strstr(at, "```") - at), "docs/scene.md", &scene) != SHEAF_OK)
            fail_msg("%s", sheaf_last_error());
        sheaf_scene_free(scene);
    }
    assert_true(scenes >= 2);
    base_text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_current),      cmocka_unit_test(the_json_schema_is_current),
        cmocka_unit_test(the_json_schema_has_every_key), cmocka_unit_test(examples_and_defaults_are_valid),
        cmocka_unit_test(the_schema_is_whole),           cmocka_unit_test(scenes_of_the_reference_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
