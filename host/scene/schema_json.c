// schema_json: a JSON Schema (draft 7) for editors, from the schema. It knows keys, kinds and ranges of bare numbers;
// units are for `sheaf check`.
#include "scene/reader.h"

#include "scene/schema.h"

#include <ctype.h>
#include <string.h>

// ---- JSON, on one line per value

static void add_string(base_text *out, const char *text, size_t length)
{
    base_text_add(out, "\"");
    for (size_t k = 0; k < length; k++)
        base_text_add(out, text[k] == '"' || text[k] == '\\' ? "\\%c" : "%c", text[k]);
    base_text_add(out, "\"");
}

// A number or a boolean as such, any other word as a string: the way YAML reads them.
static void add_word(base_text *out, const char *word, size_t length)
{
    const bool plain = isdigit((unsigned char)word[0]) || (length == 4 && memcmp(word, "true", 4) == 0);
    if (plain)
        base_text_add_bytes(out, word, length);
    else
        add_string(out, word, length);
}

static void add_words(base_text *out, const char *words)
{
    const char *word;
    size_t length;
    base_text_add(out, "{\"enum\": [");
    for (uint32_t k = 0; scene_word(words, k, &word, &length); k++) {
        base_text_add(out, "%s", k ? ", " : "");
        add_word(out, word, length);
    }
    base_text_add(out, "]}");
}

// ---- values, each as a schema of its own

typedef void add_schema(base_text *out, const scene_key *key);

static void add_text(base_text *out, const scene_key *key)
{
    (void)key;
    base_text_add(out, "{\"type\": [\"string\", \"number\"]}");
}

static void add_flag(base_text *out, const scene_key *key)
{
    (void)key;
    base_text_add(out, "{\"type\": \"boolean\"}");
}

static void add_choice(base_text *out, const scene_key *key)
{
    add_words(out, key->words);
}

static void add_seed(base_text *out, const scene_key *key)
{
    (void)key;
    base_text_add(out, "{\"type\": \"integer\", \"minimum\": 0}");
}

static void add_name(base_text *out, const scene_key *key)
{
    base_text_add(out, "{\"type\": [\"string\"%s]}", key->words ? ", \"boolean\"" : "");
}

static void add_plain_name(base_text *out, const scene_key *key)
{
    (void)key;
    base_text_add(out, "{\"type\": \"string\"}");
}

static void add_bare_whole(base_text *out, const scene_key *key)
{
    const scene_limit *limit = &scene_limits[key->limit];
    base_text_add(out, "{\"type\": \"integer\", \"minimum\": %.0f, \"maximum\": %.0f}", limit->least, limit->most);
}

static void add_quantity(base_text *out, const scene_key *key)
{
    const scene_limit *limit = &scene_limits[key->limit];
    base_text_add(out, "{\"anyOf\": [{\"type\": \"number\"");
    if (!key->of_course)
        base_text_add(out, ", \"minimum\": %.10g, \"maximum\": %.10g", limit->least, limit->most);
    base_text_add(out, "}, {\"$ref\": \"#/definitions/quantity\"}]}");
}

static void add_map(base_text *out, const scene_key *key)
{
    const scene_table *table = key->table ? key->table : &scene_courses;
    base_text_add(out, "{\"$ref\": \"#/definitions/%s\"}", table->name);
}

// One or the other.
static void add_either(base_text *out, const scene_key *key, add_schema *one, add_schema *other)
{
    base_text_add(out, "{\"anyOf\": [");
    one(out, key);
    base_text_add(out, ", ");
    other(out, key);
    base_text_add(out, "]}");
}

// A list of `least` to `most` items, 0: any number.
static void add_array(base_text *out, const scene_key *key, add_schema *item, uint32_t least, uint32_t most)
{
    base_text_add(out, "{\"type\": \"array\", \"minItems\": %u, ", least);
    if (most > 0)
        base_text_add(out, "\"maxItems\": %u, ", most);
    base_text_add(out, "\"items\": ");
    item(out, key);
    base_text_add(out, "}");
}

