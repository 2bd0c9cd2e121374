// preset: names that stand for many values of a scene.
#ifndef SHEAF_SCENE_PRESET_H
#define SHEAF_SCENE_PRESET_H

#include <stdbool.h>
#include <stdint.h>

#define SCENE_PRESET_NAMES "straight|wavy|curly|coily|fur|grass|reeds|rope|cable"

enum { SCENE_PRESET_COUNT = 9 };

// One value of a preset, as a file would say it.
typedef struct scene_preset_row {
    const char *table; // name of the table whose key it is
    const char *key;
    const char *value[SCENE_PRESET_COUNT]; // NULL: the preset does not say
} scene_preset_row;

extern const scene_preset_row scene_preset_rows[];
extern const uint32_t scene_preset_row_count;

// What a preset (1 + its place among the names; 0: none) says for a key of a table, or NULL; and whether it says
// anything of a table.
const char *scene_preset_value(uint32_t preset, const char *table, const char *key);
bool scene_preset_has(uint32_t preset, const char *table);

#endif
