// values: holds the tree of a scene file against the schema.
#include "scene/values.h"

#include "scene/refuse.h"
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void check_map(scene_reading *reading, const scene_table *table, scene_limit_id course, scene_node *node);

// ---- numbers

// Points at the part of a number that is wrong, as far as the value stands in the file as it is read.
static scene_span fault_place(const scene_slot *s, const scene_node *node, const scene_fault *fault)
{
    const char *text = s->reading->text;
    if (node->text >= text && node->text < text + s->reading->length)
        return (scene_span){(size_t)(node->text - text) + fault->offset, fault->length};
    return scene_place(node);
}

static void refuse_number(const scene_slot *s, scene_node *node, const scene_fault *fault)
{
    scene_expectation what;
    const scene_span place = fault_place(s, node, fault);
    if (strchr(fault->text, '\n') != NULL)
        scene_complain(s->reading, place, "%s: %s", s->key->name, fault->text);
    else
        scene_complain(s->reading, place, "%s: %s\nexpected %s", s->key->name, fault->text,
                       scene_expected_number(s, what));
    node->bad = true;
}

static void refuse_dimension(const scene_slot *s, scene_node *node)
{
    scene_expectation what;
    scene_shown shown;
    scene_complain(s->reading, scene_place(node), "%s: '%s' has the wrong unit\nexpected %s", s->key->name,
                   scene_show(node, shown), scene_expected_number(s, what));
    node->bad = true;
}

static void refuse_range(const scene_slot *s, const scene_limit *limit, scene_node *node, double value)
{
    const char *unit = node->is_share ? "%" : limit->unit, *space = unit[0] ? " " : "";
    const double scale = node->is_share ? 100 : 1;
    scene_complain(s->reading, scene_place(node), "%s: %.6g%s%s is out of range\nallowed: %.6g to %.6g%s%s",
                   s->key->name, scale * value, space, unit, scale * limit->least, scale * limit->most, space, unit);
    node->bad = true;
}

// Unit and range of a number that has been read.
static void check_quantity(const scene_slot *s, scene_node *node, const scene_quantity *quantity)
{
    const scene_dimension ratio = {0};
    node->is_share = s->key->share_of != NULL && !quantity->bare && scene_dimension_fits(quantity->dimension, ratio);
    const scene_limit_id id = node->is_share ? SCENE_LIMIT_RATIO : s->limit;
    const scene_limit *limit = &scene_limits[id];
    if (!quantity->bare && !scene_dimension_fits(quantity->dimension, scene_unit_dimension(limit->unit)))
        refuse_dimension(s, node);
    else if (!scene_within(id, quantity->value))
        refuse_range(s, limit, node, quantity->value);
    node->number = quantity->value;
}

static bool find_word(const scene_node *node, const char *words, uint64_t *index);

// A word that may stand for the number is 0, which the limits of such keys exclude.
static void check_number(const scene_slot *s, scene_node *node)
{
    uint64_t word;
    scene_quantity quantity;
    scene_fault fault;
    if (!scene_is_kind(s, node, SCENE_NODE_SCALAR))
        return;
    if (node->empty)
        scene_refuse_empty(s, node, node);
    else if (s->key->kind == SCENE_KIND_NUMBER && find_word(node, s->key->words, &word))
        node->number = 0;
    else if (!scene_parse_quantity(node->text, node->length, &quantity, &fault))
        refuse_number(s, node, &fault);
    else
        check_quantity(s, node, &quantity);
}

// A list of `count` numbers (0: any). A list with a bad number is bad.
static void check_numbers(const scene_slot *s, scene_node *node, uint32_t count)
{
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    if (count != 0 && node->count != count) {
        scene_refuse_count(s, node);
        return;
    }
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_number(s, item);
        node->bad |= item->bad;
    }
}

static void check_pair(const scene_slot *s, scene_node *node)
{
    if (node->kind == SCENE_NODE_LIST)
        check_numbers(s, node, 2);
    else
        check_number(s, node);
}

static void check_vector(const scene_slot *s, scene_node *node)
{
    check_numbers(s, node, s->key->count);
}

