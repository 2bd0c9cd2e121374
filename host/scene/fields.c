// fields: what a checked tree says, key by key, with the schema's fallbacks for what it does not say.
#include "scene/preset.h"
#include "scene/units.h"
#include "scene/values.h"

#include <stdlib.h>
#include <string.h>

scene_map scene_whole_file(scene_reading *reading)
{
    scene_node *root = &reading->tree.nodes[reading->tree.root];
    return (scene_map){reading, &scene_schema, root->kind == SCENE_NODE_MAP ? root : NULL, 0};
}

static const scene_key *row_of(scene_map map, const char *name)
{
    return scene_find_key(map.table, name, strlen(name));
}

// Node of the key's name; of a value that stands for the key by itself, that value. NULL: absent.
static scene_node *find_name(scene_map map, const char *name)
{
    if (map.node == NULL)
        return NULL;
    if (map.node->kind != SCENE_NODE_MAP)
        return map.table->bare != NULL && strcmp(map.table->bare, name) == 0 ? map.node : NULL;
    for (scene_node *key = scene_first(map.reading, map.node); key != NULL;) {
        if (scene_text_is(key, name))
            return key;
        key = scene_next_key(map.reading, key);
    }
    return NULL;
}

static scene_node *find_value(scene_map map, const char *name)
{
    scene_node *found = find_name(map, name);
    return found != NULL && found != map.node ? scene_next(map.reading, found) : found;
}

scene_node *scene_find(scene_map map, const char *name)
{
    scene_node *found = find_value(map, name);
    return found != NULL && !found->bad ? found : NULL;
}

bool scene_has(scene_map map, const char *name)
{
    return find_name(map, name) != NULL;
}

bool scene_is_sound(scene_map map, const char *const *names)
{
    for (; *names != NULL; names++) {
        const scene_node *value = find_value(map, *names);
        if (value != NULL && value->unsound)
            return false;
    }
    return true;
}

scene_map scene_open_map(scene_reading *reading, const scene_table *table, scene_node *node)
{
    scene_map map = {reading, table, node, 0};
    const scene_node *preset = scene_find(map, "preset");
    map.preset = preset != NULL ? 1 + (uint32_t)preset->whole : 0;
    return map;
}

bool scene_is_given(scene_map map)
{
    return map.node != NULL || scene_preset_has(map.preset, map.table->name);
}

// What stands for a key that the file does not have, or NULL.
static const char *fallback_of(scene_map map, const char *name)
{
    const char *preset = scene_preset_value(map.preset, map.table->name, name);
    return preset != NULL ? preset : row_of(map, name)->fallback;
}

scene_span scene_key_place(scene_map map, const char *name)
{
    const scene_node *found = find_name(map, name);
    if (found == NULL)
        found = map.node;
    return found ? scene_place(found) : (scene_span){0, 0};
}

// The next number of a fallback such as "[0, 0, -9.81 m/s^2]"; moves `text` past it.
static double next_number(const char **text)
{
    scene_quantity quantity;
    scene_fault fault;
    *text += strspn(*text, "[, ");
    const size_t length = strcspn(*text, ",]");
    const bool read = scene_parse_quantity(*text, length, &quantity, &fault);
    *text += length;
    return read ? quantity.value : 0;
}

double scene_number(scene_map map, const char *name)
{
    const scene_node *node = scene_find(map, name);
    const char *fallback = fallback_of(map, name);
    if (node != NULL)
        return node->number;
    return fallback ? next_number(&fallback) : 0;
}

// Index of `text` among words; false: it is none of them.
static bool word_index(const char *words, const char *text, uint64_t *index)
{
    const char *word;
    size_t length;
    for (uint32_t k = 0; words != NULL && scene_word(words, k, &word, &length); k++)
        if (strlen(text) == length && memcmp(text, word, length) == 0) {
            *index = k;
            return true;
        }
    return false;
}

uint64_t scene_whole(scene_map map, const char *name)
{
    const scene_node *node = scene_find(map, name);
    const scene_key *key = row_of(map, name);
    const char *fallback = fallback_of(map, name);
    uint64_t index;
    if (node != NULL)
        return node->whole;
    if (fallback == NULL)
        return 0;
    return word_index(key->words, fallback, &index) ? index : strtoull(fallback, NULL, 10);
}

uint64_t scene_fallback_word(scene_map map, const char *name)
{
    const scene_key *key = row_of(map, name);
    const scene_key *bare = scene_find_key(key->table, key->table->bare, strlen(key->table->bare));
    uint64_t index = 0;
    word_index(bare->words, key->fallback, &index);
    return index;
}

bool scene_flag(scene_map map, const char *name)
{
    const scene_node *node = scene_find(map, name);
    const char *fallback = fallback_of(map, name);
    return node ? node->whole != 0 : fallback != NULL && strcmp(fallback, "true") == 0;
}

static void take_numbers(const scene_reading *reading, const scene_node *list, double *out)
{
    for (const scene_node *item = scene_first(reading, list); item != NULL; item = scene_next(reading, item))
        *out++ = item->number;
}

