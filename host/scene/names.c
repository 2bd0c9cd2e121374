// names: what entries of a scene file refer to by name.
#include "scene/values_parts.h"

#include <stdio.h>
#include <string.h>

// The nearest of `words` to what a scalar says, or NULL.
const char *scene_nearest_of(const scene_node *node, const char *const *words, size_t count)
{
    scene_shown shown;
    return base_nearest(scene_show(node, shown), words, count);
}

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

bool scene_same_text(const scene_node *a, const scene_node *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

enum { NAMES_SHOWN = 64 }; // candidates for what a misspelt name was meant to be

// Map `index` of those that a reference is a name out of; NULL: there are not so many, or it is no map. `none` stands
// for one that the file does not have.
static const scene_node *find_names(const slot *s, uint32_t index)
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

static void refuse_name(const slot *s, scene_node *node)
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

void scene_find_name(const slot *s, scene_node *node)
{
    const scene_node *names;
    node->whole = 0;
    for (uint32_t k = 0; (names = find_names(s, k)) != NULL; k++)
        for (scene_node *key = scene_first(s->reading, names); key != NULL; node->whole++) {
            if (scene_same_text(key, node))
                return;
            key = scene_next_key(s->reading, key);
        }
    refuse_name(s, node);
}