static void check_list_of_numbers(const scene_slot *s, scene_node *node)
{
    check_numbers(s, node, 0);
}

// Shorter vectors have no direction worth trusting.
static const double least_direction = 1e-9;

static void check_axis(const scene_slot *s, scene_node *node)
{
    static const char *const names[] = {"x", "y", "z", "-x", "-y", "-z"};
    double square = 0;
    if (node->bad)
        return;
    if (node->kind == SCENE_NODE_SCALAR) {
        for (node->whole = 0; node->whole < 6; node->whole++)
            if (scene_text_is(node, names[node->whole]))
                return;
        scene_refuse_word(s, node);
        return;
    }
    check_numbers(s, node, 3);
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item))
        square += item->number * item->number;
    if (node->bad || sqrt(square) >= least_direction)
        return;
    scene_complain(s->reading, scene_place(node), "%s points nowhere\ngive a vector that is not 0", s->key->name);
    node->bad = true;
}

static void check_points(const scene_slot *s, scene_node *node)
{
    static const scene_key point_key = {
        .name = "point", .kind = SCENE_KIND_VECTOR, .count = 3, .example = "[0, 0, 1 cm]"};
    const scene_slot point = {s->reading, &point_key, s->limit};
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_vector(&point, item);
        node->bad |= item->bad;
    }
    if (scene_within(SCENE_LIMIT_VERTICES, node->count))
        return;
    scene_complain(s->reading, scene_place(node), "%s: %u vertices\na strand has %d to %d", s->key->name, node->count,
                   SCENE_MIN_VERTICES, SCENE_MAX_VERTICES);
    node->bad = true;
}

// Two or more points.
static void check_path(const scene_slot *s, scene_node *node)
{
    static const scene_key point_key = {
        .name = "point", .kind = SCENE_KIND_VECTOR, .count = 3, .example = "[0, 0, 1 cm]"};
    const scene_slot point = {s->reading, &point_key, s->limit};
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_vector(&point, item);
        node->bad |= item->bad;
    }
    if (node->count >= 2)
        return;
    scene_complain(s->reading, scene_place(node), "%s has %u point%s\ngive two or more, such as %s", s->key->name,
                   node->count, node->count == 1 ? "" : "s", s->key->example);
    node->bad = true;
}

// Two or more [place, value], places rising.
static void check_profile(const scene_slot *s, scene_node *node)
{
    static const scene_key pair_key = {.name = "pair", .kind = SCENE_KIND_VECTOR, .count = 2, .example = "[0, 35 deg]"};
    const scene_slot pair = {s->reading, &pair_key, s->limit};
    double last = -INFINITY;
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_vector(&pair, item);
        node->bad |= item->bad;
        const double place = item->bad ? INFINITY : scene_first(s->reading, item)->number;
        if (!item->bad && !(place > last)) {
            scene_complain(s->reading, scene_place(item),
                           "%s: this place is not beyond the one before it\ngive places in rising order, each once",
                           s->key->name);
            node->bad = true;
        }
        last = place;
    }
    if (node->count >= 2)
        return;
    scene_complain(s->reading, scene_place(node), "%s has %u pair%s\ngive two or more, such as %s", s->key->name,
                   node->count, node->count == 1 ? "" : "s", s->key->example);
    node->bad = true;
}

// ---- courses

static void check_course(const scene_slot *s, scene_node *node)
{
    if (node->kind == SCENE_NODE_MAP)
        check_map(s->reading, &scene_courses, s->limit, node);
    else
        check_number(s, node);
}

static void check_courses(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    if (node->count != 3) {
        scene_refuse_count(s, node);
        return;
    }
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_course(s, item);
        node->bad |= item->bad;
    }
}

