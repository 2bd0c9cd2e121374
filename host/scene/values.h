// values: the tree of a scene file held against the schema, and what it says then.
#ifndef SHEAF_SCENE_VALUES_H
#define SHEAF_SCENE_VALUES_H

#include "scene/reading.h"
#include "scene/schema.h"

// Stage 3. Checks every value of the tree: known keys, kinds, numbers, units, ranges, names. Values that are right are
// converted and kept in their nodes; the others are marked bad.
void scene_check_tree(scene_reading *reading);

// Checks one value as that of `key`; `name` is the node of the key itself.
void scene_check_value(scene_reading *reading, const scene_key *key, scene_node *name, scene_node *value);

// Index of a reference that is a word of the schema instead of a name.
#define SCENE_NO_NAME UINT64_MAX

// A map of the checked tree together with its table. `node` is NULL when the file does not have it; it is no map when
// a bare value stands for one of the keys. Functions below give a key's fallback when its value is absent or bad.
typedef struct scene_map {
    scene_reading *reading;
    const scene_table *table;
    scene_node *node;
    uint32_t preset; // whose values come before the schema's fallbacks, for it and maps inside; 0: none
} scene_map;

// The map of a node, with the preset that it names.
scene_map scene_open_map(scene_reading *reading, const scene_table *table, scene_node *node);

// Whether the file, or a preset, says anything for a map.
bool scene_is_given(scene_map map);

scene_map scene_whole_file(scene_reading *reading);

// Value of a key, or NULL when it is absent or bad.
scene_node *scene_find(scene_map map, const char *name);

// Whether the file says anything for this key, good or bad.
bool scene_has(scene_map map, const char *name);

// Whether nothing about these keys has been complained about; names end with NULL.
bool scene_is_sound(scene_map map, const char *const *names);
#define SCENE_SOUND(map, ...) scene_is_sound(map, (const char *const[]){__VA_ARGS__, NULL})

// Where to point to for a key: its name, or the map when that is all there is.
scene_span scene_key_place(scene_map map, const char *name);

double scene_number(scene_map map, const char *name);
uint64_t scene_whole(scene_map map, const char *name); // also of choices and names: their index
bool scene_flag(scene_map map, const char *name);
void scene_pair(scene_map map, const char *name, double out[2]);
void scene_vector(scene_map map, const char *name, double *out); // as many numbers as the key has
void scene_axis(scene_map map, const char *name, double out[3]); // 0 without value and fallback
scene_map scene_submap(scene_map map, const char *name);

// Index of the fallback of a submap, which is one of the words of its bare key.
uint64_t scene_fallback_word(scene_map map, const char *name);

// Text of a scalar, 0-terminated. Lives as long as the reading; "" when memory has run out.
const char *scene_string(scene_reading *reading, const scene_node *node);

// Numbers of a list, or of a list of lists. Live as long as the reading; NULL when memory has run out.
double *scene_numbers(scene_reading *reading, const scene_node *list, uint32_t width);

void scene_read_course(scene_map map, const char *name, sheaf_course *course);
void scene_read_courses(scene_map map, const char *name, sheaf_course courses[3]);

#endif