// As in "2 frames".
static void add_counted(base_text *out, const scene_key *key)
{
    base_text_add(out, "{\"type\": \"string\", \"pattern\": \"^[0-9]+ *(%ss?)?$\"}", key->unit);
}

static void add_whole(base_text *out, const scene_key *key)
{
    if (key->words != NULL)
        add_either(out, key, add_choice, add_bare_whole);
    else if (key->unit != NULL)
        add_either(out, key, add_bare_whole, add_counted);
    else
        add_bare_whole(out, key);
}

static void add_number(base_text *out, const scene_key *key)
{
    if (key->kind == SCENE_KIND_NUMBER && key->words != NULL)
        add_either(out, key, add_choice, add_quantity);
    else
        add_quantity(out, key);
}

static void add_two(base_text *out, const scene_key *key)
{
    add_array(out, key, add_number, 2, 2);
}

static void add_three(base_text *out, const scene_key *key)
{
    add_array(out, key, add_number, 3, 3);
}

static void add_pair(base_text *out, const scene_key *key)
{
    add_either(out, key, add_number, add_two);
}

static void add_vector(base_text *out, const scene_key *key)
{
    add_array(out, key, add_number, key->count, key->count);
}

static void add_axis_word(base_text *out, const scene_key *key)
{
    (void)key;
    add_words(out, "x|y|z|-x|-y|-z");
}

static void add_axis(base_text *out, const scene_key *key)
{
    add_either(out, key, add_axis_word, add_three);
}

static void add_choices(base_text *out, const scene_key *key)
{
    add_array(out, key, add_choice, 0, 0);
}

static void add_names(base_text *out, const scene_key *key)
{
    add_array(out, key, add_plain_name, 0, 0);
}

static void add_numbers(base_text *out, const scene_key *key)
{
    add_array(out, key, add_number, 1, 0);
}

static void add_points(base_text *out, const scene_key *key)
{
    add_array(out, key, add_three, SCENE_MIN_VERTICES, SCENE_MAX_VERTICES);
}

static void add_path(base_text *out, const scene_key *key)
{
    add_array(out, key, add_three, 2, 0);
}

static void add_profile(base_text *out, const scene_key *key)
{
    add_array(out, key, add_two, 2, 0);
}

static void add_course(base_text *out, const scene_key *key)
{
    add_either(out, key, add_number, add_map);
}

static void add_courses(base_text *out, const scene_key *key)
{
    add_array(out, key, add_course, 3, 3);
}

static void add_keys(base_text *out, const scene_key *key)
{
    add_array(out, key, add_two, 1, 0);
}

static void add_list(base_text *out, const scene_key *key)
{
    add_array(out, key, add_map, 1, 0);
}

static void add_named(base_text *out, const scene_key *key)
{
    base_text_add(out, "{\"type\": \"object\", \"minProperties\": 1, \"additionalProperties\": ");
    add_map(out, key);
    base_text_add(out, "}");
}

static void add_texts(base_text *out, const scene_key *key)
{
    base_text_add(out, "{\"anyOf\": [{\"type\": \"string\"}");
    if (key->count > 1)
        base_text_add(out,
                      ", {\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"minItems\": %u, \"maxItems\": %u}",
                      key->count, key->count);
    base_text_add(out, "]}");
}

static void add_constants(base_text *out, const scene_key *key)
{
    (void)key;
    base_text_add(out, "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", \"string\"]}}");
}