// One [time, value] pair, after the time of the one before.
static void check_key_pair(const scene_slot *s, scene_node *pair, double *last_time)
{
    const scene_slot time = {s->reading, s->key, SCENE_LIMIT_TIME};
    if (!scene_is_kind(s, pair, SCENE_NODE_LIST))
        return;
    if (pair->count != 2) {
        scene_refuse_count(s, pair);
        return;
    }
    scene_node *first = scene_first(s->reading, pair), *second = scene_next(s->reading, first);
    check_number(&time, first);
    check_number(s, second);
    pair->bad = first->bad || second->bad;
    if (first->bad)
        return;
    if (!(first->number > *last_time)) {
        scene_complain(s->reading, scene_place(first), "keys: this time is not after the one before it");
        pair->bad = true;
    }
    *last_time = first->number;
}

static void check_keys(const scene_slot *s, scene_node *node)
{
    double last_time = -INFINITY;
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    if (node->count == 0)
        scene_refuse_no_entries(s, node);
    for (scene_node *pair = scene_first(s->reading, node); pair != NULL; pair = scene_next(s->reading, pair)) {
        check_key_pair(s, pair, &last_time);
        node->bad |= pair->bad;
    }
}

// ---- words

static void check_text(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_SCALAR) || node->length <= SCENE_MAX_NAME)
        return;
    scene_complain_limit(s->reading, scene_place(node), "%s is longer than %d bytes", s->key->name, SCENE_MAX_NAME);
    node->bad = true;
}

// A text, or a list of as many as the key has. What they say is looked at by who builds with them.
static void check_texts(const scene_slot *s, scene_node *node)
{
    if ((node->kind == SCENE_NODE_SCALAR && s->key->count != 3) || !scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    uint32_t texts = 0;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item))
        texts += item->kind == SCENE_NODE_SCALAR && !item->empty;
    node->bad = texts != s->key->count || node->count != texts;
    if (node->bad)
        scene_complain(s->reading, scene_place(node), "%s: expected %u texts", s->key->name, s->key->count);
}

static bool is_law_name(const scene_node *name)
{
    bool sound = name->length > 0 && name->length < 32 && (name->text[0] < '0' || name->text[0] > '9');
    for (uint32_t k = 0; k < name->length; k++)
        sound &= strchr("+-*/^(), .", name->text[k]) == NULL && (unsigned char)name->text[k] < 0x80;
    return sound;
}

// Names to numbers of any unit.
static void check_constants(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_MAP))
        return;
    for (scene_node *name = scene_first(s->reading, node); name != NULL; name = scene_next_key(s->reading, name)) {
        scene_node *value = scene_next(s->reading, name);
        scene_quantity quantity = {0};
        scene_fault fault;
        if (!is_law_name(name) || node->count > 32)
            scene_complain(s->reading, scene_place(name), "%s has up to 32 names of letters, digits and _",
                           s->key->name);
        else if (scene_is_kind(s, value, SCENE_NODE_SCALAR) && value->empty)
            scene_refuse_empty(s, name, value);
        else if (!value->bad && !scene_parse_quantity(value->text, value->length, &quantity, &fault))
            refuse_number(s, value, &fault);
        value->number = quantity.value;
    }
}

// Index of the scalar among words; false: none of them.
static bool find_word(const scene_node *node, const char *words, uint64_t *index)
{
    const char *word;
    size_t length;
    for (uint32_t k = 0; words != NULL && scene_word(words, k, &word, &length); k++)
        if (node->length == length && memcmp(node->text, word, length) == 0) {
            *index = k;
            return true;
        }
    return false;
}

static void refuse_choice(const scene_slot *s, scene_node *node)
{
    enum { MOST_WORDS = 16 };
    scene_shown words[MOST_WORDS], shown;
    scene_expectation what;
    const char *list[MOST_WORDS], *word;
    size_t length;
    uint32_t count = 0;
    for (; count < MOST_WORDS && scene_word(s->key->words, count, &word, &length); count++) {
        snprintf(words[count], sizeof words[count], "%.*s", (int)length, word);
        list[count] = words[count];
    }
    const char *nearest = scene_nearest_of(node, list, count);
    if (nearest == NULL || s->key->refusal != NULL) {
        scene_refuse_word(s, node);
        return;
    }
    scene_complain(s->reading, scene_place(node), "%s cannot be '%s'\ndid you mean '%s'? expected %s", s->key->name,
                   scene_show(node, shown), nearest, scene_expected(s, what));
    node->bad = true;
}

