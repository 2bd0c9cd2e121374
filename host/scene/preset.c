// preset: the one table of presets. Reading and docs/scene.md follow it.
#include "scene/preset.h"

#include <stddef.h>
#include <string.h>

#define NONE NULL

// Hair: a keratin fibre whose section is the flatter the more it curls. A blade of grass is a flat band, a reed a
// hollow stalk taken as a lighter solid one, rope and cable have the bending stiffness of wires that slide past each
// other.
const scene_preset_row scene_preset_rows[] = {
    // straight, wavy, curly, coily, fur, grass, reeds, rope, cable
    {"material",
     "density",
     {"1300 kg/m^3", "1300 kg/m^3", "1300 kg/m^3", "1300 kg/m^3", "1300 kg/m^3", "800 kg/m^3", "300 kg/m^3",
      "900 kg/m^3", "6500 kg/m^3"}},
    {"material", "young", {"3.5 GPa", "3.5 GPa", "3.5 GPa", "3.5 GPa", "3.5 GPa", "1 GPa", "3 GPa", "8 MPa", "4 GPa"}},
    {"material",
     "shear",
     {"1.3 GPa", "1.3 GPa", "1.3 GPa", "1.3 GPa", "1.3 GPa", "0.3 GPa", "1 GPa", "3 MPa", "1.6 GPa"}},
    {"material",
     "radius",
     {"[42 um, 40 um]", "[43 um, 36 um]", "[45 um, 32 um]", "[46 um, 27 um]", "[26 um, 20 um]", "[2 mm, 0.2 mm]",
      "3 mm", "8 mm", "5 mm"}},
    {"material",
     "drag",
     {"60 uPa*s", "60 uPa*s", "60 uPa*s", "60 uPa*s", "50 uPa*s", "6 mPa*s", "15 mPa*s", "50 mPa*s", "15 mPa*s"}},
    {"material", "damping", {"0.2 ms", "0.2 ms", "0.2 ms", "0.2 ms", "0.2 ms", "5 ms", "5 ms", "5 ms", "2 ms"}},
    {"groom", "vertices", {"32", "32", "32", "48", "12", "12", "24", NONE, NONE}},
    {"groom", "along", {NONE, NONE, NONE, NONE, NONE, "up", "up", NONE, NONE}},
    {"length", "mean", {"30 cm", "26 cm", "21 cm", "13 cm", "25 mm", "18 cm", "1.6 m", NONE, NONE}},
    {"length", "spread", {"6 %", "8 %", "10 %", "15 %", "18 %", "20 %", "15 %", NONE, NONE}},
    {"curl", "radius", {NONE, "5 mm", "6 mm", "3.5 mm", NONE, NONE, NONE, NONE, NONE}},
    {"curl", "pitch", {NONE, "70 mm", "30 mm", "9 mm", NONE, NONE, NONE, NONE, NONE}},
    {"curl", "spread", {NONE, "15 %", "12 %", "15 %", NONE, NONE, NONE, NONE, NONE}},
    {"tilt", "angle", {"15 deg", "15 deg", "10 deg", "5 deg", "35 deg", "10 deg", "4 deg", NONE, NONE}},
    {"tilt", "spread", {"4 deg", "5 deg", "6 deg", "8 deg", "8 deg", "6 deg", "3 deg", NONE, NONE}},
    {"lay", "angle", {"95 deg", "90 deg", "80 deg", "40 deg", "30 deg", "35 deg", "8 deg", NONE, NONE}},
    {"lay", "spread", {"6 deg", "8 deg", "10 deg", "12 deg", "8 deg", "15 deg", "5 deg", NONE, NONE}},
    {"clumps", "strands", {"60", "40", "30", "20", "16", NONE, NONE, NONE, NONE}},
    {"clumps", "strength", {"30 %", "60 %", "70 %", "60 %", "50 %", NONE, NONE, NONE, NONE}},
    {"clumps", "stray", {"10 %", "8 %", "8 %", "10 %", "10 %", NONE, NONE, NONE, NONE}},
    {"wisps", "strands", {"12", "8", "6", "5", NONE, NONE, NONE, NONE, NONE}},
    {"wisps", "strength", {"30 %", "40 %", "40 %", "40 %", NONE, NONE, NONE, NONE, NONE}},
    {"vary", "radius", {"8 %", "8 %", "8 %", "8 %", "12 %", "15 %", "12 %", NONE, NONE}},
    {"vary", "stiffness", {"10 %", "10 %", "10 %", "10 %", "10 %", "15 %", "15 %", NONE, NONE}},
    {"children", "lock", {"30 %", "0 %", "70 %", "60 %", "50 %", "0 %", "0 %", NONE, NONE}},
    {"children", "strength", {"35 %", "80 %", "75 %", "70 %", "50 %", "10 %", "10 %", NONE, NONE}},
    {"children", "scatter", {"2 mm", "1.5 mm", "1.5 mm", "1.5 mm", "0.5 mm", "5 mm", "15 mm", NONE, NONE}},
    {"children", "frizz", {"0.4 mm", "0.5 mm", "0.6 mm", "0.6 mm", "0.1 mm", "0 mm", "0 mm", NONE, NONE}},
    {"taper", "tip", {"60 %", "60 %", "60 %", "60 %", "30 %", "20 %", "35 %", NONE, NONE}},
    {"taper", "start", {"60 %", "60 %", "60 %", "60 %", "20 %", "30 %", "0", NONE, NONE}},
};
const uint32_t scene_preset_row_count = sizeof scene_preset_rows / sizeof scene_preset_rows[0];

const char *scene_preset_value(uint32_t preset, const char *table, const char *key)
{
    for (uint32_t k = 0; preset > 0 && k < scene_preset_row_count; k++)
        if (strcmp(scene_preset_rows[k].table, table) == 0 && strcmp(scene_preset_rows[k].key, key) == 0)
            return scene_preset_rows[k].value[preset - 1];
    return NULL;
}

bool scene_preset_has(uint32_t preset, const char *table)
{
    for (uint32_t k = 0; preset > 0 && k < scene_preset_row_count; k++)
        if (strcmp(scene_preset_rows[k].table, table) == 0 && scene_preset_rows[k].value[preset - 1] != NULL)
            return true;
    return false;
}
