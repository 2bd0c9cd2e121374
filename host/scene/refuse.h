// refuse: what is said of values of a scene file that are not what the schema wants.
#ifndef SHEAF_SCENE_REFUSE_H
#define SHEAF_SCENE_REFUSE_H

#include "scene/reading.h"
#include "scene/schema.h"

// What is checked: a value of `key`, whose numbers keep to `limit`.
typedef struct scene_slot {
    scene_reading *reading;
    const scene_key *key;
    scene_limit_id limit;
} scene_slot;

typedef char scene_expectation[2 * sizeof(scene_phrase)];

// "a list of 3 lengths, such as [0, 0, 1 cm]"; words are listed anyway.
const char *scene_expected(const scene_slot *s, scene_expectation out);

// "a length, such as 20 cm", also inside lists and courses.
const char *scene_expected_number(const scene_slot *s, scene_expectation out);

// Complaints about a value, which is then marked bad: it is of another kind, a list of another length, empty, a word
// that is not known, or missing.
void scene_refuse_kind(const scene_slot *s, scene_node *node);
void scene_refuse_count(const scene_slot *s, scene_node *list);
void scene_refuse_no_entries(const scene_slot *s, scene_node *node);
void scene_refuse_word(const scene_slot *s, scene_node *node);
void scene_refuse_empty(const scene_slot *s, const scene_node *name, scene_node *value);

// Whether a value is good so far and of a kind; complains where it is of another.
bool scene_is_kind(const scene_slot *s, scene_node *node, scene_node_kind kind);

// The nearest of `words` to what a scalar says, or NULL.
const char *scene_nearest_of(const scene_node *node, const char *const *words, size_t count);

#endif