static void check_choice(const scene_slot *s, scene_node *node)
{
    if (scene_is_kind(s, node, SCENE_NODE_SCALAR) && !find_word(node, s->key->words, &node->whole))
        refuse_choice(s, node);
}

static void check_choices(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    uint64_t chosen = 0;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_choice(s, item);
        if (!item->bad)
            chosen |= (uint64_t)1 << item->whole;
        node->bad = node->bad || item->bad;
    }
    node->whole = chosen;
}

static void check_flag(const scene_slot *s, scene_node *node)
{
    if (scene_is_kind(s, node, SCENE_NODE_SCALAR) && !find_word(node, "false|true", &node->whole))
        scene_refuse_word(s, node);
}

// ---- whole numbers

static bool read_whole(const scene_node *node, uint64_t *value)
{
    *value = 0;
    for (uint32_t k = 0; k < node->length; k++) {
        const unsigned digit = (unsigned)node->text[k] - '0';
        if (digit > 9 || *value > (UINT64_MAX - digit) / 10)
            return false;
        *value = 10 * *value + digit;
    }
    return node->length > 0;
}

static void check_seed(const scene_slot *s, scene_node *node)
{
    scene_shown shown;
    if (!scene_is_kind(s, node, SCENE_NODE_SCALAR) || read_whole(node, &node->whole))
        return;
    scene_complain(s->reading, scene_place(node), "%s: '%s' is not a whole number from 0 to 2^64 - 1", s->key->name,
                   scene_show(node, shown));
    node->bad = true;
}

// The digits of "2 frames": a whole number without the word after it.
static scene_node digits_of(const scene_node *node, const char *unit)
{
    scene_node digits = *node;
    const size_t length = unit != NULL ? strlen(unit) : 0;
    const bool plural = length > 0 && digits.length > length && digits.text[digits.length - 1] == 's';
    const size_t word = length + plural;
    if (length == 0 || digits.length <= word || memcmp(digits.text + digits.length - word, unit, length) != 0)
        return digits;
    digits.length -= (uint32_t)word;
    while (digits.length > 0 && digits.text[digits.length - 1] == ' ')
        digits.length--;
    return digits;
}

static void check_whole(const scene_slot *s, scene_node *node)
{
    const scene_limit *limit = &scene_limits[s->limit];
    const char *unit = s->key->unit;
    scene_shown shown;
    if (!scene_is_kind(s, node, SCENE_NODE_SCALAR) || find_word(node, s->key->words, &node->whole))
        return;
    const scene_node digits = digits_of(node, unit);
    if (read_whole(&digits, &node->whole) && scene_within(s->limit, (double)node->whole))
        return;
    scene_complain(s->reading, scene_place(node), "%s: '%s' is not a whole number%s%s%s from %.0f to %.0f%s%s",
                   s->key->name, scene_show(node, shown), unit ? " of " : "", unit ? unit : "", unit ? "s" : "",
                   limit->least, limit->most, s->key->advice ? "\n" : "", s->key->advice ? s->key->advice : "");
    node->bad = true;
}

// ---- names

// Value of a key of the whole file, or NULL.
static scene_node *find_top(const scene_reading *reading, const char *name)
{
    scene_node *root = &reading->tree.nodes[reading->tree.root];
    if (root->kind != SCENE_NODE_MAP)
        return NULL;
    for (scene_node *key = scene_first(reading, root); key != NULL; key = scene_next_key(reading, key))
        if (scene_text_is(key, name))
            return scene_next(reading, key);
    return NULL;
}