static void add_value(base_text *out, const scene_key *key)
{
    static add_schema *const writers[SCENE_KIND_COUNT] = {
        [SCENE_KIND_TEXTS] = add_texts,     [SCENE_KIND_CONSTANTS] = add_constants, [SCENE_KIND_TEXT] = add_text,
        [SCENE_KIND_FLAG] = add_flag,       [SCENE_KIND_CHOICE] = add_choice,       [SCENE_KIND_WHOLE] = add_whole,
        [SCENE_KIND_SEED] = add_seed,       [SCENE_KIND_NUMBER] = add_number,       [SCENE_KIND_PAIR] = add_pair,
        [SCENE_KIND_VECTOR] = add_vector,   [SCENE_KIND_AXIS] = add_axis,           [SCENE_KIND_NUMBERS] = add_numbers,
        [SCENE_KIND_POINTS] = add_points,   [SCENE_KIND_COURSE] = add_course,       [SCENE_KIND_COURSES] = add_courses,
        [SCENE_KIND_KEYS] = add_keys,       [SCENE_KIND_NAMES] = add_names,         [SCENE_KIND_REFERENCE] = add_name,
        [SCENE_KIND_PATH] = add_path,       [SCENE_KIND_PROFILE] = add_profile,     [SCENE_KIND_MAP] = add_map,
        [SCENE_KIND_CHOICES] = add_choices, [SCENE_KIND_NAMED] = add_named,         [SCENE_KIND_LIST] = add_list,
    };
    writers[key->kind](out, key);
}

// ---- tables

// A reference hides what stands beside it, so that the description goes around it.
static void add_property(base_text *out, const scene_key *key)
{
    base_text description = {0};
    base_text_add(&description, "%s", key->doc);
    if (key->fallback != NULL)
        base_text_add(&description, " Default: %s.", key->fallback);
    base_text_add(out, "        \"%s\": {\"description\": ", key->name);
    add_string(out, base_text_get(&description), description.length);
    base_text_add(out, ", \"allOf\": [");
    add_value(out, key);
    base_text_add(out, "]}");
    out->failed = out->failed || description.failed;
    base_text_free(&description);
}

static void add_required(base_text *out, const scene_table *table)
{
    const char *before = "      \"required\": [", *after = "";
    for (uint32_t k = 0; k < table->key_count; k++)
        if (table->keys[k].required) {
            base_text_add(out, "%s\"%s\"", before, table->keys[k].name);
            before = ", ";
            after = "],\n";
        }
    base_text_add(out, "%s", after);
}

static void add_object(base_text *out, const scene_table *table)
{
    base_text_add(out, "{\n      \"type\": \"object\",\n      \"additionalProperties\": false,\n");
    if (table->one_of)
        base_text_add(out, "      \"minProperties\": 1,\n      \"maxProperties\": 1,\n");
    add_required(out, table);
    base_text_add(out, "      \"properties\": {\n");
    for (uint32_t k = 0; k < table->key_count; k++) {
        add_property(out, &table->keys[k]);
        base_text_add(out, k + 1 < table->key_count ? ",\n" : "\n");
    }
    base_text_add(out, "      }\n    }");
}

static void add_definition(base_text *out, const scene_table *table)
{
    base_text_add(out, "    \"%s\": ", table->name);
    if (table->bare == NULL) {
        add_object(out, table);
        return;
    }
    base_text_add(out, "{\"anyOf\": [");
    add_value(out, scene_find_key(table, table->bare, strlen(table->bare)));
    base_text_add(out, ", ");
    add_object(out, table);
    base_text_add(out, "]}");
}

void scene_schema_write_json(base_text *out)
{
    base_text_add(out, "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
                       "  \"title\": \"Sheaf scene\",\n"
                       "  \"allOf\": [{\"$ref\": \"#/definitions/scene\"}],\n"
                       "  \"definitions\": {\n"
                       "    \"quantity\": {\n      \"type\": \"string\",\n      \"pattern\": "
                       "\"^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?( */ *[0-9.]+([eE][-+]?[0-9]+)?)?"
                       " *([^0-9_,. ].*|1 */.*)?$\"\n    }");
    for (uint32_t k = 0; k < scene_table_count; k++) {
        base_text_add(out, ",\n");
        add_definition(out, scene_tables[k]);
    }
    base_text_add(out, "\n  }\n}\n");
}
