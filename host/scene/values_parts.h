// values_parts: what the files that hold a scene's tree against the schema share.
#ifndef SHEAF_SCENE_VALUES_PARTS_H
#define SHEAF_SCENE_VALUES_PARTS_H

#include "scene/values.h"

// What is checked: a value of `key`, whose numbers keep to `limit`.
typedef struct slot {
    scene_reading *reading;
    const scene_key *key;
    scene_limit_id limit;
} slot;

// The word that a misspelt text is likely to mean; NULL: none is near.
const char *scene_nearest_of(const scene_node *node, const char *const *words, size_t count);

bool scene_same_text(const scene_node *a, const scene_node *b);

// Sets a node's `whole` to the index of what it names, counted through all maps that its key refers to, or complains.
void scene_find_name(const slot *s, scene_node *node);

#endif