static bool same_text(const scene_node *a, const scene_node *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

enum { NAMES_SHOWN = 64 }; // candidates for what a misspelt name was meant to be

// Map `index` of those that a reference is a name out of; NULL: there are not so many, or it is no map. `none` stands
// for one that the file does not have.
static const scene_node *find_names(const scene_slot *s, uint32_t index)
{
    static const scene_node none = {.kind = SCENE_NODE_MAP};
    const char *word;
    size_t length;
    char name[32];
    if (!scene_word(s->key->names, index, &word, &length))
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const scene_node *names = find_top(s->reading, name);
    return names != NULL && names->kind == SCENE_NODE_MAP ? names : &none;
}

static void refuse_name(const scene_slot *s, scene_node *node)
{
    scene_shown shown, candidates[NAMES_SHOWN];
    const char *list[NAMES_SHOWN];
    const scene_node *names;
    size_t count = 0;
    for (uint32_t k = 0; (names = find_names(s, k)) != NULL; k++)
        for (scene_node *key = scene_first(s->reading, names); key != NULL && count < NAMES_SHOWN;) {
            list[count] = scene_show(key, candidates[count]);
            count++;
            key = scene_next_key(s->reading, key);
        }
    const char *nearest = scene_nearest_of(node, list, count);
    scene_complain(s->reading, scene_place(node), "%s: there is no '%s' in %s\n%s%s%s", s->key->name,
                   scene_show(node, shown), strchr(s->key->names, '|') != NULL ? "motion or bodies" : s->key->names,
                   nearest ? "did you mean '" : "define it there", nearest ? nearest : "", nearest ? "'?" : "");
    node->bad = true;
}

static void check_reference(const scene_slot *s, scene_node *node)
{
    const scene_node *names;
    if (!scene_is_kind(s, node, SCENE_NODE_SCALAR))
        return;
    if (find_word(node, s->key->words, &node->whole)) {
        node->whole = SCENE_NO_NAME;
        return;
    }
    node->whole = 0;
    for (uint32_t k = 0; (names = find_names(s, k)) != NULL; k++)
        for (scene_node *key = scene_first(s->reading, names); key != NULL; node->whole++) {
            if (same_text(key, node))
                return;
            key = scene_next_key(s->reading, key);
        }
    refuse_name(s, node);
}

static void check_names(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        check_reference(s, item);
        node->bad = node->bad || item->bad;
    }
}

// ---- maps

// Where else the schema has a key of this name, or NULL.
static const scene_table *find_home(const scene_node *key)
{
    for (uint32_t k = 0; k < scene_table_count; k++)
        if (scene_find_key(scene_tables[k], key->text, key->length) != NULL)
            return scene_tables[k];
    return NULL;
}

static void refuse_key(scene_reading *reading, const scene_table *table, const scene_node *key)
{
    enum { MOST_KEYS = 32 };
    const char *names[MOST_KEYS];
    scene_shown shown;
    char all[240];
    size_t count = 0, used = 0;
    for (; count < table->key_count && count < MOST_KEYS; count++) {
        names[count] = table->keys[count].name;
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", count ? ", " : "", names[count]);
    }
    const char *nearest = scene_nearest_of(key, names, count);
    const scene_table *home = find_home(key);
    const scene_synonym *synonym = scene_find_synonym(table, key->text, key->length);
    if (scene_text_is(key, "<<"))
        scene_complain(reading, scene_place(key), "merge keys are not accepted\nwrite the values out");
    else if (key->length > 0 && key->text[0] >= '0' && key->text[0] <= '9')
        scene_complain(reading, scene_place(key),
                       "'%s' is no key\nif it belongs to a number, write '.' for its decimals", scene_show(key, shown));
    else if (synonym != NULL)
        scene_complain(reading, scene_place(key), "unknown key '%s' in %s\ndid you mean '%s'%s%s%s?",
                       scene_show(key, shown), table->name, synonym->key, synonym->meaning ? " (" : "",
                       synonym->meaning ? synonym->meaning : "", synonym->meaning ? ")" : "");
    else if (home == NULL && nearest == NULL)
        scene_complain(reading, scene_place(key), "unknown key '%s' in %s\nkeys here: %s", scene_show(key, shown),
                       table->name, all);
    else
        scene_complain(reading, scene_place(key), "unknown key '%s' in %s\n%s '%s'%s", scene_show(key, shown),
                       table->name, home ? "it belongs to" : "did you mean", home ? home->name : nearest,
                       home ? "" : "?");
}

static void check_value(scene_reading *reading, const scene_key *key, scene_limit_id course, scene_node *name,
                        scene_node *value);