void scene_pair(scene_map map, const char *name, double out[2])
{
    const scene_node *node = scene_find(map, name);
    const char *fallback = fallback_of(map, name);
    out[0] = out[1] = node != NULL && node->kind == SCENE_NODE_SCALAR ? node->number : 0;
    if (node != NULL && node->kind == SCENE_NODE_LIST) {
        take_numbers(map.reading, node, out);
    } else if (node == NULL && fallback != NULL) {
        out[0] = out[1] = next_number(&fallback);
        if (*fallback == ',')
            out[1] = next_number(&fallback);
    }
}

void scene_vector(scene_map map, const char *name, double *out)
{
    const scene_node *node = scene_find(map, name);
    const scene_key *key = row_of(map, name);
    const char *fallback = fallback_of(map, name);
    if (fallback == NULL)
        fallback = "";
    if (node != NULL)
        take_numbers(map.reading, node, out);
    for (uint32_t k = 0; k < key->count && node == NULL; k++)
        out[k] = next_number(&fallback);
}

// x, y, z, -x, -y, -z by their index.
static void unit_axis(uint64_t index, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    out[index % 3] = index < 3 ? 1 : -1;
}

void scene_axis(scene_map map, const char *name, double out[3])
{
    const scene_node *node = scene_find(map, name);
    const char *fallback = fallback_of(map, name);
    out[0] = out[1] = out[2] = 0;
    if (node != NULL && node->kind == SCENE_NODE_LIST) {
        take_numbers(map.reading, node, out);
    } else if (node != NULL) {
        unit_axis(node->whole, out);
    } else if (fallback != NULL) {
        const bool negative = fallback[0] == '-';
        unit_axis((uint64_t)(fallback[negative] - 'x') + (negative ? 3 : 0), out);
    }
}

scene_map scene_submap(scene_map map, const char *name)
{
    scene_map inner = scene_open_map(map.reading, row_of(map, name)->table, scene_find(map, name));
    if (inner.preset == 0)
        inner.preset = map.preset;
    return inner;
}

const char *scene_string(scene_reading *reading, const scene_node *node)
{
    char *copy = node ? scene_take(reading, (size_t)node->length + 1, 1) : NULL;
    return copy ? memcpy(copy, node->text, node->length) : "";
}

double *scene_numbers(scene_reading *reading, const scene_node *list, uint32_t width)
{
    double *numbers = scene_take(reading, (size_t)list->count * width, sizeof *numbers), *next = numbers;
    if (numbers == NULL || width == 1) {
        if (numbers != NULL)
            take_numbers(reading, list, numbers);
        return numbers;
    }
    for (const scene_node *item = scene_first(reading, list); item != NULL; item = scene_next(reading, item)) {
        take_numbers(reading, item, next);
        next += width;
    }
    return numbers;
}

// ---- courses

static void read_course_map(scene_map map, sheaf_course *course)
{
    const scene_map ramp = scene_submap(map, "ramp"), sine = scene_submap(map, "sine");
    const scene_node *keys = scene_find(map, "keys");
    if (ramp.node != NULL)
        *course = (sheaf_course){.kind = SHEAF_COURSE_RAMP,
                                 .value = scene_number(ramp, "to"),
                                 .start = scene_number(ramp, "start"),
                                 .duration = scene_number(ramp, "over"),
                                 .smooth = scene_flag(ramp, "smooth")};
    else if (sine.node != NULL)
        *course = (sheaf_course){.kind = SHEAF_COURSE_SINE,
                                 .value = scene_number(sine, "amplitude"),
                                 .start = scene_number(sine, "start"),
                                 .duration = scene_number(sine, "period")};
    else if (keys != NULL)
        *course = (sheaf_course){
            .kind = SHEAF_COURSE_KEYS, .keys = scene_numbers(map.reading, keys, 2), .key_count = keys->count};
}

static void read_course(scene_reading *reading, scene_node *node, sheaf_course *course)
{
    *course = (sheaf_course){.kind = SHEAF_COURSE_CONSTANT};
    if (node->kind == SCENE_NODE_MAP)
        read_course_map((scene_map){reading, &scene_courses, node, 0}, course);
    else
        course->value = node->number;
}

void scene_read_course(scene_map map, const char *name, sheaf_course *course)
{
    scene_node *node = scene_find(map, name);
    *course = (sheaf_course){.kind = SHEAF_COURSE_CONSTANT};
    if (node != NULL)
        read_course(map.reading, node, course);
}

void scene_read_courses(scene_map map, const char *name, sheaf_course courses[3])
{
    const scene_node *list = scene_find(map, name);
    scene_node *item = list ? scene_first(map.reading, list) : NULL;
    for (int c = 0; c < 3; c++) {
        courses[c] = (sheaf_course){.kind = SHEAF_COURSE_CONSTANT};
        if (item == NULL)
            continue;
        read_course(map.reading, item, &courses[c]);
        item = scene_next(map.reading, item);
    }
}