// Finds the row of each key and checks its value; returns which rows were found, a bit each.
static uint32_t check_pairs(scene_reading *reading, const scene_table *table, scene_limit_id course, scene_node *map)
{
    uint32_t seen = 0;
    for (scene_node *name = scene_first(reading, map); name != NULL && !scene_is_hopeless(reading);) {
        scene_node *value = scene_next(reading, name);
        const scene_key *key = name->bad ? NULL : scene_find_key(table, name->text, name->length);
        const uint32_t bit = key ? 1u << (key - table->keys) : 0;
        if (key == NULL && !name->bad)
            refuse_key(reading, table, name);
        else if (seen & bit)
            scene_complain(reading, scene_place(name), "%s is given twice\nremove one of them", key->name);
        else if (key != NULL)
            check_value(reading, key, course, name, value);
        seen |= bit;
        name = scene_next(reading, value);
    }
    return seen;
}

static void refuse_missing(scene_reading *reading, const scene_table *table, uint32_t seen, const scene_node *map)
{
    for (uint32_t k = 0; k < table->key_count; k++)
        if (table->keys[k].required && !(seen & 1u << k))
            scene_complain(reading, scene_place(map), "%s is missing in %s\nadd it, as in %s: %s", table->keys[k].name,
                           table->name, table->keys[k].name, table->keys[k].example);
}

static void check_one_of(scene_reading *reading, const scene_table *table, scene_node *map)
{
    if (map->count == 1)
        return;
    scene_complain(reading, scene_place(map), "%s has %u keys\nexactly one is needed, as in { %s: %s }", table->name,
                   map->count, table->keys[0].name, table->keys[0].example);
    map->bad = true;
}

static void check_map(scene_reading *reading, const scene_table *table, scene_limit_id course, scene_node *node)
{
    const uint32_t complaints = reading->list->count;
    if (table->one_of)
        check_one_of(reading, table, node);
    const uint32_t seen = check_pairs(reading, table, course, node);
    if (!scene_is_hopeless(reading))
        refuse_missing(reading, table, seen, node);
    node->unsound = reading->list->count != complaints;
}

// A map, or a bare value that stands for one of its keys.
static void check_submap(const scene_slot *s, scene_node *node)
{
    const scene_table *table = s->key->table;
    const scene_key *bare = table->bare ? scene_find_key(table, table->bare, strlen(table->bare)) : NULL;
    if (bare != NULL && node->kind == SCENE_NODE_SCALAR) {
        scene_key named = *bare; // messages call it by what the file says
        named.name = s->key->name;
        check_value(s->reading, &named, s->limit, node, node);
    } else if (scene_is_kind(s, node, SCENE_NODE_MAP))
        check_map(s->reading, table, s->limit, node);
}

static void check_list(const scene_slot *s, scene_node *node)
{
    static const char *const found[] = {"a single value", "a list"};
    if (!scene_is_kind(s, node, SCENE_NODE_LIST))
        return;
    if (node->count == 0)
        scene_refuse_no_entries(s, node);
    for (scene_node *item = scene_first(s->reading, node); item != NULL; item = scene_next(s->reading, item)) {
        if (item->kind == SCENE_NODE_MAP)
            check_map(s->reading, s->key->table, s->limit, item);
        else if (!item->bad)
            scene_complain(s->reading, scene_place(item), "an entry of %s is %s\nexpected a map", s->key->name,
                           found[item->kind]);
        if (scene_is_hopeless(s->reading))
            return;
    }
}

// Names are compared each with all others: their number is limited so that this stays quick.
static bool is_new_name(const scene_reading *reading, const scene_node *map, const scene_node *name)
{
    for (const scene_node *key = scene_first(reading, map); key != name;) {
        if (same_text(key, name))
            return false;
        key = scene_next_key(reading, key);
    }
    return true;
}

static void check_name(const scene_slot *s, const scene_node *map, scene_node *name)
{
    scene_shown shown;
    if (name->bad)
        return;
    if (name->length == 0 || name->length > SCENE_MAX_NAME)
        scene_complain(s->reading, scene_place(name), "a name in %s has 1 to %d bytes", s->key->name, SCENE_MAX_NAME);
    else if (!is_new_name(s->reading, map, name))
        scene_complain(s->reading, scene_place(name), "'%s' is in %s already\ngive it another name",
                       scene_show(name, shown), s->key->name);
}

static void refuse_entry(const scene_slot *s, const scene_node *name)
{
    scene_shown shown;
    scene_complain(s->reading, scene_place(name), "'%s' in %s is no map\nexpected a map, such as { %s: %s }",
                   scene_show(name, shown), s->key->name, s->key->table->keys[0].name, s->key->table->keys[0].example);
}

static void check_named(const scene_slot *s, scene_node *node)
{
    if (!scene_is_kind(s, node, SCENE_NODE_MAP))
        return;
    if (node->count > SCENE_MAX_NAMED) {
        scene_complain_limit(s->reading, scene_place(node), "%s: %u entries; at most %d are allowed", s->key->name,
                             node->count, SCENE_MAX_NAMED);
        return;
    }
    if (node->count == 0 && s->key->required)
        scene_refuse_no_entries(s, node);
    for (scene_node *name = scene_first(s->reading, node); name != NULL && !scene_is_hopeless(s->reading);) {
        scene_node *value = scene_next(s->reading, name);
        check_name(s, node, name);
        if (value->kind == SCENE_NODE_MAP)
            check_map(s->reading, s->key->table, s->limit, value);
        else if (!value->bad)
            refuse_entry(s, name);
        name = scene_next(s->reading, value);
    }
}

// ---- any value

static void check_value(scene_reading *reading, const scene_key *key, scene_limit_id course, scene_node *name,
                        scene_node *value)
{
    static void (*const checks[SCENE_KIND_COUNT])(const scene_slot *s, scene_node *node) = {
        [SCENE_KIND_TEXTS] = check_texts,         [SCENE_KIND_CONSTANTS] = check_constants,
        [SCENE_KIND_TEXT] = check_text,           [SCENE_KIND_FLAG] = check_flag,
        [SCENE_KIND_CHOICE] = check_choice,       [SCENE_KIND_WHOLE] = check_whole,
        [SCENE_KIND_SEED] = check_seed,           [SCENE_KIND_NUMBER] = check_number,
        [SCENE_KIND_PAIR] = check_pair,           [SCENE_KIND_VECTOR] = check_vector,
        [SCENE_KIND_AXIS] = check_axis,           [SCENE_KIND_NUMBERS] = check_list_of_numbers,
        [SCENE_KIND_POINTS] = check_points,       [SCENE_KIND_COURSE] = check_course,
        [SCENE_KIND_PATH] = check_path,           [SCENE_KIND_PROFILE] = check_profile,
        [SCENE_KIND_COURSES] = check_courses,     [SCENE_KIND_KEYS] = check_keys,
        [SCENE_KIND_REFERENCE] = check_reference, [SCENE_KIND_MAP] = check_submap,
        [SCENE_KIND_NAMES] = check_names,         [SCENE_KIND_CHOICES] = check_choices,
        [SCENE_KIND_NAMED] = check_named,         [SCENE_KIND_LIST] = check_list,
    };
    const scene_slot s = {reading, key, key->of_course ? course : key->limit};
    const uint32_t complaints = reading->list->count;
    if (value->empty && !value->bad)
        scene_refuse_empty(&s, name, value);
    else
        checks[key->kind](&s, value);
    value->unsound = value->bad || reading->list->count != complaints;
}

void scene_check_value(scene_reading *reading, const scene_key *key, scene_node *name, scene_node *value)
{
    check_value(reading, key, SCENE_LIMIT_COMPONENT, name, value);
}

void scene_check_tree(scene_reading *reading)
{
    scene_node *root = &reading->tree.nodes[reading->tree.root];
    if (root->kind == SCENE_NODE_MAP)
        check_map(reading, &scene_schema, SCENE_LIMIT_COMPONENT, root);
    else if (!root->bad)
        scene_complain(reading, scene_place(root), "a scene is a map\nstart it with 'sheaf: 1'");
}
